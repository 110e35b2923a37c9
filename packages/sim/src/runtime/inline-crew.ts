import type { Diagnostic } from '@manyworlds/core';
import type { Model } from '@manyworlds/model';
import type { Crew } from './crew.ts';
import { loadFactory } from './serve-worlds.ts';
import { type CommandKind, SharedWorlds } from './shared-worlds.ts';
import { type LaneOptions, WorldLane } from './world-lane.ts';
import type { WorldSolvers } from './world-solver.ts';

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
		const worlds = { start: 0, end: model.worldCount };
		const solver = await factory.create({ model, options, worlds, prepared: undefined });
		const shared = new SharedWorlds(model, (initial) => initial.slice() as typeof initial, lane.include);
		return new InlineCrew(shared, new WorldLane(model, shared, solver, worlds, lane), solver.report.toArray());
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
