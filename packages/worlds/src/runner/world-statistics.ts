import type { ArrayAllocator } from '@manyworlds/model/internal';
import type { StepOutcome } from '../solver.ts';

/**
 * What became of each world; one entry for each. Totals count from the start of the runner, also through resets. What a
 * solver does not tell stays 0. @public
 */
export class WorldStatistics {
	/** Steps taken. */
	readonly stepCount: Float64Array;
	/** Contacts of the last step. */
	readonly contactCount: Int32Array;
	/** Contacts of all steps together. */
	readonly contactTotal: Float64Array;
	/** Most contacts of a step. */
	readonly contactMost: Int32Array;
	/** Contacts of all steps that had no room. */
	readonly droppedContactTotal: Float64Array;
	/** Iterations of the last step, of all steps, and most of a step. */
	readonly iterationCount: Int32Array;
	readonly iterationTotal: Float64Array;
	readonly iterationMost: Int32Array;
	/** Steps that ended before the tolerance was reached. */
	readonly unconvergedCount: Float64Array;
	/** Residual of the last step, and the largest one. */
	readonly residual: Float64Array;
	readonly residualMost: Float64Array;
	/** A `WorldFault`. */
	readonly fault: Uint8Array;
	/** Step of the runner, counted from 0, in which the fault occurred. */
	readonly faultStep: Float64Array;
	/** Degree of freedom that was too fast, and its speed [m/s, rad/s]. */
	readonly faultDof: Int32Array;
	readonly faultSpeed: Float64Array;

	/** Work of drives, actuators, springs and applied forces since the last reset [J]; where energy is accounted for. */
	readonly work: Float64Array;
	/** Most energy that came from nothing since the last reset [J], 0 when none did; where energy is accounted for. */
	readonly energyGain: Float64Array;
	/** Step of the runner, counted from 0, in which energy first came from nothing; -1 for none. */
	readonly energyGainStep: Float64Array;

	constructor(worlds: number, keep: ArrayAllocator) {
		this.stepCount = keep(new Float64Array(worlds), 'stepCount');
		this.contactCount = keep(new Int32Array(worlds), 'contactCount');
		this.contactTotal = keep(new Float64Array(worlds), 'contactTotal');
		this.contactMost = keep(new Int32Array(worlds), 'contactMost');
		this.droppedContactTotal = keep(new Float64Array(worlds), 'droppedContactTotal');
		this.iterationCount = keep(new Int32Array(worlds), 'iterationCount');
		this.iterationTotal = keep(new Float64Array(worlds), 'iterationTotal');
		this.iterationMost = keep(new Int32Array(worlds), 'iterationMost');
		this.unconvergedCount = keep(new Float64Array(worlds), 'unconvergedCount');
		this.residual = keep(new Float64Array(worlds), 'residual');
		this.residualMost = keep(new Float64Array(worlds), 'residualMost');
		this.fault = keep(new Uint8Array(worlds), 'fault');
		this.faultStep = keep(new Float64Array(worlds), 'faultStep');
		this.faultDof = keep(new Int32Array(worlds), 'faultDof');
		this.faultSpeed = keep(new Float64Array(worlds), 'faultSpeed');
		this.work = keep(new Float64Array(worlds), 'work');
		this.energyGain = keep(new Float64Array(worlds), 'energyGain');
		this.energyGainStep = keep(new Float64Array(worlds).fill(-1), 'energyGainStep');
	}

	/** Adds a step of a world. */
	note(world: number, outcome: StepOutcome): void {
		const { droppedContactCount, iterations, converged, residual } = outcome;
		const contacts = outcome.contactCount[world]!;
		this.stepCount[world]!++;
		this.contactCount[world] = contacts;
		this.contactTotal[world]! += contacts;
		if (contacts > this.contactMost[world]!) this.contactMost[world] = contacts;
		if (droppedContactCount !== undefined) this.droppedContactTotal[world]! += droppedContactCount[world]!;
		if (iterations !== undefined) {
			const count = iterations[world]!;
			this.iterationCount[world] = count;
			this.iterationTotal[world]! += count;
			if (count > this.iterationMost[world]!) this.iterationMost[world] = count;
		}
		if (converged !== undefined && converged[world] === 0) this.unconvergedCount[world]!++;
		if (residual !== undefined) {
			this.residual[world] = residual[world]!;
			if (residual[world]! > this.residualMost[world]!) this.residualMost[world] = residual[world]!;
		}
	}
}
