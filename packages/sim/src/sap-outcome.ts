import type { Contacts } from '@manyworlds/model';
import type { StepOutcome } from '@manyworlds/worlds';
import { WorldContacts } from './collision/world-contacts.ts';

/** What the last step of each world came to; one entry for each world. @public */
export class SapOutcome implements StepOutcome {
	readonly fault: Uint8Array;
	/** Newton steps. */
	readonly iterations: Int32Array;
	/** Evaluations of the line searches. */
	readonly lineSearchEvaluations: Int32Array;
	/** Norm of the scaled gradient over that of momentum or impulse. */
	readonly residual: Float64Array;
	/** 1 when the tolerance was reached. */
	readonly converged: Uint8Array;
	/** A `SapStop`. */
	readonly stop: Uint8Array;
	/** Contacts in the problem. */
	readonly contactCount: Int32Array;
	/** Contacts that were found but had no room in the buffer. */
	readonly droppedContactCount: Int32Array;
	/** Degrees of freedom in the problem. */
	readonly dofCount: Int32Array;
	/** Trees that sleep. */
	readonly asleepCount: Int32Array;

	constructor(worlds: number) {
		this.fault = new Uint8Array(worlds);
		this.iterations = new Int32Array(worlds);
		this.lineSearchEvaluations = new Int32Array(worlds);
		this.residual = new Float64Array(worlds);
		this.converged = new Uint8Array(worlds);
		this.stop = new Uint8Array(worlds);
		this.contactCount = new Int32Array(worlds);
		this.droppedContactCount = new Int32Array(worlds);
		this.dofCount = new Int32Array(worlds);
		this.asleepCount = new Int32Array(worlds);
	}
}

/** Contacts of a world that had no room. */
export function droppedContacts(contacts: Contacts | undefined, world: number): number {
	if (contacts === undefined) return 0;
	if (contacts instanceof WorldContacts) return contacts.droppedOf(world);
	return Math.max(0, contacts.rigidFound - contacts.rigidCapacity);
}
