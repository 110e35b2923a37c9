import { quatRotate, transformMultiply, transformPoint, transformPointInverse } from '@manyworlds/core/internal';
import { GeoType, JointType, type Model, type ModelBuilder } from '@manyworlds/model';
import type { LoadedAsset, LoadedScene } from '@manyworlds/scene';
import type { JsonObject } from '../../src/json.ts';
import { type BuilderArrays, meshVertices } from './builder-arrays.ts';
import { isClose } from './compare-load.ts';
import type { ShapeGroups } from './merge-parts.ts';
import type { UrdfInertials } from './urdf-inertials.ts';

/** One row of a field that differs; `index` is empty when the whole field does. */
export interface Difference {
	readonly path: string;
	readonly index: readonly number[];
	readonly actual: unknown;
	readonly expected: unknown;
}

/** What is known about a case. */
export interface FaultContext {
	readonly golden: JsonObject;
	readonly loaded: LoadedScene;
	/** Arrays of the authored world before the operations of `post_build`. */
	readonly before: BuilderArrays;
	/** The meshes of shapes at that time. */
	readonly meshes: ReadonlyMap<number, Float64Array>;
	/** The shapes of ours that each shape of the reference stands for. */
	readonly groups: ShapeGroups;
	/** Inertials of URDF assets by body label, as the reference rotates them. */
	readonly inertials: UrdfInertials;
}

/** A fault of the reference. Each one says exactly what the reference has instead, so that other numbers are differences. */
interface Fault {
	readonly name: string;
	/** Who is right and why. */
	readonly reason: string;
	explains(difference: Difference, context: FaultContext): boolean;
}

