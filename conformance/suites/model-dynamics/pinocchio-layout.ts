import type { Robot } from './build-robot.ts';
import type { Dump, DumpJoint } from './dump.ts';
import { cross, rotationOf } from './index.ts';

/** Coordinates in the layout of the model from those of Pinocchio: continuous joints give cos and sin. */
export function jointCoordinates(dump: Dump, robot: Robot, q: readonly number[]): Float64Array {
	const out = robot.model.jointQ.slice();
	for (const joint of dump.joints) {
		const at = robot.model.jointQStart[robot.joints.get(joint.name)!]!;
		if (joint.nq === 2) out[at] = Math.atan2(q[joint.idx_q + 1]!, q[joint.idx_q]!);
		else for (let i = 0; i < joint.nq; i++) out[at + i] = q[joint.idx_q + i]!;
	}
	return out;
}

/**
 * Conversion of velocities, accelerations and forces. Pinocchio gives a free joint the velocity of the frame's origin in
 * the child's axes, the model that of the centre of mass in the parent's axes: jointQd = T · v.
 */
export class PinocchioVelocities {
	readonly #dump: Dump;
	readonly #robot: Robot;
	readonly #jointQ: Float64Array;

	constructor(dump: Dump, robot: Robot, jointQ: Float64Array) {
		this.#dump = dump;
		this.#robot = robot;
		this.#jointQ = jointQ;
	}

	jointQd(v: readonly number[]): Float64Array {
		const out = new Float64Array(this.#robot.model.jointDofCount);
		for (const joint of this.#dump.joints) out.set(this.#mapJoint(joint, v), this.#dof(joint));
		return out;
	}

	/** T · a + dT/dt · v */
	jointQdd(v: readonly number[], a: readonly number[]): Float64Array {
		const out = this.jointQd(a);
		for (const joint of this.#dump.joints) {
			if (joint.nv !== 6) continue;
			const { linear, angular, arm } = this.#freeMotion(joint, v);
			// the body's axes turn with the body, so does the arm to the centre of mass
			const first = cross(angular, linear);
			const second = cross(angular, cross(angular, arm));
			for (let i = 0; i < 3; i++) out[this.#dof(joint) + i] = out[this.#dof(joint) + i]! + first[i]! + second[i]!;
		}
		return out;
	}

	/** Tᵀ · tau, in Pinocchio's order. */
	projectForces(tau: Float64Array): Float64Array {
		const out = new Float64Array(this.#dump.nv);
		this.#columns().forEach((column, k) => {
			let sum = 0;
			for (let i = 0; i < tau.length; i++) sum += column[i]! * tau[i]!;
			out[k] = sum;
		});
		return out;
	}

	/** Tᵀ · M · T, row by row. */
	projectMatrix(matrix: Float64Array, stride: number): Float64Array {
		const columns = this.#columns();
		const n = this.#dump.nv;
		const out = new Float64Array(n * n);
		const dofs = this.#robot.model.jointDofCount;
		columns.forEach((right, j) => {
			const product = new Float64Array(dofs);
			for (let r = 0; r < dofs; r++) {
				for (let c = 0; c < dofs; c++) product[r] = product[r]! + matrix[r * stride + c]! * right[c]!;
			}
			columns.forEach((left, i) => {
				let sum = 0;
				for (let r = 0; r < dofs; r++) sum += left[r]! * product[r]!;
				out[i * n + j] = sum;
			});
		});
		return out;
	}

	/** Six rows at the origin of a joint's child frame, columns in Pinocchio's order, from the Jacobian at centres of mass. */
	jointJacobian(jacobian: Float64Array, stride: number, name: string, bodyQ: Float64Array): Float64Array {
		const { model, joints } = this.#robot;
		const joint = joints.get(name)!;
		const row = 6 * (joint - model.articulationStart[0]!);
		const arm = this.#comArm(model.jointChild[joint]!, bodyQ).map((x) => -x);
		const n = this.#dump.nv;
		const out = new Float64Array(6 * n);
		this.#columns().forEach((column, k) => {
			const twist = new Float64Array(6);
			for (let r = 0; r < 6; r++) {
				for (let i = 0; i < column.length; i++) twist[r] = twist[r]! + jacobian[(row + r) * stride + i]! * column[i]!;
			}
			const shift = cross([twist[3]!, twist[4]!, twist[5]!], arm);
			for (let r = 0; r < 6; r++) out[r * n + k] = twist[r]! + (r < 3 ? shift[r]! : 0);
		});
		return out;
	}

	/** The columns of T, one for each of Pinocchio's velocities. */
	#columns(): Float64Array[] {
		return Array.from({ length: this.#dump.nv }, (_, k) => {
			const unit = new Array<number>(this.#dump.nv).fill(0);
			unit[k] = 1;
			return this.jointQd(unit);
		});
	}

	#mapJoint(joint: DumpJoint, v: readonly number[]): number[] {
		if (joint.nv !== 6) return v.slice(joint.idx_v, joint.idx_v + joint.nv);
		const { linear, angular, arm } = this.#freeMotion(joint, v);
		const turn = cross(angular, arm);
		return [...linear.map((x, i) => x + turn[i]!), ...angular];
	}

	/** Linear and angular velocity in the parent's axes, and the arm from the origin to the centre of mass. */
	#freeMotion(joint: DumpJoint, v: readonly number[]): { linear: number[]; angular: number[]; arm: number[] } {
		const { model, joints } = this.#robot;
		const index = joints.get(joint.name)!;
		const r = rotationOf(this.#jointQ, model.jointQStart[index]! + 3);
		const com = model.bodyCom.subarray(3 * model.jointChild[index]!, 3 * model.jointChild[index]! + 3);
		return {
			linear: turned(r, v, joint.idx_v),
			angular: turned(r, v, joint.idx_v + 3),
			arm: turned(r, com, 0),
		};
	}

	#comArm(body: number, bodyQ: Float64Array): number[] {
		return turned(rotationOf(bodyQ, 7 * body + 3), this.#robot.model.bodyCom, 3 * body);
	}

	#dof(joint: DumpJoint): number {
		return this.#robot.model.jointQdStart[this.#robot.joints.get(joint.name)!]!;
	}
}

/** A vector, taken from `at` on, turned by a rotation matrix. */
function turned(r: readonly number[], v: ArrayLike<number>, at: number): number[] {
	return [0, 1, 2].map((i) => r[3 * i]! * v[at]! + r[3 * i + 1]! * v[at + 1]! + r[3 * i + 2]! * v[at + 2]!);
}
