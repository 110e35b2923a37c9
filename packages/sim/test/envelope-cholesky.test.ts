import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { EnvelopeMatrix } from '../src/internal.ts';
import { EnvelopeCholesky } from '../src/sap/envelope-cholesky.ts';

/** A positive definite matrix whose rows begin at the given columns. */
function makeMatrix(
	firsts: readonly number[],
	values: readonly number[],
	matrix: EnvelopeMatrix = new EnvelopeMatrix(2, 2),
): EnvelopeMatrix {
	matrix.reset(firsts.length);
	firsts.forEach((first, row) => {
		matrix.widen(row, Math.min(first, row));
	});
	matrix.layOut();
	for (let i = 0; i < matrix.count; i++) matrix.values[i] = values[i % values.length]!;
	for (let i = 0; i < matrix.size; i++) matrix.values[matrix.base[i]! + i] = 10 + matrix.size;
	return matrix;
}

/** Solves by the textbook, one row after the other. */
function solveByRows(matrix: EnvelopeMatrix, right: Float64Array): number[] {
	const n = matrix.size;
	const l = Array.from({ length: n }, () => new Array<number>(n).fill(0));
	const inverse: number[] = [];
	for (let i = 0; i < n; i++) {
		let pivot = matrix.get(i, i);
		for (let j = matrix.first[i]!; j < i; j++) {
			let sum = matrix.get(i, j);
			for (let k = matrix.first[i]!; k < j; k++) sum -= l[i]![k]! * l[j]![k]!;
			l[i]![j] = sum * inverse[j]!;
			pivot -= l[i]![j]! * l[i]![j]!;
		}
		l[i]![i] = Math.sqrt(pivot);
		inverse.push(1 / l[i]![i]!);
	}
	const x = [...right];
	for (let i = 0; i < n; i++) {
		for (let k = matrix.first[i]!; k < i; k++) x[i] = x[i]! - l[i]![k]! * x[k]!;
		x[i] = x[i]! * inverse[i]!;
	}
	for (let i = n - 1; i >= 0; i--) {
		x[i] = x[i]! * inverse[i]!;
		for (let k = matrix.first[i]!; k < i; k++) x[k] = x[k]! - l[i]![k]! * x[i]!;
	}
	return x;
}

const shapes = fc
	.integer({ min: 1, max: 24 })
	.chain((n) =>
		fc.tuple(
			fc.array(fc.integer({ min: 0, max: n }), { minLength: n, maxLength: n }),
			fc.array(fc.double({ min: -1, max: 1, noNaN: true }), { minLength: 5, maxLength: 40 }),
		),
	);

describe('an envelope matrix', () => {
	it('multiplies as its entries say, and its factor solves', () => {
		fc.assert(
			fc.property(shapes, ([firsts, values]) => {
				const matrix = makeMatrix(firsts, values);
				const n = matrix.size;
				const x = Float64Array.from({ length: n }, (_, i) => Math.sin(i + 1));
				const product = new Float64Array(n);
				matrix.multiply(x, product);
				for (let i = 0; i < n; i++) {
					let sum = 0;
					for (let j = 0; j < n; j++) sum += matrix.get(i, j) * x[j]!;
					expect(product[i]).toBeCloseTo(sum, 10);
				}
				const solved = Float64Array.from(product);
				const factor = new EnvelopeCholesky();
				expect(factor.factor(matrix)).toBe(true);
				factor.solve(solved);
				for (let i = 0; i < n; i++) expect(solved[i]).toBeCloseTo(x[i]!, 10);
				const rounded = Float64Array.from(product);
				const single = new EnvelopeCholesky(true);
				expect(single.factor(matrix)).toBe(true);
				single.solve(rounded);
				for (let i = 0; i < n; i++) expect(Math.abs(rounded[i]! - x[i]!)).toBeLessThan(1e-4);
			}),
			{ seed: 4, numRuns: 100 },
		);
	});

	it('gives the bits of a factor made row by row, however many rows begin with the same column', () => {
		const blocks = fc.array(fc.tuple(fc.integer({ min: 0, max: 20 }), fc.integer({ min: 1, max: 7 })), {
			minLength: 1,
			maxLength: 6,
		});
		const values = fc.array(fc.double({ min: -1, max: 1, noNaN: true }), { minLength: 5, maxLength: 40 });
		// used again, so that numbers of larger matrices stand behind those of smaller ones
		const factor = new EnvelopeCholesky();
		const used = new EnvelopeMatrix();
		fc.assert(
			fc.property(blocks, values, (runs, entries) => {
				const firsts: number[] = [];
				for (const [first, length] of runs) {
					const start = Math.min(first, firsts.length);
					for (let i = 0; i < length; i++) firsts.push(start);
				}
				const matrix = makeMatrix(firsts, entries, used);
				const n = matrix.size;
				const x = Float64Array.from({ length: n }, (_, i) => Math.cos(i));
				const [product, other, twice] = [new Float64Array(n), new Float64Array(n), new Float64Array(n)];
				matrix.multiply(x, product);
				matrix.multiplyTwo(x, product, other, twice);
				expect([...other]).toEqual([...product]);
				const again = new Float64Array(n);
				matrix.multiply(product, again);
				expect([...twice]).toEqual([...again]);
				expect(factor.factor(matrix)).toBe(true);
				const solved = Float64Array.from(product);
				factor.solve(solved);
				expect([...solved]).toEqual(solveByRows(matrix, product));
			}),
			{ seed: 9, numRuns: 200 },
		);
	});

	it('refuses a matrix whose last pivots are not positive, in blocks of any size', () => {
		for (let size = 1; size <= 6; size++) {
			const matrix = makeMatrix(new Array<number>(size).fill(0), [0.5]);
			matrix.values[matrix.base[size - 1]! + size - 1] = -1;
			expect(new EnvelopeCholesky().factor(matrix)).toBe(false);
		}
	});

	it('refuses a matrix that is not positive definite', () => {
		const matrix = new EnvelopeMatrix();
		matrix.reset(2);
		matrix.widen(1, 0);
		matrix.layOut();
		matrix.values.set([1, 2, 1]);
		expect(new EnvelopeCholesky().factor(matrix)).toBe(false);
	});
});
