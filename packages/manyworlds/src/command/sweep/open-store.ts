import { type ResultFolder, S3Refusal, S3Results } from '@manyworlds/node/internal';
import {
	createSweepDiagnostic,
	decodeResult,
	type Exchange,
	type ResultStore,
	type RunOutcome,
} from '@manyworlds/sweep/internal';
import type { CommandContext } from '../command-context.ts';

/** Opens the store of a sweep in a bucket; undefined, with a diagnostic, when it cannot be used. */
export async function openStore(context: CommandContext, url: string, sweep: string): Promise<S3Results | undefined> {
	try {
		return await S3Results.open(`${url.replace(/\/+$/, '')}/${sweep}`, context.io.env);
	} catch (error) {
		if (!(error instanceof S3Refusal)) throw error;
		const code = error.message.includes('no address') ? 'SWP043' : 'SWP042';
		context.report.add(createSweepDiagnostic(code, `--store: ${error.message}`));
		return undefined;
	}
}

/** A queue whose workers keep results elsewhere. */
export function withStore(exchange: Exchange, store: S3Results): Exchange {
	return {
		backend: exchange.backend,
		results: store,
		get refused() {
			return exchange.refused;
		},
		announce: (header, read) => exchange.announce(header, read),
		header: () => exchange.header(),
		file: (hash) => exchange.file(hash),
		collect: (visit) => store.collect(visit),
		remove: () => exchange.remove(),
		close: () => exchange.close(),
	};
}

/** Keeps results in a store that others see, and in the folder of this process. */
export function inBoth(store: S3Results, folder: ResultFolder): ResultStore {
	return {
		missing: (keys) => folder.missing(keys),
		commit: async (outcomes) => {
			const kinds = await store.commit(outcomes);
			await folder.commit(outcomes);
			return kinds;
		},
		flush: () => folder.flush(),
		mark: (key, worker) => store.mark(key, worker),
	};
}

/** Takes what others have put into a store into a folder. */
export async function takeResults(store: S3Results, folder: ResultFolder): Promise<void> {
	const outcomes: RunOutcome[] = [];
	await store.collect((bytes, series) => {
		const result = decodeResult(bytes);
		if (result !== undefined) outcomes.push(series === undefined ? { result } : { result, series });
	});
	await folder.commit(outcomes);
	await folder.flush();
}
