import { availableParallelism } from 'node:os';
import { Report } from '@manyworlds/core';
import type { Control, Model, State } from '@manyworlds/model';
import type { SolverSapOptions } from '@manyworlds/sim';
import { resolveSapOptions } from '@manyworlds/sim/internal';
import { type WorldFailure, WorldRunner, type WorldStatistics } from '@manyworlds/worlds';
import { reportEnergyGains } from '@manyworlds/worlds/internal';
import { createDiagnostic } from '../../diagnostics.ts';
import { NodeWorkerHost } from '../../threads/node-worker-host.ts';
import { WORLD_SOLVERS } from '../../threads/world-solvers.ts';
import type { SolverName } from './solver-names.ts';

/** Options of {@link Stepper.create}. */
export interface StepperOptions {
	readonly sap?: SolverSapOptions;
	/** Room for contacts of each world, with SAP. */
	readonly contactsPerWorld?: number;
	/** Whether energy is accounted for; true unless given. */
	readonly accountsEnergy?: boolean;
	/** Threads to step with; left out, one for few worlds, else as many as there are processors. */
	readonly jobs?: number;
}

/** Values of {@link StepperOptions} that are used when absent. */
export const STEPPER_DEFAULTS = { contactsPerWorld: 512 } as const;

/** Worlds from which threads pay, when nobody says how many. */
const MANY_WORLDS = 64;
/** Most threads that are started without being asked for. */
const MOST_THREADS = 8;

/** A solver that moves all worlds of a model, in this thread or in several; the bits of the result are the same. */
export class Stepper {
	readonly name: SolverName;
	/** Settings that shape the result, in a few words. */
	readonly settings: string;
	readonly #runner: WorldRunner;
	readonly #contactsPerWorld: number;

	/** Loads the solver and starts threads. Throws an error with a code when it cannot take the model. */
	static async create(name: SolverName, model: Model, options: StepperOptions = {}): Promise<Stepper> {
		const { contactsPerWorld } = { ...STEPPER_DEFAULTS, ...options };
		const workers = workerCount(model.worldCount, options.jobs);
		const runner = await WorldRunner.create(model, {
			solver: name,
			solvers: WORLD_SOLVERS,
			solverOptions: name === 'sap' ? { ...options.sap, contactsPerWorld } : {},
			accountsEnergy: options.accountsEnergy ?? true,
			workers,
			...(workers > 0 ? { host: new NodeWorkerHost() } : {}),
		});
		return new Stepper(name, runner, settingsOf(name, options), contactsPerWorld);
	}

	private constructor(name: SolverName, runner: WorldRunner, settings: string, contactsPerWorld: number) {
		this.name = name;
		this.settings = settings;
		this.#runner = runner;
		this.#contactsPerWorld = contactsPerWorld;
	}

	/** What computes the steps, for solvers that have several ways. */
	get engine(): string | undefined {
		return this.#runner.engine;
	}

	/** State of all worlds; always the same object. */
	get state(): State {
		return this.#runner.state;
	}

	get control(): Control {
		return this.#runner.control;
	}

	/** What became of each world. */
	get statistics(): WorldStatistics {
		return this.#runner.statistics;
	}

	/** Whether the solver tells of iterations and residuals. */
	get tellsIterations(): boolean {
		return this.name === 'sap';
	}

	/** Threads that step. */
	get jobs(): number {
		return Math.max(1, this.#runner.workerCount);
	}

	/** Worlds that could not go on; they stay at their last good state. Steps count from 1. */
	get failures(): readonly WorldFailure[] {
		return this.#runner.failures.map(({ world, step, reason }) => ({ world, step: step + 1, reason }));
	}

	/** What the solver cannot do with the model, and what had no room on the way. */
	get report(): Report {
		const report = new Report();
		for (const diagnostic of this.#runner.report.toArray()) report.add(diagnostic);
		const world = this.statistics.droppedContactTotal.findIndex((count) => count > 0);
		if (world >= 0) {
			const message = `world ${world} found more than ${this.#contactsPerWorld} contacts; the rest was left out`;
			report.add(createDiagnostic('CLI021', message));
		}
		return report;
	}

	/** Adds what is wrong with the motion. */
	reportMotion(report: Report): void {
		reportEnergyGains(this.statistics, report, this.name);
	}

	/** Takes steps of `dt` [s]. */
	step(dt: number, steps = 1): Promise<void> {
		return this.#runner.step(dt, { steps });
	}

	async dispose(): Promise<void> {
		await this.#runner.dispose();
	}
}

/** Threads beside this one. */
function workerCount(worlds: number, jobs: number | undefined): number {
	const usual = worlds < MANY_WORLDS ? 1 : Math.min(availableParallelism(), MOST_THREADS);
	const count = Math.min(jobs ?? usual, worlds);
	return count > 1 ? count : 0;
}

function settingsOf(name: SolverName, options: StepperOptions): string {
	if (name === 'mujoco') return 'its own contacts';
	const { contactPresetVariant, newton } = resolveSapOptions(options.sap ?? {});
	return `${contactPresetVariant}, ${newton.lineSearchVariant}`;
}
