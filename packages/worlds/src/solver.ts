import type { Report } from '@manyworlds/core';
import type { Contacts, Control, Model, State } from '@manyworlds/model';
import type { IndexRange } from '@manyworlds/model/internal';

/**
 * What every solver is: it moves the worlds of a model in time. Worlds share nothing, so a world does the same alone or among
 * others. A solver is made for a model and reads what it says; `notifyModelChanged` tells of edits.
 *
 * ```ts
 * solver.step(state, next, undefined, contacts, 0.002);
 * if (solver.outcome.fault[0] !== WorldFault.NONE) solver.reset(state);
 * ```
 * @public
 */
export interface Solver {
	readonly model: Model;
	/** What of the model the solver cannot do. */
	readonly report: Report;
	/** What the last step of each world came to. */
	readonly outcome: StepOutcome;
	/** What computes the steps, for solvers that have several ways. */
	readonly engine?: string;
	/**
	 * Writes the state one step of `dt` [s] later to `stateOut`, for the worlds that the options name; `dt` is one number or
	 * one for each world of the model. Without a control the targets and forces are those of the model. `contacts` belong to the body
	 * poses of `stateIn`; left out, there are those that the solver finds itself. What `stateOut` holds for a world with a
	 * fault does not matter.
	 */
	step(
		stateIn: State,
		stateOut: State,
		control: Control | undefined,
		contacts: Contacts | undefined,
		dt: number | Float64Array,
		options?: StepOptions,
	): void;
	/** Forgets what it remembers of worlds, which go on from `state`: those of the mask, left out all. */
	reset(state: State, options?: SolverResetOptions): void;
	/**
	 * Takes over edits of the model's arrays: bits of `ModelFlags` say of which, the mask (one entry for each world) in which worlds,
	 * left out in all.
	 */
	notifyModelChanged(flags: number, mask?: ArrayLike<number | boolean>): void;
	/**
	 * Writes poses and velocities of the bodies of a world from its joint coordinates. Only solvers that can leave them out
	 * of a step have it.
	 */
	placeBodies?(world: number, state: State): void;
	/** Gives memory back that the garbage collector does not know of. */
	dispose(): void;
}

/** Which worlds a step is about, and what it tells. @public */
export interface StepOptions {
	/** A run of worlds; left out, all. */
	readonly range?: IndexRange;
	/** One entry for each world; zero leaves it out, and its part of the output state is not touched. */
	readonly mask?: ArrayLike<number | boolean>;
	/**
	 * Gets the work [J] that drives, actuators, springs and applied forces did in the step, added to one entry for each world.
	 * Left out, nobody computes it.
	 */
	readonly work?: Float64Array;
	/**
	 * False says that nobody reads poses and velocities of bodies after this step: a solver that has `placeBodies` leaves
	 * them as they are in the output state then. Left out, they are written.
	 */
	readonly bodies?: boolean;
}

/** Which worlds a solver forgets. @public */
export interface SolverResetOptions {
	/** One entry for each world; zero leaves it as it is. */
	readonly mask?: ArrayLike<number | boolean>;
}

/** Why a world cannot go on. @public */
export const WorldFault = {
	NONE: 0,
	/** The solver came to numbers that are not finite, or to equations without a solution. */
	DIVERGED: 1,
	/** A joint moves faster than the runner allows. */
	TOO_FAST: 2,
	/** The step gave energy to a tree of bodies that no force gave it: it is too long for their speed. */
	GAINED_ENERGY: 3,
} as const;
/** A member of {@link WorldFault}. @public */
export type WorldFault = (typeof WorldFault)[keyof typeof WorldFault];

/** What a solver tells of the last step; one entry for each world. What it does not know is left out. @public */
export interface StepOutcome {
	/** A `WorldFault`. */
	readonly fault: Uint8Array;
	readonly contactCount: Int32Array;
	/** Contacts that were found but had no room. */
	readonly droppedContactCount?: Int32Array;
	readonly iterations?: Int32Array;
	/** What is left of the equations that the solver solves, relative; its tolerance says how small it should be. */
	readonly residual?: Float64Array;
	/** 1 when the tolerance was reached. */
	readonly converged?: Uint8Array;
}
