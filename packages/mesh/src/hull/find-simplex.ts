import { orient3d } from '../geometry/predicates.ts';

/** Points that span a point, a segment, a triangle or a tetrahedron. */
export interface Simplex {
	readonly dimension: -1 | 0 | 1 | 2 | 3;
	readonly points: readonly number[];
	/** Largest size of the bounding box. */
	readonly extent: number;
}

/** Finds a large simplex: two extremes along an axis, the point farthest from their line, the one farthest from the plane. */
export function findSimplex(points: Float64Array, flatTolerance: number): Simplex {
	const count = points.length / 3;
	if (count === 0) return { dimension: -1, points: [], extent: 0 };
	const { a, b, extent } = farthestExtremes(points);
	if (extent === 0) return { dimension: 0, points: [0], extent };
	const tolerance = flatTolerance * extent;
	const [ax, ay, az] = [points[a * 3]!, points[a * 3 + 1]!, points[a * 3 + 2]!];
	const ux = points[b * 3]! - ax;
	const uy = points[b * 3 + 1]! - ay;
	const uz = points[b * 3 + 2]! - az;
	const length = Math.hypot(ux, uy, uz);

	let c = -1;
	let most = 0;
	let nx = 0;
	let ny = 0;
	let nz = 0;
	for (let i = 0; i < count; i++) {
		const vx = points[i * 3]! - ax;
		const vy = points[i * 3 + 1]! - ay;
		const vz = points[i * 3 + 2]! - az;
		const cx = uy * vz - uz * vy;
		const cy = uz * vx - ux * vz;
		const cz = ux * vy - uy * vx;
		const square = cx * cx + cy * cy + cz * cz;
		if (square <= most) continue;
		most = square;
		c = i;
		[nx, ny, nz] = [cx, cy, cz];
	}
	const area = Math.sqrt(most);
	if (c < 0 || area / length <= tolerance) return { dimension: 1, points: endsOf(points, ux, uy, uz), extent };

	// the sign is asked of the exact predicate as well: heights of the tallest points may still round to nothing
	let d = -1;
	let highest = 0;
	for (let i = 0; i < count; i++) {
		const height = Math.abs(
			nx * (points[i * 3]! - ax) + ny * (points[i * 3 + 1]! - ay) + nz * (points[i * 3 + 2]! - az),
		);
		if (height > highest && orient3d(points, a * 3, b * 3, c * 3, i * 3) !== 0) {
			highest = height;
			d = i;
		}
	}
	if (d < 0 || highest / area <= tolerance) return { dimension: 2, points: [a, b, c], extent };
	return { dimension: 3, points: [a, b, c, d], extent };
}

/** The pair of axis extremes that are farthest apart. */
function farthestExtremes(points: Float64Array): { a: number; b: number; extent: number } {
	let [x0, y0, z0] = [points[0]!, points[1]!, points[2]!];
	let [x1, y1, z1] = [x0, y0, z0];
	let [lowX, lowY, lowZ, highX, highY, highZ] = [0, 0, 0, 0, 0, 0];
	for (let i = 0; i < points.length; i += 3) {
		const x = points[i]!;
		const y = points[i + 1]!;
		const z = points[i + 2]!;
		if (x < x0) [x0, lowX] = [x, i];
		if (x > x1) [x1, highX] = [x, i];
		if (y < y0) [y0, lowY] = [y, i];
		if (y > y1) [y1, highY] = [y, i];
		if (z < z0) [z0, lowZ] = [z, i];
		if (z > z1) [z1, highZ] = [z, i];
	}
	const least = [lowX / 3, lowY / 3, lowZ / 3];
	const most = [highX / 3, highY / 3, highZ / 3];
	let extent = 0;
	let [a, b, distance] = [0, 0, -1];
	const candidates = [...least, ...most];
	for (let axis = 0; axis < 3; axis++) {
		extent = Math.max(extent, points[most[axis]! * 3 + axis]! - points[least[axis]! * 3 + axis]!);
	}
	for (const p of candidates) {
		for (const q of candidates) {
			const dx = points[p * 3]! - points[q * 3]!;
			const dy = points[p * 3 + 1]! - points[q * 3 + 1]!;
			const dz = points[p * 3 + 2]! - points[q * 3 + 2]!;
			const square = dx * dx + dy * dy + dz * dz;
			if (square > distance) [a, b, distance] = [p, q, square];
		}
	}
	return { a, b, extent };
}

/** First and last point along a direction. */
function endsOf(points: Float64Array, x: number, y: number, z: number): number[] {
	let [first, last] = [0, 0];
	let [least, most] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
	for (let i = 0; i < points.length; i += 3) {
		const value = points[i]! * x + points[i + 1]! * y + points[i + 2]! * z;
		if (value < least) [least, first] = [value, i / 3];
		if (value > most) [most, last] = [value, i / 3];
	}
	return [first, last];
}
