import type { Diagnostic } from '@manyworlds/core';
import type { Model } from '@manyworlds/model';
import type { WorldSolvers } from '../solver-factory.ts';
import { loadFactory } from './serve-worlds.ts';
import { type CommandKind, SharedWorlds } from './shared-worlds.ts';
import { type StepperSettings, WorldStepper } from './world-stepper.ts';
import type { WorldWorkers } from './world-workers.ts';

/** Steps all worlds in this thread, on the caller's own model. */
export class InlineWorkers implements WorldWorkers {
	readonly shared: SharedWorlds;
	readonly diagnostics: readonly Diagnostic[];
	readonly workerCount = 0;
	readonly #stepper: WorldStepper;

	static async create(
		model: Model,
		solvers: WorldSolvers,
		name: string,
		options: unknown,
		stepper: StepperSettings,
	): Promise<InlineWorkers> {
		const factory = await loadFactory(solvers, name);
		const range = { start: 0, end: model.worldCount };
		const own = await factory.create({ model, options, range, prepared: undefined });
		const shared = new SharedWorlds(model, (initial) => initial.slice() as typeof initial, stepper);
		return new InlineWorkers(shared, new WorldStepper(model, shared, own, range, stepper), own.solver.report.toArray());
	}

	private constructor(shared: SharedWorlds, stepper: WorldStepper, diagnostics: readonly Diagnostic[]) {
		this.shared = shared;
		this.diagnostics = diagnostics;
		this.#stepper = stepper;
	}

	async run(kind: CommandKind, argument: number): Promise<void> {
		this.#stepper.run(kind, argument);
		this.#stepper.publishGlobals(kind);
	}

	updateModel(): void {}

	async dispose(): Promise<void> {
		this.#stepper.dispose();
	}
}
