import type { ConvexShape } from './convex-shape.ts';

const MAX_ITERATIONS = 128;
/** Relative gap between the distance and its lower bound at which the search ends. */
const GAP = 1e-14;
/** Share of the size below which cores count as touching. */
const TOUCHING = 1e-13;

/**
 * Distance of two convex cores by the algorithm of Gilbert, Johnson and Keerthi. Everything is relative to the position of the
 * first shape, so that places far from the origin lose no digits. Results are fields.
 */
export class Gjk {
	/** Corners of the simplex: points of A − B, and the points of A and B that make them; three numbers each. */
	readonly w: Float64Array = new Float64Array(12);
	readonly a: Float64Array = new Float64Array(12);
	readonly b: Float64Array = new Float64Array(12);
	count = 0;
	/** Weights of the corners in the nearest point. */
	readonly weights: Float64Array = new Float64Array(4);
	/** Point of A − B nearest to the origin. */
	vx = 0;
	vy = 0;
	vz = 0;
	distance = 0;
	/** Largest corner seen, as a measure of rounding. */
	scale = 0;
	/** Distance beyond which the search may end with a lower bound; the caller sets it. */
	limit: number = Number.POSITIVE_INFINITY;

	readonly #best: Float64Array = new Float64Array(3);
	readonly #keep: Int32Array = new Int32Array(4);
	#kept = 0;
	readonly #centres = new Float64Array(6);

	/** Finds the distance of the cores; 0 when they touch or overlap. */
	run(A: ConvexShape, B: ConvexShape): void {
		const { w, a, b } = this;
		this.count = 0;
		const centres = this.#centres;
		A.centre(centres, 0);
		B.centre(centres, 3);
		let vx = centres[0]! - centres[3]!;
		let vy = centres[1]! - centres[4]!;
		let vz = centres[2]! - centres[5]!;
		if (vx * vx + vy * vy + vz * vz < 1e-280) vx = 1;
		let squared = Number.POSITIVE_INFINITY;
		this.scale = 0;
		A.relativeTo(A);
		B.relativeTo(A);
		for (let iteration = 0; iteration < MAX_ITERATIONS; iteration++) {
			const at = 3 * this.count;
			A.aim(-vx, -vy, -vz);
			A.support(a, at);
			B.aim(vx, vy, vz);
			B.support(b, at);
			const wx = a[at]! - b[at]!;
			const wy = a[at + 1]! - b[at + 1]!;
			const wz = a[at + 2]! - b[at + 2]!;
			w[at] = wx;
			w[at + 1] = wy;
			w[at + 2] = wz;
			this.scale = Math.max(this.scale, Math.abs(wx), Math.abs(wy), Math.abs(wz));
			const along = vx * wx + vy * wy + vz * wz;
			if (squared < Number.POSITIVE_INFINITY) {
				// the plane through the newest corner, across the direction, separates the shapes by this much
				if (along > 0 && along * along > this.limit * this.limit * squared) {
					this.distance = along / Math.sqrt(squared);
					return;
				}
				if (squared - along <= GAP * squared || this.#hasNewest()) break;
			}
			this.count++;
			this.#nearest();
			const nx = this.vx;
			const ny = this.vy;
			const nz = this.vz;
			const next = nx * nx + ny * ny + nz * nz;
			const touching = TOUCHING * this.scale;
			if (this.count === 4 || next <= touching * touching) {
				this.distance = 0;
				return;
			}
			const isStuck = next >= squared;
			vx = nx;
			vy = ny;
			vz = nz;
			squared = next;
			if (isStuck) break;
		}
		this.distance = Math.sqrt(squared);
	}

	/** Writes the points of A and B that belong to the nearest point, relative to the position of A. */
	witnesses(pointA: Float64Array, pointB: Float64Array): void {
		for (let k = 0; k < 3; k++) {
			let p = 0;
			let q = 0;
			for (let i = 0; i < this.count; i++) {
				p += this.weights[i]! * this.a[3 * i + k]!;
				q += this.weights[i]! * this.b[3 * i + k]!;
			}
			pointA[k] = p;
			pointB[k] = q;
		}
	}

	/** Whether the corner behind the last is one of those before. */
	#hasNewest(): boolean {
		const { w } = this;
		const at = 3 * this.count;
		const x = w[at];
		const y = w[at + 1];
		const z = w[at + 2];
		for (let i = 0; i < this.count; i++) if (w[3 * i] === x && w[3 * i + 1] === y && w[3 * i + 2] === z) return true;
		return false;
	}

