import type { TriangleMesh } from '../triangle-mesh.ts';
import { type MeshFile, MeshReadContext, type ReadMeshOptions } from './mesh-file.ts';
import { isOpposed } from './stl-soup.ts';
import { readStlText } from './stl-text.ts';

/**
 * Reads an STL file, binary or text. The size decides which it is, as binary files may begin with `solid` too.
 * Corners at exactly the same place become one vertex; stored normals are compared with the winding, which is what counts.
 */
export function readStl(bytes: Uint8Array, options: ReadMeshOptions = {}): MeshFile {
	const context = new MeshReadContext(bytes, options);
	const meshes = isTextStl(bytes) ? readStlText(context) : readBinary(context);
	return { format: 'stl', meshes, materialLibraries: [] };
}

const HEADER = 84;
const FACET = 50;

/** Whether an STL file is text: its size is not that of a binary one and it begins with `solid`. */
export function isTextStl(bytes: Uint8Array): boolean {
	if (bytes.length >= HEADER) {
		const count = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength).getUint32(80, true);
		if (bytes.length === HEADER + count * FACET) return false;
	}
	let at = bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? 3 : 0;
	while (at < bytes.length && bytes[at]! <= 0x20) at++;
	const word = new TextDecoder().decode(bytes.subarray(at, at + 5)).toLowerCase();
	if (word !== 'solid') return false;
	// a binary file that was cut off has zero bytes where text has none
	const window = bytes.subarray(0, Math.min(bytes.length, 1024));
	return !window.includes(0);
}

function readBinary(context: MeshReadContext): TriangleMesh[] {
	const { bytes } = context;
	if (bytes.length < HEADER) {
		context.addAtByte(
			'MESH010',
			`the file has ${bytes.length} bytes, expected at least ${HEADER} of a binary STL header`,
			bytes.length,
		);
		return [];
	}
	const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
	const stated = view.getUint32(80, true);
	const available = Math.floor((bytes.length - HEADER) / FACET);
	const rest = bytes.length - HEADER - stated * FACET;
	if (rest !== 0) {
		const what = rest < 0 ? `${-rest} bytes are missing` : `${rest} bytes follow`;
		context.addAtByte('MESH010', `the header states ${stated} facets, the file has room for ${available}: ${what}`, 80);
	}
	// a wrong count with whole facets behind it: take the facets
	const count = stated <= available && stated > 0 ? stated : available;
	// a closed surface has half as many vertices as triangles
	const corners = new CornerPool(count);
	const indices = new Uint32Array(count * 3);
	const attributes = new Uint16Array(count);
	const words = new Uint32Array(9);
	const points = new Float32Array(words.buffer);
	let kept = 0;
	let opposed = 0;
	let firstOpposed = -1;
	let attributed = 0;
	for (let facet = 0; facet < count; facet++) {
		const at = HEADER + facet * FACET;
		let sum = 0;
		for (let k = 0; k < 9; k++) {
			words[k] = view.getUint32(at + 12 + k * 4, true);
			const value = points[k]!;
			// stays zero only when all numbers are finite
			sum += value - value;
		}
		if (sum !== 0) {
			context.addAtByte('MESH007', `facet ${facet} has a coordinate that is not finite; it is left out`, at);
			continue;
		}
		for (let k = 0; k < 3; k++) indices[kept * 3 + k] = corners.add(words, k * 3);
		const nx = view.getFloat32(at, true);
		const ny = view.getFloat32(at + 4, true);
		const nz = view.getFloat32(at + 8, true);
		if (isOpposed(points, 0, nx, ny, nz)) {
			if (opposed++ === 0) firstOpposed = at;
		}
		const attribute = view.getUint16(at + 48, true);
		if (attribute !== 0) attributed++;
		attributes[kept++] = attribute;
	}
	if (opposed > 0) {
		context.addAtByte(
			'MESH011',
			`${opposed} of ${count} facets have a normal against their winding; this is the first`,
			firstOpposed,
		);
	}
	if (attributed > 0) {
		context.addAtByte('MESH012', `${attributed} of ${count} facets have attribute words`, HEADER + 48);
	}
	const mesh = { vertices: corners.toVertices(), indices: kept === count ? indices : indices.slice(0, kept * 3) };
	return kept === 0 ? [] : [attributed > 0 ? { ...mesh, faceAttributes: attributes.slice(0, kept) } : mesh];
}

/** Corners by the bits of their coordinates, in the order of first use; minus zero is zero. */
class CornerPool {
	#words: Uint32Array;
	#table: Int32Array;
	#count = 0;

	/** @param expected - twice the number of vertices that are likely */
	constructor(expected: number) {
		let size = 16;
		while (size < expected * 1.5) size *= 2;
		this.#words = new Uint32Array(Math.max(expected, 16) * 2);
		this.#table = new Int32Array(size);
	}

	/** The vertex of three numbers, given by their bits. */
	add(source: Uint32Array, at: number): number {
		const x = source[at] === MINUS_ZERO ? 0 : source[at]!;
		const y = source[at + 1] === MINUS_ZERO ? 0 : source[at + 1]!;
		const z = source[at + 2] === MINUS_ZERO ? 0 : source[at + 2]!;
		const table = this.#table;
		const words = this.#words;
		const mask = table.length - 1;
		for (let slot = hash(x, y, z) & mask; ; slot = (slot + 1) & mask) {
			// entries count from 1, so that an empty table is zeros
			const found = table[slot]! - 1;
			if (found < 0) {
				table[slot] = this.#count + 1;
				return this.#append(x, y, z);
			}
			if (words[found * 3] === x && words[found * 3 + 1] === y && words[found * 3 + 2] === z) return found;
		}
	}

	toVertices(): Float64Array {
		return Float64Array.from(new Float32Array(this.#words.buffer, 0, this.#count * 3));
	}

	#append(x: number, y: number, z: number): number {
		const made = this.#count++;
		if (made * 3 + 3 > this.#words.length) {
			const words = new Uint32Array(this.#words.length * 2);
			words.set(this.#words);
			this.#words = words;
		}
		this.#words[made * 3] = x;
		this.#words[made * 3 + 1] = y;
		this.#words[made * 3 + 2] = z;
		if (this.#count * 2 > this.#table.length) this.#rehash();
		return made;
	}

	#rehash(): void {
		const words = this.#words;
		const table = new Int32Array(this.#table.length * 4);
		const mask = table.length - 1;
		for (let i = 0; i < this.#count; i++) {
			let slot = hash(words[i * 3]!, words[i * 3 + 1]!, words[i * 3 + 2]!) & mask;
			while (table[slot] !== 0) slot = (slot + 1) & mask;
			table[slot] = i + 1;
		}
		this.#table = table;
	}
}

const MINUS_ZERO = 0x80000000;

function hash(x: number, y: number, z: number): number {
	let h = Math.imul(x, 0x9e3779b1);
	h = Math.imul(h ^ (h >>> 15) ^ y, 0x85ebca6b);
	h = Math.imul(h ^ (h >>> 13) ^ z, 0xc2b2ae35);
	return h ^ (h >>> 16);
}
