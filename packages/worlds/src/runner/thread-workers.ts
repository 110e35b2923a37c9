import { type Diagnostic, UsageTypeError } from '@manyworlds/core';
import { type Model, modelToBytes } from '@manyworlds/model';
import { type IndexRange, MODEL_ARRAY_NAMES } from '@manyworlds/model/internal';
import { RunnerError } from './runner-error.ts';
import { readModel } from './serve-worlds.ts';
import { type CommandKind, CommandWord, SharedWorlds, shareArrays, shareBytes } from './shared-worlds.ts';
import type { AnswerMessage, RequestMessage, WorkerHost, WorkerPort } from './worker-host.ts';
import type { StepperSettings } from './world-stepper.ts';
import type { WorldWorkers } from './world-workers.ts';

/** What a {@link ThreadWorkers} is made from. */
export interface WorkerCrewSetup {
	readonly host: WorkerHost;
	readonly count: number;
	readonly solver: string;
	readonly options: unknown;
	readonly stepper: StepperSettings;
}

/**
 * Steps worlds in threads. The model is written once to memory that all of them read; each has a run of worlds. A command
 * is a few words in shared memory that wake the threads; the last one to finish answers with a message.
 */
export class ThreadWorkers implements WorldWorkers {
	readonly shared: SharedWorlds;
	readonly #model: Model;
	/** The model that the workers see. */
	readonly #sharedModel: Model;
	readonly #ports: readonly WorkerPort[];
	readonly #runs: readonly IndexRange[];
	#diagnostics: readonly Diagnostic[] = [];
	#waiting: Waiting | undefined;
	#ended: RunnerError | undefined;

	static async create(model: Model, setup: WorkerCrewSetup): Promise<ThreadWorkers> {
		if (typeof SharedArrayBuffer === 'undefined') {
			const message = 'workers need shared memory, which a page has only when it is cross-origin isolated';
			throw new RunnerError('WLD021', message);
		}
		const bytes = shareBytes(modelToBytes(model));
		const { keep, buffers } = shareArrays();
		const workers = new ThreadWorkers(model, readModel(bytes), new SharedWorlds(model, keep, setup.stepper), setup);
		const { solver, options, stepper } = setup;
		try {
			const loaded = await workers.#ask((i) => ({ kind: 'load', model: bytes, solver, options, prepares: i === 0 }));
			const prepared = loaded[0]?.kind === 'loaded' ? loaded[0].prepared : undefined;
			const ready = await workers.#ask((i) => ({
				kind: 'start',
				range: workers.#runs[i]!,
				stepper,
				buffers,
				prepared,
			}));
			if (ready[0]?.kind === 'ready') workers.#diagnostics = ready[0].diagnostics;
			return workers;
		} catch (error) {
			await workers.dispose();
			throw error;
		}
	}

	private constructor(model: Model, sharedModel: Model, shared: SharedWorlds, setup: WorkerCrewSetup) {
		this.shared = shared;
		this.#model = model;
		this.#sharedModel = sharedModel;
		this.#runs = divide(model.worldCount, setup.count);
		this.#ports = startWorkers(setup.host, this.#runs.length);
		for (const [i, port] of this.#ports.entries()) {
			port.onMessage((message) => this.#receive(i, message as AnswerMessage));
			port.onEnd((reason) => this.#end(new RunnerError('WLD020', `${this.#nameOf(i)} ended: ${reason}`)));
		}
	}

	get diagnostics(): readonly Diagnostic[] {
		return this.#diagnostics;
	}

	get workerCount(): number {
		return this.#ports.length;
	}

	async run(kind: CommandKind, argument: number): Promise<void> {
		if (this.#ended !== undefined) throw this.#ended;
		const { words } = this.shared;
		words[CommandWord.KIND] = kind;
		words[CommandWord.ARGUMENT] = argument;
		Atomics.store(words, CommandWord.PENDING, this.#ports.length);
		const done = this.#wait(1);
		Atomics.add(words, CommandWord.SEQUENCE, 1);
		Atomics.notify(words, CommandWord.SEQUENCE);
		await done;
	}

	updateModel(): void {
		const [from, to] = [this.#model, this.#sharedModel];
		for (const name of MODEL_ARRAY_NAMES) to[name].set(from[name] as never);
		to.globalGravity.set(from.globalGravity);
		to.attributes.assign(from.attributes);
	}

	async dispose(): Promise<void> {
		this.#end(new RunnerError('WLD020', 'the runner was disposed'));
		await Promise.all(this.#ports.map((port) => port.terminate()));
	}

	/** Sends a message to every worker and waits for their answers. */
	async #ask(messageOf: (worker: number) => RequestMessage): Promise<readonly AnswerMessage[]> {
		if (this.#ended !== undefined) throw this.#ended;
		for (const [i, port] of this.#ports.entries()) post(port, messageOf(i));
		return this.#wait(this.#ports.length);
	}

	#wait(count: number): Promise<readonly AnswerMessage[]> {
		return new Promise((resolve, reject) => {
			this.#waiting = { answers: [], left: count, resolve, reject };
		});
	}

	#receive(worker: number, message: AnswerMessage): void {
		if (message.kind === 'failed') {
			const { code = '', message: text } = message;
			// with a code a solver speaks of the model, which is the same in every worker
			this.#end(
				/^[A-Z]+\d{3}$/.test(code)
					? new RunnerError(code, text)
					: new RunnerError('WLD022', `${this.#nameOf(worker)}: ${text}`),
			);
			return;
		}
		const waiting = this.#waiting;
		if (waiting === undefined) return;
		waiting.answers[worker] = message;
		waiting.left--;
		if (waiting.left > 0) return;
		this.#waiting = undefined;
		waiting.resolve(waiting.answers);
	}

	/** The first reason counts. Without one worker the others have nothing to do. */
	#end(error: RunnerError): void {
		if (this.#ended !== undefined) return;
		this.#ended = error;
		this.#waiting?.reject(error);
		this.#waiting = undefined;
		for (const port of this.#ports) void port.terminate();
	}

	#nameOf(worker: number): string {
		const { start, end } = this.#runs[worker]!;
		return `worker ${worker} (worlds ${start} to ${end - 1})`;
	}
}

/** Starts workers; when one does not start, those before it are ended. */
function startWorkers(host: WorkerHost, count: number): WorkerPort[] {
	const ports: WorkerPort[] = [];
	try {
		while (ports.length < count) ports.push(host.start());
	} catch (error) {
		for (const port of ports) void port.terminate();
		throw error;
	}
	return ports;
}

function post(port: WorkerPort, message: RequestMessage): void {
	try {
		port.postMessage(message);
	} catch (error) {
		const reason = error instanceof Error ? error.message : String(error);
		throw new UsageTypeError(`solverOptions cannot be sent to another thread: ${reason}`);
	}
}

interface Waiting {
	readonly answers: AnswerMessage[];
	left: number;
	readonly resolve: (answers: readonly AnswerMessage[]) => void;
	readonly reject: (error: RunnerError) => void;
}

/** Runs of worlds for so many workers, as equal as can be; no run is empty. */
export function divide(worlds: number, workers: number): IndexRange[] {
	const count = Math.min(worlds, workers);
	return Array.from({ length: count }, (_, i) => ({
		start: Math.floor((i * worlds) / count),
		end: Math.floor(((i + 1) * worlds) / count),
	}));
}
