import {
	mat3Determinant,
	mat3FromQuat,
	mat3Multiply,
	mat3Polar,
	mat3ToQuat,
	mat4ToMat3,
} from '@manyworlds/core/internal';

// Row vectors as in USD: p' = p · m, 4 × 4 matrices are 16 doubles row by row, 3 × 3 ones nine.

/** A matrix split into a stretch that acts first, a proper rotation, and a translation: m = P · Q, then t. */
export interface SplitMatrix {
	/** Symmetric; negative where the matrix mirrors. */
	readonly stretch: Float64Array;
	/** 3 × 3, determinant +1. */
	readonly rotation: Float64Array;
	/** Quaternion x, y, z, w of the rotation, w ≥ 0. */
	readonly orient: Float64Array;
	readonly translation: Float64Array;
}

/** How a stretch acts. */
export type StretchKind = 'identity' | 'uniform' | 'diagonal' | 'general';

/** Below this a stretch is none. */
export const STRETCH_TOLERANCE = 1e-6;

/** Splits an affine matrix; undefined when it is not affine, not finite or flattens space. */
export function splitMatrix(m: Float64Array): SplitMatrix | undefined {
	for (let i = 0; i < 16; i++) if (!Number.isFinite(m[i])) return undefined;
	if (Math.abs(m[3]!) + Math.abs(m[7]!) + Math.abs(m[11]!) > 1e-12 || Math.abs(m[15]! - 1) > 1e-12) return undefined;
	const a = linearPart(m);
	let norm = 0;
	for (const entry of a) norm = Math.max(norm, Math.abs(entry));
	if (!(Math.abs(mat3Determinant(a)) > 1e-12 * norm ** 3)) return undefined;
	const rotation = new Float64Array(9);
	const stretch = new Float64Array(9);
	mat3Polar(rotation, stretch, a);
	if (mat3Determinant(rotation) < 0) {
		for (let i = 0; i < 9; i++) {
			rotation[i] = -rotation[i]!;
			stretch[i] = -stretch[i]!;
		}
	}
	// what rounding leaves of a symmetric matrix
	for (const [i, j] of [
		[1, 3],
		[2, 6],
		[5, 7],
	] as const) {
		const mean = (stretch[i]! + stretch[j]!) / 2;
		stretch[i] = mean;
		stretch[j] = mean;
	}
	return { stretch, rotation, orient: quaternionOf(rotation), translation: m.slice(12, 15) };
}

/** Quaternion x, y, z, w of a rotation, of unit length and with w ≥ 0. */
export function quaternionOf(rotation: Float64Array): Float64Array {
	const q = new Float64Array(4);
	mat3ToQuat(q, rotation);
	const length = Math.hypot(q[0]!, q[1]!, q[2]!, q[3]!) * (q[3]! < 0 ? -1 : 1);
	for (let i = 0; i < 4; i++) q[i] = q[i]! / length + 0;
	return q;
}

/** Rotation matrix of a quaternion x, y, z, w of any length; the identity for none. */
export function rotationOf(q: ArrayLike<number>): Float64Array {
	const length = Math.hypot(q[0]!, q[1]!, q[2]!, q[3]!);
	const unit = length > 0 ? Float64Array.from([0, 1, 2, 3], (i) => q[i]! / length) : Float64Array.of(0, 0, 0, 1);
	return mat3FromQuat(new Float64Array(9), unit);
}

/** How a stretch acts, within a tolerance relative to its size. */
export function stretchKind(p: Float64Array, tolerance: number = STRETCH_TOLERANCE): StretchKind {
	const size = Math.max(Math.abs(p[0]!), Math.abs(p[4]!), Math.abs(p[8]!), 1e-300);
	const off = Math.max(Math.abs(p[1]!), Math.abs(p[2]!), Math.abs(p[5]!));
	if (off > tolerance * size) return 'general';
	if (Math.abs(p[0]! - p[4]!) > tolerance * size || Math.abs(p[0]! - p[8]!) > tolerance * size) return 'diagonal';
	return Math.abs(p[0]! - 1) <= tolerance ? 'identity' : 'uniform';
}

/** The linear part of a 4 × 4 matrix. */
export function linearPart(m: Float64Array): Float64Array {
	return mat4ToMat3(new Float64Array(9), m);
}

/** A 4 × 4 matrix of a linear part and a translation. */
export function affine(a: ArrayLike<number>, t: ArrayLike<number>): Float64Array {
	return Float64Array.of(
		a[0]!,
		a[1]!,
		a[2]!,
		0,
		a[3]!,
		a[4]!,
		a[5]!,
		0,
		a[6]!,
		a[7]!,
		a[8]!,
		0,
		t[0]!,
		t[1]!,
		t[2]!,
		1,
	);
}

/** p · a for a row vector. */
export function applyLinear(p: ArrayLike<number>, a: ArrayLike<number>): Float64Array {
	return Float64Array.of(
		p[0]! * a[0]! + p[1]! * a[3]! + p[2]! * a[6]!,
		p[0]! * a[1]! + p[1]! * a[4]! + p[2]! * a[7]!,
		p[0]! * a[2]! + p[1]! * a[5]! + p[2]! * a[8]!,
	);
}

/** p · m for a point. */
export function applyMatrix(p: ArrayLike<number>, m: ArrayLike<number>): Float64Array {
	return Float64Array.of(
		p[0]! * m[0]! + p[1]! * m[4]! + p[2]! * m[8]! + m[12]!,
		p[0]! * m[1]! + p[1]! * m[5]! + p[2]! * m[9]! + m[13]!,
		p[0]! * m[2]! + p[1]! * m[6]! + p[2]! * m[10]! + m[14]!,
	);
}

/** The product of two 3 × 3 matrices, `a` first for row vectors. */
export function multiply3(a: Float64Array, b: Float64Array): Float64Array {
	return mat3Multiply(new Float64Array(9), a, b);
}

export function transpose3(a: ArrayLike<number>): Float64Array {
	return Float64Array.of(a[0]!, a[3]!, a[6]!, a[1]!, a[4]!, a[7]!, a[2]!, a[5]!, a[8]!);
}

/** The inverse transpose of a 3 × 3 matrix times its determinant: how normals turn. */
export function cofactors3(a: ArrayLike<number>): Float64Array {
	return Float64Array.of(
		a[4]! * a[8]! - a[5]! * a[7]!,
		a[5]! * a[6]! - a[3]! * a[8]!,
		a[3]! * a[7]! - a[4]! * a[6]!,
		a[2]! * a[7]! - a[1]! * a[8]!,
		a[0]! * a[8]! - a[2]! * a[6]!,
		a[1]! * a[6]! - a[0]! * a[7]!,
		a[1]! * a[5]! - a[2]! * a[4]!,
		a[2]! * a[3]! - a[0]! * a[5]!,
		a[0]! * a[4]! - a[1]! * a[3]!,
	);
}
