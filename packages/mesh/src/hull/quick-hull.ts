import { orient3d } from '../geometry/predicates.ts';

const ERROR = 2 ** -53 * 32;
/** Share of the products of a normal with a point by which two of their sums can be off; and where numbers lose digits. */
const SUM_ERROR = 2 ** -53 * 16;
const TINY = 1e-300;

/**
 * The convex hull of points as triangles, grown point by point from a tetrahedron (Barber et al. 1996). Whether a point is
 * above a facet is decided exactly, so flat, collinear and repeated points need no tolerance and every step keeps a closed
 * convex surface. Offsets into the points are those of their first coordinate.
 */
export class QuickHull {
	/** Three corners of each facet. */
	corners: Uint32Array = new Uint32Array(3 * 256);
	/** Facet across the edge from corner i to corner i + 1. */
	neighbours: Uint32Array = new Uint32Array(3 * 256);
	/** 1 for facets of the hull. */
	alive: Uint8Array = new Uint8Array(256);
	facetCount = 0;
	readonly #points: Float64Array;
	readonly #extent: number;
	/** Normal, error bound of its product with a point, and one over its length. */
	#planes: Float64Array = new Float64Array(5 * 256);
	/** First point of the list of points above each facet, -1 at its end; and the highest of them. */
	#heads: Int32Array = new Int32Array(256);
	#highest: Int32Array = new Int32Array(256);
	#heights: Float64Array = new Float64Array(256);
	#marks: Uint32Array = new Uint32Array(256);
	#mark = 0;
	readonly #next: Int32Array;
	/** New facet by the first corner of its edge on the horizon. */
	readonly #facetFrom: Int32Array;
	readonly #free: number[] = [];
	readonly #pending: number[] = [];
	readonly #visible: number[] = [];
	readonly #made: number[] = [];
	/**
	 * Eight numbers of each facet in {@link #made}: its normal, the product with it below which a point is not above the facet, its
	 * first corner, and the height from which on a point surely is above it.
	 */
	#tests: Float64Array = new Float64Array(8 * 64);
	/** Largest coordinate without its sign. */
	readonly #reach: number;

	/** @param extent - the largest size of the bounding box of the points */
	constructor(points: Float64Array, extent: number) {
		this.#points = points;
		this.#extent = extent;
		let reach = 0;
		for (let i = 0; i < points.length; i++) reach = Math.max(reach, Math.abs(points[i]!));
		this.#reach = reach;
		// both are written before they are read, and one hull is made at a time
		const { next, facetFrom } = takeScratch(points.length / 3);
		this.#next = next;
		this.#facetFrom = facetFrom;
	}

