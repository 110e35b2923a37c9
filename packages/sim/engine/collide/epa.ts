import * as gjk from './gjk';
import { copy3, int, num, put3, putInt, putNum, THREE } from './memory';
import { support } from './solids';

/** Depth of two overlapping convex cores, as `Epa` of the host finds it. What that polishes afterwards is left to the host. */

const MAX_VERTICES: i32 = 320;
const MAX_FACES: i32 = 2 * MAX_VERTICES;
const GAP: f64 = 1e-12;

const W: usize = memory.data(7680, 16);
const A: usize = memory.data(7680, 16);
const B: usize = memory.data(7680, 16);
const CORNERS: usize = memory.data(7680, 16);
const NORMALS: usize = memory.data(15360, 16);
const HEIGHTS: usize = memory.data(5120, 16);
const HORIZON: usize = memory.data(15360, 16);

export let nx: f64 = 0;
export let ny: f64 = 0;
export let nz: f64 = 0;
export let depth: f64 = 0;
/** Whether lower and upper bound met. */
export let isExact: bool = false;

let vertices: i32 = 0;
let faces: i32 = 0;
let edges: i32 = 0;
let scale: f64 = 1;

/** Finds the depth; GJK must have ended with an overlap of the same solids just before. False for what is left to the host. */
export function runEpa(a: usize, b: usize): bool {
	scale = gjk.scale > 0 ? gjk.scale : 1;
	faces = 0;
	vertices = gjk.count;
	// points and edges have rare ways to grow
	if (vertices < 3) return false;
	for (let i = 0; i < vertices; i++) {
		const at = i * THREE;
		copy3(W + at, gjk.W + at);
		copy3(A + at, gjk.A + at);
		copy3(B + at, gjk.B + at);
	}
	isExact = true;
	if (!grow(a, b)) return false;
	expand(a, b);
	return isExact;
}

/** Points of both solids at the nearest place, relative to the position of the first. */
export function writeDeepest(pointA: usize, pointB: usize): void {
	const qx = nx * depth;
	const qy = ny * depth;
	const qz = nz * depth;
	let least = Infinity;
	let best = -1;
	for (let face = 0; face < faces; face++) {
		if (num(HEIGHTS, face) > depth + 1e-3 * scale) continue;
		place(face, qx, qy, qz);
		if (placed < least) {
			least = placed;
			best = face;
		}
	}
	if (best < 0) {
		copy3(pointA, A);
		copy3(pointB, B);
		return;
	}
	place(best, qx, qy, qz);
	const i = int(CORNERS, 3 * best);
	const j = int(CORNERS, 3 * best + 1);
	const k = int(CORNERS, 3 * best + 2);
	const s = shareS;
	const t = shareT;
	for (let m = 0; m < 3; m++) {
		putNum(pointA, m, (1 - s - t) * num(A, 3 * i + m) + s * num(A, 3 * j + m) + t * num(A, 3 * k + m));
		putNum(pointB, m, (1 - s - t) * num(B, 3 * i + m) + s * num(B, 3 * j + m) + t * num(B, 3 * k + m));
	}
}

let shareS: f64 = 0;
let shareT: f64 = 0;
let placed: f64 = 0;

