import { Report, UsageRangeError, UsageStateError } from '@manyworlds/core';
import { type Control, type Model, ModelFlags, type OptionalStateArray, type State } from '@manyworlds/model';
import { WorldFault } from '../solver.ts';
import type { WorldSolvers } from '../solver-factory.ts';
import type { ContactForces } from './contact-forces.ts';
import { InlineWorkers } from './inline-workers.ts';
import { CommandKind } from './shared-worlds.ts';
import { StateRows } from './state-rows.ts';
import { ThreadWorkers } from './thread-workers.ts';
import type { WorkerHost } from './worker-host.ts';
import type { WorldStatistics } from './world-statistics.ts';
import type { WorldWorkers } from './world-workers.ts';

/** Options of {@link WorldRunner.create}. @public */
export interface WorldRunnerOptions {
	/** Name of the solver. */
	readonly solver: string;
	/** Options of that solver: plain data, because they may go to other threads. */
	readonly solverOptions?: unknown;
	/** Solvers that this thread knows; needed without workers. */
	readonly solvers?: WorldSolvers;
	/** Threads to step with, at most one for each world; 0 steps in the calling thread. */
	readonly workers?: number;
	/** What starts threads; needed with workers. */
	readonly host?: WorkerHost;
	/** Arrays that the state holds beyond the usual ones. */
	readonly include?: readonly OptionalStateArray[];
	/** A world in which a joint moves faster than this has diverged [m/s, rad/s]. */
	readonly maxSpeed?: number;
	/** Whether `statistics` account for the energy of worlds: the work that is done, and energy that comes from nothing. */
	readonly accountsEnergy?: boolean;
	/** Contacts of each world that {@link WorldRunner.contacts} has room for; 0 keeps none, and nobody computes them. */
	readonly contactsKept?: number;
	/** Whether `bodyContactF` tells the forces of contacts; of solvers that find their contacts themselves they are not known. */
	readonly tellsContacts?: boolean;
}

/** Values of {@link WorldRunnerOptions} that are used when absent. @public */
export const WORLD_RUNNER_DEFAULTS = {
	workers: 0,
	include: [] as readonly OptionalStateArray[],
	maxSpeed: 1e6,
	accountsEnergy: false,
	contactsKept: 0,
	tellsContacts: false,
} as const;

/** Options of {@link WorldRunner.step}. @public */
export interface RunnerStepOptions {
	/** Steps to take, 1 when left out; control and forces stay as they are meanwhile. */
	readonly steps?: number;
	/** One entry for each world; zero leaves it as it is. */
	readonly mask?: ArrayLike<number | boolean>;
}

/** Options of {@link WorldRunner.reset}. @public */
export interface RunnerResetOptions {
	/** One entry for each world; zero leaves it as it is. */
	readonly mask?: ArrayLike<number | boolean>;
	/** What the worlds start from again; left out, the coordinates and poses of the model. */
	readonly from?: State;
}

/** A world that could not go on. @public */
export interface WorldFailure {
	readonly world: number;
	/** Step of the runner, counted from 0. */
	readonly step: number;
	readonly reason: string;
}

/**
 * Steps the worlds of a model with a solver, in this thread or in several. Whatever the number of threads, every world
 * comes to the same bits. Change `control`, `state.bodyF` or `state` between calls only.
 *
 * ```ts
 * const runner = await WorldRunner.create(model, { solver: 'sap', workers: 2, host });
 * runner.control.jointTargetQ.set(targets);
 * await runner.step(0.002, { steps: 10 });
 * runner.state.jointQ; // of all worlds
 * await runner.dispose();
 * ```
 * @public
 */
export class WorldRunner {
	readonly model: Model;
	/** What the solver cannot do with the model. */
	readonly report: Report = new Report();
	readonly #workers: WorldWorkers;
	readonly #rows: StateRows;
	#stepCount = 0;
	#isBusy = false;
	#isDisposed = false;

	/** Loads the solver and starts the threads. Rejects with the solver's error for a model that it cannot take. */
	static async create(model: Model, options: WorldRunnerOptions): Promise<WorldRunner> {
		const settings = { ...WORLD_RUNNER_DEFAULTS, ...options };
		const { workers, include, maxSpeed, accountsEnergy, contactsKept, tellsContacts } = settings;
		const { solver, solverOptions, solvers, host } = settings;
		const stepper = { include, maxSpeed, accountsEnergy, contactsKept, tellsContacts };
		if (!Number.isInteger(workers) || workers < 0) {
			throw new UsageRangeError(`workers is ${workers}, expected a whole number of 0 or more`);
		}
		if (!Number.isInteger(contactsKept) || contactsKept < 0) {
			throw new UsageRangeError(`contactsKept is ${contactsKept}, expected a whole number of 0 or more`);
		}
		if (workers > 0 && host === undefined) throw new UsageRangeError('workers need a host that starts them');
		if (workers === 0 && solvers === undefined) throw new UsageRangeError('without workers the solvers must be given');
		const steppers =
			host !== undefined && workers > 0
				? await ThreadWorkers.create(model, { host, count: workers, solver, options: solverOptions, stepper })
				: await InlineWorkers.create(model, solvers ?? {}, solver, solverOptions, stepper);
		return new WorldRunner(model, steppers);
	}

	private constructor(model: Model, workers: WorldWorkers) {
		this.model = model;
		this.#workers = workers;
		this.#rows = new StateRows(model);
		for (const diagnostic of workers.diagnostics) this.report.add(diagnostic);
	}

	/** What computes the steps, for solvers that have several ways: with SAP `wasm` or `reference`. */
	get engine(): string | undefined {
		return this.#workers.engine;
	}

	/** State of all worlds. Always the same object, and the place where forces are applied. */
	get state(): State {
		return this.#workers.shared.state;
	}

