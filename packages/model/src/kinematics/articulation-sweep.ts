import { quatRotate, transformInvert, transformMultiply, transformPoint } from '@manyworlds/core';
import { JointType, WORLD } from '../enums.ts';
import type { Model } from '../model/model.ts';

/**
 * Walks the joints of an articulation from the root and works out where everything is and how each degree of freedom
 * moves it. Scratch memory is made once for a model and used again for each articulation.
 *
 * Each degree of freedom is a rotation about an axis through a pivot, or a translation along an axis, both in world axes.
 */
export class ArticulationSweep {
	readonly model: Model;
	/** World axis of each degree of freedom; shape (dofs of the model, 3). */
	readonly axis: Float64Array;
	/** Pivot of each rotation; shape (dofs of the model, 3). */
	readonly pivot: Float64Array;
	/** 1 for rotations, 0 for translations. */
	readonly turns: Uint8Array;
	/** Centre of mass of each body in the world; shape (bodies, 3). */
	readonly com: Float64Array;

	/** Pose of the joint frame on the parent side. */
	readonly #anchor = new Float64Array(7);
	/** Motion of the joint. */
	readonly #motion = new Float64Array(7);
	readonly #inverse = new Float64Array(7);
	readonly #turn = new Float64Array(4);

	constructor(model: Model) {
		this.model = model;
		const dofs = model.jointDofCount;
		this.axis = new Float64Array(3 * dofs);
		this.pivot = new Float64Array(3 * dofs);
		this.turns = new Uint8Array(dofs);
		this.com = new Float64Array(3 * model.bodyCount);
	}

	/** First joint of an articulation and the one after its last tree joint. */
	jointRange(articulation: number): readonly [start: number, end: number] {
		return [this.model.articulationStart[articulation]!, this.model.articulationEnd[articulation]!];
	}

	/** First degree of freedom of an articulation and the one after its last. */
	dofRange(articulation: number): readonly [start: number, end: number] {
		const [start, end] = this.jointRange(articulation);
		return [this.model.jointQdStart[start]!, this.model.jointQdStart[end]!];
	}

