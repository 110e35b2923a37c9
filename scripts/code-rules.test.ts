import type { CodeInfo } from '@manyworlds/core/internal';
import { describe, expect, test } from 'vitest';
import { checkCodeUse, checkFamilies, checkPages, makePages } from './code-rules.ts';

const info: CodeInfo = { title: 'Title', severity: 'error', help: 'Help.' };
const file = (path: string, text: string) => ({ path, text });

describe('use of codes', () => {
	test('registered and used codes pass', () => {
		expect(checkCodeUse(['ABC001'], [file('a.ts', "make('ABC001')")])).toEqual([]);
	});

	test('an unregistered code of a known family is found with its line', () => {
		const text = "make('ABC001');\nmake('ABC002'); // make('ABC003')\nmake('XYZ001');";
		expect(checkCodeUse(['ABC001'], [file('a.ts', text)])).toEqual(['a.ts:2: ABC002 is not registered']);
	});

	test('a registered code that nothing uses is found', () => {
		expect(checkCodeUse(['ABC001'], [file('a.ts', '// ABC001')])).toHaveLength(1);
	});
});

describe('families', () => {
	const family = (text: string) => [file('codes/abc.ts', text)];

	test('codes in their own file and in order pass', () => {
		expect(checkFamilies(family("\tABC001: 'error',\n\tABC002: 'error',\n"), { ABC001: info, ABC002: info })).toEqual(
			[],
		);
	});

	test('foreign, misordered and unmerged codes are found', () => {
		expect(checkFamilies(family("\tXYZ001: 'error',\n"), { XYZ001: info })).toHaveLength(1);
		expect(
			checkFamilies(family("\tABC002: 'error',\n\tABC001: 'error',\n"), { ABC001: info, ABC002: info }),
		).toHaveLength(1);
		expect(checkFamilies(family("\tABC001: 'error',\n"), {})).toHaveLength(1);
	});

	test('incomplete texts are found', () => {
		expect(checkFamilies([], { ABC001: { ...info, title: 'Ends.' } })).toHaveLength(1);
		expect(checkFamilies([], { ABC001: { ...info, help: 'no sentence' } })).toHaveLength(1);
	});
});

describe('pages', () => {
	const pages = makePages({ ABC001: { ...info, bad: 'x\n', good: 'y' } });

	test('show the help and both examples', () => {
		expect(pages.get('docs/diagnostics/ABC001.md')).toBe(
			'# ABC001: Title\n\nSeverity: error\n\nHelp.\n\n## Example\n\n```usda\nx\n```\n\n## Put right\n\n```usda\ny\n```\n',
		);
	});

	test('missing, stale and orphaned ones are found', () => {
		const files = [...pages].map(([path, text]) => file(path, text));
		expect(checkPages(pages, files)).toEqual([]);
		expect(checkPages(pages, files.slice(1))).toHaveLength(1);
		expect(checkPages(pages, [file(files[0]!.path, 'old'), files[1]!])).toHaveLength(1);
		expect(checkPages(pages, [...files, file('docs/diagnostics/OLD001.md', '')])).toHaveLength(1);
	});
});
