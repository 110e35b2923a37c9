import { add, all, at, div, int, isLess, mad, mul, nmad, none, not, put, sub } from './lanes';

/**
 * Factors L D Lᵀ of matrices of which each row is kept from its first entry to the diagonal. `first` and `base` are tables: the entry of row
 * i and column j is at `base[i] + j`. Entries outside of the tree of one lane but inside of another's are zeros there and change nothing:
 * sums go over columns in ascending order, or over even and odd ones apart. Roots would make every row wait longer for the one before.
 *
 * Inner loops test at their end: V8 computes what does not change in a loop anew in every round where the loop may end before it is used.
 */

/**
 * Factors in place; `inverse` gets 1 over D. Gives the lanes in which a pivot is not positive.
 *
 * Rows that begin together go up to three at a time, and so do the columns that they are reduced by: what is loaded then serves several sums,
 * and short loops are fewer. Bits do not depend on what goes together. A row is reduced to its part of L D, and divided by D when it is closed.
 */
export function factor(values: usize, first: usize, base: usize, inverse: usize, size: i32): v128 {
	isBad = none();
	for (let i = 0; i < size; i++) {
		const from = int(first, i);
		const a = values + (int(base, i) << 4);
		if (i + 1 >= size || int(first, i + 1) != from) {
			for (let j = from; j < i; j++) {
				const p = values + (int(base, j) << 4);
				const start = max<i32>(from, int(first, j));
				if (isOfThree(first, j, i)) {
					reduceByThree(a, p, values + (int(base, j + 1) << 4), values + (int(base, j + 2) << 4), start, j);
					j += 2;
				} else put(a, j, sub(at(a, j), sumOf(a, p, start, j)));
			}
			closeOne(a, inverse, from, i);
			continue;
		}
		const b = values + (int(base, i + 1) << 4);
		if (i + 2 >= size || int(first, i + 2) != from) {
			for (let j = from; j < i; j++) reduceTwo(a, b, values + (int(base, j) << 4), max<i32>(from, int(first, j)), j);
			closeTwo(a, b, inverse, from, i);
			i++;
			continue;
		}
		const c = values + (int(base, i + 2) << 4);
		for (let j = from; j < i; j++) {
			const p = values + (int(base, j) << 4);
			const start = max<i32>(from, int(first, j));
			if (isOfThree(first, j, i)) {
				const q = values + (int(base, j + 1) << 4);
				reduceThreeByThree(a, b, c, p, q, values + (int(base, j + 2) << 4), start, j);
				j += 2;
			} else reduceThree(a, b, c, p, start, j);
		}
		closeThree(a, b, c, inverse, from, i);
		i += 2;
	}
	return isBad;
}

/** Lanes in which a pivot was not positive. */
let isBad: v128 = f64x2.splat(0);

/** The diagonal of a row; `sum` is what its other entries take from it. Gives its inverse. */
function close(diagonal: v128, sum: v128, inverse: usize, i: i32): v128 {
	const pivot = sub(diagonal, sum);
	const scale = div(all(1), pivot);
	put(inverse, i, scale);
	isBad = v128.or(isBad, not(isLess(none(), pivot)));
	return scale;
}

/** Row i. */
function closeOne(a: usize, inverse: usize, from: i32, i: i32): void {
	let sum = none();
	let k = from;
	if (k < i) {
		do {
			const x = at(a, k);
			const scaled = mul(x, at(inverse, k));
			sum = mad(x, scaled, sum);
			put(a, k, scaled);
		} while (++k < i);
	}
	close(at(a, i), sum, inverse, i);
}

/** Rows i and i + 1, and the entry between them. */
function closeTwo(a: usize, b: usize, inverse: usize, from: i32, i: i32): void {
	let sumAA = none();
	let sumAB = none();
	let sumBB = none();
	let k = from;
	if (k < i) {
		do {
			const scale = at(inverse, k);
			const x = at(a, k);
			const y = at(b, k);
			const scaledX = mul(x, scale);
			const scaledY = mul(y, scale);
			sumAA = mad(x, scaledX, sumAA);
			sumAB = mad(y, scaledX, sumAB);
			sumBB = mad(y, scaledY, sumBB);
			put(a, k, scaledX);
			put(b, k, scaledY);
		} while (++k < i);
	}
	const y = sub(at(b, i), sumAB);
	const scaled = mul(y, close(at(a, i), sumAA, inverse, i));
	put(b, i, scaled);
	close(at(b, i + 1), mad(y, scaled, sumBB), inverse, i + 1);
}

