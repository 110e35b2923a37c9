import type { Contacts, Model, State } from '@manyworlds/model';
import type { IndexRange } from '@manyworlds/model/internal';
import type { Solver } from './solver.ts';

/** A solver with what finds its contacts, for a run of worlds in one thread. @public */
export interface WorldSolver {
	readonly solver: Solver;
	/**
	 * Finds the contacts of the masked worlds (one entry for each world of the model) for a step of `dt` [s], one number or one
	 * for each world, in a run of worlds, or in all of its own. Left out, the solver does it.
	 */
	readonly collide?: (state: State, mask: Uint8Array, dt: number | Float64Array, range?: IndexRange) => Contacts;
	/**
	 * How many worlds take all steps of a command before the next ones take theirs, so that what they need stays in the cache; left
	 * out, all of them take each step together. Worlds must not depend on the order.
	 */
	readonly worldsAtOnce?: number;
	/** Tells collision of edits of the model; the flags say which. The solver is told by itself. */
	readonly notifyModelChanged?: (flags: number) => void;
	/**
	 * Contacts of the last step of a world with their forces: rows `start` to `end`. `state` is that after the step. Left out by
	 * solvers that do not know.
	 */
	readonly contactsOf?: (world: number, state: State) => ContactRows;
}

/** A run of rows of contacts. @public */
export interface ContactRows {
	readonly contacts: Contacts;
	readonly start: number;
	readonly end: number;
}

/** What a {@link WorldSolver} is made from. @public */
export interface WorldSolverSetup {
	readonly model: Model;
	/** The caller's options, after their way to another thread. */
	readonly options: unknown;
	/** Worlds that the solver will be asked to step. */
	readonly range: IndexRange;
	/** What `prepare` gave. */
	readonly prepared: Uint8Array | undefined;
}

/** Makes the solvers of one kind. @public */
export interface WorldSolverFactory {
	/** Work that all threads would do alike, as bytes; it is done in one of them. */
	prepare?(model: Model, options: unknown): Promise<Uint8Array>;
	create(setup: WorldSolverSetup): WorldSolver | Promise<WorldSolver>;
}

/** Loads factories by the name of their solver; nothing is loaded before it is asked for. @public */
export type WorldSolvers = Readonly<Record<string, () => Promise<WorldSolverFactory>>>;
