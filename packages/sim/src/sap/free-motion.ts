import { JointType, type State } from '@manyworlds/model';
import type { TreeDynamics } from '../dynamics/tree-dynamics.ts';
import { DofDrives, type DriveSource } from './dof-drives.ts';
import { EnvelopeCholesky } from './envelope-cholesky.ts';
import { EnvelopeMatrix } from './envelope-matrix.ts';

/** What the motion of a step starts from. */
export type MotionState = Pick<State, 'jointQ' | 'jointQd' | 'bodyF'>;

/**
 * Motion without constraints: `A = M + armature + dt D` and `v* = v0 + dt A⁻¹ (forces at the start − D v0)`. Velocities of
 * floating joints are those of the joint frame on the child inside the solver, and of the centre of mass outside.
 */
export class FreeMotion {
	readonly dynamics: TreeDynamics;
	readonly drives: DofDrives;
	/** Velocities at the start, by degree of freedom. */
	readonly v0: Float64Array;
	/** Velocities of free motion, by degree of freedom. */
	readonly vStar: Float64Array;
	/** 1 for positions whose velocity is given: kinematic bodies, and motion that nothing has mass in. */
	readonly isFixed: Uint8Array;

	readonly #matrix = new EnvelopeMatrix();
	readonly #factor: EnvelopeCholesky;
	readonly #single: boolean;
	readonly #right: Float64Array;

	constructor(dynamics: TreeDynamics, single: boolean) {
		this.dynamics = dynamics;
		const { structure } = dynamics.kinematics;
		this.drives = new DofDrives(structure.model);
		const dofs = structure.model.jointDofCount;
		this.v0 = new Float64Array(dofs);
		this.vStar = new Float64Array(dofs);
		this.isFixed = new Uint8Array(structure.dofAt.length);
		this.#single = single;
		this.#factor = new EnvelopeCholesky(single);
		this.#right = new Float64Array(dofs);
	}

	/** Computes everything for a tree. The mass matrix in `dynamics.mass` then has armature and damping in it. */
	compute(tree: number, state: MotionState, control: DriveSource, dt: number, gravity: Float64Array): void {
		const { dynamics } = this;
		const { kinematics } = dynamics;
		kinematics.placeAnew(tree, state.jointQ);
		this.#toInside(tree, state.jointQd);
		kinematics.move(tree, this.v0);
		dynamics.computeMass(tree);
		dynamics.computeBias(tree, this.v0, gravity, 0, state.bodyF);
		this.#solve(tree, control, dt);
	}

