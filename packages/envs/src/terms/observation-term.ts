import type { EnvField } from '../env-field.ts';
import type { EnvWorlds } from '../env-worlds.ts';

/** A part of an observation. It is bound to the worlds of an environment once, and then read in every step. @public */
export interface ObservationTerm {
	/** Whether forces of contacts must be told by the simulation. */
	readonly needsContacts?: boolean;
	bind(worlds: EnvWorlds): BoundObservation;
}

/** An {@link ObservationTerm} with its worlds. @public */
export interface BoundObservation {
	/** The numbers that it gives, in their order. */
	readonly fields: readonly EnvField[];
	/** Writes the numbers of a world from `out[at]` on. */
	read(world: number, out: Float64Array, at: number): void;
	/** Looks at the state after a step of the simulation; a term that has it makes the simulation stop after every step. */
	afterStep?(): void;
	/** Forgets what a world did before its new episode. */
	reset?(world: number): void;
}
