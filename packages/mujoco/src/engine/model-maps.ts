import { JointType, type Model } from '@manyworlds/model';
import type { Conversion } from '../convert/conversion.ts';
import { intField } from './mj-fields.ts';
import type { MjModel, MujocoModule } from './mujoco-module.ts';

/** Entities that stand in worlds and have a MuJoCo counterpart. */
export type MappedEntity =
	| 'body'
	| 'shape'
	| 'joint'
	| 'jointDof'
	| 'jointCoord'
	| 'equalityConstraint'
	| 'constraintMimic';

/**
 * Which entity of the template world each object of the compiled model stands for; -1 for none. @public
 */
export interface ModelMaps {
	/** Body of each MuJoCo body; the world body is -1. */
	readonly body: Int32Array;
	/** Shape of each geom. */
	readonly geom: Int32Array;
	/** Shape of each site. */
	readonly site: Int32Array;
	/** Joint of each MuJoCo joint. */
	readonly joint: Int32Array;
	/** First degree of freedom of the model that each MuJoCo joint moves. */
	readonly jointDof: Int32Array;
	/** Degree of freedom of the model of each MuJoCo degree of freedom. */
	readonly dof: Int32Array;
	/** Fixed root joint of each mocap body. */
	readonly mocapJoint: Int32Array;
	/** First position and velocity index of each joint of the template world, in its order; -1 for loop joints. */
	readonly qposStart: Int32Array;
	readonly qvelStart: Int32Array;
	/** Equality row, loop joint and mimic of each MuJoCo equality. */
	readonly equality: Int32Array;
	readonly loopJoint: Int32Array;
	readonly mimic: Int32Array;
	/** Row of each tendon. */
	readonly tendon: Int32Array;
}

export function makeMaps(module: MujocoModule, mj: MjModel, conversion: Conversion): ModelMaps {
	const { model, template } = conversion;
	const idOf = (kind: 'mjOBJ_BODY' | 'mjOBJ_GEOM' | 'mjOBJ_SITE' | 'mjOBJ_JOINT', name: string): number =>
		module.mj_name2id(mj, module.mjtObj[kind].value, name);
	const byName = (
		count: number,
		kind: 'mjOBJ_BODY' | 'mjOBJ_GEOM' | 'mjOBJ_SITE' | 'mjOBJ_JOINT',
		names: ReadonlyMap<number, string>,
	): Int32Array => {
		const map = new Int32Array(count).fill(-1);
		for (const [index, name] of names) {
			const id = idOf(kind, name);
			if (id >= 0) map[id] = index;
		}
		return map;
	};
	const body = byName(mj.nbody, 'mjOBJ_BODY', conversion.bodyNames);
	const jointDof = new Int32Array(mj.njnt).fill(-1);
	const dof = new Int32Array(mj.nv).fill(-1);
	const dofAddress = intField(mj, 'jnt_dofadr');
	const qposAddress = intField(mj, 'jnt_qposadr');
	const joint = new Int32Array(mj.njnt).fill(-1);
	const places = new Map<number, { qpos: number; qvel: number }>();
	// degrees of freedom are in ascending order, so the first one of a joint with several comes first
	for (const [own, name] of conversion.dofNames) {
		const id = idOf('mjOBJ_JOINT', name);
		if (id < 0) continue;
		if (jointDof[id] === -1) jointDof[id] = own;
		dof[dofAddress[id]! + own - jointDof[id]!] = own;
	}
	const jointOfDof = new Map<number, number>();
	for (const own of template.joints) {
		for (let d = model.jointQdStart[own]!; d < model.jointQdStart[own + 1]!; d++) jointOfDof.set(d, own);
	}
	for (let id = 0; id < mj.njnt; id++) {
		const own = jointOfDof.get(jointDof[id]!);
		if (own === undefined) continue;
		joint[id] = own;
		if (!places.has(own)) places.set(own, { qpos: qposAddress[id]!, qvel: dofAddress[id]! });
	}
	const [qposStart, qvelStart] = startsOfJoints(conversion, places);
	const maps: ModelMaps = {
		body,
		geom: byName(mj.ngeom, 'mjOBJ_GEOM', conversion.geomNames),
		site: byName(mj.nsite, 'mjOBJ_SITE', conversion.siteNames),
		joint,
		jointDof,
		dof,
		mocapJoint: mocapJoints(mj, model, conversion, body),
		qposStart,
		qvelStart,
		equality: new Int32Array(mj.neq).fill(-1),
		loopJoint: new Int32Array(mj.neq).fill(-1),
		mimic: new Int32Array(mj.neq).fill(-1),
		tendon: Int32Array.from(conversion.tendons, ({ row }) => row),
	};
	for (const [id, { kind, index }] of conversion.equalities.entries()) {
		if (kind === 'equality') maps.equality[id] = index;
		else if (kind === 'mimic') maps.mimic[id] = index;
		else if (kind === 'joint' && model.jointType[index] !== JointType.FIXED) maps.loopJoint[id] = index;
	}
	return maps;
}

/** Joints without coordinates of their own (fixed) get the place where theirs would be. */
function startsOfJoints(
	conversion: Conversion,
	places: ReadonlyMap<number, { qpos: number; qvel: number }>,
): [Int32Array, Int32Array] {
	const { model, template, plan } = conversion;
	const position = new Map<number, number>();
	for (const [i, joint] of template.joints.entries()) position.set(joint, i);
	const qposStart = new Int32Array(template.joints.length).fill(-1);
	const qvelStart = new Int32Array(template.joints.length).fill(-1);
	let qpos = 0;
	let qvel = 0;
	for (const joint of plan.tree) {
		const place = places.get(joint) ?? { qpos, qvel };
		qposStart[position.get(joint)!] = place.qpos;
		qvelStart[position.get(joint)!] = place.qvel;
		qpos = place.qpos + model.jointQStart[joint + 1]! - model.jointQStart[joint]!;
		qvel = place.qvel + model.jointQdStart[joint + 1]! - model.jointQdStart[joint]!;
	}
	return [qposStart, qvelStart];
}

function mocapJoints(mj: MjModel, model: Model, conversion: Conversion, bodies: Int32Array): Int32Array {
	const joints = new Int32Array(mj.nmocap).fill(-1);
	const mocapId = intField(mj, 'body_mocapid');
	for (const joint of [...conversion.plan.staticRoots, ...conversion.plan.tree]) {
		const id = bodies.indexOf(model.jointChild[joint]!);
		const mocap = id < 0 ? -1 : mocapId[id]!;
		if (mocap >= 0) joints[mocap] = joint;
	}
	return joints;
}

/** The entity of another world that stands where `index` stands in the template world; global entities are the same in all. */
export function inWorld(conversion: Conversion, entity: MappedEntity, index: number, world: number): number {
	const template = conversion.template.world;
	if (index < 0 || template < 0) return index;
	const starts = startsOf(conversion.model, entity);
	const start = starts[template]!;
	if (index < start || index >= starts[template + 1]!) return index;
	return starts[world]! + index - start;
}

function startsOf(model: Model, entity: MappedEntity): Int32Array {
	switch (entity) {
		case 'body':
			return model.bodyWorldStart;
		case 'shape':
			return model.shapeWorldStart;
		case 'joint':
			return model.jointWorldStart;
		case 'jointDof':
			return model.jointDofWorldStart;
		case 'jointCoord':
			return model.jointCoordWorldStart;
		case 'equalityConstraint':
			return model.equalityConstraintWorldStart;
		case 'constraintMimic':
			return model.constraintMimicWorldStart;
	}
}
