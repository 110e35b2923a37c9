/** Bits behind the point of the factors below. */
const BITS = 13;
/** Bits that are kept behind the point between the two passes. */
const KEPT = 2;

const [F0298, F0390, F0541, F0765, F0899, F1175] = [2446, 3196, 4433, 6270, 7373, 9633];
const [F1501, F1847, F1961, F2053, F2562, F3072] = [12299, 15137, 16069, 16819, 20995, 25172];

const between = new Int32Array(64);

/**
 * Samples of a block of 8 × 8 dequantized coefficients, which are zeros afterwards. Whole numbers by the factorization of
 * Loeffler, Ligtenberg and Moschytz, rounded where libjpeg rounds (`jidctint.c`), so that samples are the same.
 */
export function inverseTransform(input: Int32Array, out: Uint8ClampedArray, at: number, stride: number): void {
	const work = between;
	for (let c = 0; c < 8; c++) {
		const i0 = input[c]!;
		const i1 = input[c + 8]!;
		const i2 = input[c + 16]!;
		const i3 = input[c + 24]!;
		const i4 = input[c + 32]!;
		const i5 = input[c + 40]!;
		const i6 = input[c + 48]!;
		const i7 = input[c + 56]!;
		if ((i1 | i2 | i3 | i4 | i5 | i6 | i7) === 0) {
			const flat = i0 << KEPT;
			work[c] = flat;
			work[c + 8] = flat;
			work[c + 16] = flat;
			work[c + 24] = flat;
			work[c + 32] = flat;
			work[c + 40] = flat;
			work[c + 48] = flat;
			work[c + 56] = flat;
			continue;
		}
		const z1 = Math.imul(i2 + i6, F0541);
		const e2 = z1 - Math.imul(i6, F1847);
		const e3 = z1 + Math.imul(i2, F0765);
		const e0 = (i0 + i4) << BITS;
		const e1 = (i0 - i4) << BITS;
		// half of what is shifted out, so that the shifts below round
		const half = 1 << (BITS - KEPT - 1);
		const t10 = e0 + e3 + half;
		const t13 = e0 - e3 + half;
		const t11 = e1 + e2 + half;
		const t12 = e1 - e2 + half;
		const z5 = Math.imul(i7 + i3 + i5 + i1, F1175);
		const y3 = z5 - Math.imul(i7 + i3, F1961);
		const y4 = z5 - Math.imul(i5 + i1, F0390);
		const y1 = -Math.imul(i7 + i1, F0899);
		const y2 = -Math.imul(i5 + i3, F2562);
		const o0 = Math.imul(i7, F0298) + y1 + y3;
		const o1 = Math.imul(i5, F2053) + y2 + y4;
		const o2 = Math.imul(i3, F3072) + y2 + y3;
		const o3 = Math.imul(i1, F1501) + y1 + y4;
		work[c] = (t10 + o3) >> (BITS - KEPT);
		work[c + 56] = (t10 - o3) >> (BITS - KEPT);
		work[c + 8] = (t11 + o2) >> (BITS - KEPT);
		work[c + 48] = (t11 - o2) >> (BITS - KEPT);
		work[c + 16] = (t12 + o1) >> (BITS - KEPT);
		work[c + 40] = (t12 - o1) >> (BITS - KEPT);
		work[c + 24] = (t13 + o0) >> (BITS - KEPT);
		work[c + 32] = (t13 - o0) >> (BITS - KEPT);
	}
	input.fill(0);
	for (let r = 0, to = at; r < 64; r += 8, to += stride) {
		const i1 = work[r + 1]!;
		const i2 = work[r + 2]!;
		const i3 = work[r + 3]!;
		const i5 = work[r + 5]!;
		const i6 = work[r + 6]!;
		const i7 = work[r + 7]!;
		const z1 = Math.imul(i2 + i6, F0541);
		const e2 = z1 - Math.imul(i6, F1847);
		const e3 = z1 + Math.imul(i2, F0765);
		const e0 = (work[r]! + work[r + 4]!) << BITS;
		const e1 = (work[r]! - work[r + 4]!) << BITS;
		// samples are around 128, and half is for rounding
		const middle = (128 << (BITS + KEPT + 3)) + (1 << (BITS + KEPT + 2));
		const t10 = e0 + e3 + middle;
		const t13 = e0 - e3 + middle;
		const t11 = e1 + e2 + middle;
		const t12 = e1 - e2 + middle;
		const z5 = Math.imul(i7 + i3 + i5 + i1, F1175);
		const y3 = z5 - Math.imul(i7 + i3, F1961);
		const y4 = z5 - Math.imul(i5 + i1, F0390);
		const y1 = -Math.imul(i7 + i1, F0899);
		const y2 = -Math.imul(i5 + i3, F2562);
		const o0 = Math.imul(i7, F0298) + y1 + y3;
		const o1 = Math.imul(i5, F2053) + y2 + y4;
		const o2 = Math.imul(i3, F3072) + y2 + y3;
		const o3 = Math.imul(i1, F1501) + y1 + y4;
		out[to] = (t10 + o3) >> (BITS + KEPT + 3);
		out[to + 7] = (t10 - o3) >> (BITS + KEPT + 3);
		out[to + 1] = (t11 + o2) >> (BITS + KEPT + 3);
		out[to + 6] = (t11 - o2) >> (BITS + KEPT + 3);
		out[to + 2] = (t12 + o1) >> (BITS + KEPT + 3);
		out[to + 5] = (t12 - o1) >> (BITS + KEPT + 3);
		out[to + 3] = (t13 + o0) >> (BITS + KEPT + 3);
		out[to + 4] = (t13 - o0) >> (BITS + KEPT + 3);
	}
}

/** The same for a block whose first coefficient is the only one; it is not changed. */
export function flatTransform(first: number, out: Uint8ClampedArray, at: number, stride: number): void {
	// as the two passes round: the first keeps two bits, the second drops five
	const value = (((first << KEPT) + 16) >> (KEPT + 3)) + 128;
	for (let r = 0, to = at; r < 8; r++, to += stride) {
		out[to] = value;
		out[to + 1] = value;
		out[to + 2] = value;
		out[to + 3] = value;
		out[to + 4] = value;
		out[to + 5] = value;
		out[to + 6] = value;
		out[to + 7] = value;
	}
}
