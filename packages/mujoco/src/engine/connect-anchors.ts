import { quatConjugate, quatMultiply, quatRotate, quatRotateInverse } from '@manyworlds/core/internal';
import { ArticulatedDynamics, EqualityType, JointType, type Model, WORLD } from '@manyworlds/model';
import { hingeAxisPoint } from '../convert/add-equalities.ts';
import { isFreeJoint } from '../convert/free-joint.ts';
import type { CompiledModel } from './compiled-model.ts';
import { doubleField } from './mj-fields.ts';
import { inWorld } from './model-maps.ts';

/** Numbers of each row of `eq_data`. */
export const EQUALITY_DATA_SIZE = 11;

/**
 * Writes both anchors of the connects of one world: the given one on body 1, and the point of body 2 that coincides with
 * it in the reference configuration. MuJoCo derives the second one itself, with joints where the file has them; Newton
 * takes joints at `dof_ref`. So this is only done for `newtonCompat`, after everything that makes MuJoCo derive constants.
 */
export function writeConnectAnchors(compiled: CompiledModel, world: number): void {
	const { conversion, mj, maps } = compiled;
	if (!conversion.options.newtonCompat) return;
	const { model } = conversion;
	const data = doubleField(mj, 'eq_data');
	let poses: Float64Array | undefined;
	for (const [id, source] of conversion.equalities.entries()) {
		let body1: number;
		let body2: number;
		let anchor: Float64Array;
		if (source.kind === 'equality' && model.equalityConstraintType[source.index] === EqualityType.CONNECT) {
			const row = inWorld(conversion, 'equalityConstraint', source.index, world);
			body1 = model.equalityConstraintBody1[row]!;
			body2 = model.equalityConstraintBody2[row]!;
			anchor = model.equalityConstraintAnchor.slice(3 * row, 3 * row + 3);
		} else if (maps.loopJoint[id]! >= 0) {
			const joint = inWorld(conversion, 'joint', source.index, world);
			body1 = model.jointParent[joint]!;
			body2 = model.jointChild[joint]!;
			anchor =
				source.isAxisPoint === true ? hingeAxisPoint(conversion, joint) : model.jointXP.slice(7 * joint, 7 * joint + 3);
		} else continue;
		poses ??= referencePoses(model, compiled);
		data.set(anchor, EQUALITY_DATA_SIZE * id);
		data.set(pointInOther(poses, body1, body2, anchor), EQUALITY_DATA_SIZE * id + 3);
	}
}

/** Poses of all bodies with joints at their references: free ones where they are, balls unturned, others at `dof_ref`. */
function referencePoses(model: Model, compiled: CompiledModel): Float64Array {
	const { attributes } = compiled.conversion;
	const jointQ = new Float64Array(model.jointCoordCount);
	for (let joint = 0; joint < model.jointCount; joint++) {
		const start = model.jointQStart[joint]!;
		const type = model.jointType[joint]!;
		if (isFreeJoint(type)) jointQ.set(model.jointQ.subarray(start, start + 7), start);
		else if (type === JointType.BALL) jointQ[start + 3] = 1;
		else {
			const dof = model.jointQdStart[joint]!;
			for (let i = 0; i < model.jointQStart[joint + 1]! - start; i++) {
				jointQ[start + i] = attributes.number('dof_ref', dof + i) ?? 0;
			}
		}
	}
	const state = {
		jointQ,
		jointQd: new Float64Array(model.jointDofCount),
		bodyQ: Float64Array.from(model.bodyQ),
		bodyQd: new Float64Array(6 * model.bodyCount),
	};
	new ArticulatedDynamics(model).forwardKinematics(state);
	return state.bodyQ;
}

/** A point of body 1 in the frame of body 2. */
function pointInOther(poses: Float64Array, body1: number, body2: number, point: Float64Array): Float64Array {
	const first = body1 === WORLD ? IDENTITY : poses.subarray(7 * body1, 7 * body1 + 7);
	const second = body2 === WORLD ? IDENTITY : poses.subarray(7 * body2, 7 * body2 + 7);
	const inverse = quatConjugate(new Float64Array(4), second, 0, 3);
	const turn = quatMultiply(new Float64Array(4), inverse, first, 0, 0, 3);
	const moved = quatRotate(new Float64Array(3), turn, point);
	const offset = Float64Array.of(first[0]! - second[0]!, first[1]! - second[1]!, first[2]! - second[2]!);
	const shift = quatRotateInverse(new Float64Array(3), second, offset, 0, 3);
	for (let i = 0; i < 3; i++) moved[i]! += shift[i]!;
	return moved;
}

const IDENTITY = Float64Array.of(0, 0, 0, 0, 0, 0, 1);
