import type { Backend, KeyedRun, ResultStore, RunOutcome, RunResult } from '@manyworlds/sweep/internal';

/** A result that was kept. */
export interface Commit {
	readonly result: RunResult;
	readonly index: number;
	/** `same` for a run that somebody else had done already. */
	readonly kind: 'new' | 'same' | 'different';
	readonly seconds: number;
}

/** Options of {@link workOn}. */
export interface WorkOptions {
	readonly backend: Backend;
	readonly results: ResultStore;
	/** The run of an index with its key; undefined where there is none. */
	readonly runOf: (index: number) => KeyedRun | undefined;
	/** Computes runs; never rejects for what a run does. */
	readonly compute: (runs: readonly KeyedRun[]) => Promise<readonly (RunOutcome & { readonly seconds: number })[]>;
	/** Batches at a time. */
	readonly concurrency: number;
	/** Time between two signs of life for each lease [ms]. */
	readonly heartbeat: number;
	/** Name of this worker. */
	readonly worker: string;
	/** Whether to take no more batches. */
	readonly isStopping: () => boolean;
	readonly onCommit?: (commit: Commit) => void;
	/** Told when a batch was taken and when it was done. */
	readonly onLease?: (event: 'lease' | 'ack' | 'nak' | 'redelivery' | 'idle') => void;
	/** Longest time to wait for a batch before looking at `isStopping` again [ms]. */
	readonly patience?: number;
}

/** Deliveries of a batch from which its runs are tried one by one, and noted before. */
const SUSPECT = 3;
/** Workers that a run may kill before it is given up, and how many different ones they must be. */
const MOST_ATTEMPTS = 3;
const LEAST_WORKERS = 2;

/**
 * Takes batches, computes them and commits their runs, until it is told to stop. The thread that calls this renews leases,
 * so it must not compute itself. A batch is acknowledged after all its runs are kept for good.
 */
export async function workOn(options: WorkOptions): Promise<void> {
	let fault: { readonly error: unknown } | undefined;
	const own: WorkOptions = { ...options, isStopping: () => fault !== undefined || options.isStopping() };
	await Promise.all(
		Array.from({ length: options.concurrency }, () =>
			workAlone(own).catch((error: unknown) => {
				fault ??= { error };
			}),
		),
	);
	if (fault !== undefined) throw fault.error;
}

async function workAlone(options: WorkOptions): Promise<void> {
	const { backend, results, runOf, compute, isStopping, onLease } = options;
	while (!isStopping()) {
		const lease = await backend.lease(options.patience ?? 1000);
		if (lease === undefined) {
			onLease?.('idle');
			continue;
		}
		onLease?.(lease.attempt > 1 ? 'redelivery' : 'lease');
		const timer = setInterval(() => void lease.extend().catch(() => undefined), options.heartbeat);
		try {
			const all = lease.batch.indices.flatMap((index) => runOf(index) ?? []);
			const missing = new Set(
				await results.missing(
					all.map(({ key }) => key),
					lease.attempt,
				),
			);
			const left = all.filter(({ key }) => missing.has(key));
			const isSuspect = lease.attempt >= SUSPECT;
			for (const group of isSuspect ? left.map((run) => [run]) : [left]) {
				if (group.length === 0) continue;
				const given = isSuspect ? await giveUp(group[0]!, options) : undefined;
				const outcomes = given === undefined ? await compute(group) : [given];
				const kinds = await results.commit(outcomes);
				for (const [i, { result, seconds }] of outcomes.entries())
					options.onCommit?.({ result, index: group[i]!.index, kind: kinds[i]!, seconds });
			}
			await results.flush();
			await lease.ack();
			onLease?.('ack');
		} catch (error) {
			await lease.nak(0).catch(() => undefined);
			onLease?.('nak');
			throw error;
		} finally {
			clearInterval(timer);
		}
	}
}

/** A run that killed its workers before, as a result; undefined when it is to be tried (again). */
async function giveUp(
	run: KeyedRun,
	{ results, worker }: WorkOptions,
): Promise<(RunOutcome & { readonly seconds: number }) | undefined> {
	const workers = await results.mark(run.key, worker);
	const before = workers.slice(0, -1);
	if (before.length < MOST_ATTEMPTS || new Set(before).size < LEAST_WORKERS) return undefined;
	const reason = `${before.length} workers ended while they computed it: ${[...new Set(before)].join(', ')}`;
	return {
		result: { version: 1, key: run.key, status: 'crashed', reason, steps: 0, state: '', metrics: {} },
		seconds: 0,
	};
}
