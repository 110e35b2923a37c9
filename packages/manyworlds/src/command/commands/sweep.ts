import { availableParallelism } from 'node:os';
import { dirname, join } from 'node:path';
import { UsageRangeError } from '@manyworlds/core';
import { createSweepDiagnostic, tableColumns } from '@manyworlds/sweep/internal';
import { formatBytes } from '@manyworlds/usd/internal';
import { createDiagnostic } from '../../diagnostics.ts';
import { type CommandContext, ExitCode } from '../command-context.ts';
import { ComputePool } from '../sweep/compute-pool.ts';
import { type LoadedSweep, loadSweep } from '../sweep/load-sweep.ts';
import { NATS_CONFIG, openExchange } from '../sweep/open-exchange.ts';
import { openStore, withStore } from '../sweep/open-store.ts';
import { openFolder, runSweep } from '../sweep/run-sweep.ts';
import type { SweepCommandOptions } from '../sweep/sweep-command-options.ts';
import { SweepMetrics } from '../sweep/sweep-metrics.ts';
import { duration, type SweepProgress } from '../sweep/sweep-progress.ts';

/** Time between two lines of progress for programs [ms]. */
const JSON_INTERVAL = 1000;

/** `manyworlds sweep PLAN`: runs all that the plan stands for and is not done yet. */
export async function sweep(
	context: CommandContext,
	plan: string | undefined,
	rest: readonly string[],
	options: SweepCommandOptions,
): Promise<void> {
	if (options.printNatsConfig === true) {
		context.print(NATS_CONFIG);
		return;
	}
	if (plan === undefined) {
		context.report.add(createDiagnostic('CLI006', 'missing plan (see manyworlds help sweep)'));
		return;
	}
	if (['status', 'show', 'query', 'report', 'export'].includes(plan)) {
		const { lookAtSweep } = await import('../sweep/look-at-sweep.ts');
		await lookAtSweep(context, plan as 'status', rest, options);
		return;
	}
	if (rest.length > 0) {
		context.report.add(createDiagnostic('CLI006', `too many arguments: ${rest.join(' ')}`));
		return;
	}
	if (options.queue !== undefined && options.shard !== undefined) {
		context.report.add(
			createDiagnostic('CLI006', '--queue and --shard are two ways to share runs, expected one of them'),
		);
		return;
	}
	const loaded = await loadSweep(context, plan);
	if (loaded === undefined) return;
	const out =
		options.out === undefined
			? join(dirname(context.absolute(plan)), `${loaded.plan.name}.sweep`)
			: context.absolute(options.out);
	if (options.dryRun === true) await dryRun(context, loaded, options);
	else if (options.run !== undefined) await runOne(context, loaded, out, options.run, options);
	else await runAll(context, loaded, out, options);
}

/** Shows what a plan comes to: the first runs, what one costs, and what all of them would. */
async function dryRun(context: CommandContext, loaded: LoadedSweep, options: SweepCommandOptions): Promise<void> {
	const { plan, count, first } = loaded;
	const runs = [];
	for (let index = 0; index < count && runs.length < 10; index++) {
		const run = loaded.runOf(index);
		if (run !== undefined) runs.push(run);
	}
	const sample = await timeOne(loaded, options);
	const seconds = sample * count;
	// a result and its place in the table
	const bytes = count * (300 + 24 * (plan.parameters.length + plan.outputs.metrics.length));
	const jobs = options.jobs ?? availableParallelism();
	if (options.json === true) {
		const rows = runs.map(({ index, key, values, file }) => ({
			index,
			run_key: key,
			...(file === undefined ? Object.fromEntries(plan.parameters.map(({ name }, i) => [name, values[i]])) : { file }),
		}));
		context.print(
			`${JSON.stringify({ event: 'plan', name: plan.name, runs: count, first: rows, seconds_per_run: sample, seconds, bytes, jobs })}\n`,
		);
		return;
	}
	const lines = [
		`${plan.name}: ${count.toLocaleString('en')} runs${plan.constraints.length > 0 ? ' before constraints' : ''}`,
	];
	if (first !== undefined)
		lines.push(
			`  ${first.solver}, ${first.model.bodyCount} bodies, ${first.model.jointDofCount} degrees of freedom, ${first.duration} s in steps of ${first.dt} s`,
		);
	const header =
		plan.task === 'check'
			? ['index', 'file']
			: ['index', ...plan.parameters.map(({ name }) => name), ...(plan.repeats > 1 ? ['repeat'] : [])];
	const rows = runs.map(({ index, values, repeat, file }) =>
		plan.task === 'check'
			? [String(index), file ?? '']
			: [
					String(index),
					...values.map((value) => (typeof value === 'number' ? String(Number(value.toPrecision(6))) : String(value))),
					...(plan.repeats > 1 ? [String(repeat)] : []),
				],
	);
	lines.push('', ...table(header, rows));
	if (count > runs.length) lines.push(`  … ${(count - runs.length).toLocaleString('en')} more`);
	lines.push(
		'',
		`one run took ${sample.toPrecision(2)} s here; all of them ${duration(seconds / jobs)} on ${jobs} threads, about ${formatBytes(bytes)}`,
	);
	context.print(`${lines.join('\n')}\n`);
}

