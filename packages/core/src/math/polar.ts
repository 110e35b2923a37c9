import { jacobiTangent, rotateRows } from './jacobi.ts';
import { mat3Copy, mat3Determinant, mat3Diagonal, mat3ToQuat } from './mat3.ts';
import { mat4ToMat3 } from './mat4.ts';
import { vec3Cross, vec3Dot, vec3Length, vec3Normalize, vec3Scale } from './vec3.ts';

const SWEEPS = 30;
const TOLERANCE = 1e-16;
// below this share of the largest stretch a direction cannot be told from nothing
const VANISHING = 1e-120;

/**
 * Factors a 3 × 3 matrix into `m = stretch · rotation`: in the row-vector convention the symmetric stretch acts first.
 *
 * The rotation is the orthogonal matrix nearest to `m`; its determinant is -1 when `m` mirrors. Singular matrices are factored
 * too: the rotation is then one of several that fit. None of the arrays may overlap.
 * @public
 */
export function mat3Polar(
	rotation: Float64Array,
	stretch: Float64Array,
	m: Float64Array,
	rotationOffset: number = 0,
	stretchOffset: number = 0,
	mOffset: number = 0,
): void {
	// one-sided Jacobi: turn the rows of m until they are orthogonal, V · m = diag(s) · W, then
	// m = (Vᵀ · diag(s) · V) · (Vᵀ · W); `rotation` holds W and `stretch` holds V meanwhile
	const w0 = rotationOffset;
	const w1 = rotationOffset + 3;
	const w2 = rotationOffset + 6;
	const v0 = stretchOffset;
	mat3Copy(rotation, m, rotationOffset, mOffset);
	mat3Diagonal(stretch, 1, 1, 1, stretchOffset);
	const unit = powerOfTwo(rotation, rotationOffset);
	for (let i = 0; i < 9; i++) rotation[w0 + i] = rotation[w0 + i]! / unit;
	for (let sweep = 0; sweep < SWEEPS; sweep++) {
		const turned01 = orthogonalize(rotation, stretch, w0, w1, v0, v0 + 3);
		const turned02 = orthogonalize(rotation, stretch, w0, w2, v0, v0 + 6);
		const turned12 = orthogonalize(rotation, stretch, w1, w2, v0 + 3, v0 + 6);
		if (!turned01 && !turned02 && !turned12) break;
	}
	const s0 = vec3Length(rotation, w0);
	const s1 = vec3Length(rotation, w1);
	const s2 = vec3Length(rotation, w2);
	completeRows(rotation, stretch, rotationOffset, stretchOffset, s0, s1, s2);
	multiplyTransposed(rotation, stretch, rotationOffset, stretchOffset);
	conjugateDiagonal(stretch, s0 * unit, s1 * unit, s2 * unit, stretchOffset);
}

/**
 * Factors an affine 4 × 4 matrix into scale, then rotation, then translation (the reverse of {@link mat4FromTrs}).
 *
 * Gives the shear left over: the largest off-diagonal element of the stretch as a share of its largest diagonal one, 0 to rounding
 * when the three factors reproduce the matrix. A mirroring matrix gets a negative x scale. `scratch` holds 27 f64.
 * @public
 */
export function mat4ToTrs(
	translation: Float64Array,
	rotation: Float64Array,
	scale: Float64Array,
	m: Float64Array,
	scratch: Float64Array,
	mOffset: number = 0,
): number {
	mat4ToMat3(scratch, m, 18, mOffset);
	mat3Polar(scratch, scratch, scratch, 0, 9, 18);
	if (mat3Determinant(scratch) < 0) {
		vec3Scale(scratch, scratch, -1);
		scale[0] = -scratch[9]!;
	} else {
		scale[0] = scratch[9]!;
	}
	scale[1] = scratch[13]!;
	scale[2] = scratch[17]!;
	for (let i = 0; i < 3; i++) translation[i] = m[mOffset + 12 + i]!;
	mat3ToQuat(rotation, scratch);
	const shear = Math.max(Math.abs(scratch[10]!), Math.abs(scratch[11]!), Math.abs(scratch[14]!));
	const size = Math.max(scratch[9]!, scratch[13]!, scratch[17]!);
	return size > 0 ? shear / size : 0;
}

/** The power of two at or below the largest absolute element: dividing by it is exact and keeps squares in range. */
function powerOfTwo(m: Float64Array, offset: number): number {
	let largest = 0;
	for (let i = 0; i < 9; i++) largest = Math.max(largest, Math.abs(m[offset + i]!));
	return largest > 0 && largest < Number.POSITIVE_INFINITY ? 2 ** Math.max(Math.floor(Math.log2(largest)), -1000) : 1;
}

