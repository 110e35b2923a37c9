import { quatRotate, transformInvert, transformMultiply, transformPoint } from '@manyworlds/core';
import { JointType, WORLD } from '@manyworlds/model';
import type { TreeStructure } from './tree-structure.ts';

/**
 * Where the bodies of trees are and how their degrees of freedom move them. A degree of freedom is a twist: angular velocity,
 * then velocity of the point of the tree's origin, in world axes. The origin is close to the root, so that trees far from the
 * centre of the world lose no digits. Rotations of floating joints go through the joint frame of the child, not through the
 * centre of mass: velocities inside the solver are those of that frame.
 */
export class TreeKinematics {
	readonly structure: TreeStructure;
	/** Pose of each body; shape (bodies, 7). */
	readonly bodyQ: Float64Array;
	/** Centre of mass of each body in the world; shape (bodies, 3). */
	readonly com: Float64Array;
	/** Twist of each degree of freedom; shape (dofs, 6). */
	readonly twist: Float64Array;
	/** Twist of each body; shape (bodies, 6). */
	readonly velocity: Float64Array;
	/** Point that the twists of a tree refer to; shape (trees, 3). */
	readonly origin: Float64Array;
	/** Point on the child that the linear part of a floating joint moves; shape (joints, 3). */
	readonly pivot: Float64Array;
	/** Rotation of the parent side of each joint in the world; shape (joints, 4). */
	readonly frame: Float64Array;

	/** Inverse of the joint frame in the child; shape (joints, 7). */
	readonly #childInverse: Float64Array;
	/** Coordinates that trees were last placed for, and which were. */
	readonly #placedQ: Float64Array;
	readonly #isPlaced: Uint8Array;
	readonly #anchor = new Float64Array(7);
	readonly #motion = new Float64Array(7);
	readonly #axis = new Float64Array(3);

	constructor(structure: TreeStructure) {
		const { model } = structure;
		this.structure = structure;
		this.bodyQ = Float64Array.from(model.bodyQ);
		this.com = new Float64Array(3 * model.bodyCount);
		this.twist = new Float64Array(6 * model.jointDofCount);
		this.velocity = new Float64Array(6 * model.bodyCount);
		this.origin = new Float64Array(3 * structure.treeCount);
		this.pivot = new Float64Array(3 * model.jointCount);
		this.frame = new Float64Array(4 * model.jointCount);
		this.#childInverse = new Float64Array(7 * model.jointCount);
		this.#placedQ = new Float64Array(model.jointCoordCount);
		this.#isPlaced = new Uint8Array(structure.treeCount);
		this.invalidate();
		for (let body = 0; body < model.bodyCount; body++) {
			transformPoint(this.com, this.bodyQ, model.bodyCom, 3 * body, 7 * body, 3 * body);
		}
	}

