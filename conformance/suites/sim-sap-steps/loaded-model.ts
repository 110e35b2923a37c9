import { GeoType, JointType, type Model, ModelBuilder } from '@manyworlds/model';
import { registerSapAttributes } from '@manyworlds/sim';

type Vectors = readonly (readonly number[])[];

/** The arrays of a load result that a step needs. */
export interface LoadedModel {
	readonly body_mass: readonly number[];
	readonly body_com: Vectors;
	readonly body_inertia: readonly Vectors[];
	readonly gravity: Vectors;
	readonly joint_type: readonly number[];
	readonly joint_parent: readonly number[];
	readonly joint_child: readonly number[];
	readonly joint_X_p: Vectors;
	readonly joint_X_c: Vectors;
	readonly joint_axis: Vectors;
	readonly joint_dof_dim: Vectors;
	readonly joint_qd_start: readonly number[];
	readonly joint_q_start: readonly number[];
	readonly articulation_start: readonly number[];
	readonly shape_body: readonly number[];
	readonly shape_material_ke: readonly number[];
	readonly shape_material_mu: readonly number[];
	readonly shape_material_tau: readonly (number | string)[];
	readonly [array: string]: unknown;
}

/** The collision arrays of a load result. */
export interface LoadedCollision {
	readonly shape_type: readonly number[];
	readonly shape_scale: Vectors;
	readonly shape_transform: Vectors;
	readonly shape_gap: readonly number[];
	readonly shape_margin: readonly number[];
	readonly shape_contact_pairs: readonly (readonly [number, number])[];
}

/** Values by degree of freedom that go from the load result into the model as they are. */
const DOF_ARRAYS = {
	joint_armature: 'jointArmature',
	joint_effort_limit: 'jointEffortLimit',
	joint_limit_kd: 'jointLimitKd',
	joint_limit_ke: 'jointLimitKe',
	joint_limit_lower: 'jointLimitLower',
	joint_limit_upper: 'jointLimitUpper',
	joint_target_kd: 'jointTargetKd',
	joint_target_ke: 'jointTargetKe',
	joint_target_mode: 'jointTargetMode',
} as const;

/**
 * Builds the model of a load result. Without `collision`, shapes are only materials: contacts then come from elsewhere.
 */
export function buildModel(loaded: LoadedModel, collision?: LoadedCollision): Model {
	const builder = new ModelBuilder({ gravity: loaded.gravity[0]!, rigidGap: 0 });
	registerSapAttributes(builder);
	loaded.body_mass.forEach((mass, body) => {
		builder.addLink({
			mass,
			com: loaded.body_com[body]!,
			inertia: loaded.body_inertia[body]!.flat(),
			lockInertia: true,
		});
	});
	loaded.joint_type.forEach((type, joint) => {
		const shared = {
			parent: loaded.joint_parent[joint]!,
			child: loaded.joint_child[joint]!,
			parentXform: loaded.joint_X_p[joint]!,
			childXform: loaded.joint_X_c[joint]!,
			collisionFilterParent: false,
		};
		const dof = loaded.joint_qd_start[joint]!;
		const axis = loaded.joint_axis[dof];
		if (type === JointType.FREE) builder.addJointFree(shared);
		else if (type === JointType.FIXED) builder.addJointFixed(shared);
		else if (type === JointType.REVOLUTE) builder.addJointRevolute({ ...shared, axis: axis! });
		else if (type === JointType.PRISMATIC) builder.addJointPrismatic({ ...shared, axis: axis! });
		else if (type === JointType.BALL) builder.addJointBall(shared);
		else {
			const [linear, angular] = loaded.joint_dof_dim[joint] as readonly [number, number];
			const axes = (from: number, count: number): { axis: readonly number[] }[] =>
				Array.from({ length: count }, (_, k) => ({ axis: loaded.joint_axis[from + k]! }));
			builder.addJointD6({ ...shared, linearAxes: axes(dof, linear), angularAxes: axes(dof + linear, angular) });
		}
	});
	loaded.articulation_start.slice(0, -1).forEach((start, i) => {
		const end = loaded.articulation_start[i + 1]!;
		builder.addArticulation(Array.from({ length: end - start }, (_, k) => start + k));
	});
	loaded.shape_body.forEach((_, shape) => {
		addShape(builder, loaded, shape, collision);
	});
	if (collision !== undefined) filterOtherPairs(builder, collision, loaded.shape_body.length);
	const model = builder.finalize({ keepInertia: true });
	for (const [from, to] of Object.entries(DOF_ARRAYS)) model[to].set(loaded[from] as readonly number[]);
	return model;
}

