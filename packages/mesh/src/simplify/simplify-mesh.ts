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
	/** Triangles at each vertex, with those that are gone left in until they are in the way. */
	readonly #around: number[][];
	readonly #isGone: Uint8Array;
	readonly #isBorder: Uint8Array;
	readonly #isLocked: Uint8Array;
	readonly #versions: Uint32Array;
	readonly #quadrics: Quadrics;
	readonly #heap = new EdgeHeap();
	readonly #place = new Float64Array(3);
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
		const around = this.#neighbours(a);
		const common = [...this.#neighbours(b)].filter((vertex) => around.has(vertex));
		const shared = this.#around[a]!.filter((t) => this.#isGone[t] === 0 && this.#has(t, b));
		if (shared.length === 0 || common.length !== shared.length) return false;
		if (shared.length === 2 && this.#isBorder[a] === 1 && this.#isBorder[b] === 1) return false;
		for (const vertex of common) {
			const fan = this.#around[vertex]!.filter((t) => this.#isGone[t] === 0).length;
			if (fan <= (this.#isBorder[vertex] === 1 ? 1 : 3)) return false;
		}
		return this.#keepsSides(a, b) && this.#keepsSides(b, a);
	}

	#neighbours(vertex: number): Set<number> {
		const found = new Set<number>();
		for (const t of this.#around[vertex]!) {
			if (this.#isGone[t] === 1) continue;
			for (let k = 0; k < 3; k++) found.add(this.#indices[t * 3 + k]!);
		}
		found.delete(vertex);
		return found;
	}

	#has(triangle: number, vertex: number): boolean {
		const at = triangle * 3;
		return this.#indices[at] === vertex || this.#indices[at + 1] === vertex || this.#indices[at + 2] === vertex;
	}

	/** Whether the triangles of a vertex that do not vanish keep their side when it moves. */
	#keepsSides(vertex: number, other: number): boolean {
		const before = new Float64Array(3);
		const after = new Float64Array(3);
		for (const t of this.#around[vertex]!) {
			if (this.#isGone[t] === 1 || this.#has(t, other)) continue;
			this.#normal(before, t, -1);
			this.#normal(after, t, vertex);
			const product = before[0]! * after[0]! + before[1]! * after[1]! + before[2]! * after[2]!;
			const lengths = Math.hypot(before[0]!, before[1]!, before[2]!) * Math.hypot(after[0]!, after[1]!, after[2]!);
			if (!(product > 0.2 * lengths)) return false;
		}
		return true;
	}

	/** Normal of a triangle with a vertex moved to `#place`. */
	#normal(out: Float64Array, triangle: number, moved: number): void {
		const p: Float64Array[] = [];
		for (let k = 0; k < 3; k++) {
			const vertex = this.#indices[triangle * 3 + k]!;
			p.push(vertex === moved ? this.#place : this.#vertices.subarray(vertex * 3, vertex * 3 + 3));
		}
		const [a, b, c] = p as [Float64Array, Float64Array, Float64Array];
		const [ux, uy, uz] = [b[0]! - a[0]!, b[1]! - a[1]!, b[2]! - a[2]!];
		const [vx, vy, vz] = [c[0]! - a[0]!, c[1]! - a[1]!, c[2]! - a[2]!];
		out[0] = uy * vz - uz * vy;
		out[1] = uz * vx - ux * vz;
		out[2] = ux * vy - uy * vx;
	}

	#collapse(a: number, b: number): void {
		this.#vertices.set(this.#place, a * 3);
		for (const t of this.#around[b]!) {
			if (this.#isGone[t] === 1) continue;
			if (this.#has(t, a)) {
				this.#isGone[t] = 1;
				this.#left--;
				continue;
			}
			for (let k = 0; k < 3; k++) if (this.#indices[t * 3 + k] === b) this.#indices[t * 3 + k] = a;
			this.#around[a]!.push(t);
		}
		this.#around[b] = [];
		this.#around[a] = this.#around[a]!.filter((t) => this.#isGone[t] === 0);
		this.#isBorder[a] = this.#isBorder[a]! | this.#isBorder[b]!;
		this.#quadrics.join(a, b);
		this.#versions[a] = this.#versions[a]! + 1;
		this.#versions[b] = this.#versions[b]! + 0x40000000;
		for (const vertex of this.#neighbours(a)) this.#push(Math.min(a, vertex), Math.max(a, vertex));
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
