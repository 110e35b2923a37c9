import { JointType, type State } from '@manyworlds/model';
import { TreeDynamics } from '../dynamics/tree-dynamics.ts';
import { TreeKinematics } from '../dynamics/tree-kinematics.ts';
import type { TreeStructure } from '../dynamics/tree-structure.ts';
import { DofDrives, type DriveSource } from './dof-drives.ts';
import { EnvelopeCholesky } from './envelope-cholesky.ts';
import { EnvelopeMatrix } from './envelope-matrix.ts';
import { GyroscopicStep } from './gyroscopic-step.ts';
import type { SapModes } from './sap-options.ts';

/** Modes that free motion depends on. */
export type FreeMotionOptions = Pick<SapModes, 'freeMotionSolvePrecision' | 'positionIntegration'> & {
	readonly gyroscopicTerms: 'implicit' | 'explicit';
};

/** Speed [m/s or rad/s] below which no tree is looked at for energy that comes from nothing. */
const SUSPICIOUS_SPEED = 50;
/** Speed at the start [m/s or rad/s] below which motion gives no tree energy that counts. */
const CALM_SPEED = 10;
/** Times that the speed, in the norm of the mass matrix, may grow in a step beyond what forces give. */
const MOST_GROWTH = 2;

/** What the motion of a step starts from. */
export type MotionState = Pick<State, 'jointQ' | 'jointQd' | 'bodyF'>;

/**
 * Motion without constraints: `A = M + armature + dt D` and `v* = v0 + dt A⁻¹ (forces at the start − D v0)`. Velocities of
 * floating joints are those of the joint frame on the child inside the solver, and of the centre of mass outside.
 */
export class FreeMotion {
	readonly structure: TreeStructure;
	readonly drives: DofDrives;
	/** Velocities at the start, by degree of freedom. */
	readonly v0: Float64Array;
	/** Velocities of free motion, by degree of freedom. */
	readonly vStar: Float64Array;
	/** Whether a tree since the last `begin` gained energy in the step that no force gave it. */
	hasGainedEnergy = false;
	/** 1 for positions whose velocity is given: kinematic bodies, and motion that nothing has mass in. */
	readonly isFixed: Uint8Array;

	readonly #matrix = new EnvelopeMatrix();
	readonly #factor: EnvelopeCholesky;
	readonly #single: boolean;
	readonly #right: Float64Array;
	readonly #options: FreeMotionOptions;
	#dynamics: TreeDynamics | undefined;
	#gyroscopic: GyroscopicStep | undefined;

	constructor(structure: TreeStructure, options: FreeMotionOptions) {
		const single = options.freeMotionSolvePrecision === 'fp32';
		this.structure = structure;
		this.#options = options;
		this.drives = new DofDrives(structure.model);
		const dofs = structure.model.jointDofCount;
		this.v0 = new Float64Array(dofs);
		this.vStar = new Float64Array(dofs);
		this.isFixed = new Uint8Array(structure.dofAt.length);
		this.#single = single;
		this.#factor = new EnvelopeCholesky(single);
		this.#right = new Float64Array(dofs);
	}

	/** Kinematics and mass matrices, made when they are first asked for: many worlds whose steps the engine takes need none. */
	get dynamics(): TreeDynamics {
		if (this.#dynamics === undefined) {
			const { gyroscopicTerms, positionIntegration } = this.#options;
			this.#dynamics = new TreeDynamics(new TreeKinematics(this.structure));
			if (gyroscopicTerms === 'implicit')
				this.#gyroscopic = new GyroscopicStep(this.#dynamics, positionIntegration === 'midpoint');
		}
		return this.#dynamics;
	}

	/** Forgets what was placed and takes the joint frames of the model again. */
	invalidate(): void {
		this.#dynamics?.kinematics.invalidate();
	}

	begin(): void {
		this.hasGainedEnergy = false;
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
		const first = dynamics.kinematics.structure.dofStart[tree]!;
		if (this.isFixed[first] === 0) this.#gyroscopic?.correct(tree, this.v0, this.vStar, dt);
		if (this.#isFast(tree) && this.#gainsEnergy(tree, state, control, dt, gravity)) this.hasGainedEnergy = true;
	}

	#isFast(tree: number): boolean {
		const { dofStart, dofAt } = this.structure;
		const { v0, vStar } = this;
		const end = dofStart[tree + 1]!;
		let isFast = false;
		let isMoving = false;
		for (let p = dofStart[tree]!; p < end; p++) {
			const dof = dofAt[p]!;
			if (Math.abs(vStar[dof]!) > SUSPICIOUS_SPEED) isFast = true;
			if (Math.abs(v0[dof]!) > CALM_SPEED) isMoving = true;
		}
		return isFast && isMoving;
	}

