import { DefaultStore, type StoreOptions } from './default-store.ts';
import { isUri } from './file-path.ts';

/** The part of `fetch` that is used. @public */
export type Fetch = (url: string) => Promise<{
	readonly ok: boolean;
	readonly status: number;
	arrayBuffer(): Promise<ArrayBuffer>;
}>;

/** Options of a {@link FetchStore}. @public */
export interface FetchStoreOptions extends Omit<StoreOptions, 'source'> {
	/** Address that relative names are seen from. */
	readonly base?: string;
}

/**
 * A store of files behind addresses. Files are loaded when they were asked for: use {@link whenLoaded}.
 *
 * ```ts
 * const store = new FetchStore(fetch, { base: 'https://example.org/robots/' });
 * await store.load('arm.usda');
 * ```
 * @public
 */
export class FetchStore extends DefaultStore {
	constructor(fetch: Fetch, options: FetchStoreOptions = {}) {
		const { base = '', ...rest } = options;
		const folder = base === '' || base.endsWith('/') ? base : `${base}/`;
		super({
			...rest,
			source: { read: (name) => fetchBytes(fetch, isUri(name) ? name : folder + name.replace(/^\//, '')) },
		});
	}
}

async function fetchBytes(fetch: Fetch, address: string): Promise<Uint8Array | undefined> {
	const response = await fetch(address);
	if (response.status === 404 || response.status === 410) return undefined;
	if (!response.ok) throw new Error(`the server answered ${response.status}`);
	return new Uint8Array(await response.arrayBuffer());
}
