/**
 * Random scenes of layers, with what OpenUSD 26.11 composes of them: `expected.json` from `usd_fuzz.py` of the oracles, with seeds above 3000
 * and the feature groups that make arcs; `nodes.txt` from `oracle/pcp_nodes.py`. Scenes without `nodes.txt` compose alike, but one of the
 * two keeps nodes without specs that the other culls.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { CompositionCache } from '@manyworlds/usd/internal';
import { describe, expect, it } from 'vitest';
import { DiskStore } from '../src/disk-store.ts';
import { InputFinder } from '../src/input-finder.ts';
import { usdFuzz } from '../suites/usd-fuzz.ts';
import { dumpNodes } from './node-dump.ts';

const dir = resolve(import.meta.dirname, '../data/composition');

function openCache(folder: string): CompositionCache {
	const store = new DiskStore();
	const file = join(folder, 'case.json');
	const facts = existsSync(file)
		? (JSON.parse(readFileSync(file, 'utf8')) as { variantFallbacks?: Record<string, string[]> })
		: {};
	const variantFallbacks = new Map(Object.entries(facts.variantFallbacks ?? {}));
	return new CompositionCache({ rootLayer: store.open(join(folder, 'root.usda')), store, variantFallbacks });
}

for (const group of usdFuzz.groups) {
	const cases = [...group.cases({ dir, assetsDir: dir, inputs: new InputFinder(dir), log: () => {} })];
	if (cases.length === 0) continue;
	describe(`${group.name} of a random scene`, () => {
		it.each(cases.map((one) => [one.name, one] as const))('%s', async (_, one) => {
			expect(await one.run()).toBeUndefined();
		});
	});
}

describe('prim indexes of a scene', () => {
	it.each(readdirSync(dir).filter((name) => existsSync(join(dir, name, 'nodes.txt'))))('%s', (name) => {
		const folder = join(dir, name);
		expect(dumpNodes(openCache(folder), folder)).toBe(readFileSync(join(folder, 'nodes.txt'), 'utf8'));
	});
});