const FAULTS: readonly Fault[] = [
	{
		name: 'no-fk',
		reason: 'without an edit of joint_q the reference leaves URDF links at the origin; ours always follow from joint_q',
		explains: ({ path, index, expected }, context) =>
			/^(collision_state|model|state)\.body_q$/.test(path) &&
			context.golden['initial_fk'] === false &&
			assetOf(context, 'bodies', index[0])?.format === 'urdf' &&
			isClose(expected, [0, 0, 0, 0, 0, 0, 1]),
	},
	{
		name: 'link-velocity',
		reason:
			'velocities of links are those of their joints in the reference; ours are those of the centre of mass, as for free bodies',
		explains: ({ path, index, actual, expected }, context) =>
			/^(model|state)\.body_qd$/.test(path) && isOfJoint(context, path, index[0], actual, expected),
	},
	{
		name: 'urdf-joint-defaults',
		reason:
			'builder.defaults.joint and <limit effort> do not reach URDF joints in the reference, which the seed says they do',
		explains: ({ path, index, expected }, context) => {
			const constant = URDF_CONSTANTS[path];
			return constant !== undefined && expected === constant && formatOfDof(context, index[0]) === 'urdf';
		},
	},
	{
		name: 'mjcf-limit-gains',
		reason:
			'builder.defaults.joint.limit_ke and limit_kd do not reach MJCF joints in the reference, which the seed says they do',
		explains: ({ path, index, expected }, context) => {
			const constant = { 'model.joint_limit_ke': 2500, 'model.joint_limit_kd': 100 }[path];
			return constant !== undefined && expected === constant && formatOfDof(context, index[0]) === 'mjcf';
		},
	},
	{
		name: 'urdf-damping',
		reason:
			'the damping of a URDF joint is the gain of a drive that is off in the reference, so that it never acts; ours is passive',
		explains: ({ path, index, expected }, context) =>
			path === 'model.joint_target_kd' &&
			formatOfDof(context, index[0]) === 'urdf' &&
			isClose(context.loaded.model.jointDamping[index[0]!], expected),
	},
	{
		name: 'stale-radius',
		reason:
			'the reference keeps the radius that a shape had before it was scaled or replaced, and measures meshes by their box',
		explains: ({ path, index, expected }, context) =>
			path.endsWith('.shape_collision_radius') && isClose(expected, radiusBefore(context, index[0]!)),
	},
	{
		name: 'bounding-box',
		reason: 'both boxes enclose the mesh, and ours is not larger',
		explains: ({ path, index }, context) => BOX_FIELDS.has(path) && isWorseBox(context, index[0]!),
	},
	{
		name: 'fixed-to-world',
		reason:
			'a body that a joint fixes to the world cannot meet the shapes of the world, whose pairs the reference keeps',
		explains: ({ path, actual, expected }, { loaded: { model } }) => {
			if (path !== 'collision.shape_contact_pairs' || actual !== undefined) return false;
			return isFixedToWorld(model, expected as readonly number[]);
		},
	},
	{
		name: 'importer-armature',
		reason:
			'inertias of an asset overwrite builder.default_body_armature in the reference; the seed gives it to every body',
		explains: ({ path, index, actual, expected }, context) => {
			const armature = context.loaded.scene.builder.default_body_armature ?? 0;
			if (path !== 'model.body_inertia' || assetOf(context, 'bodies', index[0]) === undefined) return false;
			const without = (actual as number[][]).map((row, i) => row.map((value, k) => value - (i === k ? armature : 0)));
			return isClose(without, expected);
		},
	},
	{
		name: 'urdf-inertia-rotation',
		reason: 'the reference turns inertias of URDF files by R I instead of R I Rᵀ',
		explains: ({ path, index, expected }, context) =>
			path === 'model.body_inertia' &&
			isClose(context.inertials.get(context.loaded.bodyLabels[index[0]!] ?? ''), expected),
	},
	{
		name: 'usd-density',
		reason: 'the reference does not read physics:density of a body; UsdPhysics gives it to the colliders below',
		explains: ({ path, index, actual, expected }, context) => {
			const asset = assetOf(context, 'bodies', index[0]);
			if (!/^model\.body_(mass|inertia)$/.test(path) || asset?.format !== 'usd') return false;
			const densities = asset.ledger.entries().filter(({ name }) => name === 'physics:density');
			const standard = context.loaded.scene.builder.shape?.density ?? 1000;
			return densities.some(({ value }) => isClose(times(actual, standard / Number(value)), expected));
		},
	},
	{
		name: 'unnamed-joints',
		reason: 'joints without a name are numbered from 0 in the reference, from 1 here as in Newton',
		explains: ({ path, index, actual, expected }) =>
			path === 'labels.joint' && expected === `joint_${index[0]}` && actual === `joint_${index[0]! + 1}`,
	},
	{
		name: 'missing-visuals',
		reason:
			'colliders of URDF links are hidden behind visuals whose files are missing; ours are shown where no visual is',
		explains: ({ path, index, actual, expected }, context) => {
			const { model } = context.loaded;
			const body = model.shapeBody[index[0] ?? -1] ?? -1;
			const hasVisual = model.shapeBody.some((other, shape) => other === body && (model.shapeFlags[shape]! & 2) === 0);
			return (
				path.endsWith('.shape_flags') &&
				assetOf(context, 'bodies', body)?.format === 'urdf' &&
				!hasVisual &&
				expected === ((actual as number) & ~1)
			);
		},
	},
	{
		name: 'visual-material',
		reason: 'visual shapes of USD files have the bare default in the reference; without contact it has no effect',
		explains: ({ path, index, expected }, { loaded: { model } }) =>
			path.endsWith('.shape_material_tau') && (model.shapeFlags[index[0]!]! & 2) === 0 && expected === 0.01,
	},
	{
		name: 'vertex-weld',
		reason: 'equal corners of a mesh are joined by other rules; triangles and extents are the same',
		explains: ({ path, actual, expected }) => {
			if (path !== 'meshes' || actual === null || expected === null) return false;
			const { vertex_count: own, ...rest } = actual as { readonly vertex_count: number };
			const { vertex_count: theirs, ...others } = expected as { readonly vertex_count: number };
			return isClose(rest, others) && Math.abs(own - theirs) <= 0.1 * theirs;
		},
	},
];

