import { convexHull } from '../hull/convex-hull.ts';
import { principalAxes } from './principal-axes.ts';

/** A box with axes of its own. @public */
export interface OrientedBox {
	readonly center: Float64Array;
	/** Half extents along the axes. */
	readonly halfExtents: Float64Array;
	/** Three unit vectors, right-handed, one after the other. */
	readonly axes: Float64Array;
}

/**
 * A small box around points, three coordinates each. Candidates are boxes with a side in the plane of each face of the hull,
 * turned about its normal so that the rectangle around the points has the least area, and the boxes along the coordinate
 * axes and along the axes of inertia. The best is refined by turning it by ever smaller angles while that makes it smaller.
 * For boxes, prisms and most parts this is the smallest box; in general it is close (O'Rourke 1985 gives the exact one, which
 * needs no side in the plane of a face).
 * @public
 */
export function orientedBox(points: Float64Array): OrientedBox {
	const identity = Float64Array.of(1, 0, 0, 0, 1, 0, 0, 0, 1);
	if (points.length === 0) return { center: new Float64Array(3), halfExtents: new Float64Array(3), axes: identity };
	const hull = convexHull(points);
	const vertices = hull.mesh.vertices;
	const search = new BoxSearch(vertices);
	search.consider(identity);
	search.consider(principalAxes(vertices));
	if (hull.dimension >= 2) {
		// faces of a fine hull are many and alike: those of a coarse one suffice as directions
		const coarse = vertices.length > 3 * COARSE_VERTICES ? convexHull(points, { maxVertices: COARSE_VERTICES }) : hull;
		search.considerFaces(coarse.mesh.vertices, coarse.mesh.indices);
	} else if (vertices.length === 6) {
		const direction = [0, 1, 2].map((k) => vertices[3 + k]! - vertices[k]!);
		search.consider(frameAlong(direction[0]!, direction[1]!, direction[2]!, 0, 0, 0));
	}
	search.refine();
	return search.result();
}

const COARSE_VERTICES = 200;

/** Axes whose first is along x y z and whose second is along the part of a b c across it, or any when that is nothing. */
function frameAlong(x: number, y: number, z: number, a: number, b: number, c: number): Float64Array {
	const length = Math.hypot(x, y, z) || 1;
	const [ux, uy, uz] = [x / length, y / length, z / length];
	let along = a * ux + b * uy + c * uz;
	let [vx, vy, vz] = [a - along * ux, b - along * uy, c - along * uz];
	if (Math.hypot(vx, vy, vz) === 0) {
		// the coordinate axis that is most across
		const least = Math.min(Math.abs(ux), Math.abs(uy), Math.abs(uz));
		[vx, vy, vz] = least === Math.abs(ux) ? [1, 0, 0] : least === Math.abs(uy) ? [0, 1, 0] : [0, 0, 1];
		along = vx * ux + vy * uy + vz * uz;
		[vx, vy, vz] = [vx - along * ux, vy - along * uy, vz - along * uz];
	}
	const across = Math.hypot(vx, vy, vz);
	[vx, vy, vz] = [vx / across, vy / across, vz / across];
	return Float64Array.of(ux, uy, uz, vx, vy, vz, uy * vz - uz * vy, uz * vx - ux * vz, ux * vy - uy * vx);
}

class BoxSearch {
	readonly #vertices: Float64Array;
	#axes: Float64Array = new Float64Array(9);
	#volume = Number.POSITIVE_INFINITY;
	readonly #least = new Float64Array(3);
	readonly #most = new Float64Array(3);

	constructor(vertices: Float64Array) {
		this.#vertices = vertices;
	}

