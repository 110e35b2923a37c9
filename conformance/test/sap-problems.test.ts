/**
 * 51 convex problems of 17 families with their minimisers, found in 80-bit floats by `sap_problems.py` of the oracles with seed 158 and certified by
 * their optimality conditions: regularisation, target velocities, gains, impulses, modes, costs.
 */
import { resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { InputFinder } from '../src/input-finder.ts';
import { simSapProblems } from '../suites/sim-sap-problems/index.ts';

const dir = resolve(import.meta.dirname, '../data/sap');

describe.each(simSapProblems.groups.map((group) => [group.name, group] as const))('%s', (_, group) => {
	const cases = [...group.cases({ dir, assetsDir: dir, inputs: new InputFinder(dir), log: () => {} })];
	it.each(cases.map((one) => [one.name, one] as const))('%s', async (_name, one) => {
		expect(await one.run()).toBeUndefined();
	});
});
