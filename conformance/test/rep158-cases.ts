import { dirname, join } from 'node:path';
import type { Diagnostic } from '@manyworlds/core';
import { describe, expect, it } from 'vitest';
import { GoldenSections } from '../src/golden-sections.ts';
import { InputFinder } from '../src/input-finder.ts';
import type { SuiteContext } from '../src/suite.ts';
import { compareFindings, findAll, rep158 } from '../suites/rep158/index.ts';

/**
 * The cases of a chapter of REP 0158, two ways: against the findings that were written by hand beside each asset (rule, file, line), and against
 * `golden/rep158-findings-N.txt`, which keeps severity, column, prim and sentence of every finding of every level. The second was made by this
 * checker; its rules, files and lines are those of the first.
 */
export function checkChapter(chapter: number): void {
	const { defaultDir } = rep158;
	const context: SuiteContext = {
		dir: defaultDir,
		assetsDir: defaultDir,
		inputs: new InputFinder(defaultDir),
		log: () => {},
	};
	const golden = new GoldenSections(join(import.meta.dirname, `../golden/rep158-findings-${chapter}.txt`));
	for (const group of rep158.groups) {
		const cases = [...group.cases(context)].filter(({ name }) => name.startsWith(`R${chapter}.`));
		describe(`${group.name} assets of chapter ${chapter}`, () => {
			it.each(cases.map(({ name }) => name))('%s', (name) => {
				const dir = join(defaultDir, name);
				const all = findAll(dir);
				expect(compareFindings(dir, dirname(name), group.name === 'bad', all)).toBeUndefined();
				const found = all.map(formatFinding);
				expect(found.join('\n')).toBe(golden.answer(name, found));
			});
		});
	}
}

/** A finding on one line, with all that people see of it. */
export function formatFinding({ code, severity, file, range, prim, message }: Diagnostic): string {
	const place = range === undefined ? '' : `:${range.start.line}:${range.start.column}`;
	return `${severity} ${code} ${file ?? ''}${place} ${prim ?? ''} ${message}`;
}
