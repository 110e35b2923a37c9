import type { Report } from '@manyworlds/core';
import type { Control, State } from '@manyworlds/model';
import {
	CollisionPipeline,
	type StepOutcome,
	type WorldContacts,
	WorldFault,
	type WorldRange,
	type WorldSolver,
	type WorldSolverFactory,
	type WorldSolverSetup,
} from '@manyworlds/sim';
import { loadMujoco } from '../engine/load-mujoco.ts';
import type { MujocoModule } from '../engine/mujoco-module.ts';
import { CONVERT_DEFAULTS } from '../solver-options.ts';
import { SolverMujoco, type SolverMujocoOptions } from './solver-mujoco.ts';

/**
 * Runs of worlds on `SolverMujoco`, for a `WorldRunner`; options are {@link SolverMujocoOptions}. The model is compiled in
 * one thread, the others load the result. With `useMujocoContacts: false` the contacts are those of the collision pipeline.
 * @public
 */
export const MUJOCO_WORLDS: WorldSolverFactory = {
	prepare: async (model, options) => SolverMujoco.compile(await loadMujoco(), model, settle(options)),
	create: async (setup) => new MujocoWorlds(await loadMujoco(), setup),
};

class MujocoWorlds implements WorldSolver {
	readonly report: Report;
	readonly outcome: StepOutcome;
	readonly #solver: SolverMujoco;
	readonly #range: WorldRange;
	readonly #pipeline: CollisionPipeline | undefined;
	readonly #contacts: WorldContacts | undefined;

	constructor(module: MujocoModule, { model, options, worlds, prepared }: WorldSolverSetup) {
		const own = settle(options);
		this.#range = worlds;
		this.#solver = new SolverMujoco(module, model, {
			...own,
			range: worlds,
			...(prepared === undefined ? {} : { compiled: prepared }),
		});
		if (!(own.useMujocoContacts ?? CONVERT_DEFAULTS.useMujocoContacts)) {
			this.#pipeline = new CollisionPipeline(model);
			this.#contacts = this.#pipeline.createContacts();
		}
		this.report = this.#solver.report;
		this.outcome = { contactCount: this.#solver.contactCounts };
	}

	step(now: State, next: State, control: Control, dt: Float64Array, mask: Uint8Array): void {
		if (this.#contacts !== undefined) this.#pipeline?.collide(now, this.#contacts, this.#range, mask);
		this.#solver.step(now, next, control, this.#contacts, dt, mask);
	}

	faultOf(world: number): WorldFault {
		return this.#solver.isDiverged(world) ? WorldFault.DIVERGED : WorldFault.NONE;
	}

	reset(state: State, mask: Uint8Array): void {
		this.#solver.reset(state, { worlds: mask });
	}

	notifyModelChanged(flags: number): void {
		this.#solver.notifyModelChanged(flags);
	}

	dispose(): void {
		this.#solver.dispose();
	}
}

function settle(options: unknown): SolverMujocoOptions {
	return (options ?? {}) as SolverMujocoOptions;
}
