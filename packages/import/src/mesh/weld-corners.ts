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
	for (let v = 0; v < count; v++) {
		if (isUsed[v] === 0) continue;
		table.begin();
		table.put(roundEven(vertices[3 * v]! * POSITION));
		table.put(roundEven(vertices[3 * v + 1]! * POSITION));
		table.put(roundEven(vertices[3 * v + 2]! * POSITION));
		if (uvs !== undefined) {
			table.put(roundEven(uvs[2 * v]! * UV));
			table.put(roundEven(uvs[2 * v + 1]! * UV));
		}
		if (normals !== undefined) {
			table.put(roundEven(normals[3 * v]! * NORMAL));
			table.put(roundEven(normals[3 * v + 1]! * NORMAL));
			table.put(roundEven(normals[3 * v + 2]! * NORMAL));
		}
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
	readonly #width: number;
	/** All rows, the one that is being looked for last. */
	readonly #rows: Float64Array;
	/** Hash of each row, and one more than its number by hash; 0 where there is none. */
	readonly #hashes: Int32Array;
	readonly #slots: Int32Array;
	#count = 0;
	#at = 0;
	#hash = 0;

	constructor(capacity: number, width: number) {
		this.#width = width;
		this.#rows = new Float64Array(capacity * width);
		this.#hashes = new Int32Array(capacity);
		this.#slots = new Int32Array(2 ** Math.ceil(Math.log2(Math.max(2, capacity * 2))));
	}

	/** Begins the row to look for. */
	begin(): void {
		this.#at = this.#count * this.#width;
		this.#hash = 0;
	}

	/** Gives the next number of the row, a whole one. */
	put(value: number): void {
		this.#rows[this.#at++] = value;
		const mixed = Math.imul(this.#hash ^ (value | 0), 0x9e3779b1);
		this.#hash = mixed ^ (mixed >>> 15);
	}

	/** Number of the row, in the order of first appearance. */
	findOrAdd(): number {
		const hash = this.#hash;
		const slots = this.#slots;
		const mask = slots.length - 1;
		let slot = hash & mask;
		for (; slots[slot] !== 0; slot = (slot + 1) & mask) {
			const row = slots[slot]! - 1;
			if (this.#hashes[row] === hash && this.#isSame(row)) return row;
		}
		this.#hashes[this.#count] = hash;
		slots[slot] = ++this.#count;
		return this.#count - 1;
	}

	#isSame(row: number): boolean {
		const rows = this.#rows;
		const width = this.#width;
		const a = row * width;
		const b = this.#count * width;
		for (let k = 0; k < width; k++) if (rows[a + k] !== rows[b + k]) return false;
		return true;
	}
}

function gather(source: Float64Array, rows: Uint32Array, width: number): Float64Array {
	const out = new Float64Array(rows.length * width);
	for (let i = 0; i < rows.length; i++) {
		for (let k = 0; k < width; k++) out[i * width + k] = source[rows[i]! * width + k]!;
	}
	return out;
}
