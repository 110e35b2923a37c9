import { type Remote, transfer, wrap } from 'comlink';
import type { AssetSession } from './asset/asset-session.ts';
import type { FolderFiles } from './asset/asset-types.ts';
import { nextTask } from './next-task.ts';
import { startWorker } from './worker-life.ts';

/** Bytes that are copied before the page may do something else. */
const PIECE = 4 * 2 ** 20;

/** The thread that reads assets. It starts when it is needed first, and again when it died. */
export class AssetThread {
	readonly #onEnd: (why: string) => void;
	#worker: Worker | undefined;
	#remote: Remote<AssetSession> | undefined;

	constructor(onEnd: (why: string) => void) {
		this.#onEnd = onEnd;
	}

	get session(): Remote<AssetSession> {
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
		this.#remote = wrap<AssetSession>(worker);
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

	/** Gives files to the thread in place of those that it has; gives how many bytes they have. */
	async give(files: FolderFiles): Promise<number> {
		const { session } = this;
		await session.clear();
		let size = 0;
		for (const [path, bytes] of files) {
			const copy = new Uint8Array(bytes.length);
			for (let at = 0; at < bytes.length; at += PIECE) {
				if (at > 0) await nextTask();
				copy.set(bytes.subarray(at, at + PIECE), at);
			}
			await session.put(path, transfer(copy, [copy.buffer]));
			size += bytes.length;
		}
		return size;
	}
}
