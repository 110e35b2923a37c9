import type { TriangleMesh } from '../triangle-mesh.ts';

/**
 * Volume of the part of a closed solid that lies in a box (least x y z, most x y z), exact up to rounding: the columns under
 * each triangle, cut off at the sides of the box and filled from its bottom up to the triangle, at most to its top.
 */
export function boxVolume(mesh: TriangleMesh, box: ArrayLike<number>): number {
	const { vertices, indices } = mesh;
	const [x0, y0, z0, x1, y1, z1] = [box[0]!, box[1]!, box[2]!, box[3]!, box[4]!, box[5]!];
	let polygon = new Float64Array(48);
	let scratch = new Float64Array(48);
	let volume = 0;
	for (let t = 0; t < indices.length; t += 3) {
		let [lowX, highX, lowY, highY, lowZ, highZ] = [Infinity, -Infinity, Infinity, -Infinity, Infinity, -Infinity];
		for (let k = 0; k < 3; k++) {
			const v = indices[t + k]! * 3;
			const [x, y, z] = [vertices[v]!, vertices[v + 1]!, vertices[v + 2]!];
			polygon[k * 3] = x;
			polygon[k * 3 + 1] = y;
			polygon[k * 3 + 2] = z;
			lowX = Math.min(lowX, x);
			highX = Math.max(highX, x);
			lowY = Math.min(lowY, y);
			highY = Math.max(highY, y);
			lowZ = Math.min(lowZ, z);
			highZ = Math.max(highZ, z);
		}
		if (highX <= x0 || lowX >= x1 || highY <= y0 || lowY >= y1 || highZ <= z0) continue;
		let count = 3;
		const cut = (axis: number, limit: number, sign: number): void => {
			count = clipPolygon(scratch, polygon, count, axis, limit, sign);
			[polygon, scratch] = [scratch, polygon];
		};
		if (lowX < x0) cut(0, x0, 1);
		if (highX > x1) cut(0, x1, -1);
		if (lowY < y0) cut(1, y0, 1);
		if (highY > y1) cut(1, y1, -1);
		cut(2, z0, 1);
		// a triangle in the plane of the top belongs to one of the two pieces
		if (lowZ < z1) {
			const below = clipPolygon(scratch, polygon, count, 2, z1, -1);
			volume += columns(scratch, below, z0, Number.POSITIVE_INFINITY);
		}
		if (highZ > z1 || lowZ >= z1) {
			const above = clipPolygon(scratch, polygon, count, 2, z1, 1);
			volume += columns(scratch, above, z0, z1);
		}
	}
	return Math.abs(volume);
}

/** Keeps the part of a polygon with `sign * (coordinate - limit) >= 0`; gives its number of corners. */
export function clipPolygon(
	out: Float64Array,
	polygon: Float64Array,
	count: number,
	axis: number,
	limit: number,
	sign: number,
): number {
	let kept = 0;
	for (let i = 0; i < count; i++) {
		const p = i * 3;
		const q = (i + 1 === count ? 0 : i + 1) * 3;
		const dp = sign * (polygon[p + axis]! - limit);
		const dq = sign * (polygon[q + axis]! - limit);
		if (dp >= 0) {
			for (let k = 0; k < 3; k++) out[kept * 3 + k] = polygon[p + k]!;
			kept++;
		}
		if ((dp > 0 && dq < 0) || (dp < 0 && dq > 0)) {
			// from the lower end on, so that both triangles of an edge get the same point
			const [a, b, d] = polygon[p + axis]! < polygon[q + axis]! ? [p, q, dp / (dp - dq)] : [q, p, dq / (dq - dp)];
			for (let k = 0; k < 3; k++) out[kept * 3 + k] = polygon[a + k]! + d * (polygon[b + k]! - polygon[a + k]!);
			out[kept * 3 + axis] = limit;
			kept++;
		}
	}
	return kept;
}

/** Signed volume between a level and a polygon, which counts as no higher than `top`. */
function columns(polygon: Float64Array, count: number, level: number, top: number): number {
	let volume = 0;
	for (let i = 1; i + 1 < count; i++) {
		const [b, c] = [i * 3, i * 3 + 3];
		const area =
			(polygon[b]! - polygon[0]!) * (polygon[c + 1]! - polygon[1]!) -
			(polygon[b + 1]! - polygon[1]!) * (polygon[c]! - polygon[0]!);
		const height = top === Number.POSITIVE_INFINITY ? (polygon[2]! + polygon[b + 2]! + polygon[c + 2]!) / 3 : top;
		volume += (area / 2) * (height - level);
	}
	return volume;
}
