import {
	eigenSymmetric3,
	mat3Copy,
	mat3Determinant,
	mat3Diagonal,
	mat3FromQuat,
	mat3Invert,
	mat3Multiply,
	mat3Polar,
	mat3RotateTensor,
	mat3Transform,
	mat3Transpose,
	mat4Copy,
	mat4Determinant,
	mat4FromTrs,
	mat4Identity,
	mat4Invert,
	mat4Multiply,
	mat4ToMat3,
	mat4ToTrs,
	mat4TransformDirection,
	mat4TransformPoint,
	mat4Transpose,
	quatRotate,
	vec3Dot,
	vec3Length,
} from '@manyworlds/core/internal';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { expectClose, numbers, RUNS, unit, zeros } from './arbitraries.ts';

const identity3 = mat3Diagonal(zeros(9), 1, 1, 1);
const identity4 = mat4Identity(zeros(16));

function symmetric(a: Float64Array): Float64Array {
	return Float64Array.from([a[0]!, a[1]!, a[2]!, a[1]!, a[3]!, a[4]!, a[2]!, a[4]!, a[5]!]);
}

describe.each([
	['mat3', 9, mat3Multiply, mat3Invert, mat3Transpose, mat3Determinant, mat3Copy, identity3],
	['mat4', 16, mat4Multiply, mat4Invert, mat4Transpose, mat4Determinant, mat4Copy, identity4],
] as const)('%s', (_name, size, multiply, invert, transpose, determinant, copy, identity) => {
	test('products are associative, in place too', () => {
		fc.assert(
			fc.property(numbers(size), numbers(size), numbers(size), (a, b, c) => {
				const ab = multiply(zeros(size), a, b);
				expectClose(multiply(zeros(size), ab, c), multiply(zeros(size), a, multiply(zeros(size), b, c)), 1e-11);
				const left = copy(zeros(size), a);
				expect([...multiply(left, left, b)]).toEqual([...ab]);
				const right = copy(zeros(size), b);
				expect([...multiply(right, a, right)]).toEqual([...ab]);
				const square = copy(zeros(size), a);
				expect([...multiply(square, square, square)]).toEqual([...multiply(zeros(size), a, a)]);
			}),
			RUNS,
		);
	});

	test('inverses undo, and determinants multiply', () => {
		fc.assert(
			fc.property(numbers(size), numbers(size), (a, b) => {
				const det = determinant(a);
				fc.pre(Math.abs(det) > 1);
				const inverse = zeros(size);
				expect(invert(inverse, a)).toBe(det);
				expectClose(multiply(zeros(size), a, inverse), identity, 1e-7);
				const product = determinant(multiply(zeros(size), a, b));
				const scale = 1 + Math.hypot(...a) ** Math.sqrt(size) * Math.hypot(...b) ** Math.sqrt(size);
				expect(Math.abs(product - det * determinant(b)) / scale).toBeLessThan(1e-12);
			}),
			RUNS,
		);
	});

	test('a singular matrix has determinant 0 and no inverse', () => {
		const inverse = zeros(size).fill(7);
		expect(invert(inverse, zeros(size))).toBe(0);
		expect([...inverse].every((x) => x === 0)).toBe(true);
	});

	test('transposing twice changes nothing, in place too', () => {
		fc.assert(
			fc.property(numbers(size), (a) => {
				const t = transpose(zeros(size), a);
				expect([...transpose(zeros(size), t)]).toEqual([...a]);
				const inPlace = a.slice();
				expect([...transpose(inPlace, inPlace)]).toEqual([...t]);
			}),
			RUNS,
		);
	});
});

describe('the row-vector convention', () => {
	test('puts the translation into the last row', () => {
		const m = mat4FromTrs(zeros(16), Float64Array.of(1, 2, 3), Float64Array.of(0, 0, 0, 1), Float64Array.of(1, 1, 1));
		expect([...m.subarray(12)]).toEqual([1, 2, 3, 1]);
		expect([...mat4TransformPoint(zeros(3), Float64Array.of(1, 1, 1), m)]).toEqual([2, 3, 4]);
		expect([...mat4TransformDirection(zeros(3), Float64Array.of(1, 1, 1), m)]).toEqual([1, 1, 1]);
	});

	test('applies the left factor first', () => {
		fc.assert(
			fc.property(numbers(9), numbers(9), numbers(3), (a, b, v) => {
				const steps = mat3Transform(zeros(3), mat3Transform(zeros(3), v, a), b);
				expectClose(mat3Transform(zeros(3), v, mat3Multiply(zeros(9), a, b)), steps, 1e-11);
			}),
			RUNS,
		);
	});

	test('tensors turn with the frame', () => {
		fc.assert(
			fc.property(numbers(6), unit(4), numbers(3), (a, q, v) => {
				const tensor = symmetric(a);
				const turned = mat3RotateTensor(zeros(9), tensor, mat3FromQuat(zeros(9), q));
				// the image of T v is the turned T times the image of v
				const image = mat3Transform(zeros(3), quatRotate(zeros(3), q, v), turned);
				expectClose(image, quatRotate(zeros(3), q, mat3Transform(zeros(3), v, tensor)), 1e-11);
			}),
			RUNS,
		);
	});
});

