import { dot, int, num, put3, THREE } from './memory';

/**
 * A shape as the kernels have it, at the address that others call a solid: what the host writes once, then where it is in the world at
 * hand. Offsets in bytes.
 */

/** Position and quaternion in the world. */
export const POSE: usize = 0;
/** Axes of the shape in the world, one in a row. */
export const AXES: usize = 56;
/** Sizes, as `shapeScale` of a model has them, and the radius around the core. */
export const SIZE: usize = 128;
export const RADIUS: usize = 152;
/** Box in the world: the least x and the most x with its sign changed, then y and z. */
export const BOX: usize = 160;
/** Velocity of its origin. */
export const VELOCITY: usize = 208;
export const MARGIN: usize = 232;
export const GAP: usize = 240;
export const REACH: usize = 248;
/** Bounds in its own frame. */
export const LOWER: usize = 256;
export const UPPER: usize = 280;
/** Its pose in its body, and the body's centre of mass. */
export const LOCAL: usize = 304;
export const COM: usize = 360;
/** A `GeoType`; its hull, or 0; its body, -1 for what does not move. */
export const KIND: usize = 384;
export const HULL: usize = 388;
export const BODY: usize = 392;
/** Corner of the hull where the next search begins. */
export const CORNER: usize = 396;
/** Calls of `beginFrames` that its place and its velocity are of. */
export const PLACED: usize = 400;
export const MEASURED: usize = 404;
/** Most that a point of it is away from its body's centre of mass. */
export const ARM: usize = 408;
/** A ball around it with its margin and gap: middle in its body, radius. */
export const BALL_MIDDLE: usize = 416;
export const BALL_RADIUS: usize = 440;
/** The shape of the model in the run whose tables are here; less than 0, `-1 - shape`, for one that all worlds share. */
export const INDEX: usize = 448;

/** Kinds that kernels know, as `GeoType` has them. */
export const PLANE: i32 = 1;
export const SPHERE: i32 = 3;
export const CAPSULE: i32 = 4;
export const CYLINDER: i32 = 6;
export const BLOCK: i32 = 7;
export const MESH: i32 = 8;
export const CONVEX: i32 = 10;

// a hull, at the address that solids have: counts, addresses, and the mean of its corners
export const HULL_CORNERS: usize = 0;
export const HULL_FACES: usize = 4;
export const HULL_VERTICES: usize = 8;
export const HULL_NEIGHBOURS: usize = 12;
export const HULL_NEIGHBOUR_START: usize = 16;
export const HULL_SEEDS: usize = 20;
export const HULL_NORMALS: usize = 24;
export const HULL_FACE_START: usize = 28;
export const HULL_FACE_CORNERS: usize = 32;
export const HULL_CORNER_FACE_START: usize = 36;
export const HULL_CORNER_FACES: usize = 40;
export const HULL_CENTRE: usize = 48;

/** Corners up to which all are looked at. */
const FEW: i32 = 32;
/** Cells along each side of the cube that directions are sorted by. */
const CELLS: i32 = 14;

/** Point that results of `support` are relative to. */
let ox: f64 = 0;
let oy: f64 = 0;
let oz: f64 = 0;

/** Makes results of `support` relative to the position of a solid. */
export function setOrigin(solid: usize): void {
	ox = load<f64>(solid);
	oy = load<f64>(solid, 8);
	oz = load<f64>(solid, 16);
}

/** Kind of a solid; triangle meshes are their hulls here. */
export function kindOf(solid: usize): i32 {
	const kind = load<i32>(solid, KIND);
	return kind == MESH ? CONVEX : kind;
}

/** A component of a vector of the world along an axis of a solid. */
export function along(solid: usize, axis: i32, x: f64, y: f64, z: f64): f64 {
	return dot(solid + AXES + axis * THREE, x, y, z);
}

