import { Report } from '@manyworlds/core';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Path } from '../src/sdf/path.ts';
import type { Value } from '../src/sdf/value.ts';
import { readUsda } from '../src/usda/read-usda.ts';
import { fieldAt, readClean, readText } from './read-text.ts';

const DEEP = 100_000;
const ENCODER = new TextEncoder();

/** Reads bytes and touches everything that the layer holds. */
function exercise(bytes: Uint8Array): Report {
	const report = new Report();
	const data = readUsda(bytes, { report });
	for (const path of data.paths()) {
		data.specSource(path);
		for (const name of data.fieldNames(path)) {
			expect(data.field(path, name)).toBeDefined();
			data.fieldSource(path, name);
		}
	}
	return report;
}

describe('deep nesting', () => {
	it.each([
		['prims', `${'def "a" {\n'.repeat(DEEP)}${'}\n'.repeat(DEEP)}`, 'USDA015'],
		['variants', `def "a" {\n${'variantSet "v" = {\n"x" {\n'.repeat(DEEP)}`, 'USDA015'],
		['braces', '{'.repeat(DEEP), 'USDA001'],
		['parentheses', '('.repeat(DEEP), 'USDA011'],
		['lists', `def "a" {\n int[] x = ${'['.repeat(DEEP)}1${']'.repeat(DEEP)}\n}\n`, 'USDA015'],
		['tuples', `def "a" {\n matrix4d x = ${'('.repeat(DEEP)}\n}\n`, 'USDA033'],
		['dictionaries', `(\n customLayerData = ${'{ dictionary a = '.repeat(DEEP)}{${'}'.repeat(DEEP)}}\n)\n`, 'USDA015'],
		['unknown values', `(\n foo = ${'['.repeat(DEEP)}1${']'.repeat(DEEP)}\n)\n`, 'USDA015'],
		['target paths', `def "a" {\n rel r = </a${'.b[/a'.repeat(DEEP)}>\n}\n`, 'USDA024'],
	])('of %s ends with a diagnostic', (_, body, code) => {
		expect(readText(body).diagnostics.map((diagnostic) => diagnostic.code)).toContain(code);
	});

	it('of 5000 prims and 900 dictionaries is read', () => {
		const data = readClean(
			`${'def "a" {\n'.repeat(5000)}${'}\n'.repeat(5000)}def "b" (\n customData = ${'{ dictionary a = '.repeat(900)}{${'}'.repeat(900)}}\n)\n{\n}\n`,
		);
		expect(data.specCount).toBe(5002);
	});
});

describe('large input', () => {
	it('reads 10 MB on one line', () => {
		const data = readClean(`def "A" { int[] x = [${'1, '.repeat(3_500_000)}2]; }\n`);
		expect((fieldAt(data, '/A.x', 'default') as Value<Int32Array>).data.length).toBe(3_500_001);
	});

	it('reads 50,000 siblings', () => {
		const data = readClean(Array.from({ length: 50_000 }, (_, i) => `def "p${i}" {\n int a = ${i}\n}\n`).join(''));
		expect(fieldAt(data, '/p49999.a', 'default')?.data).toBe(49_999);
		expect(data.specCount).toBe(100_001);
	});

	it('gives up on junk in bounded time', () => {
		for (const junk of ['}', '}\n', '"\n', '<', '@', '? ', ';', '/*', "'''", 'a = [\n', 'def "a" (\n']) {
			expect(exercise(ENCODER.encode(`#usda 1.0\n${junk.repeat(500_000)}`)).hasErrors).toBe(true);
		}
	});
});

describe('line ends', () => {
	it('may be LF, CR LF or CR, or missing at the end', () => {
		const lines = ['#usda 1.0', 'def "A" {', ' int x = 1 # c', ' int y', '}'];
		for (const end of ['\n', '\r\n', '\r']) {
			const bytes = ENCODER.encode(lines.join(end));
			const report = new Report();
			const data = readUsda(bytes, { report });
			expect(report.toArray()).toStrictEqual([]);
			expect(data.field(Path.parse('/A.x')!, 'default')?.data).toBe(1);
		}
	});
});

describe('any bytes', () => {
	const WORDS = [
		...[
			'def ',
			'over ',
			'"a"',
			' {',
			'}',
			'(',
			')',
			'[',
			']',
			'\n',
			';',
			',',
			'int ',
			'float3[] ',
			'rel ',
			'= ',
			'</a>',
		],
		...[
			'<',
			'>',
			'@',
			'@x@',
			'"',
			"'",
			'"""',
			'1',
			'-',
			'.',
			'1.5e',
			'inf',
			'nan',
			'None',
			'edit ',
			'append ',
			'prepend ',
		],
		...[
			'variantSet ',
			'variants',
			'a',
			':',
			'::',
			'#',
			'/*',
			'*/',
			'//',
			'.connect',
			'.timeSamples',
			'.spline',
			'{1: 2}',
		],
		...['custom ', 'uniform ', 'reorder ', 'nameChildren ', 'doc', 'references', 'dictionary ', '\\', '\0', 'ä', 'foo'],
		...[
			'apiSchemas',
			'write 1 to [',
			'pre ',
			'post ',
			'&',
			'(1,2,3)',
			'[1, 2]',
			'relocates',
			'string s',
			'token[] t',
			'%_',
		],
	];

	it('never make it throw', () => {
		fc.assert(
			fc.property(fc.uint8Array({ maxLength: 300 }), (bytes) => {
				exercise(bytes);
				exercise(Uint8Array.of(...ENCODER.encode('#usda 1.0\ndef "A" {\n'), ...bytes));
			}),
			{ seed: 20261116, numRuns: 2000 },
		);
	});

	it('made of the words of the language never make it throw', () => {
		fc.assert(
			fc.property(fc.array(fc.constantFrom(...WORDS), { maxLength: 80 }), fc.boolean(), (words, spaced) => {
				exercise(ENCODER.encode(`#usda 1.0\n${words.join(spaced ? ' ' : '')}`));
			}),
			{ seed: 20261116, numRuns: 4000 },
		);
	});

	it('give a located error when a valid layer is cut', () => {
		const text =
			'#usda 1.0\n(\n subLayers = [@a@]\n)\ndef X "A" (\n customData = {\n int a = 1\n }\n)\n{\n float3[] p = [(1, 2, 3)]\n double d.spline = {\n 1: 2; post curve (1, 2),\n }\n}\n';
		const bytes = ENCODER.encode(text);
		for (let end = 0; end < bytes.length - 1; end++) {
			const report = exercise(bytes.subarray(0, end));
			for (const diagnostic of report.toArray()) expect(diagnostic.range?.start.line).toBeGreaterThan(0);
			// inside the only prim its brace is missing
			if (end > text.indexOf('def') && end <= text.lastIndexOf('}')) expect(report.hasErrors).toBe(true);
		}
	});
});
