import type { TriangleMesh } from '../triangle-mesh.ts';
import { buildNodes } from './build-nodes.ts';

/** Where a ray meets a mesh. @public */
export interface RayHit {
	readonly triangle: number;
	/** Distance in lengths of the direction. */
	readonly distance: number;
	/** Whether the ray enters at the front of the triangle. */
	readonly isFront: boolean;
}

/** The point of a mesh nearest to another. @public */
export interface NearestPoint {
	readonly triangle: number;
	readonly distance: number;
	readonly point: Float64Array;
}

/**
 * A tree of bounding boxes over the triangles of a mesh, flat in typed arrays.
 *
 * Node n has its bounds at `bounds[6 n]` (least x y z, most x y z). An inner node has `counts[n] = 0`, its first child at
 * n + 1 and its second at `offsets[n]`; a leaf has `counts[n]` triangles from `order[offsets[n]]` on. Nodes stand in
 * depth-first order, so the tree can be walked without a stack of pointers and sent to a worker as it is.
 * @public
 */
export class TriangleBvh {
	readonly mesh: TriangleMesh;
	readonly bounds: Float64Array;
	readonly offsets: Uint32Array;
	readonly counts: Uint32Array;
	/** Triangle numbers, leaf after leaf. */
	readonly order: Uint32Array;
	/** Most nodes on the way from the root to a leaf. */
	readonly depth: number;

	constructor(mesh: TriangleMesh) {
		const nodes = buildNodes(mesh);
		this.mesh = mesh;
		this.bounds = nodes.bounds;
		this.offsets = nodes.offsets;
		this.counts = nodes.counts;
		this.order = nodes.order;
		this.depth = nodes.depth;
	}

	get nodeCount(): number {
		return this.counts.length;
	}

	/** Calls `visit` with each triangle whose bounding box meets a box (least x y z, most x y z); stops when it gives true. */
	visitBox(box: ArrayLike<number>, visit: (triangle: number) => boolean): boolean {
		if (this.nodeCount === 0) return false;
		const { bounds, offsets, counts, order } = this;
		const stack = new Uint32Array(this.depth + 1);
		let top = 0;
		stack[top++] = 0;
		while (top > 0) {
			const node = stack[--top]!;
			const b = node * 6;
			const isApart =
				bounds[b]! > box[3]! ||
				bounds[b + 1]! > box[4]! ||
				bounds[b + 2]! > box[5]! ||
				bounds[b + 3]! < box[0]! ||
				bounds[b + 4]! < box[1]! ||
				bounds[b + 5]! < box[2]!;
			if (isApart) continue;
			const count = counts[node]!;
			if (count === 0) {
				stack[top++] = offsets[node]!;
				stack[top++] = node + 1;
				continue;
			}
			const first = offsets[node]!;
			for (let i = first; i < first + count; i++) if (visit(order[i]!)) return true;
		}
		return false;
	}

