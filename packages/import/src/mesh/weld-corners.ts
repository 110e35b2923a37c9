import type { TriangleMesh } from '@manyworlds/mesh';
import { roundEven } from './round-even.ts';

/** Decimal digits to which vertices must agree to become one: position, texture coordinate, normal. */
const POSITION = 1e8;
const UV = 1e4;
const NORMAL = 1e2;

/**
 * Joins vertices that agree in position and, where the mesh has them, texture coordinate and normal; the first one of each
 * place stays. Vertices that no triangle uses are dropped. These are the tolerances of Newton's loader.
 */
export function weldCorners(mesh: TriangleMesh): TriangleMesh {
	const { vertices, indices, normals, uvs } = mesh;
	const count = vertices.length / 3;
	const isUsed = new Uint8Array(count);
	for (let i = 0; i < indices.length; i++) isUsed[indices[i]!] = 1;
	const table = new CornerTable(count, 3 + (uvs === undefined ? 0 : 2) + (normals === undefined ? 0 : 3));
	const first = new Uint32Array(count);
	const remap = new Uint32Array(count);
	let kept = 0;
	const row = table.row;
	for (let v = 0; v < count; v++) {
		if (isUsed[v] === 0) continue;
		let at = 0;
		for (let k = 0; k < 3; k++) row[at++] = roundEven(vertices[3 * v + k]! * POSITION);
		if (uvs !== undefined) for (let k = 0; k < 2; k++) row[at++] = roundEven(uvs[2 * v + k]! * UV);
		if (normals !== undefined) for (let k = 0; k < 3; k++) row[at++] = roundEven(normals[3 * v + k]! * NORMAL);
		const found = table.findOrAdd();
		remap[v] = found;
		if (found === kept) first[kept++] = v;
	}
	if (kept === count) return mesh;
	const chosen = first.subarray(0, kept);
	return {
		...mesh,
		vertices: gather(vertices, chosen, 3),
		indices: indices.map((index) => remap[index]!),
		...(normals === undefined ? {} : { normals: gather(normals, chosen, 3) }),
		...(uvs === undefined ? {} : { uvs: gather(uvs, chosen, 2) }),
	};
}

/** Rows of numbers with the order in which they were first seen; open addressing over typed arrays. */
class CornerTable {
	/** The row to look for. */
	readonly row: Float64Array;
	readonly #width: number;
	readonly #rows: Float64Array;
	readonly #slots: Int32Array;
	readonly #mask: number;
	#count = 0;

	constructor(capacity: number, width: number) {
		this.row = new Float64Array(width);
		this.#width = width;
		this.#rows = new Float64Array(capacity * width);
		const size = 2 ** Math.ceil(Math.log2(Math.max(2, capacity * 2)));
		this.#slots = new Int32Array(size).fill(-1);
		this.#mask = size - 1;
	}

	findOrAdd(): number {
		const { row } = this;
		const width = this.#width;
		let hash = 0x811c9dc5;
		for (let k = 0; k < width; k++) {
			const value = row[k]!;
			hash = Math.imul(hash ^ (value | 0), 0x01000193);
			hash = Math.imul(hash ^ Math.floor(value / 4294967296), 0x01000193);
			hash ^= hash >>> 15;
		}
		for (let slot = hash & this.#mask; ; slot = (slot + 1) & this.#mask) {
			const at = this.#slots[slot]!;
			if (at < 0) {
				this.#slots[slot] = this.#count;
				for (let k = 0; k < width; k++) this.#rows[this.#count * width + k] = row[k]!;
				return this.#count++;
			}
			let k = 0;
			while (k < width && this.#rows[at * width + k] === row[k]) k++;
			if (k === width) return at;
		}
	}
}

function gather(source: Float64Array, rows: Uint32Array, width: number): Float64Array {
	const out = new Float64Array(rows.length * width);
	for (let i = 0; i < rows.length; i++) {
		for (let k = 0; k < width; k++) out[i * width + k] = source[rows[i]! * width + k]!;
	}
	return out;
}
