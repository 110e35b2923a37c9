import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { EnvelopeCholesky, EnvelopeMatrix } from '../src/index.ts';

/** A positive definite matrix whose rows begin at the given columns. */
function makeMatrix(firsts: readonly number[], values: readonly number[]): EnvelopeMatrix {
	const matrix = new EnvelopeMatrix(2, 2);
	matrix.reset(firsts.length);
	firsts.forEach((first, row) => {
		matrix.widen(row, Math.min(first, row));
	});
	matrix.layOut();
	for (let i = 0; i < matrix.count; i++) matrix.values[i] = values[i % values.length]!;
	for (let i = 0; i < matrix.size; i++) matrix.values[matrix.base[i]! + i] = 10 + matrix.size;
	return matrix;
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

	it('refuses a matrix that is not positive definite', () => {
		const matrix = new EnvelopeMatrix();
		matrix.reset(2);
		matrix.widen(1, 0);
		matrix.layOut();
		matrix.values.set([1, 2, 1]);
		expect(new EnvelopeCholesky().factor(matrix)).toBe(false);
	});
});
