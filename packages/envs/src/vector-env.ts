import { UsageRangeError } from '@manyworlds/core';
import { ArticulatedDynamics, type Model, type State } from '@manyworlds/model';
import { WorldFault, WorldRunner, type WorldRunnerOptions } from '@manyworlds/worlds';
import type { EnvField } from './env-field.ts';
import { EnvWorlds } from './env-worlds.ts';
import { RandomDraws } from './random-draws.ts';
import type { ActionTerm, BoundAction } from './terms/action-term.ts';
import type { BoundObservation, ObservationTerm } from './terms/observation-term.ts';
import type { BoundRandom, RandomTerm } from './terms/random-term.ts';

/** A part of the reward. @public */
export interface RewardTerm {
	readonly name: string;
	/** What it is multiplied with, for each action. */
	readonly weight: number;
	value(worlds: EnvWorlds, world: number): number;
}

/** A reason to end an episode. @public */
export interface TerminationTerm {
	readonly name: string;
	isOver(worlds: EnvWorlds, world: number): boolean;
}

/** What is to be learned: what is seen, done, rewarded and drawn. @public */
export interface EnvTask {
	readonly observations: readonly ObservationTerm[];
	readonly actions: readonly ActionTerm[];
	readonly rewards: readonly RewardTerm[];
	readonly terminations?: readonly TerminationTerm[];
	readonly randomisation?: readonly RandomTerm[];
	/** Time after which an episode is cut off [s]; never unless given. */
	readonly episodeSeconds?: number;
}

/** Options of {@link VectorEnv.create}. @public */
export interface VectorEnvOptions {
	/** Solver, threads and their settings; contact forces are asked for by the terms. */
	readonly runner: WorldRunnerOptions;
	/** Where worlds start before anything random is added. */
	readonly start: State;
	/** Time step of the simulation [s]; 0.002 unless given. */
	readonly dt?: number;
	/** Steps of the simulation that one action lasts; 10 unless given. */
	readonly substeps?: number;
	/** Seed of all that is random; 0 unless given. */
	readonly seed?: number;
	/** Whether worlds whose episode ended begin the next in the same step; true unless given. */
	readonly autoReset?: boolean;
}

/** Values of {@link VectorEnvOptions} that are used when absent. @public */
export const VECTOR_ENV_DEFAULTS = { dt: 0.002, substeps: 10, seed: 0, autoReset: true } as const;

/**
 * Many worlds of one robot as environments for learning. Arrays hold all worlds one after the other and always stay the
 * same objects. What a world does depends on its seed, its number and its actions only: not on the number of worlds or threads.
 *
 * ```ts
 * const env = await VectorEnv.create(model, task, { runner: { solver: 'sap', solvers }, start });
 * await env.reset();
 * env.actions.fill(0);
 * await env.step();
 * env.observations; // worlds × observationFields.length
 * await env.dispose();
 * ```
 * @public
 */
export class VectorEnv {
	readonly worlds: EnvWorlds;
	readonly observationFields: readonly EnvField[];
	readonly actionFields: readonly EnvField[];
	/** What each world sees; shape (worlds, observation fields). */
	readonly observations: Float64Array;
	/** What each world does next, to be written before {@link step}; shape (worlds, action fields). */
	readonly actions: Float64Array;
	/** Reward of the last action of each world; shape (worlds). */
	readonly rewards: Float64Array;
	/** 1 where the last action ended the episode: by a term, or because the simulation could not go on; shape (worlds). */
	readonly terminated: Uint8Array;
	/** 1 where time ran out; shape (worlds). */
	readonly truncated: Uint8Array;
	/** What worlds saw last whose episode ended in the last step; others keep old numbers; shape (worlds, observation fields). */
	readonly finalObservations: Float64Array;
	/** Sum of rewards of the running episode of each world; shape (worlds). */
	readonly episodeReturns: Float64Array;
	/** Sum of rewards and number of actions of the last episode of each world that ended; shape (worlds). */
	readonly finalReturns: Float64Array;
	readonly finalLengths: Int32Array;
	readonly #runner: WorldRunner;
	readonly #task: EnvTask;
	readonly #autoReset: boolean;
	readonly #observations: readonly BoundObservation[];
	readonly #actions: readonly BoundAction[];
	readonly #random: readonly { readonly bound: BoundRandom; readonly draws: RandomDraws }[];
	readonly #dynamics: ArticulatedDynamics;
	readonly #mostSteps: number;
	readonly #isOver: Uint8Array;
	readonly #stopsEveryStep: boolean;

