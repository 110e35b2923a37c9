import { type Remote, transfer, wrap } from 'comlink';
import type { AssetWork } from './asset/asset-worker.ts';
import type { FolderFiles } from './files/folder-files.ts';
import { isShared, sharedFiles } from './files/shared-files.ts';
import { makeAssetThread } from './threads.ts';
import { startWorker } from './worker-life.ts';

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
		const worker = startWorker(makeAssetThread, (why) => {
			if (this.#worker !== worker) return;
			this.drop();
			this.#onEnd(why);
		});
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

	/**
	 * Gives files to the thread in place of those that it has; they are copied while the thread starts. Gives those that are in memory
	 * which the thread and the page share.
	 */
	async give(files: FolderFiles): Promise<FolderFiles> {
		const { session } = this;
		const given: Promise<void>[] = [session.clear()];
		const shared = new Map<string, Uint8Array>();
		for await (const [path, bytes] of sharedFiles(files)) {
			if (isShared(bytes)) shared.set(path, bytes);
			given.push(session.put(path, isShared(bytes) ? bytes : transfer(bytes, [bytes.buffer as ArrayBuffer])));
		}
		await Promise.all(given);
		return shared;
	}
}
