import { type Remote, transfer, wrap } from 'comlink';
import type { FolderFiles } from './asset/asset-types.ts';
import type { AssetWork } from './asset/asset-worker.ts';
import { nextTask } from './next-task.ts';
import { startWorker } from './worker-life.ts';

/** Bytes that are copied before the page may do something else. */
const PIECE = 4 * 2 ** 20;

/** The thread that reads assets. It starts when it is needed first, and again when it died. */
export class AssetThread {
	readonly #onEnd: (why: string) => void;
	#worker: Worker | undefined;
	#remote: Remote<AssetWork> | undefined;

	constructor(onEnd: (why: string) => void) {
		this.#onEnd = onEnd;
	}

	get session(): Remote<AssetWork> {
		if (this.#remote !== undefined) return this.#remote;
		const worker = startWorker(
			(name) => new Worker(new URL('./asset/asset-worker.ts', import.meta.url), { type: 'module', name }),
			(why) => {
				if (this.#worker !== worker) return;
				this.drop();
				this.#onEnd(why);
			},
		);
		this.#worker = worker;
		this.#remote = wrap<AssetWork>(worker);
		return this.#remote;
	}

	/** Starts it before it is needed: it takes a moment. */
	start(): void {
		void this.session;
	}

	/** Gives the thread up, whatever it does; another one starts when it is needed. */
	drop(): void {
		this.#worker?.terminate();
		this.#worker = undefined;
		this.#remote = undefined;
	}

	/** Lets the thread forget all files. */
	async clear(): Promise<void> {
		await this.#remote?.clear();
	}

	/** Gives files to the thread in place of those that it has; it copies them while the thread starts. */
	async give(files: FolderFiles): Promise<void> {
		const { session } = this;
		const given: Promise<void>[] = [session.clear()];
		let copied = 0;
		for (const [path, bytes] of files) {
			const copy = new Uint8Array(bytes.length);
			for (let at = 0; at < bytes.length; at += PIECE) {
				const piece = bytes.subarray(at, at + PIECE);
				copied += piece.length;
				if (copied > PIECE) {
					await nextTask();
					copied = piece.length;
				}
				copy.set(piece, at);
			}
			given.push(session.put(path, transfer(copy, [copy.buffer])));
		}
		await Promise.all(given);
	}
}
