import type { EnvelopeMatrix } from './envelope-matrix.ts';

/**
 * Cholesky factor L of an envelope matrix, `M = L · Lᵀ`, row by row: every inner loop is a dot product of two stretches of
 * memory. With `single` the factor is rounded to 32 bits, while sums keep 64.
 * @public
 */
export class EnvelopeCholesky {
	readonly single: boolean;
	#values: Float64Array | Float32Array;
	#inverse: Float64Array = new Float64Array(16);
	#matrix: EnvelopeMatrix | undefined;

	constructor(single: boolean = false) {
		this.single = single;
		this.#values = single ? new Float32Array(64) : new Float64Array(64);
	}

	/** Factors a matrix; the matrix keeps its entries. False when it is not positive definite. */
	factor(matrix: EnvelopeMatrix): boolean {
		this.#matrix = matrix;
		if (matrix.values.length > this.#values.length) {
			const length = matrix.values.length;
			this.#values = this.single ? new Float32Array(length) : new Float64Array(length);
		}
		if (matrix.size > this.#inverse.length) this.#inverse = new Float64Array(matrix.first.length);
		return this.single
			? factorRows(matrix, this.#values as Float32Array, this.#inverse)
			: factorRows64(matrix, this.#values as Float64Array, this.#inverse);
	}

	/** Solves `M · x = b` in place for the matrix factored last. */
	solve(x: Float64Array): void {
		const matrix = this.#matrix!;
		if (this.single) solveRows(matrix, this.#values as Float32Array, this.#inverse, x);
		else solveRows64(matrix, this.#values as Float64Array, this.#inverse, x);
	}
}

// Two copies of each kernel: one call site with two kinds of arrays would be compiled to generic element access.

function factorRows64(matrix: EnvelopeMatrix, factor: Float64Array, inverse: Float64Array): boolean {
	const { first, base, values, size } = matrix;
	for (let i = 0; i < size; i++) {
		const start = first[i]!;
		const rowI = base[i]!;
		let pivot = values[rowI + i]!;
		for (let j = start; j < i; j++) {
			const rowJ = base[j]!;
			let sum = values[rowI + j]!;
			const from = Math.max(first[j]!, start);
			for (let k = from; k < j; k++) sum -= factor[rowI + k]! * factor[rowJ + k]!;
			sum *= inverse[j]!;
			factor[rowI + j] = sum;
			pivot -= sum * sum;
		}
		if (!(pivot > 0)) return false;
		const root = Math.sqrt(pivot);
		factor[rowI + i] = root;
		inverse[i] = 1 / root;
	}
	return true;
}

function factorRows(matrix: EnvelopeMatrix, factor: Float32Array, inverse: Float64Array): boolean {
	const { first, base, values, size } = matrix;
	for (let i = 0; i < size; i++) {
		const start = first[i]!;
		const rowI = base[i]!;
		let pivot = values[rowI + i]!;
		for (let j = start; j < i; j++) {
			const rowJ = base[j]!;
			let sum = values[rowI + j]!;
			const from = Math.max(first[j]!, start);
			for (let k = from; k < j; k++) sum -= factor[rowI + k]! * factor[rowJ + k]!;
			sum = Math.fround(sum * inverse[j]!);
			factor[rowI + j] = sum;
			pivot -= sum * sum;
		}
		if (!(pivot > 0)) return false;
		const root = Math.fround(Math.sqrt(pivot));
		factor[rowI + i] = root;
		inverse[i] = 1 / root;
	}
	return true;
}

function solveRows64(matrix: EnvelopeMatrix, factor: Float64Array, inverse: Float64Array, x: Float64Array): void {
	const { first, base, size } = matrix;
	for (let i = 0; i < size; i++) {
		const row = base[i]!;
		let sum = x[i]!;
		for (let k = first[i]!; k < i; k++) sum -= factor[row + k]! * x[k]!;
		x[i] = sum * inverse[i]!;
	}
	for (let i = size - 1; i >= 0; i--) {
		const row = base[i]!;
		const xi = x[i]! * inverse[i]!;
		x[i] = xi;
		for (let k = first[i]!; k < i; k++) x[k] = x[k]! - factor[row + k]! * xi;
	}
}

function solveRows(matrix: EnvelopeMatrix, factor: Float32Array, inverse: Float64Array, x: Float64Array): void {
	const { first, base, size } = matrix;
	for (let i = 0; i < size; i++) {
		const row = base[i]!;
		let sum = x[i]!;
		for (let k = first[i]!; k < i; k++) sum -= factor[row + k]! * x[k]!;
		x[i] = sum * inverse[i]!;
	}
	for (let i = size - 1; i >= 0; i--) {
		const row = base[i]!;
		const xi = x[i]! * inverse[i]!;
		x[i] = xi;
		for (let k = first[i]!; k < i; k++) x[k] = x[k]! - factor[row + k]! * xi;
	}
}
