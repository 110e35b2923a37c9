import { Worker } from 'node:worker_threads';
import type { FuzzOptions } from './fuzz-case.ts';
import {
	type Failure,
	type Job,
	MEMORY_LIMIT_MB,
	PATIENCE_MS,
	type WorkerMessage,
	type WorkerSetup,
} from './messages.ts';

/** What came of a group. */
export interface GroupResult {
	readonly cases: number;
	/** Cases with at least one error in their report. */
	readonly errors: number;
	readonly slowestMs: number;
	readonly slowestIndex: number;
	/** Cases over a limit that were tried again by themselves; those that failed again are failures. */
	readonly retried: number;
	readonly peakMB: number;
	readonly failures: readonly Failure[];
}

const POLL_MS = 20;

type Ending =
	| { readonly kind: 'done'; readonly message: Extract<WorkerMessage, { kind: 'done' }> }
	| { readonly kind: 'stopped'; readonly index: number; readonly reason: string };

/**
 * Runs cases in a worker thread with limited heap and stack and watches over it: a case that hangs, runs out of memory or
 * ends the thread is recorded, and the rest goes on in a new thread. A case over a limit is tried once more by itself,
 * because time and memory may have gone to what earlier cases left behind.
 */
export class Supervisor {
	readonly #options: FuzzOptions;
	readonly #progress = new SharedArrayBuffer(8);
	#worker: Worker | undefined;
	#baseline = 0;
	/** Told what the worker says, or in words how it ended. */
	#listener: ((message: WorkerMessage | string) => void) | undefined;

	constructor(options: FuzzOptions) {
		this.#options = options;
	}

	/** Runs cases `from` up to `to` of a group. */
	async run(group: string, from: number, to: number): Promise<GroupResult> {
		const failures: Failure[] = [];
		const slow: number[] = [];
		let slowestMs = 0;
		let slowestIndex = from;
		let peakMB = 0;
		const progress = new Int32Array(this.#progress);
		Atomics.store(progress, 1, 0);
		const note = (message: WorkerMessage): void => {
			if (message.kind === 'failure') failures.push(message.failure);
			if (message.kind === 'slow') slow.push(message.index);
		};
		for (let next = from; next < to; ) {
			const ending = await this.#attempt({ group, from: next, to }, note);
			if (ending.kind === 'done') {
				next = to;
				peakMB = Math.max(peakMB, ending.message.peakMB);
				if (ending.message.slowestMs > slowestMs) ({ slowestMs, slowestIndex } = ending.message);
			} else {
				slow.push(ending.index);
				next = ending.index + 1;
			}
		}
		const errors = Atomics.load(progress, 1);
		for (const index of slow) {
			await this.#stop();
			const ending = await this.#attempt({ group, from: index, to: index + 1 }, (message) => {
				if (message.kind === 'failure') failures.push(message.failure);
				if (message.kind === 'slow') failures.push({ group, index, reason: `took ${message.ms.toFixed(0)} ms` });
			});
			if (ending.kind === 'stopped') failures.push({ group, index, reason: ending.reason });
		}
		return {
			cases: to - from,
			errors,
			slowestMs,
			slowestIndex,
			retried: slow.length,
			peakMB,
			failures: failures.sort((a, b) => a.index - b.index),
		};
	}

	async close(): Promise<void> {
		await this.#stop();
	}

	async #attempt(job: Job, note: (message: WorkerMessage) => void): Promise<Ending> {
		const worker = (this.#worker ??= await this.#start());
		const progress = new Int32Array(this.#progress);
		return new Promise((resolve) => {
			let current = -1;
			let since = performance.now();
			const finish = (ending: Ending): void => {
				clearInterval(watchdog);
				this.#listener = undefined;
				if (ending.kind === 'stopped') this.#stop().then(() => resolve(ending));
				else resolve(ending);
			};
			const stopped = (reason: string): void =>
				finish({ kind: 'stopped', index: Math.max(current, job.from, Atomics.load(progress, 0)), reason });
			const watchdog = setInterval(() => {
				const index = Atomics.load(progress, 0);
				const now = performance.now();
				if (index !== current || index < 0) {
					current = index;
					since = now;
				} else if (now - since > PATIENCE_MS) {
					stopped(`did not end within ${PATIENCE_MS} ms`);
					return;
				}
				const used = process.memoryUsage.rss() / 1e6 - this.#baseline;
				if (used > MEMORY_LIMIT_MB && index >= 0) stopped(`the process grew by ${used.toFixed(0)} MB`);
			}, POLL_MS);
			this.#listener = (message) => {
				if (typeof message === 'string') stopped(message);
				else if (message.kind === 'done') finish({ kind: 'done', message });
				else note(message);
			};
			worker.postMessage(job);
		});
	}

	async #start(): Promise<Worker> {
		const setup: WorkerSetup = { options: this.#options, progress: this.#progress };
		new Int32Array(this.#progress)[0] = -1;
		const worker = new Worker(new URL('worker-entry.mjs', import.meta.url), {
			workerData: setup,
			// the stack of a main thread is about as large
			resourceLimits: { maxOldGenerationSizeMb: MEMORY_LIMIT_MB, maxYoungGenerationSizeMb: 64, stackSizeMb: 1 },
		});
		worker.on('message', (message: WorkerMessage) => this.#listener?.(message));
		worker.on('error', (error) => this.#listener?.(`the thread ended: ${error.message}`));
		worker.on('exit', (code) => this.#listener?.(`the thread ended with code ${code}`));
		await new Promise<void>((resolve, reject) => {
			this.#listener = (message) => {
				if (typeof message === 'string') reject(new Error(message));
				else resolve();
			};
		});
		this.#listener = undefined;
		this.#baseline = process.memoryUsage.rss() / 1e6;
		return worker;
	}

	async #stop(): Promise<void> {
		const worker = this.#worker;
		this.#worker = undefined;
		await worker?.terminate();
	}
}
