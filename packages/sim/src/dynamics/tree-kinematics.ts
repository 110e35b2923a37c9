import { transformCopy, transformInvert, transformMultiply } from '@manyworlds/core';
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
	/** Point on the child that the linear part of a floating joint moves; shape (joints, 3), only for floating joints. */
	readonly pivot: Float64Array;
	/** Rotation of the parent side of floating joints in the world; shape (joints, 4), only for those. */
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
		for (let body = 0; body < model.bodyCount; body++) this.#placeCom(body);
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
		const { structure, bodyQ, com, pivot, frame, origin } = this;
		const { jointType, jointParent, jointChild, jointQStart } = structure.model;
		const { joints } = structure;
		const placedQ = this.#placedQ;
		const anchor = this.#anchor;
		const motion = this.#motion;
		this.#isPlaced[tree] = 1;
		const start = structure.jointStart[tree]!;
		const end = structure.jointStart[tree + 1]!;
		for (let i = start; i < end; i++) {
			const joint = joints[i]!;
			const child = jointChild[joint]!;
			const qEnd = jointQStart[joint + 1]!;
			for (let q = jointQStart[joint]!; q < qEnd; q++) placedQ[q] = jointQ[q]!;
			if (i > start && jointType[joint] === JointType.REVOLUTE && jointParent[joint] !== WORLD) {
				this.#placeHinge(tree, joint, jointQ);
				continue;
			}
			this.#placeAnchor(joint);
			this.#placeMotion(joint, jointQ);
			transformMultiply(motion, anchor, motion);
			transformMultiply(bodyQ, motion, this.#childInverse, 7 * child, 0, 7 * joint);
			this.#placeCom(child);
			pivot[3 * joint] = motion[0]!;
			pivot[3 * joint + 1] = motion[1]!;
			pivot[3 * joint + 2] = motion[2]!;
			frame[4 * joint] = anchor[3]!;
			frame[4 * joint + 1] = anchor[4]!;
			frame[4 * joint + 2] = anchor[5]!;
			frame[4 * joint + 3] = anchor[6]!;
			if (i === start) {
				origin[3 * tree] = com[3 * child]!;
				origin[3 * tree + 1] = com[3 * child + 1]!;
				origin[3 * tree + 2] = com[3 * child + 2]!;
			}
			this.#placeTwists(tree, joint, jointQ);
		}
	}

	/** Twists of the bodies of a tree for velocities by degree of freedom; the tree must be placed. */
	move(tree: number, v: Float64Array): void {
		const { structure, velocity, twist } = this;
		const { jointChild, jointParent, jointQdStart } = structure.model;
		const { joints } = structure;
		const end = structure.jointStart[tree + 1]!;
		for (let i = structure.jointStart[tree]!; i < end; i++) {
			const joint = joints[i]!;
			const parent = jointParent[joint]!;
			let wx = 0;
			let wy = 0;
			let wz = 0;
			let ux = 0;
			let uy = 0;
			let uz = 0;
			if (parent !== WORLD) {
				const from = 6 * parent;
				wx = velocity[from]!;
				wy = velocity[from + 1]!;
				wz = velocity[from + 2]!;
				ux = velocity[from + 3]!;
				uy = velocity[from + 4]!;
				uz = velocity[from + 5]!;
			}
			const dofEnd = jointQdStart[joint + 1]!;
			for (let dof = jointQdStart[joint]!; dof < dofEnd; dof++) {
				const rate = v[dof]!;
				const at = 6 * dof;
				wx += twist[at]! * rate;
				wy += twist[at + 1]! * rate;
				wz += twist[at + 2]! * rate;
				ux += twist[at + 3]! * rate;
				uy += twist[at + 4]! * rate;
				uz += twist[at + 5]! * rate;
			}
			const out = 6 * jointChild[joint]!;
			velocity[out] = wx;
			velocity[out + 1] = wy;
			velocity[out + 2] = wz;
			velocity[out + 3] = ux;
			velocity[out + 4] = uy;
			velocity[out + 5] = uz;
		}
	}

	/** What `place` does, for the most frequent joint in one go: body, centre of mass and twist of a hinge on another body. */
	#placeHinge(tree: number, joint: number, jointQ: Float64Array): void {
		const { structure, bodyQ, com, origin, twist } = this;
		const { jointXP, jointAxis, bodyCom, jointParent, jointChild, jointQdStart, jointQStart } = structure.model;
		const inverse = this.#childInverse;
		const p = 7 * jointParent[joint]!;
		const px = bodyQ[p + 3]!;
		const py = bodyQ[p + 4]!;
		const pz = bodyQ[p + 5]!;
		const pw = bodyQ[p + 6]!;
		const j = 7 * joint;
		// the parent side of the joint: position and rotation
		const fx = jointXP[j]!;
		const fy = jointXP[j + 1]!;
		const fz = jointXP[j + 2]!;
		const ex = jointXP[j + 3]!;
		const ey = jointXP[j + 4]!;
		const ez = jointXP[j + 5]!;
		const ew = jointXP[j + 6]!;
		let tx = 2 * (py * fz - pz * fy);
		let ty = 2 * (pz * fx - px * fz);
		let tz = 2 * (px * fy - py * fx);
		const mx = bodyQ[p]! + fx + pw * tx + (py * tz - pz * ty);
		const my = bodyQ[p + 1]! + fy + pw * ty + (pz * tx - px * tz);
		const mz = bodyQ[p + 2]! + fz + pw * tz + (px * ty - py * tx);
		const ax = pw * ex + px * ew + py * ez - pz * ey;
		const ay = pw * ey - px * ez + py * ew + pz * ex;
		const az = pw * ez + px * ey - py * ex + pz * ew;
		const aw = pw * ew - px * ex - py * ey - pz * ez;
		// turned by the joint
		const dof = jointQdStart[joint]!;
		const ux = jointAxis[3 * dof]!;
		const uy = jointAxis[3 * dof + 1]!;
		const uz = jointAxis[3 * dof + 2]!;
		const half = jointQ[jointQStart[joint]!]! / 2;
		const sine = Math.sin(half);
		const tw = Math.cos(half);
		const sx = ux * sine;
		const sy = uy * sine;
		const sz = uz * sine;
		const mqx = aw * sx + ax * tw + ay * sz - az * sy;
		const mqy = aw * sy - ax * sz + ay * tw + az * sx;
		const mqz = aw * sz + ax * sy - ay * sx + az * tw;
		const mqw = aw * tw - ax * sx - ay * sy - az * sz;
		// the body, by the inverse of its side of the joint
		const gx = inverse[j]!;
		const gy = inverse[j + 1]!;
		const gz = inverse[j + 2]!;
		const hx = inverse[j + 3]!;
		const hy = inverse[j + 4]!;
		const hz = inverse[j + 5]!;
		const hw = inverse[j + 6]!;
		tx = 2 * (mqy * gz - mqz * gy);
		ty = 2 * (mqz * gx - mqx * gz);
		tz = 2 * (mqx * gy - mqy * gx);
		const bx = mx + gx + mqw * tx + (mqy * tz - mqz * ty);
		const by = my + gy + mqw * ty + (mqz * tx - mqx * tz);
		const bz = mz + gz + mqw * tz + (mqx * ty - mqy * tx);
		const qx = mqw * hx + mqx * hw + mqy * hz - mqz * hy;
		const qy = mqw * hy - mqx * hz + mqy * hw + mqz * hx;
		const qz = mqw * hz + mqx * hy - mqy * hx + mqz * hw;
		const qw = mqw * hw - mqx * hx - mqy * hy - mqz * hz;
		const child = jointChild[joint]!;
		const b = 7 * child;
		bodyQ[b] = bx;
		bodyQ[b + 1] = by;
		bodyQ[b + 2] = bz;
		bodyQ[b + 3] = qx;
		bodyQ[b + 4] = qy;
		bodyQ[b + 5] = qz;
		bodyQ[b + 6] = qw;
		const c = 3 * child;
		const cx = bodyCom[c]!;
		const cy = bodyCom[c + 1]!;
		const cz = bodyCom[c + 2]!;
		tx = 2 * (qy * cz - qz * cy);
		ty = 2 * (qz * cx - qx * cz);
		tz = 2 * (qx * cy - qy * cx);
		com[c] = cx + qw * tx + (qy * tz - qz * ty) + bx;
		com[c + 1] = cy + qw * ty + (qz * tx - qx * tz) + by;
		com[c + 2] = cz + qw * tz + (qx * ty - qy * tx) + bz;
		// the twist turns about the axis through the joint
		tx = 2 * (ay * uz - az * uy);
		ty = 2 * (az * ux - ax * uz);
		tz = 2 * (ax * uy - ay * ux);
		const wx = ux + aw * tx + (ay * tz - az * ty);
		const wy = uy + aw * ty + (az * tx - ax * tz);
		const wz = uz + aw * tz + (ax * ty - ay * tx);
		const rx = origin[3 * tree]! - mx;
		const ry = origin[3 * tree + 1]! - my;
		const rz = origin[3 * tree + 2]! - mz;
		const at = 6 * dof;
		twist[at] = wx;
		twist[at + 1] = wy;
		twist[at + 2] = wz;
		twist[at + 3] = wy * rz - wz * ry;
		twist[at + 4] = wz * rx - wx * rz;
		twist[at + 5] = wx * ry - wy * rx;
	}

	/** The centre of mass of a body that is placed. */
	#placeCom(body: number): void {
		rotate(this.com, 3 * body, this.bodyQ, 7 * body + 3, this.structure.model.bodyCom, 3 * body);
		for (let k = 0; k < 3; k++) this.com[3 * body + k] = this.com[3 * body + k]! + this.bodyQ[7 * body + k]!;
	}

	#placeAnchor(joint: number): void {
		const { model } = this.structure;
		const parent = model.jointParent[joint]!;
		const anchor = this.#anchor;
		if (parent === WORLD) transformCopy(anchor, model.jointXP, 0, 7 * joint);
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
		const { twist, origin, pivot } = this;
		const { jointAxis } = model;
		const anchor = this.#anchor;
		const axis = this.#axis;
		for (let i = 0; i < linear; i++) {
			const at = 6 * (dof + i);
			rotate(axis, 0, anchor, 3, jointAxis, 3 * (dof + i));
			twist[at] = 0;
			twist[at + 1] = 0;
			twist[at + 2] = 0;
			twist[at + 3] = axis[0]!;
			twist[at + 4] = axis[1]!;
			twist[at + 5] = axis[2]!;
		}
		const rx = origin[3 * tree]! - pivot[3 * joint]!;
		const ry = origin[3 * tree + 1]! - pivot[3 * joint + 1]!;
		const rz = origin[3 * tree + 2]! - pivot[3 * joint + 2]!;
		const isSequence = type === JointType.REVOLUTE || type === JointType.D6;
		const coord = model.jointQStart[joint]!;
		for (let i = linear; i < linear + angular; i++) {
			const at = 6 * (dof + i);
			rotate(axis, 0, anchor, 3, jointAxis, 3 * (dof + i));
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
			if (isSequence && i + 1 < linear + angular) turn(anchor, jointAxis, 3 * (dof + i), jointQ[coord + i]!);
		}
	}
}

/** Rotates a vector by a unit quaternion; like `quatRotate`, but no number goes through a call, where it would be boxed. */
function rotate(out: Float64Array, at: number, q: Float64Array, qAt: number, v: Float64Array, vAt: number): void {
	const qx = q[qAt]!;
	const qy = q[qAt + 1]!;
	const qz = q[qAt + 2]!;
	const qw = q[qAt + 3]!;
	const x = v[vAt]!;
	const y = v[vAt + 1]!;
	const z = v[vAt + 2]!;
	const tx = 2 * (qy * z - qz * y);
	const ty = 2 * (qz * x - qx * z);
	const tz = 2 * (qx * y - qy * x);
	out[at] = x + qw * tx + (qy * tz - qz * ty);
	out[at + 1] = y + qw * ty + (qz * tx - qx * tz);
	out[at + 2] = z + qw * tz + (qx * ty - qy * tx);
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