/** Writes a point of the frame of a solid, in the world less (bx, by, bz). */
function toWorld(solid: usize, x: f64, y: f64, z: f64, bx: f64, by: f64, bz: f64, out: usize): void {
	const r = solid + AXES;
	put3(
		out,
		load<f64>(solid) - bx + load<f64>(r) * x + load<f64>(r, 24) * y + load<f64>(r, 48) * z,
		load<f64>(solid, 8) - by + load<f64>(r, 8) * x + load<f64>(r, 32) * y + load<f64>(r, 56) * z,
		load<f64>(solid, 16) - bz + load<f64>(r, 16) * x + load<f64>(r, 40) * y + load<f64>(r, 64) * z,
	);
}

/** Writes a point of the frame of a solid in the world. */
export function writePoint(solid: usize, x: f64, y: f64, z: f64, out: usize): void {
	const r = solid + AXES;
	put3(
		out,
		load<f64>(solid) + load<f64>(r) * x + load<f64>(r, 24) * y + load<f64>(r, 48) * z,
		load<f64>(solid, 8) + load<f64>(r, 8) * x + load<f64>(r, 32) * y + load<f64>(r, 56) * z,
		load<f64>(solid, 16) + load<f64>(r, 16) * x + load<f64>(r, 40) * y + load<f64>(r, 64) * z,
	);
}

/** Writes a direction of the frame of a solid in the world. */
export function writeDirection(solid: usize, x: f64, y: f64, z: f64, out: usize): void {
	const r = solid + AXES;
	put3(
		out,
		load<f64>(r) * x + load<f64>(r, 24) * y + load<f64>(r, 48) * z,
		load<f64>(r, 8) * x + load<f64>(r, 32) * y + load<f64>(r, 56) * z,
		load<f64>(r, 16) * x + load<f64>(r, 40) * y + load<f64>(r, 64) * z,
	);
}

/** Writes a point in the middle of a solid. */
export function writeCentre(solid: usize, out: usize): void {
	const hull = <usize>load<i32>(solid, HULL);
	if (kindOf(solid) != CONVEX) writePoint(solid, 0, 0, 0, out);
	else
		writePoint(
			solid,
			load<f64>(hull, HULL_CENTRE),
			load<f64>(hull, HULL_CENTRE + 8),
			load<f64>(hull, HULL_CENTRE + 16),
			out,
		);
}

/** Writes the farthest point of the core of a solid along a direction, relative to the origin that was set. */
export function support(solid: usize, dx: f64, dy: f64, dz: f64, out: usize): void {
	const lx = along(solid, 0, dx, dy, dz);
	const ly = along(solid, 1, dx, dy, dz);
	const lz = along(solid, 2, dx, dy, dz);
	let sx = 0.0;
	let sy = 0.0;
	let sz = 0.0;
	switch (kindOf(solid)) {
		case BLOCK: {
			sx = load<f64>(solid, SIZE);
			sy = load<f64>(solid, SIZE + 8);
			sz = load<f64>(solid, SIZE + 16);
			if (lx < 0) sx = -sx;
			if (ly < 0) sy = -sy;
			if (lz < 0) sz = -sz;
			break;
		}
		case CAPSULE: {
			sz = load<f64>(solid, SIZE + 8);
			if (lz < 0) sz = -sz;
			break;
		}
		case CYLINDER: {
			const radius = load<f64>(solid, SIZE);
			const radial = Math.sqrt(lx * lx + ly * ly);
			sx = radial > 1e-300 ? (radius * lx) / radial : radius;
			sy = radial > 1e-300 ? (radius * ly) / radial : 0;
			sz = load<f64>(solid, SIZE + 8);
			if (lz < 0) sz = -sz;
			break;
		}
		case CONVEX: {
			const hull = <usize>load<i32>(solid, HULL);
			const corner = load<i32>(hull, HULL_VERTICES) + farthestCorner(solid, lx, ly, lz) * THREE;
			sx = load<f64>(corner);
			sy = load<f64>(corner, 8);
			sz = load<f64>(corner, 16);
			break;
		}
	}
	toWorld(solid, sx, sy, sz, ox, oy, oz, out);
}

