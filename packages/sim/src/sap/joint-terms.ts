import { JointTargetMode, type Model, UNLIMITED } from '@manyworlds/model';
import { BOUNDS, type DofDrives, type DriveSource, FORCE, RATE, TARGET } from './dof-drives.ts';
import {
	type DriveGains,
	effectiveGains,
	FRICTION_SIGMA,
	JOINT_BETA,
	nearRigidBound,
	regulariseDryFriction,
	regulariseLimit,
	rowsWeight,
} from './regularise.ts';
import type { WorldProblem } from './world-problem.ts';

/** A limit counts when it could be reached in so many steps at the present speed (Drake). */
const LIMIT_WINDOW = 2;

/** Bits of the limits of a degree of freedom. */
const LOWER = 1;
const UPPER = 2;

/** Speeds beyond this are none: the builder's default. */
const NO_SPEED_LIMIT = 1e6;

/** Drives, limits and dry friction of the joints of a tree as terms of a problem. */
export class JointTerms {
	readonly #model: Model;
	readonly #world: WorldProblem;
	readonly #drives: DofDrives;
	readonly #gains: DriveGains = { kp: 0, kd: 0 };

	/** Rows of drives. */
	#driveRows = new Int32Array(16);
	#driveCount = 0;
	#before = new Float64Array(0);

	/** Whether speeds are limited. */
	readonly #limitsSpeed: boolean;

	constructor(world: WorldProblem, limitsSpeed: boolean) {
		this.#limitsSpeed = limitsSpeed;
		this.#world = world;
		this.#model = world.motion.structure.model;
		this.#drives = world.motion.drives;
	}

	/** Forgets the drives of the last problem. */
	begin(): void {
		this.#driveCount = 0;
	}

