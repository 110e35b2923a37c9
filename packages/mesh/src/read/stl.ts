import type { TriangleMesh } from '../triangle-mesh.ts';
import { doubled, hash, rehash, shiftOf, takePlaces, takeTable, toVertices, zeroed } from './corner-table.ts';
import { type MeshFile, MeshReadContext, type ReadMeshOptions } from './mesh-file.ts';
import { isAgainst } from './stl-soup.ts';
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
	// corners are joined in place, as calls for each of them take a fifth longer
	let table = takeTable(count);
	let places = takePlaces(count);
	let shift = shiftOf(table);
	let vertices = 0;
	const indices = new Uint32Array(count * 3);
	// most files have no attribute words
	let attributes: Uint16Array | undefined;
	let kept = 0;
	let opposed = 0;
	let firstOpposed = -1;
	let attributed = 0;
	for (let facet = 0; facet < count; facet++) {
		const at = HEADER + facet * FACET;
		const ax = view.getFloat32(at + 12, true);
		const ay = view.getFloat32(at + 16, true);
		const az = view.getFloat32(at + 20, true);
		const ux = view.getFloat32(at + 24, true) - ax;
		const uy = view.getFloat32(at + 28, true) - ay;
		const uz = view.getFloat32(at + 32, true) - az;
		const vx = view.getFloat32(at + 36, true) - ax;
		const vy = view.getFloat32(at + 40, true) - ay;
		const vz = view.getFloat32(at + 44, true) - az;
		// differences of single precision do not overflow: zero only when all numbers are finite
		if ((ux + uy + uz + vx + vy + vz) * 0 !== 0) {
			context.addAtByte('MESH007', `facet ${facet} has a coordinate that is not finite; it is left out`, at);
			continue;
		}
		if ((vertices + 3) * 2 > table.length) {
			table = rehash(places, vertices, table.length * 4);
			shift = shiftOf(table);
		}
		if ((vertices + 3) * 3 > places.length) places = doubled(places);
		const mask = table.length - 1;
		for (let k = 0; k < 3; k++) {
			const corner = at + 12 + k * 12;
			const x = zeroed(view.getInt32(corner, true));
			const y = zeroed(view.getInt32(corner + 4, true));
			const z = zeroed(view.getInt32(corner + 8, true));
			let slot = hash(x, y, z) >>> shift;
			for (; ; slot = (slot + 1) & mask) {
				// entries count from 1, so that an empty table is zeros
				const vertex = table[slot]! - 1;
				if (vertex < 0) {
					places[vertices * 3] = x;
					places[vertices * 3 + 1] = y;
					places[vertices * 3 + 2] = z;
					indices[kept * 3 + k] = vertices++;
					table[slot] = vertices;
					break;
				}
				if (places[vertex * 3] === x && places[vertex * 3 + 1] === y && places[vertex * 3 + 2] === z) {
					indices[kept * 3 + k] = vertex;
					break;
				}
			}
		}
		const nx = view.getFloat32(at, true);
		const ny = view.getFloat32(at + 4, true);
		const nz = view.getFloat32(at + 8, true);
		if (isAgainst(ux, uy, uz, vx, vy, vz, nx, ny, nz)) {
			if (opposed++ === 0) firstOpposed = at;
		}
		const attribute = view.getUint16(at + 48, true);
		if (attribute !== 0) {
			attributed++;
			attributes ??= new Uint16Array(count);
			attributes[kept] = attribute;
		}
		kept++;
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
	const mesh = {
		vertices: toVertices(places, vertices),
		indices: kept === count ? indices : indices.slice(0, kept * 3),
	};
	if (kept === 0) return [];
	return [attributes === undefined ? mesh : { ...mesh, faceAttributes: attributes.slice(0, kept) }];
}
