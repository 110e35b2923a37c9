import type { State } from '@manyworlds/model';
import type { TreeStructure } from '../dynamics/tree-structure.ts';

/** Bodies, coordinates and particles of no tree, which stay as they are in a step. */
export class UnmovedRows {
	readonly #structure: TreeStructure;
	readonly #bodies: Int32Array;

	constructor(structure: TreeStructure) {
		this.#structure = structure;
		this.#bodies = structure.treeOf.map((_, body) => body).filter((body) => structure.treeOf[body]! < 0);
	}

	/** Copies them from one state to the other. */
	copy(stateIn: State, stateOut: State): void {
		const { model, loopJoints } = this.#structure;
		const bodies = this.#bodies;
		for (let i = 0; i < bodies.length; i++) {
			const body = bodies[i]!;
			for (let k = 0; k < 7; k++) stateOut.bodyQ[7 * body + k] = stateIn.bodyQ[7 * body + k]!;
			for (let k = 0; k < 6; k++) stateOut.bodyQd[6 * body + k] = stateIn.bodyQd[6 * body + k]!;
		}
		for (let i = 0; i < loopJoints.length; i++) {
			const joint = loopJoints[i]!;
			for (let q = model.jointQStart[joint]!; q < model.jointQStart[joint + 1]!; q++)
				stateOut.jointQ[q] = stateIn.jointQ[q]!;
			for (let d = model.jointQdStart[joint]!; d < model.jointQdStart[joint + 1]!; d++)
				stateOut.jointQd[d] = stateIn.jointQd[d]!;
		}
		for (let i = 0; i < stateIn.particleQ.length; i++) {
			stateOut.particleQ[i] = stateIn.particleQ[i]!;
			stateOut.particleQd[i] = stateIn.particleQd[i]!;
		}
	}
}
