import { parentPort, workerData } from 'node:worker_threads';
import type { AssetResult } from '@manyworlds/rep158';
import { checkFile } from './check-file.ts';
import type { CheckJob } from './check-job.ts';

/** What a thread answers for one file. */
export interface CheckAnswer {
	readonly index: number;
	readonly result?: AssetResult;
	/** What went wrong in the checker itself. */
	readonly failure?: string;
}

const job = workerData as CheckJob;

parentPort?.on('message', ({ index, file }: { readonly index: number; readonly file: string }) => {
	void answer(index, file).then((found) => parentPort?.postMessage(found));
});

async function answer(index: number, file: string): Promise<CheckAnswer> {
	try {
		return { index, result: await checkFile(file, job) };
	} catch (error) {
		return { index, failure: error instanceof Error ? (error.stack ?? error.message) : String(error) };
	}
}
