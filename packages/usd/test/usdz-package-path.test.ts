import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
	isPackageRelativePath,
	joinPackageRelativePath,
	splitPackageRelativePathInner,
	splitPackageRelativePathOuter,
} from '../src/usdz/package-path.ts';

// answers of OpenUSD's Ar functions of the same names
describe('package-relative paths', () => {
	it.each([
		[['a.usdz', 'b.usd'], 'a.usdz[b.usd]'],
		[['a.usdz', 'b.usdz', 'c.usd'], 'a.usdz[b.usdz[c.usd]]'],
		[['a.usdz[b.usdz]', 'c.usd'], 'a.usdz[b.usdz[c.usd]]'],
		[['a.usdz', 'b.usdz[c.usd]'], 'a.usdz[b.usdz[c.usd]]'],
		[['', 'a.usdz', '', 'b.usd'], 'a.usdz[b.usd]'],
		[['a.usdz', 'b[0].usd'], 'a.usdz[b\\[0\\].usd]'],
		[[], ''],
	])('%j join to %s', (pieces, expected) => {
		expect(joinPackageRelativePath(...pieces)).toBe(expected);
	});

	it.each([
		['a.usdz', 'a.usdz', '', 'a.usdz', ''],
		['a.usdz[b.usd]', 'a.usdz', 'b.usd', 'a.usdz', 'b.usd'],
		['a.usdz[b.usdz[c.usd]]', 'a.usdz', 'b.usdz[c.usd]', 'a.usdz[b.usdz]', 'c.usd'],
		['a.usdz[b\\[0\\].usd]', 'a.usdz', 'b[0].usd', 'a.usdz', 'b[0].usd'],
		['a.usdz[b\\]]', 'a.usdz', 'b]', 'a.usdz', 'b]'],
		['a]', 'a]', '', 'a]', ''],
		['a\\[b]', 'a\\[b]', '', 'a\\[b]', ''],
	])('%s splits at the outer and at the inner package', (path, outer, outerRest, inner, innerRest) => {
		expect(splitPackageRelativePathOuter(path)).toEqual([outer, outerRest]);
		expect(splitPackageRelativePathInner(path)).toEqual([inner, innerRest]);
		expect(isPackageRelativePath(path)).toBe(outerRest !== '');
	});

	it('split into what they were joined from', () => {
		const name = fc.string({ unit: fc.constantFrom('a', 'b', '.', '/', '[', ']'), minLength: 1, maxLength: 8 });
		// a name in brackets is taken for a path inside a package
		const piece = name.map((text) => `${text}.usdz`);
		fc.assert(
			fc.property(piece, piece, (first, second) => {
				const path = joinPackageRelativePath(first, second);
				const [outer, rest] = splitPackageRelativePathOuter(path);
				return outer === first && rest === second;
			}),
			{ seed: 11, numRuns: 2000 },
		);
	});
});
