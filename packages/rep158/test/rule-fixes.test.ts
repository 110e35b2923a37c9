import { AVAILABLE_FIXES, FIXERS, RULES } from '@manyworlds/rep158';
import { expect, test } from 'vitest';

test('every fix that reports promise exists and is as safe as they say', () => {
	const untrue = [...AVAILABLE_FIXES].filter(([id, safety]) => {
		return !FIXERS.some((fixer) => fixer.rules.some((rule) => rule === id) && fixer.safety === safety);
	});
	expect(untrue).toEqual([]);
});

test('every rule that a fixer names says how it is fixed', () => {
	const named = new Set(FIXERS.flatMap(({ rules }) => rules));
	const silent = RULES.filter(({ id, fix }) => named.has(id) && fix === undefined);
	expect(silent.map(({ id }) => id)).toEqual([]);
});
