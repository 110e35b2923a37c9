import { RULES } from '@manyworlds/rep158';
import { AVAILABLE_FIXES, FIXERS } from '@manyworlds/rep158/internal';
import { expect, test } from 'vitest';
import { FIX_CLAIMS } from '../src/rules/fix-claims.ts';

test('reports promise the fixes that exist, in the order in which they run', () => {
	expect(FIX_CLAIMS).toEqual(FIXERS.map(({ family, safety, rules }) => ({ family, safety, rules })));
});

test('a rule has a safe fix if one of its fixers is safe, an unsafe one if there are only others', () => {
	const named = [...new Set(FIXERS.flatMap(({ rules }) => rules))];
	const safety = (id: string): string =>
		FIXERS.some((fixer) => fixer.safety === 'safe' && fixer.rules.some((rule) => rule === id)) ? 'safe' : 'unsafe';
	expect(Object.fromEntries(AVAILABLE_FIXES)).toEqual(Object.fromEntries(named.map((id) => [id, safety(id)])));
});

test('every rule that a fixer names says how it is fixed', () => {
	const named = new Set(FIXERS.flatMap(({ rules }) => rules));
	const silent = RULES.filter(({ id, fix }) => named.has(id) && fix === undefined);
	expect(silent.map(({ id }) => id)).toEqual([]);
});
