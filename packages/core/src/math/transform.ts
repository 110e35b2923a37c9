import { mat4FromTrs } from './mat4.ts';
import { quatConjugate, quatMultiply, quatRotate, quatRotateInverse } from './quat.ts';

// Rigid transforms of seven f64: position x y z [m], then a unit quaternion x y z w. A transform is the pose of a frame
// in another: it takes coordinates in the inner frame to coordinates in the outer one. A product applies its right factor
// first, as quaternions do.

/** Number of f64 of a transform. @public */
export const TRANSFORM_SIZE = 7;

/** The pose of a frame in itself. @public */
export function transformIdentity(out: Float64Array, outOffset: number = 0): Float64Array {
	out.fill(0, outOffset, outOffset + 6);
	out[outOffset + 6] = 1;
	return out;
}

/** `out = a`. @public */
export function transformCopy(
	out: Float64Array,
	a: Float64Array,
	outOffset: number = 0,
	aOffset: number = 0,
): Float64Array {
	for (let i = 0; i < TRANSFORM_SIZE; i++) out[outOffset + i] = a[aOffset + i]!;
	return out;
}

/** `out = a · b`: the pose of C in A from those of B in A and of C in B. @public */
export function transformMultiply(
	out: Float64Array,
	a: Float64Array,
	b: Float64Array,
	outOffset: number = 0,
	aOffset: number = 0,
	bOffset: number = 0,
): Float64Array {
	const ax = a[aOffset]!;
	const ay = a[aOffset + 1]!;
	const az = a[aOffset + 2]!;
	const aqx = a[aOffset + 3]!;
	const aqy = a[aOffset + 4]!;
	const aqz = a[aOffset + 5]!;
	const aqw = a[aOffset + 6]!;
	const bx = b[bOffset]!;
	const by = b[bOffset + 1]!;
	const bz = b[bOffset + 2]!;
	quatMultiply(out, a, b, outOffset + 3, aOffset + 3, bOffset + 3);
	const tx = 2 * (aqy * bz - aqz * by);
	const ty = 2 * (aqz * bx - aqx * bz);
	const tz = 2 * (aqx * by - aqy * bx);
	out[outOffset] = ax + bx + aqw * tx + (aqy * tz - aqz * ty);
	out[outOffset + 1] = ay + by + aqw * ty + (aqz * tx - aqx * tz);
	out[outOffset + 2] = az + bz + aqw * tz + (aqx * ty - aqy * tx);
	return out;
}

/** `out · a = 1`: the pose of the outer frame in the inner one. @public */
export function transformInvert(
	out: Float64Array,
	a: Float64Array,
	outOffset: number = 0,
	aOffset: number = 0,
): Float64Array {
	quatRotateInverse(out, a, a, outOffset, aOffset + 3, aOffset);
	for (let i = 0; i < 3; i++) out[outOffset + i] = -out[outOffset + i]!;
	return quatConjugate(out, a, outOffset + 3, aOffset + 3);
}

/** Takes a point from the inner frame to the outer one. @public */
export function transformPoint(
	out: Float64Array,
	transform: Float64Array,
	p: Float64Array,
	outOffset: number = 0,
	transformOffset: number = 0,
	pOffset: number = 0,
): Float64Array {
	quatRotate(out, transform, p, outOffset, transformOffset + 3, pOffset);
	for (let i = 0; i < 3; i++) out[outOffset + i] = out[outOffset + i]! + transform[transformOffset + i]!;
	return out;
}

/** Takes a point from the outer frame to the inner one. @public */
export function transformPointInverse(
	out: Float64Array,
	transform: Float64Array,
	p: Float64Array,
	outOffset: number = 0,
	transformOffset: number = 0,
	pOffset: number = 0,
): Float64Array {
	for (let i = 0; i < 3; i++) out[outOffset + i] = p[pOffset + i]! - transform[transformOffset + i]!;
	return quatRotateInverse(out, transform, out, outOffset, transformOffset + 3, outOffset);
}

/** Takes a direction from the inner frame to the outer one. @public */
export function transformVector(
	out: Float64Array,
	transform: Float64Array,
	v: Float64Array,
	outOffset: number = 0,
	transformOffset: number = 0,
	vOffset: number = 0,
): Float64Array {
	return quatRotate(out, transform, v, outOffset, transformOffset + 3, vOffset);
}

/** The 4 × 4 matrix of a transform, in the row-vector convention of `mat4.ts`. @public */
export function transformToMat4(
	out: Float64Array,
	transform: Float64Array,
	outOffset: number = 0,
	transformOffset: number = 0,
): Float64Array {
	return mat4FromTrs(out, transform, transform, UNIT_SCALE, outOffset, transformOffset, transformOffset + 3);
}

const UNIT_SCALE: Float64Array = Float64Array.of(1, 1, 1);