	/** The first triangle that a ray meets, from either side; undefined when it meets none within `maxDistance`. */
	castRay(
		origin: ArrayLike<number>,
		direction: ArrayLike<number>,
		maxDistance: number = Number.POSITIVE_INFINITY,
	): RayHit | undefined {
		let found: RayHit | undefined;
		this.#visitRay(origin, direction, maxDistance, (hit) => {
			if (found === undefined || hit.distance < found.distance) found = hit;
			return found.distance;
		});
		return found;
	}

	/** Sum over the triangles that a ray meets: +1 where it leaves through a front, -1 where it enters through one. */
	windingAlong(origin: ArrayLike<number>, direction: ArrayLike<number>): number {
		let winding = 0;
		this.#visitRay(origin, direction, Number.POSITIVE_INFINITY, (hit) => {
			winding += hit.isFront ? -1 : 1;
			return Number.POSITIVE_INFINITY;
		});
		return winding;
	}

	/** The nearest point of the mesh; undefined when it has no triangle. */
	nearest(point: ArrayLike<number>): NearestPoint | undefined {
		if (this.nodeCount === 0) return undefined;
		const { bounds, offsets, counts, order, mesh } = this;
		const [px, py, pz] = [point[0]!, point[1]!, point[2]!];
		let best = Number.POSITIVE_INFINITY;
		let triangle = -1;
		const place = new Float64Array(3);
		const candidate = new Float64Array(3);
		const stack = new Uint32Array(this.depth + 1);
		let top = 0;
		stack[top++] = 0;
		while (top > 0) {
			const node = stack[--top]!;
			if (boxDistanceSquared(bounds, node * 6, px, py, pz) >= best) continue;
			const count = counts[node]!;
			if (count === 0) {
				const near = node + 1;
				const far = offsets[node]!;
				const isSwapped =
					boxDistanceSquared(bounds, far * 6, px, py, pz) < boxDistanceSquared(bounds, near * 6, px, py, pz);
				stack[top++] = isSwapped ? near : far;
				stack[top++] = isSwapped ? far : near;
				continue;
			}
			const first = offsets[node]!;
			for (let i = first; i < first + count; i++) {
				const square = nearestOnTriangle(candidate, mesh, order[i]!, px, py, pz);
				if (square < best || (square === best && order[i]! < triangle)) {
					best = square;
					triangle = order[i]!;
					place.set(candidate);
				}
			}
		}
		return { triangle, distance: Math.sqrt(best), point: place };
	}

	/** Calls `visit` with each pair of triangles whose boxes meet, each pair once, the smaller number first; stops at true. */
	visitPairs(visit: (first: number, second: number) => boolean): boolean {
		if (this.nodeCount === 0) return false;
		const { bounds, offsets, counts, order } = this;
		const stack = [0, 0];
		while (stack.length > 0) {
			const b = stack.pop()!;
			const a = stack.pop()!;
			if (a !== b && !boxesMeet(bounds, a * 6, b * 6)) continue;
			const [countA, countB] = [counts[a]!, counts[b]!];
			if (countA > 0 && countB > 0) {
				for (let i = offsets[a]!; i < offsets[a]! + countA; i++) {
					for (let j = a === b ? i + 1 : offsets[b]!; j < offsets[b]! + countB; j++) {
						const [p, q] = [order[i]!, order[j]!];
						if (visit(Math.min(p, q), Math.max(p, q))) return true;
					}
				}
			} else if (a === b) stack.push(a + 1, a + 1, offsets[a]!, offsets[a]!, a + 1, offsets[a]!);
			else if (countA === 0 && (countB > 0 || boxSize(bounds, a * 6) >= boxSize(bounds, b * 6))) {
				stack.push(a + 1, b, offsets[a]!, b);
			} else stack.push(a, b + 1, a, offsets[b]!);
		}
		return false;
	}

	/** Calls `visit` with triangles that a ray meets; it gives the distance beyond which nothing matters. */
	#visitRay(
		origin: ArrayLike<number>,
		direction: ArrayLike<number>,
		maxDistance: number,
		visit: (hit: RayHit) => number,
	): void {
		if (this.nodeCount === 0) return;
		const { bounds, offsets, counts, order, mesh } = this;
		const { vertices, indices } = mesh;
		const [ox, oy, oz] = [origin[0]!, origin[1]!, origin[2]!];
		const [dx, dy, dz] = [direction[0]!, direction[1]!, direction[2]!];
		let limit = maxDistance;
		const stack = new Uint32Array(this.depth + 1);
		let top = 0;
		stack[top++] = 0;
		while (top > 0) {
			const node = stack[--top]!;
			const b = node * 6;
			let near = 0;
			let far = limit;
			for (let axis = 0; axis < 3; axis++) {
				const o = axis === 0 ? ox : axis === 1 ? oy : oz;
				const d = axis === 0 ? dx : axis === 1 ? dy : dz;
				if (d === 0) {
					if (o < bounds[b + axis]! || o > bounds[b + 3 + axis]!) far = -1;
					continue;
				}
				const t0 = (bounds[b + axis]! - o) / d;
				const t1 = (bounds[b + 3 + axis]! - o) / d;
				near = Math.max(near, Math.min(t0, t1));
				far = Math.min(far, Math.max(t0, t1));
			}
			if (near > far * (1 + 1e-12)) continue;
			const count = counts[node]!;
			if (count === 0) {
				stack[top++] = offsets[node]!;
				stack[top++] = node + 1;
				continue;
			}
			for (let i = offsets[node]!; i < offsets[node]! + count; i++) {
				const triangle = order[i]!;
				const p = indices[triangle * 3]! * 3;
				const q = indices[triangle * 3 + 1]! * 3;
				const r = indices[triangle * 3 + 2]! * 3;
				const ux = vertices[q]! - vertices[p]!;
				const uy = vertices[q + 1]! - vertices[p + 1]!;
				const uz = vertices[q + 2]! - vertices[p + 2]!;
				const vx = vertices[r]! - vertices[p]!;
				const vy = vertices[r + 1]! - vertices[p + 1]!;
				const vz = vertices[r + 2]! - vertices[p + 2]!;
				const cx = dy * vz - dz * vy;
				const cy = dz * vx - dx * vz;
				const cz = dx * vy - dy * vx;
				const determinant = ux * cx + uy * cy + uz * cz;
				if (determinant === 0) continue;
				const sx = ox - vertices[p]!;
				const sy = oy - vertices[p + 1]!;
				const sz = oz - vertices[p + 2]!;
				const u = (sx * cx + sy * cy + sz * cz) / determinant;
				if (u < 0 || u > 1) continue;
				const ex = sy * uz - sz * uy;
				const ey = sz * ux - sx * uz;
				const ez = sx * uy - sy * ux;
				const v = (dx * ex + dy * ey + dz * ez) / determinant;
				if (v < 0 || u + v > 1) continue;
				const distance = (vx * ex + vy * ey + vz * ez) / determinant;
				if (distance < 0 || distance > limit) continue;
				limit = Math.min(limit, visit({ triangle, distance, isFront: determinant > 0 }));
			}
		}
	}
}

