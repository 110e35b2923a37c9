/**
 * One asset for each group of attributes in MJCF, URDF and USD, every value another, with the model that Newton 1.6.1 makes of it: every array, label,
 * map and attribute (`newton_dump.py --case` of the oracles). The assets are ours.
 */
import { resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { InputFinder } from '../src/input-finder.ts';
import { importNewton } from '../suites/import/index.ts';

const dir = resolve(import.meta.dirname, '../data/import');

describe.each(importNewton.groups.map((group) => [group.name, group] as const))('%s', (_, group) => {
	const cases = [...group.cases({ dir, assetsDir: dir, inputs: new InputFinder(dir), log: () => {} })];
	it.each(cases.map((one) => [one.name, one] as const))('%s', async (_name, one) => {
		expect(await one.run()).toBeUndefined();
	});
});