	/** What drives the worlds; it stays as it is until it is changed. */
	get control(): Control {
		return this.#workers.shared.control;
	}

	/**
	 * Force [N] and torque [N·m] of all contacts on each body at its centre of mass in the last step, in world axes; shape
	 * (bodies, 6), empty unless `tellsContacts` asked for it.
	 */
	get bodyContactF(): Float64Array {
		return this.#workers.shared.bodyContactF;
	}

	get statistics(): WorldStatistics {
		return this.#workers.shared.statistics;
	}

	/**
	 * Contacts of the last step of each world with their forces, always the same object; undefined without `contactsKept`. A solver
	 * that takes its contacts from somebody else and does not tell forces leaves it empty.
	 */
	get contacts(): ContactForces | undefined {
		return this.#workers.shared.contacts;
	}

	/** Threads in use; 0 for the calling one. */
	get workerCount(): number {
		return this.#workers.workerCount;
	}

	/** Steps that were asked for so far. */
	get stepCount(): number {
		return this.#stepCount;
	}

	/** Worlds that stay at their last good state until they are reset. */
	get failures(): readonly WorldFailure[] {
		const { fault, faultStep } = this.statistics;
		const failures: WorldFailure[] = [];
		for (let world = 0; world < fault.length; world++) {
			if (fault[world] === WorldFault.NONE) continue;
			failures.push({ world, step: faultStep[world]!, reason: this.#reasonOf(world) });
		}
		return failures;
	}

	/** Takes steps of `dt` [s], one number or one for each world. */
	async step(dt: number | ArrayLike<number>, options: RunnerStepOptions = {}): Promise<void> {
		const steps = options.steps ?? 1;
		if (!Number.isInteger(steps) || steps < 1 || steps > MOST_STEPS) {
			throw new UsageRangeError(`steps is ${steps}, expected a whole number of 1 to ${MOST_STEPS}`);
		}
		this.#checkFree();
		this.#setTimeSteps(dt);
		this.#setMask(options.mask);
		this.#workers.shared.firstStep[0] = this.#stepCount;
		await this.#run(CommandKind.STEP, steps);
		this.#stepCount += steps;
	}

	/**
	 * Puts worlds back to where they began, without applied forces; those that failed go on. What belongs to no world goes
	 * back only when all of them do.
	 */
	async reset(options: RunnerResetOptions = {}): Promise<void> {
		this.#checkFree();
		this.#setMask(options.mask);
		const from = options.from ?? this.model;
		if (options.mask === undefined) {
			this.#rows.copyWorlds(from, this.state, 0, this.model.worldCount);
			this.#rows.copyGlobals(from, this.state);
			this.state.clearForces();
		} else {
			for (let world = 0; world < this.model.worldCount; world++) {
				if (!options.mask[world]) continue;
				this.#rows.copyWorlds(from, this.state, world, world + 1);
				this.#rows.clearForces(this.state, world);
			}
		}
		await this.#run(CommandKind.RESET, 0);
	}

	/** Takes over changes that were made to the model's arrays; bits of `ModelFlags` say which. */
	async notifyModelChanged(flags: number = ModelFlags.ALL): Promise<void> {
		this.#checkFree();
		this.#workers.updateModel();
		await this.#run(CommandKind.MODEL_CHANGED, flags);
	}

	/** Ends the threads and gives the solvers' memory back. A command that is under way is rejected. */
	async dispose(): Promise<void> {
		if (this.#isDisposed) return;
		this.#isDisposed = true;
		await this.#workers.dispose();
	}

	#reasonOf(world: number): string {
		const { fault, faultDof, faultSpeed } = this.statistics;
		if (fault[world] === WorldFault.GAINED_ENERGY) {
			return 'a body gained energy in a step that no force gave it: the step is too long for its speed';
		}
		if (fault[world] !== WorldFault.TOO_FAST) return 'the velocities that the solver found are not finite';
		const { jointQdStart, jointLabels } = this.model;
		const joint = jointQdStart.findLastIndex((start) => start <= faultDof[world]!);
		return `joint '${jointLabels[joint]}' moves at ${faultSpeed[world]!.toPrecision(3)} m/s or rad/s`;
	}

	async #run(kind: CommandKind, argument: number): Promise<void> {
		this.#isBusy = true;
		try {
			await this.#workers.run(kind, argument);
		} finally {
			this.#isBusy = false;
		}
	}

	#checkFree(): void {
		if (this.#isDisposed) throw new UsageStateError('the runner was disposed');
		if (this.#isBusy) throw new UsageStateError('the runner is at work: await the last call first');
	}

	#setTimeSteps(dt: number | ArrayLike<number>): void {
		const target = this.#workers.shared.dt;
		if (typeof dt !== 'number' && dt.length !== target.length) {
			throw new UsageRangeError(`dt has ${dt.length} entries, expected one for each of ${target.length} worlds`);
		}
		for (let world = 0; world < target.length; world++) {
			const own = typeof dt === 'number' ? dt : dt[world]!;
			if (!(own > 0 && own < Number.POSITIVE_INFINITY)) {
				throw new UsageRangeError(`dt of world ${world} is ${own} s, expected a positive number`);
			}
			target[world] = own;
		}
	}

	#setMask(mask: ArrayLike<number | boolean> | undefined): void {
		const target = this.#workers.shared.mask;
		if (mask !== undefined && mask.length !== target.length) {
			throw new UsageRangeError(`mask has ${mask.length} entries, expected one for each of ${target.length} worlds`);
		}
		for (let world = 0; world < target.length; world++) target[world] = mask === undefined || mask[world] ? 1 : 0;
	}
}

/** Most steps of one call: what fits a word of shared memory. */
const MOST_STEPS = 2 ** 31 - 1;
