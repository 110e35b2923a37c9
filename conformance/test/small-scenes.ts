import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { isAssetFailure, type Layer, MemoryStore } from '@manyworlds/usd';

/** A scene of `oracle/small_scenes.py`: layers in a store, and the answer of OpenUSD. */
export interface SmallScene {
	readonly seed: string;
	readonly store: MemoryStore;
	readonly answer: string;
}

/** The scenes that are committed; each call makes layers of its own. */
export function readSmallScenes(): [seed: string, open: () => SmallScene][] {
	const file = resolve(import.meta.dirname, '../data/small-scenes.txt.gz');
	const texts = gunzipSync(readFileSync(file)).toString('utf8').split(/^## /m).slice(1);
	return texts.map((text) => {
		const seed = text.slice(0, text.indexOf('\n'));
		return [seed, () => openScene(seed, text)];
	});
}

function openScene(seed: string, text: string): SmallScene {
	const parts = new Map<string, string>();
	for (const part of text.split(/^--- /m).slice(1)) {
		const end = part.indexOf('\n');
		parts.set(part.slice(0, end), part.slice(end + 1));
	}
	const answer = parts.get('(answer)') ?? '';
	parts.delete('(answer)');
	return { seed, store: new MemoryStore(parts, { brokenLayers: 'refuse' }), answer };
}

/** A layer of a scene; throws when it cannot be read. */
export function openLayer(store: MemoryStore, name: string): Layer {
	const layer = store.open(name);
	if (isAssetFailure(layer)) throw new Error(`${name}: ${layer.failure}`);
	return layer;
}
