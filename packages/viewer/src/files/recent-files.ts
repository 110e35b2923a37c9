import { readFolderHandle } from './folder-handle.ts';
import { readFiles } from './read-dropped.ts';

/** Something that was open before and can be opened again. */
export type RecentFile =
	| { readonly name: string; readonly kind: 'handle'; readonly handle: FileSystemHandle }
	| { readonly name: string; readonly kind: 'address'; readonly address: string };

/** Entries that are kept. */
const MOST = 8;
const DATABASE = 'manyworlds';
const STORE = 'recent';

/** What was open before, the newest first. The browser keeps it on this machine; where it keeps nothing there is none. */
export class RecentFiles {
	entries: readonly RecentFile[] = [];
	readonly #tell: () => void;
	/** Changes are made one after the other. */
	#work: Promise<void>;

	constructor(tell: () => void) {
		this.#tell = tell;
		this.#work = this.#load();
	}

	/** Puts something in front. */
	add(entry: RecentFile): Promise<void> {
		return this.#change(async (entries) => {
			const others: RecentFile[] = [];
			for (const own of entries) if (!(await isSame(own, entry))) others.push(own);
			return [entry, ...others].slice(0, MOST);
		});
	}

	forget(entry: RecentFile): Promise<void> {
		return this.#change(async (entries) => entries.filter((own) => own !== entry));
	}

	#change(change: (entries: readonly RecentFile[]) => Promise<readonly RecentFile[]>): Promise<void> {
		this.#work = this.#work.then(async () => {
			this.entries = await change(this.entries);
			this.#tell();
			const { entries } = this;
			await withStore('readwrite', (store) => store.put(entries, STORE));
		});
		return this.#work;
	}

	async #load(): Promise<void> {
		const found = await withStore<readonly RecentFile[] | undefined>('readonly', (store) => store.get(STORE));
		this.entries = found ?? [];
		this.#tell();
	}
}

/** Files behind a handle that was kept; asks for leave where the browser wants it. Rejects with a sentence without. */
export async function readHandle(handle: FileSystemHandle): Promise<Map<string, Uint8Array>> {
	const asked = handle as FileSystemHandle & { requestPermission?(options: { mode: 'read' }): Promise<string> };
	const leave = (await asked.requestPermission?.({ mode: 'read' })) ?? 'granted';
	if (leave !== 'granted') throw new Error(`'${handle.name}' may not be read again without leave`);
	if (handle.kind === 'directory') return readFolderHandle(handle as FileSystemDirectoryHandle);
	return readFiles([[handle.name, await (handle as FileSystemFileHandle).getFile()]]);
}

async function isSame(a: RecentFile, b: RecentFile): Promise<boolean> {
	if (a.kind === 'address' || b.kind === 'address')
		return a.kind === b.kind && a.kind === 'address' && b.kind === 'address' && a.address === b.address;
	return a.handle.isSameEntry(b.handle);
}

/** Does something with what the browser keeps; undefined where it keeps nothing, as in private windows. */
async function withStore<T>(
	mode: IDBTransactionMode,
	work: (store: IDBObjectStore) => IDBRequest,
): Promise<T | undefined> {
	try {
		const opening = indexedDB.open(DATABASE, 1);
		opening.addEventListener('upgradeneeded', () => opening.result.createObjectStore(STORE));
		const database = await answerOf<IDBDatabase>(opening);
		const found = await answerOf<T>(work(database.transaction(STORE, mode).objectStore(STORE)));
		database.close();
		return found;
	} catch {
		return undefined;
	}
}

function answerOf<T>(request: IDBRequest): Promise<T> {
	return new Promise((resolve, reject) => {
		request.addEventListener('success', () => resolve(request.result as T));
		request.addEventListener('error', () => reject(request.error ?? new Error('it cannot be read')));
	});
}
