import { mat3FromQuat } from './mat3.ts';

// Matrices of 4 × 4 f64, row after row, in USD's convention: a point is a row (x y z 1) and stands on the left,
// `p' = p · M`. A product `A · B` applies A first; the translation is the last row, at indices 12 to 14.

/** The matrix that changes nothing. @public */
export function mat4Identity(out: Float64Array, outOffset: number = 0): Float64Array {
	out.fill(0, outOffset, outOffset + 16);
	for (let i = 0; i < 16; i += 5) out[outOffset + i] = 1;
	return out;
}

/** `out = a`. @public */
export function mat4Copy(out: Float64Array, a: Float64Array, outOffset: number = 0, aOffset: number = 0): Float64Array {
	for (let i = 0; i < 16; i++) out[outOffset + i] = a[aOffset + i]!;
	return out;
}

/** `out = a · b`: `a` is applied first. @public */
export function mat4Multiply(
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
	const b9 = b[bOffset + 9]!;
	const b10 = b[bOffset + 10]!;
	const b11 = b[bOffset + 11]!;
	const b12 = b[bOffset + 12]!;
	const b13 = b[bOffset + 13]!;
	const b14 = b[bOffset + 14]!;
	const b15 = b[bOffset + 15]!;
	// row by row, so that `out` may be `a`
	for (let row = 0; row < 16; row += 4) {
		const x = a[aOffset + row]!;
		const y = a[aOffset + row + 1]!;
		const z = a[aOffset + row + 2]!;
		const w = a[aOffset + row + 3]!;
		out[outOffset + row] = x * b0 + y * b4 + z * b8 + w * b12;
		out[outOffset + row + 1] = x * b1 + y * b5 + z * b9 + w * b13;
		out[outOffset + row + 2] = x * b2 + y * b6 + z * b10 + w * b14;
		out[outOffset + row + 3] = x * b3 + y * b7 + z * b11 + w * b15;
	}
	return out;
}

/** `out = aᵀ`. @public */
export function mat4Transpose(
	out: Float64Array,
	a: Float64Array,
	outOffset: number = 0,
	aOffset: number = 0,
): Float64Array {
	for (let row = 0; row < 4; row++) {
		for (let column = row; column < 4; column++) {
			const upper = a[aOffset + row * 4 + column]!;
			out[outOffset + row * 4 + column] = a[aOffset + column * 4 + row]!;
			out[outOffset + column * 4 + row] = upper;
		}
	}
	return out;
}

/** Determinant. @public */
export function mat4Determinant(a: Float64Array, aOffset: number = 0): number {
	const a0 = a[aOffset]!;
	const a1 = a[aOffset + 1]!;
	const a2 = a[aOffset + 2]!;
	const a3 = a[aOffset + 3]!;
	const a4 = a[aOffset + 4]!;
	const a5 = a[aOffset + 5]!;
	const a6 = a[aOffset + 6]!;
	const a7 = a[aOffset + 7]!;
	const a8 = a[aOffset + 8]!;
	const a9 = a[aOffset + 9]!;
	const a10 = a[aOffset + 10]!;
	const a11 = a[aOffset + 11]!;
	const a12 = a[aOffset + 12]!;
	const a13 = a[aOffset + 13]!;
	const a14 = a[aOffset + 14]!;
	const a15 = a[aOffset + 15]!;
	// minors of the upper and of the lower two rows (Laplace expansion)
	const u01 = a0 * a5 - a1 * a4;
	const u02 = a0 * a6 - a2 * a4;
	const u03 = a0 * a7 - a3 * a4;
	const u12 = a1 * a6 - a2 * a5;
	const u13 = a1 * a7 - a3 * a5;
	const u23 = a2 * a7 - a3 * a6;
	const l01 = a8 * a13 - a9 * a12;
	const l02 = a8 * a14 - a10 * a12;
	const l03 = a8 * a15 - a11 * a12;
	const l12 = a9 * a14 - a10 * a13;
	const l13 = a9 * a15 - a11 * a13;
	const l23 = a10 * a15 - a11 * a14;
	return u01 * l23 - u02 * l13 + u03 * l12 + u12 * l03 - u13 * l02 + u23 * l01;
}

