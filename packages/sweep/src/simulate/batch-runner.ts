import { UsageRangeError } from '@manyworlds/core';
import { hashState, type Model, type State } from '@manyworlds/model';
import {
	chooseQuantities,
	type Quantity,
	Recording,
	Sample,
	type WorldFailure,
	WorldRunner,
	type WorldSolvers,
} from '@manyworlds/worlds';
import { parseExpression } from '../expression/expression.ts';
import type { SweepPlan } from '../plan/plan.ts';
import type { RunOutcome, RunResult } from '../result/run-result.ts';
import { encodeSeries } from '../result/series.ts';
import type { Run } from '../runs/expansion.ts';
import { metricDefinition } from '../runs/run-key.ts';
import { joinWorlds, MetricCollector } from './metric.ts';
import { ModelMaker } from './model-maker.ts';
import { openControl } from './open-control.ts';
import { fillEnergy, needsAccount, type WorldSample } from './quantity.ts';
import { addStartNoise } from './start-noise.ts';
import { RefusedRun, type SweepAsset } from './sweep-asset.ts';
import { finishWorlds, structureOf, type WorldRecipe } from './world-recipe.ts';

/** A run with its key. */
export interface KeyedRun extends Run {
	readonly key: string;
}

/** What running needs from outside. */
export interface BatchRunnerOptions {
	readonly solvers: WorldSolvers;
	/** Told before worlds are computed together; left out, nobody is. */
	readonly onGroup?: (runs: readonly KeyedRun[]) => void;
}

/** Worlds that are computed side by side at most. */
const MOST_WORLDS = 32;
/** Names of quantities by their Newton names. */
const NEWTON_NAMES: Readonly<Record<string, string>> = { joint_q: 'position', joint_qd: 'velocity', body_q: 'body' };

/**
 * Runs batches of a plan in the calling thread. Runs of equal structure are worlds of one model; worlds share nothing, so that
 * a run comes to the same bits alone or among others.
 */
export class BatchRunner {
	readonly #plan: SweepPlan;
	readonly #asset: SweepAsset;
	readonly #options: BatchRunnerOptions;
	readonly #maker: ModelMaker;

	constructor(plan: SweepPlan, asset: SweepAsset, options: BatchRunnerOptions) {
		this.#plan = plan;
		this.#asset = asset;
		this.#options = options;
		this.#maker = new ModelMaker(plan, asset);
	}

