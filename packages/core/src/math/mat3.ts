// Matrices of 3 × 3 f64, row after row, in USD's convention: a vector is a row and stands on the left, `v' = v · M`.
// A product `A · B` therefore applies A first. The rows of a rotation matrix are the images of the axes.

/** Writes a diagonal matrix. @public */
export function mat3Diagonal(out: Float64Array, x: number, y: number, z: number, outOffset: number = 0): Float64Array {
	out.fill(0, outOffset, outOffset + 9);
	out[outOffset] = x;
	out[outOffset + 4] = y;
	out[outOffset + 8] = z;
	return out;
}

/** `out = a`. @public */
export function mat3Copy(out: Float64Array, a: Float64Array, outOffset: number = 0, aOffset: number = 0): Float64Array {
	for (let i = 0; i < 9; i++) out[outOffset + i] = a[aOffset + i]!;
	return out;
}

/** `out = a · b`: `a` is applied first. @public */
export function mat3Multiply(
	out: Float64Array,
	a: Float64Array,
	b: Float64Array,
	outOffset: number = 0,
	aOffset: number = 0,
	bOffset: number = 0,
): Float64Array {
	const b0 = b[bOffset]!;
	const b1 = b[bOffset + 1]!;
	const b2 = b[bOffset + 2]!;
	const b3 = b[bOffset + 3]!;
	const b4 = b[bOffset + 4]!;
	const b5 = b[bOffset + 5]!;
	const b6 = b[bOffset + 6]!;
	const b7 = b[bOffset + 7]!;
	const b8 = b[bOffset + 8]!;
	// row by row, so that `out` may be `a`
	for (let row = 0; row < 9; row += 3) {
		const x = a[aOffset + row]!;
		const y = a[aOffset + row + 1]!;
		const z = a[aOffset + row + 2]!;
		out[outOffset + row] = x * b0 + y * b3 + z * b6;
		out[outOffset + row + 1] = x * b1 + y * b4 + z * b7;
		out[outOffset + row + 2] = x * b2 + y * b5 + z * b8;
	}
	return out;
}

/** `out = aᵀ`. @public */
export function mat3Transpose(
	out: Float64Array,
	a: Float64Array,
	outOffset: number = 0,
	aOffset: number = 0,
): Float64Array {
	const xy = a[aOffset + 1]!;
	const xz = a[aOffset + 2]!;
	const yz = a[aOffset + 5]!;
	out[outOffset] = a[aOffset]!;
	out[outOffset + 1] = a[aOffset + 3]!;
	out[outOffset + 2] = a[aOffset + 6]!;
	out[outOffset + 5] = a[aOffset + 7]!;
	out[outOffset + 3] = xy;
	out[outOffset + 4] = a[aOffset + 4]!;
	out[outOffset + 6] = xz;
	out[outOffset + 7] = yz;
	out[outOffset + 8] = a[aOffset + 8]!;
	return out;
}

/** Determinant: the factor by which volumes grow, negative for a mirroring. @public */
export function mat3Determinant(a: Float64Array, aOffset: number = 0): number {
	const a3 = a[aOffset + 3]!;
	const a4 = a[aOffset + 4]!;
	const a5 = a[aOffset + 5]!;
	const a6 = a[aOffset + 6]!;
	const a7 = a[aOffset + 7]!;
	const a8 = a[aOffset + 8]!;
	return (
		a[aOffset]! * (a4 * a8 - a5 * a7) - a[aOffset + 1]! * (a3 * a8 - a5 * a6) + a[aOffset + 2]! * (a3 * a7 - a4 * a6)
	);
}

/** `out = a⁻¹`. Gives the determinant; when that is 0 the matrix has no inverse and `out` is zero. @public */
export function mat3Invert(out: Float64Array, a: Float64Array, outOffset: number = 0, aOffset: number = 0): number {
	const a0 = a[aOffset]!;
	const a1 = a[aOffset + 1]!;
	const a2 = a[aOffset + 2]!;
	const a3 = a[aOffset + 3]!;
	const a4 = a[aOffset + 4]!;
	const a5 = a[aOffset + 5]!;
	const a6 = a[aOffset + 6]!;
	const a7 = a[aOffset + 7]!;
	const a8 = a[aOffset + 8]!;
	const c0 = a4 * a8 - a5 * a7;
	const c1 = a5 * a6 - a3 * a8;
	const c2 = a3 * a7 - a4 * a6;
	const determinant = a0 * c0 + a1 * c1 + a2 * c2;
	const d = determinant === 0 ? 0 : 1 / determinant;
	out[outOffset] = c0 * d;
	out[outOffset + 1] = (a2 * a7 - a1 * a8) * d;
	out[outOffset + 2] = (a1 * a5 - a2 * a4) * d;
	out[outOffset + 3] = c1 * d;
	out[outOffset + 4] = (a0 * a8 - a2 * a6) * d;
	out[outOffset + 5] = (a2 * a3 - a0 * a5) * d;
	out[outOffset + 6] = c2 * d;
	out[outOffset + 7] = (a1 * a6 - a0 * a7) * d;
	out[outOffset + 8] = (a0 * a4 - a1 * a3) * d;
	return determinant;
}

