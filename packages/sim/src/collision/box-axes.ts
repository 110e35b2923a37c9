import type { ConvexShape } from './convex-shape.ts';

/** Axes across two edges shorter than this are parallel edges, which add nothing. */
const SHORTEST = 1e-6;

/**
 * The axis along which two boxes are farthest apart, or overlap least, among the normals of their faces and the directions
 * across two edges (Gottschalk 1996), all by the products of their axes. Results are fields.
 */
export class BoxAxes {
	/** Separation from which on boxes are of no interest [m]: the first axis that shows it ends the search. */
	limit: number = Number.POSITIVE_INFINITY;
	/** Separation along the axis [m], negative for an overlap. */
	separation = 0;
	/** Unit axis from the first box to the second. */
	nx = 0;
	ny = 0;
	nz = 0;
	/** Whether the axis is the normal of a face. */
	isFace = false;
	/** Otherwise, which edges of the boxes it is across: 0 to 2 each. */
	#edgeA = 0;
	#edgeB = 0;

	/** Axes of the second box along those of the first: `#turn[3 i + j]` is the product of axis i and axis j. */
	readonly #turn = new Float64Array(9);
	/** The way from the first box to the second along the axes of the first. */
	readonly #way = new Float64Array(3);
	readonly #halfA = new Float64Array(3);
	readonly #halfB = new Float64Array(3);

	/** Finds the axis. */
	compute(A: ConvexShape, B: ConvexShape): void {
		const ra = A.rotation;
		const rb = B.rotation;
		const { limit } = this;
		const turn = this.#turn;
		const way = this.#way;
		const a = this.#halfA;
		const b = this.#halfB;
		a[0] = A.x;
		a[1] = A.y;
		a[2] = A.z;
		b[0] = B.x;
		b[1] = B.y;
		b[2] = B.z;
		const dx = B.px - A.px;
		const dy = B.py - A.py;
		const dz = B.pz - A.pz;
		let best = Number.NEGATIVE_INFINITY;
		let pick = 0;
		let sign = 1;
		for (let i = 0; i < 3; i++) {
			const x = ra[3 * i]!;
			const y = ra[3 * i + 1]!;
			const z = ra[3 * i + 2]!;
			const along = x * dx + y * dy + z * dz;
			way[i] = along;
			let reach = a[i]!;
			for (let j = 0; j < 3; j++) {
				const product = x * rb[3 * j]! + y * rb[3 * j + 1]! + z * rb[3 * j + 2]!;
				turn[3 * i + j] = product;
				reach += b[j]! * Math.abs(product);
			}
			const separation = Math.abs(along) - reach;
			if (!(separation > best)) continue;
			best = separation;
			pick = i;
			sign = along < 0 ? -1 : 1;
			if (separation > limit) {
				this.#take(ra, 3 * i, sign, separation);
				return;
			}
		}
		for (let j = 0; j < 3; j++) {
			const along = rb[3 * j]! * dx + rb[3 * j + 1]! * dy + rb[3 * j + 2]! * dz;
			const reach =
				b[j]! + a[0]! * Math.abs(turn[j]!) + a[1]! * Math.abs(turn[3 + j]!) + a[2]! * Math.abs(turn[6 + j]!);
			const separation = Math.abs(along) - reach;
			if (!(separation > best)) continue;
			best = separation;
			pick = 3 + j;
			sign = along < 0 ? -1 : 1;
			if (separation > limit) break;
		}
		this.#take(pick < 3 ? ra : rb, 3 * (pick < 3 ? pick : pick - 3), sign, best);
		if (best > limit) return;
		// an edge must win clearly: faces give better contacts
		best += 1e-9 * (a[0]! + a[1]! + a[2]! + b[0]! + b[1]! + b[2]!);
		pick = -1;
		for (let i = 0; i < 3 && !(best > limit); i++) {
			const i1 = i < 2 ? i + 1 : 0;
			const i2 = i > 0 ? i - 1 : 2;
			for (let j = 0; j < 3; j++) {
				const j1 = j < 2 ? j + 1 : 0;
				const j2 = j > 0 ? j - 1 : 2;
				const c1 = turn[3 * i1 + j]!;
				const c2 = turn[3 * i2 + j]!;
				const length = Math.sqrt(c1 * c1 + c2 * c2);
				if (length < SHORTEST) continue;
				const along = way[i2]! * c1 - way[i1]! * c2;
				const reach =
					a[i1]! * Math.abs(c2) +
					a[i2]! * Math.abs(c1) +
					b[j1]! * Math.abs(turn[3 * i + j2]!) +
					b[j2]! * Math.abs(turn[3 * i + j1]!);
				const separation = (Math.abs(along) - reach) / length;
				if (!(separation > best)) continue;
				best = separation;
				pick = 3 * i + j;
				sign = (along < 0 ? -1 : 1) / length;
				if (separation > limit) break;
			}
		}
		if (pick < 0) return;
		this.isFace = false;
		this.separation = best;
		this.#edgeB = pick % 3;
		this.#edgeA = (pick - this.#edgeB) / 3;
		const i = 3 * this.#edgeA;
		const j = 3 * this.#edgeB;
		this.nx = sign * (ra[i + 1]! * rb[j + 2]! - ra[i + 2]! * rb[j + 1]!);
		this.ny = sign * (ra[i + 2]! * rb[j]! - ra[i]! * rb[j + 2]!);
		this.nz = sign * (ra[i]! * rb[j + 1]! - ra[i + 1]! * rb[j]!);
	}

