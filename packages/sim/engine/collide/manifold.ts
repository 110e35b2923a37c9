import * as boxes from './boxes';
import * as found from './distance';
import { aim, align, COUNT, FIRST, NORMAL, POINTS, SECOND, take } from './features';
import { copy3, dot, num, put3, putNum, THREE } from './memory';
import { BLOCK, CAPSULE, CYLINDER, kindOf, PLANE, SPHERE } from './solids';

/** Contacts of two convex solids, as `ContactManifold` of the host finds them. */

const FACING: f64 = 0.99985;
const PARALLEL: f64 = 0.02;
const CAPACITY: i32 = 128;
/** Most contacts of a pair. */
export const MOST: i32 = 4;

export let count: i32 = 0;
/** Unit normal from the first solid to the second. */
export let nx: f64 = 0;
export let ny: f64 = 0;
export let nz: f64 = 0;
export const POINTS_A: usize = memory.data(3072, 16);
export const POINTS_B: usize = memory.data(3072, 16);
const DISTANCES: usize = memory.data(1024, 16);

// room for twice as many: a cut may add a point for each edge
const CLIP: usize = memory.data(6144, 16);
const CLIPPED: usize = memory.data(6144, 16);
const ABOVE: usize = memory.data(2048, 16);
const CHOSEN: usize = memory.data(128, 16);

let limit: f64 = 0;
/** What contacts are measured from, and what is clipped to it. */
let face: usize = 0;
let other: usize = 0;
let clip: usize = 0;
let clipped: usize = 0;
let clipCount: i32 = 0;
/** Whether there was no room for what was cut. */
let isFull: bool = false;

/** Finds the contacts that are no farther apart than `most`. False for what is left to the host. */
export function findManifold(a: usize, b: usize, most: f64): bool {
	limit = most;
	count = 0;
	isFull = false;
	found.forget();
	face = FIRST;
	other = SECOND;
	const kindA = kindOf(a);
	const kindB = kindOf(b);
	const areBoxes = kindA == BLOCK && kindB == BLOCK;
	if (areBoxes && findBoxes(a, b)) return !isFull;
	count = 0;
	if (!areBoxes || !findEdges(a, b)) {
		if (!found.findDistance(a, b, most)) return false;
		if (found.distance > most) return true;
	}
	nx = found.nx;
	ny = found.ny;
	nz = found.nz;
	if (kindA != SPHERE && kindB != SPHERE) findFaces(a, b);
	// where no feature reaches as deep as the shapes do, their nearest points are a contact too
	const slack = 1e-6 * Math.abs(found.distance) + 1e-9;
	if (!(leastDistance() <= found.distance + slack)) {
		if (count == 0) restoreNormal();
		if (count >= CAPACITY) return false;
		addNearest();
	}
	if (count > MOST) reduce();
	return !isFull;
}

function leastDistance(): f64 {
	let least = Infinity;
	for (let i = 0; i < count; i++) least = f64.min(least, num(DISTANCES, i));
	return least;
}

/** Two boxes that touch with a face, which is nearly always; false when that is not the case. */
function findBoxes(a: usize, b: usize): bool {
	boxes.findAxis(a, b, limit);
	if (boxes.separation > limit) return true;
	if (!boxes.isFace) return false;
	nx = boxes.nx;
	ny = boxes.ny;
	nz = boxes.nz;
	findFaces(a, b);
	if (count == 0) return false;
	// boxes that are apart may be nearest elsewhere: beside the face
	if (boxes.separation > 0 && leastDistance() > boxes.separation + 1e-9) return false;
	if (count > MOST) reduce();
	return true;
}

/** Two boxes of which edges are nearest; false when that is not the case. */
function findEdges(a: usize, b: usize): bool {
	if (boxes.isFace || !boxes.writeEdgePoints(a, b, found.POINT_A, found.POINT_B)) return false;
	found.setDistance(boxes.separation, boxes.nx, boxes.ny, boxes.nz);
	return true;
}

function findFaces(a: usize, b: usize): void {
	aim(face, nx, ny, nz);
	const alongA = align(face, a);
	aim(other, -nx, -ny, -nz);
	const alongB = align(other, b);
	if (f64.max(alongA, alongB) < FACING) {
		findLines(a, b);
		return;
	}
	const isFaceOnA = alongA >= alongB;
	const sign: f64 = isFaceOnA ? 1 : -1;
	if (!isFaceOnA) {
		const feature = face;
		face = other;
		other = feature;
	}
	const own = isFaceOnA ? a : b;
	const isPlane = kindOf(own) == PLANE;
	if (!isPlane) {
		// faces that nearly lie on each other: the normal is that of the one whose plane distances are measured from
		take(face, own);
		nx = sign * load<f64>(face, NORMAL);
		ny = sign * load<f64>(face, NORMAL + 8);
		nz = sign * load<f64>(face, NORMAL + 16);
	}
	take(other, isFaceOnA ? b : a);
	if (load<i32>(other, COUNT) == 0) restoreNormal();
	else project(isFaceOnA, !isPlane);
}