/** Turns rows p and q of w, and of v with them, so that the former are orthogonal; tells whether it had to. */
function orthogonalize(w: Float64Array, v: Float64Array, wp: number, wq: number, vp: number, vq: number): boolean {
	const pp = vec3Dot(w, w, wp, wp);
	const qq = vec3Dot(w, w, wq, wq);
	const pq = vec3Dot(w, w, wp, wq);
	if (!(Math.abs(pq) > TOLERANCE * Math.sqrt(pp) * Math.sqrt(qq))) return false;
	const t = jacobiTangent(pp, qq, pq);
	const c = 1 / Math.sqrt(1 + t * t);
	rotateRows(w, wp, wq, c, t * c);
	rotateRows(v, vp, vq, c, t * c);
	return t !== 0;
}

/** Makes the rows of w unit vectors; vanishing ones are chosen so that w is right-handed, and close to v. */
function completeRows(
	w: Float64Array,
	v: Float64Array,
	wOffset: number,
	vOffset: number,
	s0: number,
	s1: number,
	s2: number,
): void {
	const bound = VANISHING * Math.max(s0, s1, s2);
	const has0 = s0 > bound;
	const has1 = s1 > bound;
	const has2 = s2 > bound;
	for (let row = 0; row < 9; row += 3) vec3Normalize(w, w, wOffset + row, wOffset + row);
	const rank = Number(has0) + Number(has1) + Number(has2);
	if (rank === 3) return;
	if (rank === 0) {
		mat3Copy(w, v, wOffset, vOffset);
		return;
	}
	let missing = has0 ? (has1 ? 2 : 1) : 0;
	if (rank === 1) {
		// the row after the present one: that of v made square to it, or any when they are parallel
		const present = has0 ? 0 : has1 ? 1 : 2;
		const second = (present + 1) % 3;
		missing = (present + 2) % 3;
		const p = wOffset + 3 * present;
		const q = wOffset + 3 * second;
		for (let axis = -1; axis < 3; axis++) {
			for (let i = 0; i < 3; i++) w[q + i] = axis < 0 ? v[vOffset + 3 * second + i]! : Number(i === axis);
			const share = vec3Dot(w, w, p, q);
			for (let i = 0; i < 3; i++) w[q + i] = w[q + i]! - share * w[p + i]!;
			if (vec3Normalize(w, w, q, q) > 0.1) break;
		}
	}
	const next = wOffset + 3 * ((missing + 1) % 3);
	vec3Cross(w, w, w, wOffset + 3 * missing, next, wOffset + 3 * ((missing + 2) % 3));
}

/** `w = vᵀ · w`. */
function multiplyTransposed(w: Float64Array, v: Float64Array, wOffset: number, vOffset: number): void {
	for (let column = wOffset; column < wOffset + 3; column++) {
		const x = w[column]!;
		const y = w[column + 3]!;
		const z = w[column + 6]!;
		for (let i = 0; i < 3; i++) {
			w[column + 3 * i] = v[vOffset + i]! * x + v[vOffset + 3 + i]! * y + v[vOffset + 6 + i]! * z;
		}
	}
}

/** `v = vᵀ · diag(x, y, z) · v`. */
function conjugateDiagonal(v: Float64Array, x: number, y: number, z: number, offset: number): void {
	const a0 = v[offset]!;
	const a1 = v[offset + 1]!;
	const a2 = v[offset + 2]!;
	const b0 = v[offset + 3]!;
	const b1 = v[offset + 4]!;
	const b2 = v[offset + 5]!;
	const c0 = v[offset + 6]!;
	const c1 = v[offset + 7]!;
	const c2 = v[offset + 8]!;
	v[offset] = x * a0 * a0 + y * b0 * b0 + z * c0 * c0;
	v[offset + 4] = x * a1 * a1 + y * b1 * b1 + z * c1 * c1;
	v[offset + 8] = x * a2 * a2 + y * b2 * b2 + z * c2 * c2;
	v[offset + 1] = x * a0 * a1 + y * b0 * b1 + z * c0 * c1;
	v[offset + 2] = x * a0 * a2 + y * b0 * b2 + z * c0 * c2;
	v[offset + 5] = x * a1 * a2 + y * b1 * b2 + z * c1 * c2;
	v[offset + 3] = v[offset + 1]!;
	v[offset + 6] = v[offset + 2]!;
	v[offset + 7] = v[offset + 5]!;
}
