import type { Report } from '@manyworlds/core';
import {
	importUsd,
	SCHEMA_RESOLVER_EXTENDED,
	SCHEMA_RESOLVER_MJC,
	SCHEMA_RESOLVER_NEWTON,
	SCHEMA_RESOLVER_PHYSX,
} from '@manyworlds/import';
import { ModelBuilder } from '@manyworlds/model';
import { type AssetStore, isAssetFailure, type Prim, Stage, traverse, XformCache } from '@manyworlds/usd';
import type { ConversionFrame, ConversionModel, ConversionShape } from '../model/conversion-model.ts';
import { compose, inverse } from '../model/pose.ts';
import { fromModel } from './from-model.ts';
import { shortNames } from './short-names.ts';

/** Reads the robot of a USD stage; undefined when there is none, which the report says. */
export function fromUsd(identifier: string, store: AssetStore, report: Report): ConversionModel | undefined {
	const layer = store.layer(identifier);
	if (layer === undefined || isAssetFailure(layer)) return undefined;
	const stage = Stage.open(layer, { store, report });
	const builder = new ModelBuilder({ upAxis: 'z' });
	const { pathBodyMap, linearUnit, upAxis } = importUsd(stage, builder, {
		report,
		skipMeshApproximation: true,
		loadStaticVisualShapes: true,
		filterJoinedParts: false,
		convertMjcEqualityConstraints: false,
		schemaResolvers: [SCHEMA_RESOLVER_EXTENDED, SCHEMA_RESOLVER_NEWTON, SCHEMA_RESOLVER_PHYSX, SCHEMA_RESOLVER_MJC],
	});
	if (builder.bodyCount === 0) return undefined;
	// what no solver could run can be converted, as it is
	const model = builder.finalize({ skipValidation: true, keepInertia: true });
	const primOf = (label: string): Prim | undefined => (label.startsWith('/') ? stage.prim(label) : undefined);
	const bodies = shortNames(model.bodyLabels, '/');
	const joints = shortNames(model.jointLabels, '/').map((name, row) => {
		const own = primOf(model.jointLabels[row]!)?.attribute('ros:joint:name').get()?.data;
		return typeof own === 'string' && own !== '' ? own : name;
	});
	const shapes = model.shapeLabels.map((label) => label.split('/').at(-1) ?? '');
	return fromModel(
		model,
		{
			body: (row) => bodies[row]!,
			joint: (row) => joints[row]!,
			shape: (row) => shapes[row]!,
			place: (label) => ({ file: identifier, ...(label.startsWith('/') ? { prim: label } : {}) }),
			approximation: (row) => approximationOf(primOf(model.shapeLabels[row]!)),
		},
		{
			name: stage.defaultPrim?.name ?? 'robot',
			format: 'usd',
			frames: framesOf(stage, identifier, pathBodyMap, linearUnit, upAxis === 'y'),
			filters: filtersOf(stage, pathBodyMap),
		},
	);
}

function approximationOf(prim: Prim | undefined): ConversionShape['approximation'] {
	const value = prim?.attribute('physics:approximation').get()?.data;
	return value === 'convexHull' || value === 'convexDecomposition' ? value : 'none';
}

/** Frames of ROS: prims with RosFrameAPI that are no bodies, on the nearest body above. */
function framesOf(
	stage: Stage,
	file: string,
	bodyOf: ReadonlyMap<string, number>,
	unit: number,
	isYUp: boolean,
): ConversionFrame[] {
	const transforms = new XformCache();
	// a stage with Y up is turned about x
	const half = isYUp ? Math.SQRT1_2 : 0;
	const turn = Float64Array.of(0, 0, 0, half, 0, 0, half === 0 ? 1 : half);
	const frames: ConversionFrame[] = [];
	for (const prim of traverse(stage.pseudoRoot)) {
		const path = prim.path.toString();
		if (!prim.hasSchema('RosFrameAPI') || bodyOf.has(path)) continue;
		const id = prim.attribute('ros:frame:id').get()?.data;
		let above: Prim | undefined = prim.parent;
		while (above !== undefined && !bodyOf.has(above.path.toString())) above = above.parent;
		const body = above === undefined ? -1 : bodyOf.get(above.path.toString())!;
		const base = above === undefined ? turn : inverse(poseIn(transforms, above, unit));
		const pose = compose(base, poseIn(transforms, prim, unit));
		const name = typeof id === 'string' && id !== '' ? id : prim.name;
		frames.push({ name, body, pose, from: { file, prim: path } });
	}
	return frames;
}

/** Where a prim stands on its stage, without scale [m]. */
function poseIn(transforms: XformCache, prim: Prim, unit: number): Float64Array {
	const { translation, rotation } = transforms.worldPose(prim);
	return Float64Array.of(...translation.map((x) => x * unit), ...rotation);
}

/** Pairs of bodies that `PhysicsFilteredPairsAPI` keeps apart. */
function filtersOf(stage: Stage, bodyOf: ReadonlyMap<string, number>): [number, number][] {
	const pairs: [number, number][] = [];
	for (const prim of traverse(stage.pseudoRoot)) {
		const a = bodyOf.get(prim.path.toString());
		if (a === undefined || !prim.hasSchema('PhysicsFilteredPairsAPI')) continue;
		for (const target of prim.relationship('physics:filteredPairs').targets()) {
			const b = bodyOf.get(target.toString());
			if (b !== undefined) pairs.push([a, b]);
		}
	}
	return pairs;
}