	/** Loads the solver and starts its threads. */
	static async create(model: Model, task: EnvTask, options: VectorEnvOptions): Promise<VectorEnv> {
		const settings = { ...VECTOR_ENV_DEFAULTS, ...options };
		const { dt, substeps } = settings;
		if (!(dt > 0 && dt < Number.POSITIVE_INFINITY))
			throw new UsageRangeError(`dt is ${dt} s, expected a positive number`);
		if (!Number.isInteger(substeps) || substeps < 1)
			throw new UsageRangeError(`substeps is ${substeps}, expected a whole number of 1 or more`);
		if (task.actions.length === 0) throw new UsageRangeError('the task has no actions');
		const tellsContacts = task.observations.some((term) => term.needsContacts === true);
		const runner = await WorldRunner.create(model, { ...options.runner, ...(tellsContacts && { tellsContacts }) });
		try {
			return new VectorEnv(runner, task, settings);
		} catch (error) {
			await runner.dispose();
			throw error;
		}
	}

	private constructor(
		runner: WorldRunner,
		task: EnvTask,
		{ start, dt, substeps, seed, autoReset }: Required<VectorEnvOptions>,
	) {
		this.#runner = runner;
		this.#task = task;
		this.#autoReset = autoReset;
		this.worlds = new EnvWorlds({ runner, start, dt, substeps, seed });
		const { worldCount } = this.worlds;
		this.#dynamics = new ArticulatedDynamics(runner.model);
		this.#actions = task.actions.map((term) => term.bind(this.worlds));
		this.actionFields = this.#actions.flatMap(({ fields }) => fields);
		this.actions = new Float64Array(worldCount * this.actionFields.length);
		this.worlds.actionCount = this.actionFields.length;
		this.worlds.lastActions = new Float64Array(this.actions.length);
		this.worlds.earlierActions = new Float64Array(this.actions.length);
		this.#observations = task.observations.map((term) => term.bind(this.worlds));
		this.observationFields = this.#observations.flatMap(({ fields }) => fields);
		this.observations = new Float64Array(worldCount * this.observationFields.length);
		this.finalObservations = new Float64Array(this.observations.length);
		this.#random = (task.randomisation ?? []).map((term) => ({
			bound: term.bind(this.worlds),
			draws: new RandomDraws(seed, term.name),
		}));
		checkUnique(
			'random term',
			(task.randomisation ?? []).map(({ name }) => name),
		);
		checkUnique(
			'observation',
			this.observationFields.map(({ name }) => name),
		);
		checkUnique(
			'action',
			this.actionFields.map(({ name }) => name),
		);
		this.rewards = new Float64Array(worldCount);
		this.terminated = new Uint8Array(worldCount);
		this.truncated = new Uint8Array(worldCount);
		this.episodeReturns = new Float64Array(worldCount);
		this.finalReturns = new Float64Array(worldCount);
		this.finalLengths = new Int32Array(worldCount);
		this.#isOver = new Uint8Array(worldCount);
		const { episodeSeconds } = task;
		this.#mostSteps =
			episodeSeconds === undefined
				? Number.POSITIVE_INFINITY
				: Math.max(1, Math.round(episodeSeconds / this.worlds.period));
		this.#stopsEveryStep =
			this.#observations.some(({ afterStep }) => afterStep !== undefined) ||
			this.#actions.some(({ isEverySubstep }) => isEverySubstep === true);
	}

	get worldCount(): number {
		return this.worlds.worldCount;
	}

	/**
	 * Begins new episodes: in all worlds, or in those whose entry of the mask is not zero. With a seed everything random begins anew:
	 * the same seed and actions give the same numbers.
	 */
	async reset(mask?: ArrayLike<number | boolean>, seed?: number): Promise<void> {
		const { worlds } = this;
		if (mask !== undefined && mask.length !== worlds.worldCount)
			throw new UsageRangeError(
				`mask has ${mask.length} entries, expected one for each of ${worlds.worldCount} worlds`,
			);
		if (seed !== undefined) worlds.seed = seed;
		for (let world = 0; world < worlds.worldCount; world++) {
			if (mask !== undefined && !mask[world]) continue;
			// a world that has not moved begins its first episode
			if (seed !== undefined) worlds.episode[world] = 0;
			else if (worlds.steps[world]! > 0) worlds.episode[world]!++;
		}
		await this.#begin(mask);
		this.#observe(mask);
	}

	/** Takes the actions of all worlds for one period. */
	async step(): Promise<void> {
		const { worlds } = this;
		worlds.earlierActions.set(worlds.lastActions);
		this.#clipActions();
		for (let world = 0; world < worlds.worldCount; world++) this.#act(world);
		if (this.#stopsEveryStep) await this.#stepOneByOne();
		else await this.#runner.step(worlds.dt, { steps: worlds.substeps });
		for (let world = 0; world < worlds.worldCount; world++) this.#judge(world);
		this.#observe(undefined);
		if (this.#autoReset && this.#isOver.includes(1)) await this.#restart();
	}

	/** Ends threads and gives the solver's memory back. */
	async dispose(): Promise<void> {
		await this.#runner.dispose();
	}

	#clipActions(): void {
		const { actions, actionFields, worlds } = this;
		const count = actionFields.length;
		for (let i = 0; i < actions.length; i++) {
			const { lower = Number.NEGATIVE_INFINITY, upper = Number.POSITIVE_INFINITY } = actionFields[i % count]!;
			const value = actions[i]!;
			// an action that is no number does nothing, as far as that can be
			worlds.lastActions[i] = Number.isNaN(value)
				? Math.min(upper, Math.max(lower, 0))
				: Math.min(upper, Math.max(lower, value));
		}
	}

	#act(world: number): void {
		this.#apply(world, false);
		for (const { bound, draws } of this.#random) bound.act?.(world, draws);
	}

	/** Puts the actions of a world into the control: all of them, or those that do so before every step. */
	#apply(world: number, onlyEverySubstep: boolean): void {
		const { lastActions } = this.worlds;
		let at = world * this.actionFields.length;
		for (const term of this.#actions) {
			if (!onlyEverySubstep || term.isEverySubstep === true) term.apply(world, lastActions, at);
			at += term.fields.length;
		}
	}

	async #stepOneByOne(): Promise<void> {
		const { worlds } = this;
		for (let i = 0; i < worlds.substeps; i++) {
			if (i > 0) for (let world = 0; world < worlds.worldCount; world++) this.#apply(world, true);
			await this.#runner.step(worlds.dt);
			for (const term of this.#observations) term.afterStep?.();
		}
	}

	/** Reward, and whether the episode of a world is over. */
	#judge(world: number): void {
		const { worlds } = this;
		const { rewards, terminations = [] } = this.#task;
		worlds.steps[world]!++;
		let reward = 0;
		for (const term of rewards) reward += term.weight * term.value(worlds, world);
		const hasFault = this.#runner.statistics.fault[world] !== WorldFault.NONE;
		// a state that broke down has no meaning, so it is worth nothing
		this.rewards[world] = Number.isFinite(reward) ? reward : 0;
		this.episodeReturns[world]! += this.rewards[world]!;
		const isTerminated = hasFault || terminations.some((term) => term.isOver(worlds, world));
		this.terminated[world] = isTerminated ? 1 : 0;
		this.truncated[world] = !isTerminated && worlds.steps[world]! >= this.#mostSteps ? 1 : 0;
		this.#isOver[world] = this.terminated[world]! | this.truncated[world]!;
		if (this.#isOver[world] === 0) return;
		this.finalReturns[world] = this.episodeReturns[world]!;
		this.finalLengths[world] = worlds.steps[world]!;
	}

	/** Begins the next episode of worlds that ended one; what they saw last is kept apart. */
	async #restart(): Promise<void> {
		const size = this.observationFields.length;
		for (let world = 0; world < this.worldCount; world++) {
			if (this.#isOver[world] === 0) continue;
			const at = world * size;
			for (let i = at; i < at + size; i++) this.finalObservations[i] = this.observations[i]!;
			this.worlds.episode[world]!++;
		}
		await this.#begin(this.#isOver);
		this.#observe(this.#isOver);
	}

	/** Puts worlds to the start of an episode and draws what is random. */
	async #begin(mask: ArrayLike<number | boolean> | undefined): Promise<void> {
		const { worlds } = this;
		const { worldCount, lastActions, earlierActions } = worlds;
		const actions = this.actionFields.length;
		await this.#runner.reset({ from: worlds.start, ...(mask !== undefined && { mask }) });
		let flags = 0;
		const begun: number[] = [];
		for (let world = 0; world < worldCount; world++) {
			if (mask !== undefined && !mask[world]) continue;
			begun.push(world);
			worlds.steps[world] = 0;
			this.episodeReturns[world] = 0;
			lastActions.fill(0, world * actions, (world + 1) * actions);
			earlierActions.fill(0, world * actions, (world + 1) * actions);
			for (const { bound, draws } of this.#random) {
				if (bound.draw === undefined) continue;
				draws.begin(worlds.seed, worlds.stream[world]!, worlds.episode[world]!);
				bound.draw(world, draws);
				flags |= bound.modelFlags;
			}
			for (const term of this.#observations) term.reset?.(world);
		}
		if (this.#random.some(({ bound }) => bound.draw !== undefined && bound.modelFlags === 0))
			this.#dynamics.forwardKinematics(worlds.state, worldCount > 1 ? { worlds: begun } : {});
		if (flags !== 0) await this.#runner.notifyModelChanged(flags);
	}

	#observe(mask: ArrayLike<number | boolean> | undefined): void {
		const size = this.observationFields.length;
		for (let world = 0; world < this.worldCount; world++) {
			if (mask !== undefined && !mask[world]) continue;
			let at = world * size;
			for (const term of this.#observations) {
				term.read(world, this.observations, at);
				at += term.fields.length;
			}
		}
	}
}

function checkUnique(kind: string, names: readonly string[]): void {
	const seen = new Set<string>();
	for (const name of names) {
		if (seen.has(name)) throw new UsageRangeError(`two ${kind}s are called '${name}'`);
		seen.add(name);
	}
}
