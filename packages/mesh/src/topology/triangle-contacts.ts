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
	readonly #isSharedA = new Uint8Array(3);
	readonly #isSharedB = new Uint8Array(3);
	readonly #indices: Uint32Array;
	readonly #joined: Uint32Array;

	constructor(vertices: Float64Array, indices: Uint32Array, joined: Uint32Array) {
		this.#v = vertices;
		this.#indices = indices;
		this.#joined = joined;
	}

	/** How two triangles meet other than in the vertices and edges that they share; undefined when they do not. */
	kind(first: number, second: number): ContactKind | undefined {
		const a = this.#a;
		const b = this.#b;
		let shared = 0;
		for (let k = 0; k < 3; k++) {
			a[k] = this.#joined[this.#indices[first * 3 + k]!]! * 3;
			b[k] = this.#joined[this.#indices[second * 3 + k]!]! * 3;
		}
		for (let k = 0; k < 3; k++) {
			this.#isSharedA[k] = a[k] === b[0] || a[k] === b[1] || a[k] === b[2] ? 1 : 0;
			this.#isSharedB[k] = b[k] === a[0] || b[k] === a[1] || b[k] === a[2] ? 1 : 0;
			shared += this.#isSharedA[k]!;
		}
		const v = this.#v;
		let above = 0;
		let below = 0;
		for (let k = 0; k < 3; k++) {
			// corners of the triangle itself are in its plane
			const side = this.#isSharedB[k] === 1 ? 0 : orient3d(v, a[0]!, a[1]!, a[2]!, b[k]!);
			if (side > 0) above++;
			else if (side < 0) below++;
		}
		if (above === 3 || below === 3) return undefined;
		if (above === 0 && below === 0) return this.#overlaps() ? 'overlapping' : undefined;
		// two planes meet in the line of the common edge only
		if (shared >= 2) return undefined;
		// one corner in common and the others on one side: they meet there only
		if (shared === 1 && (above === 2 || below === 2)) return undefined;
		let kind: ContactKind | undefined;
		for (let k = 0; k < 3; k++) {
			const next = k === 2 ? 0 : k + 1;
			if (this.#isSharedA[k] === 0 && this.#isSharedA[next] === 0)
				kind = graver(kind, this.#pierce(a[k]!, a[next]!, b));
			if (this.#isSharedB[k] === 0 && this.#isSharedB[next] === 0)
				kind = graver(kind, this.#pierce(b[k]!, b[next]!, a));
			if (kind === 'crossing') return this.#hasArea() ? kind : undefined;
		}
		return kind !== undefined && this.#hasArea() ? kind : undefined;
	}

	#hasArea(): boolean {
		return this.#mainAxis(this.#a) >= 0 && this.#mainAxis(this.#b) >= 0;
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
	#overlaps(): boolean {
		const axis = this.#mainAxis(this.#a);
		if (axis < 0 || this.#mainAxis(this.#b) < 0) return false;
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