	/** Whether a tree has any term in this step. */
	isNeeded(tree: number, jointQ: Float64Array, dt: number): boolean {
		const { structure } = this.#world.motion;
		for (let p = structure.dofStart[tree]!; p < structure.dofStart[tree + 1]!; p++) {
			const dof = structure.dofAt[p]!;
			if (this.#world.motion.isFixed[p] === 1) continue;
			if (this.#drives.has(dof) || this.#model.jointFriction[dof]! > 0) return true;
			if (this.#nearLimits(dof, jointQ, dt) !== 0) return true;
			if (this.#isFast(dof)) return true;
		}
		return false;
	}

	/** Adds the terms of a tree. */
	add(tree: number, jointQ: Float64Array, control: DriveSource, dt: number): void {
		const { motion } = this.#world;
		const { structure } = motion;
		const { isFixed } = motion;
		const { dofAt } = structure;
		const { jointFriction } = this.#model;
		const drives = this.#drives;
		const shift = this.#world.shiftOf(tree);
		const end = structure.dofStart[tree + 1]!;
		for (let p = structure.dofStart[tree]!; p < end; p++) {
			if (isFixed[p] === 1) continue;
			const dof = dofAt[p]!;
			const column = p + shift;
			if (drives.has(dof)) this.#addDrive(dof, column, jointQ, control, dt);
			const limits = this.#nearLimits(dof, jointQ, dt);
			if ((limits & LOWER) !== 0) this.#addLimit(dof, column, jointQ, dt, 1);
			if ((limits & UPPER) !== 0) this.#addLimit(dof, column, jointQ, dt, -1);
			if (jointFriction[dof]! > 0) this.#addFriction(dof, column, dt);
			if (this.#isFast(dof)) this.#addSpeedLimits(dof, column);
		}
	}

	/**
	 * Work [J] of the drives in the step that led to the velocities of the problem: impulses times the mean of the velocities
	 * before and after, which is what the kinetic energy changes by.
	 */
	work(): number {
		const { problem, v } = this.#world;
		const { rowStart, rowColumn, rowJacobian, rowLower, rowUpper, rowR, rowVHat } = problem;
		const before = this.#velocitiesBefore();
		let work = 0;
		for (let i = 0; i < this.#driveCount; i++) {
			const row = this.#driveRows[i]!;
			let first = 0;
			let last = 0;
			for (let k = rowStart[row]!; k < rowStart[row + 1]!; k++) {
				first += rowJacobian[k]! * before[rowColumn[k]!]!;
				last += rowJacobian[k]! * v[rowColumn[k]!]!;
			}
			const impulse = Math.min(rowUpper[row]!, Math.max(rowLower[row]!, (rowVHat[row]! - last) / rowR[row]!));
			work += 0.5 * impulse * (first + last);
		}
		return work;
	}

	/** Velocities at the start of the step, in the order of the problem. */
	#velocitiesBefore(): Float64Array {
		const { motion, order, problem } = this.#world;
		const { dofStart, dofAt } = motion.structure;
		if (this.#before.length < problem.dofCount) this.#before = new Float64Array(problem.dofCount);
		for (let i = 0; i < order.count; i++) {
			const tree = order.trees[i]!;
			const shift = this.#world.shiftOf(tree);
			for (let p = dofStart[tree]!; p < dofStart[tree + 1]!; p++) this.#before[p + shift] = motion.v0[dofAt[p]!]!;
		}
		return this.#before;
	}

	/** Counts a row of the step as one that does work on what it drives. */
	countWork(row: number): void {
		if (this.#driveCount === this.#driveRows.length) {
			const rows = new Int32Array(2 * this.#driveCount);
			rows.set(this.#driveRows);
			this.#driveRows = rows;
		}
		this.#driveRows[this.#driveCount++] = row;
	}

	/** Whether a row of the step was counted as one that does work. */
	isCounted(row: number): boolean {
		for (let i = 0; i < this.#driveCount; i++) if (this.#driveRows[i] === row) return true;
		return false;
	}

	#addDrive(dof: number, column: number, jointQ: Float64Array, control: DriveSource, dt: number): void {
		const model = this.#model;
		const drives = this.#drives;
		const { problem } = this.#world;
		const coordinate = drives.coordinate[dof]!;
		const isStiff = coordinate >= 0 && model.jointTargetMode[dof] !== JointTargetMode.VELOCITY;
		const { bounds } = drives;
		const b = BOUNDS * dof;
		const rate = within(control.jointTargetQd[dof]!, bounds[b + RATE]!, bounds[b + RATE + 1]!);
		const limit = model.jointEffortLimit[dof]!;
		const effort = limit > 0 ? limit : Number.POSITIVE_INFINITY;
		let kp = isStiff ? model.jointTargetKe[dof]! : 0;
		// most drives have a damping of their own: numbers that a call gives back are boxed
		let kd = model.jointTargetKd[dof]!;
		if (kd === 0) kd = drives.dampingOf(dof);
		const { mass } = problem;
		const weight = 1 / mass.values[mass.base[column]! + column]!;
		// gains within the near-rigid bound, which is nearly always, need no call
		if (dt * (dt * kp + kd) * nearRigidBound(JOINT_BETA, weight) > 1) {
			const gains = this.#gains;
			effectiveGains(gains, kp, kd, weight, dt);
			kp = gains.kp;
			kd = gains.kd;
		}
		const gain = dt * kp + kd;
		let error = 0;
		if (isStiff) {
			const target = within(control.jointTargetQ[coordinate]!, bounds[b + TARGET]!, bounds[b + TARGET + 1]!);
			error = target - jointQ[coordinate]! - drives.reference[dof]!;
		}
		const row = problem.addUnitRow(column);
		problem.rowLower[row] = dt * Math.max(-effort, bounds[b + FORCE]!);
		problem.rowUpper[row] = dt * Math.min(effort, bounds[b + FORCE + 1]!);
		problem.rowR[row] = 1 / (dt * gain);
		problem.rowVHat[row] = (kp * error + kd * rate + control.jointAct[dof]!) / gain;
		this.countWork(row);
	}

	/** Which limits count, as bits. Both are looked at in one call, and distances in place: numbers that calls give back are boxed. */
	#nearLimits(dof: number, jointQ: Float64Array, dt: number): number {
		const model = this.#model;
		const coordinate = this.#drives.coordinate[dof]!;
		if (coordinate < 0 || !(model.jointLimitKe[dof]! > 0)) return 0;
		const lower = model.jointLimitLower[dof]!;
		const upper = model.jointLimitUpper[dof]!;
		const { v0, vStar } = this.#world.motion;
		const reach = LIMIT_WINDOW * dt * Math.max(Math.abs(v0[dof]!), Math.abs(vStar[dof]!));
		const q = jointQ[coordinate]! + this.#drives.reference[dof]!;
		const isLow = -lower < UNLIMITED && q - lower <= reach;
		const isHigh = upper < UNLIMITED && upper - q <= reach;
		return (isLow ? LOWER : 0) | (isHigh ? UPPER : 0);
	}

	#addLimit(dof: number, column: number, jointQ: Float64Array, dt: number, side: number): void {
		const model = this.#model;
		const { problem } = this.#world;
		const ke = model.jointLimitKe[dof]!;
		const row = problem.addUnitRow(column);
		problem.rowJacobian[problem.rowStart[row]!] = side;
		problem.rowLower[row] = 0;
		problem.rowUpper[row] = Number.POSITIVE_INFINITY;
		const tau = Math.max(0, model.jointLimitKd[dof]! / ke);
		const q = jointQ[this.#drives.coordinate[dof]!]! + this.#drives.reference[dof]!;
		const gap = side > 0 ? q - model.jointLimitLower[dof]! : model.jointLimitUpper[dof]! - q;
		const weight = rowsWeight(problem, row, 1);
		regulariseLimit(problem, row, weight, dt, gap, ke, tau);
	}

	#addFriction(dof: number, column: number, dt: number): void {
		const { problem } = this.#world;
		const most = dt * this.#model.jointFriction[dof]!;
		const row = problem.addUnitRow(column);
		problem.rowLower[row] = -most;
		problem.rowUpper[row] = most;
		regulariseDryFriction(problem, row, rowsWeight(problem, row, 1), FRICTION_SIGMA);
	}

	/** Whether a degree of freedom could come to its greatest speed in this step. */
	#isFast(dof: number): boolean {
		if (!this.#limitsSpeed) return false;
		const limit = this.#model.jointVelocityLimit[dof]!;
		if (!(limit > 0 && limit < NO_SPEED_LIMIT)) return false;
		const { v0, vStar } = this.#world.motion;
		// drives and contacts may push too: look from half of it on
		return Math.max(Math.abs(v0[dof]!), Math.abs(vStar[dof]!)) > 0.5 * limit || this.#drives.has(dof);
	}

	/** One-sided rows at both speeds, as stiff as the near-rigid bound. */
	#addSpeedLimits(dof: number, column: number): void {
		const { problem } = this.#world;
		for (let side = 1; side >= -1; side -= 2) {
			const row = problem.addUnitRow(column);
			problem.rowJacobian[problem.rowStart[row]!] = side;
			problem.rowLower[row] = 0;
			problem.rowUpper[row] = Number.POSITIVE_INFINITY;
			problem.rowR[row] = nearRigidBound(JOINT_BETA, rowsWeight(problem, row, 1));
			problem.rowVHat[row] = -this.#model.jointVelocityLimit[dof]!;
		}
	}
}

function within(value: number, lower: number, upper: number): number {
	return Math.min(upper, Math.max(lower, value));
}
