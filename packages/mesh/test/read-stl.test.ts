import { Report } from '@manyworlds/core';
import { createBox, createSphere, readMesh, solidMass, type TriangleMesh } from '@manyworlds/mesh';
import { expect, test } from 'vitest';
import { readStl } from '../src/read/stl.ts';
import { bytesOf } from './shapes.ts';

function binary(mesh: TriangleMesh, header = '', attribute = 0): Uint8Array {
	const count = mesh.indices.length / 3;
	const bytes = new Uint8Array(84 + count * 50);
	bytes.set(bytesOf(header));
	const view = new DataView(bytes.buffer);
	view.setUint32(80, count, true);
	for (let i = 0; i < mesh.indices.length; i++) {
		for (let k = 0; k < 3; k++) {
			view.setFloat32(
				84 + Math.floor(i / 3) * 50 + 12 + (i % 3) * 12 + k * 4,
				mesh.vertices[mesh.indices[i]! * 3 + k]!,
				true,
			);
		}
	}
	for (let t = 0; t < count; t++) view.setUint16(84 + t * 50 + 48, attribute, true);
	return bytes;
}

const TEXT = `solid my part
facet normal 0 0 1
 outer loop
  vertex 0 0 0
  vertex 1 0 0
  vertex 0 1 0
 endloop
endfacet
endsolid my part
`;

function codes(bytes: Uint8Array): string[] {
	const report = new Report();
	readMesh(bytes, { file: 'a.stl', report });
	return report.toArray().map((d) => d.code);
}

test('reads binary files and joins their corners', () => {
	const file = readStl(binary(createSphere(1)));
	expect(file.meshes[0]!.vertices).toHaveLength(createSphere(1).vertices.length);
	expect(solidMass(file.meshes[0]!).volume).toBeCloseTo(solidMass(createSphere(1)).volume, 5);
});

test('triangles that share no corner keep three vertices each, whatever was read before', () => {
	// more vertices than a closed surface has, so that tables grow
	const soup = (count: number): TriangleMesh => ({
		vertices: Float64Array.from({ length: count * 9 }, (_, i) => (i * 7) % 4096),
		indices: Uint32Array.from({ length: count * 3 }, (_, i) => i),
	});
	const expectSoup = (count: number): void => {
		const [mesh] = readStl(binary(soup(count))).meshes;
		const keys = Array.from({ length: count * 3 }, (_, i) =>
			soup(count)
				.vertices.slice(3 * i, 3 * i + 3)
				.join(' '),
		);
		const order = [...new Set(keys)];
		expect(Array.from(mesh!.indices)).toEqual(keys.map((key) => order.indexOf(key)));
		expect(Array.from(mesh!.vertices)).toEqual(order.flatMap((key) => key.split(' ').map(Number)));
	};
	expectSoup(7);
	expectSoup(400);
	expectSoup(9);
	expect(readStl(binary(createBox(1))).meshes[0]!.vertices).toHaveLength(24);
});

test('corners that differ in the sign of a zero are one', () => {
	const bytes = binary({
		vertices: Float64Array.of(0, 0, 0, 1, 0, 0, 0, 1, 0, -0, -0, 0, 0, 1, -0, -1, 0, 0),
		indices: Uint32Array.of(0, 1, 2, 3, 4, 5),
	});
	expect(Array.from(readStl(bytes).meshes[0]!.indices)).toEqual([0, 1, 2, 0, 2, 3]);
});

test('a binary file that begins with the word solid is binary', () => {
	const bytes = binary(createBox(1), 'solid facet normal');
	expect(codes(bytes)).toEqual([]);
	expect(readStl(bytes).meshes[0]!.indices).toHaveLength(36);
});

test('reads text files with their names, several solids, and any case', () => {
	expect(codes(bytesOf(TEXT))).toEqual([]);
	const file = readStl(bytesOf(TEXT + TEXT.toUpperCase().replaceAll('MY PART', 'other')));
	expect(file.meshes.map((mesh) => [mesh.name, mesh.indices.length])).toEqual([
		['my part', 3],
		['other', 3],
	]);
});

test('keeps attribute words and says that they are there', () => {
	const bytes = binary(createBox(1), '', 0x801f);
	expect(codes(bytes)).toEqual(['MESH012']);
	expect([...readStl(bytes).meshes[0]!.faceAttributes!]).toEqual(new Array(12).fill(0x801f));
});

test('reads what is there of a file that was cut off, and of one with a wrong count', () => {
	const bytes = binary(createBox(1));
	expect(codes(bytes.subarray(0, 84 + 125))).toEqual(['MESH010']);
	expect(readStl(bytes.subarray(0, 84 + 125)).meshes[0]!.indices).toHaveLength(6);
	new DataView(bytes.buffer).setUint32(80, 0xffffffff, true);
	expect(readStl(bytes).meshes[0]!.indices).toHaveLength(36);
	new DataView(bytes.buffer).setUint32(80, 3, true);
	expect(codes(bytes)).toEqual(['MESH010']);
	expect(codes(bytes.subarray(0, 10))).toContain('MESH010');
});

test('reports coordinates that are not finite and normals against the winding', () => {
	const bytes = binary(createBox(1));
	const view = new DataView(bytes.buffer);
	view.setFloat32(84 + 12, Number.NaN, true);
	// a normal of facet 1 that points inwards: its face is -x
	view.setFloat32(84 + 50, 1, true);
	const report = new Report();
	const file = readStl(bytes, { report });
	expect(report.toArray().map((d) => [d.code, d.byteOffset])).toEqual([
		['MESH007', 84],
		['MESH011', 134],
	]);
	expect(file.meshes[0]!.indices).toHaveLength(33);
});

test.each([
	['a word that is no number', TEXT.replace('1 0 0', '1 x 0'), 'MESH003', 5],
	['a facet with two corners', TEXT.replace('  vertex 1 0 0\n', ''), 'MESH003', 2],
	['an unknown statement', TEXT.replace('outer loop', 'inner loop'), 'MESH003', 3],
	['a file that ends early', TEXT.slice(0, 60), 'MESH010', 2],
	['a coordinate that is infinite', TEXT.replace('1 0 0', '1 inf 0'), 'MESH007', 5],
])('reports %s in a text file', (_, text, code, line) => {
	const report = new Report();
	readStl(bytesOf(text), { file: 'a.stl', report });
	expect(report.toArray().map((d) => [d.code, d.range?.start.line])).toContainEqual([code, line]);
});