function restoreNormal(): void {
	nx = found.nx;
	ny = found.ny;
	nz = found.nz;
}

/** Clips the other feature to the face and keeps what is close enough. */
function project(isFaceOnA: bool, isBounded: bool): void {
	const sign: f64 = isFaceOnA ? 1 : -1;
	const x = sign * nx;
	const y = sign * ny;
	const z = sign * nz;
	clip = CLIP;
	clipped = CLIPPED;
	clipCount = load<i32>(other, COUNT);
	for (let i = 0; i < clipCount; i++) copy3(clip + i * THREE, other + POINTS + i * THREE);
	if (isBounded) clipToFace(x, y, z);
	if (isFull) return;
	// a point of the face: a corner, or the nearest point of a plane without end
	const point = isBounded ? face + POINTS : isFaceOnA ? found.POINT_A : found.POINT_B;
	const height = dot(point, x, y, z);
	const own = isFaceOnA ? POINTS_A : POINTS_B;
	const its = isFaceOnA ? POINTS_B : POINTS_A;
	for (let i = 0; i < clipCount; i++) {
		const p = clip + i * THREE;
		const px = load<f64>(p);
		const py = load<f64>(p, 8);
		const pz = load<f64>(p, 16);
		const distance = px * x + py * y + pz * z - height;
		if (distance > limit || count >= CAPACITY) continue;
		const at = count * THREE;
		put3(its + at, px, py, pz);
		put3(own + at, px - distance * x, py - distance * y, pz - distance * z);
		putNum(DISTANCES, count, distance);
		count++;
	}
}

/** Cuts the polygon or segment at the planes through the edges of the face, along the normal. */
function clipToFace(x: f64, y: f64, z: f64): void {
	const points = face + POINTS;
	const n = load<i32>(face, COUNT);
	let cx = 0.0;
	let cy = 0.0;
	let cz = 0.0;
	const share = 1 / <f64>n;
	for (let i = 0; i < n; i++) {
		cx += num(points, 3 * i) * share;
		cy += num(points, 3 * i + 1) * share;
		cz += num(points, 3 * i + 2) * share;
	}
	for (let i = 0; i < n && clipCount > 0; i++) {
		const p = points + i * THREE;
		const q = i + 1 < n ? p + THREE : points;
		const px = load<f64>(p);
		const py = load<f64>(p, 8);
		const pz = load<f64>(p, 16);
		const ex = load<f64>(q) - px;
		const ey = load<f64>(q, 8) - py;
		const ez = load<f64>(q, 16) - pz;
		let sx = ey * z - ez * y;
		let sy = ez * x - ex * z;
		let sz = ex * y - ey * x;
		const length = Math.sqrt(sx * sx + sy * sy + sz * sz);
		if (!(length > 0)) continue;
		// outward, whichever way the face goes around
		const outward = (px - cx) * sx + (py - cy) * sy + (pz - cz) * sz;
		const scale = (outward < 0 ? -1.0 : 1.0) / length;
		sx *= scale;
		sy *= scale;
		sz *= scale;
		cut(sx, sy, sz, px * sx + py * sy + pz * sz);
		if (clipCount > CAPACITY) {
			isFull = true;
			return;
		}
	}
}

/** Keeps the part of the polygon behind the plane `s · x ≤ offset`. */
function cut(sx: f64, sy: f64, sz: f64, offset: f64): void {
	const n = clipCount;
	let out = 0;
	for (let i = 0; i < n; i++) {
		const height = dot(clip + i * THREE, sx, sy, sz) - offset;
		putNum(ABOVE, i, height);
		if (!(height <= 0)) out++;
	}
	// mostly all of it is on one side
	if (out == 0) return;
	let kept = 0;
	const isSegment = n == 2;
	for (let i = 0; i < n && out < n; i++) {
		const j = i + 1 < n ? i + 1 : 0;
		const p = clip + i * THREE;
		const a = num(ABOVE, i);
		const b = num(ABOVE, j);
		if (a <= 0) copy3(clipped + kept++ * THREE, p);
		// a segment has one edge, not two
		if (isSegment && i == 1) break;
		if (n > 1 && a <= 0 != b <= 0 && kept < CAPACITY - 1) {
			const q = clip + j * THREE;
			const t = a / (a - b);
			const x = load<f64>(p);
			const y = load<f64>(p, 8);
			const z = load<f64>(p, 16);
			put3(
				clipped + kept++ * THREE,
				x + t * (load<f64>(q) - x),
				y + t * (load<f64>(q, 8) - y),
				z + t * (load<f64>(q, 16) - z),
			);
		}
	}
	const from = clip;
	clip = clipped;
	clipped = from;
	clipCount = kept;
}