	/** Nearest point of the simplex to the origin; keeps only the corners that it depends on. All four: the origin is inside. */
	#nearest(): void {
		this.#squared = Number.POSITIVE_INFINITY;
		this.#kept = 0;
		switch (this.count) {
			case 1:
				this.#tryPoint(0);
				break;
			case 2:
				this.#tryEdge(0, 1);
				break;
			case 3:
				this.#tryTriangle(0, 1, 2);
				break;
			default:
				if (this.#isInside()) return;
				// the newest corner improved on the triangle of the others
				this.#tryTriangle(0, 1, 3);
				this.#tryTriangle(0, 2, 3);
				this.#tryTriangle(1, 2, 3);
				this.#tryTriangle(0, 1, 2);
		}
		this.#reduce();
	}

	#squared = 0;
	readonly #weightOf: Float64Array = new Float64Array(4);
	/** From the newest corner of a tetrahedron to the others. */
	readonly #edges: Float64Array = new Float64Array(9);

	/** A point of the simplex, and the weights of its corners. */
	readonly #trial: Float64Array = new Float64Array(6);

	/** Takes the point at the front of `#trial`, with the weights behind it, if it is nearer than the best so far. */
	#offer(i: number, j: number, k: number): void {
		const trial = this.#trial;
		const x = trial[0]!;
		const y = trial[1]!;
		const z = trial[2]!;
		const squared = x * x + y * y + z * z;
		if (!(squared < this.#squared)) return;
		this.#squared = squared;
		this.#best[0] = x;
		this.#best[1] = y;
		this.#best[2] = z;
		const keep = this.#keep;
		const weight = this.#weightOf;
		keep[0] = i;
		weight[0] = trial[3]!;
		let kept = 1;
		if (j >= 0) {
			keep[kept] = j;
			weight[kept++] = trial[4]!;
		}
		if (k >= 0) {
			keep[kept] = k;
			weight[kept++] = trial[5]!;
		}
		this.#kept = kept;
	}

	#tryPoint(i: number): void {
		const { w } = this;
		const trial = this.#trial;
		trial[0] = w[3 * i]!;
		trial[1] = w[3 * i + 1]!;
		trial[2] = w[3 * i + 2]!;
		trial[3] = 1;
		this.#offer(i, -1, -1);
	}

