/** Where bytes come from. Names are the identifiers that a resolver makes: paths with forward slashes, or addresses. */
export interface AssetBackend {
	/** Whether there is something to read; undefined when only reading can tell. */
	exists?(name: string): boolean | undefined;
	/** The bytes, or undefined when there is no such file. Absent when the backend can only answer later. */
	readSync?(name: string): Uint8Array | undefined;
	/** The bytes, or undefined when there is no such file. */
	read?(name: string): Promise<Uint8Array | undefined>;
}

/** Files held in memory, by name. */
export class MemoryBackend implements AssetBackend {
	readonly #files: Map<string, Uint8Array>;

	constructor(files: Iterable<readonly [name: string, bytes: Uint8Array]> = []) {
		this.#files = new Map(files);
	}

	set(name: string, bytes: Uint8Array): void {
		this.#files.set(name, bytes);
	}

	delete(name: string): void {
		this.#files.delete(name);
	}

	exists(name: string): boolean {
		return this.#files.has(name);
	}

	readSync(name: string): Uint8Array | undefined {
		return this.#files.get(name);
	}

	async read(name: string): Promise<Uint8Array | undefined> {
		return this.#files.get(name);
	}
}

/** The part of `fetch` that is used. */
export type Fetch = (url: string) => Promise<{
	readonly ok: boolean;
	readonly status: number;
	arrayBuffer(): Promise<ArrayBuffer>;
}>;

/** Files behind addresses. Relative names are seen from `base`. */
export class FetchBackend implements AssetBackend {
	readonly #fetch: Fetch;
	readonly #base: string;

	constructor(fetch: Fetch, base = '') {
		this.#fetch = fetch;
		this.#base = base === '' || base.endsWith('/') ? base : `${base}/`;
	}

	async read(name: string): Promise<Uint8Array | undefined> {
		const url = /^[A-Za-z][A-Za-z0-9+.-]+:/.test(name) ? name : this.#base + name.replace(/^\//, '');
		const response = await this.#fetch(url);
		if (response.status === 404 || response.status === 410) return undefined;
		if (!response.ok) throw new Error(`the server answered ${response.status}`);
		return new Uint8Array(await response.arrayBuffer());
	}
}
