import { quatRotate, quatRotateInverse } from './quat.ts';

// Spatial vectors of six f64, the linear part before the angular one, at the origin of the frame they are expressed in.
// A motion is (velocity of the body point at the origin [m/s], angular velocity [rad/s]); a force is (force [N], moment
// about the origin [N m]). A transform, as in `transform.ts`, is the pose of the inner frame in the outer one.

/** Number of f64 of a spatial vector. @public */
export const SPATIAL_SIZE = 6;

/** Power of a force on a motion [W]. @public */
export function spatialDot(
	motion: Float64Array,
	force: Float64Array,
	motionOffset: number = 0,
	forceOffset: number = 0,
): number {
	let sum = 0;
	for (let i = 0; i < SPATIAL_SIZE; i++) sum += motion[motionOffset + i]! * force[forceOffset + i]!;
	return sum;
}

/** `out = a ×ₘ b`: the rate of motion `b` when it moves with motion `a`. @public */
export function spatialCrossMotion(
	out: Float64Array,
	a: Float64Array,
	b: Float64Array,
	outOffset: number = 0,
	aOffset: number = 0,
	bOffset: number = 0,
): Float64Array {
	const vx = a[aOffset]!;
	const vy = a[aOffset + 1]!;
	const vz = a[aOffset + 2]!;
	const wx = a[aOffset + 3]!;
	const wy = a[aOffset + 4]!;
	const wz = a[aOffset + 5]!;
	const lx = b[bOffset]!;
	const ly = b[bOffset + 1]!;
	const lz = b[bOffset + 2]!;
	const rx = b[bOffset + 3]!;
	const ry = b[bOffset + 4]!;
	const rz = b[bOffset + 5]!;
	out[outOffset] = wy * lz - wz * ly + (vy * rz - vz * ry);
	out[outOffset + 1] = wz * lx - wx * lz + (vz * rx - vx * rz);
	out[outOffset + 2] = wx * ly - wy * lx + (vx * ry - vy * rx);
	out[outOffset + 3] = wy * rz - wz * ry;
	out[outOffset + 4] = wz * rx - wx * rz;
	out[outOffset + 5] = wx * ry - wy * rx;
	return out;
}

/** `out = a ×f b`: the rate of force `b` when it moves with motion `a`. @public */
export function spatialCrossForce(
	out: Float64Array,
	a: Float64Array,
	b: Float64Array,
	outOffset: number = 0,
	aOffset: number = 0,
	bOffset: number = 0,
): Float64Array {
	const vx = a[aOffset]!;
	const vy = a[aOffset + 1]!;
	const vz = a[aOffset + 2]!;
	const wx = a[aOffset + 3]!;
	const wy = a[aOffset + 4]!;
	const wz = a[aOffset + 5]!;
	const fx = b[bOffset]!;
	const fy = b[bOffset + 1]!;
	const fz = b[bOffset + 2]!;
	const mx = b[bOffset + 3]!;
	const my = b[bOffset + 4]!;
	const mz = b[bOffset + 5]!;
	out[outOffset] = wy * fz - wz * fy;
	out[outOffset + 1] = wz * fx - wx * fz;
	out[outOffset + 2] = wx * fy - wy * fx;
	out[outOffset + 3] = wy * mz - wz * my + (vy * fz - vz * fy);
	out[outOffset + 4] = wz * mx - wx * mz + (vz * fx - vx * fz);
	out[outOffset + 5] = wx * my - wy * mx + (vx * fy - vy * fx);
	return out;
}

/** Expresses a motion of the inner frame in the outer one. @public */
export function spatialTransformMotion(
	out: Float64Array,
	transform: Float64Array,
	motion: Float64Array,
	outOffset: number = 0,
	transformOffset: number = 0,
	motionOffset: number = 0,
): Float64Array {
	return toOuter(out, transform, motion, outOffset, transformOffset, motionOffset, 0, 3);
}

/** Expresses a motion of the outer frame in the inner one. @public */
export function spatialTransformMotionInverse(
	out: Float64Array,
	transform: Float64Array,
	motion: Float64Array,
	outOffset: number = 0,
	transformOffset: number = 0,
	motionOffset: number = 0,
): Float64Array {
	return toInner(out, transform, motion, outOffset, transformOffset, motionOffset, 0, 3);
}

/** Expresses a force of the inner frame in the outer one. @public */
export function spatialTransformForce(
	out: Float64Array,
	transform: Float64Array,
	force: Float64Array,
	outOffset: number = 0,
	transformOffset: number = 0,
	forceOffset: number = 0,
): Float64Array {
	return toOuter(out, transform, force, outOffset, transformOffset, forceOffset, 3, 0);
}

/** Expresses a force of the outer frame in the inner one. @public */
export function spatialTransformForceInverse(
	out: Float64Array,
	transform: Float64Array,
	force: Float64Array,
	outOffset: number = 0,
	transformOffset: number = 0,
	forceOffset: number = 0,
): Float64Array {
	return toInner(out, transform, force, outOffset, transformOffset, forceOffset, 3, 0);
}

// the part at `free` is only rotated; the part at `moved` also gains position × free part

function toOuter(
	out: Float64Array,
	transform: Float64Array,
	v: Float64Array,
	outOffset: number,
	transformOffset: number,
	vOffset: number,
	moved: number,
	free: number,
): Float64Array {
	quatRotate(out, transform, v, outOffset, transformOffset + 3, vOffset);
	quatRotate(out, transform, v, outOffset + 3, transformOffset + 3, vOffset + 3);
	addCross(out, transform, 1, outOffset + moved, transformOffset, outOffset + free);
	return out;
}

function toInner(
	out: Float64Array,
	transform: Float64Array,
	v: Float64Array,
	outOffset: number,
	transformOffset: number,
	vOffset: number,
	moved: number,
	free: number,
): Float64Array {
	for (let i = 0; i < SPATIAL_SIZE; i++) out[outOffset + i] = v[vOffset + i]!;
	addCross(out, transform, -1, outOffset + moved, transformOffset, outOffset + free);
	quatRotateInverse(out, transform, out, outOffset, transformOffset + 3, outOffset);
	return quatRotateInverse(out, transform, out, outOffset + 3, transformOffset + 3, outOffset + 3);
}

/** `out[target] += sign · p × out[source]`. */
function addCross(
	out: Float64Array,
	p: Float64Array,
	sign: number,
	target: number,
	pOffset: number,
	source: number,
): void {
	const px = p[pOffset]! * sign;
	const py = p[pOffset + 1]! * sign;
	const pz = p[pOffset + 2]! * sign;
	const x = out[source]!;
	const y = out[source + 1]!;
	const z = out[source + 2]!;
	out[target] = out[target]! + py * z - pz * y;
	out[target + 1] = out[target + 1]! + pz * x - px * z;
	out[target + 2] = out[target + 2]! + px * y - py * x;
}
