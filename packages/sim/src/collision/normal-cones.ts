import type { TriangleMesh } from '@manyworlds/mesh';
import type { HeightGeometry } from './collision-geometry.ts';

/** Sine of the angle by which a neighbour may rise above the plane of a normal: seams of flat triangles are no edges. */
const FLAT = 0.01;

/**
 * Which normals belong to the corners and edges of a surface of triangles: those of planes that all that adjoins lies
 * behind. A corner of the surface with such a normal is a place where something can rest on it; one without is part of a
 * flat or hollow place, and what touches it there has the normal of a face. Numbers travel in fields, as those that go
 * through calls are boxed.
 */
export abstract class NormalCones {
	/** Unit normal in the frame of the surface, set by the caller. */
	nx = 0;
	ny = 0;
	nz = 0;

	/** Whether the normal belongs to corner 0, 1 or 2 of a triangle. */
	abstract holdsAtCorner(triangle: number, corner: number): boolean;
	/** Whether it belongs to the edge from a corner to the next. */
	abstract holdsAtEdge(triangle: number, corner: number): boolean;

	/** Whether a point, by its offset from one of the feature, lies behind the plane of the normal. */
	protected isBehind(x: number, y: number, z: number): boolean {
		return this.nx * x + this.ny * y + this.nz * z <= FLAT * Math.sqrt(x * x + y * y + z * z);
	}
}

/** Normals of a triangle mesh. Corners at the same place are one, whatever their indices. */
export class MeshCones extends NormalCones {
	readonly #vertices: Float64Array;
	/** Corners of triangles as the first vertices at their places. */
	readonly #corners: Uint32Array;
	/** Vertex across each edge of each triangle, -1 where the mesh ends. */
	readonly #across: Int32Array;
	/** Neighbours of vertex i: `#neighbours[#start[i]]` to `#neighbours[#start[i + 1]]`. */
	readonly #start: Int32Array;
	readonly #neighbours: Uint32Array;

	constructor({ vertices, indices }: TriangleMesh) {
		super();
		this.#vertices = vertices;
		this.#corners = weld(vertices, indices);
		this.#across = acrossEdges(this.#corners);
		[this.#start, this.#neighbours] = neighboursOf(this.#corners, vertices.length / 3);
	}

	override holdsAtCorner(triangle: number, corner: number): boolean {
		const vertex = this.#corners[3 * triangle + corner]!;
		for (let k = this.#start[vertex]!; k < this.#start[vertex + 1]!; k++) {
			if (!this.#isVertexBehind(this.#neighbours[k]!, vertex)) return false;
		}
		return true;
	}

	override holdsAtEdge(triangle: number, corner: number): boolean {
		const across = this.#across[3 * triangle + corner]!;
		return across < 0 || this.#isVertexBehind(across, this.#corners[3 * triangle + corner]!);
	}

	#isVertexBehind(other: number, vertex: number): boolean {
		const v = this.#vertices;
		const a = 3 * other;
		const b = 3 * vertex;
		return this.isBehind(v[a]! - v[b]!, v[a + 1]! - v[b + 1]!, v[a + 2]! - v[b + 2]!);
	}
}

/** Neighbours of a point of a heightfield by columns and rows; cells are cut from their least to their greatest corner. */
const AROUND = [1, 0, 1, 1, 0, 1, -1, 0, -1, -1, 0, -1] as const;

/**
 * Normals of a heightfield. Triangle `2 cell` of cell `row * (columns - 1) + column` has the corners (0, 0), (1, 0) and
 * (1, 1) by column and row, triangle `2 cell + 1` (0, 0), (1, 1) and (0, 1).
 */
export class HeightCones extends NormalCones {
	readonly #field: HeightGeometry;
	readonly #stepX: number;
	readonly #stepY: number;

	constructor(field: HeightGeometry) {
		super();
		this.#field = field;
		this.#stepX = (2 * field.hx) / (field.columns - 1);
		this.#stepY = (2 * field.hy) / (field.rows - 1);
	}

