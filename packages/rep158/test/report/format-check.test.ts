import type { Diagnostic } from '@manyworlds/core';
import { formatCheck } from '@manyworlds/rep158';
import { describe, expect, it } from 'vitest';

const finding = (code: string, prim: string, command?: string): Diagnostic => ({
	code,
	severity: 'error',
	message: `${prim} is wrong`,
	prim,
	...(command !== undefined && {
		fix: { title: command, safety: command.includes('--unsafe') ? 'unsafe' : 'safe', edits: [] },
	}),
});

function format(diagnostics: readonly Diagnostic[], hasTriedFixes = true): string {
	const counts = { omitted: {}, primCount: 1, layerCount: 1, selectionCount: 1 };
	return formatCheck([{ asset: 'a.usda', diagnostics, ...counts, hasTriedFixes }], { inputs: ['a.usda'] });
}

describe('what findings say about fixes', () => {
	it('stands in the head of a rule when it is the same for all of them', () => {
		const text = format([
			finding('R1.1.4', '/a', 'manyworlds fix --unsafe'),
			finding('R1.1.4', '/b', 'manyworlds fix --unsafe'),
		]);
		expect(text).toContain('R1.1.4 (§1.1, fixable with --unsafe)');
		expect(text).not.toContain('fix (unsafe)');
		expect(text).toContain('2 of 2 findings can be fixed: 2 with --unsafe');
		expect(text).toContain('next: manyworlds fix --diff --unsafe a.usda');
	});

	it('stands at each finding when they differ, and the next command is the one that asks least', () => {
		const option = 'manyworlds fix --limits b=LOWER:UPPER or --continuous b';
		const text = format([finding('R1.3.3', '/a'), finding('R1.3.3', '/b', option)]);
		expect(text).toContain('R1.3.3 (§1.3)\n');
		expect(text).toContain(`fix (safe): ${option}`);
		expect(text).toContain('1 of 2 findings can be fixed: 1 safely; 1 of them needs an option with a value');
		expect(text).toContain('next: manyworlds fix --diff --limits b=LOWER:UPPER a.usda');
	});

	it('is left open when no fixes were tried', () => {
		const text = format([finding('R1.1.4', '/a')], false);
		expect(text).not.toContain('can be fixed');
		expect(text).toContain('1 of 1 findings are of rules that have fixes');
		expect(text).toContain('manyworlds check --fixes a.usda');
	});
});
