import { isAssetFailure, type Layer, type MemoryFiles, MemoryStore } from '@manyworlds/usd';

/** Opens a layer among files in memory; throws when there is none. */
export function openAsset(files: MemoryFiles, entry: string): { readonly layer: Layer; readonly store: MemoryStore } {
	const store = new MemoryStore(files, { folder: '/asset' });
	const layer = store.open(entry);
	if (isAssetFailure(layer)) throw new Error(`${entry}: ${layer.failure}`);
	return { layer, store };
}
