import { UsageRangeError } from '@manyworlds/core';
import { weldVertices } from '../topology/weld-vertices.ts';
import type { TriangleMesh } from '../triangle-mesh.ts';
import { EdgeHeap } from './edge-heap.ts';
import { Quadrics } from './quadrics.ts';

/** Options of {@link simplifyMesh}; at least one of the two limits is given. @public */
export interface SimplifyOptions {
	/** Stops when this many triangles or fewer are left. */
	readonly targetTriangles?: number;
	/** Stops before a vertex moves off the planes that it stands for by more than this, as root mean square over their area. */
	readonly maxError?: number;
}

/** Result of {@link simplifyMesh}. @public */
export interface SimplifyResult {
	/** Without normals, texture coordinates and materials, as the vertices are others. */
	readonly mesh: TriangleMesh;
	/** The largest error of a step that was taken. */
	readonly error: number;
}

/**
 * Takes triangles out of a mesh where it is flattest, edge by edge (Garland and Heckbert 1997). Vertices at the same place are
 * joined first. Edges are collapsed only when the surface stays as manifold as it was, borders stay borders and no triangle
 * turns over, so the target may not be reached. The same input gives the same result.
 * @public
 */
export function simplifyMesh(mesh: TriangleMesh, options: SimplifyOptions): SimplifyResult {
	const { targetTriangles = 0, maxError = Number.POSITIVE_INFINITY } = options;
	if (options.targetTriangles === undefined && options.maxError === undefined) {
		throw new UsageRangeError('neither targetTriangles nor maxError is given, expected one of them');
	}
	if (!(targetTriangles >= 0)) throw new UsageRangeError(`targetTriangles is ${targetTriangles}, expected 0 or more`);
	if (!(maxError >= 0)) throw new UsageRangeError(`maxError is ${maxError}, expected 0 or more`);
	const welded = weldVertices(mesh, { dropDegenerate: true }).mesh;
	return new Simplifier(welded).run(targetTriangles, maxError);
}

class Simplifier {
	readonly #vertices: Float64Array;
	readonly #indices: Uint32Array;
	readonly #name: string | undefined;
	/** Triangles at each vertex. */
	readonly #around: number[][];
	readonly #isGone: Uint8Array;
	readonly #isBorder: Uint8Array;
	readonly #isLocked: Uint8Array;
	readonly #versions: Uint32Array;
	readonly #quadrics: Quadrics;
	readonly #heap = new EdgeHeap();
	readonly #place = new Float64Array(3);
	readonly #marks: Uint32Array;
	#mark = 0;
	#left: number;

