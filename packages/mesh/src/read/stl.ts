import type { TriangleMesh } from '../triangle-mesh.ts';
import { type MeshFile, MeshReadContext, type ReadMeshOptions } from './mesh-file.ts';
import { isOpposed, soupToMesh } from './stl-soup.ts';
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
	const soup = new Float64Array(count * 9);
	const attributes = new Uint16Array(count);
	let kept = 0;
	let opposed = 0;
	let firstOpposed = -1;
	let attributed = 0;
	for (let facet = 0; facet < count; facet++) {
		const at = HEADER + facet * FACET;
		let isWhole = true;
		for (let k = 0; k < 9; k++) {
			const value = view.getFloat32(at + 12 + k * 4, true);
			isWhole &&= Number.isFinite(value);
			soup[kept * 9 + k] = value;
		}
		if (!isWhole) {
			context.addAtByte('MESH007', `facet ${facet} has a coordinate that is not finite; it is left out`, at);
			continue;
		}
		const nx = view.getFloat32(at, true);
		const ny = view.getFloat32(at + 4, true);
		const nz = view.getFloat32(at + 8, true);
		if (isOpposed(soup, kept * 9, nx, ny, nz)) {
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
	const mesh = soupToMesh(soup.subarray(0, kept * 9), undefined);
	return kept === 0 ? [] : [attributed > 0 ? { ...mesh, faceAttributes: attributes.slice(0, kept) } : mesh];
}