const URDF_CONSTANTS: Readonly<Record<string, number>> = {
	'model.joint_armature': 0,
	'model.joint_effort_limit': 1e6,
	'model.joint_limit_kd': 10,
	'model.joint_limit_ke': 1e4,
	'model.joint_target_ke': 0,
	'model.joint_target_kd': 0,
};

const BOX_FIELDS: ReadonlySet<string> = new Set(
	['collision.', 'model.'].flatMap((section) =>
		['shape_scale', 'shape_transform', 'shape_collision_aabb_lower', 'shape_collision_aabb_upper'].map(
			(field) => section + field,
		),
	),
);

/** Name of the fault that explains a difference. */
export function explainDifference(difference: Difference, context: FaultContext): string | undefined {
	// entries that an operation leaves alone have the faults of the arrays that they end in
	const settled = { ...difference, path: difference.path.replace(/^post_build\./, 'model.') };
	return FAULTS.find((fault) => fault.explains(settled, context))?.name;
}

/** Whether one of two shapes is of the world, and the other of a body that a joint fixes to it. */
export function isFixedToWorld(model: Model, pair: readonly number[]): boolean {
	const bodies = pair.map((shape) => model.shapeBody[shape]);
	const body = bodies.find((candidate) => candidate !== -1);
	return (
		bodies.includes(-1) &&
		model.jointChild.some(
			(child, joint) => child === body && model.jointParent[joint] === -1 && model.jointType[joint] === JointType.FIXED,
		)
	);
}

/** A number, or numbers in rows, times a factor. */
function times(value: unknown, factor: number): unknown {
	return Array.isArray(value) ? value.map((part) => times(part, factor)) : (value as number) * factor;
}

function assetOf(
	{ loaded }: FaultContext,
	of: 'bodies' | 'joints',
	index: number | undefined,
): LoadedAsset | undefined {
	if (index === undefined) return undefined;
	const { model } = loaded;
	const total = of === 'bodies' ? model.bodyCount : model.jointCount;
	const local = index % (total / Math.max(1, model.worldCount));
	return loaded.assets.find((asset) => local >= asset[of][0] && local < asset[of][1]);
}

function formatOfDof(context: FaultContext, dof: number | undefined): string | undefined {
	if (dof === undefined) return undefined;
	const { jointQdStart, jointCount } = context.loaded.model;
	let joint = 0;
	while (joint + 1 < jointCount && jointQdStart[joint + 1]! <= dof) joint++;
	return assetOf(context, 'joints', joint)?.format;
}

/** The radius by the reference's formulas, of the shape that was added. */
function radiusBefore({ before, meshes, loaded, groups }: FaultContext, shape: number): number | undefined {
	const count = before['shape_type']!.length;
	const local = shape % Math.max(1, count);
	if (shape >= count * loaded.worldCount) return undefined;
	const parts = groups[local]!.flatMap((part) => meshes.get(part) ?? []);
	if (parts.length > 0) {
		const most = [0, 0, 0];
		for (const part of parts) {
			part.forEach((value, i) => {
				most[i % 3] = Math.max(most[i % 3]!, Math.abs(value));
			});
		}
		return Math.hypot(...most);
	}
	const scale = before['shape_scale']![local] as readonly number[];
	return before['shape_type']![local] === GeoType.SPHERE ? scale[0] : undefined;
}

