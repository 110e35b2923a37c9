import { copy3, int, num, put3, putInt, putNum, THREE } from './memory';
import { setOrigin, support, writeCentre } from './solids';

/** Distance of two convex cores, as `Gjk` of the host finds it. */

const MAX_ITERATIONS: i32 = 128;
const GAP: f64 = 1e-14;
const TOUCHING: f64 = 1e-13;

/** Corners of the simplex: points of A − B, and the points of A and B that make them. */
export const W: usize = memory.data(96, 16);
export const A: usize = memory.data(96, 16);
export const B: usize = memory.data(96, 16);
const WEIGHTS: usize = memory.data(32, 16);
const WEIGHT_OF: usize = memory.data(32, 16);
const KEEP: usize = memory.data(16, 16);
const CENTRES: usize = memory.data(48, 16);
const EDGES: usize = memory.data(72, 16);

export let count: i32 = 0;
export let vx: f64 = 0;
export let vy: f64 = 0;
export let vz: f64 = 0;
export let distance: f64 = 0;
export let scale: f64 = 0;

let least: f64 = 0;
let bestX: f64 = 0;
let bestY: f64 = 0;
let bestZ: f64 = 0;
let kept: i32 = 0;

/** Finds the distance of the cores of two solids; 0 when they touch or overlap. Beyond the limit a lower bound is enough. */
export function runGjk(a: usize, b: usize, limit: f64): void {
	count = 0;
	writeCentre(a, CENTRES);
	writeCentre(b, CENTRES + THREE);
	let x = num(CENTRES, 0) - num(CENTRES, 3);
	let y = num(CENTRES, 1) - num(CENTRES, 4);
	let z = num(CENTRES, 2) - num(CENTRES, 5);
	if (x * x + y * y + z * z < 1e-280) x = 1;
	let squared = Infinity;
	scale = 0;
	setOrigin(a);
	for (let iteration = 0; iteration < MAX_ITERATIONS; iteration++) {
		const at = count * THREE;
		support(a, -x, -y, -z, A + at);
		support(b, x, y, z, B + at);
		const wx = load<f64>(A + at) - load<f64>(B + at);
		const wy = load<f64>(A + at, 8) - load<f64>(B + at, 8);
		const wz = load<f64>(A + at, 16) - load<f64>(B + at, 16);
		put3(W + at, wx, wy, wz);
		scale = f64.max(f64.max(f64.max(scale, Math.abs(wx)), Math.abs(wy)), Math.abs(wz));
		const along = x * wx + y * wy + z * wz;
		if (squared < Infinity) {
			// the plane through the newest corner, across the direction, separates the shapes by this much
			if (along > 0 && along * along > limit * limit * squared) {
				distance = along / Math.sqrt(squared);
				return;
			}
			if (squared - along <= GAP * squared || hasNewest()) break;
		}
		count++;
		findNearest();
		const next = vx * vx + vy * vy + vz * vz;
		const touching = TOUCHING * scale;
		if (count == 4 || next <= touching * touching) {
			distance = 0;
			return;
		}
		const isStuck = next >= squared;
		x = vx;
		y = vy;
		z = vz;
		squared = next;
		if (isStuck) break;
	}
	vx = x;
	vy = y;
	vz = z;
	distance = Math.sqrt(squared);
}

/** Writes the points of both solids that belong to the nearest point, relative to the position of the first. */
export function writeNearest(pointA: usize, pointB: usize): void {
	for (let k = 0; k < 3; k++) {
		let p = 0.0;
		let q = 0.0;
		for (let i = 0; i < count; i++) {
			p += num(WEIGHTS, i) * num(A, 3 * i + k);
			q += num(WEIGHTS, i) * num(B, 3 * i + k);
		}
		putNum(pointA, k, p);
		putNum(pointB, k, q);
	}
}

function hasNewest(): bool {
	const at = W + count * THREE;
	for (let i = 0; i < count; i++) {
		const own = W + i * THREE;
		if (
			load<f64>(own) == load<f64>(at) &&
			load<f64>(own, 8) == load<f64>(at, 8) &&
			load<f64>(own, 16) == load<f64>(at, 16)
		)
			return true;
	}
	return false;
}

function findNearest(): void {
	least = Infinity;
	kept = 0;
	if (count == 1) tryPoint(0);
	else if (count == 2) tryEdge(0, 1);
	else if (count == 3) tryTriangle(0, 1, 2);
	else {
		if (isInside()) return;
		tryTriangle(0, 1, 3);
		tryTriangle(0, 2, 3);
		tryTriangle(1, 2, 3);
		tryTriangle(0, 1, 2);
	}
	reduce();
}

/** Takes a point of the simplex if it is nearer than the best so far. */
function offer(x: f64, y: f64, z: f64): bool {
	const squared = x * x + y * y + z * z;
	if (!(squared < least)) return false;
	least = squared;
	bestX = x;
	bestY = y;
	bestZ = z;
	return true;
}