	/** Starts with four points that are not in one plane and puts all others above the facets they can see. */
	start(a: number, b: number, c: number, d: number): void {
		const isOutward = orient3d(this.#points, a * 3, b * 3, c * 3, d * 3) < 0;
		const [p, q] = isOutward ? [b, c] : [c, b];
		// seen from d the base is clockwise
		const facets = [this.#make(a, p, q), this.#make(a, d, p), this.#make(p, d, q), this.#make(q, d, a)] as const;
		const [base, f1, f2, f3] = facets;
		this.neighbours.set([f1, f2, f3], base * 3);
		this.neighbours.set([f3, f2, base], f1 * 3);
		this.neighbours.set([f1, f3, base], f2 * 3);
		this.neighbours.set([f2, f1, base], f3 * 3);
		this.#made.push(...facets);
		this.#prepareTests();
		const count = this.#points.length / 3;
		for (let i = 0; i < count; i++) if (i !== a && i !== b && i !== c && i !== d) this.#assign(i);
		for (const facet of facets) if (this.#heads[facet]! >= 0) this.#pending.push(facet);
		this.#made.length = 0;
	}

	/** Adds points until none is outside, round by round over the facets, so that all sides are refined alike. */
	finish(): void {
		while (this.#pending.length > 0) {
			const round = this.#pending.splice(0);
			for (const facet of round) if (this.alive[facet] === 1 && this.#heads[facet]! >= 0) this.#addHighest(facet);
		}
	}

	/** Adds the point that is highest above a facet, at most `count` times; gives the height that is left. */
	addHighest(count: number): number {
		for (let added = 0; ; added++) {
			let best = -1;
			let height = 0;
			for (let facet = 0; facet < this.facetCount; facet++) {
				if (this.alive[facet] !== 1 || this.#heads[facet]! < 0) continue;
				const own = this.#heights[facet]! * this.#planes[facet * 5 + 4]!;
				if (own > height || best < 0) {
					height = own;
					best = facet;
				}
			}
			if (best < 0 || added >= count) return best < 0 ? 0 : height;
			this.#addHighest(best);
			this.#pending.length = 0;
		}
	}

	#addHighest(facet: number): void {
		const point = this.#highest[facet]!;
		this.#findVisible(facet, point);
		this.#makeCone(point);
		this.#prepareTests();
		for (const facet of this.#visible) {
			for (let i = this.#heads[facet]!; i >= 0; ) {
				const next = this.#next[i]!;
				if (i !== point) this.#assign(i);
				i = next;
			}
		}
		// corners and lists of the old facets are no longer needed
		for (const facet of this.#visible) this.#free.push(facet);
		for (const facet of this.#made) if (this.#heads[facet]! >= 0) this.#pending.push(facet);
		this.#visible.length = 0;
		this.#made.length = 0;
	}

	/** Collects the facets that a point sees, from one of them outwards. */
	#findVisible(facet: number, point: number): void {
		const mark = ++this.#mark;
		const visible = this.#visible;
		visible.push(facet);
		this.#marks[facet] = mark;
		for (let k = 0; k < visible.length; k++) {
			const own = visible[k]! * 3;
			this.alive[visible[k]!] = 0;
			for (let i = 0; i < 3; i++) {
				const other = this.neighbours[own + i]!;
				if (this.#marks[other] === mark) continue;
				if (this.#height(other, point) > 0) {
					this.#marks[other] = mark;
					visible.push(other);
				}
			}
		}
	}

	/** Joins the edges between what the point sees and what it does not to the point. */
	#makeCone(point: number): void {
		const mark = this.#mark;
		const made = this.#made;
		const from = this.#facetFrom;
		for (const facet of this.#visible) {
			for (let i = 0; i < 3; i++) {
				const other = this.neighbours[facet * 3 + i]!;
				if (this.#marks[other] === mark) continue;
				const a = this.corners[facet * 3 + i]!;
				const b = this.corners[facet * 3 + (i === 2 ? 0 : i + 1)]!;
				const fresh = this.#make(a, b, point);
				this.neighbours[fresh * 3] = other;
				let slot = other * 3;
				while (this.corners[slot] !== b) slot++;
				this.neighbours[slot] = fresh;
				from[a] = fresh;
				made.push(fresh);
			}
		}
		for (const facet of made) {
			const after = from[this.corners[facet * 3 + 1]!]!;
			this.neighbours[facet * 3 + 1] = after;
			this.neighbours[after * 3 + 2] = facet;
		}
	}

	/** Gathers what tells where most points are of the new facets. */
	#prepareTests(): void {
		const made = this.#made;
		const points = this.#points;
		const planes = this.#planes;
		if (made.length * 8 > this.#tests.length) this.#tests = new Float64Array(made.length * 16);
		const tests = this.#tests;
		for (let i = 0; i < made.length; i++) {
			const plane = made[i]! * 5;
			const a = this.corners[made[i]! * 3]! * 3;
			const nx = planes[plane]!;
			const ny = planes[plane + 1]!;
			const nz = planes[plane + 2]!;
			tests[8 * i] = nx;
			tests[8 * i + 1] = ny;
			tests[8 * i + 2] = nz;
			tests[8 * i + 4] = points[a]!;
			tests[8 * i + 5] = points[a + 1]!;
			tests[8 * i + 6] = points[a + 2]!;
			tests[8 * i + 7] = planes[plane + 3]!;
			// not a number where products overflow, which tells nothing about any point
			const slack = (Math.abs(nx) + Math.abs(ny) + Math.abs(nz)) * this.#reach * SUM_ERROR;
			const level = nx * points[a]! + ny * points[a + 1]! + nz * points[a + 2]!;
			tests[8 * i + 3] = level - planes[plane + 3]! - slack - TINY;
		}
	}

	/** Puts a point on the list of the first new facet that it is above. */
	#assign(point: number): void {
		const points = this.#points;
		const tests = this.#tests;
		const made = this.#made;
		const x = points[3 * point]!;
		const y = points[3 * point + 1]!;
		const z = points[3 * point + 2]!;
		for (let i = 0; i < made.length; i++) {
			const at = 8 * i;
			if (tests[at]! * x + tests[at + 1]! * y + tests[at + 2]! * z < tests[at + 3]!) continue;
			const facet = made[i]!;
			// as `#height` has it, from numbers that are near
			let height =
				tests[at]! * (x - tests[at + 4]!) +
				tests[at + 1]! * (y - tests[at + 5]!) +
				tests[at + 2]! * (z - tests[at + 6]!);
			if (!(height > tests[at + 7]!)) height = this.#height(facet, point);
			if (height <= 0) continue;
			this.#next[point] = this.#heads[facet]!;
			this.#heads[facet] = point;
			if (height > this.#heights[facet]! || (height === this.#heights[facet] && point < this.#highest[facet]!)) {
				this.#heights[facet] = height;
				this.#highest[facet] = point;
			}
			return;
		}
	}

	/** Height of a point above a facet times twice its area, positive exactly when the point is above. */
	#height(facet: number, point: number): number {
		const points = this.#points;
		const planes = this.#planes;
		const p = point * 3;
		const a = this.corners[facet * 3]! * 3;
		const plane = facet * 5;
		const height =
			planes[plane]! * (points[p]! - points[a]!) +
			planes[plane + 1]! * (points[p + 1]! - points[a + 1]!) +
			planes[plane + 2]! * (points[p + 2]! - points[a + 2]!);
		const bound = planes[plane + 3]!;
		if (height > bound) return height;
		if (height < -bound) return 0;
		const b = this.corners[facet * 3 + 1]! * 3;
		const c = this.corners[facet * 3 + 2]! * 3;
		// repeated points are common and need no exact arithmetic
		if (isSame(points, p, a) || isSame(points, p, b) || isSame(points, p, c)) return 0;
		return orient3d(points, a, b, c, p) > 0 ? Math.max(height, Number.MIN_VALUE) : 0;
	}

	#make(a: number, b: number, c: number): number {
		const facet = this.#free.pop() ?? this.facetCount++;
		if (facet >= this.alive.length) this.#grow();
		const points = this.#points;
		const corner = facet * 3;
		this.corners[corner] = a;
		this.corners[corner + 1] = b;
		this.corners[corner + 2] = c;
		const ux = points[b * 3]! - points[a * 3]!;
		const uy = points[b * 3 + 1]! - points[a * 3 + 1]!;
		const uz = points[b * 3 + 2]! - points[a * 3 + 2]!;
		const vx = points[c * 3]! - points[a * 3]!;
		const vy = points[c * 3 + 1]! - points[a * 3 + 1]!;
		const vz = points[c * 3 + 2]! - points[a * 3 + 2]!;
		const nx = uy * vz - uz * vy;
		const ny = uz * vx - ux * vz;
		const nz = ux * vy - uy * vx;
		const plane = facet * 5;
		const planes = this.#planes;
		planes[plane] = nx;
		planes[plane + 1] = ny;
		planes[plane + 2] = nz;
		// rounding of the normal and of its product with a difference no longer than the extent
		const size =
			Math.abs(uy * vz) +
			Math.abs(uz * vy) +
			Math.abs(uz * vx) +
			Math.abs(ux * vz) +
			Math.abs(ux * vy) +
			Math.abs(uy * vx);
		planes[plane + 3] = ERROR * size * this.#extent;
		const length = Math.sqrt(nx * nx + ny * ny + nz * nz);
		planes[plane + 4] = length > 0 ? 1 / length : 0;
		this.alive[facet] = 1;
		this.#heads[facet] = -1;
		this.#highest[facet] = -1;
		this.#heights[facet] = 0;
		this.#marks[facet] = 0;
		return facet;
	}

	#grow(): void {
		const size = this.alive.length * 2;
		this.corners = grown(new Uint32Array(size * 3), this.corners);
		this.neighbours = grown(new Uint32Array(size * 3), this.neighbours);
		this.alive = grown(new Uint8Array(size), this.alive);
		this.#planes = grown(new Float64Array(size * 5), this.#planes);
		this.#heads = grown(new Int32Array(size), this.#heads);
		this.#highest = grown(new Int32Array(size), this.#highest);
		this.#heights = grown(new Float64Array(size), this.#heights);
		this.#marks = grown(new Uint32Array(size), this.#marks);
	}
}

/** Memory for points that is kept from hull to hull: robots have dozens. */
let scratch = { next: new Int32Array(0), facetFrom: new Int32Array(0) };

/** Points that memory is kept for at most. */
const MOST_KEPT = 2 ** 17;

function takeScratch(count: number): typeof scratch {
	if (scratch.next.length >= count) return scratch;
	const made = { next: new Int32Array(count), facetFrom: new Int32Array(count) };
	if (count <= MOST_KEPT) scratch = made;
	return made;
}

function isSame(points: Float64Array, p: number, q: number): boolean {
	return points[p] === points[q] && points[p + 1] === points[q + 1] && points[p + 2] === points[q + 2];
}

function grown<T extends { set(source: T): void }>(target: T, source: T): T {
	target.set(source);
	return target;
}
