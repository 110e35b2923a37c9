/**
 * The factors of up to three vectors that come closest to a target: normal equations, solved by Cramer's rule. The vectors
 * start at `at`, three numbers each. Vectors that depend on each other, or vanish, get the factor 0 where they add nothing.
 */
export function solveLeastSquares3(
	vectors: Float64Array,
	at: number,
	count: number,
	target: Float64Array,
	t: number,
	out: Float64Array,
	o: number,
): void {
	if (count === 0) return;
	const a = dot(vectors, at, target, t);
	const aa = dot(vectors, at, vectors, at);
	if (count === 1) {
		out[o] = aa > 0 ? a / aa : 0;
		return;
	}
	const b = dot(vectors, at + 3, target, t);
	const ab = dot(vectors, at, vectors, at + 3);
	const bb = dot(vectors, at + 3, vectors, at + 3);
	if (count === 2) {
		const determinant = aa * bb - ab * ab;
		const isRegular = determinant > 1e-24 * aa * bb;
		out[o] = isRegular ? (a * bb - b * ab) / determinant : aa > 0 ? a / aa : 0;
		out[o + 1] = isRegular ? (b * aa - a * ab) / determinant : aa > 0 || bb === 0 ? 0 : b / bb;
		return;
	}
	// three vectors: components along the reciprocal ones
	const volume = triple(vectors, at, vectors, at + 3, vectors, at + 6);
	const cc = dot(vectors, at + 6, vectors, at + 6);
	if (volume * volume <= 1e-24 * aa * bb * cc) {
		solveLeastSquares3(vectors, at, 2, target, t, out, o);
		out[o + 2] = 0;
		return;
	}
	out[o] = triple(target, t, vectors, at + 3, vectors, at + 6) / volume;
	out[o + 1] = triple(vectors, at, target, t, vectors, at + 6) / volume;
	out[o + 2] = triple(vectors, at, vectors, at + 3, target, t) / volume;
}

function dot(a: Float64Array, i: number, b: Float64Array, j: number): number {
	return a[i]! * b[j]! + a[i + 1]! * b[j + 1]! + a[i + 2]! * b[j + 2]!;
}

/** a · (b × c) */
function triple(a: Float64Array, i: number, b: Float64Array, j: number, c: Float64Array, k: number): number {
	return (
		a[i]! * (b[j + 1]! * c[k + 2]! - b[j + 2]! * c[k + 1]!) +
		a[i + 1]! * (b[j + 2]! * c[k]! - b[j]! * c[k + 2]!) +
		a[i + 2]! * (b[j]! * c[k + 1]! - b[j + 1]! * c[k]!)
	);
}
