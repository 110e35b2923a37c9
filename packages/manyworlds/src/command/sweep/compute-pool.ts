import type { Worker } from 'node:worker_threads';
import { moduleBeside, startThread } from '@manyworlds/node/internal';
import type { RunOutcome, RunStatus } from '@manyworlds/sweep/internal';
import type { ThreadAnswer, ThreadRun, ThreadSetup } from './thread-setup.ts';

/** Options of a {@link ComputePool}. */
export interface ComputePoolOptions {
	/** Longest time of a run [s]. */
	readonly timePerRun: number;
	/** Most memory of a thread's heap [MB]; that of Node unless given. */
	readonly maxMemory?: number;
	/** Starts a thread; the one that computes runs unless given. */
	readonly start?: (setup: ThreadSetup, maxMemory: number | undefined) => Worker;
}

/** An outcome with the time that it took. */
export type TimedOutcome = RunOutcome & { readonly seconds: number };

/** Time for a thread to start and open the asset, which is not that of a run [s]. */
const START_TIME = 60;
/** Times that a run may end its thread before it is given up. */
const MOST_ATTEMPTS = 3;
/** Heap of a thread from which a new one takes its place after a batch [bytes]. */
const RECYCLED_HEAP = 1.5e9;

/**
 * Threads that compute runs. A run that takes too long, or ends its thread, is found by running those of its batch one by one; only that
 * run fails. Callers ask for as many batches at once as they want threads.
 */
export class ComputePool {
	/** What threads run; tests put a bundle in its place, which starts faster than source. */
	static module: URL = moduleBeside(import.meta.url, 'sweep-thread');
	readonly #setup: ThreadSetup;
	readonly #options: ComputePoolOptions;
	readonly #free: ComputeThread[] = [];
	readonly #all = new Set<ComputeThread>();
	#isClosed = false;

	constructor(setup: ThreadSetup, options: ComputePoolOptions) {
		this.#setup = setup;
		this.#options = options;
	}

	/** Outcomes in the order of the runs. Rejects only for a fault of the program, or when the pool is closed. */
	async compute(runs: readonly ThreadRun[]): Promise<TimedOutcome[]> {
		const answer = await this.#try(runs);
		if ('outcomes' in answer)
			return answer.outcomes.map((outcome) => ({ ...outcome, seconds: answer.seconds / runs.length }));
		if (this.#isClosed) throw new Error('the pool was closed');
		const outcomes: TimedOutcome[] = [];
		for (const run of runs) outcomes.push(await this.#alone(run));
		return outcomes;
	}

	async #alone(run: ThreadRun): Promise<TimedOutcome> {
		let reason = '';
		for (let attempt = 1; attempt <= MOST_ATTEMPTS; attempt++) {
			const answer = await this.#try([run]);
			if ('outcomes' in answer) return { ...answer.outcomes[0]!, seconds: answer.seconds };
			if (this.#isClosed) throw new Error('the pool was closed');
			// a run that is slow once is slow again
			if (answer.kind === 'timeout')
				return failed(run, 'timeout', `it took more than ${this.#options.timePerRun} s`, answer.seconds);
			reason = answer.reason;
		}
		return failed(run, 'crashed', `its thread ended ${MOST_ATTEMPTS} times: ${reason}`, 0);
	}

	async #try(
		runs: readonly ThreadRun[],
	): Promise<
		| { readonly outcomes: readonly RunOutcome[]; readonly seconds: number }
		| { readonly kind: 'timeout' | 'crash'; readonly reason: string; readonly seconds: number }
	> {
		const thread = this.#free.pop() ?? this.#start();
		const begun = performance.now();
		const limit = this.#options.timePerRun * runs.length + (thread.isWarm ? 0 : START_TIME);
		const answer = await thread.ask(runs, limit);
		const seconds = (performance.now() - begun) / 1000;
		if (answer !== 'timeout' && 'outcomes' in answer && answer.outcomes !== undefined) {
			if (answer.heap > RECYCLED_HEAP) await this.#end(thread);
			else this.#free.push(thread);
			return { outcomes: answer.outcomes, seconds };
		}
		await this.#end(thread);
		if (answer === 'timeout') return { kind: 'timeout', reason: 'timeout', seconds };
		// no run is to blame for a program that does not start
		if (!thread.hasStarted && !this.#isClosed) throw new Error(`a thread could not be started: ${answer.failure}`);
		return { kind: 'crash', reason: (answer.failure ?? 'it ended').split('\n')[0]!, seconds };
	}

	#start(): ComputeThread {
		const start = this.#options.start ?? startComputeThread;
		const thread = new ComputeThread(start(this.#setup, this.#options.maxMemory));
		this.#all.add(thread);
		return thread;
	}

	async #end(thread: ComputeThread): Promise<void> {
		this.#all.delete(thread);
		await thread.end();
	}

	/** Ends all threads; what they compute is lost. */
	async close(): Promise<void> {
		this.#isClosed = true;
		await Promise.all([...this.#all].map((thread) => thread.end()));
	}
}

function startComputeThread(setup: ThreadSetup, maxMemory: number | undefined): Worker {
	return startThread(ComputePool.module, {
		workerData: setup,
		...(maxMemory !== undefined && { resourceLimits: { maxOldGenerationSizeMb: maxMemory } }),
	});
}

function failed(run: ThreadRun, status: RunStatus, reason: string, seconds: number): TimedOutcome {
	return { result: { version: 1, key: run.key, status, reason, steps: 0, state: '', metrics: {} }, seconds };
}

/** One thread, asked one thing at a time. */
class ComputeThread {
	/** Whether its program could be loaded. */
	hasStarted = false;
	/** Whether it has computed something, so that the asset is open. */
	isWarm = false;
	readonly #worker: Worker;
	#count = 0;
	#settle: ((answer: ThreadAnswer | 'timeout') => void) | undefined;
	#reason: string | undefined;

	constructor(worker: Worker) {
		this.#worker = worker;
		worker.on('message', (answer: ThreadAnswer | 'ready') => {
			this.hasStarted = true;
			if (answer === 'ready') return;
			this.isWarm = true;
			this.#settle?.(answer);
		});
		worker.on('error', (error) => {
			this.#reason = error.stack ?? error.message;
		});
		// comes after an error too
		worker.on('exit', (code) => {
			this.#settle?.({ id: -1, failure: this.#reason ?? `exit code ${code}`, heap: 0 });
		});
	}

	ask(runs: readonly ThreadRun[], limit: number): Promise<ThreadAnswer | 'timeout'> {
		return new Promise((resolve) => {
			const timer = setTimeout(() => this.#settle?.('timeout'), Math.min(2 ** 31 - 1, 1000 * limit));
			this.#settle = (answer) => {
				clearTimeout(timer);
				this.#settle = undefined;
				resolve(answer);
			};
			this.#worker.postMessage({ id: ++this.#count, runs });
		});
	}

	async end(): Promise<void> {
		await this.#worker.terminate();
	}
}
