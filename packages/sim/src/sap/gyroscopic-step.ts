import { mat3FromQuat } from '@manyworlds/core/internal';
import { JointType } from '@manyworlds/model';
import type { TreeDynamics } from '../dynamics/tree-dynamics.ts';

/** Newton steps of the implicit midpoint rule, and the relative size of a step at which it ends. */
const MOST_STEPS = 12;
const SMALL = 1e-14;

/**
 * The torque-free turning of single bodies on floating and ball joints by the implicit midpoint rule in the frame of the
 * body, in place of the explicit gyroscopic torque of free motion: `I (w₁ − w₀) + dt w × I w = 0` at the mean `w`. The rule
 * keeps the energy and the size of the angular momentum, whatever the step, where the explicit torque adds energy in every
 * step (Hairer, Lubich and Wanner, Geometric Numerical Integration, IV.2.1: quadratic invariants). What the other forces do
 * in the step is added to it. Numbers travel in fields.
 */
export class GyroscopicStep {
	readonly #dynamics: TreeDynamics;
	/** Whether coordinates move with the mean of old and new velocity. */
	readonly #isMidpoint: boolean;
	/** Joint of each tree that is such a body, -1 for other trees. */
	readonly #joint: Int32Array;
	readonly #body = new Float64Array(9);
	readonly #frame = new Float64Array(9);
	/** Rows of the axes of the body in the frame of the joint's parent. */
	readonly #turn = new Float64Array(9);
	readonly #inertia = new Float64Array(9);
	readonly #w0 = new Float64Array(3);
	readonly #w1 = new Float64Array(3);
	readonly #right = new Float64Array(3);
	readonly #jacobian = new Float64Array(9);
	readonly #explicit = new Float64Array(3);
	readonly #implicit = new Float64Array(3);
	/** Vector from the joint to the centre of mass, in the frame of the body and in that of the joint's parent. */
	readonly #com = new Float64Array(3);
	readonly #arm = new Float64Array(3);
	readonly #turned = new Float64Array(3);

