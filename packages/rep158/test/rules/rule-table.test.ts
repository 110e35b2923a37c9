import { compareSections, FIXERS, RULES, SECTION_TITLES } from '@manyworlds/rep158';
import { CODES, formatRulePage, rulePage } from '@manyworlds/rep158/codes';
import { describe, expect, it } from 'vitest';

describe('the rules', () => {
	const codes = Object.keys(CODES).filter((code) => /^R\d/.test(code));

	it('are all 228 statements, each once', () => {
		expect(RULES.length).toBe(228);
		expect(RULES.map(({ id }) => id as string).sort()).toEqual([...codes].sort());
	});

	it('stand in the order of the document', () => {
		const sections = RULES.map(({ section }) => section);
		const sorted = [...sections].sort(compareSections);
		expect(sections).toEqual(sorted);
	});

	it('cite a section that their identifiers begin with', () => {
		for (const { id, section } of RULES) {
			expect(SECTION_TITLES[section], id).toBeDefined();
			// R1.2.0.1, R2.0.1, R3.0.1 and R4.2.0.1 are about a whole section
			const prefix = id.replace(/\.0(?=\.\d+$)/, '');
			expect(prefix.startsWith(`R${section}.`), id).toBe(true);
		}
	});

	it('look at assets exactly when they are checked', () => {
		for (const { id, check, visit, heldBy } of RULES) {
			// one fault may break two rules, of which one reports it
			const isHeldByRule = heldBy !== undefined && rulePage(heldBy) !== undefined;
			expect(visit !== undefined || isHeldByRule, id).toBe(check === 'static' || check === 'heuristic');
			if (heldBy !== undefined && !isHeldByRule) expect(check, id).toBe('behaviour');
		}
	});

	it('are never graver than their kind and level allow', () => {
		for (const { id, check, level } of RULES) {
			const { severity } = CODES[id]!;
			if (check === 'heuristic') expect(severity, id).not.toBe('error');
			if (level === 'may') expect(severity, id).toBe('info');
			if (level === 'should' || level === 'should not') expect(severity, id).not.toBe('error');
		}
	});

	it('have pages that cite the section and say what to do', () => {
		for (const { id, section } of RULES) {
			const text = formatRulePage(rulePage(id)!);
			expect(text).toContain(`REP 0158 section ${section} (`);
			expect(text).toMatch(/\nFix\n {2}\S/);
		}
		expect(rulePage('R9.9.9')).toBeUndefined();
	});

	it('have fixes, among them schema translation, standard transforms and vendor isolation', () => {
		for (const family of ['F1', 'F2', 'F4']) {
			const fixer = FIXERS.find((candidate) => candidate.family === family);
			expect(fixer?.rules.length, family).toBeGreaterThan(0);
			expect(
				RULES.some(({ id, fix }) => fix?.family === family && fixer!.rules.includes(id)),
				family,
			).toBe(true);
		}
	});
});
