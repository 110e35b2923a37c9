import { mat3FromQuat } from '@manyworlds/core';
import { JointType, WORLD } from '@manyworlds/model';
import type { TreeKinematics } from './tree-kinematics.ts';

/** Numbers of a spatial inertia about the origin of a tree: mass, first moment, xx xy xz yy yz zz of the second. */
const INERTIA = 10;

/**
 * Mass matrices and bias forces of trees, about the origin of each tree in world axes: composite rigid bodies and recursive
 * Newton-Euler (Featherstone 2008, tables 6.2 and 5.1) without any change of frame.
 */
export class TreeDynamics {
	readonly kinematics: TreeKinematics;
	/** Mass matrix entries of all trees, rows as `TreeStructure.entry` says: column `subtree[p]` to the diagonal. */
	readonly mass: Float64Array;
	/** Forces that gravity, motion and outer forces on bodies need in each degree of freedom; shape (dofs). */
	readonly bias: Float64Array;

	/** Inertia of each body alone; shape (bodies, 10). */
	readonly #inertia: Float64Array;
	readonly #composite: Float64Array;
	readonly #acceleration: Float64Array;
	readonly #force: Float64Array;
	readonly #rotation = new Float64Array(9);
	readonly #momentum = new Float64Array(6);
	readonly #carrier = new Float64Array(6);

	constructor(kinematics: TreeKinematics) {
		const { structure } = kinematics;
		const { model } = structure;
		this.kinematics = kinematics;
		this.mass = new Float64Array(structure.entry[structure.dofAt.length]!);
		this.bias = new Float64Array(model.jointDofCount);
		this.#inertia = new Float64Array(INERTIA * model.bodyCount);
		this.#composite = new Float64Array(INERTIA * model.bodyCount);
		this.#acceleration = new Float64Array(6 * model.bodyCount);
		this.#force = new Float64Array(6 * model.bodyCount);
	}

	/** Computes the mass matrix of a placed tree, without armature and damping. */
	computeMass(tree: number): void {
		const { structure, twist } = this.kinematics;
		const { model, joints, jointStart, base, above, positionOf, dofAt } = structure;
		const { mass } = this;
		const composite = this.#composite;
		const momentum = this.#momentum;
		for (let i = jointStart[tree]!; i < jointStart[tree + 1]!; i++)
			this.#placeInertia(tree, model.jointChild[joints[i]!]!);
		for (let i = jointStart[tree + 1]! - 1; i >= jointStart[tree]!; i--) {
			const joint = joints[i]!;
			const child = model.jointChild[joint]!;
			const parent = model.jointParent[joint]!;
			const from = INERTIA * child;
			if (parent !== WORLD) {
				const to = INERTIA * parent;
				for (let k = 0; k < INERTIA; k++) composite[to + k] = composite[to + k]! + composite[from + k]!;
			}
			for (let dof = model.jointQdStart[joint + 1]! - 1; dof >= model.jointQdStart[joint]!; dof--) {
				applyInertia(composite, from, twist, 6 * dof, momentum, 0);
				const column = positionOf[dof]!;
				const p0 = momentum[0]!;
				const p1 = momentum[1]!;
				const p2 = momentum[2]!;
				const p3 = momentum[3]!;
				const p4 = momentum[4]!;
				const p5 = momentum[5]!;
				for (let row = column; row >= 0; row = above[row]!) {
					const at = 6 * dofAt[row]!;
					mass[base[row]! + column] =
						twist[at]! * p0 +
						twist[at + 1]! * p1 +
						twist[at + 2]! * p2 +
						twist[at + 3]! * p3 +
						twist[at + 4]! * p4 +
						twist[at + 5]! * p5;
				}
			}
		}
	}

	/**
	 * Computes the bias forces of a tree whose bodies move as `kinematics.velocity` says. `v` are the velocities by degree of
	 * freedom, `gravity` three numbers from `g` on, `bodyF` force and torque about the centre of mass of each body.
	 */
	computeBias(tree: number, v: Float64Array, gravity: Float64Array, g: number, bodyF: Float64Array): void {
		const { structure, twist } = this.kinematics;
		const { model, joints, jointStart } = structure;
		const force = this.#force;
		for (let i = jointStart[tree]!; i < jointStart[tree + 1]!; i++) {
			this.#accelerate(joints[i]!, v, gravity, g);
			this.#placeForce(tree, model.jointChild[joints[i]!]!, bodyF);
		}
		for (let i = jointStart[tree + 1]! - 1; i >= jointStart[tree]!; i--) {
			const joint = joints[i]!;
			const from = 6 * model.jointChild[joint]!;
			const parent = model.jointParent[joint]!;
			for (let dof = model.jointQdStart[joint]!; dof < model.jointQdStart[joint + 1]!; dof++) {
				let sum = 0;
				for (let k = 0; k < 6; k++) sum += twist[6 * dof + k]! * force[from + k]!;
				this.bias[dof] = sum;
			}
			if (parent === WORLD) continue;
			for (let k = 0; k < 6; k++) force[6 * parent + k] = force[6 * parent + k]! + force[from + k]!;
		}
	}

