import { availableParallelism } from 'node:os';
import { moduleBeside, startThread } from '@manyworlds/node/internal';
import type { AssetResult } from '@manyworlds/rep158';
import { createRep158Diagnostic } from '@manyworlds/rep158/internal';
import { checkFile } from './check-file.ts';
import type { CheckJob } from './check-job.ts';
import type { CheckAnswer } from './check-worker.ts';

/** Files from which threads pay, when nobody says how many. */
const MANY_FILES = 24;
/** Most threads that are started without being asked for. */
const MOST_THREADS = 8;

/** Told about files as they are checked. */
export type OnCheck = (what: string, done: number) => void;

/** Checks files one after the other, or in threads; results are in the order of the files. */
export async function checkFiles(
	files: readonly string[],
	job: CheckJob,
	jobs: number | undefined,
	onCheck: OnCheck,
): Promise<AssetResult[]> {
	const usual = files.length < MANY_FILES ? 1 : Math.min(availableParallelism(), MOST_THREADS);
	const threads = Math.min(jobs ?? usual, files.length);
	if (threads > 1) return checkInThreads(files, job, threads, onCheck);
	const results: AssetResult[] = [];
	for (const [done, file] of files.entries()) {
		try {
			results.push(await checkFile(file, job, (what) => onCheck(what, done)));
		} catch (error) {
			results.push(failed(file, error instanceof Error ? (error.stack ?? error.message) : String(error)));
		}
	}
	return results;
}

async function checkInThreads(
	files: readonly string[],
	job: CheckJob,
	threads: number,
	onCheck: OnCheck,
): Promise<AssetResult[]> {
	const results = new Array<AssetResult>(files.length);
	let next = 0;
	let done = 0;
	const runThread = (): Promise<void> =>
		new Promise((resolve) => {
			const worker = startThread(moduleBeside(import.meta.url, 'check-worker'), { workerData: job });
			let current = -1;
			const advance = (): void => {
				current = next++;
				if (current >= files.length) void worker.terminate().then(() => resolve());
				else worker.postMessage({ index: current, file: files[current] });
			};
			const settle = (index: number, result: AssetResult): void => {
				results[index] = result;
				onCheck(files[index]!, ++done);
			};
			worker.on('message', ({ index, result, failure }: CheckAnswer) => {
				settle(index, result ?? failed(files[index]!, failure ?? 'no answer'));
				advance();
			});
			// a thread that dies, for want of memory for instance, takes one file with it
			worker.on('error', (error) => {
				if (current >= 0 && current < files.length)
					settle(current, failed(files[current]!, error.stack ?? error.message));
				resolve(next < files.length ? runThread() : undefined);
			});
			advance();
		});
	await Promise.all(Array.from({ length: threads }, runThread));
	return results;
}

function failed(asset: string, detail: string): AssetResult {
	const message = `checking ended with an internal error: ${detail.split('\n')[0]}`;
	const diagnostic = createRep158Diagnostic('CHK002', message, { file: asset, data: { detail } });
	return { asset, diagnostics: [diagnostic], omitted: {}, primCount: 0, layerCount: 0, selectionCount: 0 };
}