	constructor(mesh: TriangleMesh) {
		this.#vertices = mesh.vertices.slice();
		this.#indices = mesh.indices.slice();
		this.#name = mesh.name;
		const count = mesh.vertices.length / 3;
		this.#left = mesh.indices.length / 3;
		this.#around = Array.from({ length: count }, () => []);
		this.#isGone = new Uint8Array(this.#left);
		this.#isBorder = new Uint8Array(count);
		this.#isLocked = new Uint8Array(count);
		this.#versions = new Uint32Array(count);
		this.#marks = new Uint32Array(count);
		for (let i = 0; i < this.#indices.length; i++) this.#around[this.#indices[i]!]!.push(Math.floor(i / 3));
		this.#quadrics = new Quadrics(count);
		for (let t = 0; t < this.#left; t++) this.#quadrics.addTriangle(this.#vertices, this.#indices, t);
		this.#openEdges();
	}

	run(target: number, maxError: number): SimplifyResult {
		let worst = 0;
		while (this.#left > target) {
			const edge = this.#heap.pop();
			if (edge === undefined) break;
			const { a, b, cost, version } = edge;
			if (version !== this.#versions[a]! + this.#versions[b]!) continue;
			if (cost > maxError) break;
			this.#quadrics.place(this.#place, this.#vertices, a, b);
			if (!this.#mayCollapse(a, b)) continue;
			this.#collapse(a, b);
			worst = Math.max(worst, cost);
		}
		return { mesh: this.#result(), error: worst };
	}

	/** Marks borders and irregular edges, and puts every edge on the heap. */
	#openEdges(): void {
		const count = this.#around.length;
		const uses = new Map<number, number>();
		for (let i = 0; i < this.#indices.length; i++) {
			const a = this.#indices[i]!;
			const b = this.#indices[i % 3 === 2 ? i - 2 : i + 1]!;
			const key = Math.min(a, b) * count + Math.max(a, b);
			uses.set(key, (uses.get(key) ?? 0) + 1);
		}
		for (let i = 0; i < this.#indices.length; i++) {
			const a = this.#indices[i]!;
			const b = this.#indices[i % 3 === 2 ? i - 2 : i + 1]!;
			const used = uses.get(Math.min(a, b) * count + Math.max(a, b))!;
			if (used === 1) {
				this.#isBorder[a] = 1;
				this.#isBorder[b] = 1;
				this.#quadrics.addBorder(this.#vertices, this.#indices, Math.floor(i / 3), a, b);
			} else if (used > 2) {
				this.#isLocked[a] = 1;
				this.#isLocked[b] = 1;
			}
		}
		for (const key of uses.keys()) this.#push(Math.floor(key / count), key % count);
	}

	#push(a: number, b: number): void {
		if (this.#isLocked[a] === 1 || this.#isLocked[b] === 1) return;
		const cost = this.#quadrics.place(this.#place, this.#vertices, a, b);
		this.#heap.push(cost, a, b, this.#versions[a]! + this.#versions[b]!);
	}

	/** Whether a collapse to `#place` keeps the surface manifold and turns no triangle over (link condition and normals). */
	#mayCollapse(a: number, b: number): boolean {
		const near = this.#markNeighbours(a);
		let shared = 0;
		for (const t of this.#around[a]!) if (this.#has(t, b)) shared++;
		if (shared === 0 || (shared === 2 && this.#isBorder[a] === 1 && this.#isBorder[b] === 1)) return false;
		let common = 0;
		const far = ++this.#mark;
		for (const t of this.#around[b]!) {
			for (let k = 0; k < 3; k++) {
				const vertex = this.#indices[t * 3 + k]!;
				if (vertex === a || vertex === b || this.#marks[vertex] !== near) continue;
				// counted once
				this.#marks[vertex] = far;
				common++;
				if (this.#around[vertex]!.length <= (this.#isBorder[vertex] === 1 ? 1 : 3)) return false;
			}
		}
		return common === shared && this.#keepsSides(a, b) && this.#keepsSides(b, a);
	}

	/** Marks the vertices that share a triangle with a vertex; gives the mark. */
	#markNeighbours(vertex: number): number {
		const mark = ++this.#mark;
		for (const t of this.#around[vertex]!) {
			for (let k = 0; k < 3; k++) this.#marks[this.#indices[t * 3 + k]!] = mark;
		}
		return mark;
	}

	#has(triangle: number, vertex: number): boolean {
		const at = triangle * 3;
		return this.#indices[at] === vertex || this.#indices[at + 1] === vertex || this.#indices[at + 2] === vertex;
	}

	/** Whether the triangles of a vertex that do not vanish keep their side when it moves to `#place`. */
	#keepsSides(vertex: number, other: number): boolean {
		const v = this.#vertices;
		const [px, py, pz] = [this.#place[0]!, this.#place[1]!, this.#place[2]!];
		const o = vertex * 3;
		for (const t of this.#around[vertex]!) {
			if (this.#has(t, other)) continue;
			let k = 0;
			while (this.#indices[t * 3 + k] !== vertex) k++;
			const q = this.#indices[t * 3 + ((k + 1) % 3)]! * 3;
			const r = this.#indices[t * 3 + ((k + 2) % 3)]! * 3;
			// normals before and after, both as products with the edge that stays
			const ex = v[r]! - v[q]!;
			const ey = v[r + 1]! - v[q + 1]!;
			const ez = v[r + 2]! - v[q + 2]!;
			const bx = v[o]! - v[q]!;
			const by = v[o + 1]! - v[q + 1]!;
			const bz = v[o + 2]! - v[q + 2]!;
			const ax = px - v[q]!;
			const ay = py - v[q + 1]!;
			const az = pz - v[q + 2]!;
			const nx = ey * bz - ez * by;
			const ny = ez * bx - ex * bz;
			const nz = ex * by - ey * bx;
			const mx = ey * az - ez * ay;
			const my = ez * ax - ex * az;
			const mz = ex * ay - ey * ax;
			const lengths = Math.sqrt((nx * nx + ny * ny + nz * nz) * (mx * mx + my * my + mz * mz));
			if (!(nx * mx + ny * my + nz * mz > 0.2 * lengths)) return false;
		}
		return true;
	}

	#collapse(a: number, b: number): void {
		this.#vertices.set(this.#place, a * 3);
		for (const t of this.#around[b]!) {
			if (this.#has(t, a)) {
				this.#isGone[t] = 1;
				this.#left--;
				for (let k = 0; k < 3; k++) {
					const vertex = this.#indices[t * 3 + k]!;
					if (vertex !== b) this.#around[vertex] = this.#around[vertex]!.filter((other) => other !== t);
				}
				continue;
			}
			for (let k = 0; k < 3; k++) if (this.#indices[t * 3 + k] === b) this.#indices[t * 3 + k] = a;
			this.#around[a]!.push(t);
		}
		this.#around[b] = [];
		this.#isBorder[a] = this.#isBorder[a]! | this.#isBorder[b]!;
		this.#quadrics.join(a, b);
		this.#versions[a] = this.#versions[a]! + 1;
		this.#versions[b] = this.#versions[b]! + 0x40000000;
		const done = ++this.#mark;
		this.#marks[a] = done;
		for (const t of this.#around[a]!) {
			for (let k = 0; k < 3; k++) {
				const vertex = this.#indices[t * 3 + k]!;
				if (this.#marks[vertex] === done) continue;
				this.#marks[vertex] = done;
				this.#push(Math.min(a, vertex), Math.max(a, vertex));
			}
		}
	}

	#result(): TriangleMesh {
		const places = new Map<number, number>();
		const vertices: number[] = [];
		const indices: number[] = [];
		for (let i = 0; i < this.#indices.length; i++) {
			if (this.#isGone[Math.floor(i / 3)] === 1) continue;
			const vertex = this.#indices[i]!;
			let place = places.get(vertex);
			if (place === undefined) {
				place = places.size;
				places.set(vertex, place);
				for (let k = 0; k < 3; k++) vertices.push(this.#vertices[vertex * 3 + k]!);
			}
			indices.push(place);
		}
		return {
			vertices: Float64Array.from(vertices),
			indices: Uint32Array.from(indices),
			...(this.#name === undefined ? {} : { name: this.#name }),
		};
	}
}