	constructor(dynamics: TreeDynamics, isMidpoint: boolean) {
		this.#dynamics = dynamics;
		this.#isMidpoint = isMidpoint;
		const { structure } = dynamics.kinematics;
		const { model, jointStart, joints } = structure;
		this.#joint = Int32Array.from({ length: jointStart.length - 1 }, (_, tree) => {
			const joint = joints[jointStart[tree]!]!;
			if (jointStart[tree + 1]! - jointStart[tree]! !== 1) return -1;
			const type = model.jointType[joint]!;
			return type === JointType.FREE || type === JointType.DISTANCE || type === JointType.BALL ? joint : -1;
		});
	}

	/** Puts the implicit turning in place of the explicit one in the velocities `vStar` of free motion of a tree. */
	correct(tree: number, v0: Float64Array, vStar: Float64Array, dt: number): void {
		const joint = this.#joint[tree]!;
		if (joint < 0) return;
		const { model } = this.#dynamics.kinematics.structure;
		const first = model.jointQdStart[joint]!;
		const end = model.jointQdStart[joint + 1]!;
		const w = end - 3;
		if (v0[w] === 0 && v0[w + 1] === 0 && v0[w + 2] === 0) return;
		// armature and damping are no part of the rigid body
		for (let dof = first; dof < end; dof++) {
			if (model.jointArmature[dof] !== 0 || model.jointDamping[dof] !== 0) return;
		}
		const isFloating = end - first === 6;
		this.#place(joint, isFloating);
		const turn = this.#turn;
		for (let k = 0; k < 3; k++) {
			this.#w0[k] = turn[3 * k]! * v0[w]! + turn[3 * k + 1]! * v0[w + 1]! + turn[3 * k + 2]! * v0[w + 2]!;
		}
		if (!this.#solveExplicit(dt) || !this.#solveMidpoint(dt)) return;
		toParent(this.#explicit, turn, this.#explicit);
		toParent(this.#implicit, turn, this.#w1);
		if (this.#isMidpoint) this.#followTurn(v0, w, dt);
		if (isFloating) this.#shift(v0, vStar, first, dt);
		for (let k = 0; k < 3; k++) vStar[w + k] = vStar[w + k]! + this.#implicit[k]! - this.#explicit[k]!;
	}

	/** Rotation, inertia about the point that the body turns about, and the arm to its centre of mass. */
	#place(joint: number, isFloating: boolean): void {
		const { kinematics } = this.#dynamics;
		const { model } = kinematics.structure;
		const body = model.jointChild[joint]!;
		mat3FromQuat(this.#body, kinematics.bodyQ, 0, 7 * body + 3);
		mat3FromQuat(this.#frame, kinematics.frame, 0, 4 * joint);
		const b = this.#body;
		const f = this.#frame;
		for (let i = 0; i < 3; i++) {
			for (let k = 0; k < 3; k++) {
				this.#turn[3 * i + k] = b[3 * i]! * f[3 * k]! + b[3 * i + 1]! * f[3 * k + 1]! + b[3 * i + 2]! * f[3 * k + 2]!;
			}
		}
		const x = kinematics.com[3 * body]! - kinematics.pivot[3 * joint]!;
		const y = kinematics.com[3 * body + 1]! - kinematics.pivot[3 * joint + 1]!;
		const z = kinematics.com[3 * body + 2]! - kinematics.pivot[3 * joint + 2]!;
		for (let k = 0; k < 3; k++) {
			this.#com[k] = b[3 * k]! * x + b[3 * k + 1]! * y + b[3 * k + 2]! * z;
			this.#arm[k] = f[3 * k]! * x + f[3 * k + 1]! * y + f[3 * k + 2]! * z;
		}
		const c = this.#com;
		const mass = isFloating ? 0 : model.bodyMass[body]!;
		const squared = c[0]! * c[0]! + c[1]! * c[1]! + c[2]! * c[2]!;
		for (let i = 0; i < 3; i++) {
			for (let k = 0; k < 3; k++) {
				const steiner = mass * ((i === k ? squared : 0) - c[i]! * c[k]!);
				this.#inertia[3 * i + k] = model.bodyInertia[9 * body + 3 * i + k]! + steiner;
			}
		}
	}

	/** `w₀ − dt I⁻¹ (w₀ × I w₀)`; false when the inertia has no inverse. */
	#solveExplicit(dt: number): boolean {
		const right = this.#right;
		gyroscopicTorque(right, this.#inertia, this.#w0);
		this.#jacobian.set(this.#inertia);
		if (!solve3(this.#jacobian, right)) return false;
		for (let k = 0; k < 3; k++) this.#explicit[k] = this.#w0[k]! - dt * right[k]!;
		return true;
	}

	/** Newton's method on the midpoint rule, from the old velocity; false when it comes to no end. */
	#solveMidpoint(dt: number): boolean {
		const { 0: ax, 1: ay, 2: az } = this.#w0;
		const w1 = this.#w1;
		const right = this.#right;
		const mean = this.#turned;
		const inertia = this.#inertia;
		w1.set(this.#w0);
		for (let step = 0; step < MOST_STEPS; step++) {
			mean[0] = 0.5 * (ax! + w1[0]!);
			mean[1] = 0.5 * (ay! + w1[1]!);
			mean[2] = 0.5 * (az! + w1[2]!);
			gyroscopicTorque(right, inertia, mean);
			for (let i = 0; i < 3; i++) {
				const dx = w1[0]! - ax!;
				const dy = w1[1]! - ay!;
				const dz = w1[2]! - az!;
				const gain = inertia[3 * i]! * dx + inertia[3 * i + 1]! * dy + inertia[3 * i + 2]! * dz;
				right[i] = -(gain + dt * right[i]!);
			}
			gyroscopicSlope(this.#jacobian, inertia, mean, 0.5 * dt);
			if (!solve3(this.#jacobian, right)) return false;
			let moved = 0;
			let size = 0;
			for (let k = 0; k < 3; k++) {
				w1[k] = w1[k]! + right[k]!;
				moved = Math.max(moved, Math.abs(right[k]!));
				size = Math.max(size, Math.abs(w1[k]!));
			}
			if (moved <= SMALL * size) return true;
			if (!(size < Number.POSITIVE_INFINITY)) return false;
		}
		return false;
	}

	/** With the mean of velocities the body turns by it, so that the new velocity is the body's own in the turned frame. */
	#followTurn(v0: Float64Array, w: number, dt: number): void {
		const target = this.#turned;
		const out = this.#implicit;
		for (let k = 0; k < 3; k++) target[k] = out[k]!;
		for (let step = 0; step < 8; step++) {
			const rx = 0.5 * dt * (v0[w]! + out[0]!);
			const ry = 0.5 * dt * (v0[w + 1]! + out[1]!);
			const rz = 0.5 * dt * (v0[w + 2]! + out[2]!);
			rotate(out, target, rx, ry, rz);
		}
	}

	/**
	 * The centre of mass of a floating body does not feel the turning: moves the velocity of the joint so that the centre has
	 * its own when it has turned on.
	 */
	#shift(v0: Float64Array, vStar: Float64Array, first: number, dt: number): void {
		const arm = this.#arm;
		const rx = arm[0]!;
		const ry = arm[1]!;
		const rz = arm[2]!;
		if (rx === 0 && ry === 0 && rz === 0) return;
		const w = first + 3;
		const ox = v0[w]!;
		const oy = v0[w + 1]!;
		const oz = v0[w + 2]!;
		const along = ox * rx + oy * ry + oz * rz;
		const squared = ox * ox + oy * oy + oz * oz;
		const ex = vStar[w]!;
		const ey = vStar[w + 1]!;
		const ez = vStar[w + 2]!;
		// velocity of the centre: that of the joint, ω × r, and what ω₀ × (ω₀ × r) adds in the step
		const cx = vStar[first]! + ey * rz - ez * ry + dt * (ox * along - rx * squared);
		const cy = vStar[first + 1]! + ez * rx - ex * rz + dt * (oy * along - ry * squared);
		const cz = vStar[first + 2]! + ex * ry - ey * rx + dt * (oz * along - rz * squared);
		const wx = ex + this.#implicit[0]! - this.#explicit[0]!;
		const wy = ey + this.#implicit[1]! - this.#explicit[1]!;
		const wz = ez + this.#implicit[2]! - this.#explicit[2]!;
		const share = this.#isMidpoint ? 0.5 : 0;
		const tx = dt * (wx + share * (ox - wx));
		const ty = dt * (wy + share * (oy - wy));
		const tz = dt * (wz + share * (oz - wz));
		const turned = this.#turned;
		const angle = Math.sqrt(tx * tx + ty * ty + tz * tz);
		// a step to first order turns by this share of the angle
		const part = this.#isMidpoint || !(angle > 1e-12) ? 1 : (2 * Math.atan(angle / 2)) / angle;
		rotate(turned, arm, part * tx, part * ty, part * tz);
		vStar[first] = cx - (wy * turned[2]! - wz * turned[1]!);
		vStar[first + 1] = cy - (wz * turned[0]! - wx * turned[2]!);
		vStar[first + 2] = cz - (wx * turned[1]! - wy * turned[0]!);
	}
}

/** `w × I w`. */
function gyroscopicTorque(out: Float64Array, inertia: Float64Array, w: Float64Array): void {
	const x = w[0]!;
	const y = w[1]!;
	const z = w[2]!;
	const lx = inertia[0]! * x + inertia[1]! * y + inertia[2]! * z;
	const ly = inertia[3]! * x + inertia[4]! * y + inertia[5]! * z;
	const lz = inertia[6]! * x + inertia[7]! * y + inertia[8]! * z;
	out[0] = y * lz - z * ly;
	out[1] = z * lx - x * lz;
	out[2] = x * ly - y * lx;
}

/** `I + h ([w]× I − [I w]×)`, the slope of `I w + h w × I w`. */
function gyroscopicSlope(out: Float64Array, inertia: Float64Array, w: Float64Array, h: number): void {
	const x = h * w[0]!;
	const y = h * w[1]!;
	const z = h * w[2]!;
	const lx = inertia[0]! * x + inertia[1]! * y + inertia[2]! * z;
	const ly = inertia[3]! * x + inertia[4]! * y + inertia[5]! * z;
	const lz = inertia[6]! * x + inertia[7]! * y + inertia[8]! * z;
	for (let k = 0; k < 3; k++) {
		out[k] = inertia[k]! + y * inertia[6 + k]! - z * inertia[3 + k]!;
		out[3 + k] = inertia[3 + k]! + z * inertia[k]! - x * inertia[6 + k]!;
		out[6 + k] = inertia[6 + k]! + x * inertia[3 + k]! - y * inertia[k]!;
	}
	out[1] = out[1]! + lz;
	out[2] = out[2]! - ly;
	out[3] = out[3]! - lz;
	out[5] = out[5]! + lx;
	out[6] = out[6]! + ly;
	out[7] = out[7]! - lx;
}

/** Solves a system of three equations in place by elimination with pivots; false when there is no single solution. */
function solve3(matrix: Float64Array, right: Float64Array): boolean {
	for (let column = 0; column < 3; column++) {
		let pivot = column;
		for (let row = column + 1; row < 3; row++) {
			if (Math.abs(matrix[3 * row + column]!) > Math.abs(matrix[3 * pivot + column]!)) pivot = row;
		}
		const top = matrix[3 * pivot + column]!;
		if (!(Math.abs(top) > 0)) return false;
		if (pivot !== column) {
			for (let k = 0; k < 3; k++) {
				const swap = matrix[3 * column + k]!;
				matrix[3 * column + k] = matrix[3 * pivot + k]!;
				matrix[3 * pivot + k] = swap;
			}
			const swap = right[column]!;
			right[column] = right[pivot]!;
			right[pivot] = swap;
		}
		for (let row = column + 1; row < 3; row++) {
			const factor = matrix[3 * row + column]! / top;
			for (let k = column; k < 3; k++) matrix[3 * row + k] = matrix[3 * row + k]! - factor * matrix[3 * column + k]!;
			right[row] = right[row]! - factor * right[column]!;
		}
	}
	for (let row = 2; row >= 0; row--) {
		let sum = right[row]!;
		for (let k = row + 1; k < 3; k++) sum -= matrix[3 * row + k]! * right[k]!;
		right[row] = sum / matrix[3 * row + row]!;
	}
	return true;
}

/** A vector of the body in the frame of the joint's parent; `out` may be `from`. */
function toParent(out: Float64Array, turn: Float64Array, from: Float64Array): void {
	const x = from[0]!;
	const y = from[1]!;
	const z = from[2]!;
	for (let k = 0; k < 3; k++) out[k] = turn[k]! * x + turn[3 + k]! * y + turn[6 + k]! * z;
}

/** A vector turned by a rotation vector; `out` is not `from`. */
function rotate(out: Float64Array, from: Float64Array, rx: number, ry: number, rz: number): void {
	const angle = Math.sqrt(rx * rx + ry * ry + rz * rz);
	const s = angle > 1e-12 ? Math.sin(angle) / angle : 1;
	const c = angle > 1e-12 ? (1 - Math.cos(angle)) / (angle * angle) : 0.5;
	const x = from[0]!;
	const y = from[1]!;
	const z = from[2]!;
	const cx = ry * z - rz * y;
	const cy = rz * x - rx * z;
	const cz = rx * y - ry * x;
	out[0] = x + s * cx + c * (ry * cz - rz * cy);
	out[1] = y + s * cy + c * (rz * cx - rx * cz);
	out[2] = z + s * cz + c * (rx * cy - ry * cx);
}
