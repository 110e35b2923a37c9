import { add, all, at, div, int, isLess, mul, nmad, none, not, put, sqrt, sub } from './lanes';

/**
 * Cholesky factors L Lᵀ of matrices of which each row is kept from its first entry to the diagonal. `first` and `base` are tables:
 * the entry of row i and column j is at `base[i] + j`. Entries outside of the tree of one lane but inside of another's are zeros
 * there and change nothing, as terms of even and odd columns are summed apart.
 */

/** Factors in place; `inverse` gets 1 over the diagonal. Gives the lanes in which a pivot is not positive. */
export function factor(values: usize, first: usize, base: usize, inverse: usize, size: i32): v128 {
	isBad = none();
	for (let i = 0; i < size; i++) {
		const from = int(first, i);
		const row = values + (int(base, i) << 4);
		// rows that begin together go up to three at a time: what they are multiplied with is the same
		if (i + 1 >= size || int(first, i + 1) != from) {
			for (let j = from; j < i; j++) {
				const other = values + (int(base, j) << 4);
				const value = sub(at(row, j), product(row, other, max<i32>(from, int(first, j)), j));
				put(row, j, mul(value, at(inverse, j)));
			}
			close(at(row, i), product(row, row, from, i), inverse, i);
			continue;
		}
		const second = values + (int(base, i + 1) << 4);
		if (i + 2 >= size || int(first, i + 2) != from) {
			for (let j = from; j < i; j++)
				reduceTwo(row, second, values + (int(base, j) << 4), max<i32>(from, int(first, j)), j, at(inverse, j));
			closeTwo(row, second, inverse, from, i);
			i++;
			continue;
		}
		const third = values + (int(base, i + 2) << 4);
		for (let j = from; j < i; j++)
			reduceThree(row, second, third, values + (int(base, j) << 4), max<i32>(from, int(first, j)), j, at(inverse, j));
		closeThree(row, second, third, inverse, from, i);
		i += 2;
	}
	return isBad;
}

/** Lanes in which a pivot was not positive. */
let isBad: v128 = f64x2.splat(0);

/** The diagonal of a row whose other entries are done; `sum` is that of their squares. Gives its inverse. */
function close(diagonal: v128, sum: v128, inverse: usize, i: i32): v128 {
	const pivot = sub(diagonal, sum);
	const scale = div(all(1), sqrt(pivot));
	put(inverse, i, scale);
	isBad = v128.or(isBad, not(isLess(none(), pivot)));
	return scale;
}

/** Diagonals of rows i and i + 1, and the entry between them. */
function closeTwo(a: usize, b: usize, inverse: usize, from: i32, i: i32): void {
	let evenAA = none();
	let oddAA = none();
	let evenAB = none();
	let oddAB = none();
	let evenBB = none();
	let oddBB = none();
	for (let k = from; k < i; k++) {
		const x = at(a, k);
		const y = at(b, k);
		if ((k & 1) != 0) {
			oddAA = add(oddAA, mul(x, x));
			oddAB = add(oddAB, mul(y, x));
			oddBB = add(oddBB, mul(y, y));
		} else {
			evenAA = add(evenAA, mul(x, x));
			evenAB = add(evenAB, mul(y, x));
			evenBB = add(evenBB, mul(y, y));
		}
	}
	const scale = close(at(a, i), add(evenAA, oddAA), inverse, i);
	const y = mul(sub(at(b, i), add(evenAB, oddAB)), scale);
	put(b, i, y);
	if ((i & 1) != 0) oddBB = add(oddBB, mul(y, y));
	else evenBB = add(evenBB, mul(y, y));
	close(at(b, i + 1), add(evenBB, oddBB), inverse, i + 1);
}

