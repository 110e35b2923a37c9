import type { Report } from '@manyworlds/core';
import type { Control, Model, State } from '@manyworlds/model';
import type { WorldRange } from '../collision/collision-pipeline.ts';

/** Why a world cannot go on. @public */
export const WorldFault = {
	NONE: 0,
	/** The solver came to numbers that are not finite, or to equations without a solution. */
	DIVERGED: 1,
	/** A joint moves faster than the runner allows. */
	TOO_FAST: 2,
} as const;
/** A member of {@link WorldFault}. @public */
export type WorldFault = (typeof WorldFault)[keyof typeof WorldFault];

/** What a solver tells of the last step; one entry for each world. What it does not know is left out. @public */
export interface StepOutcome {
	readonly contactCount: Int32Array;
	/** Contacts that were found but had no room. */
	readonly droppedContactCount?: Int32Array;
	readonly iterations?: Int32Array;
	/** What is left of the equations that the solver solves, relative; its tolerance says how small it should be. */
	readonly residual?: Float64Array;
	/** 1 when the tolerance was reached. */
	readonly converged?: Uint8Array;
}

/** A solver, with the collision it needs, that steps a run of worlds in one thread. @public */
export interface WorldSolver {
	/** What the solver cannot do with the model. */
	readonly report: Report;
	readonly outcome: StepOutcome;
	/**
	 * Writes the state one step later to `next`, for the worlds of the run that the mask names. `dt` [s] and `mask` have one
	 * entry for each world of the model. What `next` holds for a world that fails does not matter.
	 */
	step(now: State, next: State, control: Control, dt: Float64Array, mask: Uint8Array): void;
	/** Whether the last step of a world failed. */
	faultOf(world: number): WorldFault;
	/** Forgets what it remembers of the masked worlds, which go on from `state`. */
	reset(state: State, mask: Uint8Array): void;
	/** Takes over changes of the model's arrays; bits of `ModelFlags` say which. */
	notifyModelChanged(flags: number): void;
	dispose(): void;
}

/** What a {@link WorldSolver} is made from. @public */
export interface WorldSolverSetup {
	readonly model: Model;
	/** The caller's options, after their way to another thread. */
	readonly options: unknown;
	/** Worlds that the solver will be asked to step. */
	readonly worlds: WorldRange;
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
