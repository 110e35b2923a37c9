import { expect, it } from 'vitest';
import { formatG } from './format-g.ts';
import { numbers, primsText } from './generate.ts';

it('writes numbers as printf does with %g', () => {
	const cases: [number, number, string][] = [
		[0, 6, '0'],
		[1, 6, '1'],
		[-9.99999999, 6, '-10'],
		[0.15625, 4, '0.1562'],
		[0.09375, 3, '0.0938'],
		[0.21875, 4, '0.2188'],
		[123456789, 6, '1.23457e+08'],
		[0.000012345, 3, '1.23e-05'],
		[99.999, 6, '99.999'],
		[0.0001, 6, '0.0001'],
	];
	for (const [value, digits, text] of cases) expect(formatG(value, digits)).toBe(text);
});

it('repeats the sequence of numbers of usd_bench.py', () => {
	expect([...numbers(3, 0)]).toEqual([1013904223, 1196435762, 3519870697]);
});

it('writes links in groups of a hundred', () => {
	const text = [...primsText(101)].join('');
	expect(text.match(/def Xform "Link_/g)).toHaveLength(101);
	expect(text.match(/def Xform "Group_/g)).toHaveLength(2);
	expect(text).toContain('double3 xformOp:translate = (9, 1.0, 0.1)');
});
