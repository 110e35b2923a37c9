import { add, all, at, div, int, isLess, mul, nmad, none, not, put, sqrt, sub } from './lanes';

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
		const row = values + (int(base, i) << 4);
		// rows that begin together go up to three at a time: what they are multiplied with is the same
		const hasSecond = i + 1 < size && int(first, i + 1) == from;
		if (!hasSecond) {
			for (let j = from; j < i; j++) {
				const other = values + (int(base, j) << 4);
				const value = sub(at(row, j), product(row, other, max<i32>(from, int(first, j)), j));
				put(row, j, mul(value, at(inverse, j)));
			}
			isBad = v128.or(isBad, close(row, inverse, from, i));
			continue;
		}
		const second = values + (int(base, i + 1) << 4);
		const hasThird = i + 2 < size && int(first, i + 2) == from;
		if (!hasThird) {
			for (let j = from; j < i; j++)
				reduceTwo(row, second, values + (int(base, j) << 4), max<i32>(from, int(first, j)), j, at(inverse, j));
			isBad = v128.or(isBad, close(row, inverse, from, i));
			link(second, row, inverse, from, i);
			i++;
			isBad = v128.or(isBad, close(second, inverse, from, i));
			continue;
		}
		const third = values + (int(base, i + 2) << 4);
		for (let j = from; j < i; j++)
			reduceThree(row, second, third, values + (int(base, j) << 4), max<i32>(from, int(first, j)), j, at(inverse, j));
		isBad = v128.or(isBad, close(row, inverse, from, i));
		link(second, row, inverse, from, i);
		link(third, row, inverse, from, i);
		i++;
		isBad = v128.or(isBad, close(second, inverse, from, i));
		link(third, second, inverse, from, i);
		i++;
		isBad = v128.or(isBad, close(third, inverse, from, i));
	}
	return isBad;
}

/** Entry i of a row from row i, which is done. */
function link(row: usize, other: usize, inverse: usize, from: i32, i: i32): void {
	put(row, i, mul(sub(at(row, i), product(row, other, from, i)), at(inverse, i)));
}

/** The diagonal of a row whose other entries are done. */
function close(row: usize, inverse: usize, from: i32, i: i32): v128 {
	const pivot = sub(at(row, i), product(row, row, from, i));
	put(inverse, i, div(all(1), sqrt(pivot)));
	return not(isLess(none(), pivot));
}

/** Entry j of two rows. */
function reduceTwo(a: usize, b: usize, other: usize, start: i32, j: i32, scale: v128): void {
	let evenA = none();
	let oddA = none();
	let evenB = none();
	let oddB = none();
	let k = start;
	if ((k & 1) != 0 && k < j) {
		const value = at(other, k);
		oddA = mul(at(a, k), value);
		oddB = mul(at(b, k), value);
		k++;
	}
	for (; k + 1 < j; k += 2) {
		const even = at(other, k);
		const odd = at(other, k + 1);
		evenA = add(evenA, mul(at(a, k), even));
		evenB = add(evenB, mul(at(b, k), even));
		oddA = add(oddA, mul(at(a, k + 1), odd));
		oddB = add(oddB, mul(at(b, k + 1), odd));
	}
	if (k < j) {
		const even = at(other, k);
		evenA = add(evenA, mul(at(a, k), even));
		evenB = add(evenB, mul(at(b, k), even));
	}
	put(a, j, mul(sub(at(a, j), add(evenA, oddA)), scale));
	put(b, j, mul(sub(at(b, j), add(evenB, oddB)), scale));
}

/** Entry j of three rows. */
function reduceThree(a: usize, b: usize, c: usize, other: usize, start: i32, j: i32, scale: v128): void {
	let evenA = none();
	let oddA = none();
	let evenB = none();
	let oddB = none();
	let evenC = none();
	let oddC = none();
	let k = start;
	if ((k & 1) != 0 && k < j) {
		const value = at(other, k);
		oddA = mul(at(a, k), value);
		oddB = mul(at(b, k), value);
		oddC = mul(at(c, k), value);
		k++;
	}
	for (; k + 1 < j; k += 2) {
		const even = at(other, k);
		const odd = at(other, k + 1);
		evenA = add(evenA, mul(at(a, k), even));
		evenB = add(evenB, mul(at(b, k), even));
		evenC = add(evenC, mul(at(c, k), even));
		oddA = add(oddA, mul(at(a, k + 1), odd));
		oddB = add(oddB, mul(at(b, k + 1), odd));
		oddC = add(oddC, mul(at(c, k + 1), odd));
	}
	if (k < j) {
		const even = at(other, k);
		evenA = add(evenA, mul(at(a, k), even));
		evenB = add(evenB, mul(at(b, k), even));
		evenC = add(evenC, mul(at(c, k), even));
	}
	put(a, j, mul(sub(at(a, j), add(evenA, oddA)), scale));
	put(b, j, mul(sub(at(b, j), add(evenB, oddB)), scale));
	put(c, j, mul(sub(at(c, j), add(evenC, oddC)), scale));
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
		const row = values + (int(base, i) << 4);
		const from = int(first, i);
		put(x, i, mul(sub(at(x, i), product(row, x, from, i)), at(inverse, i)));
	}
	for (let i = size - 1; i >= 0; i--) {
		const row = values + (int(base, i) << 4);
		const value = mul(at(x, i), at(inverse, i));
		put(x, i, value);
		for (let j = int(first, i); j < i; j++) put(x, j, nmad(at(row, j), value, at(x, j)));
	}
}

/** `out = A x` for a symmetric matrix. */
export function multiply(values: usize, first: usize, base: usize, size: i32, x: usize, out: usize): void {
	for (let i = 0; i < size; i++) {
		const row = values + (int(base, i) << 4);
		const own = at(x, i);
		const from = int(first, i);
		put(out, i, add(product(row, x, from, i), mul(at(row, i), own)));
		for (let j = from; j < i; j++) put(out, j, add(at(out, j), mul(at(row, j), own)));
	}
}
