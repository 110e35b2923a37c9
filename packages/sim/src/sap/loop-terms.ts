import { quatToRotationVector, transformInvert, transformMultiply } from '@manyworlds/core/internal';
import type { Model } from '@manyworlds/model';
import { groupByWorld } from './group-by-world.ts';
import { COUPLER, type Loop, loopsOf, placeFrame, rotate } from './loops.ts';
import { regulariseBilateral, regulariseLimit, rowsWeight } from './regularise.ts';
import type { WorldProblem } from './world-problem.ts';

/** Mimic and equality constraints and joints that close loops, as terms of the problem of a world. */
export class LoopTerms {
	/** Whether bodies are held to each other, not only coordinates. */
	readonly hasFrames: boolean;
	readonly #model: Model;
	readonly #world: WorldProblem;
	readonly #byWorld: readonly (readonly Loop[])[];
	readonly #poses = new Float64Array(14);
	readonly #inverse = new Float64Array(7);
	readonly #relative = new Float64Array(7);
	readonly #angle = new Float64Array(3);
	readonly #direction = new Float64Array(3);

	/** Time [s] in which open loops close. */
	readonly #tau: number;

	constructor(world: WorldProblem, tau: number) {
		const { structure } = world.motion;
		this.#world = world;
		this.#tau = tau;
		this.#model = structure.model;
		const loops = loopsOf(this.#model, structure.loopJoints);
		this.hasFrames = loops.some(({ kind }) => kind !== COUPLER);
		this.#byWorld = groupByWorld(loops, this.#model.worldCount);
	}

	/** Whether no world has any. */
	get isEmpty(): boolean {
		return this.#byWorld.every((loops) => loops.length === 0);
	}

	/** Makes the trees of the loops of a world take part. */
	connect(world: number): void {
		const { structure } = this.#world.motion;
		for (const loop of this.#byWorld[world]!) {
			if (!loop.isEnabled()) continue;
			const tree0 = loop.body0 < 0 ? -1 : structure.treeOf[loop.body0]!;
			const tree1 = loop.body1 < 0 ? -1 : structure.treeOf[loop.body1]!;
			if (tree0 >= 0 && tree1 >= 0) this.#world.order.connect(tree0, tree1);
			else if (tree0 >= 0 || tree1 >= 0) this.#world.order.use(Math.max(tree0, tree1));
		}
	}

	/** Adds the loops of a world. */
	add(world: number, jointQ: Float64Array, dt: number): void {
		for (const loop of this.#byWorld[world]!) {
			if (!loop.isEnabled()) continue;
			if (loop.kind === COUPLER) this.#addCoupler(loop, jointQ, dt);
			else this.#addFrames(loop, dt);
		}
	}

	#addCoupler(loop: Loop, jointQ: Float64Array, dt: number): void {
		const { problem, motion } = this.#world;
		const q1 = loop.coord1 >= 0 ? jointQ[loop.coord1]! : 0;
		let value = 0;
		let slope = 0;
		for (let i = loop.coefficients.length - 1; i >= 0; i--) {
			slope = slope * q1 + value;
			value = value * q1 + loop.coefficients[i]!;
		}
		const c0 = this.#world.placeOf(loop.dof0);
		const c1 = loop.dof1 >= 0 ? this.#world.placeOf(loop.dof1) : -1;
		const row = problem.addRow(Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY);
		if (c1 >= 0 && c1 < c0) problem.addRowColumn(c1, -slope);
		if (c0 >= 0) problem.addRowColumn(c0, 1);
		if (c1 >= 0 && c1 > c0) problem.addRowColumn(c1, -slope);
		if (problem.rowStart[row + 1] === problem.rowStart[row]) {
			problem.rowCount--;
			return;
		}
		const weight = rowsWeight(problem, row, 1);
		regulariseBilateral(problem, row, weight, dt, jointQ[loop.coord0]! - value, Number.POSITIVE_INFINITY, this.#tau);
		// what moves as given moves the other one along
		let given = c0 < 0 ? -motion.v0[loop.dof0]! : 0;
		if (c1 < 0 && loop.dof1 >= 0) given += slope * motion.v0[loop.dof1]!;
		problem.rowVHat[row] = problem.rowVHat[row]! + given;
	}

	#addFrames(loop: Loop, dt: number): void {
		const { kinematics } = this.#world.motion.dynamics;
		const pose = this.#poses;
		placeFrame(pose, 0, kinematics.bodyQ, loop.body0, loop.frame0);
		placeFrame(pose, 7, kinematics.bodyQ, loop.body1, loop.frame1);
		this.#world.collect(loop.body0, loop.body1);
		if (loop.distance >= 0) {
			this.#addDistance(loop, dt);
			return;
		}
		const { problem } = this.#world;
		const first = problem.rowCount;
		const count = loop.linear.length / 3 + loop.angular.length / 3;
		// rotation from frame 0 to frame 1 in world axes
		const relative = this.#relative;
		transformInvert(this.#inverse, pose, 0, 0);
		transformMultiply(relative, pose, this.#inverse, 0, 7, 0);
		quatToRotationVector(this.#angle, relative, 0, 3);
		for (let i = 0; i < loop.angular.length; i += 3) this.#addDirection(pose, loop.angular, i, true, true);
		// frames that are held in rotation too are taken at the middle of their origins, points each at its own place
		const atMiddle = loop.angular.length > 0;
		for (let i = 0; i < loop.linear.length; i += 3) this.#addDirection(pose, loop.linear, i, false, atMiddle);
		const weight = rowsWeight(problem, first, count);
		// nothing that can move moves along what is held
		if (weight === 0) {
			problem.rowCount = first;
			return;
		}
		const d = this.#direction;
		for (let i = 0; i < count; i++) {
			const isAngular = i < loop.angular.length / 3;
			const list = isAngular ? loop.angular : loop.linear;
			rotate(d, pose, 3, list, 3 * (isAngular ? i : i - loop.angular.length / 3));
			let gap = 0;
			for (let k = 0; k < 3; k++) gap += d[k]! * (isAngular ? this.#angle[k]! : pose[7 + k]! - pose[k]!);
			const given = problem.rowVHat[first + i]!;
			regulariseBilateral(problem, first + i, weight, dt, gap, Number.POSITIVE_INFINITY, this.#tau);
			problem.rowVHat[first + i] = problem.rowVHat[first + i]! + given;
		}
	}

	/** A row for motion of frame 1 relative to frame 0 along a direction of frame 0. */
	#addDirection(pose: Float64Array, list: Float64Array, at: number, isAngular: boolean, atMiddle: boolean): void {
		const d = this.#direction;
		rotate(d, pose, 3, list, at);
		this.#addRow(d[0]!, d[1]!, d[2]!, isAngular, atMiddle);
	}

	/** Adds a row with the columns collected before. */
	#addRow(dx: number, dy: number, dz: number, isAngular: boolean, atMiddle: boolean): number {
		const world = this.#world;
		const { problem, motion } = world;
		const { twist, origin, structure } = motion.dynamics.kinematics;
		const pose = this.#poses;
		const row = problem.addRow(Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY);
		for (let k = 0; k < world.columnCount; k++) {
			const dof = world.dof[k]!;
			const s = 6 * dof;
			const o = 3 * structure.treeOf[structure.bodyAt[structure.positionOf[dof]!]!]!;
			let value = 0;
			for (let body = 0; body < 2; body++) {
				if ((world.side[k]! & (1 << body)) === 0) continue;
				const sign = body === 0 ? -1 : 1;
				if (isAngular) {
					value += sign * (twist[s]! * dx + twist[s + 1]! * dy + twist[s + 2]! * dz);
					continue;
				}
				const at = 7 * body;
				const px = atMiddle ? 0.5 * (pose[0]! + pose[7]!) : pose[at]!;
				const py = atMiddle ? 0.5 * (pose[1]! + pose[8]!) : pose[at + 1]!;
				const pz = atMiddle ? 0.5 * (pose[2]! + pose[9]!) : pose[at + 2]!;
				const rx = px - origin[o]!;
				const ry = py - origin[o + 1]!;
				const rz = pz - origin[o + 2]!;
				value +=
					sign *
					(dx * (twist[s + 3]! + twist[s + 1]! * rz - twist[s + 2]! * ry) +
						dy * (twist[s + 4]! + twist[s + 2]! * rx - twist[s]! * rz) +
						dz * (twist[s + 5]! + twist[s]! * ry - twist[s + 1]! * rx));
			}
			const column = world.column[k]!;
			if (column >= 0) problem.addRowColumn(column, value);
			else problem.rowVHat[row] = problem.rowVHat[row]! - value * motion.v0[dof]!;
		}
		return row;
	}

	/** Rows that keep the distance of two points between its limits, or at one value. */
	#addDistance(loop: Loop, dt: number): void {
		const model = this.#model;
		const { problem } = this.#world;
		const pose = this.#poses;
		const x = pose[7]! - pose[0]!;
		const y = pose[8]! - pose[1]!;
		const z = pose[9]! - pose[2]!;
		const length = Math.sqrt(x * x + y * y + z * z);
		const scale = length > 1e-12 ? 1 / length : 0;
		const dof = model.jointQdStart[loop.distance]!;
		const lower = model.jointLimitLower[dof]!;
		const upper = model.jointLimitUpper[dof]!;
		const ke = model.jointLimitKe[dof]!;
		const stiffness = ke > 0 ? ke : Number.POSITIVE_INFINITY;
		const tau = ke > 0 ? Math.max(0, model.jointLimitKd[dof]! / ke) : 0;
		const nx = length > 1e-12 ? x * scale : 1;
		const ny = y * scale;
		const nz = z * scale;
		if (lower >= 0 && lower === upper) {
			const row = this.#addRow(nx, ny, nz, false, false);
			const given = problem.rowVHat[row]!;
			regulariseBilateral(problem, row, rowsWeight(problem, row, 1), dt, length - lower, stiffness, tau);
			problem.rowVHat[row] = problem.rowVHat[row]! + given;
			return;
		}
		for (let side = 1; side >= -1; side -= 2) {
			const limit = side > 0 ? lower : upper;
			if (!(limit >= 0)) continue;
			const row = this.#addRow(side * nx, side * ny, side * nz, false, false);
			problem.rowLower[row] = 0;
			const given = problem.rowVHat[row]!;
			regulariseLimit(problem, row, rowsWeight(problem, row, 1), dt, side * (length - limit), stiffness, tau);
			problem.rowVHat[row] = problem.rowVHat[row]! + given;
		}
	}
}
