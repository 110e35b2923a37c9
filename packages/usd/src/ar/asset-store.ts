import type { Report } from '@manyworlds/core';
import type { Layer } from '../sdf/layer.ts';

/**
 * Where the files of assets come from: the one interface that reader, composition, importers, checker, fixer and scenes
 * take. Calls answer at once; what is not loaded yet is undefined and listed by {@link AssetStore.missing}, so that a caller
 * loads it and repeats its work ({@link whenLoaded}). Files are named by identifiers, which {@link AssetStore.identify} makes.
 * @public
 */
export interface AssetStore {
	/** What is wrong with the files that were read, each thing once. */
	readonly report: Report;
	/** What `assetPath` stands for in the file with the identifier `anchor`, '' for a path that no file names. */
	identify(assetPath: string, anchor: string): AssetIdentity;
	/** Whether there is something to read; undefined when only loading can tell. */
	exists(identifier: string): boolean | undefined;
	/**
	 * The layer of a file; of a package, its root layer. A layer with mistakes is used as far as it could be read, and the
	 * report has them. The same identifier always gives the same layer.
	 */
	layer(identifier: string): Layer | AssetFailure | undefined;
	/** The content of a file, or of a member of a package. */
	bytes(identifier: string): Uint8Array | AssetFailure | undefined;
	/** The text that a layer was read from, as UTF-8; undefined for binary layers and for files that are no layers. */
	text(identifier: string): Uint8Array | undefined;
	/** How messages name a file. */
	name(identifier: string): string;
	/** Identifiers that were asked for and are not loaded yet. */
	missing(): readonly string[];
	/** Loads a file, so that `layer` and `bytes` have an answer. Never rejects: a failure is that answer. */
	load(identifier: string): Promise<void>;
}

/** What an asset path stands for. @public */
export interface AssetIdentity {
	/** The anchored path; two spellings of the same place give the same. */
	readonly identifier: string;
	/** Why nothing may be read there, in half a sentence ('' when there is just nothing). */
	readonly refusal?: string;
}

/** A file or layer that cannot be had, with the reason in half a sentence ('' when it is just not there). @public */
export interface AssetFailure {
	readonly failure: string;
}

/** Whether a store has no layer or bytes to give. @public */
export function isAssetFailure(found: Layer | Uint8Array | AssetFailure): found is AssetFailure {
	return 'failure' in found;
}

/**
 * Repeats work until the store has all that it asks for, and gives the result of the last time.
 *
 * ```ts
 * const stage = await whenLoaded(store, () => Stage.open(store.layer('robot.usda') as Layer, { store }));
 * ```
 * @public
 */
export async function whenLoaded<T>(store: Pick<AssetStore, 'missing' | 'load'>, work: () => T): Promise<T> {
	const asked = new Set<string>();
	for (;;) {
		const result = work();
		const missing = store.missing().filter((identifier) => !asked.has(identifier));
		if (missing.length === 0) return result;
		for (const identifier of missing) asked.add(identifier);
		await Promise.all(missing.map((identifier) => store.load(identifier)));
	}
}

/** The same store with another way to find files. */
export function withIdentify(store: AssetStore, identify: AssetStore['identify']): AssetStore {
	return { ...delegating(store), identify };
}

/** The same store with other content of files that are no layers. */
export function withBytes(store: AssetStore, bytes: AssetStore['bytes']): AssetStore {
	return { ...delegating(store), bytes };
}

function delegating(store: AssetStore): AssetStore {
	return {
		report: store.report,
		identify: (assetPath, anchor) => store.identify(assetPath, anchor),
		exists: (identifier) => store.exists(identifier),
		layer: (identifier) => store.layer(identifier),
		bytes: (identifier) => store.bytes(identifier),
		text: (identifier) => store.text(identifier),
		name: (identifier) => store.name(identifier),
		missing: () => store.missing(),
		load: (identifier) => store.load(identifier),
	};
}
