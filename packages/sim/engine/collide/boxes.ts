import { dot, num, put3, putNum, THREE } from './memory';
import { AXES, along, sizeOf } from './solids';

/** The axis along which two boxes are farthest apart, as `BoxAxes` of the host finds it. */

const SHORTEST: f64 = 1e-6;

export let separation: f64 = 0;
export let nx: f64 = 0;
export let ny: f64 = 0;
export let nz: f64 = 0;
/** Whether the axis is the normal of a face. */
export let isFace: bool = false;
let edgeA: i32 = 0;
let edgeB: i32 = 0;

/** Products of axes of both boxes, and the way from the first to the second along the axes of the first. */
const TURN: usize = memory.data(72, 16);
const WAY: usize = memory.data(24, 16);

/** Finds the axis; the first that shows more than the limit ends the search. */
export function findAxis(a: usize, b: usize, limit: f64): void {
	const dx = load<f64>(b) - load<f64>(a);
	const dy = load<f64>(b, 8) - load<f64>(a, 8);
	const dz = load<f64>(b, 16) - load<f64>(a, 16);
	let best = -Infinity;
	let pick: usize = 0;
	let sign = 1.0;
	for (let i = 0; i < 3; i++) {
		const r = a + AXES + i * THREE;
		const x = load<f64>(r);
		const y = load<f64>(r, 8);
		const z = load<f64>(r, 16);
		const between = x * dx + y * dy + z * dz;
		putNum(WAY, i, between);
		let reach = sizeOf(a, i);
		for (let j = 0; j < 3; j++) {
			const q = b + AXES + j * THREE;
			const product = x * load<f64>(q) + y * load<f64>(q, 8) + z * load<f64>(q, 16);
			putNum(TURN, 3 * i + j, product);
			reach += sizeOf(b, j) * Math.abs(product);
		}
		const found = Math.abs(between) - reach;
		if (!(found > best)) continue;
		best = found;
		pick = r;
		sign = between < 0 ? -1 : 1;
		if (found > limit) {
			takeFace(pick, sign, best);
			return;
		}
	}
	for (let j = 0; j < 3; j++) {
		const r = b + AXES + j * THREE;
		const between = dot(r, dx, dy, dz);
		const reach =
			sizeOf(b, j) +
			sizeOf(a, 0) * Math.abs(num(TURN, j)) +
			sizeOf(a, 1) * Math.abs(num(TURN, 3 + j)) +
			sizeOf(a, 2) * Math.abs(num(TURN, 6 + j));
		const found = Math.abs(between) - reach;
		if (!(found > best)) continue;
		best = found;
		pick = r;
		sign = between < 0 ? -1 : 1;
		if (found > limit) break;
	}
	takeFace(pick, sign, best);
	if (best > limit) return;
	// an edge must win clearly: faces give better contacts
	best += 1e-9 * (sizeOf(a, 0) + sizeOf(a, 1) + sizeOf(a, 2) + sizeOf(b, 0) + sizeOf(b, 1) + sizeOf(b, 2));
	for (let i = 0; i < 3 && !(best > limit); i++) {
		const i1 = i < 2 ? i + 1 : 0;
		const i2 = i > 0 ? i - 1 : 2;
		for (let j = 0; j < 3; j++) {
			const j1 = j < 2 ? j + 1 : 0;
			const j2 = j > 0 ? j - 1 : 2;
			const c1 = num(TURN, 3 * i1 + j);
			const c2 = num(TURN, 3 * i2 + j);
			const length = Math.sqrt(c1 * c1 + c2 * c2);
			if (length < SHORTEST) continue;
			const between = num(WAY, i2) * c1 - num(WAY, i1) * c2;
			const reach =
				sizeOf(a, i1) * Math.abs(c2) +
				sizeOf(a, i2) * Math.abs(c1) +
				sizeOf(b, j1) * Math.abs(num(TURN, 3 * i + j2)) +
				sizeOf(b, j2) * Math.abs(num(TURN, 3 * i + j1));
			const found = (Math.abs(between) - reach) / length;
			if (!(found > best)) continue;
			best = found;
			isFace = false;
			edgeA = i;
			edgeB = j;
			sign = (between < 0 ? -1.0 : 1.0) / length;
			if (found > limit) break;
		}
	}
	if (isFace) return;
	separation = best;
	const p = a + AXES + edgeA * THREE;
	const q = b + AXES + edgeB * THREE;
	nx = sign * (load<f64>(p, 8) * load<f64>(q, 16) - load<f64>(p, 16) * load<f64>(q, 8));
	ny = sign * (load<f64>(p, 16) * load<f64>(q) - load<f64>(p) * load<f64>(q, 16));
	nz = sign * (load<f64>(p) * load<f64>(q, 8) - load<f64>(p, 8) * load<f64>(q));
}

/** Takes the normal of a face, times `sign`. */
function takeFace(axis: usize, sign: f64, found: f64): void {
	isFace = true;
	separation = found;
	nx = sign * load<f64>(axis);
	ny = sign * load<f64>(axis, 8);
	nz = sign * load<f64>(axis, 16);
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
