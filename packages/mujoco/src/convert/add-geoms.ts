import type { MjcfElement } from '@manyworlds/formats';
import { GeoType, type Heightfield, isHeightfield, type Model, ShapeFlags, WORLD } from '@manyworlds/model';
import { enumName } from '@manyworlds/model/internal';
import { createDiagnostic } from '../diagnostics.ts';
import { MujocoError } from '../mujoco-error.ts';
import { type Conversion, poseAttributes } from './conversion.ts';
import { addMeshAsset } from './mesh-asset.ts';
import type { ShapePlan } from './shape-plan.ts';
import { about, standFor, subjectOf } from './subject.ts';
import { copiedAttributes } from './value-table.ts';

/** Adds the geoms and sites of one body to its element, in the order of the model. */
export function addGeoms(conversion: Conversion, plan: ShapePlan, body: number): void {
	const { model, options } = conversion;
	const element = conversion.bodyElements.get(body)!;
	for (const shape of model.shapesOf(body)) {
		if (!plan.selected.has(shape)) continue;
		const flags = model.shapeFlags[shape]!;
		if ((flags & ShapeFlags.SITE) !== 0) {
			if (options.includeSites || plan.required.has(shape)) addSite(conversion, element, shape);
			continue;
		}
		const collides = (flags & ShapeFlags.COLLIDE_SHAPES) !== 0;
		if (!collides && options.skipVisualOnlyGeoms && !plan.required.has(shape)) continue;
		addGeom(conversion, plan, element, shape);
	}
}

/** Half height of the base that MuJoCo wants below a heightfield, and the least height of the field [m]. */
const HEIGHTFIELD_BASE = 1e-4;

/** Half size of the drawn part of an infinite plane [m] and its colour, for MuJoCo's own viewer. */
const PLANE_SIZE = [5, 5, 5];
const PLANE_COLOUR = [0, 0.3, 0.6, 1];

/** Half size of a site that has none [m]. */
const SITE_SIZE = [0.01, 0.01, 0.01];

const GEOM_TYPES: Readonly<Record<number, string>> = {
	[GeoType.PLANE]: 'plane',
	[GeoType.HFIELD]: 'hfield',
	[GeoType.SPHERE]: 'sphere',
	[GeoType.CAPSULE]: 'capsule',
	[GeoType.ELLIPSOID]: 'ellipsoid',
	[GeoType.CYLINDER]: 'cylinder',
	[GeoType.BOX]: 'box',
	[GeoType.MESH]: 'mesh',
	[GeoType.CONVEX_MESH]: 'mesh',
};

const SITE_TYPES: Readonly<Record<number, string>> = {
	[GeoType.SPHERE]: 'sphere',
	[GeoType.CAPSULE]: 'capsule',
	[GeoType.CYLINDER]: 'cylinder',
	[GeoType.BOX]: 'box',
};

function addSite(conversion: Conversion, element: MjcfElement, shape: number): void {
	const { model } = conversion;
	const name = shapeName(model, shape);
	const type = SITE_TYPES[model.shapeType[shape]!];
	if (type === undefined) {
		conversion.report.add(
			createDiagnostic(
				'MJC018',
				`site '${model.shapeLabels[shape]}' is of type ${enumName(GeoType, model.shapeType[shape]!)}, expected SPHERE, CAPSULE, CYLINDER or BOX; it becomes a sphere`,
				about(subjectOf(model, 'shape', shape)),
			),
		);
	}
	const isVisible = (model.shapeFlags[shape]! & ShapeFlags.VISIBLE) !== 0;
	standFor(
		conversion,
		element.add('site', {
			name,
			type: type ?? 'sphere',
			...poseAttributes(model.shapeTransform, 7 * shape),
			size: filledSize(model, shape) ?? SITE_SIZE,
			rgba: [0, 1, 0, isVisible ? 0.5 : 0],
		}),
		subjectOf(model, 'shape', shape),
	);
	conversion.siteNames.set(shape, name);
}