	/**
	 * Whether a tree is faster after the step than its forces can make it. Coriolis forces do no work, but taken at the start of
	 * a step they do, and more in every step when it is too long for the speed.
	 */
	#gainsEnergy(tree: number, state: MotionState, control: DriveSource, dt: number, gravity: Float64Array): boolean {
		const before = this.#norm(tree, this.v0);
		const after = this.#norm(tree, this.vStar);
		if (!(after > MOST_GROWTH * before)) return false;
		const { dynamics } = this;
		const { kinematics } = dynamics;
		const { dofStart, dofAt } = kinematics.structure;
		// forces without motion
		const still = new Float64Array(this.v0.length);
		kinematics.move(tree, still);
		dynamics.computeBias(tree, still, gravity, 0, state.bodyF);
		const right = this.#right;
		const start = dofStart[tree]!;
		for (let p = start; p < dofStart[tree + 1]!; p++) {
			const dof = dofAt[p]!;
			right[p - start] =
				this.isFixed[p] === 1 ? 0 : control.jointF[dof]! + this.feedForward(dof, control) - dynamics.bias[dof]!;
		}
		this.#shiftForces(tree, control, start);
		this.#factor.solve(right);
		for (let p = start; p < dofStart[tree + 1]!; p++) still[dofAt[p]!] = dt * right[p - start]!;
		kinematics.move(tree, this.v0);
		return after > MOST_GROWTH * (before + this.#norm(tree, still));
	}

	/** Speed of a tree in the norm of its mass matrix, armature and damping included: the root of twice its energy. */
	#norm(tree: number, v: Float64Array): number {
		const { structure } = this.dynamics.kinematics;
		const { dofStart, dofAt, base, subtree } = structure;
		const { mass } = this.dynamics;
		let squared = 0;
		for (let p = dofStart[tree]!; p < dofStart[tree + 1]!; p++) {
			if (this.isFixed[p] === 1) continue;
			const own = v[dofAt[p]!]!;
			squared += mass[base[p]! + p]! * own * own;
			for (let c = subtree[p]!; c < p; c++) squared += 2 * mass[base[p]! + c]! * own * v[dofAt[c]!]!;
		}
		return Math.sqrt(Math.max(0, squared));
	}

	/** Velocities of floating joints from the centre of mass to the joint frame. */
	#toInside(tree: number, jointQd: Float64Array): void {
		const { joints, jointStart, model } = this.structure;
		const { jointQdStart, jointType } = model;
		const { v0 } = this;
		const end = jointStart[tree + 1]!;
		for (let i = jointStart[tree]!; i < end; i++) {
			const joint = joints[i]!;
			const dofEnd = jointQdStart[joint + 1]!;
			for (let dof = jointQdStart[joint]!; dof < dofEnd; dof++) v0[dof] = jointQd[dof]!;
			const type = jointType[joint]!;
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
		const { first: rowFirst, base: rowBase } = matrix;
		let size = 0;
		for (let p = start; p < end; p++) {
			const dof = dofAt[p]!;
			const diagonal = base[p]! + p;
			const value = mass[diagonal]! + jointArmature[dof]! + dt * jointDamping[dof]!;
			mass[diagonal] = value;
			if (value > size) size = value;
			rowFirst[p - start] = subtree[p]! - start;
			rowBase[p - start] = base[p]! + start;
		}
		this.#fix(start, end, size);
		const right = this.#right;
		const { jointF, jointAct } = control;
		for (let p = start; p < end; p++) {
			const dof = dofAt[p]!;
			// numbers that a call gives back are boxed: only where there is anything to ask for
			let applied = jointF[dof]!;
			if (jointAct[dof]! !== 0) applied += this.feedForward(dof, control);
			right[p - start] = applied - bias[dof]! - jointDamping[dof]! * v0[dof]!;
		}
		this.#shiftForces(tree, control, start);
		for (let p = start; p < end; p++) if (isFixed[p] === 1) right[p - start] = 0;
		if (this.#factor.factor(matrix)) this.#factor.solve(right);
		else right.fill(Number.NaN, 0, end - start);
		for (let p = start; p < end; p++) {
			const dof = dofAt[p]!;
			vStar[dof] = v0[dof]! + dt * right[p - start]!;
		}
		if (!this.#single) return;
		for (let p = start; p < end; p++) if (isFixed[p] === 0) vStar[dofAt[p]!] = Math.fround(vStar[dofAt[p]!]!);
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

	/** Feed-forward control of a degree of freedom without a drive; that of drives is part of their rows. */
	feedForward(dof: number, control: DriveSource): number {
		const act = control.jointAct[dof]!;
		if (act === 0 || this.drives.has(dof)) return 0;
		const limit = this.structure.model.jointEffortLimit[dof]!;
		return limit > 0 ? Math.min(limit, Math.max(-limit, act)) : act;
	}

	/** Forces on floating joints act at the centre of mass: moves their torque to the joint frame. */
	#shiftForces(tree: number, control: DriveSource, start: number): void {
		const { structure } = this.dynamics.kinematics;
		const { model, positionOf, joints, jointStart } = structure;
		const { jointType } = model;
		const end = jointStart[tree + 1]!;
		for (let i = jointStart[tree]!; i < end; i++) {
			const joint = joints[i]!;
			const type = jointType[joint]!;
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
