import { add, all, at, div, int, isLess, mul, nmad, none, not, put, sub } from './lanes';

/**
 * Cholesky factors L Lᵀ of matrices of which each row is kept from its first entry to the diagonal. `first` and `base` are tables:
 * the entry of row i and column j is at `base[i] + j`. Entries outside of the tree of one lane but inside of another's are zeros
 * there and change nothing, as terms of even and odd columns are summed apart.
 */

/** Factors in place; `inverse` gets 1 over the diagonal. Gives the lanes in which a pivot is not positive. */
export function factor(values: usize, first: usize, base: usize, inverse: usize, size: i32): v128 {
	let isBad = none();
	for (let i = 0; i < size; i++) {
		const from = int(first, i);
		const row = values + ((int(base, i)) << 4);
		for (let j = from; j < i; j++) {
			const other = values + ((int(base, j)) << 4);
			const start = max<i32>(from, int(first, j));
			const value = sub(at(row, j), product(row, other, start, j));
			put(row, j, mul(value, at(inverse, j)));
		}
		const pivot = sub(at(row, i), product(row, row, from, i));
		isBad = v128.or(isBad, not(isLess(none(), pivot)));
		put(inverse, i, div(all(1), f64x2.sqrt(pivot)));
	}
	return isBad;
}

/** Sum of products of two rows, columns `start` to before `end`. */
function product(a: usize, b: usize, start: i32, end: i32): v128 {
	let even = none();
	let odd = none();
	let k = start;
	if ((k & 1) != 0 && k < end) {
		odd = mul(at(a, k), at(b, k));
		k++;
	}
	for (; k + 1 < end; k += 2) {
		even = add(even, mul(at(a, k), at(b, k)));
		odd = add(odd, mul(at(a, k + 1), at(b, k + 1)));
	}
	if (k < end) even = add(even, mul(at(a, k), at(b, k)));
	return add(even, odd);
}

/** Solves with a factor, in place. */
export function solve(values: usize, first: usize, base: usize, inverse: usize, size: i32, x: usize): void {
	for (let i = 0; i < size; i++) {
		const row = values + ((int(base, i)) << 4);
		const from = int(first, i);
		put(x, i, mul(sub(at(x, i), product(row, x, from, i)), at(inverse, i)));
	}
	for (let i = size - 1; i >= 0; i--) {
		const row = values + ((int(base, i)) << 4);
		const value = mul(at(x, i), at(inverse, i));
		put(x, i, value);
		for (let j = int(first, i); j < i; j++) put(x, j, nmad(at(row, j), value, at(x, j)));
	}
}

/** `out = A x` for a symmetric matrix. */
export function multiply(values: usize, first: usize, base: usize, size: i32, x: usize, out: usize): void {
	for (let i = 0; i < size; i++) {
		const row = values + ((int(base, i)) << 4);
		const own = at(x, i);
		const from = int(first, i);
		put(out, i, add(product(row, x, from, i), mul(at(row, i), own)));
		for (let j = from; j < i; j++) put(out, j, add(at(out, j), mul(at(row, j), own)));
	}
}

