import { mkdirSync, readFileSync } from 'node:fs';
import { availableParallelism, homedir, hostname } from 'node:os';
import { join } from 'node:path';
import { Report } from '@manyworlds/core';
import { sha256Hex } from '@manyworlds/core/internal';
import { commitFile, fileFault, ResultFolder, workOn } from '@manyworlds/node/internal';
import { createSweepDiagnostic, type Exchange, type SweepHeader } from '@manyworlds/sweep/internal';
import { createDiagnostic } from '../../diagnostics.ts';
import { type CommandContext, ExitCode } from '../command-context.ts';
import { ComputePool } from '../sweep/compute-pool.ts';
import { type LoadedSweep, openAnnounced } from '../sweep/load-sweep.ts';
import { openExchange } from '../sweep/open-exchange.ts';
import { openStore } from '../sweep/open-store.ts';
import { SweepMetrics } from '../sweep/sweep-metrics.ts';
import { toolName } from '../sweep/thread-setup.ts';
import { serveMetrics } from './sweep.ts';

/** Options of `manyworlds worker`. */
export interface WorkerCommandOptions {
	readonly queue: string;
	readonly store?: string;
	readonly threads?: number;
	readonly maxMemory?: number;
	readonly once?: boolean;
	/** [s] */
	readonly idleExit?: number;
	/** [s] */
	readonly grace: number;
	/** [s] */
	readonly lease: number;
	readonly labels?: string;
	readonly metrics?: string;
	readonly cache?: string;
}

/** Time between two looks for a sweep [ms]. */
const LOOK_INTERVAL = 500;