function addShape(
	builder: ModelBuilder,
	loaded: LoadedModel,
	shape: number,
	collision: LoadedCollision | undefined,
): void {
	const body = loaded.shape_body[shape]!;
	const tau = loaded.shape_material_tau[shape]!;
	const material = { density: 0, ke: loaded.shape_material_ke[shape]!, mu: loaded.shape_material_mu[shape]! };
	const attributes = { 'sap:tau': typeof tau === 'number' ? tau : -1 };
	if (collision === undefined) {
		builder.addShapeSphere(body, { config: material, attributes });
		return;
	}
	const options = {
		config: { ...material, gap: collision.shape_gap[shape]!, margin: collision.shape_margin[shape]! },
		attributes,
		xform: collision.shape_transform[shape]!,
	};
	const [x, y, z] = collision.shape_scale[shape] as readonly [number, number, number];
	const round = { ...options, radius: x, halfHeight: y };
	switch (collision.shape_type[shape]) {
		case GeoType.PLANE:
			builder.addShapePlane({ ...options, body, width: x, length: y });
			break;
		case GeoType.SPHERE:
			builder.addShapeSphere(body, { ...options, radius: x });
			break;
		case GeoType.CAPSULE:
			builder.addShapeCapsule(body, round);
			break;
		case GeoType.ELLIPSOID:
			builder.addShapeEllipsoid(body, { ...options, radii: [x, y, z] });
			break;
		case GeoType.CYLINDER:
			builder.addShapeCylinder(body, round);
			break;
		case GeoType.CONE:
			builder.addShapeCone(body, round);
			break;
		case GeoType.BOX:
			builder.addShapeBox(body, { ...options, halfExtents: [x, y, z] });
			break;
		default:
			// meshes are not in the file: their pairs are left out by the caller
			builder.addShapeSphere(body, { ...options, radius: 1e-3 });
	}
}

/** Only pairs of the load result may touch. */
function filterOtherPairs(builder: ModelBuilder, collision: LoadedCollision, shapes: number): void {
	const pairs = new Set(collision.shape_contact_pairs.map(([a, b]) => `${Math.min(a, b)} ${Math.max(a, b)}`));
	for (let i = 0; i < shapes; i++) {
		for (let j = i + 1; j < shapes; j++) if (!pairs.has(`${i} ${j}`)) builder.addCollisionFilterPair(i, j);
	}
}

/** Calls with the first coordinate of every quaternion. */
export function forEachQuaternion(model: Model, visit: (at: number) => void): void {
	for (let joint = 0; joint < model.jointCount; joint++) {
		const type = model.jointType[joint]!;
		if (type === JointType.FREE) visit(model.jointQStart[joint]! + 3);
		else if (type === JointType.BALL) visit(model.jointQStart[joint]!);
	}
}

/** Coordinates with quaternions of the same sign as the expected ones. */
export function alignSigns(model: Model, jointQ: Float64Array, expected: readonly number[]): Float64Array {
	const out = Float64Array.from(jointQ);
	forEachQuaternion(model, (at) => {
		let dot = 0;
		for (let k = 0; k < 4; k++) dot += out[at + k]! * expected[at + k]!;
		if (dot < 0) for (let k = 0; k < 4; k++) out[at + k] = -out[at + k]!;
	});
	return out;
}