	/** Takes the normal of a face, times `sign`. */
	#take(axes: Float64Array, at: number, sign: number, separation: number): void {
		this.isFace = true;
		this.separation = separation;
		this.nx = sign * axes[at]!;
		this.ny = sign * axes[at + 1]!;
		this.nz = sign * axes[at + 2]!;
	}

	/**
	 * Writes the points where the two edges that an axis across edges was found of come nearest to each other, which are those of the
	 * boxes then. False when they are not on the edges: boxes that are apart may be nearest elsewhere.
	 */
	writePoints(A: ConvexShape, B: ConvexShape, pointA: Float64Array, pointB: Float64Array): boolean {
		const ra = A.rotation;
		const rb = B.rotation;
		this.#toEdge(A, this.#edgeA, 1, pointA);
		this.#toEdge(B, this.#edgeB, -1, pointB);
		const i = 3 * this.#edgeA;
		const j = 3 * this.#edgeB;
		const ux = ra[i]!;
		const uy = ra[i + 1]!;
		const uz = ra[i + 2]!;
		const vx = rb[j]!;
		const vy = rb[j + 1]!;
		const vz = rb[j + 2]!;
		const dx = pointB[0]! - pointA[0]!;
		const dy = pointB[1]! - pointA[1]!;
		const dz = pointB[2]! - pointA[2]!;
		const uv = ux * vx + uy * vy + uz * vz;
		const ud = ux * dx + uy * dy + uz * dz;
		const vd = vx * dx + vy * dy + vz * dz;
		const cx = uy * vz - uz * vy;
		const cy = uz * vx - ux * vz;
		const cz = ux * vy - uy * vx;
		const squared = cx * cx + cy * cy + cz * cz;
		const s = (ud - uv * vd) / squared;
		const t = (uv * ud - vd) / squared;
		if (!(Math.abs(s) <= halfOf(A, this.#edgeA) && Math.abs(t) <= halfOf(B, this.#edgeB))) return false;
		pointA[0] = pointA[0]! + s * ux;
		pointA[1] = pointA[1]! + s * uy;
		pointA[2] = pointA[2]! + s * uz;
		pointB[0] = pointB[0]! + t * vx;
		pointB[1] = pointB[1]! + t * vy;
		pointB[2] = pointB[2]! + t * vz;
		return true;
	}

	/** Writes the middle of the edge of a box along one of its axes that is farthest along the normal, times `sign`. */
	#toEdge(box: ConvexShape, edge: number, sign: number, out: Float64Array): void {
		const r = box.rotation;
		let x = box.px;
		let y = box.py;
		let z = box.pz;
		for (let k = 0; k < 3; k++) {
			if (k === edge) continue;
			const at = 3 * k;
			const along = r[at]! * this.nx + r[at + 1]! * this.ny + r[at + 2]! * this.nz;
			const half = sign * along < 0 ? -halfOf(box, k) : halfOf(box, k);
			x += half * r[at]!;
			y += half * r[at + 1]!;
			z += half * r[at + 2]!;
		}
		out[0] = x;
		out[1] = y;
		out[2] = z;
	}
}

function halfOf(box: ConvexShape, axis: number): number {
	return axis === 0 ? box.x : axis === 1 ? box.y : box.z;
}