/** Whether the box of the reference encloses the mesh that it replaces, and is at least as large as ours. */
function isWorseBox({ golden, meshes, loaded, before }: FaultContext, shape: number): boolean {
	const mesh = meshes.get(shape);
	const { model } = loaded;
	if (mesh === undefined || model.shapeType[shape] !== GeoType.BOX) return false;
	const theirs = golden['model'] as { shape_scale: number[][]; shape_transform: number[][] };
	const collision = golden['collision'] as Record<string, number[][]>;
	const half = theirs.shape_scale[shape]!;
	const isConsistent =
		isClose(collision['shape_scale']![shape], half) &&
		isClose(collision['shape_transform']![shape], theirs.shape_transform[shape]) &&
		isClose(collision['shape_collision_aabb_upper']![shape], half) &&
		isClose(
			collision['shape_collision_aabb_lower']![shape],
			half.map((side) => -side),
		);
	if (!isConsistent) return false;
	const own = model.shapeScale.subarray(3 * shape, 3 * shape + 3);
	if (own[0]! * own[1]! * own[2]! > 1.001 * half[0]! * half[1]! * half[2]!) return false;
	const own7 = model.shapeTransform.subarray(7 * shape, 7 * shape + 7);
	const frame = Float64Array.from(before['shape_transform']![shape] as readonly number[]);
	return (
		encloses(mesh, frame, Float64Array.from(theirs.shape_transform[shape]!), half) &&
		encloses(mesh, frame, Float64Array.from(own7), Array.from(own))
	);
}

function encloses(mesh: Float64Array, frame: Float64Array, box: Float64Array, half: readonly number[]): boolean {
	const slack = 1e-4 * Math.max(...half);
	const point = new Float64Array(3);
	for (let i = 0; i < mesh.length; i += 3) {
		transformPoint(point, frame, mesh, 0, 0, i);
		transformPointInverse(point, box, point);
		for (let k = 0; k < 3; k++) if (Math.abs(point[k]!) > half[k]! + slack) return false;
	}
	return true;
}

/** Whether a velocity is that of the joint on the side of the parent: the way from there to the centre of mass is left out. */
function isOfJoint(
	{ golden, loaded }: FaultContext,
	path: string,
	body: number | undefined,
	actual: unknown,
	expected: unknown,
): boolean {
	const { model, state } = loaded;
	const joint = model.jointChild.indexOf(body ?? -1);
	if (body === undefined || joint < 0) return false;
	const own = actual as readonly number[];
	const theirs = expected as readonly number[];
	if (!isClose(own.slice(3), theirs.slice(3))) return false;
	const parent = model.jointParent[joint]!;
	const frame = model.jointXP.slice(7 * joint, 7 * joint + 7);
	const linear = [0, 0, 0];
	if (parent >= 0) {
		const [section, field] = path.split('.') as [string, string];
		const [vx, vy, vz, wx, wy, wz] = (golden[section] as Record<string, number[][]>)[field]![parent] as number[];
		transformMultiply(frame, state.bodyQ, frame, 0, 7 * parent, 0);
		const com = transformPoint(new Float64Array(3), state.bodyQ, model.bodyCom, 0, 7 * parent, 3 * parent);
		const [x, y, z] = [frame[0]! - com[0]!, frame[1]! - com[1]!, frame[2]! - com[2]!];
		linear[0] = vx! + wy! * z - wz! * y;
		linear[1] = vy! + wz! * x - wx! * z;
		linear[2] = vz! + wx! * y - wy! * x;
	}
	const dof = model.jointQdStart[joint]!;
	const axis = new Float64Array(3);
	for (let k = 0; k < model.jointDofDim[2 * joint]!; k++) {
		quatRotate(axis, frame, model.jointAxis, 0, 3, 3 * (dof + k));
		for (let i = 0; i < 3; i++) linear[i] = linear[i]! + axis[i]! * state.jointQd[dof + k]!;
	}
	return isClose(linear, theirs.slice(0, 3), 1);
}

/** Vertices of all mesh shapes of a builder. */
export function shapeMeshes(builder: ModelBuilder): Map<number, Float64Array> {
	const out = new Map<number, Float64Array>();
	for (let shape = 0; shape < builder.shapeCount; shape++) {
		const vertices = meshVertices(builder, shape);
		if (vertices !== undefined) out.set(shape, vertices);
	}
	return out;
}
