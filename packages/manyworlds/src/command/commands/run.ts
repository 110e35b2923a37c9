import { UsageRangeError } from '@manyworlds/core';
import { formatBytes } from '@manyworlds/usd/internal';
import { chooseQuantities, plotPanels, plotSvg, type Quantity } from '@manyworlds/worlds';
import { DEFAULT_QUANTITIES } from '@manyworlds/worlds/internal';
import { createDiagnostic } from '../../diagnostics.ts';
import type { CommandContext } from '../command-context.ts';
import { writeOutput } from '../files.ts';
import { openSimulation, type SimulationCommandOptions } from '../run/open-simulation.ts';
import { type RunResult, simulate } from '../run/simulate.ts';
import type { Simulation } from '../run/simulation.ts';
import { SOLVERS, type SolverName } from '../run/solver-names.ts';
import { summaryJson, summaryText } from '../run/summary.ts';

/** Options of `manyworlds run`. */
export interface RunCommandOptions extends SimulationCommandOptions {
	readonly solver: SolverName;
	/** Names of solvers with commas. */
	readonly compare?: string;
	/** [s] */
	readonly duration: number;
	readonly frames?: number;
	/** World that is recorded. */
	readonly watch: number;
	readonly quantities?: readonly string[];
	readonly record?: string;
	readonly plot?: string;
	readonly json?: boolean;
}

/** `manyworlds run FILE`: simulates a scene, or a robot on a ground plane, and prints what became of it. */
export async function run(context: CommandContext, file: string, options: RunCommandOptions): Promise<void> {
	const solvers = chosenSolvers(context, options);
	if (solvers === undefined || !checkOutputs(context, options)) return;
	const simulation = openSimulation(context, file, options);
	if (simulation === undefined) return;
	const quantities = chosenQuantities(context, simulation, options);
	if (quantities === undefined) return;
	const steps = options.frames ?? stepsIn(options.duration, simulation.dt);
	const results: RunResult[] = [];
	for (const solver of solvers) {
		const result = await simulate(context, simulation, {
			solver,
			steps,
			world: options.watch,
			quantities,
			jobs: options.jobs,
		});
		if (result === undefined) return;
		results.push(result);
	}
	context.print(options.json === true ? summaryJson(simulation, results) : summaryText(simulation, results));
	writeFiles(context, simulation.file, results, options);
}

/** Steps that it takes to get through a time, the last one whole. */
export function stepsIn(duration: number, dt: number): number {
	return Math.max(1, Math.ceil(duration / dt - 1e-9));
}

function chosenSolvers(context: CommandContext, options: RunCommandOptions): SolverName[] | undefined {
	const names =
		options.compare === undefined ? [options.solver] : options.compare.split(',').map((name) => name.trim());
	const odd = names.find((name) => !(SOLVERS as readonly string[]).includes(name));
	if (odd === undefined && (options.compare === undefined || names.length > 1)) return names as SolverName[];
	const problem = odd === undefined ? 'one solver cannot be compared' : `unknown solver '${odd}'`;
	context.report.add(createDiagnostic('CLI006', `--compare: ${problem}, expected two of ${SOLVERS.join(', ')}`));
	return undefined;
}

/** Refuses names of files that say no format before anything is computed. */
function checkOutputs(context: CommandContext, { record, plot }: RunCommandOptions): boolean {
	const problems = [
		record !== undefined && !/\.(?:csv|json)$/i.test(record) ? `--record: '${record}' is no .csv or .json file` : '',
		plot !== undefined && !/\.svg$/i.test(plot) ? `--plot: '${plot}' is no .svg file` : '',
	].filter((problem) => problem !== '');
	for (const problem of problems) context.report.add(createDiagnostic('CLI006', problem));
	return problems.length === 0;
}

function chosenQuantities(
	context: CommandContext,
	{ model }: Simulation,
	{ watch, quantities = DEFAULT_QUANTITIES }: RunCommandOptions,
): Quantity[] | undefined {
	let problem = `--watch: there is no world ${watch}, expected 0 to ${model.worldCount - 1}`;
	if (watch < model.worldCount) {
		try {
			return chooseQuantities(model, watch, quantities);
		} catch (error) {
			if (!(error instanceof UsageRangeError)) throw error;
			problem = `--quantities: ${error.message}`;
		}
	}
	context.report.add(createDiagnostic('CLI006', problem));
	return undefined;
}

function writeFiles(
	context: CommandContext,
	file: string,
	results: readonly RunResult[],
	options: RunCommandOptions,
): void {
	const encode = (text: string): Uint8Array => new TextEncoder().encode(text);
	const { record, plot } = options;
	if (record !== undefined) {
		for (const { solver, engine, recording } of results) {
			const name = results.length === 1 ? record : record.replace(/(\.[^./]*)?$/, `-${solver}$1`);
			const maker = engine === undefined ? solver : `${solver} (${engine})`;
			announce(context, name, encode(/\.json$/i.test(name) ? recording.toJson(maker) : recording.toCsv(maker)));
		}
	}
	if (plot !== undefined) {
		const solvers = results.map(({ solver }) => solver).join(' and ');
		const world = options.watch === 0 ? '' : `, world ${options.watch}`;
		const [first, second] = results;
		const text = plotSvg(`${file}, ${solvers}${world}`, first!.recording.times, plotPanels(results), {
			...(second !== undefined && { styles: [first!.solver, second.solver] as const }),
		});
		announce(context, plot, encode(text));
	}
}

/** Writes a file and says so: with several solvers its name is not the one that was given. */
function announce(context: CommandContext, file: string, bytes: Uint8Array): void {
	if (writeOutput(context, file, bytes)) context.note(`wrote ${context.display(file)} (${formatBytes(bytes.length)})`);
}