describe('eigenvectors of symmetric matrices', () => {
	test('rebuild the matrix, form a rotation and are sorted', () => {
		const repeated = fc.constantFrom([1, 0, 0, 1, 0, 1], [2, 1, 1, 2, 1, 2], [0, 0, 0, 0, 0, 0], [1, 1e-9, 0, 1, 0, 1]);
		fc.assert(
			fc.property(
				fc.oneof(
					numbers(6),
					repeated.map((a) => Float64Array.from(a)),
				),
				(a) => {
					const matrix = symmetric(a);
					const values = zeros(3);
					const vectors = zeros(9);
					eigenSymmetric3(values, vectors, matrix);
					const diagonal = mat3Diagonal(zeros(9), values[0]!, values[1]!, values[2]!);
					expectClose(mat3RotateTensor(zeros(9), diagonal, vectors), matrix, 1e-13);
					expectClose(mat3Multiply(zeros(9), vectors, mat3Transpose(zeros(9), vectors)), identity3, 1e-14);
					expect(mat3Determinant(vectors)).toBeCloseTo(1, 12);
					expect(values[0]! <= values[1]! && values[1]! <= values[2]!).toBe(true);
				},
			),
			RUNS,
		);
	});

	test('of a diagonal matrix are exact axes', () => {
		const values = zeros(3);
		const vectors = zeros(9);
		eigenSymmetric3(values, vectors, mat3Diagonal(zeros(9), 3, 1, 2));
		expect([...values]).toEqual([1, 2, 3]);
		expect(Array.from(vectors, (x) => x + 0)).toEqual([0, 1, 0, 0, 0, 1, 1, 0, 0]);
	});

	test('end for values that are not numbers', () => {
		const values = zeros(3);
		eigenSymmetric3(values, zeros(9), zeros(9).fill(Number.NaN));
		expect(values[0]).toBeNaN();
	});
});

describe('polar factors', () => {
	const check = (m: Float64Array): void => {
		const rotation = zeros(9);
		const stretch = zeros(9);
		mat3Polar(rotation, stretch, m);
		expectClose(mat3Multiply(zeros(9), rotation, mat3Transpose(zeros(9), rotation)), identity3, 1e-12);
		const size = Math.hypot(...m);
		const product = mat3Multiply(zeros(9), stretch, rotation);
		for (let i = 0; i < 9; i++) expect(Math.abs(product[i]! - m[i]!)).toBeLessThanOrEqual(1e-13 * size + 1e-300);
		const values = zeros(3);
		eigenSymmetric3(values, zeros(9), stretch);
		expect(values[0]!).toBeGreaterThanOrEqual(-1e-13 * size - 1e-300);
		const scaled = m.map((x) => x / (size || 1));
		expect(mat3Determinant(rotation) * mat3Determinant(scaled)).toBeGreaterThanOrEqual(-1e-12);
	};

	test('rebuild any matrix: a symmetric stretch, then an orthogonal matrix', () => {
		fc.assert(fc.property(numbers(9), check), RUNS);
	});

	test('rebuild matrices of rank 1 and 2 and very large or small ones', () => {
		fc.assert(
			fc.property(numbers(3), numbers(3), numbers(6), fc.constantFrom(1, 1e-200, 1e200, 1e-20), (u, v, w, scale) => {
				const rankOne = Float64Array.from({ length: 9 }, (_, i) => u[Math.floor(i / 3)]! * v[i % 3]! * scale);
				check(rankOne);
				check(rankOne.map((x, i) => x + w[Math.floor(i / 3)]! * w[3 + (i % 3)]! * scale));
			}),
			RUNS,
		);
		check(zeros(9));
		check(mat3Diagonal(zeros(9), 1, 1e-20, 0));
	});
});

describe('scale, rotation and translation', () => {
	test('come back from the matrix they make, negative scales included', () => {
		const factor = fc.double({ min: 0.01, max: 10, noNaN: true });
		const signs = fc.constantFrom([1, 1, 1], [-1, 1, 1], [1, -1, 1], [-1, -1, 1], [-1, -1, -1]);
		fc.assert(
			fc.property(numbers(3), unit(4), fc.tuple(factor, factor, factor), signs, (t, q, factors, sign) => {
				const scale = Float64Array.from(factors, (x, i) => x * sign[i]!);
				const m = mat4FromTrs(zeros(16), t, q, scale);
				const translation = zeros(3);
				const rotation = zeros(4);
				const found = zeros(3);
				expect(mat4ToTrs(translation, rotation, found, m, zeros(27))).toBeLessThan(1e-12);
				expect([...translation]).toEqual([...t]);
				expectClose(mat4FromTrs(zeros(16), translation, rotation, found), m, 1e-12);
				expectClose(found.map(Math.abs), factors, 1e-12);
				expect(found[1]! > 0 && found[2]! > 0).toBe(true);
			}),
			RUNS,
		);
	});

	test('a plain scale comes back exactly', () => {
		const scale = zeros(3);
		const m = mat4FromTrs(zeros(16), zeros(3), Float64Array.of(0, 0, 0, 1), Float64Array.of(0.1, 3, 0.7));
		expect(mat4ToTrs(zeros(3), zeros(4), scale, m, zeros(27))).toBe(0);
		expect([...scale]).toEqual([0.1, 3, 0.7]);
	});

	test('shear is reported', () => {
		const m = mat4Identity(zeros(16));
		m[4] = 0.5;
		expect(mat4ToTrs(zeros(3), zeros(4), zeros(3), m, zeros(27))).toBeGreaterThan(0.1);
		expect([...mat4ToMat3(zeros(9), m)]).toEqual([1, 0, 0, 0.5, 1, 0, 0, 0, 1]);
	});
});

test('rows of a rotation matrix are the images of the axes', () => {
	const q = Float64Array.of(0.5, 0.5, 0.5, 0.5);
	const m = mat3FromQuat(zeros(9), q);
	expectClose(m.slice(0, 3), quatRotate(zeros(3), q, Float64Array.of(1, 0, 0)));
	expect(vec3Length(m, 3)).toBeCloseTo(1, 14);
	expect(vec3Dot(m, m, 0, 3)).toBeCloseTo(0, 14);
});
