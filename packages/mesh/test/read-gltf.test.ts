import { type Diagnostic, Report } from '@manyworlds/core';
import type { MeshFile } from '@manyworlds/mesh';
import { readMesh, surfaceArea } from '@manyworlds/mesh';
import { expect, test } from 'vitest';
import { readGltf } from '../src/read/gltf.ts';
import { bytesOf } from './shapes.ts';

// four corners of a square, six u16 indices, padded; then a strip and one sparse value
const BINARY = new Uint8Array(100);
{
	const view = new DataView(BINARY.buffer);
	[0, 0, 0, 1, 0, 0, 1, 1, 0, 0, 1, 0].forEach((value, i) => void view.setFloat32(i * 4, value, true));
	[0, 1, 2, 0, 2, 3].forEach((value, i) => void view.setUint16(48 + i * 2, value, true));
	[0, 1, 3, 2].forEach((value, i) => void view.setUint8(60 + i, value));
	view.setUint16(64, 2, true);
	[5, 5, 5].forEach((value, i) => void view.setFloat32(68 + i * 4, value, true));
}

interface Changes {
	readonly primitive?: object;
	readonly node?: object;
	readonly accessors?: readonly object[];
	readonly bufferViews?: readonly object[];
	readonly more?: object;
}

function document({ primitive, node, accessors, bufferViews, more }: Changes = {}, uri?: string): object {
	return {
		asset: { version: '2.0' },
		scene: 0,
		scenes: [{ nodes: [0] }],
		nodes: [{ mesh: 0, name: 'n', ...node }],
		meshes: [{ primitives: [{ attributes: { POSITION: 0 }, indices: 1, material: 0, ...primitive }] }],
		materials: [{ name: 'red' }],
		accessors: accessors ?? [
			{ bufferView: 0, componentType: 5126, count: 4, type: 'VEC3' },
			{ bufferView: 1, componentType: 5123, count: 6, type: 'SCALAR' },
			{ bufferView: 2, componentType: 5121, count: 4, type: 'SCALAR' },
		],
		bufferViews: bufferViews ?? [
			{ buffer: 0, byteLength: 48 },
			{ buffer: 0, byteOffset: 48, byteLength: 12 },
			{ buffer: 0, byteOffset: 60, byteLength: 4 },
		],
		buffers: [{ byteLength: BINARY.length, ...(uri === undefined ? {} : { uri }) }],
		...more,
	};
}

function glb(json: object): Uint8Array {
	const text = bytesOf(JSON.stringify(json).padEnd(Math.ceil(JSON.stringify(json).length / 4) * 4));
	const bytes = new Uint8Array(12 + 8 + text.length + 8 + BINARY.length);
	const view = new DataView(bytes.buffer);
	bytes.set(bytesOf('glTF'));
	view.setUint32(4, 2, true);
	view.setUint32(8, bytes.length, true);
	view.setUint32(12, text.length, true);
	bytes.set(bytesOf('JSON'), 16);
	bytes.set(text, 20);
	view.setUint32(20 + text.length, BINARY.length, true);
	bytes.set([0x42, 0x49, 0x4e, 0], 24 + text.length);
	bytes.set(BINARY, 28 + text.length);
	return bytes;
}

function read(bytes: Uint8Array): { file: MeshFile; found: Diagnostic[] } {
	const report = new Report();
	const file = readGltf(bytes, { file: 'a.glb', report });
	return { file, found: report.toArray() };
}

test('reads a binary file', () => {
	const { file, found } = read(glb(document()));
	expect(found).toEqual([]);
	expect(file).toMatchObject({ format: 'glb', upAxis: 'Y', metersPerUnit: 1 });
	expect(file.meshes[0]).toMatchObject({ name: 'n', groups: [{ start: 0, count: 2, material: 'red' }] });
	expect([...file.meshes[0]!.indices]).toEqual([0, 1, 2, 0, 2, 3]);
});

test('reads buffers in data URIs and in other files', () => {
	const base64 = Buffer.from(BINARY).toString('base64');
	const inside = document({}, `data:application/octet-stream;base64,${base64}`);
	expect(read(bytesOf(JSON.stringify(inside))).found).toEqual([]);
	const outside = bytesOf(JSON.stringify(document({}, 'a%20b.bin')));
	const asked: string[] = [];
	const file = readMesh(outside, {
		external: (uri) => {
			asked.push(uri);
			return BINARY;
		},
	});
	expect(asked).toEqual(['a b.bin']);
	expect(file.meshes[0]!.indices).toHaveLength(6);
	expect(read(outside).found.map((d) => d.code)).toEqual(['MESH018']);
});

test('reads strips, fans and primitives without indices', () => {
	for (const primitive of [
		{ mode: 5, indices: 2 },
		{ mode: 6, indices: undefined },
	]) {
		const { file, found } = read(glb(document({ primitive })));
		expect(found).toEqual([]);
		expect(surfaceArea(file.meshes[0]!)).toBeCloseTo(1, 14);
		const [a, b, c] = [...file.meshes[0]!.indices.subarray(3, 6)] as [number, number, number];
		const v = file.meshes[0]!.vertices;
		const cross =
			(v[b * 3]! - v[a * 3]!) * (v[c * 3 + 1]! - v[a * 3 + 1]!) -
			(v[b * 3 + 1]! - v[a * 3 + 1]!) * (v[c * 3]! - v[a * 3]!);
		expect(cross).toBeGreaterThan(0);
	}
});