	/** Inertia of a body about the origin of its tree; composites start with it. */
	#placeInertia(tree: number, body: number): void {
		const { structure, com, origin, bodyQ } = this.kinematics;
		const { model } = structure;
		const r = this.#rotation;
		const inertia = this.#inertia;
		const at = INERTIA * body;
		const m = model.bodyMass[body]!;
		const x = com[3 * body]! - origin[3 * tree]!;
		const y = com[3 * body + 1]! - origin[3 * tree + 1]!;
		const z = com[3 * body + 2]! - origin[3 * tree + 2]!;
		mat3FromQuat(r, bodyQ, 0, 7 * body + 3);
		const t = model.bodyInertia;
		const b = 9 * body;
		// columns of I · R, where row p of R is body axis p in the world
		const i00 = t[b]!;
		const i01 = t[b + 1]!;
		const i02 = t[b + 2]!;
		const i11 = t[b + 4]!;
		const i12 = t[b + 5]!;
		const i22 = t[b + 8]!;
		const a00 = i00 * r[0]! + i01 * r[3]! + i02 * r[6]!;
		const a01 = i00 * r[1]! + i01 * r[4]! + i02 * r[7]!;
		const a02 = i00 * r[2]! + i01 * r[5]! + i02 * r[8]!;
		const a10 = i01 * r[0]! + i11 * r[3]! + i12 * r[6]!;
		const a11 = i01 * r[1]! + i11 * r[4]! + i12 * r[7]!;
		const a12 = i01 * r[2]! + i11 * r[5]! + i12 * r[8]!;
		const a20 = i02 * r[0]! + i12 * r[3]! + i22 * r[6]!;
		const a21 = i02 * r[1]! + i12 * r[4]! + i22 * r[7]!;
		const a22 = i02 * r[2]! + i12 * r[5]! + i22 * r[8]!;
		inertia[at] = m;
		inertia[at + 1] = m * x;
		inertia[at + 2] = m * y;
		inertia[at + 3] = m * z;
		inertia[at + 4] = r[0]! * a00 + r[3]! * a10 + r[6]! * a20 + m * (y * y + z * z);
		inertia[at + 5] = r[0]! * a01 + r[3]! * a11 + r[6]! * a21 - m * x * y;
		inertia[at + 6] = r[0]! * a02 + r[3]! * a12 + r[6]! * a22 - m * x * z;
		inertia[at + 7] = r[1]! * a01 + r[4]! * a11 + r[7]! * a21 + m * (x * x + z * z);
		inertia[at + 8] = r[1]! * a02 + r[4]! * a12 + r[7]! * a22 - m * y * z;
		inertia[at + 9] = r[2]! * a02 + r[5]! * a12 + r[8]! * a22 + m * (x * x + y * y);
		for (let k = 0; k < INERTIA; k++) this.#composite[at + k] = inertia[at + k]!;
	}

	/** Acceleration of a joint's child when no joint accelerates, against gravity. */
	#accelerate(joint: number, v: Float64Array, gravity: Float64Array, g: number): void {
		const { structure, twist, velocity } = this.kinematics;
		const { model } = structure;
		const acceleration = this.#acceleration;
		const out = 6 * model.jointChild[joint]!;
		const parent = model.jointParent[joint]!;
		const carrier = this.#carrier;
		if (parent === WORLD) {
			for (let k = 0; k < 3; k++) {
				acceleration[out + k] = 0;
				acceleration[out + 3 + k] = -gravity[g + k]!;
			}
			carrier.fill(0);
		} else {
			for (let k = 0; k < 6; k++) {
				acceleration[out + k] = acceleration[6 * parent + k]!;
				carrier[k] = velocity[6 * parent + k]!;
			}
		}
		const type = model.jointType[joint]!;
		const linear = model.jointDofDim[2 * joint]!;
		const first = model.jointQdStart[joint]!;
		for (let dof = first; dof < model.jointQdStart[joint + 1]!; dof++) {
			const rate = v[dof]!;
			const s = 6 * dof;
			const sx = twist[s]!;
			const sy = twist[s + 1]!;
			const sz = twist[s + 2]!;
			const ux = twist[s + 3]!;
			const uy = twist[s + 4]!;
			const uz = twist[s + 5]!;
			const wx = carrier[0]!;
			const wy = carrier[1]!;
			const wz = carrier[2]!;
			// a twist that is carried along changes by the cross product with the carrier's twist
			acceleration[out] = acceleration[out]! + rate * (wy * sz - wz * sy);
			acceleration[out + 1] = acceleration[out + 1]! + rate * (wz * sx - wx * sz);
			acceleration[out + 2] = acceleration[out + 2]! + rate * (wx * sy - wy * sx);
			acceleration[out + 3] = acceleration[out + 3]! + rate * (wy * uz - wz * uy + carrier[4]! * sz - carrier[5]! * sy);
			acceleration[out + 4] = acceleration[out + 4]! + rate * (wz * ux - wx * uz + carrier[5]! * sx - carrier[3]! * sz);
			acceleration[out + 5] = acceleration[out + 5]! + rate * (wx * uy - wy * ux + carrier[3]! * sy - carrier[4]! * sx);
			// linear axes keep their direction but carry the pivot; angular axes of a D6 joint carry the next
			const isLinear = dof - first < linear;
			if (isLinear ? true : type === JointType.D6) {
				for (let k = 0; k < 6; k++) carrier[k] = carrier[k]! + rate * twist[s + k]!;
			}
		}
	}

	/** Force and torque about the origin that a body needs: I · a + v × I · v, less what acts from outside. */
	#placeForce(tree: number, body: number, bodyF: Float64Array): void {
		const { com, origin, velocity } = this.kinematics;
		const inertia = this.#inertia;
		const force = this.#force;
		const at = 6 * body;
		const p = this.#momentum;
		applyInertia(inertia, INERTIA * body, this.#acceleration, at, force, at);
		applyInertia(inertia, INERTIA * body, velocity, at, p, 0);
		const wx = velocity[at]!;
		const wy = velocity[at + 1]!;
		const wz = velocity[at + 2]!;
		const ux = velocity[at + 3]!;
		const uy = velocity[at + 4]!;
		const uz = velocity[at + 5]!;
		const fx = bodyF[at]!;
		const fy = bodyF[at + 1]!;
		const fz = bodyF[at + 2]!;
		const rx = com[3 * body]! - origin[3 * tree]!;
		const ry = com[3 * body + 1]! - origin[3 * tree + 1]!;
		const rz = com[3 * body + 2]! - origin[3 * tree + 2]!;
		force[at] = force[at]! + wy * p[2]! - wz * p[1]! + uy * p[5]! - uz * p[4]! - (bodyF[at + 3]! + ry * fz - rz * fy);
		force[at + 1] =
			force[at + 1]! + wz * p[0]! - wx * p[2]! + uz * p[3]! - ux * p[5]! - (bodyF[at + 4]! + rz * fx - rx * fz);
		force[at + 2] =
			force[at + 2]! + wx * p[1]! - wy * p[0]! + ux * p[4]! - uy * p[3]! - (bodyF[at + 5]! + rx * fy - ry * fx);
		force[at + 3] = force[at + 3]! + wy * p[5]! - wz * p[4]! - fx;
		force[at + 4] = force[at + 4]! + wz * p[3]! - wx * p[5]! - fy;
		force[at + 5] = force[at + 5]! + wx * p[4]! - wy * p[3]! - fz;
	}
}

