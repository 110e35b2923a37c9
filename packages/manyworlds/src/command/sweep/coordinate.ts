import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { decodeResult, type Exchange, type RunOutcome, type SweepHeader } from '@manyworlds/sweep/internal';
import type { LoadedSweep } from './load-sweep.ts';
import { feedQueue, isDiskFault, LOOK_INTERVAL, pause, type SweepWork } from './sweep-work.ts';

/** Hands batches to workers and takes their results into the folder, again and again until nothing is missing. */
export async function coordinate(work: SweepWork, exchange: Exchange): Promise<void> {
	const { sweep, folder, batches, isOver, tick, onCommit, metrics } = work;
	await exchange.announce(headerOf(sweep), (path) => readFileSync(join(sweep.files.root, path)));
	/** Runs that were handed out and have not come back. */
	let missing = 0;
	const collect = async (): Promise<void> => {
		const outcomes: RunOutcome[] = [];
		await exchange.collect((bytes, series) => {
			const result = decodeResult(bytes);
			if (result !== undefined) outcomes.push(series === undefined ? { result } : { result, series });
		});
		const begun = performance.now();
		const kinds = await folder.commit(outcomes);
		await folder.flush();
		metrics.add('commit_seconds_total', (performance.now() - begun) / 1000);
		for (const [i, { result }] of outcomes.entries()) {
			const kind = kinds[i]!;
			if (kind === 'new') missing--;
			if (kind !== 'same') onCommit({ result, index: -1, kind, seconds: 0 });
		}
		const { pending, leased } = await exchange.backend.stats();
		metrics.set('queue_pending', pending);
		metrics.set('queue_leased', leased);
	};
	for (;;) {
		await patiently(collect);
		let given = 0;
		missing = 0;
		await feedQueue(
			exchange.backend,
			(function* () {
				for (const batch of batches()) {
					given++;
					missing += batch.indices.length;
					yield batch;
				}
			})(),
			work,
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

/** What workers are told. */
function headerOf(sweep: LoadedSweep): SweepHeader {
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
