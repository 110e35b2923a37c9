import { createDiagnostic } from '@manyworlds/core';
import { Control, type Model, ModelBuilder, State } from '@manyworlds/model';
import type { CommandContext } from '../command-context.ts';
import { writeOutput } from '../files.ts';
import { openRobot, type RobotCommandOptions } from '../open-robot.ts';
import { Recording } from '../run/recording.ts';
import { startState } from '../run/start-state.ts';
import { createStepper, SOLVERS, type SolverName } from '../run/stepper.ts';
import { type PlotLine, type PlotPanel, plotSvg } from '../run/svg-plot.ts';

/** Options of `manyworlds run`. */
export interface RunCommandOptions extends RobotCommandOptions {
	readonly solver: SolverName;
	/** Names of solvers with commas. */
	readonly compare?: string;
	/** [s] */
	readonly duration: number;
	readonly frames?: number;
	/** [s] */
	readonly dt: number;
	readonly worlds: number;
	readonly ground: boolean;
	readonly record?: string;
	readonly plot?: string;
	readonly json?: boolean;
}

/** `manyworlds run FILE`: simulates a robot on a ground plane and prints what became of it. */
export async function run(context: CommandContext, file: string, options: RunCommandOptions): Promise<void> {
	const solvers = chosenSolvers(context, options);
	if (solvers === undefined) return;
	const robot = openRobot(context, file, { ...options, prepare: (builder) => placeInWorlds(builder, options) });
	if (robot === undefined) return;
	const steps = options.frames ?? Math.max(1, Math.round(options.duration / options.dt));
	const results: RunResult[] = [];
	for (const solver of solvers) {
		const result = await simulate(context, robot.model, solver, steps, options);
		if (result === undefined) return;
		results.push(result);
	}
	context.print(
		options.json === true
			? summaryJson(robot.file, robot.model, results, options)
			: summaryText(robot.file, robot.model, results, options),
	);
	writeFiles(context, robot.file, results, options);
}

/** What one solver came to. */
interface RunResult {
	readonly solver: SolverName;
	readonly recording: Recording;
	readonly steps: number;
	/** Time that the computation took [s]. */
	readonly seconds: number;
	readonly failedWorlds: number;
	readonly meanContacts: number;
}

function chosenSolvers(context: CommandContext, options: RunCommandOptions): SolverName[] | undefined {
	const names =
		options.compare === undefined ? [options.solver] : options.compare.split(',').map((name) => name.trim());
	const odd = names.find((name) => !(SOLVERS as readonly string[]).includes(name));
	if (odd === undefined && (options.compare === undefined || names.length > 1)) return names as SolverName[];
	const problem = odd === undefined ? 'one solver cannot be compared' : `'${odd}' is no solver`;
	context.report.add(createDiagnostic('CLI006', `--compare: ${problem}, expected two of ${SOLVERS.join(', ')}`));
	return undefined;
}

/** The robot in as many worlds as asked for, two metres apart, on one plane. */
function placeInWorlds(robot: ModelBuilder, options: RunCommandOptions): ModelBuilder {
	const scene = new ModelBuilder({ upAxis: robot.upAxis, gravity: [...robot.gravity] });
	scene.replicate(robot, { count: options.worlds, spacing: [2, 2, 0] });
	if (options.ground) scene.addGroundPlane();
	return scene;
}

/** Rows of a recording at most; longer runs keep every n-th step. */
const MOST_ROWS = 2000;

async function simulate(
	context: CommandContext,
	model: Model,
	solver: SolverName,
	steps: number,
	options: RunCommandOptions,
): Promise<RunResult | undefined> {
	let stepper: Awaited<ReturnType<typeof createStepper>>;
	try {
		stepper = await createStepper(solver, model);
	} catch (error) {
		if (!(error instanceof RangeError) || !('code' in error)) throw error;
		context.report.add(createDiagnostic(error.code as 'MJC004', error.message));
		return undefined;
	}
	const recording = new Recording(model);
	const control = new Control(model);
	let [now, next] = [startState(model, context.report), new State(model)];
	const every = Math.max(1, Math.ceil(steps / MOST_ROWS));
	let contacts = 0;
	const started = context.io.now();
	try {
		recording.add(0, now, 0);
		for (let step = 1; step <= steps; step++) {
			stepper.step(now, next, control, options.dt);
			[now, next] = [next, now];
			contacts += stepper.contactCount();
			if (step % every === 0 || step === steps) recording.add(step * options.dt, now, stepper.contactCount());
			if (step % 64 === 0) context.progress.step(`${solver}: step ${step} of ${steps}`);
		}
		return {
			solver,
			recording,
			steps,
			seconds: (context.io.now() - started) / 1000,
			failedWorlds: stepper.failedWorlds(),
			meanContacts: contacts / steps / model.worldCount,
		};
	} finally {
		// what a solver has no term for is worth knowing, and no fault of the robot
		for (const one of stepper.report.toArray()) {
			context.report.add(one.severity === 'warning' ? { ...one, severity: 'info' } : one);
		}
		stepper.dispose();
	}
}