	override holdsAtCorner(triangle: number, corner: number): boolean {
		const column = this.#columnOf(triangle, corner);
		const row = this.#rowOf(triangle, corner);
		for (let k = 0; k < AROUND.length; k += 2) {
			if (!this.#isPointBehind(column, row, AROUND[k]!, AROUND[k + 1]!)) return false;
		}
		return true;
	}

	override holdsAtEdge(triangle: number, corner: number): boolean {
		const column = this.#columnOf(triangle, corner);
		const row = this.#rowOf(triangle, corner);
		// the point across each edge, from its first corner
		const isUpper = triangle % 2 === 1;
		if (corner === 0) return this.#isPointBehind(column, row, isUpper ? 1 : 0, isUpper ? 0 : -1);
		if (corner === 1) return this.#isPointBehind(column, row, isUpper ? 0 : 1, 1);
		return this.#isPointBehind(column, row, -1, isUpper ? -1 : 0);
	}

	#columnOf(triangle: number, corner: number): number {
		const cell = triangle >> 1;
		const isRight = triangle % 2 === 0 ? corner > 0 : corner === 1;
		return (cell % (this.#field.columns - 1)) + (isRight ? 1 : 0);
	}

	#rowOf(triangle: number, corner: number): number {
		const cell = triangle >> 1;
		const isFar = triangle % 2 === 0 ? corner === 2 : corner > 0;
		return Math.floor(cell / (this.#field.columns - 1)) + (isFar ? 1 : 0);
	}

	#isPointBehind(column: number, row: number, right: number, up: number): boolean {
		const { columns, rows, heights } = this.#field;
		const c = column + right;
		const r = row + up;
		if (c < 0 || c >= columns || r < 0 || r >= rows) return true;
		const rise = heights[r * columns + c]! - heights[row * columns + column]!;
		return this.isBehind(right * this.#stepX, up * this.#stepY, rise);
	}
}

/** Corners of triangles as the first vertices at their places. */
function weld(vertices: Float64Array, indices: Uint32Array): Uint32Array {
	const count = vertices.length / 3;
	const order = Uint32Array.from({ length: count }, (_, i) => i).sort(
		(a, b) =>
			vertices[3 * a]! - vertices[3 * b]! ||
			vertices[3 * a + 1]! - vertices[3 * b + 1]! ||
			vertices[3 * a + 2]! - vertices[3 * b + 2]! ||
			a - b,
	);
	const first = new Uint32Array(count);
	for (let i = 0; i < count; i++) {
		const vertex = order[i]!;
		const before = i > 0 ? order[i - 1]! : vertex;
		const isSame = [0, 1, 2].every((k) => vertices[3 * vertex + k] === vertices[3 * before + k]);
		first[vertex] = isSame && i > 0 ? first[before]! : vertex;
	}
	return indices.map((vertex) => first[vertex]!);
}

/** For each edge of each triangle the corner of another triangle across it, -1 where there is none. */
function acrossEdges(corners: Uint32Array): Int32Array {
	const across = new Int32Array(corners.length).fill(-1);
	const open = new Map<number, number>();
	const span = corners.reduce((most, corner) => Math.max(most, corner), 0) + 1;
	for (let i = 0; i < corners.length; i++) {
		const triangle = i - (i % 3);
		const a = corners[i]!;
		const b = corners[triangle + ((i + 1) % 3)]!;
		const key = Math.min(a, b) * span + Math.max(a, b);
		const other = open.get(key);
		if (other === undefined) {
			open.set(key, i);
			continue;
		}
		across[i] = corners[other - (other % 3) + ((other + 2) % 3)]!;
		if (across[other] === -1) across[other] = corners[triangle + ((i + 2) % 3)]!;
	}
	return across;
}

/** Vertices that share an edge with each vertex. */
function neighboursOf(corners: Uint32Array, count: number): [start: Int32Array, list: Uint32Array] {
	const start = new Int32Array(count + 1);
	for (const vertex of corners) start[vertex + 1] = start[vertex + 1]! + 2;
	for (let i = 0; i < count; i++) start[i + 1] = start[i + 1]! + start[i]!;
	const next = start.slice();
	const list = new Uint32Array(2 * corners.length);
	for (let i = 0; i < corners.length; i++) {
		const vertex = corners[i]!;
		const triangle = i - (i % 3);
		for (let k = 1; k < 3; k++) {
			list[next[vertex]!] = corners[triangle + ((i + k) % 3)]!;
			next[vertex] = next[vertex]! + 1;
		}
	}
	return [start, list];
}