function boxesMeet(bounds: Float64Array, a: number, b: number): boolean {
	return (
		bounds[a]! <= bounds[b + 3]! &&
		bounds[a + 1]! <= bounds[b + 4]! &&
		bounds[a + 2]! <= bounds[b + 5]! &&
		bounds[b]! <= bounds[a + 3]! &&
		bounds[b + 1]! <= bounds[a + 4]! &&
		bounds[b + 2]! <= bounds[a + 5]!
	);
}

function boxSize(bounds: Float64Array, at: number): number {
	return bounds[at + 3]! - bounds[at]! + bounds[at + 4]! - bounds[at + 1]! + bounds[at + 5]! - bounds[at + 2]!;
}

function boxDistanceSquared(bounds: Float64Array, at: number, x: number, y: number, z: number): number {
	const dx = Math.max(bounds[at]! - x, 0, x - bounds[at + 3]!);
	const dy = Math.max(bounds[at + 1]! - y, 0, y - bounds[at + 4]!);
	const dz = Math.max(bounds[at + 2]! - z, 0, z - bounds[at + 5]!);
	return dx * dx + dy * dy + dz * dz;
}

/** Writes the point of a triangle nearest to a point; gives the square of the distance (Ericson 2005, 5.1.5). */
function nearestOnTriangle(
	out: Float64Array,
	{ vertices, indices }: TriangleMesh,
	triangle: number,
	px: number,
	py: number,
	pz: number,
): number {
	const a = indices[triangle * 3]! * 3;
	const b = indices[triangle * 3 + 1]! * 3;
	const c = indices[triangle * 3 + 2]! * 3;
	const [ax, ay, az] = [vertices[a]!, vertices[a + 1]!, vertices[a + 2]!];
	const [ux, uy, uz] = [vertices[b]! - ax, vertices[b + 1]! - ay, vertices[b + 2]! - az];
	const [vx, vy, vz] = [vertices[c]! - ax, vertices[c + 1]! - ay, vertices[c + 2]! - az];
	const [wx, wy, wz] = [px - ax, py - ay, pz - az];
	const d1 = ux * wx + uy * wy + uz * wz;
	const d2 = vx * wx + vy * wy + vz * wz;
	const uu = ux * ux + uy * uy + uz * uz;
	const uv = ux * vx + uy * vy + uz * vz;
	const vv = vx * vx + vy * vy + vz * vz;
	const d3 = d1 - uu;
	const d4 = d2 - uv;
	const d5 = d1 - uv;
	const d6 = d2 - vv;
	let [s, t] = [0, 0];
	const va = d3 * d6 - d5 * d4;
	const vb = d5 * d2 - d1 * d6;
	const vc = d1 * d4 - d3 * d2;
	if (d1 <= 0 && d2 <= 0) [s, t] = [0, 0];
	else if (d3 >= 0 && d4 <= d3) [s, t] = [1, 0];
	else if (vc <= 0 && d1 >= 0 && d3 <= 0) [s, t] = [d1 === d3 ? 0 : d1 / (d1 - d3), 0];
	else if (d6 >= 0 && d5 <= d6) [s, t] = [0, 1];
	else if (vb <= 0 && d2 >= 0 && d6 <= 0) [s, t] = [0, d2 === d6 ? 0 : d2 / (d2 - d6)];
	else if (va <= 0 && d4 - d3 >= 0 && d5 - d6 >= 0) {
		const w = d4 - d3 + (d5 - d6) === 0 ? 0 : (d4 - d3) / (d4 - d3 + (d5 - d6));
		[s, t] = [1 - w, w];
	} else {
		const scale = 1 / (va + vb + vc);
		[s, t] = [vb * scale, vc * scale];
	}
	out[0] = ax + ux * s + vx * t;
	out[1] = ay + uy * s + vy * t;
	out[2] = az + uz * s + vz * t;
	return (out[0] - px) ** 2 + (out[1] - py) ** 2 + (out[2] - pz) ** 2;
}
