import type { MaterialGroup, TriangleMesh } from '../triangle-mesh.ts';
import { GrowableIndices, type GrowableNumbers } from './growable.ts';

const NONE = 0xffffffff;

/** Pools that the corners of a part refer to. */
export interface CornerPools {
	readonly positions: GrowableNumbers | { readonly data: Float64Array };
	readonly normals: { readonly data: Float64Array } | undefined;
	readonly uvs: { readonly data: Float64Array } | undefined;
	/** Numbers of one texture coordinate in its pool. */
	readonly uvStride: number;
	/** Whether vertices come in the order of their positions in the pool instead of the order of first use. */
	readonly isFileOrder?: boolean;
}

/**
 * Builds one mesh from triangles whose corners refer to pools of positions, normals and texture coordinates.
 * Equal corners become one vertex; vertices come in the order of first use.
 */
export class PartBuilder {
	readonly name: string | undefined;
	readonly #position = new GrowableIndices();
	readonly #normal = new GrowableIndices();
	readonly #uv = new GrowableIndices();
	readonly #indices = new GrowableIndices();
	readonly #groups: { start: number; count: number; material: string | undefined }[] = [];
	#table: Uint32Array = new Uint32Array(1024).fill(NONE);
	#hasNormals = false;
	#hasUvs = false;

	constructor(name: string | undefined) {
		this.name = name;
	}

	get triangleCount(): number {
		return this.#indices.length / 3;
	}

	/** Starts a run of triangles with another material. */
	useMaterial(material: string | undefined): void {
		const last = this.#groups.at(-1);
		const start = this.triangleCount;
		if (last !== undefined && last.start + last.count === start && last.material === material) return;
		this.#groups.push({ start, count: 0, material });
	}

	/** The vertex of a corner; `normal` and `uv` are -1 when absent. */
	vertex(position: number, normal: number, uv: number): number {
		if (normal >= 0) this.#hasNormals = true;
		if (uv >= 0) this.#hasUvs = true;
		const n = normal >>> 0;
		const t = uv >>> 0;
		const mask = this.#table.length - 1;
		let slot = hash(position, n, t) & mask;
		for (;;) {
			const found = this.#table[slot]!;
			if (found === NONE) break;
			if (this.#position.data[found] === position && this.#normal.data[found] === n && this.#uv.data[found] === t) {
				return found;
			}
			slot = (slot + 1) & mask;
		}
		const made = this.#position.length;
		this.#table[slot] = made;
		this.#position.push(position);
		this.#normal.push(n);
		this.#uv.push(t);
		if (made * 2 > this.#table.length) this.#rehash();
		return made;
	}

	/** Makes room for further triangles. */
	reserve(triangles: number): void {
		this.#indices.reserve(3 * triangles);
	}

	/** Adds a triangle of vertices that {@link vertex} gave. */
	triangle(a: number, b: number, c: number): void {
		this.#indices.push3(a, b, c);
		const last = this.#groups.at(-1);
		if (last !== undefined) last.count++;
	}

	/** The mesh. Absent normals and texture coordinates of a mesh that has some are zero. */
	build(pools: CornerPools): TriangleMesh {
		if (pools.isFileOrder) this.#sort();
		const count = this.#position.length;
		const vertices = new Float64Array(count * 3);
		const source = pools.positions.data;
		for (let i = 0; i < count; i++) {
			const at = this.#position.data[i]! * 3;
			vertices[i * 3] = source[at]!;
			vertices[i * 3 + 1] = source[at + 1]!;
			vertices[i * 3 + 2] = source[at + 2]!;
		}
		const normals =
			this.#hasNormals && pools.normals ? gather(this.#normal, count, pools.normals.data, 3, 3) : undefined;
		const uvs = this.#hasUvs && pools.uvs ? gather(this.#uv, count, pools.uvs.data, pools.uvStride, 2) : undefined;
		const groups: MaterialGroup[] = this.#groups
			.filter((group) => group.count > 0)
			.map(({ start, count: length, material }) => ({
				start,
				count: length,
				...(material === undefined ? {} : { material }),
			}));
		return {
			vertices,
			indices: this.#indices.toArray(),
			...(normals === undefined ? {} : { normals }),
			...(uvs === undefined ? {} : { uvs }),
			...(this.name === undefined ? {} : { name: this.name }),
			...(groups.some((group) => group.material !== undefined) ? { groups } : {}),
		};
	}

	/** Puts vertices into the order of their positions; those at one position stay in the order of first use. */
	#sort(): void {
		const count = this.#position.length;
		const position = this.#position.data;
		let isSorted = true;
		for (let i = 1; i < count && isSorted; i++) isSorted = position[i - 1]! <= position[i]!;
		if (isSorted) return;
		const order = Uint32Array.from({ length: count }, (_, i) => i).sort((a, b) => position[a]! - position[b]! || a - b);
		const places = new Uint32Array(count);
		for (let i = 0; i < count; i++) places[order[i]!] = i;
		for (const list of [this.#position, this.#normal, this.#uv]) {
			const sorted = order.map((from) => list.data[from]!);
			list.data.set(sorted);
		}
		const indices = this.#indices.data;
		for (let i = 0; i < this.#indices.length; i++) indices[i] = places[indices[i]!]!;
		this.#rehash();
	}

	#rehash(): void {
		const table = new Uint32Array(this.#table.length * 4).fill(NONE);
		const mask = table.length - 1;
		for (let i = 0; i < this.#position.length; i++) {
			let slot = hash(this.#position.data[i]!, this.#normal.data[i]!, this.#uv.data[i]!) & mask;
			while (table[slot] !== NONE) slot = (slot + 1) & mask;
			table[slot] = i;
		}
		this.#table = table;
	}
}

function gather(list: GrowableIndices, count: number, pool: Float64Array, stride: number, width: number): Float64Array {
	const out = new Float64Array(count * width);
	for (let i = 0; i < count; i++) {
		const index = list.data[i]!;
		if (index === NONE) continue;
		for (let k = 0; k < width; k++) out[i * width + k] = k < stride ? pool[index * stride + k]! : 0;
	}
	return out;
}

function hash(a: number, b: number, c: number): number {
	let h = Math.imul(a, 0x9e3779b1) ^ Math.imul(b, 0x85ebca6b) ^ Math.imul(c, 0xc2b2ae35);
	h ^= h >>> 15;
	h = Math.imul(h, 0x2c1b3c6d);
	return (h ^ (h >>> 13)) >>> 0;
}
