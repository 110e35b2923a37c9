import type { Diagnostic } from '@manyworlds/core';
import type { CommandKind, SharedWorlds } from './shared-worlds.ts';

/** Those who step the worlds of a runner: this thread, or others. */
export interface WorldWorkers {
	readonly shared: SharedWorlds;
	/** What the solver cannot do with the model. */
	readonly diagnostics: readonly Diagnostic[];
	/** What computes the steps, for solvers that have several ways. */
	readonly engine: string | undefined;
	/** Threads; 0 for this one. */
	readonly workerCount: number;
	/** Carries out a command; state, control, mask and time steps are in {@link shared}. */
	run(kind: CommandKind, argument: number): Promise<void>;
	/** Takes over the numbers of the caller's model. */
	updateModel(): void;
	dispose(): Promise<void>;
}