/** Rows i to i + 2, and the entries between them. */
function closeThree(a: usize, b: usize, c: usize, inverse: usize, from: i32, i: i32): void {
	let sumAA = none();
	let sumAB = none();
	let sumAC = none();
	let sumBB = none();
	let sumBC = none();
	let sumCC = none();
	let k = from;
	if (k < i) {
		do {
			const scale = at(inverse, k);
			const x = at(a, k);
			const y = at(b, k);
			const z = at(c, k);
			const scaledX = mul(x, scale);
			const scaledY = mul(y, scale);
			const scaledZ = mul(z, scale);
			sumAA = mad(x, scaledX, sumAA);
			sumAB = mad(y, scaledX, sumAB);
			sumAC = mad(z, scaledX, sumAC);
			sumBB = mad(y, scaledY, sumBB);
			sumBC = mad(z, scaledY, sumBC);
			sumCC = mad(z, scaledZ, sumCC);
			put(a, k, scaledX);
			put(b, k, scaledY);
			put(c, k, scaledZ);
		} while (++k < i);
	}
	const y = sub(at(b, i), sumAB);
	const z = sub(at(c, i), sumAC);
	let scale = close(at(a, i), sumAA, inverse, i);
	const scaledY = mul(y, scale);
	const scaledZ = mul(z, scale);
	put(b, i, scaledY);
	put(c, i, scaledZ);
	const w = sub(at(c, i + 1), mad(z, scaledY, sumBC));
	scale = close(at(b, i + 1), mad(y, scaledY, sumBB), inverse, i + 1);
	const scaledW = mul(w, scale);
	put(c, i + 1, scaledW);
	close(at(c, i + 2), mad(w, scaledW, mad(z, scaledZ, sumCC)), inverse, i + 2);
}

/** Entry j of two rows. */
function reduceTwo(a: usize, b: usize, p: usize, start: i32, j: i32): void {
	let sumA = none();
	let sumB = none();
	let k = start;
	if (k < j) {
		do {
			const value = at(p, k);
			sumA = mad(at(a, k), value, sumA);
			sumB = mad(at(b, k), value, sumB);
		} while (++k < j);
	}
	put(a, j, sub(at(a, j), sumA));
	put(b, j, sub(at(b, j), sumB));
}

/** Entry j of three rows. */
function reduceThree(a: usize, b: usize, c: usize, p: usize, start: i32, j: i32): void {
	let sumA = none();
	let sumB = none();
	let sumC = none();
	let k = start;
	if (k < j) {
		do {
			const value = at(p, k);
			sumA = mad(at(a, k), value, sumA);
			sumB = mad(at(b, k), value, sumB);
			sumC = mad(at(c, k), value, sumC);
		} while (++k < j);
	}
	put(a, j, sub(at(a, j), sumA));
	put(b, j, sub(at(b, j), sumB));
	put(c, j, sub(at(c, j), sumC));
}

/** Entries j to j + 2 of a row, by rows that begin together. */
function reduceByThree(a: usize, p: usize, q: usize, r: usize, start: i32, j: i32): void {
	let sumP = none();
	let sumQ = none();
	let sumR = none();
	let k = start;
	if (k < j) {
		do {
			const x = at(a, k);
			sumP = mad(x, at(p, k), sumP);
			sumQ = mad(x, at(q, k), sumQ);
			sumR = mad(x, at(r, k), sumR);
		} while (++k < j);
	}
	finishThree(a, q, r, sumP, sumQ, sumR, j);
}

/** Entries j to j + 2 of three rows, by rows that begin together. */
function reduceThreeByThree(a: usize, b: usize, c: usize, p: usize, q: usize, r: usize, start: i32, j: i32): void {
	let sumAP = none();
	let sumAQ = none();
	let sumAR = none();
	let sumBP = none();
	let sumBQ = none();
	let sumBR = none();
	let sumCP = none();
	let sumCQ = none();
	let sumCR = none();
	let k = start;
	if (k < j) {
		do {
			const x = at(p, k);
			const y = at(q, k);
			const z = at(r, k);
			let value = at(a, k);
			sumAP = mad(value, x, sumAP);
			sumAQ = mad(value, y, sumAQ);
			sumAR = mad(value, z, sumAR);
			value = at(b, k);
			sumBP = mad(value, x, sumBP);
			sumBQ = mad(value, y, sumBQ);
			sumBR = mad(value, z, sumBR);
			value = at(c, k);
			sumCP = mad(value, x, sumCP);
			sumCQ = mad(value, y, sumCQ);
			sumCR = mad(value, z, sumCR);
		} while (++k < j);
	}
	finishThree(a, q, r, sumAP, sumAQ, sumAR, j);
	finishThree(b, q, r, sumBP, sumBQ, sumBR, j);
	finishThree(c, q, r, sumCP, sumCQ, sumCR, j);
}

