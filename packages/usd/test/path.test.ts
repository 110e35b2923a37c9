import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { comparePaths, Path } from '../src/sdf/path.ts';

function path(text: string): Path {
	const parsed = Path.parse(text);
	if (parsed === undefined) throw new Error(`'${text}' does not parse`);
	return parsed;
}

const VALID = [
	'/',
	'.',
	'..',
	'../..',
	'/A',
	'A',
	'/A/B.c',
	'/A{v=x}B{w=}C.d:e',
	'.foo',
	'../.foo',
	'../A.b',
	'/A.r[/B/C].x',
	'/A.a.mapper[/B.c].arg',
	'/A.a.expression',
	'/A{v=x}',
	'/A{v=}',
	'/A{v=x}.a',
	'/A{v=x}{w=y}B',
	'/A.r[../B]',
	'/A{v=.a|b-c}',
	'/Größe',
	'',
];

const INVALID = [
	'/A/',
	'//',
	'A//B',
	'/A.b.c',
	'/.a',
	'/A{v}',
	'/A{v=x}/B',
	'...foo',
	'../',
	'./A',
	'1A',
	'/A B',
	'A.',
	'/A.a[/B][/C]',
];

const segment = fc.constantFrom('a', 'B', '_c', 'd1', 'Größe');
const absolutePath = fc
	.array(fc.tuple(fc.constantFrom('prim', 'variant'), segment), { maxLength: 6 })
	.map((steps) =>
		steps.reduce(
			(p, [kind, name]) => (kind === 'prim' || p === Path.root ? p.appendChild(name) : p.appendVariant('v', name)),
			Path.root,
		),
	);

describe('Path', () => {
	it.each(VALID)("reads and spells '%s'", (text) => {
		expect(path(text).toString()).toBe(text);
	});

	it.each(INVALID)("refuses '%s'", (text) => {
		expect(Path.parse(text)).toBeUndefined();
	});

	it('gives one object for equal paths', () => {
		expect(path('/A/B{v=x}C.p')).toBe(
			Path.root.appendChild('A').appendChild('B').appendVariant('v', 'x').appendChild('C').appendProperty('p'),
		);
		const parent = path('/Many');
		const children = Array.from({ length: 100 }, (_, i) => parent.appendChild(`c${i}`));
		expect(children.every((child, i) => parent.appendChild(`c${i}`) === child)).toBe(true);
		expect(parent.appendProperty('c1')).not.toBe(children[1]);
	});

	it('makes paths absolute and relative', () => {
		expect(path('../B.x').makeAbsolute(path('/A/C'))).toBe(path('/A/B.x'));
		expect(path('../../../B').makeAbsolute(path('/A'))).toBe(Path.empty);
		expect(path('/A/C/D.x').makeRelative(path('/A/B'))).toBe(path('../C/D.x'));
		expect(path('/A').makeRelative(path('/A'))).toBe(Path.relativeRoot);
	});

	it('comes back from relative form', () => {
		fc.assert(
			fc.property(absolutePath, absolutePath, (a, b) => {
				const target = a.stripVariants();
				const anchor = b.stripVariants();
				expect(target.makeRelative(anchor).makeAbsolute(anchor)).toBe(target);
			}),
			{ seed: 1 },
		);
	});

	it('replaces prefixes in targets too', () => {
		expect(path('/A/B.r[/A/C]').replacePrefix(path('/A'), path('/Z/Y'))).toBe(path('/Z/Y/B.r[/Z/Y/C]'));
		expect(path('/A/B.r[/A/C]').replacePrefix(path('/A'), path('/Z'), false)).toBe(path('/Z/B.r[/A/C]'));
		expect(path('/AB').replacePrefix(path('/A'), path('/Z'))).toBe(path('/AB'));
	});

	it('strips variant selections', () => {
		expect(path('/A{v=x}B{w=y}C.p').stripVariants()).toBe(path('/A/B/C.p'));
	});

	it('finds common prefixes', () => {
		expect(path('/A/B/C').commonPrefix(path('/A/B.x'))).toBe(path('/A/B'));
		expect(path('/A').commonPrefix(path('/B'))).toBe(Path.root);
		expect(path('A').commonPrefix(path('/A'))).toBe(Path.empty);
	});

	it('takes exactly the absolute paths of identifiers', () => {
		const valid = /^\/(?:[aB_é][aB_1é]*(?:\/[aB_é][aB_1é]*)*(?:\.[aB_é][aB_1é]*(?::[aB_é][aB_1é]*)*)?)?$/;
		const unit = fc.constantFrom('/', '/', '.', ':', 'a', 'a', 'B', '_', '1', 'é', '@', '`');
		fc.assert(
			fc.property(fc.array(unit, { maxLength: 10 }), (units) => {
				const text = `/${units.join('')}`;
				expect(Path.parse(text)?.toString()).toBe(valid.test(text) ? text : undefined);
			}),
			{ seed: 11, numRuns: 2000 },
		);
	});

	it('orders paths consistently, ancestors first', () => {
		fc.assert(
			fc.property(absolutePath, absolutePath, absolutePath, (a, b, c) => {
				expect(Math.sign(comparePaths(a, b))).toBe(-Math.sign(comparePaths(b, a)) + 0);
				if (a !== b && b.hasPrefix(a)) expect(comparePaths(a, b)).toBeLessThan(0);
				if (comparePaths(a, b) <= 0 && comparePaths(b, c) <= 0) expect(comparePaths(a, c)).toBeLessThanOrEqual(0);
			}),
			{ seed: 2 },
		);
	});

	it('spells paths that are 100,000 elements deep', () => {
		let deep = Path.root;
		for (let i = 0; i < 100_000; i++) deep = deep.appendChild('a');
		expect(deep.toString().length).toBe(200_000);
		expect(deep.depth).toBe(100_000);
	});
});
