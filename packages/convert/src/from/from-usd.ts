import { quote, Report } from '@manyworlds/core';
import {
	importUsd,
	SCHEMA_RESOLVER_EXTENDED,
	SCHEMA_RESOLVER_MJC,
	SCHEMA_RESOLVER_NEWTON,
	SCHEMA_RESOLVER_PHYSX,
} from '@manyworlds/import';
import { ModelBuilder, ModelError } from '@manyworlds/model';
import { type AssetStore, type Prim, type Stage, XformCache } from '@manyworlds/usd';
import { traverse } from '@manyworlds/usd/internal';
import { createDiagnostic } from '../diagnostics.ts';
import type {
	ConversionFrame,
	ConversionGeometry,
	ConversionModel,
	ConversionShape,
} from '../model/conversion-model.ts';
import { compose, inverse } from '../model/pose.ts';
import { fromModel, type RowKind } from './from-model.ts';
import { openUsd } from './open-usd.ts';
import { shortNames } from './short-names.ts';
import { stretchedShape } from './stretched-shape.ts';
import { type PrimPlaces, usdExtras } from './usd-extras.ts';

/** Reads the robot of a USD stage; undefined when there is none, which the report says. */
export function fromUsd(
	identifier: string,
	store: AssetStore,
	report: Report,
	stage: Stage | undefined = openUsd(identifier, store, report),
	{ withLooks = true, withColliders = true }: FromUsdOptions = {},
): ConversionModel | undefined {
	if (stage === undefined) return undefined;
	const builder = new ModelBuilder({ upAxis: 'z' });
	const found = new Report();
	const imported = imports(identifier, stage, report, () =>
		importUsd(stage, builder, {
			report: found,
			skipMeshApproximation: true,
			loadVisualShapes: withLooks,
			loadColliderMeshes: withColliders,
			keepLedger: false,
			filterJoinedParts: false,
			convertMjcEqualityConstraints: false,
			schemaResolvers: [SCHEMA_RESOLVER_EXTENDED, SCHEMA_RESOLVER_NEWTON, SCHEMA_RESOLVER_PHYSX, SCHEMA_RESOLVER_MJC],
		}),
	);
	if (imported === undefined) return undefined;
	const { pathBodyMap, pathJointMap, pathDofMap, linearUnit, upAxis } = imported;
	// models of solvers have no ellipsoids, robots do
	for (const one of found.toArray()) if (one.code !== 'IMP031') report.add(one);
	if (builder.bodyCount === 0) return undefined;
	// what no solver could run can be converted, as it is
	const model = builder.finalize({ skipValidation: true, keepInertia: true });
	const primOf = (label: string): Prim | undefined => (label.startsWith('/') ? stage.prim(label) : undefined);
	const bodies = shortNames(model.bodyLabels, '/');
	const rosName = (label: string, otherwise: string): string => {
		const own = primOf(label)?.attribute('ros:joint:name').get()?.data;
		return typeof own === 'string' && own !== '' ? own : otherwise;
	};
	const joints = shortNames(model.jointLabels, '/').map((name, row) => rosName(model.jointLabels[row]!, name));
	// several joints between two bodies are one of the model
	const stacked = new Map<number, string[]>();
	for (const [path, way] of pathDofMap) {
		const row = pathJointMap.get(path)!;
		const names = stacked.get(row) ?? [];
		names[way] = rosName(path, path.slice(path.lastIndexOf('/') + 1));
		stacked.set(row, names);
	}
	const shapes = model.shapeLabels.map((label) => label.split('/').at(-1) ?? '');
	const labels: Readonly<Record<RowKind, readonly string[]>> = {
		body: model.bodyLabels,
		joint: model.jointLabels,
		shape: model.shapeLabels,
		mimic: model.constraintMimicLabels,
		equality: model.equalityConstraintLabels,
	};
	const jointOf = new Map(model.jointLabels.map((label, row) => [label, row]));
	const isDriven = (path: string): boolean => {
		const row = jointOf.get(path);
		return row !== undefined && (model.jointTargetKe[model.jointQdStart[row]!] ?? 0) > 0;
	};
	const places = primPlaces(identifier, pathBodyMap, linearUnit, upAxis === 'y', (body) => bodies[body]!, isDriven);
	return fromModel(
		model,
		{
			body: (row) => bodies[row]!,
			isMassDerived: (row) => {
				const stated = primOf(model.bodyLabels[row]!)?.attribute('physics:mass').get()?.data;
				return !(typeof stated === 'number' && stated > 0);
			},
			joint: (row) => joints[row]!,
			freedoms: (row) => stacked.get(row),
			shape: (row) => shapes[row]!,
			place: (kind, row) => {
				const label = labels[kind][row] ?? '';
				return { file: identifier, ...(label.startsWith('/') ? { prim: label } : {}) };
			},
			approximation: (row) => approximationOf(primOf(model.shapeLabels[row]!)),
			geometry: (row) => ellipsoidOf(primOf(model.shapeLabels[row]!), linearUnit),
			stretched: (row) => stretchedShape(primOf(model.shapeLabels[row]!), linearUnit),
		},
		{
			name: stage.defaultPrim?.name ?? 'robot',
			format: 'usd',
			frames: framesOf(stage, pathBodyMap, places),
			filters: filtersOf(stage, pathBodyMap),
			...usdExtras(stage, places),
		},
	);
}