/** `out = a⁻¹`. Gives the determinant; when that is 0 the matrix has no inverse and `out` is zero. @public */
export function mat4Invert(out: Float64Array, a: Float64Array, outOffset: number = 0, aOffset: number = 0): number {
	const a0 = a[aOffset]!;
	const a1 = a[aOffset + 1]!;
	const a2 = a[aOffset + 2]!;
	const a3 = a[aOffset + 3]!;
	const a4 = a[aOffset + 4]!;
	const a5 = a[aOffset + 5]!;
	const a6 = a[aOffset + 6]!;
	const a7 = a[aOffset + 7]!;
	const a8 = a[aOffset + 8]!;
	const a9 = a[aOffset + 9]!;
	const a10 = a[aOffset + 10]!;
	const a11 = a[aOffset + 11]!;
	const a12 = a[aOffset + 12]!;
	const a13 = a[aOffset + 13]!;
	const a14 = a[aOffset + 14]!;
	const a15 = a[aOffset + 15]!;
	// minors of the upper and of the lower two rows (Laplace expansion)
	const u01 = a0 * a5 - a1 * a4;
	const u02 = a0 * a6 - a2 * a4;
	const u03 = a0 * a7 - a3 * a4;
	const u12 = a1 * a6 - a2 * a5;
	const u13 = a1 * a7 - a3 * a5;
	const u23 = a2 * a7 - a3 * a6;
	const l01 = a8 * a13 - a9 * a12;
	const l02 = a8 * a14 - a10 * a12;
	const l03 = a8 * a15 - a11 * a12;
	const l12 = a9 * a14 - a10 * a13;
	const l13 = a9 * a15 - a11 * a13;
	const l23 = a10 * a15 - a11 * a14;
	const determinant = u01 * l23 - u02 * l13 + u03 * l12 + u12 * l03 - u13 * l02 + u23 * l01;
	const d = determinant === 0 ? 0 : 1 / determinant;
	out[outOffset] = (a5 * l23 - a6 * l13 + a7 * l12) * d;
	out[outOffset + 1] = (a2 * l13 - a1 * l23 - a3 * l12) * d;
	out[outOffset + 2] = (a13 * u23 - a14 * u13 + a15 * u12) * d;
	out[outOffset + 3] = (a10 * u13 - a9 * u23 - a11 * u12) * d;
	out[outOffset + 4] = (a6 * l03 - a4 * l23 - a7 * l02) * d;
	out[outOffset + 5] = (a0 * l23 - a2 * l03 + a3 * l02) * d;
	out[outOffset + 6] = (a14 * u03 - a12 * u23 - a15 * u02) * d;
	out[outOffset + 7] = (a8 * u23 - a10 * u03 + a11 * u02) * d;
	out[outOffset + 8] = (a4 * l13 - a5 * l03 + a7 * l01) * d;
	out[outOffset + 9] = (a1 * l03 - a0 * l13 - a3 * l01) * d;
	out[outOffset + 10] = (a12 * u13 - a13 * u03 + a15 * u01) * d;
	out[outOffset + 11] = (a9 * u03 - a8 * u13 - a11 * u01) * d;
	out[outOffset + 12] = (a5 * l02 - a4 * l12 - a6 * l01) * d;
	out[outOffset + 13] = (a0 * l12 - a1 * l02 + a2 * l01) * d;
	out[outOffset + 14] = (a13 * u02 - a12 * u12 - a14 * u01) * d;
	out[outOffset + 15] = (a8 * u12 - a9 * u02 + a10 * u01) * d;
	return determinant;
}

/** The image of a point under an affine matrix: `(p 1) · m` without its fourth component. @public */
export function mat4TransformPoint(
	out: Float64Array,
	p: Float64Array,
	m: Float64Array,
	outOffset: number = 0,
	pOffset: number = 0,
	mOffset: number = 0,
): Float64Array {
	mat4TransformDirection(out, p, m, outOffset, pOffset, mOffset);
	for (let i = 0; i < 3; i++) out[outOffset + i] = out[outOffset + i]! + m[mOffset + 12 + i]!;
	return out;
}

/** The image of a direction: as {@link mat4TransformPoint} without the translation. @public */
export function mat4TransformDirection(
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
	out[outOffset] = x * m[mOffset]! + y * m[mOffset + 4]! + z * m[mOffset + 8]!;
	out[outOffset + 1] = x * m[mOffset + 1]! + y * m[mOffset + 5]! + z * m[mOffset + 9]!;
	out[outOffset + 2] = x * m[mOffset + 2]! + y * m[mOffset + 6]! + z * m[mOffset + 10]!;
	return out;
}

/** The upper left 3 × 3 part, as a matrix of `mat3.ts`. @public */
export function mat4ToMat3(
	out: Float64Array,
	m: Float64Array,
	outOffset: number = 0,
	mOffset: number = 0,
): Float64Array {
	for (let row = 0; row < 3; row++) {
		for (let column = 0; column < 3; column++) {
			out[outOffset + row * 3 + column] = m[mOffset + row * 4 + column]!;
		}
	}
	return out;
}

/** The affine matrix that scales, then rotates by a unit quaternion, then translates. @public */
export function mat4FromTrs(
	out: Float64Array,
	translation: Float64Array,
	rotation: Float64Array,
	scale: Float64Array,
	outOffset: number = 0,
	translationOffset: number = 0,
	rotationOffset: number = 0,
	scaleOffset: number = 0,
): Float64Array {
	const sx = scale[scaleOffset]!;
	const sy = scale[scaleOffset + 1]!;
	const sz = scale[scaleOffset + 2]!;
	const tx = translation[translationOffset]!;
	const ty = translation[translationOffset + 1]!;
	const tz = translation[translationOffset + 2]!;
	mat3FromQuat(out, rotation, outOffset, rotationOffset);
	// spread the nine numbers over rows of four, from the last to the first
	for (let row = 2; row >= 0; row--) {
		const factor = row === 0 ? sx : row === 1 ? sy : sz;
		for (let column = 2; column >= 0; column--) {
			out[outOffset + row * 4 + column] = out[outOffset + row * 3 + column]! * factor;
		}
	}
	out[outOffset + 3] = 0;
	out[outOffset + 7] = 0;
	out[outOffset + 11] = 0;
	out[outOffset + 12] = tx;
	out[outOffset + 13] = ty;
	out[outOffset + 14] = tz;
	out[outOffset + 15] = 1;
	return out;
}
