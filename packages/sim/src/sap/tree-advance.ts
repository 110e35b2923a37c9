import { JointType, type State } from '@manyworlds/model';
import type { TreeStructure } from '../dynamics/tree-structure.ts';
import { type FreeMotion, shiftVelocity } from './free-motion.ts';
import { integrate } from './integrate.ts';
import type { WorldProblem } from './world-problem.ts';

/** Velocities beyond this carry no meaning and overflow in the next step. */
const FASTEST = 1e100;

/** Moves the trees of a world by the velocities that a solve came to, and writes its state at the end of the step. */
export class TreeAdvance {
	readonly #structure: TreeStructure;
	readonly #motion: FreeMotion;
	readonly #isMidpoint: boolean;
	/** 1 for trees that stay where they are. */
	readonly #isAsleep: Uint8Array;
	/** Velocities at the end of the step, by degree of freedom. */
	readonly #v: Float64Array;

	constructor(motion: FreeMotion, isMidpoint: boolean, isAsleep: Uint8Array) {
		this.#structure = motion.structure;
		this.#motion = motion;
		this.#isMidpoint = isMidpoint;
		this.#isAsleep = isAsleep;
		this.#v = new Float64Array(motion.structure.model.jointDofCount);
	}

	/** Velocities of trees that took part from the solution, of the others from free motion. */
	takeVelocities(world: WorldProblem, first: number, last: number): void {
		const { dofStart, dofAt, worldTrees } = this.#structure;
		const { vStar, isFixed } = this.#motion;
		const { order, v: solution } = world;
		const v = this.#v;
		for (let i = first; i < last; i++) {
			const tree = worldTrees[i]!;
			if (this.#isAsleep[tree] === 1) continue;
			const end = dofStart[tree + 1]!;
			for (let p = dofStart[tree]!; p < end; p++) v[dofAt[p]!] = vStar[dofAt[p]!]!;
		}
		for (let i = 0; i < order.count; i++) {
			const tree = order.trees[i]!;
			const shift = world.shiftOf(tree);
			const end = dofStart[tree + 1]!;
			for (let p = dofStart[tree]!; p < end; p++) if (isFixed[p] === 0) v[dofAt[p]!] = solution[p + shift]!;
		}
	}

	/**
	 * Whether the velocities of the trees from `first` to `last` of the structure are numbers that mean something. Those of trees that
	 * sleep always are: a world that comes to others stays awake.
	 */
	areFinite(first: number, last: number): boolean {
		const { dofStart, dofAt, worldTrees } = this.#structure;
		const v = this.#v;
		for (let i = first; i < last; i++) {
			const tree = worldTrees[i]!;
			const end = dofStart[tree + 1]!;
			for (let p = dofStart[tree]!; p < end; p++) if (!(Math.abs(v[dofAt[p]!]!) < FASTEST)) return false;
		}
		return true;
	}

	/** Moves coordinates and writes the output state. */
	advance(first: number, last: number, stateIn: State, stateOut: State, dt: number): void {
		const structure = this.#structure;
		const { joints } = structure;
		const { jointQdStart, jointType, jointChild } = structure.model;
		const { kinematics } = this.#motion.dynamics;
		const { jointQd } = stateOut;
		const v = this.#v;
		const isAsleep = this.#isAsleep;
		const { v0 } = this.#motion;
		integrate(structure, first, last, isAsleep, stateIn.jointQ, stateOut.jointQ, v0, v, dt, this.#isMidpoint);
		for (let i = first; i < last; i++) {
			const tree = structure.worldTrees[i]!;
			if (isAsleep[tree] === 1) {
				holdTrees(structure, i, i + 1, stateIn, stateOut);
				continue;
			}
			kinematics.placeTree(tree, stateOut.jointQ);
			kinematics.move(tree, v);
			const end = structure.jointStart[tree + 1]!;
			for (let k = structure.jointStart[tree]!; k < end; k++) {
				const joint = joints[k]!;
				const dofEnd = jointQdStart[joint + 1]!;
				for (let dof = jointQdStart[joint]!; dof < dofEnd; dof++) jointQd[dof] = v[dof]!;
				const type = jointType[joint]!;
				if (type === JointType.FREE || type === JointType.DISTANCE) {
					shiftVelocity(this.#motion.dynamics, joint, v, jointQd, -1);
				}
				this.#writeBody(tree, jointChild[joint]!, stateOut);
			}
		}
	}

	/** Pose, and velocity of the centre of mass, of a body. */
	#writeBody(tree: number, body: number, out: State): void {
		const { bodyQ: from, com, origin, velocity } = this.#motion.dynamics.kinematics;
		const { bodyQ, bodyQd } = out;
		const b = 7 * body;
		bodyQ[b] = from[b]!;
		bodyQ[b + 1] = from[b + 1]!;
		bodyQ[b + 2] = from[b + 2]!;
		bodyQ[b + 3] = from[b + 3]!;
		bodyQ[b + 4] = from[b + 4]!;
		bodyQ[b + 5] = from[b + 5]!;
		bodyQ[b + 6] = from[b + 6]!;
		const at = 6 * body;
		const wx = velocity[at]!;
		const wy = velocity[at + 1]!;
		const wz = velocity[at + 2]!;
		const rx = com[3 * body]! - origin[3 * tree]!;
		const ry = com[3 * body + 1]! - origin[3 * tree + 1]!;
		const rz = com[3 * body + 2]! - origin[3 * tree + 2]!;
		bodyQd[at] = velocity[at + 3]! + wy * rz - wz * ry;
		bodyQd[at + 1] = velocity[at + 4]! + wz * rx - wx * rz;
		bodyQd[at + 2] = velocity[at + 5]! + wx * ry - wy * rx;
		bodyQd[at + 3] = wx;
		bodyQd[at + 4] = wy;
		bodyQd[at + 5] = wz;
	}
}

/** Copies what belongs to the trees from `first` to `last` of the structure from one state to the other. */
export function holdTrees(
	structure: TreeStructure,
	first: number,
	last: number,
	stateIn: State,
	stateOut: State,
): void {
	const { model } = structure;
	for (let i = first; i < last; i++) {
		const tree = structure.worldTrees[i]!;
		for (let k = structure.jointStart[tree]!; k < structure.jointStart[tree + 1]!; k++) {
			const joint = structure.joints[k]!;
			for (let q = model.jointQStart[joint]!; q < model.jointQStart[joint + 1]!; q++)
				stateOut.jointQ[q] = stateIn.jointQ[q]!;
			for (let d = model.jointQdStart[joint]!; d < model.jointQdStart[joint + 1]!; d++)
				stateOut.jointQd[d] = stateIn.jointQd[d]!;
			const body = model.jointChild[joint]!;
			for (let q = 0; q < 7; q++) stateOut.bodyQ[7 * body + q] = stateIn.bodyQ[7 * body + q]!;
			for (let d = 0; d < 6; d++) stateOut.bodyQd[6 * body + d] = stateIn.bodyQd[6 * body + d]!;
		}
	}
}
