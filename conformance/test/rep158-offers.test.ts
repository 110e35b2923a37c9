import { FIXERS } from '@manyworlds/rep158/internal';
import { expect, it } from 'vitest';
import { InputFinder } from '../src/input-finder.ts';
import { rep158Offers } from '../suites/rep158-fix/offers.ts';

const { defaultDir: dir, groups } = rep158Offers;
const [rules] = groups;
const all = [...rules!.cases({ dir, assetsDir: dir, inputs: new InputFinder(dir), log: () => {} })];
const fixable = new Set<string>(FIXERS.flatMap((fixer) => fixer.rules));
// one asset of each rule that has a fix; the suite runs all of them
const chosen = new Map(all.toReversed().map((one) => [one.name.split('/')[0]!, one] as const));
const cases = [...chosen].filter(([rule]) => fixable.has(rule)).toReversed();

it.each(cases)('says of findings of %s truly which command removes them', async (_, one) => {
	expect(await one.run()).toBeUndefined();
});
