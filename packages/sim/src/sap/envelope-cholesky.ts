import type { EnvelopeMatrix } from './envelope-matrix.ts';

/**
 * Cholesky factor L of an envelope matrix, `M = L · Lᵀ`, row by row: every inner loop is a dot product of two stretches of
 * memory. With `single` the factor is rounded to 32 bits, while sums keep 64.
 */
export class EnvelopeCholesky {
	readonly single: boolean;
	#values: Float64Array | Float32Array;
	#inverse: Float64Array = new Float64Array(16);
	/** First stored column of each row, and where rows are stored: one after the other, wherever the matrix has its own. */
	#first: Int32Array = new Int32Array(16);
	#base: Int32Array = new Int32Array(16);
	#size = 0;

	constructor(single: boolean = false) {
		this.single = single;
		this.#values = single ? new Float32Array(64) : new Float64Array(64);
	}

	/** Factors a matrix; the matrix keeps its entries. False when it is not positive definite. */
	factor(matrix: EnvelopeMatrix): boolean {
		this.#layOut(matrix);
		return this.single
			? factorRows32(matrix, this.#base, this.#values as Float32Array, this.#inverse)
			: factorRows64(matrix, this.#base, this.#values as Float64Array, this.#inverse);
	}

	/** Solves `M · x = b` in place for the matrix factored last. */
	solve(x: Float64Array): void {
		if (this.single) solveRows32(this.#first, this.#base, this.#size, this.#values as Float32Array, this.#inverse, x);
		else solveRows64(this.#first, this.#base, this.#size, this.#values as Float64Array, this.#inverse, x);
	}

	#layOut(matrix: EnvelopeMatrix): void {
		const { size } = matrix;
		if (size > this.#base.length) {
			const rows = Math.max(size, 2 * this.#base.length);
			this.#inverse = new Float64Array(rows);
			this.#first = new Int32Array(rows);
			this.#base = new Int32Array(rows);
		}
		this.#size = size;
		const from = matrix.first;
		const first = this.#first;
		const base = this.#base;
		let at = 0;
		for (let i = 0; i < size; i++) {
			const start = from[i]!;
			first[i] = start;
			base[i] = at - start;
			at += i - start + 1;
		}
		if (at <= this.#values.length) return;
		const length = Math.max(at, 2 * this.#values.length);
		this.#values = this.single ? new Float32Array(length) : new Float64Array(length);
	}
}

// Two copies of each kernel: one call site with two kinds of arrays would be compiled to generic element access.

/**
 * Rows that begin with the same column, as those of a chain of joints or of a free body do, go four or two at a time: their sums
 * are independent and share what they read; so do two columns. Every sum keeps the order of its terms, so the factor has the
 * same bits.
 */
function factorRows64(matrix: EnvelopeMatrix, base: Int32Array, factor: Float64Array, inverse: Float64Array): boolean {
	const { first, size } = matrix;
	for (let i = 0; i < size; ) {
		const start = first[i]!;
		let same = 1;
		while (same < 4 && i + same < size && first[i + same] === start) same++;
		if (same === 4) {
			if (!factorFour(matrix, base, factor, inverse, i)) return false;
			i += 4;
		} else if (same >= 2) {
			if (!factorTwo(matrix, base, factor, inverse, i)) return false;
			i += 2;
		} else {
			if (!factorOne(matrix, base, factor, inverse, i)) return false;
			i++;
		}
	}
	return true;
}

function factorOne(
	{ first, base: from, values }: EnvelopeMatrix,
	base: Int32Array,
	factor: Float64Array,
	inverse: Float64Array,
	i: number,
): boolean {
	const start = first[i]!;
	const row = base[i]!;
	const source = from[i]!;
	let pivot = values[source + i]!;
	for (let j = start; j < i; j++) {
		const other = base[j]!;
		let a = values[source + j]!;
		for (let k = Math.max(first[j]!, start); k < j; k++) a -= factor[row + k]! * factor[other + k]!;
		a *= inverse[j]!;
		factor[row + j] = a;
		pivot -= a * a;
	}
	if (!(pivot > 0)) return false;
	const root = Math.sqrt(pivot);
	factor[row + i] = root;
	inverse[i] = 1 / root;
	return true;
}

function factorTwo(
	{ first, base: from, values }: EnvelopeMatrix,
	base: Int32Array,
	factor: Float64Array,
	inverse: Float64Array,
	i: number,
): boolean {
	const start = first[i]!;
	const rowA = base[i]!;
	const rowB = base[i + 1]!;
	const sourceA = from[i]!;
	const sourceB = from[i + 1]!;
	let aa = values[sourceA + i]!;
	let ab = values[sourceB + i]!;
	let bb = values[sourceB + i + 1]!;
	for (let j = start; j < i; j++) {
		const from = first[j]!;
		const other = base[j]!;
		let a = values[sourceA + j]!;
		let b = values[sourceB + j]!;
		const scale = inverse[j]!;
		if (j + 1 >= i || first[j + 1]! !== from) {
			for (let k = Math.max(from, start); k < j; k++) {
				const value = factor[other + k]!;
				a -= factor[rowA + k]! * value;
				b -= factor[rowB + k]! * value;
			}
			a *= scale;
			b *= scale;
		} else {
			// two columns in one go
			const next = base[j + 1]!;
			let nextA = values[sourceA + j + 1]!;
			let nextB = values[sourceB + j + 1]!;
			for (let k = Math.max(from, start); k < j; k++) {
				const value = factor[other + k]!;
				const nextValue = factor[next + k]!;
				const fa = factor[rowA + k]!;
				const fb = factor[rowB + k]!;
				a -= fa * value;
				b -= fb * value;
				nextA -= fa * nextValue;
				nextB -= fb * nextValue;
			}
			a *= scale;
			b *= scale;
			factor[rowA + j] = a;
			factor[rowB + j] = b;
			aa -= a * a;
			ab -= b * a;
			bb -= b * b;
			const between = factor[next + j]!;
			j++;
			const nextScale = inverse[j]!;
			a = (nextA - a * between) * nextScale;
			b = (nextB - b * between) * nextScale;
		}
		factor[rowA + j] = a;
		factor[rowB + j] = b;
		aa -= a * a;
		ab -= b * a;
		bb -= b * b;
	}
	if (!(aa > 0)) return false;
	const rootA = Math.sqrt(aa);
	const inverseA = 1 / rootA;
	ab *= inverseA;
	bb -= ab * ab;
	if (!(bb > 0)) return false;
	const rootB = Math.sqrt(bb);
	factor[rowA + i] = rootA;
	factor[rowB + i] = ab;
	factor[rowB + i + 1] = rootB;
	inverse[i] = inverseA;
	inverse[i + 1] = 1 / rootB;
	return true;
}

function factorFour(
	{ first, base: from, values }: EnvelopeMatrix,
	base: Int32Array,
	factor: Float64Array,
	inverse: Float64Array,
	i: number,
): boolean {
	const start = first[i]!;
	const rowA = base[i]!;
	const rowB = base[i + 1]!;
	const rowC = base[i + 2]!;
	const rowD = base[i + 3]!;
	const sourceA = from[i]!;
	const sourceB = from[i + 1]!;
	const sourceC = from[i + 2]!;
	const sourceD = from[i + 3]!;
	// the block on the diagonal
	let aa = values[sourceA + i]!;
	let ab = values[sourceB + i]!;
	let bb = values[sourceB + i + 1]!;
	let ac = values[sourceC + i]!;
	let bc = values[sourceC + i + 1]!;
	let cc = values[sourceC + i + 2]!;
	let ad = values[sourceD + i]!;
	let bd = values[sourceD + i + 1]!;
	let cd = values[sourceD + i + 2]!;
	let dd = values[sourceD + i + 3]!;
	for (let j = start; j < i; j++) {
		const from = first[j]!;
		const other = base[j]!;
		let a = values[sourceA + j]!;
		let b = values[sourceB + j]!;
		let c = values[sourceC + j]!;
		let d = values[sourceD + j]!;
		const scale = inverse[j]!;
		if (j + 1 >= i || first[j + 1]! !== from) {
			for (let k = Math.max(from, start); k < j; k++) {
				const value = factor[other + k]!;
				a -= factor[rowA + k]! * value;
				b -= factor[rowB + k]! * value;
				c -= factor[rowC + k]! * value;
				d -= factor[rowD + k]! * value;
			}
			a *= scale;
			b *= scale;
			c *= scale;
			d *= scale;
		} else {
			const next = base[j + 1]!;
			let nextA = values[sourceA + j + 1]!;
			let nextB = values[sourceB + j + 1]!;
			let nextC = values[sourceC + j + 1]!;
			let nextD = values[sourceD + j + 1]!;
			for (let k = Math.max(from, start); k < j; k++) {
				const value = factor[other + k]!;
				const nextValue = factor[next + k]!;
				const fa = factor[rowA + k]!;
				const fb = factor[rowB + k]!;
				const fc = factor[rowC + k]!;
				const fd = factor[rowD + k]!;
				a -= fa * value;
				b -= fb * value;
				c -= fc * value;
				d -= fd * value;
				nextA -= fa * nextValue;
				nextB -= fb * nextValue;
				nextC -= fc * nextValue;
				nextD -= fd * nextValue;
			}
			a *= scale;
			b *= scale;
			c *= scale;
			d *= scale;
			factor[rowA + j] = a;
			factor[rowB + j] = b;
			factor[rowC + j] = c;
			factor[rowD + j] = d;
			aa -= a * a;
			ab -= b * a;
			bb -= b * b;
			ac -= c * a;
			bc -= c * b;
			cc -= c * c;
			ad -= d * a;
			bd -= d * b;
			cd -= d * c;
			dd -= d * d;
			const between = factor[next + j]!;
			j++;
			const nextScale = inverse[j]!;
			a = (nextA - a * between) * nextScale;
			b = (nextB - b * between) * nextScale;
			c = (nextC - c * between) * nextScale;
			d = (nextD - d * between) * nextScale;
		}
		factor[rowA + j] = a;
		factor[rowB + j] = b;
		factor[rowC + j] = c;
		factor[rowD + j] = d;
		aa -= a * a;
		ab -= b * a;
		bb -= b * b;
		ac -= c * a;
		bc -= c * b;
		cc -= c * c;
		ad -= d * a;
		bd -= d * b;
		cd -= d * c;
		dd -= d * d;
	}
	if (!(aa > 0)) return false;
	const rootA = Math.sqrt(aa);
	const inverseA = 1 / rootA;
	ab *= inverseA;
	ac *= inverseA;
	ad *= inverseA;
	bb -= ab * ab;
	bc -= ac * ab;
	bd -= ad * ab;
	if (!(bb > 0)) return false;
	const rootB = Math.sqrt(bb);
	const inverseB = 1 / rootB;
	bc *= inverseB;
	bd *= inverseB;
	cc = cc - ac * ac - bc * bc;
	cd = cd - ad * ac - bd * bc;
	if (!(cc > 0)) return false;
	const rootC = Math.sqrt(cc);
	const inverseC = 1 / rootC;
	cd *= inverseC;
	dd = dd - ad * ad - bd * bd - cd * cd;
	if (!(dd > 0)) return false;
	const rootD = Math.sqrt(dd);
	factor[rowA + i] = rootA;
	factor[rowB + i] = ab;
	factor[rowB + i + 1] = rootB;
	factor[rowC + i] = ac;
	factor[rowC + i + 1] = bc;
	factor[rowC + i + 2] = rootC;
	factor[rowD + i] = ad;
	factor[rowD + i + 1] = bd;
	factor[rowD + i + 2] = cd;
	factor[rowD + i + 3] = rootD;
	inverse[i] = inverseA;
	inverse[i + 1] = inverseB;
	inverse[i + 2] = inverseC;
	inverse[i + 3] = 1 / rootD;
	return true;
}

function factorRows32(matrix: EnvelopeMatrix, base: Int32Array, factor: Float32Array, inverse: Float64Array): boolean {
	const { first, base: from, values, size } = matrix;
	for (let i = 0; i < size; i++) {
		const start = first[i]!;
		const row = base[i]!;
		const source = from[i]!;
		let pivot = values[source + i]!;
		for (let j = start; j < i; j++) {
			const other = base[j]!;
			let sum = values[source + j]!;
			for (let k = Math.max(first[j]!, start); k < j; k++) sum -= factor[row + k]! * factor[other + k]!;
			sum = Math.fround(sum * inverse[j]!);
			factor[row + j] = sum;
			pivot -= sum * sum;
		}
		if (!(pivot > 0)) return false;
		const root = Math.fround(Math.sqrt(pivot));
		factor[row + i] = root;
		inverse[i] = 1 / root;
	}
	return true;
}

function solveRows64(
	first: Int32Array,
	base: Int32Array,
	size: number,
	factor: Float64Array,
	inverse: Float64Array,
	x: Float64Array,
): void {
	for (let i = 0; i < size; i++) {
		const start = first[i]!;
		const rowA = base[i]!;
		let a = x[i]!;
		if (i + 1 >= size || first[i + 1]! !== start) {
			for (let k = start; k < i; k++) a -= factor[rowA + k]! * x[k]!;
			x[i] = a * inverse[i]!;
			continue;
		}
		const rowB = base[i + 1]!;
		let b = x[i + 1]!;
		for (let k = start; k < i; k++) {
			const value = x[k]!;
			a -= factor[rowA + k]! * value;
			b -= factor[rowB + k]! * value;
		}
		a *= inverse[i]!;
		x[i] = a;
		b -= factor[rowB + i]! * a;
		i++;
		x[i] = b * inverse[i]!;
	}
	for (let i = size - 1; i >= 0; i--) {
		const start = first[i]!;
		const rowB = base[i]!;
		const b = x[i]! * inverse[i]!;
		x[i] = b;
		if (i === 0 || first[i - 1]! !== start) {
			for (let k = start; k < i; k++) x[k] = x[k]! - factor[rowB + k]! * b;
			continue;
		}
		const rowA = base[i - 1]!;
		i--;
		const a = (x[i]! - factor[rowB + i]! * b) * inverse[i]!;
		x[i] = a;
		for (let k = start; k < i; k++) x[k] = x[k]! - factor[rowB + k]! * b - factor[rowA + k]! * a;
	}
}

function solveRows32(
	first: Int32Array,
	base: Int32Array,
	size: number,
	factor: Float32Array,
	inverse: Float64Array,
	x: Float64Array,
): void {
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