/** The corner of the hull of a solid that is farthest along a direction in its frame. */
export function farthestCorner(solid: usize, lx: f64, ly: f64, lz: f64): i32 {
	const hull = <usize>load<i32>(solid, HULL);
	const vertices = <usize>load<i32>(hull, HULL_VERTICES);
	const count = load<i32>(hull, HULL_CORNERS);
	let best = load<i32>(solid, CORNER);
	let top = dot(vertices + best * THREE, lx, ly, lz);
	const neighbours = <usize>load<i32>(hull, HULL_NEIGHBOURS);
	if (count > FEW) {
		const seed = int(<usize>load<i32>(hull, HULL_SEEDS), directionCell(lx, ly, lz));
		const value = dot(vertices + seed * THREE, lx, ly, lz);
		if (value > top) {
			top = value;
			best = seed;
		}
	}
	if (count <= FEW || neighbours == 0) {
		for (let i = 0; i < count; i++) {
			const value = dot(vertices + i * THREE, lx, ly, lz);
			if (value > top || (value == top && i < best)) {
				top = value;
				best = i;
			}
		}
	} else {
		const starts = <usize>load<i32>(hull, HULL_NEIGHBOUR_START);
		for (let isRising = true; isRising; ) {
			isRising = false;
			const start = int(starts, best);
			const end = int(starts, best + 1);
			for (let k = start; k < end; k++) {
				const i = int(neighbours, k);
				const value = dot(vertices + i * THREE, lx, ly, lz);
				if (value > top) {
					top = value;
					best = i;
					isRising = true;
				}
			}
		}
	}
	store<i32>(solid, best, CORNER);
	return best;
}

/** The cell of a direction, as `directionCell` of the host has it. */
function directionCell(x: f64, y: f64, z: f64): i32 {
	const ax = Math.abs(x);
	const ay = Math.abs(y);
	const az = Math.abs(z);
	const axis = ax >= ay && ax >= az ? 0 : ay >= az ? 1 : 2;
	const main = axis == 0 ? x : axis == 1 ? y : z;
	const u = axis == 0 ? y : x;
	const v = axis == 2 ? y : z;
	const scale = (0.5 * <f64>CELLS) / Math.abs(main);
	const i = f64.min(<f64>CELLS - 1, Math.floor(u * scale + 0.5 * <f64>CELLS));
	const j = f64.min(<f64>CELLS - 1, Math.floor(v * scale + 0.5 * <f64>CELLS));
	const cell = (<f64>(axis * 2 + (main < 0 ? 1 : 0)) * <f64>CELLS + i) * <f64>CELLS + j;
	// a direction without length, or without numbers, has no cell
	return cell >= 0 && cell < <f64>(6 * CELLS * CELLS) ? <i32>cell : 0;
}

/** The face of the hull of a solid whose normal is closest to a direction in its frame; -1 without faces. */
export function bestFace(solid: usize, lx: f64, ly: f64, lz: f64): i32 {
	const hull = <usize>load<i32>(solid, HULL);
	const normals = <usize>load<i32>(hull, HULL_NORMALS);
	const faces = load<i32>(hull, HULL_FACES);
	let best = -1;
	let most = -Infinity;
	if (faces > 48) {
		const corner = farthestCorner(solid, lx, ly, lz);
		const starts = <usize>load<i32>(hull, HULL_CORNER_FACE_START);
		const list = <usize>load<i32>(hull, HULL_CORNER_FACES);
		const end = int(starts, corner + 1);
		for (let f = int(starts, corner); f < end; f++) {
			const face = int(list, f);
			const value = dot(normals + face * THREE, lx, ly, lz);
			if (value > most) {
				most = value;
				best = face;
			}
		}
		return best;
	}
	for (let face = 0; face < faces; face++) {
		const value = dot(normals + face * THREE, lx, ly, lz);
		if (value > most) {
			most = value;
			best = face;
		}
	}
	return best;
}

/** Size of a solid along one of its axes. */
export function sizeOf(solid: usize, axis: i32): f64 {
	return num(solid + SIZE, axis);
}
