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
	// open addressing: one more than the number of a place by its hash, 0 where there is none
	const slots = new Int32Array(2 ** Math.ceil(Math.log2(Math.max(2, count * 2))));
	const mask = slots.length - 1;
	const hashes = new Int32Array(count);
	/** The first vertex of each place, and the place of each vertex. */
	const first = new Uint32Array(count);
	const remap = new Uint32Array(count);
	let kept = 0;
	for (let v = 0; v < count; v++) {
		if (isUsed[v] === 0) continue;
		let hash = hashRow(0, vertices, 3 * v, 3, POSITION);
		if (uvs !== undefined) hash = hashRow(hash, uvs, 2 * v, 2, UV);
		if (normals !== undefined) hash = hashRow(hash, normals, 3 * v, 3, NORMAL);
		let slot = hash & mask;
		let found = kept;
		for (; slots[slot] !== 0; slot = (slot + 1) & mask) {
			const place = slots[slot]! - 1;
			if (hashes[place] === hash && isSameCorner(mesh, first[place]!, v)) {
				found = place;
				break;
			}
		}
		remap[v] = found;
		if (found < kept) continue;
		hashes[kept] = hash;
		first[kept++] = v;
		slots[slot] = kept;
	}
	if (kept === count) return mesh;
	const chosen = first.subarray(0, kept);
	const joined = new Uint32Array(indices.length);
	for (let i = 0; i < indices.length; i++) joined[i] = remap[indices[i]!]!;
	return {
		...mesh,
		vertices: gather(vertices, chosen, 3),
		indices: joined,
		...(normals === undefined ? {} : { normals: gather(normals, chosen, 3) }),
		...(uvs === undefined ? {} : { uvs: gather(uvs, chosen, 2) }),
	};
}

/** Goes on with a hash over some numbers, rounded to a share of one. */
function hashRow(before: number, numbers: Float64Array, at: number, width: number, share: number): number {
	let hash = before;
	for (let k = at; k < at + width; k++) {
		const mixed = Math.imul(hash ^ (roundEven(numbers[k]! * share) | 0), 0x9e3779b1);
		hash = mixed ^ (mixed >>> 15);
	}
	return hash;
}

function isSameCorner({ vertices, uvs, normals }: TriangleMesh, v: number, w: number): boolean {
	if (!isSameRow(vertices, 3 * v, 3 * w, 3, POSITION)) return false;
	if (uvs !== undefined && !isSameRow(uvs, 2 * v, 2 * w, 2, UV)) return false;
	return normals === undefined || isSameRow(normals, 3 * v, 3 * w, 3, NORMAL);
}

function isSameRow(numbers: Float64Array, a: number, b: number, width: number, share: number): boolean {
	for (let k = 0; k < width; k++) {
		if (roundEven(numbers[a + k]! * share) !== roundEven(numbers[b + k]! * share)) return false;
	}
	return true;
}

function gather(source: Float64Array, rows: Uint32Array, width: number): Float64Array {
	const out = new Float64Array(rows.length * width);
	for (let i = 0; i < rows.length; i++) {
		for (let k = 0; k < width; k++) out[i * width + k] = source[rows[i]! * width + k]!;
	}
	return out;
}