/** `manyworlds worker --queue URL`: computes what the queue hands out, until it is told to stop. */
export async function worker(context: CommandContext, options: WorkerCommandOptions): Promise<void> {
	const exchange = await openExchange(context, options.queue, { leaseTime: options.lease });
	if (exchange === undefined) return;
	const metrics = new SweepMetrics();
	const served = options.metrics === undefined ? undefined : await serveMetrics(context, metrics, options.metrics);
	let isStopping = false;
	let pool: ComputePool | undefined;
	const stop = (): void => {
		isStopping = true;
		// what is not done by then is somebody else's
		setTimeout(() => void pool?.close(), 1000 * options.grace).unref();
	};
	process.once('SIGTERM', stop);
	process.once('SIGINT', stop);
	const log = (event: string, more: Readonly<Record<string, unknown>> = {}): void => {
		context.io.stderr.write(`${JSON.stringify({ event, ...more })}\n`);
	};
	const name = `${hostname()}-${process.pid}${options.labels === undefined ? '' : `-${options.labels}`}`;
	let worked = performance.now();
	const isIdleFor = (): number => (performance.now() - worked) / 1000;
	const isOver = (): boolean =>
		isStopping ||
		(options.idleExit !== undefined && isIdleFor() > options.idleExit) ||
		(options.once === true && isIdleFor() > 3);
	try {
		let skewed = '';
		while (!isOver()) {
			const header = await exchange.header().catch(() => undefined);
			if (header === undefined || header.sweep === skewed) {
				await pause(LOOK_INTERVAL);
				continue;
			}
			if (header.tool !== toolName()) {
				const message = `the sweep in ${options.queue} was made by '${header.tool}', this worker is '${toolName()}'; its batches are left to others`;
				context.note(`warning SWP044: ${message}`);
				context.report.add(createSweepDiagnostic('SWP044', message));
				metrics.add('version_skew_total');
				skewed = header.sweep;
				continue;
			}
			const loaded = await fetchSweep(context, exchange, header, options, metrics);
			if (loaded === undefined) return;
			exchange.setRunCount(loaded.count);
			const isBucket = options.store?.startsWith('s3://') === true;
			const bucket = isBucket ? await openStore(context, options.store!, header.sweep) : undefined;
			if (isBucket && bucket === undefined) return;
			const folder =
				options.store === undefined || isBucket
					? undefined
					: new ResultFolder(
							context.absolute(options.store.replace(/^file:\/\//, '')),
							loaded.outputs,
							loaded.metrics,
							loaded.plan.outputs.series !== undefined,
						);
			folder?.prepare();
			pool = new ComputePool(loaded.setup, {
				timePerRun: loaded.plan.stop.timePerRun,
				...(options.maxMemory !== undefined && { maxMemory: options.maxMemory }),
			});
			log('sweep', { name: loaded.plan.name, runs: loaded.count, worker: name });
			let isGone = false;
			const timer = setInterval(() => {
				void exchange.header().then(
					(now) => {
						isGone = now === undefined || now.sweep !== header.sweep;
					},
					// a server that restarts has not gone
					() => undefined,
				);
			}, 2000);
			try {
				await workOn({
					backend: exchange.backend,
					results: bucket ?? folder ?? exchange.results,
					runOf: loaded.runOf,
					compute: (runs) => pool!.compute(runs),
					concurrency: options.threads ?? availableParallelism(),
					heartbeat: (1000 * options.lease) / 3,
					worker: name,
					isStopping: () => isOver() || isGone,
					onCommit: ({ result, kind, seconds }) => {
						worked = performance.now();
						metrics.add(`runs_total{status="${result.status}"}`);
						metrics.add('steps_total', result.steps);
						folder?.addTiming({ key: result.key, seconds, worker: name, at: Date.now() });
						log('run', {
							run_key: result.key,
							status: result.status,
							seconds: Number(seconds.toPrecision(4)),
							...(kind !== 'new' && { kind }),
							...(result.reason !== undefined && { reason: result.reason }),
						});
						if (kind === 'different')
							context.report.add(
								createSweepDiagnostic(
									'SWP041',
									`run ${result.key} came to another result than the one that is committed`,
								),
							);
					},
					onLease: (event) => {
						if (event === 'idle') metrics.add('idle_total');
						else worked = performance.now();
						if (event === 'lease' || event === 'redelivery') metrics.add('leases_total');
						if (event === 'redelivery') metrics.add('redeliveries_total');
					},
				});
			} catch (error) {
				// the grace time is over: batches come again elsewhere
				if (!isStopping) throw error;
			} finally {
				clearInterval(timer);
				await pool.close();
			}
		}
		const { refused } = exchange;
		if (refused > 0) {
			metrics.set('refused_messages_total', refused);
			context.report.add(
				createSweepDiagnostic(
					'SWP051',
					`${refused} messages of the queue were no batches of this sweep and were removed`,
				),
			);
		}
		context.outcome = context.report.hasErrors ? ExitCode.findings : ExitCode.clean;
		await context.printReport('text');
	} finally {
		process.off('SIGTERM', stop);
		process.off('SIGINT', stop);
		served?.close();
		await exchange.close();
	}
}

/** Gets the plan and the files of a sweep into the cache, where they are kept by content; undefined, with a diagnostic, when that fails. */
async function fetchSweep(
	context: CommandContext,
	exchange: Exchange,
	header: SweepHeader,
	options: WorkerCommandOptions,
	metrics: SweepMetrics,
): Promise<LoadedSweep | undefined> {
	const cache =
		options.cache === undefined
			? join(context.io.env['XDG_CACHE_HOME'] || join(homedir(), '.cache'), 'manyworlds', 'sweeps')
			: context.absolute(options.cache);
	const folder = join(cache, header.sweep.replaceAll(/[^a-z0-9]/g, ''));
	try {
		mkdirSync(join(folder, '.tmp'), { recursive: true });
		for (const { path, hash } of header.files) {
			const target = join(folder, path);
			if (hashOfFile(target) === hash) {
				metrics.add('cache_hits_total');
				continue;
			}
			const bytes = await exchange.file(hash);
			if (bytes === undefined || sha256Hex(bytes) !== hash) {
				context.report.add(
					createSweepDiagnostic(
						'SWP042',
						`the queue does not have the file '${path}' of the sweep as it was announced`,
					),
				);
				return undefined;
			}
			commitFile(target, bytes, join(folder, '.tmp'));
		}
	} catch (error) {
		context.report.add(
			createDiagnostic('CLI004', `the asset cannot be kept in ${context.display(folder)}: ${fileFault(error)}`),
		);
		return undefined;
	}
	const report = new Report();
	const loaded = await openAnnounced(header, folder, context.io.env, report);
	context.report.addAll(report);
	if (loaded !== undefined && loaded.sweep !== header.sweep) {
		context.report.add(
			createSweepDiagnostic(
				'SWP042',
				`the sweep of the queue is not the one that its plan and files make (${loaded.sweep}, announced ${header.sweep})`,
			),
		);
		return undefined;
	}
	return loaded;
}

function hashOfFile(path: string): string | undefined {
	try {
		return sha256Hex(readFileSync(path));
	} catch {
		return undefined;
	}
}

function pause(delay: number): Promise<void> {
	return new Promise((resolve) => setTimeout(resolve, delay));
}
