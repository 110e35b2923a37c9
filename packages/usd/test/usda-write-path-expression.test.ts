import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Path } from '../src/sdf/path.ts';
import { PathExpression } from '../src/sdf/path-expression.ts';
import { normalizePathExpression } from '../src/usda/normalize-path-expression.ts';

const ANCHOR = Path.parse('/W/A')!;

// texts and answers of OpenUSD 26.11 (Sdf.PathExpression)
describe('path expressions', () => {
	it.each([
		['', '', ''],
		['/a - (/b - /c)', '/a - (/b - /c)', '/a - (/b - /c)'],
		['(/a + /b) & /c', '/a + /b & /c', '/a + /b & /c'],
		['/a - (/b /c)', '/a - /b /c', '/a - /b /c'],
		['~(/a /b)', '~(/a /b)', '~(/a /b)'],
		['~(~/a)', '/a', '/a'],
		['~(/a) - ~(/b & /c)', '~/a - ~(/b & /c)', '~/a - ~(/b & /c)'],
		['  /a+/b\t/c ', '/a + /b /c', '/a + /b /c'],
		['.', '.', '/W/A'],
		['../..', '../..', '/'],
		['../../../x', '../../../x', '../../../x'],
		['.//b', './/b', '/W/A//b'],
		['a/b.c', 'a/b.c', '/W/A/a/b.c'],
		['a*/b.c:d', 'a*/b.c:d', '/W/A/a*/b.c:d'],
		['/a//', '/a//', '/a//'],
		['{x}', '{x}', '/W/A/{x}'],
		['/{x}/y', '/{x}/y', '/{x}/y'],
		['[a-z]x[!b]', '[a-z]x[!b]', '/W/A/[a-z]x[!b]'],
		['%_ + %:x', '%_ + %:x', '%_ + %:x'],
		['%../foo:bar', '%../foo:bar', '%/W/foo:bar'],
		['/a{kind:model} + ../B', '/a{kind:"model"} + ../B', '/a{kind:"model"} + /W/B'],
		['/a{foo()}', '/a{foo("")}', '/a{foo("")}'],
		['/a{foo(1,x=2.50, y=true)}', '/a{foo(1, x=2.5, y=1)}', '/a{foo(1, x=2.5, y=1)}'],
		[
			'/a{not (foo or bar) baz:1,inf,-1e5}',
			'/a{not (foo or bar) baz:1,inf,-100000}',
			'/a{not (foo or bar) baz:1,inf,-100000}',
		],
		['/a{foo and (bar and baz)}', '/a{foo and (bar and baz)}', '/a{foo and (bar and baz)}'],
		[`/a{x:"p\\"q",'r'}`, `/a{x:'p"q',"r"}`, `/a{x:'p"q',"r"}`],
		['/a{x:99999999999999999999}', '/a{x:"99999999999999999999"}', '/a{x:"99999999999999999999"}'],
		['/a + //', '//', '//'],
		['../Größe/b*', '../Größe/b*', '/W/Größe/b*'],
		['// - /a', '~/a', '~/a'],
		['/a - //', '', ''],
		['~// + /a', '/a', '/a'],
		['/a\n/b', '/a', '/a'],
	])('%j is %j, from an anchor %j', (text, expected, absolute) => {
		expect(normalizePathExpression(text)).toBe(expected);
		expect(normalizePathExpression(text, ANCHOR)).toBe(absolute);
	});

	it.each([
		'~~/a',
		'/a///',
		'%foo:bar',
		'/a~/b',
		'(((',
		'/a{',
		'/a.',
		'/a{foo: 1}',
		'/a{foo:12abc}',
		'../',
		'.. + ./b',
		')',
		' ',
	])('%j is none', (text) => {
		expect(normalizePathExpression(text)).toBeUndefined();
	});

	it('say where the fault is', () => {
		expect(PathExpression.parse('/a{foo')).toEqual({ index: 6, expected: "'}' to close the predicate" });
		expect(PathExpression.parse('/a )')).toEqual({ index: 3, expected: 'the end of the expression' });
	});

	it('stay as they are when parsed again', () => {
		const piece = fc.constantFrom('/a', '//b*', '../c', '%_', '~', ' ', '+', '&', '-', '(', ')', '{f:1}', '.p', '//');
		fc.assert(
			fc.property(fc.array(piece, { maxLength: 12 }), (pieces) => {
				const once = normalizePathExpression(pieces.join(''));
				return once === undefined || normalizePathExpression(once) === once;
			}),
			{ seed: 31, numRuns: 5000 },
		);
	});

	it('may be long and deep', () => {
		const long = Array.from({ length: 20000 }, (_, i) => `/a${i}`).join(' + ');
		expect(normalizePathExpression(long, ANCHOR)).toBe(long);
		expect(normalizePathExpression('('.repeat(100_000))).toBeUndefined();
		expect(normalizePathExpression(`${'('.repeat(200)}/a${')'.repeat(200)}`)).toBe('/a');
	});
});
