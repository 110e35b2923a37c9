import { quatMultiply, quatRotate } from '@manyworlds/core/internal';
import type { Model } from '@manyworlds/model';
import type { Conversion } from '../convert/conversion.ts';
import { pullFree, pushFree } from './free-coordinates.ts';
import type { JointSlots } from './joint-slots.ts';
import { WorldShift } from './world-shift.ts';

/** Joint coordinates and velocities of all worlds, in the layout of the model. */
export interface JointCoordinates {
	readonly jointQ: Float64Array;
	readonly jointQd: Float64Array;
}

/**
 * Converts joint coordinates and velocities between a model and MuJoCo. The conventions differ: a free joint of the
 * model has the velocity of the centre of mass and the angular velocity in the frame of its parent anchor, MuJoCo's that
 * of the body's origin in world axes and the angular velocity in body axes; a ball turns the child anchor in the model
 * and the body in MuJoCo; scalar coordinates of MuJoCo are counted from `ref`.
 */
export class CoordinateSync {
	readonly #model: Model;
	readonly #conversion: Conversion;
	readonly #slots: JointSlots;
	readonly #shift: WorldShift;
	readonly #reference: Float64Array;
	/** Whether a reference is not 0. */
	#hasReferences = false;
	readonly #pose: Float64Array = new Float64Array(7);
	readonly #joint: Float64Array = new Float64Array(7);
	readonly #turn: Float64Array = new Float64Array(4);

	constructor(conversion: Conversion, slots: JointSlots) {
		this.#model = conversion.model;
		this.#conversion = conversion;
		this.#slots = slots;
		this.#shift = new WorldShift(conversion);
		this.#reference = new Float64Array(conversion.model.jointDofCount);
		this.refreshReferences();
	}

	/** Reads the references of scalar joints again, after the model changed. */
	refreshReferences(): void {
		const references = this.#conversion.attributes.numbers('dof_ref');
		for (let dof = 0; dof < this.#reference.length; dof++) this.#reference[dof] = Number(references?.[dof] ?? 0);
		this.#hasReferences = this.#reference.some((reference) => reference !== 0);
	}

	/** Writes the coordinates of one world to `qpos` and `qvel`. */
	push(world: number, source: JointCoordinates, qpos: Float64Array, qvel: Float64Array): void {
		const { runs, turning } = this.#slots;
		const { jointQ, jointQd } = source;
		const reference = this.#reference;
		const hasReferences = this.#hasReferences;
		const coordinates = this.#shift.jointCoord(world);
		const dofs = this.#shift.jointDof(world);
		for (const run of runs) {
			const c = run.coordinate + coordinates;
			const d = run.dof + dofs;
			const { qpos: q, qvel: v, count } = run;
			if (hasReferences) for (let i = 0; i < count; i++) qpos[q + i] = jointQ[c + i]! + reference[d + i]!;
			else for (let i = 0; i < count; i++) qpos[q + i] = jointQ[c + i]! + 0; // -0 becomes 0, as with a reference
			for (let i = 0; i < count; i++) qvel[v + i] = jointQd[d + i]!;
		}
		const joints = this.#shift.joint(world);
		for (const { joint, isFree, qpos: q, qvel: v } of turning) {
			if (isFree) pushFree(this.#model, joint + joints, source, qpos, qvel, q, v);
			else this.#pushBall(joint + joints, source, qpos, qvel, q, v);
		}
	}

	/** Writes `qpos` and `qvel` to the coordinates of one world; kinematic bodies keep those of `input`. */
	pull(world: number, qpos: Float64Array, qvel: Float64Array, input: JointCoordinates, target: JointCoordinates): void {
		const { runs, turning, unmoved, isHeld, hasHeld } = this.#slots;
		const isMixed = hasHeld || this.#hasReferences;
		const { jointQ, jointQd } = target;
		const reference = this.#reference;
		const coordinates = this.#shift.jointCoord(world);
		const dofs = this.#shift.jointDof(world);
		for (const run of runs) {
			const c = run.coordinate + coordinates;
			const d = run.dof + dofs;
			const { qpos: q, qvel: v, count } = run;
			if (!isMixed) {
				for (let i = 0; i < count; i++) jointQ[c + i] = qpos[q + i]!;
				for (let i = 0; i < count; i++) jointQd[d + i] = qvel[v + i]!;
				continue;
			}
			for (let i = 0; i < count; i++) {
				const isInput = isHeld[d + i] === 1;
				jointQ[c + i] = isInput ? input.jointQ[c + i]! : qpos[q + i]! - reference[d + i]!;
				jointQd[d + i] = isInput ? input.jointQd[d + i]! : qvel[v + i]!;
			}
		}
		const joints = this.#shift.joint(world);
		for (const { joint, isFree, dof: first, qpos: q, qvel: v } of turning) {
			if (isHeld[first + dofs] === 1) this.#copy(joint + joints, input, target);
			else if (isFree) pullFree(this.#model, joint + joints, qpos, qvel, q, v, target);
			else this.#pullBall(joint + joints, qpos, qvel, q, v, target);
		}
		for (const joint of unmoved) this.#copy(joint + joints, input, target);
	}

	#copy(joint: number, input: JointCoordinates, target: JointCoordinates): void {
		const { jointQStart, jointQdStart } = this.#model;
		for (let k = jointQStart[joint]!; k < jointQStart[joint + 1]!; k++) target.jointQ[k] = input.jointQ[k]!;
		for (let k = jointQdStart[joint]!; k < jointQdStart[joint + 1]!; k++) target.jointQd[k] = input.jointQd[k]!;
	}

	#pushBall(
		joint: number,
		source: JointCoordinates,
		qpos: Float64Array,
		qvel: Float64Array,
		q: number,
		v: number,
	): void {
		const model = this.#model;
		const anchor = 7 * joint + 3;
		const turn = this.#turn;
		// body turn = q_c · r · q_c⁻¹; angular velocity by q_c · r⁻¹
		quatMultiply(this.#joint, model.jointXC, source.jointQ, 0, anchor, model.jointQStart[joint]!);
		conjugate(turn, model.jointXC, anchor);
		quatMultiply(this.#pose, this.#joint, turn);
		qpos[q] = this.#pose[3]!;
		for (let k = 0; k < 3; k++) qpos[q + 1 + k] = this.#pose[k]!;
		conjugate(turn, source.jointQ, model.jointQStart[joint]!);
		quatMultiply(this.#joint, model.jointXC, turn, 0, anchor);
		quatRotate(qvel, this.#joint, source.jointQd, v, 0, model.jointQdStart[joint]!);
	}

	#pullBall(
		joint: number,
		qpos: Float64Array,
		qvel: Float64Array,
		q: number,
		v: number,
		target: JointCoordinates,
	): void {
		const model = this.#model;
		const anchor = 7 * joint + 3;
		const turn = this.#turn;
		const body = this.#pose;
		body[3] = qpos[q]!;
		for (let k = 0; k < 3; k++) body[k] = qpos[q + 1 + k]!;
		conjugate(turn, model.jointXC, anchor);
		quatMultiply(this.#joint, turn, body);
		quatMultiply(target.jointQ, this.#joint, model.jointXC, model.jointQStart[joint]!, 0, anchor);
		quatRotate(target.jointQd, this.#joint, qvel, model.jointQdStart[joint]!, 0, v);
	}
}

/** The inverse of a unit quaternion. */
function conjugate(out: Float64Array, a: Float64Array, offset: number): void {
	out[0] = -a[offset]!;
	out[1] = -a[offset + 1]!;
	out[2] = -a[offset + 2]!;
	out[3] = a[offset + 3]!;
}
