import { num, put3, THREE } from './memory';
import { AXES, along, SIZE, sizeOf } from './solids';

/** The axis along which two boxes are farthest apart, as `BoxAxes` of the host finds it. */

const SHORTEST: f64 = 1e-6;
const FACE_AXES: i32 = 6;

export let separation: f64 = 0;
export let nx: f64 = 0;
export let ny: f64 = 0;
export let nz: f64 = 0;
/** Whether the axis is the normal of a face. */
export let isFace: bool = false;
let edgeA: i32 = 0;
let edgeB: i32 = 0;
let best: f64 = 0;
let dx: f64 = 0;
let dy: f64 = 0;
let dz: f64 = 0;

/** Finds the axis; the first that shows more than the limit ends the search. */
export function findAxis(a: usize, b: usize, limit: f64): void {
	dx = load<f64>(b) - load<f64>(a);
	dy = load<f64>(b, 8) - load<f64>(a, 8);
	dz = load<f64>(b, 16) - load<f64>(a, 16);
	best = -Infinity;
	for (let axis = 0; axis < FACE_AXES; axis++) {
		const r = axis < 3 ? a + AXES + axis * THREE : b + AXES + (axis - 3) * THREE;
		if (tryAxis(a, b, load<f64>(r), load<f64>(r, 8), load<f64>(r, 16), axis) && separation > limit) return;
	}
	// an edge must win clearly: faces give better contacts
	best +=
		1e-9 *
		(load<f64>(a, SIZE) +
			load<f64>(a, SIZE + 8) +
			load<f64>(a, SIZE + 16) +
			load<f64>(b, SIZE) +
			load<f64>(b, SIZE + 8) +
			load<f64>(b, SIZE + 16));
	for (let i = 0; i < 3; i++) {
		const p = a + AXES + i * THREE;
		const px = load<f64>(p);
		const py = load<f64>(p, 8);
		const pz = load<f64>(p, 16);
		for (let j = 0; j < 3; j++) {
			const q = b + AXES + j * THREE;
			const x = py * load<f64>(q, 16) - pz * load<f64>(q, 8);
			const y = pz * load<f64>(q) - px * load<f64>(q, 16);
			const z = px * load<f64>(q, 8) - py * load<f64>(q);
			const length = Math.sqrt(x * x + y * y + z * z);
			if (length < SHORTEST) continue;
			if (!tryAxis(a, b, x / length, y / length, z / length, FACE_AXES)) continue;
			edgeA = i;
			edgeB = j;
			if (separation > limit) return;
		}
	}
}

/** Takes an axis if it is better than the best so far. */
function tryAxis(a: usize, b: usize, x: f64, y: f64, z: f64, axis: i32): bool {
	const between = x * dx + y * dy + z * dz;
	const found = Math.abs(between) - reachOf(a, x, y, z) - reachOf(b, x, y, z);
	if (!(found > best)) return false;
	const sign: f64 = between < 0 ? -1 : 1;
	best = found;
	nx = sign * x;
	ny = sign * y;
	nz = sign * z;
	separation = found;
	isFace = axis < FACE_AXES;
	return true;
}

/** How far a box reaches along a direction from its centre. */
function reachOf(box: usize, x: f64, y: f64, z: f64): f64 {
	return (
		load<f64>(box, SIZE) * Math.abs(along(box, 0, x, y, z)) +
		load<f64>(box, SIZE + 8) * Math.abs(along(box, 1, x, y, z)) +
		load<f64>(box, SIZE + 16) * Math.abs(along(box, 2, x, y, z))
	);
}

/** Writes the points where the two edges that the axis is across come nearest; false when they are not on the edges. */
export function writeEdgePoints(a: usize, b: usize, pointA: usize, pointB: usize): bool {
	toEdge(a, edgeA, 1, pointA);
	toEdge(b, edgeB, -1, pointB);
	const p = a + AXES + edgeA * THREE;
	const q = b + AXES + edgeB * THREE;
	const ux = load<f64>(p);
	const uy = load<f64>(p, 8);
	const uz = load<f64>(p, 16);
	const vx = load<f64>(q);
	const vy = load<f64>(q, 8);
	const vz = load<f64>(q, 16);
	const ex = num(pointB, 0) - num(pointA, 0);
	const ey = num(pointB, 1) - num(pointA, 1);
	const ez = num(pointB, 2) - num(pointA, 2);
	const uv = ux * vx + uy * vy + uz * vz;
	const ud = ux * ex + uy * ey + uz * ez;
	const vd = vx * ex + vy * ey + vz * ez;
	const cx = uy * vz - uz * vy;
	const cy = uz * vx - ux * vz;
	const cz = ux * vy - uy * vx;
	const squared = cx * cx + cy * cy + cz * cz;
	const s = (ud - uv * vd) / squared;
	const t = (uv * ud - vd) / squared;
	if (!(Math.abs(s) <= sizeOf(a, edgeA) && Math.abs(t) <= sizeOf(b, edgeB))) return false;
	put3(pointA, num(pointA, 0) + s * ux, num(pointA, 1) + s * uy, num(pointA, 2) + s * uz);
	put3(pointB, num(pointB, 0) + t * vx, num(pointB, 1) + t * vy, num(pointB, 2) + t * vz);
	return true;
}

/** Writes the middle of the edge of a box along one of its axes that is farthest along the normal, times `sign`. */
function toEdge(box: usize, edge: i32, sign: f64, out: usize): void {
	let x = load<f64>(box);
	let y = load<f64>(box, 8);
	let z = load<f64>(box, 16);
	for (let k = 0; k < 3; k++) {
		if (k == edge) continue;
		const r = box + AXES + k * THREE;
		const size = sizeOf(box, k);
		const half = sign * along(box, k, nx, ny, nz) < 0 ? -size : size;
		x += half * load<f64>(r);
		y += half * load<f64>(r, 8);
		z += half * load<f64>(r, 16);
	}
	put3(out, x, y, z);
}