function addGeom(conversion: Conversion, plan: ShapePlan, element: MjcfElement, shape: number): void {
	const { model, options } = conversion;
	const type = model.shapeType[shape]!;
	const name = shapeName(model, shape);
	const tag = GEOM_TYPES[type];
	if (tag === undefined) {
		throw new MujocoError(
			'MJC005',
			`shape '${model.shapeLabels[shape]}' is a ${enumName(GeoType, type)}, which MuJoCo does not have`,
			subjectOf(model, 'shape', shape),
		);
	}
	if (type === GeoType.PLANE && model.shapeBody[shape] !== WORLD) {
		throw new MujocoError(
			'MJC005',
			`plane '${model.shapeLabels[shape]}' is on a body; MuJoCo allows planes only on the world`,
			subjectOf(model, 'shape', shape),
		);
	}
	const geom = standFor(conversion, element.add('geom', { name, type: tag }), subjectOf(model, 'shape', shape));
	const pose = poseAttributes(model.shapeTransform, 7 * shape);
	const source = model.shapeSources[shape];
	if (type === GeoType.HFIELD && source !== null && source !== undefined && isHeightfield(source)) {
		geom.set('hfield', addHeightfieldAsset(conversion, shape, source));
		pose.pos[2]! += source.minZ;
	} else if (tag === 'mesh') {
		geom.set('mesh', addMeshAsset(conversion, plan, shape, name));
	}
	geom.set('pos', pose.pos).set('quat', pose.quat);
	const size = filledSize(model, shape);
	if (type === GeoType.PLANE && size === undefined) geom.set('size', PLANE_SIZE).set('rgba', PLANE_COLOUR);
	else if (size === undefined && tag !== 'mesh' && tag !== 'hfield') {
		throw new MujocoError(
			'MJC005',
			`shape '${model.shapeLabels[shape]}' has no size, expected a positive one`,
			subjectOf(model, 'shape', shape),
		);
	} else if (tag !== 'mesh' && tag !== 'hfield') geom.set('size', size);
	// masses come from the bodies; without this a body of no mass would get that of its geoms
	const body = model.shapeBody[shape]!;
	if (body !== WORLD && !(model.bodyMass[body]! > 0)) geom.set('mass', 0);
	geom
		.set('contype', plan.contype.get(shape) ?? 0)
		.set('conaffinity', plan.conaffinity.get(shape) ?? 0)
		.set('margin', plan.zeroMargins ? 0 : model.shapeMargin[shape]!);
	for (const [attribute, value] of Object.entries(copiedAttributes(conversion, 'geom', shape)))
		geom.set(attribute, value);
	for (const [attribute, value] of Object.entries(conversion.attributes.written('geom', shape)))
		geom.set(attribute, value);
	if (plan.zeroMargins && options.useMujocoContacts && model.shapeMargin[shape]! > 0) {
		conversion.report.add(
			createDiagnostic(
				'MJC017',
				`margin ${model.shapeMargin[shape]} m of shape '${model.shapeLabels[shape]}' is not forwarded`,
				about(subjectOf(model, 'shape', shape)),
			),
		);
	}
	conversion.geomNames.set(shape, name);
}

/** Geoms and sites are called by their label and index, so that names stay unique. */
function shapeName(model: Model, shape: number): string {
	return `${model.shapeLabels[shape]}_${shape}`;
}

/** Size with zeros replaced by the first positive number, because MuJoCo wants all to be positive; undefined without one. */
export function filledSize(model: Model, shape: number): number[] | undefined {
	const size = [...model.shapeScale.subarray(3 * shape, 3 * shape + 3)];
	const positive = size.find((number) => number > 0);
	return positive === undefined ? undefined : size.map((number) => (number === 0 ? positive : number));
}

function addHeightfieldAsset(conversion: Conversion, shape: number, field: Heightfield): string {
	const name = `${conversion.model.shapeLabels[shape]!.replaceAll('/', '_')}_${shape}`;
	const bytes = new DataView(new ArrayBuffer(8 + 4 * field.data.length));
	bytes.setInt32(0, field.rows, true);
	bytes.setInt32(4, field.columns, true);
	for (const [i, height] of field.data.entries()) bytes.setFloat32(8 + 4 * i, height, true);
	const file = `hfield-${shape}.bin`;
	conversion.files.set(file, new Uint8Array(bytes.buffer));
	standFor(
		conversion,
		conversion.sections.asset.add('hfield', {
			name,
			file,
			size: [field.hx, field.hy, Math.max(field.maxZ - field.minZ, HEIGHTFIELD_BASE), HEIGHTFIELD_BASE],
		}),
		subjectOf(conversion.model, 'shape', shape),
	);
	return name;
}