/** Seconds of one run, the second time it is computed. */
async function timeOne(loaded: LoadedSweep, options: SweepCommandOptions): Promise<number> {
	const pool = poolOf(loaded, options);
	try {
		let run: ReturnType<LoadedSweep['runOf']>;
		for (let index = 0; run === undefined && index < loaded.count; index++) run = loaded.runOf(index);
		if (run === undefined) return 0;
		await pool.compute([run]);
		return (await pool.compute([run]))[0]!.seconds;
	} finally {
		await pool.close();
	}
}

function poolOf({ setup, plan }: LoadedSweep, { maxMemory }: SweepCommandOptions): ComputePool {
	return new ComputePool(setup, { timePerRun: plan.stop.timePerRun, ...(maxMemory !== undefined && { maxMemory }) });
}

/** Lines of a table with aligned columns. */
function table(header: readonly string[], rows: readonly (readonly string[])[]): string[] {
	const widths = header.map((name, i) => Math.max(name.length, ...rows.map((row) => row[i]!.length)));
	return [header, ...rows].map((row) => `  ${row.map((cell, i) => cell.padStart(widths[i]!)).join('  ')}`);
}

/** One run, computed anew and committed; prints its row. */
async function runOne(
	context: CommandContext,
	loaded: LoadedSweep,
	out: string,
	index: number,
	options: SweepCommandOptions,
): Promise<void> {
	const run = loaded.runOf(index);
	if (run === undefined) {
		const why = index < loaded.count ? 'the constraints exclude it' : `there are ${loaded.count}, counted from 0`;
		context.report.add(createSweepDiagnostic('SWP032', `there is no run ${index}: ${why}`));
		return;
	}
	const folder = openFolder(context, loaded, out);
	if (folder === undefined) return;
	const pool = poolOf(loaded, options);
	try {
		const [outcome] = await pool.compute([run]);
		const { result, series } = outcome!;
		if (folder.commitNow(result, series) === 'different')
			context.report.add(
				createSweepDiagnostic(
					'SWP041',
					`run ${index} (${result.key}) came to another result than the one that is committed; both are kept`,
				),
			);
		await folder.flush();
		context.print(
			`${JSON.stringify(rowOf(loaded, { run, result, ...(run.file !== undefined && { file: run.file }) }))}\n`,
		);
	} finally {
		await pool.close();
	}
}

/** A row of the table as an object. */
export function rowOf(
	{ plan, tool }: Pick<LoadedSweep, 'plan' | 'tool'>,
	entry: Parameters<ReturnType<typeof tableColumns>[number]['of']>[0],
): Record<string, unknown> {
	return Object.fromEntries(tableColumns(plan, tool).map(({ name, of }) => [name, of(entry)]));
}