	/** Outcomes in the order of the runs. Rejects only for faults of the program. */
	async run(runs: readonly KeyedRun[]): Promise<RunOutcome[]> {
		const outcomes = new Map<string, RunOutcome>();
		const groups = new Map<string, { readonly run: KeyedRun; readonly recipe: WorldRecipe }[]>();
		const perGroup = Math.max(1, Math.floor(MOST_WORLDS / this.#plan.simulate.worldsPerRun));
		for (const run of runs) {
			const recipe = await this.#recipe(run);
			if ('result' in recipe) {
				outcomes.set(run.key, recipe);
				continue;
			}
			// MuJoCo compiles a model of its own for what differs between worlds
			const structure = recipe.solver === 'sap' ? structureOf(recipe) : run.key;
			const group = groups.get(structure) ?? [];
			group.push({ run, recipe });
			groups.set(structure, group);
			if (group.length < perGroup) continue;
			await this.#together(group, outcomes);
			groups.delete(structure);
		}
		for (const group of groups.values()) await this.#together(group, outcomes);
		return runs.map(({ key }) => outcomes.get(key)!);
	}

	async #recipe(run: KeyedRun): Promise<WorldRecipe | RunOutcome> {
		try {
			return await this.#maker.make(run.values);
		} catch (error) {
			if (error instanceof RefusedRun) return refused(run, error);
			throw error;
		}
	}

	/** Runs worlds of equal structure; where their solver refuses them together, each alone. */
	async #together(
		group: readonly { readonly run: KeyedRun; readonly recipe: WorldRecipe }[],
		outcomes: Map<string, RunOutcome>,
	): Promise<void> {
		this.#options.onGroup?.(group.map(({ run }) => run));
		try {
			const found = await this.#simulate(
				group.map(({ run }) => run),
				group.map(({ recipe }) => recipe),
			);
			for (const [i, { run }] of group.entries()) outcomes.set(run.key, found[i]!);
		} catch (error) {
			const refusal = asRefusal(error);
			if (refusal === undefined) throw error;
			if (group.length === 1) outcomes.set(group[0]!.run.key, refused(group[0]!.run, refusal));
			else for (const one of group) await this.#together([one], outcomes);
		}
	}

	async #simulate(runs: readonly KeyedRun[], recipes: readonly WorldRecipe[]): Promise<RunOutcome[]> {
		const { simulate, outputs } = this.#plan;
		const { worldsPerRun } = simulate;
		const [first] = recipes as [WorldRecipe];
		const model = finishWorlds(recipes.flatMap(({ builder }) => new Array<typeof builder>(worldsPerRun).fill(builder)));
		const runner = await WorldRunner.create(model, {
			solver: first.solver,
			solvers: this.#options.solvers,
			solverOptions: first.solver === 'sap' ? { ...first.sap, contactsPerWorld: first.contactsPerWorld ?? 512 } : {},
			accountsEnergy: outputs.metrics.some(({ expression }) => usesAccount(expression)),
		});
		try {
			const playback = this.#playback(model);
			const starts = runs.flatMap((run, i) =>
				Array.from({ length: worldsPerRun }, (_, world) => startOfRun(recipes[i]!, simulate.noise, run.seed, world)),
			);
			starts.forEach((start, world) => {
				copyWorld(model, start, runner.state, world, 'in');
			});
			playback?.applyInitialState(runner.state);
			await runner.reset({ from: copyOf(runner.state, model) });
			const watch = new Watch(this.#plan, runner, model);
			const steps = Math.max(1, Math.ceil(first.duration / first.dt - 1e-9));
			watch.look(0);
			const every = watch.stepsBetween(first.dt, steps);
			for (let step = 0; step < steps; ) {
				playback?.apply(runner.control, step, first.dt);
				const count = playback === undefined ? Math.min(every - (step % every), steps - step) : 1;
				await runner.step(first.dt, { steps: count });
				step += count;
				if (step % every === 0 || step === steps) watch.look(step * first.dt, step, first.dt);
				if (runner.failures.length === model.worldCount) break;
			}
			const failures = new Map(runner.failures.map((failure) => [failure.world, failure]));
			return runs.map((run, i) => this.#outcome(run, recipes[i]!, i * worldsPerRun, watch, runner, failures, steps));
		} finally {
			await runner.dispose();
		}
	}

	#playback(model: Model): ReturnType<typeof openControl> | undefined {
		const { store, identifier, control, format } = this.#asset;
		const own = format === 'scene' ? this.#maker.sceneControl() : undefined;
		const file = control ?? (own === undefined ? undefined : store.identify(own, identifier).identifier);
		return file === undefined ? undefined : openControl(store, file, model);
	}

	#outcome(
		run: KeyedRun,
		recipe: WorldRecipe,
		firstWorld: number,
		watch: Watch,
		runner: WorldRunner,
		failures: ReadonlyMap<number, WorldFailure>,
		steps: number,
	): RunOutcome {
		const { simulate, outputs } = this.#plan;
		const worlds = Array.from({ length: simulate.worldsPerRun }, (_, i) => firstWorld + i);
		const failed = worlds.flatMap((world) => failures.get(world) ?? []);
		const hashes = worlds.map((world) => hashWorld(runner.model, runner.state, recipe, world));
		const state = hashes.length === 1 ? hashes[0]! : hashes.join('-');
		if (failed.length > 0) {
			const [worst] = [...failed].sort((a, b) => a.step - b.step) as [WorldFailure];
			const reason = `step ${worst.step + 1} (${Number(((worst.step + 1) * recipe.dt).toPrecision(6))} s): ${worst.reason}`;
			return {
				result: { version: 1, key: run.key, status: 'diverged', reason, steps: worst.step + 1, state, metrics: {} },
			};
		}
		const metrics: Record<string, number> = {};
		for (const [i, metric] of outputs.metrics.entries())
			metrics[metricDefinition(metric)] = joinWorlds(
				metric.kind,
				worlds.map((world) => watch.metric(world, i)),
			);
		const kept = outputs.keepSeriesWhen === undefined || isKept(outputs, metrics);
		const recording = kept ? watch.recording(firstWorld) : undefined;
		const result: RunResult = {
			version: 1,
			key: run.key,
			status: 'ok',
			steps,
			state,
			metrics,
			...(recording && { series: true as const }),
		};
		return recording === undefined ? { result } : { result, series: encodeSeries(recording) };
	}
}

function isKept(outputs: SweepPlan['outputs'], metrics: Readonly<Record<string, number>>): boolean {
	const metric = outputs.metrics.find(({ name }) => name === outputs.keepSeriesWhen)!;
	const value = metrics[metricDefinition(metric)]!;
	return value !== 0 && !Number.isNaN(value);
}

/** Looks at all worlds again and again: metrics of each, and series of those that are recorded. */
class Watch {
	readonly #plan: SweepPlan;
	readonly #runner: WorldRunner;
	readonly #model: Model;
	readonly #collectors: readonly (readonly MetricCollector[])[];
	readonly #samples: readonly (WorldSample & { time: number })[];
	readonly #usesEnergy: boolean;
	readonly #recordings: ReadonlyMap<number, Recording>;

