/**
 * Small random scenes that are dense in arcs, with the prim indexes and targets of OpenUSD 26.11, node by node: `oracle/small_scenes.py` made them
 * and says how the file is written. Scenes are left out where the two differ: a few whose specializes go in circles.
 */
import { CompositionCache } from '@manyworlds/usd/internal';
import { expect, it } from 'vitest';
import { dumpNodes } from './node-dump.ts';
import { openLayer, readSmallScenes } from './small-scenes.ts';

it.each(readSmallScenes())('scene %s', (_, open) => {
	const { store, answer } = open();
	const cache = new CompositionCache({ rootLayer: openLayer(store, 'root.usda'), store });
	expect(dumpNodes(cache, '', { withTargets: true })).toBe(answer);
});