	/**
	 * The same as `place`, but does nothing when the tree was placed for the same coordinates last: the state that a step gives
	 * is the one that the next step takes.
	 */
	placeAnew(tree: number, jointQ: Float64Array): void {
		const { structure } = this;
		const { model } = structure;
		if (this.#isPlaced[tree] === 1) {
			let isSame = true;
			for (let i = structure.jointStart[tree]!; i < structure.jointStart[tree + 1]! && isSame; i++) {
				const joint = structure.joints[i]!;
				for (let q = model.jointQStart[joint]!; q < model.jointQStart[joint + 1]!; q++) {
					if (jointQ[q] !== this.#placedQ[q]) isSame = false;
				}
			}
			if (isSame) return;
		}
		this.place(tree, jointQ);
	}

	/** Forgets what was placed and takes the joint frames of the model again. */
	invalidate(): void {
		const { model } = this.structure;
		this.#isPlaced.fill(0);
		for (let joint = 0; joint < model.jointCount; joint++) {
			transformInvert(this.#childInverse, model.jointXC, 7 * joint, 7 * joint);
		}
	}

	/** Places the bodies and twists of a tree. */
	place(tree: number, jointQ: Float64Array): void {
		const { structure, bodyQ } = this;
		const { model } = structure;
		this.#isPlaced[tree] = 1;
		const start = structure.jointStart[tree]!;
		const end = structure.jointStart[tree + 1]!;
		for (let i = start; i < end; i++) {
			const joint = structure.joints[i]!;
			const child = model.jointChild[joint]!;
			for (let q = model.jointQStart[joint]!; q < model.jointQStart[joint + 1]!; q++) this.#placedQ[q] = jointQ[q]!;
			this.#placeAnchor(joint);
			this.#placeMotion(joint, jointQ);
			transformMultiply(this.#motion, this.#anchor, this.#motion);
			transformMultiply(bodyQ, this.#motion, this.#childInverse, 7 * child, 0, 7 * joint);
			transformPoint(this.com, bodyQ, model.bodyCom, 3 * child, 7 * child, 3 * child);
			for (let k = 0; k < 3; k++) this.pivot[3 * joint + k] = this.#motion[k]!;
			for (let k = 0; k < 4; k++) this.frame[4 * joint + k] = this.#anchor[3 + k]!;
			if (i === start) for (let k = 0; k < 3; k++) this.origin[3 * tree + k] = this.com[3 * child + k]!;
			this.#placeTwists(tree, joint, jointQ);
		}
	}

	/** Twists of the bodies of a tree for velocities by degree of freedom; the tree must be placed. */
	move(tree: number, v: Float64Array): void {
		const { structure, velocity, twist } = this;
		const { model } = structure;
		for (let i = structure.jointStart[tree]!; i < structure.jointStart[tree + 1]!; i++) {
			const joint = structure.joints[i]!;
			const out = 6 * model.jointChild[joint]!;
			const parent = model.jointParent[joint]!;
			for (let k = 0; k < 6; k++) velocity[out + k] = parent === WORLD ? 0 : velocity[6 * parent + k]!;
			for (let dof = model.jointQdStart[joint]!; dof < model.jointQdStart[joint + 1]!; dof++) {
				const rate = v[dof]!;
				for (let k = 0; k < 6; k++) velocity[out + k] = velocity[out + k]! + twist[6 * dof + k]! * rate;
			}
		}
	}

	#placeAnchor(joint: number): void {
		const { model } = this.structure;
		const parent = model.jointParent[joint]!;
		const anchor = this.#anchor;
		if (parent === WORLD) for (let k = 0; k < 7; k++) anchor[k] = model.jointXP[7 * joint + k]!;
		else transformMultiply(anchor, this.bodyQ, model.jointXP, 0, 7 * parent, 7 * joint);
	}

	/** Pose of the child side of the joint in its parent side. */
	#placeMotion(joint: number, jointQ: Float64Array): void {
		const { model } = this.structure;
		const motion = this.#motion;
		const type = model.jointType[joint]!;
		const at = model.jointQStart[joint]!;
		motion[0] = 0;
		motion[1] = 0;
		motion[2] = 0;
		motion[3] = 0;
		motion[4] = 0;
		motion[5] = 0;
		motion[6] = 1;
		if (type === JointType.FREE || type === JointType.DISTANCE) {
			for (let k = 0; k < 7; k++) motion[k] = jointQ[at + k]!;
		} else if (type === JointType.BALL) {
			for (let k = 0; k < 4; k++) motion[3 + k] = jointQ[at + k]!;
		} else if (type !== JointType.FIXED) {
			const linear = model.jointDofDim[2 * joint]!;
			const angular = model.jointDofDim[2 * joint + 1]!;
			const dof = model.jointQdStart[joint]!;
			for (let i = 0; i < linear; i++) {
				for (let k = 0; k < 3; k++) motion[k] = motion[k]! + jointQ[at + i]! * model.jointAxis[3 * (dof + i) + k]!;
			}
			for (let i = linear; i < linear + angular; i++) turn(motion, model.jointAxis, 3 * (dof + i), jointQ[at + i]!);
		}
	}

	#placeTwists(tree: number, joint: number, jointQ: Float64Array): void {
		const { model } = this.structure;
		const type = model.jointType[joint]!;
		if (type === JointType.FIXED) return;
		const dof = model.jointQdStart[joint]!;
		const linear = model.jointDofDim[2 * joint]!;
		const angular = model.jointDofDim[2 * joint + 1]!;
		const { twist, origin } = this;
		const anchor = this.#anchor;
		const axis = this.#axis;
		for (let i = 0; i < linear; i++) {
			const at = 6 * (dof + i);
			quatRotate(axis, anchor, model.jointAxis, 0, 3, 3 * (dof + i));
			twist[at] = 0;
			twist[at + 1] = 0;
			twist[at + 2] = 0;
			twist[at + 3] = axis[0]!;
			twist[at + 4] = axis[1]!;
			twist[at + 5] = axis[2]!;
		}
		const rx = origin[3 * tree]! - this.pivot[3 * joint]!;
		const ry = origin[3 * tree + 1]! - this.pivot[3 * joint + 1]!;
		const rz = origin[3 * tree + 2]! - this.pivot[3 * joint + 2]!;
		const isSequence = type === JointType.REVOLUTE || type === JointType.D6;
		const coord = model.jointQStart[joint]!;
		for (let i = linear; i < linear + angular; i++) {
			const at = 6 * (dof + i);
			quatRotate(axis, anchor, model.jointAxis, 0, 3, 3 * (dof + i));
			const x = axis[0]!;
			const y = axis[1]!;
			const z = axis[2]!;
			twist[at] = x;
			twist[at + 1] = y;
			twist[at + 2] = z;
			twist[at + 3] = y * rz - z * ry;
			twist[at + 4] = z * rx - x * rz;
			twist[at + 5] = x * ry - y * rx;
			// the next axis of a D6 joint is carried by this rotation
			if (isSequence && i + 1 < linear + angular) turn(anchor, model.jointAxis, 3 * (dof + i), jointQ[coord + i]!);
		}
	}
}

/** Appends a rotation about an axis to a transform. */
function turn(transform: Float64Array, axes: Float64Array, at: number, angle: number): void {
	const sine = Math.sin(angle / 2);
	const bx = axes[at]! * sine;
	const by = axes[at + 1]! * sine;
	const bz = axes[at + 2]! * sine;
	const bw = Math.cos(angle / 2);
	const ax = transform[3]!;
	const ay = transform[4]!;
	const az = transform[5]!;
	const aw = transform[6]!;
	transform[3] = aw * bx + ax * bw + ay * bz - az * by;
	transform[4] = aw * by - ax * bz + ay * bw + az * bx;
	transform[5] = aw * bz + ax * by - ay * bx + az * bw;
	transform[6] = aw * bw - ax * bx - ay * by - az * bz;
}
