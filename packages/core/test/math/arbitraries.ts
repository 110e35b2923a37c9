import fc from 'fast-check';
import { expect } from 'vitest';

/** Settings of every property test here: a fixed seed, so that a failure repeats. */
export const RUNS: fc.Parameters<unknown> = { seed: 20261, numRuns: 200 };

/** Finite numbers of moderate size, with zeros and small values. */
export const component: fc.Arbitrary<number> = fc.oneof(
	fc.double({ min: -10, max: 10, noNaN: true }),
	fc.integer({ min: -3, max: 3 }),
);

/** Arrays of `length` moderate numbers. */
export function numbers(length: number): fc.Arbitrary<Float64Array> {
	return fc
		.array(component, { minLength: length, maxLength: length })
		.map((values) => Float64Array.from(values, (value) => value + 0));
}

/** Unit vectors of `length` components. */
export function unit(length: number): fc.Arbitrary<Float64Array> {
	return numbers(length)
		.filter((v) => Math.hypot(...v) > 1e-3)
		.map((v) => v.map((x) => x / Math.hypot(...v)));
}

/** Rigid transforms: a position and a unit quaternion. */
export const rigid: fc.Arbitrary<Float64Array> = fc
	.tuple(numbers(3), unit(4))
	.map(([p, q]) => Float64Array.from([...p, ...q]));

/** Fresh zeros. */
export function zeros(length: number): Float64Array {
	return new Float64Array(length);
}

/** Expects two arrays equal within `tolerance` times the largest magnitude, at least 1. */
export function expectClose(actual: Float64Array, expected: Float64Array | number[], tolerance = 1e-12): void {
	expect(actual.length).toBe(expected.length);
	const size = Math.max(1, ...Array.from(expected, Math.abs));
	for (const [i, value] of actual.entries()) {
		const error = Math.abs(value - expected[i]!);
		expect(error <= tolerance * size, `[${actual}] is not [${expected}]: ${error} at ${i}`).toBe(true);
	}
}
