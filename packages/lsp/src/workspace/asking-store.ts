import type { AssetStore } from '@manyworlds/usd';
import { splitPackageRelativePathOuter, withIdentify } from '@manyworlds/usd/internal';

/** A store that remembers which files somebody asked for, there or not: those that an answer depends on. */
export function askingStore(store: AssetStore, asked: Set<string>): AssetStore {
	const note = (identifier: string): string => {
		asked.add(splitPackageRelativePathOuter(identifier)[0]);
		return identifier;
	};
	return {
		...withIdentify(store, (assetPath, anchor) => {
			const found = store.identify(assetPath, anchor);
			note(found.identifier);
			return found;
		}),
		exists: (identifier) => store.exists(note(identifier)),
		layer: (identifier) => store.layer(note(identifier)),
		bytes: (identifier) => store.bytes(note(identifier)),
	};
}
