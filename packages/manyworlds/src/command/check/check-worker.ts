import { parentPort, workerData } from 'node:worker_threads';
import type { AssetResult } from '@manyworlds/rep158/internal';
import { type CheckJob, checkFile } from './check-file.ts';

/** What a thread answers for one file. */
export interface CheckAnswer {
	readonly index: number;
	readonly result?: AssetResult;
	/** What went wrong in the checker itself. */
	readonly failure?: string;
}

const job = workerData as CheckJob;

parentPort?.on('message', ({ index, file }: { readonly index: number; readonly file: string }) => {
	parentPort?.postMessage(answer(index, file));
});

function answer(index: number, file: string): CheckAnswer {
	try {
		return { index, result: checkFile(file, job) };
	} catch (error) {
		return { index, failure: error instanceof Error ? (error.stack ?? error.message) : String(error) };
	}
}
