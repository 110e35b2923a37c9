import type { Diagnostic } from '@manyworlds/core';
import type { Model } from '@manyworlds/model';
import type { WorldSolvers } from '../solver-factory.ts';
import type { Crew } from './crew.ts';
import { loadFactory } from './serve-worlds.ts';
import { type CommandKind, SharedWorlds } from './shared-worlds.ts';
import { type LaneOptions, WorldLane } from './world-lane.ts';

/** Steps all worlds in this thread, on the caller's own model. */
export class InlineCrew implements Crew {
	readonly shared: SharedWorlds;
	readonly diagnostics: readonly Diagnostic[];
	readonly workerCount = 0;
	readonly #lane: WorldLane;

	static async create(
		model: Model,
		solvers: WorldSolvers,
		name: string,
		options: unknown,
		lane: LaneOptions,
	): Promise<InlineCrew> {
		const factory = await loadFactory(solvers, name);
		const range = { start: 0, end: model.worldCount };
		const own = await factory.create({ model, options, range, prepared: undefined });
		const shared = new SharedWorlds(model, (initial) => initial.slice() as typeof initial, lane.include);
		return new InlineCrew(shared, new WorldLane(model, shared, own, range, lane), own.solver.report.toArray());
	}

	private constructor(shared: SharedWorlds, lane: WorldLane, diagnostics: readonly Diagnostic[]) {
		this.shared = shared;
		this.diagnostics = diagnostics;
		this.#lane = lane;
	}

	async run(kind: CommandKind, argument: number): Promise<void> {
		this.#lane.run(kind, argument);
		this.#lane.publishGlobals(kind);
	}

	updateModel(): void {}

	async dispose(): Promise<void> {
		this.#lane.dispose();
	}
}
