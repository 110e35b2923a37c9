import { quote } from '@manyworlds/core';
import { readDae } from './dae.ts';
import { readGltf } from './gltf.ts';
import { type MeshFile, type MeshFormat, MeshReadContext, type ReadMeshOptions } from './mesh-file.ts';
import { readObj } from './obj.ts';
import { readStl } from './stl.ts';

/**
 * Reads a mesh file of any supported format, told by its content and, where that does not decide, its extension.
 * Never throws for bad input: what is wrong goes to `options.report`, what can be read is given.
 *
 * ```ts
 * const report = new Report();
 * const { meshes } = readMesh(bytes, { file: 'link.stl', report });
 * ```
 * @public
 */
export function readMesh(bytes: Uint8Array, options: ReadMeshOptions = {}): MeshFile {
	const format = options.format ?? detectMeshFormat(bytes, options.file);
	const context = new MeshReadContext(bytes, options);
	if (format === undefined) {
		const what = options.file === undefined ? 'the content' : quote(options.file);
		context.add('MESH002', `${what} is not a mesh file that can be read, expected OBJ, STL, COLLADA or glTF`);
		return { format, meshes: [], materialLibraries: [] };
	}
	const file = READERS[format](bytes, options);
	const hasTriangles = file.meshes.some((mesh) => mesh.indices.length > 0);
	if (!hasTriangles) context.add('MESH009', 'the file has no triangle, expected at least one');
	return file;
}

const READERS: Readonly<Record<MeshFormat, (bytes: Uint8Array, options: ReadMeshOptions) => MeshFile>> = {
	obj: readObj,
	stl: readStl,
	dae: readDae,
	gltf: readGltf,
	glb: readGltf,
};

/** Tells the format of a mesh file by its content, and by its extension where the content does not decide. @public */
export function detectMeshFormat(bytes: Uint8Array, file?: string): MeshFormat | undefined {
	if (bytes[0] === 0x67 && bytes[1] === 0x6c && bytes[2] === 0x54 && bytes[3] === 0x46) return 'glb';
	if (hasBinaryStlSize(bytes)) return 'stl';
	const head = new TextDecoder().decode(bytes.subarray(0, 4096)).trimStart();
	if (head.startsWith('<') && /<(\w+:)?COLLADA\b/.test(head)) return 'dae';
	if (head.startsWith('{') && /"(asset|accessors|meshes|scenes?|buffers|nodes)"/.test(head)) return 'gltf';
	if (/^solid\b/i.test(head) && /\bfacet\b|\bendsolid\b/i.test(head)) return 'stl';
	const extension = /\.([a-z0-9]+)(?:[?#].*)?$/i.exec(file ?? '')?.[1]?.toLowerCase();
	if (extension !== undefined && Object.hasOwn(READERS, extension)) return extension as MeshFormat;
	return /^(?:#.*\s*|\s*|(?:o|g|mtllib|usemtl|s) .*\s*)*(?:v|vn|vt) +[-+.\d]/.test(head) ? 'obj' : undefined;
}

function hasBinaryStlSize(bytes: Uint8Array): boolean {
	if (bytes.length < 134) return false;
	const count = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength).getUint32(80, true);
	return bytes.length === 84 + count * 50;
}