/** Entries j to j + 2 of a row, whose sums of products go up to column j. */
function finishThree(a: usize, q: usize, r: usize, sumP: v128, sumQ: v128, sumR: v128, j: i32): void {
	const x = sub(at(a, j), sumP);
	const y = sub(at(a, j + 1), mad(x, at(q, j), sumQ));
	const z = sub(at(a, j + 2), mad(y, at(r, j + 1), mad(x, at(r, j), sumR)));
	put(a, j, x);
	put(a, j + 1, y);
	put(a, j + 2, z);
}

/** Sum of products of two rows, columns `start` to before `end` in ascending order. */
function sumOf(a: usize, b: usize, start: i32, end: i32): v128 {
	let sum = none();
	for (let k = start; k < end; k++) sum = mad(at(a, k), at(b, k), sum);
	return sum;
}

/** The same sum, even and odd columns apart: two sums that do not wait for each other. */
function product(a: usize, b: usize, start: i32, end: i32): v128 {
	let even = none();
	let odd = none();
	let k = start;
	if ((k & 1) != 0 && k < end) {
		odd = mul(at(a, k), at(b, k));
		k++;
	}
	if (k + 1 < end) {
		do {
			even = add(even, mul(at(a, k), at(b, k)));
			odd = add(odd, mul(at(a, k + 1), at(b, k + 1)));
			k += 2;
		} while (k + 1 < end);
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
	if (k + 1 < end) {
		do {
			const even = at(x, k);
			const odd = at(x, k + 1);
			evenA = add(evenA, mul(at(a, k), even));
			evenB = add(evenB, mul(at(b, k), even));
			evenC = add(evenC, mul(at(c, k), even));
			oddA = add(oddA, mul(at(a, k + 1), odd));
			oddB = add(oddB, mul(at(b, k + 1), odd));
			oddC = add(oddC, mul(at(c, k + 1), odd));
			k += 2;
		} while (k + 1 < end);
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
			put(x, i, sub(at(x, i), product(a, x, from, i)));
			i++;
			continue;
		}
		const b = values + (int(base, i + 1) << 4);
		const c = values + (int(base, i + 2) << 4);
		productThree(a, b, c, x, from, i);
		const x0 = sub(at(x, i), add(ownA, otherA));
		const x1 = sub(at(x, i + 1), add(add(ownB, mul(at(b, i), x0)), otherB));
		const sumC = add(add(ownC, mul(at(c, i), x0)), add(otherC, mul(at(c, i + 1), x1)));
		put(x, i, x0);
		put(x, i + 1, x1);
		put(x, i + 2, sub(at(x, i + 2), sumC));
		i += 3;
	}
	for (i = 0; i < size; i++) put(x, i, mul(at(x, i), at(inverse, i)));
	i = size - 1;
	while (i >= 0) {
		const from = int(first, i);
		const c = values + (int(base, i) << 4);
		const x2 = at(x, i);
		if (i < 2 || !isOfThree(first, i - 2, size)) {
			let j = from;
			if (j < i) {
				do put(x, j, nmad(at(c, j), x2, at(x, j)));
				while (++j < i);
			}
			i--;
			continue;
		}
		const b = values + (int(base, i - 1) << 4);
		const a = values + (int(base, i - 2) << 4);
		const x1 = nmad(at(c, i - 1), x2, at(x, i - 1));
		const x0 = nmad(at(b, i - 2), x1, nmad(at(c, i - 2), x2, at(x, i - 2)));
		put(x, i - 1, x1);
		put(x, i - 2, x0);
		let j = from;
		if (j < i - 2) {
			do put(x, j, nmad(at(a, j), x0, nmad(at(b, j), x1, nmad(at(c, j), x2, at(x, j)))));
			while (++j < i - 2);
		}
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
			let j = from;
			if (j < i) {
				do put(out, j, add(at(out, j), mul(at(a, j), x0)));
				while (++j < i);
			}
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
		let j = from;
		if (j < i) {
			do put(out, j, add(add(add(at(out, j), mul(at(a, j), x0)), mul(at(b, j), x1)), mul(at(c, j), x2)));
			while (++j < i);
		}
		i += 3;
	}
}