function keepCorner(place: i32, corner: i32, weight: f64): void {
	putInt(KEEP, place, corner);
	putNum(WEIGHT_OF, place, weight);
	kept = place + 1;
}

function tryPoint(i: i32): void {
	const p = W + i * THREE;
	if (offer(load<f64>(p), load<f64>(p, 8), load<f64>(p, 16))) keepCorner(0, i, 1);
}

function tryEdge(i: i32, j: i32): void {
	const p = W + i * THREE;
	const q = W + j * THREE;
	const ax = load<f64>(p);
	const ay = load<f64>(p, 8);
	const az = load<f64>(p, 16);
	const ux = load<f64>(q) - ax;
	const uy = load<f64>(q, 8) - ay;
	const uz = load<f64>(q, 16) - az;
	const uu = ux * ux + uy * uy + uz * uz;
	const t = uu > 0 ? -(ax * ux + ay * uy + az * uz) / uu : 0;
	if (!(t > 0)) tryPoint(i);
	else if (t >= 1) tryPoint(j);
	else if (offer(ax + t * ux, ay + t * uy, az + t * uz)) {
		keepCorner(0, i, 1 - t);
		keepCorner(1, j, t);
	}
}

function tryTriangle(i: i32, j: i32, k: i32): void {
	const p = W + i * THREE;
	const q = W + j * THREE;
	const r = W + k * THREE;
	const ax = load<f64>(p);
	const ay = load<f64>(p, 8);
	const az = load<f64>(p, 16);
	const ux = load<f64>(q) - ax;
	const uy = load<f64>(q, 8) - ay;
	const uz = load<f64>(q, 16) - az;
	const ex = load<f64>(r) - ax;
	const ey = load<f64>(r, 8) - ay;
	const ez = load<f64>(r, 16) - az;
	const nx = uy * ez - uz * ey;
	const ny = uz * ex - ux * ez;
	const nz = ux * ey - uy * ex;
	const nn = nx * nx + ny * ny + nz * nz;
	if (nn > 0) {
		const s = (nx * (ey * az - ez * ay) + ny * (ez * ax - ex * az) + nz * (ex * ay - ey * ax)) / nn;
		const t = (nx * (ay * uz - az * uy) + ny * (az * ux - ax * uz) + nz * (ax * uy - ay * ux)) / nn;
		if (s > 0 && t > 0 && s + t < 1) {
			const h = (ax * nx + ay * ny + az * nz) / nn;
			if (offer(h * nx, h * ny, h * nz)) {
				keepCorner(0, i, 1 - s - t);
				keepCorner(1, j, s);
				keepCorner(2, k, t);
			}
			return;
		}
	}
	tryEdge(i, j);
	tryEdge(i, k);
	tryEdge(j, k);
}

function isInside(): bool {
	for (let i = 0; i < 9; i++) putNum(EDGES, i, num(W, i) - num(W, 9 + (i % 3)));
	const whole = triple(EDGES, 0, 3, 6);
	if (whole == 0) return false;
	const sign: f64 = whole < 0 ? -1 : 1;
	return (
		-sign * triple(W, 3, 6, 9) > 0 &&
		sign * triple(W, 0, 6, 9) > 0 &&
		-sign * triple(W, 0, 3, 9) > 0 &&
		sign * triple(W, 0, 3, 6) > 0
	);
}

/** Moves the kept corners to the front. */
function reduce(): void {
	for (let i = 1; i < kept; i++) {
		for (let j = i; j > 0 && int(KEEP, j) < int(KEEP, j - 1); j--) {
			const k = int(KEEP, j);
			putInt(KEEP, j, int(KEEP, j - 1));
			putInt(KEEP, j - 1, k);
			const t = num(WEIGHT_OF, j);
			putNum(WEIGHT_OF, j, num(WEIGHT_OF, j - 1));
			putNum(WEIGHT_OF, j - 1, t);
		}
	}
	for (let i = 0; i < kept; i++) {
		const from = int(KEEP, i) * THREE;
		const to = i * THREE;
		if (from != to) {
			copy3(W + to, W + from);
			copy3(A + to, A + from);
			copy3(B + to, B + from);
		}
		putNum(WEIGHTS, i, num(WEIGHT_OF, i));
	}
	count = kept;
	vx = bestX;
	vy = bestY;
	vz = bestZ;
}

/** The determinant of the three vectors that begin at a, b and c. */
function triple(v: usize, a: i32, b: i32, c: i32): f64 {
	return (
		num(v, a) * (num(v, b + 1) * num(v, c + 2) - num(v, b + 2) * num(v, c + 1)) +
		num(v, a + 1) * (num(v, b + 2) * num(v, c) - num(v, b) * num(v, c + 2)) +
		num(v, a + 2) * (num(v, b) * num(v, c + 1) - num(v, b + 1) * num(v, c))
	);
}