/** Diagonals of rows i to i + 2, and the entries between them. */
function closeThree(a: usize, b: usize, c: usize, inverse: usize, from: i32, i: i32): void {
	let evenAA = none();
	let oddAA = none();
	let evenAB = none();
	let oddAB = none();
	let evenAC = none();
	let oddAC = none();
	let k = from;
	if ((k & 1) != 0 && k < i) {
		const x = at(a, k);
		oddAA = mul(x, x);
		oddAB = mul(at(b, k), x);
		oddAC = mul(at(c, k), x);
		k++;
	}
	for (; k + 1 < i; k += 2) {
		const even = at(a, k);
		const odd = at(a, k + 1);
		evenAA = add(evenAA, mul(even, even));
		evenAB = add(evenAB, mul(at(b, k), even));
		evenAC = add(evenAC, mul(at(c, k), even));
		oddAA = add(oddAA, mul(odd, odd));
		oddAB = add(oddAB, mul(at(b, k + 1), odd));
		oddAC = add(oddAC, mul(at(c, k + 1), odd));
	}
	if (k < i) {
		const even = at(a, k);
		evenAA = add(evenAA, mul(even, even));
		evenAB = add(evenAB, mul(at(b, k), even));
		evenAC = add(evenAC, mul(at(c, k), even));
	}
	let evenBB = none();
	let oddBB = none();
	let evenBC = none();
	let oddBC = none();
	let evenCC = none();
	let oddCC = none();
	k = from;
	if ((k & 1) != 0 && k < i) {
		const y = at(b, k);
		const z = at(c, k);
		oddBB = mul(y, y);
		oddBC = mul(z, y);
		oddCC = mul(z, z);
		k++;
	}
	for (; k + 1 < i; k += 2) {
		let y = at(b, k);
		let z = at(c, k);
		evenBB = add(evenBB, mul(y, y));
		evenBC = add(evenBC, mul(z, y));
		evenCC = add(evenCC, mul(z, z));
		y = at(b, k + 1);
		z = at(c, k + 1);
		oddBB = add(oddBB, mul(y, y));
		oddBC = add(oddBC, mul(z, y));
		oddCC = add(oddCC, mul(z, z));
	}
	if (k < i) {
		const y = at(b, k);
		const z = at(c, k);
		evenBB = add(evenBB, mul(y, y));
		evenBC = add(evenBC, mul(z, y));
		evenCC = add(evenCC, mul(z, z));
	}
	let scale = close(at(a, i), add(evenAA, oddAA), inverse, i);
	const y = mul(sub(at(b, i), add(evenAB, oddAB)), scale);
	const z = mul(sub(at(c, i), add(evenAC, oddAC)), scale);
	put(b, i, y);
	put(c, i, z);
	const isOdd = (i & 1) != 0;
	if (isOdd) {
		oddBB = add(oddBB, mul(y, y));
		oddBC = add(oddBC, mul(z, y));
		oddCC = add(oddCC, mul(z, z));
	} else {
		evenBB = add(evenBB, mul(y, y));
		evenBC = add(evenBC, mul(z, y));
		evenCC = add(evenCC, mul(z, z));
	}
	scale = close(at(b, i + 1), add(evenBB, oddBB), inverse, i + 1);
	const w = mul(sub(at(c, i + 1), add(evenBC, oddBC)), scale);
	put(c, i + 1, w);
	if (isOdd) evenCC = add(evenCC, mul(w, w));
	else oddCC = add(oddCC, mul(w, w));
	close(at(c, i + 2), add(evenCC, oddCC), inverse, i + 2);
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

/** Sums of products of three rows with the same numbers, columns `start` to before `end`; even and odd columns apart. */
function productThree(a: usize, b: usize, c: usize, x: usize, start: i32, end: i32): void {
	let evenA = none();
	let oddA = none();
	let evenB = none();
	let oddB = none();
	let evenC = none();
	let oddC = none();
	let k = start;
	if ((k & 1) != 0 && k < end) {
		const odd = at(x, k);
		oddA = mul(at(a, k), odd);
		oddB = mul(at(b, k), odd);
		oddC = mul(at(c, k), odd);
		k++;
	}
	for (; k + 1 < end; k += 2) {
		const even = at(x, k);
		const odd = at(x, k + 1);
		evenA = add(evenA, mul(at(a, k), even));
		evenB = add(evenB, mul(at(b, k), even));
		evenC = add(evenC, mul(at(c, k), even));
		oddA = add(oddA, mul(at(a, k + 1), odd));
		oddB = add(oddB, mul(at(b, k + 1), odd));
		oddC = add(oddC, mul(at(c, k + 1), odd));
	}
	if (k < end) {
		const even = at(x, k);
		evenA = add(evenA, mul(at(a, k), even));
		evenB = add(evenB, mul(at(b, k), even));
		evenC = add(evenC, mul(at(c, k), even));
	}
	// those of the parity of `end` get more terms
	const isOdd = (end & 1) != 0;
	ownA = isOdd ? oddA : evenA;
	otherA = isOdd ? evenA : oddA;
	ownB = isOdd ? oddB : evenB;
	otherB = isOdd ? evenB : oddB;
	ownC = isOdd ? oddC : evenC;
	otherC = isOdd ? evenC : oddC;
}

let ownA: v128 = f64x2.splat(0);
let otherA: v128 = f64x2.splat(0);
let ownB: v128 = f64x2.splat(0);
let otherB: v128 = f64x2.splat(0);
let ownC: v128 = f64x2.splat(0);
let otherC: v128 = f64x2.splat(0);

/** Whether a row begins where the two behind it do. */
function isOfThree(first: usize, i: i32, size: i32): bool {
	const from = int(first, i);
	return i + 2 < size && int(first, i + 1) == from && int(first, i + 2) == from;
}

/** Solves with a factor, in place. */
export function solve(values: usize, first: usize, base: usize, inverse: usize, size: i32, x: usize): void {
	let i = 0;
	while (i < size) {
		const a = values + (int(base, i) << 4);
		const from = int(first, i);
		if (!isOfThree(first, i, size)) {
			put(x, i, mul(sub(at(x, i), product(a, x, from, i)), at(inverse, i)));
			i++;
			continue;
		}
		const b = values + (int(base, i + 1) << 4);
		const c = values + (int(base, i + 2) << 4);
		productThree(a, b, c, x, from, i);
		const x0 = mul(sub(at(x, i), add(ownA, otherA)), at(inverse, i));
		const sumB = add(add(ownB, mul(at(b, i), x0)), otherB);
		const x1 = mul(sub(at(x, i + 1), sumB), at(inverse, i + 1));
		const sumC = add(add(ownC, mul(at(c, i), x0)), add(otherC, mul(at(c, i + 1), x1)));
		const x2 = mul(sub(at(x, i + 2), sumC), at(inverse, i + 2));
		put(x, i, x0);
		put(x, i + 1, x1);
		put(x, i + 2, x2);
		i += 3;
	}
	i = size - 1;
	while (i >= 0) {
		const from = int(first, i);
		const c = values + (int(base, i) << 4);
		const x2 = mul(at(x, i), at(inverse, i));
		if (i < 2 || !isOfThree(first, i - 2, size)) {
			put(x, i, x2);
			for (let j = from; j < i; j++) put(x, j, nmad(at(c, j), x2, at(x, j)));
			i--;
			continue;
		}
		const b = values + (int(base, i - 1) << 4);
		const a = values + (int(base, i - 2) << 4);
		const x1 = mul(nmad(at(c, i - 1), x2, at(x, i - 1)), at(inverse, i - 1));
		const x0 = mul(nmad(at(b, i - 2), x1, nmad(at(c, i - 2), x2, at(x, i - 2))), at(inverse, i - 2));
		put(x, i, x2);
		put(x, i - 1, x1);
		put(x, i - 2, x0);
		for (let j = from; j < i - 2; j++) put(x, j, nmad(at(a, j), x0, nmad(at(b, j), x1, nmad(at(c, j), x2, at(x, j)))));
		i -= 3;
	}
}

/** `out = A x` for a symmetric matrix. */
export function multiply(values: usize, first: usize, base: usize, size: i32, x: usize, out: usize): void {
	let i = 0;
	while (i < size) {
		const a = values + (int(base, i) << 4);
		const from = int(first, i);
		const x0 = at(x, i);
		if (!isOfThree(first, i, size)) {
			put(out, i, add(product(a, x, from, i), mul(at(a, i), x0)));
			for (let j = from; j < i; j++) put(out, j, add(at(out, j), mul(at(a, j), x0)));
			i++;
			continue;
		}
		const b = values + (int(base, i + 1) << 4);
		const c = values + (int(base, i + 2) << 4);
		const x1 = at(x, i + 1);
		const x2 = at(x, i + 2);
		productThree(a, b, c, x, from, i);
		const ba = at(b, i);
		const ca = at(c, i);
		const cb = at(c, i + 1);
		const y0 = add(add(ownA, otherA), mul(at(a, i), x0));
		const y1 = add(add(add(ownB, mul(ba, x0)), otherB), mul(at(b, i + 1), x1));
		const y2 = add(add(add(ownC, mul(ca, x0)), add(otherC, mul(cb, x1))), mul(at(c, i + 2), x2));
		put(out, i, add(add(y0, mul(ba, x1)), mul(ca, x2)));
		put(out, i + 1, add(y1, mul(cb, x2)));
		put(out, i + 2, y2);
		for (let j = from; j < i; j++)
			put(out, j, add(add(add(at(out, j), mul(at(a, j), x0)), mul(at(b, j), x1)), mul(at(c, j), x2)));
		i += 3;
	}
}