async function runAll(
	context: CommandContext,
	loaded: LoadedSweep,
	out: string,
	options: SweepCommandOptions,
): Promise<void> {
	const metrics = new SweepMetrics();
	const jobs = options.jobs ?? availableParallelism();
	const served = options.metrics === undefined ? undefined : await serveMetrics(context, metrics, options.metrics);
	if (options.metrics !== undefined && served === undefined) return;
	const exchange =
		options.queue === undefined ? undefined : await openExchange(context, options.queue, { leaseTime: options.lease });
	if (options.queue !== undefined && exchange === undefined) return;
	const store = options.store === undefined ? undefined : await openStore(context, options.store, loaded.sweep);
	if (options.store !== undefined && store === undefined) {
		await exchange?.close();
		return;
	}
	let isInterrupted = false;
	const interrupt = (): void => {
		isInterrupted = true;
	};
	process.once('SIGINT', interrupt);
	process.once('SIGTERM', interrupt);
	let told = context.io.now();
	const tell = (progress: SweepProgress): void => {
		if (options.json !== true) {
			context.progress.pulse(() => `${loaded.plan.name}: ${progress.line}`);
			return;
		}
		if (context.io.now() - told < JSON_INTERVAL) return;
		told = context.io.now();
		context.print(`${JSON.stringify(progress.json)}\n`);
	};
	try {
		const begun = context.io.now();
		const end = await runSweep(context, loaded, out, {
			jobs,
			retryFailed: options.retry === 'failed',
			metrics,
			onProgress: tell,
			isInterrupted: () => isInterrupted,
			...(options.shard !== undefined && { shard: options.shard }),
			...(exchange !== undefined && { exchange: store === undefined ? exchange : withStore(exchange, store) }),
			...(store !== undefined && { store }),
			...(options.maxMemory !== undefined && { maxMemory: options.maxMemory }),
		});
		if (end === undefined) return;
		const { progress, rows, isStopped } = end;
		const seconds = (context.io.now() - begun) / 1000;
		const where = context.display(out);
		if (isStopped)
			context.report.add(
				createSweepDiagnostic(
					'SWP050',
					`${progress.failed} runs failed, which is more than stop.max_failures allows; see ${where}/report.html`,
				),
			);
		if (options.json === true)
			context.print(
				`${JSON.stringify({ ...progress.json, event: 'end', seconds, out: where, ...(rows !== undefined && { rows }), interrupted: isInterrupted })}\n`,
			);
		else context.print(summary(loaded, progress, rows, seconds, where, isInterrupted, options));
		if (isInterrupted) context.outcome = ExitCode.interrupted;
		else if (isStopped) context.outcome = ExitCode.findings;
		else if (!context.report.hasErrors) context.outcome = ExitCode.clean;
		if (context.outcome !== undefined) await context.printReport('text');
	} finally {
		process.off('SIGINT', interrupt);
		process.off('SIGTERM', interrupt);
		served?.close();
		await exchange?.close();
	}
}

/** Serves counts; undefined, with a diagnostic, when the port cannot be had. */
export async function serveMetrics(
	context: CommandContext,
	metrics: SweepMetrics,
	address: string,
): Promise<{ readonly port: number; readonly close: () => void } | undefined> {
	try {
		return await metrics.serve(address);
	} catch (error) {
		if (error instanceof UsageRangeError) throw error;
		context.report.add(createDiagnostic('CLI006', `--metrics: ${(error as Error).message}`));
		return undefined;
	}
}

function summary(
	{ plan, planFile }: LoadedSweep,
	progress: SweepProgress,
	rows: number | undefined,
	seconds: number,
	where: string,
	isInterrupted: boolean,
	options: SweepCommandOptions,
): string {
	const { done, before, byStatus, failed, total } = progress;
	const rate = seconds > 0 ? done / seconds : 0;
	const lines = [
		`${plan.name}: ${done} runs in ${seconds.toPrecision(3)} s (${rate.toPrecision(3)}/s)${before > 0 ? `, ${before} were there already` : ''}`,
	];
	if (failed > 0) {
		const counts = Object.entries(byStatus).flatMap(([status, count]) =>
			status !== 'ok' && count > 0 ? [`${count} ${status}`] : [],
		);
		lines.push(`  ${counts.join(', ')}; manyworlds sweep ${planFile} --retry failed runs them again`);
	}
	if (rows !== undefined) lines.push(`  ${rows} rows in ${where}/table.parquet, report in ${where}/report.html`);
	else if (isInterrupted) lines.push(`  interrupted after ${before + done} of ${total}: the same command goes on`);
	else if (options.shard !== undefined)
		lines.push(
			`  part ${options.shard.index} of ${options.shard.count} is done; the table follows when the others are`,
		);
	return `${lines.join('\n')}\n`;
}