	constructor(plan: SweepPlan, runner: WorldRunner, model: Model) {
		const { metrics, series } = plan.outputs;
		const worlds = Array.from({ length: model.worldCount }, (_, world) => world);
		this.#plan = plan;
		this.#runner = runner;
		this.#model = model;
		this.#collectors = worlds.map((world) =>
			metrics.map((metric) => {
				const collector = MetricCollector.create(metric, model, world);
				if ('fault' in collector) throw new RefusedRun(`metric ${metric.name}: ${collector.fault}`, ['SWP024']);
				return collector;
			}),
		);
		this.#samples = worlds.map((world) => ({
			state: runner.state,
			statistics: runner.statistics,
			world,
			time: 0,
			energy: { kinetic: 0, potential: 0 },
		}));
		this.#usesEnergy = metrics.some(({ expression }) => MetricCollector.usesEnergy(expression));
		const perRun = plan.simulate.worldsPerRun;
		this.#recordings = new Map(
			series === undefined
				? []
				: worlds
						.filter((world) => world % perRun === 0)
						.map((world) => [world, new Recording(seriesQuantities(model, world, series.quantities))]),
		);
	}

	/** Steps between two looks. */
	stepsBetween(dt: number, steps: number): number {
		const { outputs, simulate } = this.#plan;
		if (outputs.series === undefined && outputs.metrics.every(({ kind }) => MetricCollector.isOfEnds(kind)))
			return steps;
		const whole = (seconds: number): number => Math.max(1, Math.round(seconds / dt));
		const sample = simulate.sample === undefined ? 1 : whole(simulate.sample);
		if (outputs.metrics.some(({ kind }) => !MetricCollector.isOfEnds(kind)) || outputs.series === undefined)
			return sample;
		return whole(outputs.series.every);
	}

	look(time: number, step = 0, dt = 0): void {
		const { fault } = this.#runner.statistics;
		const { series } = this.#plan.outputs;
		const every = series === undefined || dt === 0 ? 1 : Math.max(1, Math.round(series.every / dt));
		for (let world = 0; world < this.#samples.length; world++) {
			if (fault[world] !== 0) continue;
			const sample = this.#samples[world]!;
			sample.time = time;
			if (this.#usesEnergy) fillEnergy(this.#model, sample);
			for (const collector of this.#collectors[world]!) collector.add(sample);
			if (step % every === 0)
				this.#recordings
					.get(world)
					?.add(time, new Sample(this.#model, this.#runner.state, world, this.#runner.statistics));
		}
	}

	metric(world: number, index: number): number {
		return this.#collectors[world]![index]!.value;
	}

	recording(world: number): Recording | undefined {
		return this.#recordings.get(world);
	}
}

/** Quantities of a series by the names of groups or of Newton. */
export function seriesQuantities(model: Model, world: number, names: readonly string[]): Quantity[] {
	const selection = names.map((name) => {
		const [group = '', ...rest] = name.split(':');
		return [NEWTON_NAMES[group] ?? group, ...rest].join(':');
	});
	return chooseQuantities(model, world, selection);
}

function usesAccount(expression: string): boolean {
	const parsed = parseExpression(expression);
	return !('fault' in parsed) && parsed.names.some(({ text }) => needsAccount(text));
}

function startOfRun(recipe: WorldRecipe, noise: SweepPlan['simulate']['noise'], seed: number, world: number): State {
	if (noise.jointQ === 0 && noise.jointQd === 0) return recipe.start;
	const state = recipe.model.createState();
	state.assign(recipe.start);
	addStartNoise(recipe.model, state, noise, seed, world);
	return state;
}

const ROWS = [
	['bodyQ', 'body', 7],
	['bodyQd', 'body', 6],
	['jointQ', 'jointCoord', 1],
	['jointQd', 'jointDof', 1],
	['particleQ', 'particle', 3],
	['particleQd', 'particle', 3],
] as const;

/** Copies the state of a model with one world to a world of another, or back. */
function copyWorld(model: Model, one: State, all: State, world: number, way: 'in' | 'out'): void {
	for (const [name, entity, width] of ROWS) {
		const [own, shared] = [one[name], all[name]];
		if (own === undefined || shared === undefined || own.length === 0) continue;
		const { start } = model.worlds.range(entity, world);
		const part = shared.subarray(start * width, start * width + own.length);
		if (way === 'in') part.set(own);
		else own.set(part);
	}
}

function copyOf(state: State, model: Model): State {
	const copy = model.createState();
	copy.assign(state);
	return copy;
}

function hashWorld(model: Model, all: State, recipe: WorldRecipe, world: number): string {
	const one = recipe.model.createState();
	copyWorld(model, one, all, world, 'out');
	return hashState(one);
}

function refused(run: KeyedRun, { message, codes }: RefusedRun): RunOutcome {
	const reason = codes.length === 0 ? message : `${codes.join(', ')}: ${message}`;
	return { result: { version: 1, key: run.key, status: 'refused', reason, steps: 0, state: '', metrics: {} } };
}

/** Errors with a code say that a model cannot be run; others are faults of the program. */
function asRefusal(error: unknown): RefusedRun | undefined {
	if (error instanceof RefusedRun) return error;
	if (error instanceof UsageRangeError) return new RefusedRun(error.message);
	const { code, message } = error as { readonly code?: unknown; readonly message?: string };
	return typeof code === 'string' && /^[A-Z]+\d{3}$/.test(code) ? new RefusedRun(message ?? code, [code]) : undefined;
}