test('reads interleaved and sparse accessors, and those without a buffer view', () => {
	const bufferViews = [
		{ buffer: 0, byteLength: 48, byteStride: 12 },
		{ buffer: 0, byteOffset: 48, byteLength: 12 },
		{ buffer: 0, byteOffset: 64, byteLength: 4 },
		{ buffer: 0, byteOffset: 68, byteLength: 12 },
	];
	const sparse = { count: 1, indices: { bufferView: 2, componentType: 5123 }, values: { bufferView: 3 } };
	const index = { bufferView: 1, componentType: 5123, count: 6, type: 'SCALAR' };
	const dense = [{ bufferView: 0, componentType: 5126, count: 4, type: 'VEC3', sparse }, index];
	const { file, found } = read(glb(document({ accessors: dense, bufferViews })));
	expect(found).toEqual([]);
	expect([...file.meshes[0]!.vertices]).toEqual([0, 0, 0, 1, 0, 0, 5, 5, 5, 0, 1, 0]);
	const zeros = [{ componentType: 5126, count: 4, type: 'VEC3', sparse }, index];
	expect([...read(glb(document({ accessors: zeros, bufferViews }))).file.meshes[0]!.vertices]).toEqual([
		0, 0, 0, 0, 0, 0, 5, 5, 5, 0, 0, 0,
	]);
});

test('normalised integers are fractions', () => {
	const accessors = [
		{ bufferView: 0, byteOffset: 12, componentType: 5120, normalized: true, count: 4, type: 'VEC3' },
		{ bufferView: 1, componentType: 5123, count: 6, type: 'SCALAR' },
	];
	const { file } = read(glb(document({ accessors })));
	// bytes of 1.0f: 00 00 80 3f
	expect(Math.min(...file.meshes[0]!.vertices)).toBe(-1);
});

test('applies matrices and translation, rotation, scale of nodes', () => {
	const h = Math.SQRT1_2;
	const node = { translation: [1, 2, 3], rotation: [0, 0, h, h], scale: [2, 3, 4], children: [1], mesh: undefined };
	const child = { mesh: 0, matrix: [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 5, 0, 0, 1] };
	const json = document({ node }) as { nodes: object[] };
	json.nodes.push(child);
	const { file, found } = read(glb(json));
	expect(found).toEqual([]);
	// (1, 1, 0): moved to (6, 1, 0), scaled to (12, 3, 0), turned to (-3, 12, 0), moved to (-2, 14, 3)
	const corner = [...file.meshes[0]!.vertices.subarray(6, 9)];
	expect(corner.map((value) => Number(value.toFixed(12)))).toEqual([-2, 14, 3]);
});

test.each([
	['Draco', document({ primitive: { extensions: { KHR_draco_mesh_compression: {} } } }), 'MESH019'],
	[
		'meshopt',
		document({ bufferViews: [{ buffer: 0, byteLength: 48, extensions: { EXT_meshopt_compression: {} } }, {}, {}] }),
		'MESH019',
	],
	['lines', document({ primitive: { mode: 1 } }), 'MESH005'],
	['a buffer view beyond its buffer', document({ bufferViews: [{ buffer: 0, byteLength: 4800 }, {}, {}] }), 'MESH017'],
	[
		'an accessor beyond its view',
		document({ accessors: [{ bufferView: 0, componentType: 5126, count: 5, type: 'VEC3' }] }),
		'MESH017',
	],
	['an accessor of another type', document({ primitive: { attributes: { POSITION: 1 } } }), 'MESH017'],
	['an accessor that is absent', document({ primitive: { indices: 9 } }), 'MESH014'],
	['a mesh that is absent', document({ node: { mesh: 7 } }), 'MESH014'],
	['a node that is its own child', document({ node: { children: [0] } }), 'MESH014'],
	['morph targets', document({ primitive: { targets: [{}] } }), 'MESH006'],
	['a skin', document({ node: { skin: 0 } }), 'MESH006'],
	['animations', document({ more: { animations: [{}] } }), 'MESH006'],
	['an unknown extension', document({ more: { extensionsUsed: ['EXT_structural_metadata'] } }), 'MESH006'],
	['version 1', document({ more: { asset: { version: '1.0' } } }), 'MESH016'],
	['a matrix of text', document({ node: { matrix: 'no' } }), 'MESH003'],
	['no scene', document({ more: { scenes: undefined } }), 'MESH014'],
])('reports %s', (_, json, code) => {
	const { found } = read(glb(json));
	expect(found.map((d) => d.code)).toContain(code);
	for (const d of found) expect(d.message).toMatch(/^\//);
});

test.each([
	['JSON that is malformed', bytesOf('{"asset": {,}}'), 'MESH016'],
	['JSON that is no object', bytesOf('[]'), 'MESH016'],
	['a container that ends early', glb(document()).subarray(0, 18), 'MESH016'],
	['a container of version 1', glb(document()).map((byte, i) => (i === 4 ? 1 : byte)), 'MESH016'],
	['a chunk that exceeds the file', glb(document()).subarray(0, -8), 'MESH010'],
])('reports %s', (_, bytes, code) => {
	expect(read(bytes).found.map((d) => d.code)).toContain(code);
});

test('indices beyond the vertices leave out their triangles', () => {
	const accessors = [
		{ bufferView: 0, componentType: 5126, count: 3, type: 'VEC3' },
		{ bufferView: 1, componentType: 5123, count: 6, type: 'SCALAR' },
	];
	const { file, found } = read(glb(document({ accessors })));
	expect(found.map((d) => d.code)).toEqual(['MESH004']);
	expect(file.meshes[0]!.indices).toHaveLength(3);
});