/** Sets the weights of the second and third corner for the point of a face nearest to a point, and its squared distance. */
function place(face: i32, qx: f64, qy: f64, qz: f64): void {
	const i = W + int(CORNERS, 3 * face) * THREE;
	const j = W + int(CORNERS, 3 * face + 1) * THREE;
	const k = W + int(CORNERS, 3 * face + 2) * THREE;
	const ax = load<f64>(i) - qx;
	const ay = load<f64>(i, 8) - qy;
	const az = load<f64>(i, 16) - qz;
	const ux = load<f64>(j) - load<f64>(i);
	const uy = load<f64>(j, 8) - load<f64>(i, 8);
	const uz = load<f64>(j, 16) - load<f64>(i, 16);
	const vx = load<f64>(k) - load<f64>(i);
	const vy = load<f64>(k, 8) - load<f64>(i, 8);
	const vz = load<f64>(k, 16) - load<f64>(i, 16);
	const cx = uy * vz - uz * vy;
	const cy = uz * vx - ux * vz;
	const cz = ux * vy - uy * vx;
	const cc = cx * cx + cy * cy + cz * cz;
	let s = (cx * (vy * az - vz * ay) + cy * (vz * ax - vx * az) + cz * (vx * ay - vy * ax)) / cc;
	let t = (cx * (ay * uz - az * uy) + cy * (az * ux - ax * uz) + cz * (ax * uy - ay * ux)) / cc;
	if (!(s >= 0 && t >= 0 && s + t <= 1)) {
		const uu = ux * ux + uy * uy + uz * uz;
		const vv = vx * vx + vy * vy + vz * vz;
		const uv = ux * vx + uy * vy + uz * vz;
		const au = ax * ux + ay * uy + az * uz;
		const av = ax * vx + ay * vy + az * vz;
		const onU = share(-au, uu);
		const onV = share(-av, vv);
		const onW = share(uu - uv + au - av, uu - 2 * uv + vv);
		const toU = onU * (onU * uu + 2 * au);
		const toV = onV * (onV * vv + 2 * av);
		const sw = 1 - onW;
		const toW = sw * (sw * uu + 2 * au) + onW * (onW * vv + 2 * av) + 2 * sw * onW * uv;
		const isU = toU <= toV && toU <= toW;
		s = isU ? onU : toV <= toW ? 0 : sw;
		t = isU ? 0 : toV <= toW ? onV : onW;
	}
	shareS = s;
	shareT = t;
	const x = ax + s * ux + t * vx;
	const y = ay + s * uy + t * vy;
	const z = az + s * uz + t * vz;
	placed = x * x + y * y + z * z;
}

/** Makes a tetrahedron of the simplex. False when A − B has no volume. */
function grow(a: usize, b: usize): bool {
	const least = 1e-10 * scale;
	setNormal();
	if (vertices == 3) {
		addVertex(a, b, nx, ny, nz);
		if (!(heightAbove() > least)) {
			vertices = 3;
			addVertex(a, b, -nx, -ny, -nz);
			if (!(-heightAbove() > least)) return false;
		}
	}
	// faces with outward normals
	if (heightAbove() > 0) {
		addFace(0, 2, 1);
		addFace(0, 1, 3);
		addFace(1, 2, 3);
		addFace(2, 0, 3);
	} else {
		addFace(0, 1, 2);
		addFace(0, 3, 1);
		addFace(1, 3, 2);
		addFace(2, 3, 0);
	}
	return true;
}

/** Sets the direction to the normal of the first three vertices. */
function setNormal(): void {
	const ux = num(W, 3) - num(W, 0);
	const uy = num(W, 4) - num(W, 1);
	const uz = num(W, 5) - num(W, 2);
	const vx = num(W, 6) - num(W, 0);
	const vy = num(W, 7) - num(W, 1);
	const vz = num(W, 8) - num(W, 2);
	const x = uy * vz - uz * vy;
	const y = uz * vx - ux * vz;
	const z = ux * vy - uy * vx;
	let length = Math.sqrt(x * x + y * y + z * z);
	if (!(length > 0)) length = 1;
	nx = x / length;
	ny = y / length;
	nz = z / length;
}

/** Height of the fourth vertex above the plane of the first three, along the direction. */
function heightAbove(): f64 {
	return (num(W, 9) - num(W, 0)) * nx + (num(W, 10) - num(W, 1)) * ny + (num(W, 11) - num(W, 2)) * nz;
}

/** Adds the farthest point of A − B along a direction. */
function addVertex(a: usize, b: usize, dx: f64, dy: f64, dz: f64): void {
	const at = vertices++ * THREE;
	support(a, dx, dy, dz, A + at);
	support(b, -dx, -dy, -dz, B + at);
	put3(
		W + at,
		load<f64>(A + at) - load<f64>(B + at),
		load<f64>(A + at, 8) - load<f64>(B + at, 8),
		load<f64>(A + at, 16) - load<f64>(B + at, 16),
	);
}

function addFace(i: i32, j: i32, k: i32): bool {
	if (faces >= MAX_FACES) return false;
	const p = W + i * THREE;
	const q = W + j * THREE;
	const r = W + k * THREE;
	const ux = load<f64>(q) - load<f64>(p);
	const uy = load<f64>(q, 8) - load<f64>(p, 8);
	const uz = load<f64>(q, 16) - load<f64>(p, 16);
	const vx = load<f64>(r) - load<f64>(p);
	const vy = load<f64>(r, 8) - load<f64>(p, 8);
	const vz = load<f64>(r, 16) - load<f64>(p, 16);
	const x = uy * vz - uz * vy;
	const y = uz * vx - ux * vz;
	const z = ux * vy - uy * vx;
	const length = Math.sqrt(x * x + y * y + z * z);
	const face = faces++;
	putInt(CORNERS, 3 * face, i);
	putInt(CORNERS, 3 * face + 1, j);
	putInt(CORNERS, 3 * face + 2, k);
	if (!(length > 1e-30 * scale * scale)) {
		put3(NORMALS + face * THREE, 0, 0, 0);
		putNum(HEIGHTS, face, Infinity);
		return true;
	}
	put3(NORMALS + face * THREE, x / length, y / length, z / length);
	putNum(HEIGHTS, face, (x * load<f64>(p) + y * load<f64>(p, 8) + z * load<f64>(p, 16)) / length);
	return true;
}

