import { orient2d, orient3d } from '../geometry/predicates.ts';

/** How two triangles meet. @public */
export type ContactKind =
	/** The inside of one is pierced by an edge of the other. */
	| 'crossing'
	/** They lie in one plane and share area. */
	| 'overlapping'
	/** They share points, but neither of the above. */
	| 'touching';

/** Exact tests between triangles of one mesh; vertices at the same place count as one. */
export class TriangleContacts {
	readonly #v: Float64Array;
	/** Coordinate positions of the corners of the two triangles. */
	readonly #a: number[] = [0, 0, 0];
	readonly #b: number[] = [0, 0, 0];
	readonly #indices: Uint32Array;
	readonly #joined: Uint32Array;

	constructor(vertices: Float64Array, indices: Uint32Array, joined: Uint32Array) {
		this.#v = vertices;
		this.#indices = indices;
		this.#joined = joined;
	}

	/** How two triangles meet other than in the vertices and edges that they share; undefined when they do not. */
	kind(first: number, second: number): ContactKind | undefined {
		const [a, b] = [this.#a, this.#b];
		for (let k = 0; k < 3; k++) {
			a[k] = this.#joined[this.#indices[first * 3 + k]!]! * 3;
			b[k] = this.#joined[this.#indices[second * 3 + k]!]! * 3;
		}
		const planeA = this.#mainAxis(a);
		const planeB = this.#mainAxis(b);
		if (planeA < 0 || planeB < 0) return undefined;
		const v = this.#v;
		const sides = b.map((corner) => orient3d(v, a[0]!, a[1]!, a[2]!, corner));
		if (sides.every((side) => side > 0) || sides.every((side) => side < 0)) return undefined;
		if (sides.every((side) => side === 0)) return this.#overlaps(planeA) ? 'overlapping' : undefined;
		const shared = a.filter((corner) => b.includes(corner));
		// two planes meet in the line of the common edge only
		if (shared.length >= 2) return undefined;
		let kind: ContactKind | undefined;
		for (let k = 0; k < 3; k++) {
			const [p, q] = [a[k]!, a[(k + 1) % 3]!];
			const [r, s] = [b[k]!, b[(k + 1) % 3]!];
			if (!shared.includes(p) && !shared.includes(q)) kind = graver(kind, this.#pierce(p, q, b));
			if (!shared.includes(r) && !shared.includes(s)) kind = graver(kind, this.#pierce(r, s, a));
			if (kind === 'crossing') return kind;
		}
		return kind;
	}

	/** How a segment meets a triangle that is not in one plane with it. */
	#pierce(p: number, q: number, triangle: readonly number[]): ContactKind | undefined {
		const v = this.#v;
		const [a, b, c] = [triangle[0]!, triangle[1]!, triangle[2]!];
		const sp = orient3d(v, a, b, c, p);
		const sq = orient3d(v, a, b, c, q);
		if (sp * sq > 0) return undefined;
		if (sp === 0 && sq === 0) return undefined;
		const s1 = orient3d(v, p, q, a, b);
		const s2 = orient3d(v, p, q, b, c);
		const s3 = orient3d(v, p, q, c, a);
		const isIn = (s1 >= 0 && s2 >= 0 && s3 >= 0) || (s1 <= 0 && s2 <= 0 && s3 <= 0);
		if (!isIn) return undefined;
		return sp * sq < 0 && s1 !== 0 && s2 !== 0 && s3 !== 0 ? 'crossing' : 'touching';
	}

	/** Whether two triangles in one plane share area: no edge of either has the other on its far side. */
	#overlaps(axis: number): boolean {
		return !this.#separates(this.#a, this.#b, axis) && !this.#separates(this.#b, this.#a, axis);
	}

	#separates(own: readonly number[], other: readonly number[], axis: number): boolean {
		const sense = this.#turn(own[0]!, own[1]!, own[2]!, axis);
		for (let k = 0; k < 3; k++) {
			const [p, q] = [own[k]!, own[(k + 1) % 3]!];
			if (other.every((corner) => this.#turn(p, q, corner, axis) * sense <= 0)) return true;
		}
		return false;
	}

	/** An axis along which the shadow of a triangle has area, -1 when it has none. */
	#mainAxis(corners: readonly number[]): number {
		for (let axis = 0; axis < 3; axis++) {
			if (this.#turn(corners[0]!, corners[1]!, corners[2]!, axis) !== 0) return axis;
		}
		return -1;
	}

	#turn(p: number, q: number, r: number, axis: number): number {
		const v = this.#v;
		const [u, w] = [(axis + 1) % 3, (axis + 2) % 3];
		return orient2d(v[p + u]!, v[p + w]!, v[q + u]!, v[q + w]!, v[r + u]!, v[r + w]!);
	}
}

function graver(a: ContactKind | undefined, b: ContactKind | undefined): ContactKind | undefined {
	return a === 'crossing' || b === undefined ? a : b === 'crossing' || a === undefined ? b : a;
}
