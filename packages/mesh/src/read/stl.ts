import type { TriangleMesh } from '../triangle-mesh.ts';
import { type MeshFile, MeshReadContext, type ReadMeshOptions } from './mesh-file.ts';
import { isOpposed } from './stl-soup.ts';
import { readStlText } from './stl-text.ts';

/**
 * Reads an STL file, binary or text. The size decides which it is, as binary files may begin with `solid` too.
 * Corners at exactly the same place become one vertex; stored normals are compared with the winding, which is what counts.
 * @public
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
	const corners = new CornerPool(count * 3);
	const indices = new Uint32Array(count * 3);
	const attributes = new Uint16Array(count);
	const points = new Float64Array(9);
	let kept = 0;
	let opposed = 0;
	let firstOpposed = -1;
	let attributed = 0;
	for (let facet = 0; facet < count; facet++) {
		const at = HEADER + facet * FACET;
		let sum = 0;
		for (let k = 0; k < 9; k++) {
			const value = view.getFloat32(at + 12 + k * 4, true);
			points[k] = value;
			// stays finite only when all numbers are
			sum += value - value;
		}
		if (sum !== 0) {
			context.addAtByte('MESH007', `facet ${facet} has a coordinate that is not finite; it is left out`, at);
			continue;
		}
		for (let k = 0; k < 3; k++) indices[kept * 3 + k] = corners.add(view, at + 12 + k * 12);
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
	readonly #words: Uint32Array;
	readonly #table: Int32Array;
	readonly #mask: number;
	#count = 0;

	constructor(capacity: number) {
		this.#words = new Uint32Array(capacity * 3);
		let size = 16;
		while (size < capacity * 2) size *= 2;
		this.#table = new Int32Array(size).fill(-1);
		this.#mask = size - 1;
	}

	/** The vertex of the three numbers at a byte of a file. */
	add(view: DataView, at: number): number {
		const words = this.#words;
		const x = bitsAt(view, at);
		const y = bitsAt(view, at + 4);
		const z = bitsAt(view, at + 8);
		let h = Math.imul(x, 0x9e3779b1);
		h = Math.imul(h ^ (h >>> 15) ^ y, 0x85ebca6b);
		h = Math.imul(h ^ (h >>> 13) ^ z, 0xc2b2ae35);
		for (let slot = (h ^ (h >>> 16)) & this.#mask; ; slot = (slot + 1) & this.#mask) {
			const found = this.#table[slot]!;
			if (found < 0) {
				const made = this.#count++;
				this.#table[slot] = made;
				words[made * 3] = x;
				words[made * 3 + 1] = y;
				words[made * 3 + 2] = z;
				return made;
			}
			if (words[found * 3] === x && words[found * 3 + 1] === y && words[found * 3 + 2] === z) return found;
		}
	}

	toVertices(): Float64Array {
		return Float64Array.from(new Float32Array(this.#words.buffer, 0, this.#count * 3));
	}
}

function bitsAt(view: DataView, at: number): number {
	const bits = view.getUint32(at, true);
	return bits === 0x80000000 ? 0 : bits;
}
