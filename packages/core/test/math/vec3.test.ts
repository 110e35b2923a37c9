import {
	vec3Add,
	vec3AddScaled,
	vec3Copy,
	vec3Cross,
	vec3Distance,
	vec3Dot,
	vec3Length,
	vec3Lerp,
	vec3Normalize,
	vec3Scale,
	vec3Set,
	vec3Subtract,
} from '@manyworlds/core/internal';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { expectClose, numbers, RUNS, zeros } from './arbitraries.ts';

test('sums, differences and multiples are taken by component', () => {
	const a = Float64Array.of(1, 2, 3);
	const b = Float64Array.of(10, 20, 30);
	expect([...vec3Add(zeros(3), a, b)]).toEqual([11, 22, 33]);
	expect([...vec3Subtract(zeros(3), a, b)]).toEqual([-9, -18, -27]);
	expect([...vec3Scale(zeros(3), a, 2)]).toEqual([2, 4, 6]);
	expect([...vec3AddScaled(zeros(3), a, b, 0.5)]).toEqual([6, 12, 18]);
	expect([...vec3Lerp(zeros(3), a, b, 0)]).toEqual([...a]);
	expect([...vec3Lerp(zeros(3), a, b, 1)]).toEqual([...b]);
	expect(vec3Dot(a, b)).toBe(140);
	expect(vec3Distance(a, a)).toBe(0);
});

test('offsets choose where values are read and written', () => {
	const data = Float64Array.of(9, 1, 2, 3, 4, 5, 6, 9);
	vec3Add(data, data, data, 1, 1, 4);
	expect([...data]).toEqual([9, 5, 7, 9, 4, 5, 6, 9]);
	vec3Copy(data, data, 4, 1);
	expect([...data]).toEqual([9, 5, 7, 9, 5, 7, 9, 9]);
	vec3Set(data, 0, 0, 0, 5);
	expect([...data]).toEqual([9, 5, 7, 9, 5, 0, 0, 0]);
});

test('the cross product of x and y is z', () => {
	expect([...vec3Cross(zeros(3), Float64Array.of(1, 0, 0), Float64Array.of(0, 1, 0))]).toEqual([0, 0, 1]);
});

test('the cross product is square to its factors, with the length of the sine, in place too', () => {
	fc.assert(
		fc.property(numbers(3), numbers(3), (a, b) => {
			const c = vec3Cross(zeros(3), a, b);
			const size = 1 + vec3Length(a) * vec3Length(b);
			expect(Math.abs(vec3Dot(c, a)) / size).toBeLessThan(1e-12 * (1 + vec3Length(a)));
			const lagrange = vec3Dot(a, a) * vec3Dot(b, b) - vec3Dot(a, b) ** 2;
			expect(Math.abs(vec3Dot(c, c) - lagrange)).toBeLessThan(1e-11 * size * size);
			expect([...vec3Cross(a.slice(), a, b)]).toEqual([...c]);
			const inPlace = a.slice();
			expect([...vec3Cross(inPlace, inPlace, b)]).toEqual([...c]);
		}),
		RUNS,
	);
});

test('normalizing gives length one and tells the old length; zero stays zero', () => {
	const v = Float64Array.of(3, 0, 4);
	expect(vec3Normalize(v, v)).toBe(5);
	expectClose(v, [0.6, 0, 0.8]);
	expect(vec3Normalize(v, zeros(3))).toBe(0);
	expect([...v]).toEqual([0, 0, 0]);
});