/** Two contacts where straight lines on round surfaces lie along each other. */
function findLines(a: usize, b: usize): void {
	if (!hasLine(a) || !hasLine(b)) return;
	take(face, a);
	take(other, b);
	if (load<i32>(face, COUNT) != 2 || load<i32>(other, COUNT) != 2) return;
	const p = face + POINTS;
	const q = other + POINTS;
	const ux = num(p, 3) - num(p, 0);
	const uy = num(p, 4) - num(p, 1);
	const uz = num(p, 5) - num(p, 2);
	const vx = num(q, 3) - num(q, 0);
	const vy = num(q, 4) - num(q, 1);
	const vz = num(q, 5) - num(q, 2);
	const uu = ux * ux + uy * uy + uz * uz;
	const vv = vx * vx + vy * vy + vz * vz;
	const cx = uy * vz - uz * vy;
	const cy = uz * vx - ux * vz;
	const cz = ux * vy - uy * vx;
	const cross = Math.sqrt(cx * cx + cy * cy + cz * cz);
	if (!(uu > 0 && vv > 0) || cross > PARALLEL * Math.sqrt(uu * vv)) return;
	const t0 = ((num(q, 0) - num(p, 0)) * ux + (num(q, 1) - num(p, 1)) * uy + (num(q, 2) - num(p, 2)) * uz) / uu;
	const t1 = ((num(q, 3) - num(p, 0)) * ux + (num(q, 4) - num(p, 1)) * uy + (num(q, 5) - num(p, 2)) * uz) / uu;
	const low = f64.max(0, f64.min(t0, t1));
	const high = f64.min(1, f64.max(t0, t1));
	if (!(high - low > 1e-3) || t0 == t1) return;
	for (let end = 0; end < 2; end++) {
		const t = end == 0 ? low : high;
		const s = (t - t0) / (t1 - t0);
		const at = count * THREE;
		let distance = 0.0;
		for (let k = 0; k < 3; k++) {
			const x = num(p, k) + t * (num(p, 3 + k) - num(p, k));
			const y = num(q, k) + s * (num(q, 3 + k) - num(q, k));
			distance += (y - x) * (k == 0 ? nx : k == 1 ? ny : nz);
			putNum(POINTS_A + at, k, x);
			putNum(POINTS_B + at, k, y);
		}
		if (distance > limit) continue;
		putNum(DISTANCES, count, distance);
		count++;
	}
}

/** Adds the nearest points of the solids, with their distance along the normal of the manifold. */
function addNearest(): void {
	const at = count * THREE;
	copy3(POINTS_A + at, found.POINT_A);
	copy3(POINTS_B + at, found.POINT_B);
	putNum(
		DISTANCES,
		count,
		(num(found.POINT_B, 0) - num(found.POINT_A, 0)) * nx +
			(num(found.POINT_B, 1) - num(found.POINT_A, 1)) * ny +
			(num(found.POINT_B, 2) - num(found.POINT_A, 2)) * nz,
	);
	count++;
}

/** Keeps as many contacts as a pair may have, as `reducePoints` of the host does. */
function reduce(): void {
	for (let i = 0; i < count; i++) store<u8>(CHOSEN + i, 0);
	let first = 0;
	for (let i = 1; i < count; i++) if (num(DISTANCES, i) < num(DISTANCES, first) - 1e-9) first = i;
	store<u8>(CHOSEN + first, 1);
	// each further point is the one farthest from all that are kept
	for (let kept = 1; kept < MOST; kept++) {
		let best = -1;
		let farthest = -1.0;
		for (let i = 0; i < count; i++) {
			if (load<u8>(CHOSEN + i) == 1) continue;
			const p = POINTS_A + i * THREE;
			let near = Infinity;
			for (let j = 0; j < count; j++) {
				if (load<u8>(CHOSEN + j) == 0) continue;
				const q = POINTS_A + j * THREE;
				const x = load<f64>(p) - load<f64>(q);
				const y = load<f64>(p, 8) - load<f64>(q, 8);
				const z = load<f64>(p, 16) - load<f64>(q, 16);
				near = f64.min(near, x * x + y * y + z * z);
			}
			if (near > farthest * (1 + 1e-9)) {
				farthest = near;
				best = i;
			}
		}
		if (best >= 0) store<u8>(CHOSEN + best, 1);
	}
	let to = 0;
	for (let i = 0; i < count; i++) {
		if (load<u8>(CHOSEN + i) == 0) continue;
		copy3(POINTS_A + to * THREE, POINTS_A + i * THREE);
		copy3(POINTS_B + to * THREE, POINTS_B + i * THREE);
		to++;
	}
	count = to;
}

/** Whether a solid has straight lines on a round surface. */
function hasLine(solid: usize): bool {
	const kind = kindOf(solid);
	return kind == CAPSULE || kind == CYLINDER;
}