	#tryEdge(i: number, j: number): void {
		const { w } = this;
		const ax = w[3 * i]!;
		const ay = w[3 * i + 1]!;
		const az = w[3 * i + 2]!;
		const ux = w[3 * j]! - ax;
		const uy = w[3 * j + 1]! - ay;
		const uz = w[3 * j + 2]! - az;
		const uu = ux * ux + uy * uy + uz * uz;
		const t = uu > 0 ? -(ax * ux + ay * uy + az * uz) / uu : 0;
		if (!(t > 0)) this.#tryPoint(i);
		else if (t >= 1) this.#tryPoint(j);
		else {
			const trial = this.#trial;
			trial[0] = ax + t * ux;
			trial[1] = ay + t * uy;
			trial[2] = az + t * uz;
			trial[3] = 1 - t;
			trial[4] = t;
			this.#offer(i, j, -1);
		}
	}

	#tryTriangle(i: number, j: number, k: number): void {
		const { w } = this;
		const ax = w[3 * i]!;
		const ay = w[3 * i + 1]!;
		const az = w[3 * i + 2]!;
		const ux = w[3 * j]! - ax;
		const uy = w[3 * j + 1]! - ay;
		const uz = w[3 * j + 2]! - az;
		const vx = w[3 * k]! - ax;
		const vy = w[3 * k + 1]! - ay;
		const vz = w[3 * k + 2]! - az;
		const nx = uy * vz - uz * vy;
		const ny = uz * vx - ux * vz;
		const nz = ux * vy - uy * vx;
		const nn = nx * nx + ny * ny + nz * nz;
		if (nn > 0) {
			// barycentric coordinates of the projection of the origin
			const s = (nx * (vy * az - vz * ay) + ny * (vz * ax - vx * az) + nz * (vx * ay - vy * ax)) / nn;
			const t = (nx * (ay * uz - az * uy) + ny * (az * ux - ax * uz) + nz * (ax * uy - ay * ux)) / nn;
			if (s > 0 && t > 0 && s + t < 1) {
				// along the normal: small distances keep their digits
				const h = (ax * nx + ay * ny + az * nz) / nn;
				const trial = this.#trial;
				trial[0] = h * nx;
				trial[1] = h * ny;
				trial[2] = h * nz;
				trial[3] = 1 - s - t;
				trial[4] = s;
				trial[5] = t;
				this.#offer(i, j, k);
				return;
			}
		}
		this.#tryEdge(i, j);
		this.#tryEdge(i, k);
		this.#tryEdge(j, k);
	}

	/** Whether the origin is inside the tetrahedron: all its barycentric coordinates are positive. */
	#isInside(): boolean {
		const { w } = this;
		const edges = this.#edges;
		for (let i = 0; i < 9; i++) edges[i] = w[i]! - w[9 + (i % 3)]!;
		// six times signed volumes: of the whole, and with the origin in place of one corner
		const whole = triple(edges, 0, 3, 6);
		if (whole === 0) return false;
		const sign = whole < 0 ? -1 : 1;
		return (
			-sign * triple(w, 3, 6, 9) > 0 &&
			sign * triple(w, 0, 6, 9) > 0 &&
			-sign * triple(w, 0, 3, 9) > 0 &&
			sign * triple(w, 0, 3, 6) > 0
		);
	}

	/** Moves the kept corners to the front. */
	#reduce(): void {
		const { w, a, b } = this;
		const keep = this.#keep;
		// ascending, so that a corner is never overwritten before it is moved
		for (let i = 1; i < this.#kept; i++) {
			for (let j = i; j > 0 && keep[j]! < keep[j - 1]!; j--) {
				const k = keep[j]!;
				keep[j] = keep[j - 1]!;
				keep[j - 1] = k;
				const t = this.#weightOf[j]!;
				this.#weightOf[j] = this.#weightOf[j - 1]!;
				this.#weightOf[j - 1] = t;
			}
		}
		for (let i = 0; i < this.#kept; i++) {
			const from = 3 * keep[i]!;
			for (let k = 0; k < 3; k++) {
				w[3 * i + k] = w[from + k]!;
				a[3 * i + k] = a[from + k]!;
				b[3 * i + k] = b[from + k]!;
			}
			this.weights[i] = this.#weightOf[i]!;
		}
		this.count = this.#kept;
		this.vx = this.#best[0]!;
		this.vy = this.#best[1]!;
		this.vz = this.#best[2]!;
	}
}

/** The determinant of the three vectors that begin at a, b and c. */
function triple(v: Float64Array, a: number, b: number, c: number): number {
	return (
		v[a]! * (v[b + 1]! * v[c + 2]! - v[b + 2]! * v[c + 1]!) +
		v[a + 1]! * (v[b + 2]! * v[c]! - v[b]! * v[c + 2]!) +
		v[a + 2]! * (v[b]! * v[c + 1]! - v[b + 1]! * v[c]!)
	);
}
