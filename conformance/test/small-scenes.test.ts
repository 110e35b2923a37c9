/**
 * Small random scenes that are dense in arcs, with the prim indexes and targets of OpenUSD 26.11, node by node: `oracle/small_scenes.py` made them
 * and says how the file is written. Scenes are left out where the two keep other nodes without specs.
 */
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { CompositionCache, isAssetFailure, MemoryStore } from '@manyworlds/usd';
import { expect, it } from 'vitest';
import { dumpNodes } from './node-dump.ts';

const file = resolve(import.meta.dirname, '../data/small-scenes.txt.gz');
const scenes = gunzipSync(readFileSync(file)).toString('utf8').split(/^## /m).slice(1);

/** The parts of a scene after their headings: layers, and the answer. */
function partsOf(scene: string): Map<string, string> {
	const parts = new Map<string, string>();
	for (const part of scene.split(/^--- /m).slice(1)) {
		const end = part.indexOf('\n');
		parts.set(part.slice(0, end), part.slice(end + 1));
	}
	return parts;
}

it.each(scenes.map((scene) => [scene.slice(0, scene.indexOf('\n')), scene] as const))('scene %s', (_, scene) => {
	const parts = partsOf(scene);
	const store = new MemoryStore(parts, { brokenLayers: 'refuse' });
	const rootLayer = store.open('root.usda');
	if (isAssetFailure(rootLayer)) throw new Error(rootLayer.failure);
	const cache = new CompositionCache({ rootLayer, store });
	expect(dumpNodes(cache, '', { withTargets: true })).toBe(parts.get('(answer)'));
});