/** What of a robot is read from a stage. */
export interface FromUsdOptions {
	/** Whether what is only seen is read; true unless given. */
	readonly withLooks?: boolean;
	/** Whether meshes that collide are read; something small stands for each where they are not. True unless given. */
	readonly withColliders?: boolean;
}

/** Runs an import; a stage that no model can be made of, as its places are no numbers, is told where it says so. */
function imports(
	file: string,
	stage: Stage,
	report: Report,
	run: () => ReturnType<typeof importUsd>,
): ReturnType<typeof importUsd> | undefined {
	try {
		return run();
	} catch (error) {
		if (!(error instanceof ModelError)) throw error;
		const transforms = new XformCache();
		let count = 0;
		for (const prim of traverse(stage.pseudoRoot)) {
			if (transforms.localTransform(prim).matrix.every(Number.isFinite)) continue;
			const message = `the transform of ${quote(prim.name)} is not finite`;
			report.add(createDiagnostic('CNV003', message, { file, prim: prim.path.toString() }));
			count++;
		}
		if (count === 0)
			report.add(createDiagnostic('CNV003', `${quote(file)} holds no robot: ${error.message}`, { file }));
		return undefined;
	}
}

/** A sphere that is scaled by other factors along each axis: models of solvers have none. */
function ellipsoidOf(prim: Prim | undefined, unit: number): ConversionGeometry | undefined {
	if (prim?.typeName !== 'Sphere') return undefined;
	const matrix = new XformCache().worldTransform(prim);
	const radius = prim.attribute('radius').get()?.data;
	const size = (typeof radius === 'number' ? radius : 1) * unit;
	const [x, y, z] = [0, 4, 8].map((row) => size * Math.hypot(...matrix.subarray(row, row + 3))) as [
		number,
		number,
		number,
	];
	const most = Math.max(x, y, z);
	return most - Math.min(x, y, z) > 1e-6 * most ? { kind: 'ellipsoid', radii: [x, y, z] } : undefined;
}

function approximationOf(prim: Prim | undefined): ConversionShape['approximation'] {
	const value = prim?.attribute('physics:approximation').get()?.data;
	return value === 'convexHull' || value === 'convexDecomposition' ? value : 'none';
}

/** Frames of ROS: prims with RosFrameAPI that are no bodies, on the nearest body above. */
function framesOf(stage: Stage, bodyOf: ReadonlyMap<string, number>, places: PrimPlaces): ConversionFrame[] {
	const frames: ConversionFrame[] = [];
	for (const prim of traverse(stage.pseudoRoot)) {
		const path = prim.path.toString();
		if (!prim.hasSchema('RosFrameAPI') || bodyOf.has(path)) continue;
		frames.push({ name: frameName(prim), ...places.on(prim), from: { file: places.file, prim: path } });
	}
	return frames;
}

function frameName(prim: Prim): string {
	const id = prim.attribute('ros:frame:id').get()?.data;
	return typeof id === 'string' && id !== '' ? id : prim.name;
}

/** How prims stand on bodies. */
function primPlaces(
	file: string,
	bodyOf: ReadonlyMap<string, number>,
	unit: number,
	isYUp: boolean,
	nameOf: (body: number) => string,
	isDriven: (path: string) => boolean,
): PrimPlaces {
	const transforms = new XformCache();
	// a stage with Y up is turned about x
	const half = isYUp ? Math.SQRT1_2 : 0;
	const turn = Float64Array.of(0, 0, 0, half, 0, 0, half === 0 ? 1 : half);
	const bodyAt = (prim: Prim): Prim | undefined => {
		let above: Prim | undefined = prim;
		while (above !== undefined && !bodyOf.has(above.path.toString())) above = above.parent;
		return above;
	};
	return {
		file,
		unit,
		isDriven,
		on: (prim) => {
			const above = bodyAt(prim);
			const base = above === undefined ? turn : inverse(poseIn(transforms, above, unit));
			const body = above === undefined ? -1 : bodyOf.get(above.path.toString())!;
			return { body, pose: compose(base, poseIn(transforms, prim, unit)) };
		},
		frame: (prim) => {
			for (let at: Prim | undefined = prim; at !== undefined; at = at.parent) {
				const body = bodyOf.get(at.path.toString());
				if (body !== undefined) return nameOf(body);
				if (at.hasSchema('RosFrameAPI')) return frameName(at);
			}
			return undefined;
		},
	};
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