/** Momentum (angular about the origin, linear) of an inertia that moves with a twist. */
function applyInertia(
	inertia: Float64Array,
	at: number,
	twist: Float64Array,
	t: number,
	out: Float64Array,
	o: number,
): void {
	const m = inertia[at]!;
	const hx = inertia[at + 1]!;
	const hy = inertia[at + 2]!;
	const hz = inertia[at + 3]!;
	const wx = twist[t]!;
	const wy = twist[t + 1]!;
	const wz = twist[t + 2]!;
	const vx = twist[t + 3]!;
	const vy = twist[t + 4]!;
	const vz = twist[t + 5]!;
	out[o] = inertia[at + 4]! * wx + inertia[at + 5]! * wy + inertia[at + 6]! * wz + hy * vz - hz * vy;
	out[o + 1] = inertia[at + 5]! * wx + inertia[at + 7]! * wy + inertia[at + 8]! * wz + hz * vx - hx * vz;
	out[o + 2] = inertia[at + 6]! * wx + inertia[at + 8]! * wy + inertia[at + 9]! * wz + hx * vy - hy * vx;
	out[o + 3] = m * vx + wy * hz - wz * hy;
	out[o + 4] = m * vy + wz * hx - wx * hz;
	out[o + 5] = m * vz + wx * hy - wy * hx;
}