	/**
	 * Computes body poses from coordinates into `bodyQ`, and the motion of every degree of freedom.
	 * Poses of bodies that `skipBody` marks with 1 are read instead of written.
	 */
	placeFromCoordinates(articulation: number, jointQ: Float64Array, bodyQ: Float64Array, skipBody?: Uint8Array): void {
		const { model } = this;
		const [start, end] = this.jointRange(articulation);
		for (let joint = start; joint < end; joint++) {
			const child = model.jointChild[joint]!;
			this.#placeAnchor(joint, bodyQ);
			this.#placeMotion(joint, jointQ);
			if (skipBody === undefined || skipBody[child] === 0) {
				// child pose = anchor * motion * inverse(child frame)
				transformInvert(this.#inverse, model.jointXC, 0, 7 * joint);
				transformMultiply(this.#motion, this.#anchor, this.#motion);
				transformMultiply(bodyQ, this.#motion, this.#inverse, 7 * child);
			}
			transformPoint(this.com, bodyQ, model.bodyCom, 3 * child, 7 * child, 3 * child);
			this.#placeAxes(joint, jointQ, bodyQ);
		}
	}

	/** World pose of the parent side of a joint, into the anchor. */
	#placeAnchor(joint: number, bodyQ: Float64Array): void {
		const parent = this.model.jointParent[joint]!;
		if (parent === WORLD) this.#anchor.set(this.model.jointXP.subarray(7 * joint, 7 * joint + 7));
		else transformMultiply(this.#anchor, bodyQ, this.model.jointXP, 0, 7 * parent, 7 * joint);
	}

	/** Pose of the child side of the joint in its parent side. */
	#placeMotion(joint: number, jointQ: Float64Array): void {
		const { model } = this;
		const motion = this.#motion;
		const type = model.jointType[joint]!;
		const at = model.jointQStart[joint]!;
		motion.fill(0);
		motion[6] = 1;
		if (type === JointType.FREE || type === JointType.DISTANCE) {
			for (let i = 0; i < 7; i++) motion[i] = jointQ[at + i]!;
		} else if (type === JointType.BALL) {
			for (let i = 0; i < 4; i++) motion[3 + i] = jointQ[at + i]!;
		} else if (type !== JointType.FIXED) {
			const linear = model.jointDofDim[2 * joint]!;
			const angular = model.jointDofDim[2 * joint + 1]!;
			const dof = model.jointQdStart[joint]!;
			for (let k = 0; k < linear; k++) {
				for (let i = 0; i < 3; i++) motion[i] = motion[i]! + jointQ[at + k]! * model.jointAxis[3 * (dof + k) + i]!;
			}
			for (let k = linear; k < linear + angular; k++) this.#turnMotion(3 * (dof + k), jointQ[at + k]!);
		}
	}

	/** Appends a rotation about a joint axis to the motion. */
	#turnMotion(axis: number, angle: number): void {
		const { jointAxis } = this.model;
		const turn = this.#turn;
		const sine = Math.sin(angle / 2);
		turn[0] = jointAxis[axis]! * sine;
		turn[1] = jointAxis[axis + 1]! * sine;
		turn[2] = jointAxis[axis + 2]! * sine;
		turn[3] = Math.cos(angle / 2);
		multiplyRotation(this.#motion, turn);
	}

	/** Axis and pivot of every degree of freedom of a joint, from the anchor and the coordinates. */
	#placeAxes(joint: number, jointQ: Float64Array, bodyQ: Float64Array): void {
		const { model, axis, pivot, turns } = this;
		const type = model.jointType[joint]!;
		if (type === JointType.FIXED) return;
		const child = model.jointChild[joint]!;
		const dof = model.jointQdStart[joint]!;
		const linear = model.jointDofDim[2 * joint]!;
		const angular = model.jointDofDim[2 * joint + 1]!;
		const isFloating = type === JointType.FREE || type === JointType.DISTANCE;
		this.#placeAnchor(joint, bodyQ);
		for (let k = 0; k < linear; k++) {
			turns[dof + k] = 0;
			quatRotate(axis, this.#anchor, model.jointAxis, 3 * (dof + k), 3, 3 * (dof + k));
		}
		// rotations go through the child anchor; those of a floating joint through the centre of mass, which its linear part moves
		const turn = this.#turn;
		const coord = model.jointQStart[joint]! + linear;
		for (let k = linear; k < linear + angular; k++) {
			const d = 3 * (dof + k);
			turns[dof + k] = 1;
			quatRotate(axis, this.#anchor, model.jointAxis, d, 3, d);
			if (isFloating) pivot.set(this.com.subarray(3 * child, 3 * child + 3), d);
			else transformPoint(pivot, bodyQ, model.jointXC, d, 7 * child, 7 * joint);
			if (type === JointType.BALL || isFloating) continue;
			// the next axis of a D6 joint is carried by this rotation
			const angle = jointQ[coord + k - linear]!;
			const sine = Math.sin(angle / 2);
			turn[0] = model.jointAxis[d]! * sine;
			turn[1] = model.jointAxis[d + 1]! * sine;
			turn[2] = model.jointAxis[d + 2]! * sine;
			turn[3] = Math.cos(angle / 2);
			multiplyRotation(this.#anchor, turn);
		}
	}
}

/** Multiplies the rotation of a transform by a quaternion from the right. */
function multiplyRotation(transform: Float64Array, q: Float64Array): void {
	const ax = transform[3]!;
	const ay = transform[4]!;
	const az = transform[5]!;
	const aw = transform[6]!;
	const bx = q[0]!;
	const by = q[1]!;
	const bz = q[2]!;
	const bw = q[3]!;
	transform[3] = aw * bx + ax * bw + ay * bz - az * by;
	transform[4] = aw * by - ax * bz + ay * bw + az * bx;
	transform[5] = aw * bz + ax * by - ay * bx + az * bw;
	transform[6] = aw * bw - ax * bx - ay * by - az * bz;
}
