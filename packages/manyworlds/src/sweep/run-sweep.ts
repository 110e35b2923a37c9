import { mkdirSync, readFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { fileFault } from '@manyworlds/node';
import { type Commit, ResultFolder, replaceFile, workOn } from '@manyworlds/node/internal';
import { createSweepDiagnostic } from '@manyworlds/sweep';
import {
	type Backend,
	batchesOf,
	decodeResult,
	type Exchange,
	MemoryBackend,
	type SweepHeader,
} from '@manyworlds/sweep/internal';
import type { CommandContext } from '../command/command-context.ts';
import { ComputePool } from './compute-pool.ts';
import { committedEntries, writeReport, writeTables } from './finish-sweep.ts';
import type { LoadedSweep } from './load-sweep.ts';
import type { SweepMetrics } from './sweep-metrics.ts';
import { SweepProgress } from './sweep-progress.ts';

/** Options of {@link runSweep}. */
export interface RunSweepOptions {
	/** Threads. */
	readonly jobs: number;
	readonly shard?: { readonly index: number; readonly count: number };
	/** Where workers are; this process computes nothing then. */
	readonly exchange?: Exchange;
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
/** Batches in a queue for each worker. */
const WATERMARK = 4;
/** Time between two looks at a queue [ms]. */
const LOOK_INTERVAL = 50;
/** Time between two reports of a running sweep [ms]. */
const REPORT_INTERVAL = 30_000;
const LEASE_TIME = 30_000;

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
		if (kind === 'new') folder.addTiming({ key: result.key, seconds, worker, at: Date.now() });
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
		const fair = Math.ceil(left / (options.jobs * WATERMARK));
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
	try {
		if (exchange === undefined) {
			const pool = new ComputePool(sweep.setup, {
				timePerRun: sweep.plan.stop.timePerRun,
				...(options.maxMemory !== undefined && { maxMemory: options.maxMemory }),
			});
			const backend = new MemoryBackend({
				capacity: WATERMARK * options.jobs,
				leaseTime: LEASE_TIME,
				now: () => performance.now(),
				later: (call, delay) => setTimeout(call, delay).unref(),
			});
			let isFed = false;
			const fed = feed(backend, batches(), isOver, tick).then(() => {
				isFed = true;
			});
			const timer = setInterval(() => {
				// those who wait for batches see it at once
				if (isOver()) void Promise.all([backend.close(), pool.close()]);
			}, LOOK_INTERVAL);
			const isEmpty = async (): Promise<boolean> => {
				const { pending, leased } = await backend.stats();
				return pending + leased === 0;
			};
			let isDone = false;
			const ended = fed.then(async () => {
				while (!isOver() && !(await isEmpty())) await pause(LOOK_INTERVAL / 5);
				isDone = true;
				await backend.close();
			});
			try {
				await workOn({
					backend,
					results: folder,
					runOf: sweep.runOf,
					compute: (runs) => pool.compute(runs),
					concurrency: options.jobs,
					heartbeat: LEASE_TIME / 3,
					worker,
					isStopping: () => isOver() || (isFed && isDone),
					onCommit,
					onLease: (event) => {
						if (event === 'lease' || event === 'redelivery') metrics.add('leases_total');
					},
				});
			} catch (error) {
				if (!isOver()) fault = error;
			} finally {
				await Promise.allSettled([fed, ended]);
				clearInterval(timer);
				await pool.close();
			}
		} else {
			await coordinate(sweep, folder, exchange, batches, onCommit, isOver, tick, metrics);
		}
	} catch (error) {
		fault = error;
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

/** Hands batches to workers and takes their results into the folder, again and again until nothing is missing. */
async function coordinate(
	sweep: LoadedSweep,
	folder: ResultFolder,
	exchange: Exchange,
	batches: () => ReturnType<typeof batchesOf>,
	onCommit: (commit: Commit) => void,
	isOver: () => boolean,
	tick: () => void,
	metrics: SweepMetrics,
): Promise<void> {
	await exchange.announce(headerOf(sweep), (path) => readFileSync(join(sweep.files.root, path)));
	/** Runs that were handed out and have not come back. */
	let missing = 0;
	const collect = async (): Promise<void> => {
		await exchange.collect((bytes, series) => {
			const result = decodeResult(bytes);
			if (result === undefined) return;
			const begun = performance.now();
			const kind = folder.commitNow(result, series);
			metrics.add('commit_seconds_total', (performance.now() - begun) / 1000);
			if (kind === 'new') missing--;
			if (kind !== 'same') onCommit({ result, index: -1, kind, seconds: 0 });
		});
		await folder.flush();
		const { pending, leased } = await exchange.backend.stats();
		metrics.set('queue_pending', pending);
		metrics.set('queue_leased', leased);
	};
	for (;;) {
		await patiently(collect);
		let given = 0;
		missing = 0;
		await feed(
			exchange.backend,
			(function* () {
				for (const batch of batches()) {
					given++;
					missing += batch.indices.length;
					yield batch;
				}
			})(),
			isOver,
			tick,
			() => patiently(collect),
		);
		if (isOver()) return;
		// a queue that lost batches shows as runs that stay missing
		for (;;) {
			await patiently(collect);
			if (isOver()) return;
			if (missing <= 0) break;
			const { pending, leased } = await patiently(() => exchange.backend.stats());
			if (pending + leased === 0) break;
			tick();
			await pause(4 * LOOK_INTERVAL);
		}
		await patiently(collect);
		if (given === 0) break;
	}
	await exchange.remove();
}

/** Tries again while a server restarts, for half a minute. */
async function patiently<T>(work: () => Promise<T>): Promise<T> {
	for (let attempt = 1; ; attempt++) {
		try {
			return await work();
		} catch (error) {
			if (attempt >= 60 || isDiskFault(error)) throw error;
			await pause(500);
		}
	}
}

/** Puts batches into a queue, waiting while it is full. */
async function feed(
	backend: Backend,
	batches: Iterable<Parameters<Backend['submit']>[0]>,
	isOver: () => boolean,
	tick: () => void,
	meanwhile: () => Promise<void> = () => Promise.resolve(),
): Promise<void> {
	for (const batch of batches) {
		while (!isOver() && !(await backend.submit(batch))) {
			await meanwhile();
			tick();
			await pause(LOOK_INTERVAL);
		}
		if (isOver()) return;
	}
}

/** What workers are told. */
export function headerOf(sweep: LoadedSweep): SweepHeader {
	const { sweep: id, tool, planFile, planText, files, control } = sweep;
	return {
		version: 1,
		sweep: id,
		tool,
		planFile,
		planText,
		entry: files.entry,
		...(control !== undefined && { control }),
		files: files.files,
	};
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

function isDiskFault(error: unknown): boolean {
	return ['ENOSPC', 'EDQUOT', 'EROFS', 'EACCES', 'EPERM', 'EIO', 'ENOTDIR', 'ENOENT', 'EFBIG'].includes(
		(error as NodeJS.ErrnoException).code ?? '',
	);
}

function pause(delay: number): Promise<void> {
	return new Promise((resolve) => setTimeout(resolve, delay));
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
