import { mat3FromQuat, mat3RotateTensor } from './mat3.ts';
import { quatRotate } from './quat.ts';

// Spatial inertias of ten f64: mass m [kg], first moment m·c [kg m], then Ixx Iyy Izz Ixy Ixz Iyz [kg m²] about the origin of
// the frame (not the centre of mass), products of inertia with the sign of the tensor. In this form inertias of bodies that
// move together simply add.

/** Number of f64 of a spatial inertia. @public */
export const SPATIAL_INERTIA_SIZE = 10;

/** Builds an inertia from mass [kg], centre of mass [m] and the 3 × 3 tensor about the centre of mass [kg m²]. @public */
export function inertiaFromMass(
	out: Float64Array,
	mass: number,
	com: Float64Array,
	tensor: Float64Array,
	outOffset: number = 0,
	comOffset: number = 0,
	tensorOffset: number = 0,
): Float64Array {
	const x = com[comOffset]!;
	const y = com[comOffset + 1]!;
	const z = com[comOffset + 2]!;
	const ixx = tensor[tensorOffset]! + mass * (y * y + z * z);
	const iyy = tensor[tensorOffset + 4]! + mass * (x * x + z * z);
	const izz = tensor[tensorOffset + 8]! + mass * (x * x + y * y);
	const ixy = tensor[tensorOffset + 1]! - mass * x * y;
	const ixz = tensor[tensorOffset + 2]! - mass * x * z;
	const iyz = tensor[tensorOffset + 5]! - mass * y * z;
	out[outOffset] = mass;
	out[outOffset + 1] = mass * x;
	out[outOffset + 2] = mass * y;
	out[outOffset + 3] = mass * z;
	out[outOffset + 4] = ixx;
	out[outOffset + 5] = iyy;
	out[outOffset + 6] = izz;
	out[outOffset + 7] = ixy;
	out[outOffset + 8] = ixz;
	out[outOffset + 9] = iyz;
	return out;
}

/** Gives the mass and writes the centre of mass and the 3 × 3 tensor about it; without mass the centre is the origin. @public */
export function inertiaToMass(
	com: Float64Array,
	tensor: Float64Array,
	inertia: Float64Array,
	comOffset: number = 0,
	tensorOffset: number = 0,
	inertiaOffset: number = 0,
): number {
	const mass = inertia[inertiaOffset]!;
	const inverse = mass === 0 ? 0 : 1 / mass;
	const x = inertia[inertiaOffset + 1]! * inverse;
	const y = inertia[inertiaOffset + 2]! * inverse;
	const z = inertia[inertiaOffset + 3]! * inverse;
	const ixy = inertia[inertiaOffset + 7]! + mass * x * y;
	const ixz = inertia[inertiaOffset + 8]! + mass * x * z;
	const iyz = inertia[inertiaOffset + 9]! + mass * y * z;
	tensor[tensorOffset] = inertia[inertiaOffset + 4]! - mass * (y * y + z * z);
	tensor[tensorOffset + 1] = ixy;
	tensor[tensorOffset + 2] = ixz;
	tensor[tensorOffset + 3] = ixy;
	tensor[tensorOffset + 4] = inertia[inertiaOffset + 5]! - mass * (x * x + z * z);
	tensor[tensorOffset + 5] = iyz;
	tensor[tensorOffset + 6] = ixz;
	tensor[tensorOffset + 7] = iyz;
	tensor[tensorOffset + 8] = inertia[inertiaOffset + 6]! - mass * (x * x + y * y);
	com[comOffset] = x;
	com[comOffset + 1] = y;
	com[comOffset + 2] = z;
	return mass;
}

/** `out = a + b`, both in the same frame. @public */
export function inertiaAdd(
	out: Float64Array,
	a: Float64Array,
	b: Float64Array,
	outOffset: number = 0,
	aOffset: number = 0,
	bOffset: number = 0,
): Float64Array {
	for (let i = 0; i < SPATIAL_INERTIA_SIZE; i++) out[outOffset + i] = a[aOffset + i]! + b[bOffset + i]!;
	return out;
}

