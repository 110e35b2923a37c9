import { UsageRangeError } from '@manyworlds/core';

/**
 * A symmetric matrix that stores, for each row, the entries from its first nonzero column to the diagonal (George and Liu
 * 1981, envelope method). Its Cholesky factor fits the same envelope. When the degrees of freedom of a tree stand in
 * postorder, the envelope of a row is exactly its subtree, so nothing is stored that a tree-sparse method would leave out.
 *
 * Memory grows when needed and is kept, so steady use allocates nothing.
 * @public
 */
export class EnvelopeMatrix {
	/** Rows in use. */
	size = 0;
	/** First stored column of each row. */
	first: Int32Array;
	/** `values[base[i] + j]` is the entry of row i and column j. */
	base: Int32Array;
	/** Stored entries, row after row. */
	values: Float64Array;
	/** Entries in use. */
	count = 0;

	constructor(rows: number = 16, entries: number = 64) {
		this.first = new Int32Array(rows);
		this.base = new Int32Array(rows);
		this.values = new Float64Array(entries);
	}

	/** Starts anew with `size` rows that store only their diagonal; follow with `widen` and `layOut`. */
	reset(size: number): void {
		this.#reserve(size);
		const { first } = this;
		for (let i = 0; i < size; i++) first[i] = i;
	}

	#reserve(size: number): void {
		this.size = size;
		if (size <= this.first.length) return;
		const rows = Math.max(size, 2 * this.first.length);
		this.first = new Int32Array(rows);
		this.base = new Int32Array(rows);
	}

	/** Makes a row store entries from `column` on. */
	widen(row: number, column: number): void {
		if (column < this.first[row]!) this.first[row] = column;
	}

	/** Settles where rows are stored and clears them. */
	layOut(): void {
		const { first, base, size } = this;
		let at = 0;
		for (let i = 0; i < size; i++) {
			base[i] = at - first[i]!;
			at += i - first[i]! + 1;
		}
		this.count = at;
		if (at > this.values.length) this.values = new Float64Array(Math.max(at, 2 * this.values.length));
		else this.values.fill(0, 0, at);
	}

	/**
	 * Starts anew with entries that stand in an array of the caller, who then sets `first` and `base` of every row. Such a
	 * matrix is for reading: it must not be laid out.
	 */
	view(values: Float64Array, size: number): void {
		this.#reserve(size);
		this.values = values;
	}

	/** An entry, either side of the diagonal; zero outside of the envelope. */
	get(row: number, column: number): number {
		const i = Math.max(row, column);
		const j = Math.min(row, column);
		if (i >= this.size || j < 0)
			throw new UsageRangeError(`entry (${row}, ${column}) of a matrix of ${this.size} rows`);
		return j < this.first[i]! ? 0 : this.values[this.base[i]! + j]!;
	}

	/** `out = M · x`. Rows that begin with the same column go two at a time; every sum keeps the order of its terms. */
	multiply(x: Float64Array, out: Float64Array): void {
		const { first, base, values, size } = this;
		for (let i = 0; i < size; i++) {
			const start = first[i]!;
			const at = base[i]!;
			const xi = x[i]!;
			let sum = values[at + i]! * xi;
			if (i + 1 >= size || first[i + 1] !== start) {
				for (let j = start; j < i; j++) {
					const value = values[at + j]!;
					sum += value * x[j]!;
					out[j] = out[j]! + value * xi;
				}
				out[i] = sum;
				continue;
			}
			const next = base[i + 1]!;
			const xn = x[i + 1]!;
			let sumNext = values[next + i + 1]! * xn;
			for (let j = start; j < i; j++) {
				const value = values[at + j]!;
				const valueNext = values[next + j]!;
				const xj = x[j]!;
				sum += value * xj;
				sumNext += valueNext * xj;
				out[j] = out[j]! + value * xi + valueNext * xn;
			}
			const between = values[next + i]!;
			out[i] = sum + between * xn;
			i++;
			out[i] = sumNext + between * xi;
		}
	}

	/** `outX = M · x` and `outY = M · y`: the entries are read once. */
	multiplyTwo(x: Float64Array, y: Float64Array, outX: Float64Array, outY: Float64Array): void {
		const { first, base, values, size } = this;
		for (let i = 0; i < size; i++) {
			const start = first[i]!;
			const at = base[i]!;
			const xi = x[i]!;
			const yi = y[i]!;
			let sumX = values[at + i]! * xi;
			let sumY = values[at + i]! * yi;
			if (i + 1 >= size || first[i + 1] !== start) {
				for (let j = start; j < i; j++) {
					const value = values[at + j]!;
					sumX += value * x[j]!;
					sumY += value * y[j]!;
					outX[j] = outX[j]! + value * xi;
					outY[j] = outY[j]! + value * yi;
				}
				outX[i] = sumX;
				outY[i] = sumY;
				continue;
			}
			const next = base[i + 1]!;
			const xn = x[i + 1]!;
			const yn = y[i + 1]!;
			let sumNextX = values[next + i + 1]! * xn;
			let sumNextY = values[next + i + 1]! * yn;
			for (let j = start; j < i; j++) {
				const value = values[at + j]!;
				const valueNext = values[next + j]!;
				const xj = x[j]!;
				const yj = y[j]!;
				sumX += value * xj;
				sumY += value * yj;
				sumNextX += valueNext * xj;
				sumNextY += valueNext * yj;
				outX[j] = outX[j]! + value * xi + valueNext * xn;
				outY[j] = outY[j]! + value * yi + valueNext * yn;
			}
			const between = values[next + i]!;
			outX[i] = sumX + between * xn;
			outY[i] = sumY + between * yn;
			i++;
			outX[i] = sumNextX + between * xi;
			outY[i] = sumNextY + between * yi;
		}
	}
}
