// Exact sums of floating-point numbers (Shewchuk 1997): a number is held as parts that do not overlap, the smallest first.
// Parts may be zero. Exact unless a product underflows or overflows.

const SPLITTER = 2 ** 27 + 1;

/** Writes `a - b` exactly as two parts; gives their number, 1 when the second is not needed. */
export function exactDifference(out: Float64Array, a: number, b: number): number {
	const x = a - b;
	const bVirtual = a - x;
	const aVirtual = x + bVirtual;
	const tail = a - aVirtual + (bVirtual - b);
	if (tail === 0) {
		out[0] = x;
		return 1;
	}
	out[0] = tail;
	out[1] = x;
	return 2;
}

/** Writes the sum of two expansions; gives its length, at most the sum of theirs. `out` is neither of them. */
export function expansionSum(
	out: Float64Array,
	a: Float64Array,
	aLength: number,
	b: Float64Array,
	bLength: number,
): number {
	out.set(aLength === a.length ? a : a.subarray(0, aLength));
	let length = aLength;
	for (let i = 0; i < bLength; i++) {
		// grow by one part, from the smallest up
		let q = b[i]!;
		let kept = 0;
		for (let k = 0; k < length; k++) {
			const part = out[k]!;
			const sum = q + part;
			const virtual = sum - q;
			const tail = q - (sum - virtual) + (part - virtual);
			if (tail !== 0) out[kept++] = tail;
			q = sum;
		}
		if (q !== 0 || kept === 0) out[kept++] = q;
		length = kept;
	}
	return length;
}

/** Adds `factor` times an expansion to `out`, in place; gives the new length. `scratch` holds twice the expansion. */
export function addScaled(
	out: Float64Array,
	outLength: number,
	a: Float64Array,
	aLength: number,
	factor: number,
): number {
	const fBig = SPLITTER * factor;
	const fHigh = fBig - (fBig - factor);
	const fLow = factor - fHigh;
	let length = outLength;
	for (let i = 0; i < aLength; i++) {
		const value = a[i]!;
		const product = value * factor;
		const vBig = SPLITTER * value;
		const vHigh = vBig - (vBig - value);
		const vLow = value - vHigh;
		const tail = vLow * fLow - (product - vHigh * fHigh - vLow * fHigh - vHigh * fLow);
		length = grow(out, length, tail);
		length = grow(out, length, product);
	}
	return length;
}

/** Writes the product of two expansions; gives its length, at most twice the product of theirs. */
export function expansionProduct(
	out: Float64Array,
	a: Float64Array,
	aLength: number,
	b: Float64Array,
	bLength: number,
): number {
	let length = 0;
	for (let i = 0; i < bLength; i++) length = addScaled(out, length, a, aLength, b[i]!);
	return length;
}

/** Sign of an expansion: that of its largest part. */
export function expansionSign(a: Float64Array, length: number): number {
	for (let i = length - 1; i >= 0; i--) if (a[i] !== 0) return a[i]! > 0 ? 1 : -1;
	return 0;
}

function grow(out: Float64Array, length: number, value: number): number {
	if (value === 0) return length;
	let q = value;
	let kept = 0;
	for (let k = 0; k < length; k++) {
		const part = out[k]!;
		const sum = q + part;
		const virtual = sum - q;
		const tail = q - (sum - virtual) + (part - virtual);
		if (tail !== 0) out[kept++] = tail;
		q = sum;
	}
	if (q !== 0) out[kept++] = q;
	return kept;
}