function summaryText(file: string, model: Model, results: readonly RunResult[], options: RunCommandOptions): string {
	const perWorld = model.worlds.maxCount('body');
	const lines = [
		`${file}: ${perWorld} bodies, ${model.worlds.maxCount('jointDof')} degrees of freedom, ${model.worlds.maxCount('shape')} shapes, ${model.worldCount} ${model.worldCount === 1 ? 'world' : 'worlds'}`,
	];
	for (const result of results) {
		const { recording, steps } = result;
		const rate = (steps * model.worldCount) / Math.max(result.seconds, 1e-9);
		lines.push(
			'',
			`${result.solver}: ${steps} steps of ${options.dt} s (${round(steps * options.dt)} s) in ${round(result.seconds)} s, ${Math.round(rate)} world-steps/s`,
		);
		for (let i = 0; i < recording.headCount; i++) {
			const values = recording.column(i);
			const name = recording.columns[i]!;
			const unit = name === 'energy' ? ' J' : name === 'contacts' ? '' : ' m';
			lines.push(`  ${name}: ${round(values[0]!)} → ${round(values.at(-1)!)}${unit}`);
		}
		lines.push(`  mean contacts of a world: ${round(result.meanContacts)}`);
		if (result.failedWorlds > 0) lines.push(`  ${result.failedWorlds} of ${model.worldCount} worlds diverged`);
	}
	if (results.length > 1) lines.push('', ...differenceLines(results));
	return `${lines.join('\n')}\n`;
}

/** Largest differences between the first two runs, at the end of each quarter. */
function differenceLines(results: readonly RunResult[]): string[] {
	const [a, b] = [results[0]!.recording, results[1]!.recording];
	const lines = [`${results[0]!.solver} against ${results[1]!.solver}:`];
	for (let quarter = 1; quarter <= 4; quarter++) {
		const row = Math.round(((a.times.length - 1) * quarter) / 4);
		let worst = { name: '', gap: 0 };
		for (let i = a.headCount; i < a.columns.length; i++) {
			const gap = Math.abs(a.rows[row]![i]! - b.rows[row]![i]!);
			if (!(gap <= worst.gap)) worst = { name: a.columns[i]!, gap };
		}
		const energy = Math.abs(a.rows[row]![0]! - b.rows[row]![0]!);
		lines.push(
			`  at ${round(a.times[row]!)} s: largest difference ${round(worst.gap)}${worst.name === '' ? '' : ` (${worst.name})`}, energy ${round(energy)} J`,
		);
	}
	return lines;
}

function summaryJson(file: string, model: Model, results: readonly RunResult[], options: RunCommandOptions): string {
	const runs = results.map(({ solver, recording, steps, seconds, failedWorlds, meanContacts }) => ({
		solver,
		steps,
		dt: options.dt,
		seconds,
		worldStepsPerSecond: (steps * model.worldCount) / Math.max(seconds, 1e-9),
		failedWorlds,
		meanContacts,
		columns: recording.columns,
		first: recording.rows[0],
		last: recording.rows.at(-1),
	}));
	return `${JSON.stringify({ version: 1, file, worlds: model.worldCount, bodies: model.bodyCount, dofs: model.jointDofCount, runs }, null, 2)}\n`;
}

function round(value: number): string {
	return String(Number(value.toPrecision(4)));
}

function writeFiles(
	context: CommandContext,
	file: string,
	results: readonly RunResult[],
	options: RunCommandOptions,
): void {
	const encode = (text: string): Uint8Array => new TextEncoder().encode(text);
	if (options.record !== undefined) {
		for (const { solver, recording } of results) {
			const name = results.length === 1 ? options.record : options.record.replace(/(\.[^.]*)?$/, `-${solver}$1`);
			writeOutput(context, name, encode(name.endsWith('.json') ? recording.toJson() : recording.toCsv()));
		}
	}
	if (options.plot !== undefined) {
		const text = plotSvg(
			`${file}, ${results.map(({ solver }) => solver).join(' and ')}`,
			results[0]!.recording.times,
			panels(results),
		);
		writeOutput(context, options.plot, encode(text));
	}
}

/** Most joint coordinates of a plot: those that move most. */
const PLOTTED_COORDINATES = 6;

function panels(results: readonly RunResult[]): PlotPanel[] {
	const first = results[0]!.recording;
	const lines = (indices: readonly number[]): PlotLine[] =>
		results.flatMap(({ solver, recording }, k) =>
			indices.map((i) => ({
				label: results.length === 1 ? recording.columns[i]! : `${recording.columns[i]!} (${solver})`,
				values: recording.column(i),
				isDashed: k > 0,
			})),
		);
	const heights = Array.from({ length: first.headCount - 2 }, (_, i) => i + 2);
	const moving = first.columns
		.map((_, i) => i)
		.slice(first.headCount)
		.sort((a, b) => spread(first.column(b)) - spread(first.column(a)) || a - b)
		.slice(0, PLOTTED_COORDINATES);
	const list: PlotPanel[] = [{ title: 'energy', unit: 'J', lines: lines([0]) }];
	if (heights.length > 0)
		list.push({ title: 'height of floating bases', unit: 'm', lines: lines(heights.slice(0, PLOTTED_COORDINATES)) });
	list.push({ title: 'joint coordinates that move most', unit: 'm, rad', lines: lines(moving) });
	list.push({ title: 'contacts', unit: 'count', lines: lines([1]) });
	return list;
}

function spread(values: readonly number[]): number {
	let low = Number.POSITIVE_INFINITY;
	let high = Number.NEGATIVE_INFINITY;
	for (const value of values) {
		low = Math.min(low, value);
		high = Math.max(high, value);
	}
	return high - low;
}