/** The momentum, a spatial force, of an inertia that has a motion. @public */
export function inertiaApply(
	out: Float64Array,
	inertia: Float64Array,
	motion: Float64Array,
	outOffset: number = 0,
	inertiaOffset: number = 0,
	motionOffset: number = 0,
): Float64Array {
	const m = inertia[inertiaOffset]!;
	const hx = inertia[inertiaOffset + 1]!;
	const hy = inertia[inertiaOffset + 2]!;
	const hz = inertia[inertiaOffset + 3]!;
	const ixx = inertia[inertiaOffset + 4]!;
	const iyy = inertia[inertiaOffset + 5]!;
	const izz = inertia[inertiaOffset + 6]!;
	const ixy = inertia[inertiaOffset + 7]!;
	const ixz = inertia[inertiaOffset + 8]!;
	const iyz = inertia[inertiaOffset + 9]!;
	const vx = motion[motionOffset]!;
	const vy = motion[motionOffset + 1]!;
	const vz = motion[motionOffset + 2]!;
	const wx = motion[motionOffset + 3]!;
	const wy = motion[motionOffset + 4]!;
	const wz = motion[motionOffset + 5]!;
	out[outOffset] = m * vx + (wy * hz - wz * hy);
	out[outOffset + 1] = m * vy + (wz * hx - wx * hz);
	out[outOffset + 2] = m * vz + (wx * hy - wy * hx);
	out[outOffset + 3] = ixx * wx + ixy * wy + ixz * wz + (hy * vz - hz * vy);
	out[outOffset + 4] = ixy * wx + iyy * wy + iyz * wz + (hz * vx - hx * vz);
	out[outOffset + 5] = ixz * wx + iyz * wy + izz * wz + (hx * vy - hy * vx);
	return out;
}

/** Expresses an inertia of the inner frame of a transform in the outer one. `scratch` holds 18 f64. @public */
export function inertiaTransform(
	out: Float64Array,
	transform: Float64Array,
	inertia: Float64Array,
	scratch: Float64Array,
	outOffset: number = 0,
	transformOffset: number = 0,
	inertiaOffset: number = 0,
): Float64Array {
	const m = inertia[inertiaOffset]!;
	const px = transform[transformOffset]!;
	const py = transform[transformOffset + 1]!;
	const pz = transform[transformOffset + 2]!;
	const ixy = inertia[inertiaOffset + 7]!;
	const ixz = inertia[inertiaOffset + 8]!;
	const iyz = inertia[inertiaOffset + 9]!;
	scratch[0] = inertia[inertiaOffset + 4]!;
	scratch[1] = ixy;
	scratch[2] = ixz;
	scratch[3] = ixy;
	scratch[4] = inertia[inertiaOffset + 5]!;
	scratch[5] = iyz;
	scratch[6] = ixz;
	scratch[7] = iyz;
	scratch[8] = inertia[inertiaOffset + 6]!;
	mat3FromQuat(scratch, transform, 9, transformOffset + 3);
	mat3RotateTensor(scratch, scratch, scratch, 0, 0, 9);
	quatRotate(out, transform, inertia, outOffset + 1, transformOffset + 3, inertiaOffset + 1);
	const hx = out[outOffset + 1]!;
	const hy = out[outOffset + 2]!;
	const hz = out[outOffset + 3]!;

	// I' = I - [p]×[h]× - [h]×[p]× - m [p]×[p]×, from the parallel axis theorem at both ends
	out[outOffset] = m;
	out[outOffset + 1] = hx + m * px;
	out[outOffset + 2] = hy + m * py;
	out[outOffset + 3] = hz + m * pz;
	out[outOffset + 4] = scratch[0]! + 2 * (py * hy + pz * hz) + m * (py * py + pz * pz);
	out[outOffset + 5] = scratch[4]! + 2 * (px * hx + pz * hz) + m * (px * px + pz * pz);
	out[outOffset + 6] = scratch[8]! + 2 * (px * hx + py * hy) + m * (px * px + py * py);
	out[outOffset + 7] = scratch[1]! - (px * hy + py * hx) - m * px * py;
	out[outOffset + 8] = scratch[2]! - (px * hz + pz * hx) - m * px * pz;
	out[outOffset + 9] = scratch[5]! - (py * hz + pz * hy) - m * py * pz;
	return out;
}
