import { chooseRules, RULES } from '@manyworlds/rep158';
import { describe, expect, it } from 'vitest';

describe('the choice of rules', () => {
	it('takes identifiers exactly, in either case, and lists', () => {
		expect([...chooseRules(['R1.1.7, r1.1.3', '']).rules]).toEqual(['R1.1.7', 'R1.1.3']);
	});

	it('takes a section with all below it, as the rules have sections', () => {
		for (const section of new Set(RULES.flatMap((rule) => [rule.section, rule.section.split('.')[0]!]))) {
			const expected = RULES.filter((rule) => rule.section === section || rule.section.startsWith(`${section}.`));
			const { rules, problems } = chooseRules([`§${section}`]);
			expect([[...rules].sort(), problems], section).toEqual([expected.map(({ id }) => id).sort(), []]);
		}
	});

	it('says what names no rule', () => {
		expect(chooseRules(['R9.9', '1.3', '§7']).problems).toEqual([
			"unknown rule 'R9.9', expected an identifier such as R1.1.7 or a section such as §1.3",
			"unknown rule '1.3', expected an identifier such as R1.1.7 or a section such as §1.3; a section is written §1.3",
			"the REP has no section '7' with rules",
		]);
	});
});
