import { dot, int, num, put3, THREE } from './memory';
import {
	along,
	BLOCK,
	bestFace,
	CAPSULE,
	CONVEX,
	CYLINDER,
	HULL,
	HULL_FACE_CORNERS,
	HULL_FACE_START,
	HULL_NORMALS,
	HULL_VERTICES,
	kindOf,
	PLANE,
	SIZE,
	writeDirection,
	writePoint,
} from './solids';

/**
 * Corners of a flat face of a solid, the ends of a straight line on a round surface, or nothing for a point: as `SurfaceFeature` of the
 * host. Two features are at hand; offsets in bytes.
 */

/** Most corners of a feature. */
const MOST: i32 = 64;
/** Outward unit normal of the face. */
export const NORMAL: usize = 0;
/** Direction of the next `align` and `take` in the world. */
const DIRECTION: usize = 24;
/** Corners, and their number. */
export const COUNT: usize = 56;
const ALIGNED: usize = 60;
export const POINTS: usize = 64;

export const FIRST: usize = memory.data(1600, 16);
export const SECOND: usize = memory.data(1600, 16);

/** Cosines and sines of the corners that stand for a round cap, which the host writes. */
export let capCosines: usize = 0;
export let capSines: usize = 0;
const CAP_CORNERS: i32 = 8;
/** A face that was not looked for. */
const UNKNOWN: i32 = -2;

export function aim(feature: usize, x: f64, y: f64, z: f64): void {
	put3(feature + DIRECTION, x, y, z);
	store<i32>(feature, UNKNOWN, ALIGNED);
}

/** Component of the direction along an axis of a solid. */
function local(feature: usize, solid: usize, axis: i32): f64 {
	return along(
		solid,
		axis,
		load<f64>(feature, DIRECTION),
		load<f64>(feature, DIRECTION + 8),
		load<f64>(feature, DIRECTION + 16),
	);
}

/** Finds how well a flat face of a solid faces the direction: 0 without flat faces. Nothing faces better than a plane. */
export function align(feature: usize, solid: usize): f64 {
	const kind = kindOf(solid);
	if (kind == PLANE) return 2;
	const lz = local(feature, solid, 2);
	if (kind == CYLINDER) return Math.abs(lz);
	if (kind != BLOCK && kind != CONVEX) return 0;
	const lx = local(feature, solid, 0);
	const ly = local(feature, solid, 1);
	if (kind == BLOCK) return f64.max(f64.max(Math.abs(lx), Math.abs(ly)), Math.abs(lz));
	const face = bestFace(solid, lx, ly, lz);
	store<i32>(feature, face, ALIGNED);
	if (face < 0) return 0;
	return dot(<usize>load<i32>(<usize>load<i32>(solid, HULL), HULL_NORMALS) + face * THREE, lx, ly, lz);
}

/** Takes the face, line or point of a solid that faces the direction best. */
export function take(feature: usize, solid: usize): void {
	store<i32>(feature, 0, COUNT);
	const lx = local(feature, solid, 0);
	const ly = local(feature, solid, 1);
	const lz = local(feature, solid, 2);
	const sx = load<f64>(solid, SIZE);
	const sy = load<f64>(solid, SIZE + 8);
	switch (kindOf(solid)) {
		case BLOCK: {
			takeBoxFace(feature, solid, lx, ly, lz);
			break;
		}
		case CAPSULE: {
			add(feature, solid, sx * lx, sx * ly, -sy + sx * lz);
			add(feature, solid, sx * lx, sx * ly, sy + sx * lz);
			break;
		}
		case CYLINDER: {
			const radial = Math.sqrt(lx * lx + ly * ly);
			if (Math.abs(lz) >= radial) takeCap(feature, solid, lx, ly, radial, lz < 0 ? -1 : 1);
			else {
				add(feature, solid, (sx * lx) / radial, (sx * ly) / radial, -sy);
				add(feature, solid, (sx * lx) / radial, (sx * ly) / radial, sy);
			}
			break;
		}
		case CONVEX: {
			const aligned = load<i32>(feature, ALIGNED);
			const face = aligned == UNKNOWN ? bestFace(solid, lx, ly, lz) : aligned;
			if (face < 0) break;
			const hull = <usize>load<i32>(solid, HULL);
			const normal = <usize>load<i32>(hull, HULL_NORMALS) + face * THREE;
			writeDirection(solid, load<f64>(normal), load<f64>(normal, 8), load<f64>(normal, 16), feature + NORMAL);
			const starts = <usize>load<i32>(hull, HULL_FACE_START);
			const corners = <usize>load<i32>(hull, HULL_FACE_CORNERS);
			const vertices = <usize>load<i32>(hull, HULL_VERTICES);
			const start = int(starts, face);
			const end = min(int(starts, face + 1), start + MOST);
			for (let k = start; k < end; k++) {
				const v = vertices + int(corners, k) * THREE;
				add(feature, solid, load<f64>(v), load<f64>(v, 8), load<f64>(v, 16));
			}
			break;
		}
	}
}

function takeBoxFace(feature: usize, solid: usize, lx: f64, ly: f64, lz: f64): void {
	const ax = Math.abs(lx);
	const ay = Math.abs(ly);
	const az = Math.abs(lz);
	const axis = ax >= ay && ax >= az ? 0 : ay >= az ? 1 : 2;
	const side: f64 = (axis == 0 ? lx : axis == 1 ? ly : lz) < 0 ? -1 : 1;
	writeDirection(solid, axis == 0 ? side : 0, axis == 1 ? side : 0, axis == 2 ? side : 0, feature + NORMAL);
	const sx = load<f64>(solid, SIZE);
	const sy = load<f64>(solid, SIZE + 8);
	const sz = load<f64>(solid, SIZE + 16);
	for (let corner = 0; corner < 4; corner++) {
		// around the face
		const first: f64 = corner == 1 || corner == 2 ? 1 : -1;
		const second: f64 = corner < 2 ? -1 : 1;
		add(
			feature,
			solid,
			(axis == 0 ? side : first) * sx,
			(axis == 1 ? side : axis == 0 ? first : second) * sy,
			(axis == 2 ? side : second) * sz,
		);
	}
}

/** Points on the rim of the cap on one side, the first where the direction leans to. */
function takeCap(feature: usize, solid: usize, lx: f64, ly: f64, radial: f64, side: f64): void {
	writeDirection(solid, 0, 0, side, feature + NORMAL);
	const sx = load<f64>(solid, SIZE);
	const sy = load<f64>(solid, SIZE + 8);
	// a cap that lies flat has no lean but rounding: its points then stay where they are in the body
	const isLeaning = radial > 1e-6;
	const cx = isLeaning ? lx / radial : 1;
	const cy = isLeaning ? ly / radial : 0;
	for (let k = 0; k < CAP_CORNERS; k++) {
		const c = num(capCosines, k);
		const s = num(capSines, k);
		add(feature, solid, sx * (c * cx - s * cy), sx * (s * cx + c * cy), side * sy);
	}
}

/** Adds a point of the frame of a solid. */
function add(feature: usize, solid: usize, x: f64, y: f64, z: f64): void {
	const count = load<i32>(feature, COUNT);
	store<i32>(feature, count + 1, COUNT);
	writePoint(solid, x, y, z, feature + POINTS + count * THREE);
}
