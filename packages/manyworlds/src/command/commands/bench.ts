import { createDiagnostic } from '../../diagnostics.ts';
import type { CommandContext } from '../command-context.ts';
import type { BENCH_FIELDS } from '../run/bench-fields.ts';
import { openSimulation, type SimulationCommandOptions } from '../run/open-simulation.ts';
import { closeStepper, openStepper, sum } from '../run/simulate.ts';
import type { Simulation } from '../run/simulation.ts';
import type { SolverName } from '../run/solver-names.ts';
import { STEPPER_DEFAULTS, type Stepper } from '../run/stepper.ts';
import { stepsIn } from './run.ts';

/** Options of `manyworlds bench`. */
export interface BenchCommandOptions extends SimulationCommandOptions {
	readonly solver: SolverName;
	/** The scene, by the name of the option of the reference. */
	readonly scene?: string;
	/** [s] */
	readonly duration: number;
	readonly frames?: number;
	/** Steps before the clock runs. */
	readonly warmup: number;
	readonly device: string;
	readonly json?: boolean;
	readonly format?: string;
}

type BenchResult = Readonly<Record<keyof typeof BENCH_FIELDS, string | number | boolean | undefined>>;

/** `manyworlds bench --scene FILE`: times the steps of a scene or robot, and reports a rate only of a result that holds. */
export async function bench(
	context: CommandContext,
	file: string | undefined,
	options: BenchCommandOptions,
): Promise<void> {
	const scene = chosenScene(context, file, options);
	if (scene === undefined) return;
	const simulation = openSimulation(context, scene, options);
	if (simulation === undefined) return;
	const frames = options.frames ?? stepsIn(options.duration, simulation.dt);
	if (options.warmup > 0 && (await timeSteps(context, simulation, options, options.warmup)) === undefined) return;
	const timed = await timeSteps(context, simulation, options, frames);
	if (timed === undefined) return;
	const result = benchResult(simulation, options, timed);
	const isJson = options.json === true || options.format === 'json';
	context.print(isJson ? `${JSON.stringify({ version: 1, ...result }, null, 2)}\n` : benchText(result));
}

/** What the clock and the counters said. */
interface Timed {
	/** Time of each step [ms]. */
	readonly times: Float64Array;
	readonly settings: string;
	/** Threads that stepped. */
	readonly jobs: number;
	readonly contacts: number;
	readonly iterations: number | undefined;
}

function chosenScene(
	context: CommandContext,
	file: string | undefined,
	options: BenchCommandOptions,
): string | undefined {
	const problem =
		(file === undefined) === (options.scene === undefined)
			? 'name one scene or robot, as --scene FILE or as argument'
			: options.device !== 'cpu'
				? `--device is '${options.device}', expected cpu, the only one there is`
				: undefined;
	if (problem === undefined) return file ?? options.scene;
	context.report.add(createDiagnostic('CLI006', problem));
	return undefined;
}

/** Runs a simulation from its start; undefined, with diagnostics, when what came out is no result. */
async function timeSteps(
	context: CommandContext,
	simulation: Simulation,
	options: BenchCommandOptions,
	frames: number,
): Promise<Timed | undefined> {
	const plain = { ...simulation, stepper: { ...simulation.stepper, accountsEnergy: false } };
	const stepper = await openStepper(context, plain, options.solver, options.jobs);
	if (stepper === undefined) return undefined;
	const { dt, playback } = simulation;
	const times = new Float64Array(frames);
	try {
		for (let frame = 0; frame < frames; frame++) {
			playback?.apply(stepper.control, frame, dt);
			const started = context.io.now();
			await stepper.step(dt);
			times[frame] = context.io.now() - started;
			context.progress.pulse(() => `${stepper.name}: step ${frame + 1} of ${frames}`);
		}
		const problem = problemOf(stepper);
		if (problem !== undefined) {
			context.findings.add(createDiagnostic('CLI023', `no rate is reported: ${problem}`, { file: simulation.file }));
			return undefined;
		}
		const worldSteps = frames * simulation.model.worldCount;
		return {
			times,
			settings: stepper.settings,
			jobs: stepper.jobs,
			contacts: sum(stepper.statistics.contactTotal) / worldSteps,
			iterations: stepper.tellsIterations ? sum(stepper.statistics.iterationTotal) / worldSteps : undefined,
		};
	} finally {
		await closeStepper(context, simulation, stepper);
	}
}

/** Why the end of a run is no result; undefined when it is one. */
function problemOf({ failures, state, statistics }: Stepper): string | undefined {
	if (failures.length > 0) return `${failures.length} of ${statistics.fault.length} worlds diverged`;
	const arrays = [state.jointQ, state.jointQd, state.bodyQ, state.bodyQd];
	if (arrays.every((array) => array.every(Number.isFinite))) return undefined;
	return 'a coordinate or velocity at the end is not finite';
}

function benchResult(simulation: Simulation, options: BenchCommandOptions, timed: Timed): BenchResult {
	const { model, dt } = simulation;
	const frames = timed.times.length;
	const elapsed = sum(timed.times) / 1000;
	const fps = frames / Math.max(elapsed, 1e-9);
	const sorted = timed.times.toSorted();
	const room = simulation.stepper.contactsPerWorld ?? STEPPER_DEFAULTS.contactsPerWorld;
	return {
		scene: simulation.file,
		device: options.device,
		dt,
		frames,
		num_worlds: model.worldCount,
		max_rigid_contact_per_env: room,
		rigid_contact_capacity: room * model.worldCount,
		cuda_graph: false,
		elapsed,
		fps,
		realtime_ratio: fps * dt,
		solver: options.solver,
		settings: timed.settings,
		jobs: timed.jobs,
		warmup_frames: options.warmup,
		world_steps_per_second: fps * model.worldCount,
		step_ms_median: percentile(sorted, 0.5),
		step_ms_p95: percentile(sorted, 0.95),
		mean_contacts: timed.contacts,
		mean_iterations: timed.iterations,
	};
}

/** The smallest time that a fraction of the steps does not exceed. */
function percentile(sorted: Float64Array, fraction: number): number {
	return sorted[Math.max(0, Math.ceil(fraction * sorted.length) - 1)]!;
}

function benchText(result: BenchResult): string {
	const lines = Object.entries(result)
		.filter(([, value]) => value !== undefined)
		.map(([name, value]) => `${name.padEnd(27)}${typeof value === 'number' ? Number(value.toPrecision(5)) : value}`);
	return `${lines.join('\n')}\n`;
}