	/** Velocities of floating joints from the centre of mass to the joint frame. */
	#toInside(tree: number, jointQd: Float64Array): void {
		const { structure } = this.dynamics.kinematics;
		const { model } = structure;
		for (let i = structure.jointStart[tree]!; i < structure.jointStart[tree + 1]!; i++) {
			const joint = structure.joints[i]!;
			const dof = model.jointQdStart[joint]!;
			for (let d = dof; d < model.jointQdStart[joint + 1]!; d++) this.v0[d] = jointQd[d]!;
			const type = model.jointType[joint]!;
			if (type === JointType.FREE || type === JointType.DISTANCE) {
				shiftVelocity(this.dynamics, joint, jointQd, this.v0, 1);
			}
		}
	}

	#solve(tree: number, control: DriveSource, dt: number): void {
		const { dynamics, v0, vStar, isFixed } = this;
		const { mass, bias } = dynamics;
		const { structure } = dynamics.kinematics;
		const { dofAt, base, subtree } = structure;
		const { jointArmature, jointDamping } = structure.model;
		const start = structure.dofStart[tree]!;
		const end = structure.dofStart[tree + 1]!;
		const matrix = this.#matrix;
		matrix.view(mass, end - start);
		let size = 0;
		for (let p = start; p < end; p++) {
			const dof = dofAt[p]!;
			const diagonal = base[p]! + p;
			const value = mass[diagonal]! + jointArmature[dof]! + dt * jointDamping[dof]!;
			mass[diagonal] = value;
			if (value > size) size = value;
			matrix.first[p - start] = subtree[p]! - start;
			matrix.base[p - start] = base[p]! + start;
		}
		this.#fix(start, end, size);
		const right = this.#right;
		for (let p = start; p < end; p++) {
			const dof = dofAt[p]!;
			const applied = this.#applied(dof, control);
			right[p - start] = applied - bias[dof]! - jointDamping[dof]! * v0[dof]!;
		}
		this.#shiftForces(tree, control, start);
		for (let p = start; p < end; p++) if (isFixed[p] === 1) right[p - start] = 0;
		if (this.#factor.factor(matrix)) this.#factor.solve(right);
		else right.fill(Number.NaN, 0, end - start);
		for (let p = start; p < end; p++) {
			const dof = dofAt[p]!;
			const value = v0[dof]! + dt * right[p - start]!;
			vStar[dof] = this.#single && isFixed[p] === 0 ? Math.fround(value) : value;
		}
	}

	/** Takes motion with a given velocity, and motion without mass, out of the matrix. */
	#fix(start: number, end: number, size: number): void {
		const { dynamics, isFixed } = this;
		const { mass } = dynamics;
		const { structure } = dynamics.kinematics;
		const { base, subtree, above, isGiven, dofAt } = structure;
		for (let p = start; p < end; p++) {
			const diagonal = base[p]! + p;
			const hasMass = mass[diagonal]! > 1e-14 * size;
			isFixed[p] = isGiven[p] === 1 || !hasMass ? 1 : 0;
			if (isFixed[p] === 0) continue;
			for (let c = subtree[p]!; c < p; c++) mass[base[p]! + c] = 0;
			for (let up = above[p]!; up >= 0; up = above[up]!) mass[base[up]! + p] = 0;
			mass[diagonal] = size > 0 ? size : 1;
			if (!hasMass && isGiven[p] === 0) this.v0[dofAt[p]!] = 0;
		}
	}

	/** Applied force in a degree of freedom; feed-forward of drives is part of their rows. */
	#applied(dof: number, control: DriveSource): number {
		const { model } = this.dynamics.kinematics.structure;
		const force = control.jointF[dof]!;
		const act = control.jointAct[dof]!;
		if (act === 0 || this.drives.has(dof)) {
			return force;
		}
		const limit = model.jointEffortLimit[dof]!;
		return force + (limit > 0 ? Math.min(limit, Math.max(-limit, act)) : act);
	}

	/** Forces on floating joints act at the centre of mass: moves their torque to the joint frame. */
	#shiftForces(tree: number, control: DriveSource, start: number): void {
		const { kinematics } = this.dynamics;
		const { structure } = kinematics;
		const { model, positionOf } = structure;
		for (let i = structure.jointStart[tree]!; i < structure.jointStart[tree + 1]!; i++) {
			const joint = structure.joints[i]!;
			const type = model.jointType[joint]!;
			if (type !== JointType.FREE && type !== JointType.DISTANCE) continue;
			const dof = model.jointQdStart[joint]!;
			const arm = armOf(this.dynamics, joint);
			const fx = control.jointF[dof]!;
			const fy = control.jointF[dof + 1]!;
			const fz = control.jointF[dof + 2]!;
			const right = this.#right;
			const x = positionOf[dof + 3]! - start;
			const y = positionOf[dof + 4]! - start;
			const z = positionOf[dof + 5]! - start;
			right[x] = right[x]! + arm[1]! * fz - arm[2]! * fy;
			right[y] = right[y]! + arm[2]! * fx - arm[0]! * fz;
			right[z] = right[z]! + arm[0]! * fy - arm[1]! * fx;
		}
	}
}

const arm = new Float64Array(3);

/** Vector from the joint frame on the child to the centre of mass, in the axes of the joint frame of the parent. */
function armOf(dynamics: TreeDynamics, joint: number): Float64Array {
	const { structure, com, pivot, frame } = dynamics.kinematics;
	const child = structure.model.jointChild[joint]!;
	const x = com[3 * child]! - pivot[3 * joint]!;
	const y = com[3 * child + 1]! - pivot[3 * joint + 1]!;
	const z = com[3 * child + 2]! - pivot[3 * joint + 2]!;
	const qx = -frame[4 * joint]!;
	const qy = -frame[4 * joint + 1]!;
	const qz = -frame[4 * joint + 2]!;
	const qw = frame[4 * joint + 3]!;
	const cx = qy * z - qz * y;
	const cy = qz * x - qx * z;
	const cz = qx * y - qy * x;
	arm[0] = x + 2 * (qw * cx + qy * cz - qz * cy);
	arm[1] = y + 2 * (qw * cy + qz * cx - qx * cz);
	arm[2] = z + 2 * (qw * cz + qx * cy - qy * cx);
	return arm;
}

/**
 * Writes the linear velocity of a floating joint for another point: `sign` 1 from the centre of mass to the joint frame, -1
 * the other way. The angular part is the same for all points.
 */
export function shiftVelocity(
	dynamics: TreeDynamics,
	joint: number,
	from: Float64Array,
	to: Float64Array,
	sign: number,
): void {
	const { model } = dynamics.kinematics.structure;
	const dof = model.jointQdStart[joint]!;
	const r = armOf(dynamics, joint);
	const wx = sign * from[dof + 3]!;
	const wy = sign * from[dof + 4]!;
	const wz = sign * from[dof + 5]!;
	// velocity of the frame = velocity of the centre of mass − ω × arm
	to[dof] = from[dof]! - (wy * r[2]! - wz * r[1]!);
	to[dof + 1] = from[dof + 1]! - (wz * r[0]! - wx * r[2]!);
	to[dof + 2] = from[dof + 2]! - (wx * r[1]! - wy * r[0]!);
}
