import { JointType } from '@manyworlds/model';
import { type CompiledModel, inWorld, type MappedEntity } from '@manyworlds/mujoco/internal';
import type { Json, JsonObject } from '../../src/json.ts';
import { flatten } from './mj-differences.ts';

/** Differences of the maps between the two models. */
export function mapDifferences(compiled: CompiledModel, expected: JsonObject): string[] {
	const own = ownMaps(compiled);
	const differences: string[] = [];
	for (const [name, value] of Object.entries(expected)) {
		if (value === null) continue;
		const map = own[name];
		if (map === undefined) {
			differences.push(`map ${name} is not known`);
			continue;
		}
		const wanted = flatten(value as Json);
		const at = wanted.findIndex((index, i) => map[i] !== index);
		if (map.length !== wanted.length)
			differences.push(`map ${name} has ${map.length} entries, expected ${wanted.length}`);
		else if (at >= 0) differences.push(`${name}[${at}] is ${map[at]}, expected ${wanted[at]}`);
	}
	return differences;
}

function ownMaps(compiled: CompiledModel): Readonly<Record<string, readonly number[]>> {
	const { maps, conversion } = compiled;
	const { model, template, actuators } = conversion;
	const worlds = Array.from({ length: template.worldCount }, (_, world) => world);
	const tile = (entity: MappedEntity, map: Int32Array): number[] =>
		worlds.flatMap((world) => Array.from(map, (index) => inWorld(conversion, entity, index, world)));
	// the reference names the last degree of freedom of a joint with several (jnt-dof-map)
	const lastDof = Int32Array.from(maps.jointDof, (dof, id) => {
		const type = model.jointType[maps.joint[id]!];
		return dof + (type === JointType.FREE ? 5 : type === JointType.BALL ? 2 : 0);
	});
	const freeStarts = new Array<number>(model.bodyCount).fill(-1);
	const dofBodies = new Array<number>(model.jointDofCount).fill(-1);
	for (let joint = 0; joint < model.jointCount; joint++) {
		const start = model.jointQdStart[joint]!;
		for (let dof = start; dof < model.jointQdStart[joint + 1]!; dof++) dofBodies[dof] = model.jointChild[joint]!;
		const type = model.jointType[joint];
		if (type === JointType.FREE || type === JointType.DISTANCE) freeStarts[model.jointChild[joint]!] = start;
	}
	const tendons = model.worldCount === 0 ? 0 : conversion.attributes.count('tendon') / model.worldCount;
	return {
		mjc_body_to_newton: tile('body', maps.body),
		mjc_geom_to_newton_shape: tile('shape', maps.geom),
		mjc_site_to_newton_shape: [...maps.site],
		mjc_jnt_to_newton_jnt: tile('joint', maps.joint),
		mjc_jnt_to_newton_dof: tile('jointDof', lastDof),
		mjc_dof_to_newton_dof: tile('jointDof', maps.dof),
		mjc_mocap_to_newton_jnt: tile('joint', maps.mocapJoint),
		mjc_eq_to_newton_eq: tile('equalityConstraint', maps.equality),
		mjc_eq_to_newton_jnt: tile('joint', maps.loopJoint),
		mjc_eq_to_newton_mimic: tile('constraintMimic', maps.mimic),
		mjc_tendon_to_newton_tendon: worlds.flatMap((world) => Array.from(maps.tendon, (row) => row + world * tendons)),
		mj_q_start: [...maps.qposStart],
		mj_qd_start: [...maps.qvelStart],
		newton_dof_to_body: dofBodies,
		body_free_qd_start: freeStarts,
		mjc_actuator_ctrl_source: actuators.map(({ source }) => source),
		mjc_actuator_to_newton_idx: actuators.map(({ index }) => index),
		mjc_actuator_to_newton_target_q_idx: actuators.map(({ coordinate }) => coordinate),
		mjc_actuator_to_target_q_axis_idx: actuators.map(({ axis }) => axis),
		mjc_actuator_to_newton_ball_jnt: actuators.map(({ ballJoint }) => ballJoint),
	};
}
