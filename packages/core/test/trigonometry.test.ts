import { describe, expect, it } from 'vitest';
import { arcTangent, arcTangent2, cosine, sine, tangent } from '../src/math/trigonometry.ts';

/** Distance in units of the last place of the larger number. */
function ulps(a: number, b: number): number {
	if (a === b) return 0;
	const exponent = Math.floor(Math.log2(Math.max(Math.abs(a), Math.abs(b), 1e-300)));
	return Math.abs(a - b) / 2 ** (exponent - 52);
}

describe('functions of angles', () => {
	const angles = Array.from({ length: 4001 }, (_, i) => (i - 2000) * 0.0137);

	it('are those of the engine to a unit in the last place', () => {
		for (const angle of angles) {
			expect(ulps(sine(angle), Math.sin(angle))).toBeLessThanOrEqual(1);
			expect(ulps(cosine(angle), Math.cos(angle))).toBeLessThanOrEqual(1);
			expect(ulps(tangent(angle), Math.tan(angle))).toBeLessThanOrEqual(4);
			expect(ulps(arcTangent(angle), Math.atan(angle))).toBeLessThanOrEqual(1);
		}
	});

	it('keep their digits where they are close to zero', () => {
		expect(sine(Math.PI)).toBe(1.2246467991473532e-16);
		expect(cosine(Math.PI / 2)).toBe(6.123233995736766e-17);
		expect(sine(1e-20)).toBe(1e-20);
		expect(cosine(0)).toBe(1);
		expect(Object.is(sine(-0), -0)).toBe(true);
	});

	it('hold over many turns, and leave larger angles to the engine', () => {
		expect(ulps(sine(123456.789), Math.sin(123456.789))).toBeLessThanOrEqual(1);
		expect(sine(1e9)).toBe(Math.sin(1e9));
		expect(cosine(1e9)).toBe(Math.cos(1e9));
		expect(sine(Number.NaN)).toBeNaN();
		expect(cosine(Number.POSITIVE_INFINITY)).toBeNaN();
	});

	it('find the angle of a direction in every quarter, and on the axes', () => {
		for (const y of [-3, -1, -0.2, 0.2, 1, 3]) {
			for (const x of [-3, -1, -0.2, 0.2, 1, 3])
				expect(ulps(arcTangent2(y, x), Math.atan2(y, x))).toBeLessThanOrEqual(2);
		}
		for (const [y, x] of [
			[0, 1],
			[-0, 1],
			[0, -1],
			[-0, -1],
			[1, 0],
			[-1, 0],
			[1, -0],
			[0, 0],
			[-0, 0],
			[0, -0],
			[-0, -0],
		] as const) {
			expect(Object.is(arcTangent2(y, x), Math.atan2(y, x))).toBe(true);
		}
		expect(arcTangent2(Number.NaN, 1)).toBeNaN();
	});
});