	consider(axes: Float64Array): boolean {
		this.#measure(axes);
		const [least, most] = [this.#least, this.#most];
		const sizes = [0, 1, 2].map((k) => most[k]! - least[k]!);
		// flat boxes have no volume: the surface decides, in a far smaller measure
		const [x, y, z] = sizes as [number, number, number];
		const scale = Math.max(x, y, z);
		const volume = x * y * z + 1e-9 * scale * (x * y + y * z + z * x);
		if (!(volume < this.#volume * (1 - 1e-12))) return false;
		this.#volume = volume;
		this.#axes = axes;
		return true;
	}

	/** For each triangle the box with a side in its plane and another along one of its edges or of the outline. */
	considerFaces(vertices: Float64Array, indices: Uint32Array): void {
		const seen = new Set<string>();
		for (let t = 0; t < indices.length; t += 3) {
			const [i, j, k] = [indices[t]! * 3, indices[t + 1]! * 3, indices[t + 2]! * 3];
			const u = [0, 1, 2].map((axis) => vertices[j + axis]! - vertices[i + axis]!) as [number, number, number];
			const v = [0, 1, 2].map((axis) => vertices[k + axis]! - vertices[i + axis]!) as [number, number, number];
			const [nx, ny, nz] = [u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]];
			const length = Math.hypot(nx, ny, nz);
			if (length === 0) continue;
			// opposite and equal normals give the same boxes
			const sign = (nx || ny || nz) < 0 ? -1 : 1;
			const key = [nx, ny, nz].map((value) => Math.round((value * sign * 1e7) / length)).join();
			if (seen.has(key)) continue;
			seen.add(key);
			this.#considerNormal(vertices, frameAlong(nx, ny, nz, u[0], u[1], u[2]));
		}
	}

	/** Turns a frame about its first axis so that another side lies along an edge of the outline of the points. */
	#considerNormal(vertices: Float64Array, frame: Float64Array): void {
		const outline = outlineOf(vertices, frame);
		let best = Number.POSITIVE_INFINITY;
		let direction: readonly [number, number] = [1, 0];
		for (let i = 0; i < outline.length; i++) {
			const [px, py] = outline[i]!;
			const [qx, qy] = outline[(i + 1) % outline.length]!;
			const length = Math.hypot(qx - px, qy - py);
			if (length === 0) continue;
			const [dx, dy] = [(qx - px) / length, (qy - py) / length];
			let [a0, a1, b0, b1] = [0, 0, 0, 0];
			for (const [x, y] of outline) {
				const a = (x - px) * dx + (y - py) * dy;
				const b = (y - py) * dx - (x - px) * dy;
				if (a < a0) a0 = a;
				if (a > a1) a1 = a;
				if (b < b0) b0 = b;
				if (b > b1) b1 = b;
			}
			const area = (a1 - a0) * (b1 - b0);
			if (area < best) [best, direction] = [area, [dx, dy]];
		}
		const [c, s] = direction;
		this.consider(
			frameAlong(
				frame[0]!,
				frame[1]!,
				frame[2]!,
				c * frame[3]! + s * frame[6]!,
				c * frame[4]! + s * frame[7]!,
				c * frame[5]! + s * frame[8]!,
			),
		);
	}

	/** Turns the best box about its axes by angles that halve from 6 degrees on. */
	refine(): void {
		for (let angle = 0.1; angle > 1e-7; ) {
			let isBetter = false;
			for (let axis = 0; axis < 3; axis++) {
				for (const sign of [1, -1]) if (this.consider(turned(this.#axes, axis, sign * angle))) isBetter = true;
			}
			if (!isBetter) angle /= 2;
		}
	}

	result(): OrientedBox {
		const axes = this.#axes;
		this.#measure(axes);
		const center = new Float64Array(3);
		const halfExtents = new Float64Array(3);
		for (let k = 0; k < 3; k++) {
			const middle = (this.#least[k]! + this.#most[k]!) / 2;
			halfExtents[k] = (this.#most[k]! - this.#least[k]!) / 2;
			for (let axis = 0; axis < 3; axis++) center[axis] = center[axis]! + middle * axes[k * 3 + axis]!;
		}
		return { center, halfExtents, axes: axes.slice() };
	}

	#measure(axes: Float64Array): void {
		const vertices = this.#vertices;
		for (let k = 0; k < 3; k++) {
			const [x, y, z] = [axes[k * 3]!, axes[k * 3 + 1]!, axes[k * 3 + 2]!];
			let least = Number.POSITIVE_INFINITY;
			let most = Number.NEGATIVE_INFINITY;
			for (let i = 0; i < vertices.length; i += 3) {
				const value = vertices[i]! * x + vertices[i + 1]! * y + vertices[i + 2]! * z;
				if (value < least) least = value;
				if (value > most) most = value;
			}
			this.#least[k] = least;
			this.#most[k] = most;
		}
	}
}

/** The convex outline of points seen along the first axis of a frame, by the monotone chain. */
function outlineOf(vertices: Float64Array, frame: Float64Array): [number, number][] {
	const flat: [number, number][] = [];
	for (let i = 0; i < vertices.length; i += 3) {
		const [x, y, z] = [vertices[i]!, vertices[i + 1]!, vertices[i + 2]!];
		flat.push([x * frame[3]! + y * frame[4]! + z * frame[5]!, x * frame[6]! + y * frame[7]! + z * frame[8]!]);
	}
	flat.sort((a, b) => a[0] - b[0] || a[1] - b[1]);
	const half = (list: readonly [number, number][]): [number, number][] => {
		const kept: [number, number][] = [];
		for (const point of list) {
			while (kept.length >= 2) {
				const [p, q] = [kept.at(-2)!, kept.at(-1)!];
				if ((q[0] - p[0]) * (point[1] - p[1]) - (q[1] - p[1]) * (point[0] - p[0]) > 0) break;
				kept.pop();
			}
			kept.push(point);
		}
		kept.pop();
		return kept;
	};
	return [...half(flat), ...half(flat.reverse())];
}

function turned(axes: Float64Array, axis: number, angle: number): Float64Array {
	const out = axes.slice();
	const [c, s] = [Math.cos(angle), Math.sin(angle)];
	const [p, q] = [((axis + 1) % 3) * 3, ((axis + 2) % 3) * 3];
	for (let k = 0; k < 3; k++) {
		out[p + k] = c * axes[p + k]! + s * axes[q + k]!;
		out[q + k] = c * axes[q + k]! - s * axes[p + k]!;
	}
	return out;
}