function expand(a: usize, b: usize): void {
	let upper = Infinity;
	for (;;) {
		const face = nearestFace();
		const x = num(NORMALS, 3 * face);
		const y = num(NORMALS, 3 * face + 1);
		const z = num(NORMALS, 3 * face + 2);
		const lower = num(HEIGHTS, face);
		const at = W + vertices * THREE;
		if (vertices >= MAX_VERTICES || faces + 64 >= MAX_FACES) {
			isExact = false;
			break;
		}
		addVertex(a, b, x, y, z);
		const reach = x * load<f64>(at) + y * load<f64>(at, 8) + z * load<f64>(at, 16);
		if (reach < upper) {
			upper = reach;
			nx = x;
			ny = y;
			nz = z;
		}
		if (upper - lower <= GAP * scale) break;
		if (!insert(vertices - 1)) {
			isExact = upper - lower <= 1e-9 * scale;
			break;
		}
	}
	depth = upper;
}

function nearestFace(): i32 {
	let best = 0;
	let least = num(HEIGHTS, 0);
	for (let face = 1; face < faces; face++) {
		const height = num(HEIGHTS, face);
		if (height < least) {
			least = height;
			best = face;
		}
	}
	return best;
}

/** Replaces the faces that a vertex sees by a fan over their border. False when rounding leaves nothing to do. */
function insert(vertex: i32): bool {
	const x = num(W, 3 * vertex);
	const y = num(W, 3 * vertex + 1);
	const z = num(W, 3 * vertex + 2);
	edges = 0;
	let removed = 0;
	for (let face = faces - 1; face >= 0; face--) {
		if (num(HEIGHTS, face) == Infinity) continue;
		const n = NORMALS + face * THREE;
		const p = W + int(CORNERS, 3 * face) * THREE;
		const above =
			load<f64>(n) * (x - load<f64>(p)) +
			load<f64>(n, 8) * (y - load<f64>(p, 8)) +
			load<f64>(n, 16) * (z - load<f64>(p, 16));
		if (!(above > 1e-14 * scale)) continue;
		removed++;
		const i = int(CORNERS, 3 * face);
		const j = int(CORNERS, 3 * face + 1);
		const k = int(CORNERS, 3 * face + 2);
		toggleEdge(i, j);
		toggleEdge(j, k);
		toggleEdge(k, i);
		faces--;
		moveFace(faces, face);
	}
	if (removed == 0) return false;
	for (let e = 0; e < edges; e++) {
		if (!addFace(int(HORIZON, 2 * e), int(HORIZON, 2 * e + 1), vertex)) return false;
	}
	return true;
}

/** Adds an edge to the border, or takes away its twin. */
function toggleEdge(i: i32, j: i32): void {
	for (let e = 0; e < edges; e++) {
		if (int(HORIZON, 2 * e) == j && int(HORIZON, 2 * e + 1) == i) {
			edges--;
			putInt(HORIZON, 2 * e, int(HORIZON, 2 * edges));
			putInt(HORIZON, 2 * e + 1, int(HORIZON, 2 * edges + 1));
			return;
		}
	}
	putInt(HORIZON, 2 * edges, i);
	putInt(HORIZON, 2 * edges + 1, j);
	edges++;
}

function moveFace(from: i32, to: i32): void {
	for (let k = 0; k < 3; k++) putInt(CORNERS, 3 * to + k, int(CORNERS, 3 * from + k));
	copy3(NORMALS + to * THREE, NORMALS + from * THREE);
	putNum(HEIGHTS, to, num(HEIGHTS, from));
}

/** A share of a segment, 0 to 1. */
function share(along: f64, squared: f64): f64 {
	return squared > 0 ? f64.min(1, f64.max(0, along / squared)) : 0;
}
