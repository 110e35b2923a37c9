import { mkdirSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import {
	type Commit,
	fileFault,
	ResultFolder,
	replaceFile,
	S3Refusal,
	type S3Results,
} from '@manyworlds/node/internal';
import { batchesOf, createSweepDiagnostic, type Exchange } from '@manyworlds/sweep/internal';
import type { CommandContext } from '../command-context.ts';
import { coordinate } from './coordinate.ts';
import { committedEntries, writeReport, writeTables } from './finish-sweep.ts';
import type { LoadedSweep } from './load-sweep.ts';
import { inBoth, takeResults } from './open-store.ts';
import { runHere } from './run-here.ts';
import type { SweepMetrics } from './sweep-metrics.ts';
import { SweepProgress } from './sweep-progress.ts';
import { isDiskFault, type SweepWork } from './sweep-work.ts';

/** Options of {@link runSweep}. */
export interface RunSweepOptions {
	/** Threads. */
	readonly jobs: number;
	readonly shard?: { readonly index: number; readonly count: number };
	/** Where workers are; this process computes nothing then. */
	readonly exchange?: Exchange;
	/** A store that other shards and machines see; results are in the folder as well. */
	readonly store?: S3Results;
	readonly retryFailed: boolean;
	readonly maxMemory?: number;
	readonly metrics: SweepMetrics;
	/** Told every now and then. */
	readonly onProgress: (progress: SweepProgress) => void;
	/** Whether the user wants to stop. */
	readonly isInterrupted: () => boolean;
}

/** How a sweep ended. */
export interface SweepEnd {
	readonly progress: SweepProgress;
	/** Rows of the table; undefined where runs are left for others. */
	readonly rows?: number;
	readonly isStopped: boolean;
}

/** Time that a batch aims at [s]. */
const BATCH_TIME = 10;
/** Most runs of a batch. */
const MOST_RUNS = 256;
/** Batches that each thread gets at least, so that the last ones end together. */
const LEAST_BATCHES = 4;
/** Time between two reports of a running sweep [ms]. */
const REPORT_INTERVAL = 30_000;

/** Runs what is left of a sweep and puts the table together. Committed runs stay whatever happens. */
export async function runSweep(
	context: CommandContext,
	sweep: LoadedSweep,
	out: string,
	options: RunSweepOptions,
): Promise<SweepEnd | undefined> {
	const folder = openFolder(context, sweep, out);
	if (folder === undefined) return undefined;
	const { shard, exchange, metrics } = options;
	if (options.retryFailed)
		for (const { result } of committedEntries(sweep, folder)) if (result.status !== 'ok') folder.remove(result.key);
	const isOwn = (index: number): boolean =>
		shard === undefined || Math.floor(index / sweep.plan.repeats) % shard.count === shard.index;
	const progress = new SweepProgress(Math.ceil(sweep.count / (shard?.count ?? 1)), context.io.now);
	let failures = 0;
	const limit = failureLimit(sweep);
	let fault: unknown;
	const isStopped = (): boolean => failures > limit;
	const isOver = (): boolean => fault !== undefined || isStopped() || options.isInterrupted();
	const worker = `${hostname()}-${process.pid}`;
	const onCommit = ({ result, index, kind, seconds }: Commit): void => {
		if (kind === 'different')
			context.report.add(
				createSweepDiagnostic(
					'SWP041',
					`${index < 0 ? 'run' : `run ${index}`} ${result.key} was computed twice and came to different results; both are kept in ${context.display(join(folder.path, 'runs'))}`,
				),
			);
		// workers on a queue keep their own
		if (kind === 'new' && index >= 0) folder.addTiming({ key: result.key, seconds, worker, at: Date.now() });
		progress.add(result.status, result.steps);
		metrics.add(`runs_total{status="${result.status}"}`);
		metrics.add('steps_total', result.steps);
		if (result.status !== 'ok') failures++;
		pace = pace === undefined ? seconds : 0.8 * pace + 0.2 * seconds;
		options.onProgress(progress);
	};
	let pace: number | undefined;
	const size = (): number => {
		const left = Math.max(1, progress.total - progress.before - progress.done);
		const fair = Math.ceil(left / (options.jobs * LEAST_BATCHES));
		return Math.max(
			1,
			Math.min(MOST_RUNS, fair, pace === undefined ? 8 : Math.round(BATCH_TIME / Math.max(pace, 1e-3))),
		);
	};
	let passes = 0;
	let looked = 0;
	const batches = (): ReturnType<typeof batchesOf> => {
		const isFirst = passes++ === 0;
		return batchesOf(sweep.plan, sweep.expansion, {
			size,
			sweep: sweep.sweep,
			...(shard !== undefined && { shard }),
			isDone: ({ index }) => {
				looked = Math.max(looked, index + 1);
				const isDone = folder.hasNow(sweep.runOf(index)!.key);
				if (isDone && isFirst) progress.before++;
				return isDone;
			},
		});
	};
	let reported = context.io.now();
	const tick = (): void => {
		if (context.io.now() - reported < REPORT_INTERVAL) return;
		reported = context.io.now();
		writeReport(sweep, folder, { progress: progress.line, until: looked });
	};
	const { store } = options;
	const results = store === undefined || exchange !== undefined ? undefined : inBoth(store, folder);
	const work: SweepWork = {
		sweep,
		folder,
		...(results && { results }),
		batches,
		worker,
		isOver,
		tick,
		onCommit,
		metrics,
	};
	try {
		if (exchange === undefined) {
			if (store !== undefined) await takeResults(store, folder);
			await runHere(work, options.jobs, options.maxMemory);
			if (store !== undefined) await takeResults(store, folder);
		} else {
			await coordinate(work, exchange);
		}
	} catch (error) {
		fault = error;
	}
	if (fault instanceof S3Refusal) {
		context.report.add(createSweepDiagnostic('SWP042', `--store: ${fault.message}; the same command goes on later`));
		return undefined;
	}
	if (fault !== undefined) {
		if (!isDiskFault(fault)) throw fault;
		context.report.add(
			createSweepDiagnostic(
				'SWP040',
				`results cannot be written to ${context.display(out)}: ${fileFault(fault)}; ${progress.done} runs of this command are kept`,
			),
		);
		return undefined;
	}
	if (options.isInterrupted() || isStopped()) {
		writeReport(sweep, folder, { progress: progress.line, until: looked });
		return { progress, isStopped: isStopped() };
	}
	if (sweep.plan.constraints.length > 0) progress.total = countOwn(sweep, isOwn);
	if (shard !== undefined && !isWhole(sweep, folder)) return { progress, isStopped: false };
	try {
		const rows = writeTables(sweep, folder);
		writeReport(sweep, folder);
		return { progress, rows, isStopped: false };
	} catch (error) {
		if (!isDiskFault(error)) throw error;
		context.report.add(
			createSweepDiagnostic('SWP040', `the table cannot be written to ${context.display(out)}: ${fileFault(error)}`),
		);
		return undefined;
	}
}

/** Makes the folder of results and says in it what it is for; undefined, with a diagnostic, when that cannot be done. */
export function openFolder(context: CommandContext, sweep: LoadedSweep, out: string): ResultFolder | undefined {
	const { plan, tool, count, outputs, metrics, files, planText, planFile } = sweep;
	try {
		mkdirSync(out, { recursive: true });
		const folder = new ResultFolder(out, outputs, metrics, plan.outputs.series !== undefined);
		folder.prepare();
		const header = {
			version: 1,
			name: plan.name,
			sweep: sweep.sweep,
			tool,
			outputs,
			count,
			planFile,
			asset: sweep.setup.asset,
			cwd: sweep.setup.cwd,
			tree: files.tree,
			files: files.files,
			plan,
			planText,
		};
		replaceFile(
			join(out, 'plan.json'),
			new TextEncoder().encode(`${JSON.stringify(header, null, '\t')}\n`),
			join(out, 'tmp'),
		);
		return folder;
	} catch (error) {
		context.report.add(
			createSweepDiagnostic('SWP040', `results cannot be written to ${context.display(out)}: ${fileFault(error)}`),
		);
		return undefined;
	}
}

function countOwn({ count, expansion }: LoadedSweep, isOwn: (index: number) => boolean): number {
	let own = 0;
	for (let index = 0; index < count; index++) if (isOwn(index) && expansion.run(index) !== undefined) own++;
	return own;
}

function isWhole({ count, runOf }: LoadedSweep, folder: ResultFolder): boolean {
	for (let index = 0; index < count; index++) {
		const run = runOf(index);
		if (run !== undefined && !folder.hasNow(run.key)) return false;
	}
	return true;
}

/** Failures at which a sweep ends. */
function failureLimit({ plan, count }: LoadedSweep): number {
	const { maxFailures } = plan.stop;
	return maxFailures < 1 ? Math.floor(maxFailures * count) : maxFailures;
}