/** `out = v · m`. @public */
export function mat3Transform(
	out: Float64Array,
	v: Float64Array,
	m: Float64Array,
	outOffset: number = 0,
	vOffset: number = 0,
	mOffset: number = 0,
): Float64Array {
	const x = v[vOffset]!;
	const y = v[vOffset + 1]!;
	const z = v[vOffset + 2]!;
	out[outOffset] = x * m[mOffset]! + y * m[mOffset + 3]! + z * m[mOffset + 6]!;
	out[outOffset + 1] = x * m[mOffset + 1]! + y * m[mOffset + 4]! + z * m[mOffset + 7]!;
	out[outOffset + 2] = x * m[mOffset + 2]! + y * m[mOffset + 5]! + z * m[mOffset + 8]!;
	return out;
}

/** The matrix of a unit quaternion: `v · out` is the rotated `v`. @public */
export function mat3FromQuat(
	out: Float64Array,
	q: Float64Array,
	outOffset: number = 0,
	qOffset: number = 0,
): Float64Array {
	const x = q[qOffset]!;
	const y = q[qOffset + 1]!;
	const z = q[qOffset + 2]!;
	const w = q[qOffset + 3]!;
	out[outOffset] = 1 - 2 * (y * y + z * z);
	out[outOffset + 1] = 2 * (x * y + w * z);
	out[outOffset + 2] = 2 * (x * z - w * y);
	out[outOffset + 3] = 2 * (x * y - w * z);
	out[outOffset + 4] = 1 - 2 * (x * x + z * z);
	out[outOffset + 5] = 2 * (y * z + w * x);
	out[outOffset + 6] = 2 * (x * z + w * y);
	out[outOffset + 7] = 2 * (y * z - w * x);
	out[outOffset + 8] = 1 - 2 * (x * x + y * y);
	return out;
}

/** The unit quaternion, with w ≥ 0, of a rotation matrix. @public */
export function mat3ToQuat(
	out: Float64Array,
	m: Float64Array,
	outOffset: number = 0,
	mOffset: number = 0,
): Float64Array {
	const xx = m[mOffset]!;
	const yy = m[mOffset + 4]!;
	const zz = m[mOffset + 8]!;
	const yz = m[mOffset + 5]! - m[mOffset + 7]!;
	const zx = m[mOffset + 6]! - m[mOffset + 2]!;
	const xy = m[mOffset + 1]! - m[mOffset + 3]!;
	const trace = xx + yy + zz;
	// solve for the largest component first: it is at least 1/2, so the divisions lose nothing
	let x: number;
	let y: number;
	let z: number;
	let w: number;
	if (trace >= xx && trace >= yy && trace >= zz) {
		w = 1 + trace;
		x = yz;
		y = zx;
		z = xy;
	} else if (xx >= yy && xx >= zz) {
		x = 1 + xx - yy - zz;
		w = yz;
		y = m[mOffset + 1]! + m[mOffset + 3]!;
		z = m[mOffset + 2]! + m[mOffset + 6]!;
	} else if (yy >= zz) {
		y = 1 - xx + yy - zz;
		w = zx;
		x = m[mOffset + 1]! + m[mOffset + 3]!;
		z = m[mOffset + 5]! + m[mOffset + 7]!;
	} else {
		z = 1 - xx - yy + zz;
		w = xy;
		x = m[mOffset + 2]! + m[mOffset + 6]!;
		y = m[mOffset + 5]! + m[mOffset + 7]!;
	}
	const scale = (w < 0 ? -1 : 1) / Math.sqrt(x * x + y * y + z * z + w * w);
	out[outOffset] = x * scale;
	out[outOffset + 1] = y * scale;
	out[outOffset + 2] = z * scale;
	out[outOffset + 3] = w * scale;
	return out;
}

/** `out = rᵀ · a · r`: a symmetric tensor such as an inertia, turned with the rotation `r`. @public */
export function mat3RotateTensor(
	out: Float64Array,
	a: Float64Array,
	r: Float64Array,
	outOffset: number = 0,
	aOffset: number = 0,
	rOffset: number = 0,
): Float64Array {
	const r0 = r[rOffset]!;
	const r1 = r[rOffset + 1]!;
	const r2 = r[rOffset + 2]!;
	const r3 = r[rOffset + 3]!;
	const r4 = r[rOffset + 4]!;
	const r5 = r[rOffset + 5]!;
	const r6 = r[rOffset + 6]!;
	const r7 = r[rOffset + 7]!;
	const r8 = r[rOffset + 8]!;
	mat3Multiply(out, a, r, outOffset, aOffset, rOffset);
	// left factor rᵀ, column by column of the product
	for (let column = 0; column < 3; column++) {
		const at = outOffset + column;
		const x = out[at]!;
		const y = out[at + 3]!;
		const z = out[at + 6]!;
		out[at] = r0 * x + r3 * y + r6 * z;
		out[at + 3] = r1 * x + r4 * y + r7 * z;
		out[at + 6] = r2 * x + r5 * y + r8 * z;
	}
	return out;
}
