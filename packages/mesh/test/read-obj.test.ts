import { type Diagnostic, Report } from '@manyworlds/core';
import type { MeshFile } from '@manyworlds/mesh';
import { readMesh, surfaceArea } from '@manyworlds/mesh';
import { expect, test } from 'vitest';
import { readObj } from '../src/read/obj.ts';
import { bytesOf } from './shapes.ts';

function read(text: string): { file: MeshFile; found: Diagnostic[] } {
	const report = new Report();
	const file = readObj(bytesOf(text), { file: 'a.obj', report });
	return { file, found: report.toArray() };
}

const SQUARE = 'v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\n';

test('reads positions, normals, texture coordinates and material runs', () => {
	const { file, found } = read(
		`mtllib a.mtl b.mtl\no thing\n${SQUARE}vt 0 0\nvt 1 1\nvn 0 0 1\nusemtl red\nf 1/1/1 2/2/1 3/2/1\nusemtl blue\nf 1/1/1 3/2/1 4/1/1\n`,
	);
	expect(found).toEqual([]);
	expect(file.materialLibraries).toEqual(['a.mtl', 'b.mtl']);
	const [mesh] = file.meshes;
	expect(mesh?.name).toBe('thing');
	expect(mesh?.groups).toEqual([
		{ start: 0, count: 1, material: 'red' },
		{ start: 1, count: 1, material: 'blue' },
	]);
	expect([...mesh!.indices]).toEqual([0, 1, 2, 0, 2, 3]);
	expect([...mesh!.normals!]).toEqual([0, 0, 1, 0, 0, 1, 0, 0, 1, 0, 0, 1]);
	expect([...mesh!.uvs!]).toEqual([0, 0, 1, 1, 1, 1, 0, 0]);
});

test('splits a vertex that has several normals, and only that', () => {
	const { file } = read(`${SQUARE}vn 0 0 1\nvn 1 0 0\nf 1//1 2//1 3//1\nf 1//2 3//1 4//1\n`);
	expect(file.meshes[0]?.vertices).toHaveLength(15);
});

test('groups and objects become meshes, also when a name comes back', () => {
	const { file } = read(`${SQUARE}g left\nf 1 2 3\ng right\nf 1 3 4\ng left\nf 4 2 1\n`);
	expect(file.meshes.map((mesh) => [mesh.name, mesh.indices.length])).toEqual([
		['left', 6],
		['right', 3],
	]);
});

test('negative indices count back from the last vertex so far', () => {
	const { file, found } = read(`${SQUARE}f -4 -3 -2 -1\nv 9 9 9\nf -5 -4 -3\n`);
	expect(found).toEqual([]);
	expect([...file.meshes[0]!.indices]).toEqual([0, 1, 2, 0, 2, 3, 0, 1, 2]);
});

test('polygons that are not convex are covered exactly', () => {
	const points = [
		[0, 0],
		[4, 0],
		[4, 3],
		[2, 1],
		[0, 3],
	];
	const { file, found } = read(`${points.map(([x, y]) => `v ${x} ${y} 0`).join('\n')}\nf 5 1 2 3 4\n`);
	expect(found).toEqual([]);
	expect(file.meshes[0]!.indices).toHaveLength(9);
	expect(surfaceArea(file.meshes[0]!)).toBeCloseTo(8, 12);
});

test('lines may be continued, ended by CR LF or CR, and commented', () => {
	const { file, found } = read('# a\r\nv 0 0 0\rv 1 0 \\\n0 # x\nv 0 1 0\r\nf 1 2 \\\r\n3\n');
	expect(found).toEqual([]);
	expect(file.meshes[0]!.indices).toHaveLength(3);
});

test('numbers are rounded correctly', () => {
	const texts = [
		'0.1',
		'-1.7976931348623157e308',
		'5e-324',
		'123456789012345678',
		'.5',
		'3.',
		'1e22',
		'0.30000000000000004',
	];
	const { file } = read(`${texts.map((text) => `v ${text} 0 0`).join('\n')}\nf 1 2 3\nf 4 5 6\nf 7 8 1\n`);
	const xs = [...file.meshes[0]!.vertices].filter((_, i) => i % 3 === 0);
	expect(xs).toEqual(texts.map(Number));
});

test.each([
	['an index too large', `${SQUARE}f 1 2 9\n`, 'MESH004', 5, 7],
	['index zero', `${SQUARE}f 0 1 2\n`, 'MESH004', 5, 3],
	['a negative index too large', `${SQUARE}f -5 1 2\n`, 'MESH004', 5, 3],
	['an index that is not a number', `${SQUARE}f 1 2 x\n`, 'MESH003', 5, 7],
	['two corners', `${SQUARE}f 1 2\n`, 'MESH003', 5, 1],
	['a vertex with two numbers', 'v 1 2\n', 'MESH003', 1, 1],
	['a number that is none', 'v 1 2 3x\n', 'MESH003', 1, 7],
	['a coordinate that is NaN', 'v 1 nan 3\n', 'MESH007', 1, 5],
	['lines', `${SQUARE}l 1 2\nl 2 3\n`, 'MESH005', 5, 1],
	['points', `${SQUARE}p 1\n`, 'MESH005', 5, 1],
	['an unknown statement', 'vx 1\n', 'MESH006', 1, 1],
	['a face without area', `${SQUARE}f 1 1 2\n`, 'MESH008', 5, 1],
	['vertex colours', 'v 0 0 0 1 0 0\n', 'MESH006', 1, 9],
])('reports %s at its place', (_, text, code, line, column) => {
	const { found } = read(text);
	expect(found.map((d) => [d.code, d.file, d.range?.start.line, d.range?.start.column])).toEqual([
		[code, 'a.obj', line, column],
	]);
});

test('a face with a vertex that cannot be read is left out, the rest is read', () => {
	const { file, found } = read(`v 0 0 zero\n${SQUARE}f 1 2 3\nf 2 3 4\n`);
	expect(file.meshes[0]!.indices).toHaveLength(3);
	expect(found.map((d) => d.code)).toEqual(['MESH003', 'MESH003']);
});

test('a missing normal leaves the face', () => {
	const { file, found } = read(`${SQUARE}f 1//7 2 3\n`);
	expect(file.meshes[0]!.indices).toHaveLength(3);
	expect(found.map((d) => d.code)).toEqual(['MESH004']);
});

test('a file without triangles says so', () => {
	const report = new Report();
	readMesh(bytesOf('v 0 0 0\n'), { file: 'a.obj', report });
	expect(report.toArray().map((d) => d.code)).toEqual(['MESH009']);
});

test('a bent face with four corners is divided along its shorter diagonal on demand', () => {
	const bytes = new TextEncoder().encode('v 0 0 0\nv 1 0 1\nv 4 4 0\nv 0 1 1\nf 1 2 3 4\n');
	expect(Array.from(readObj(bytes).meshes[0]!.indices)).toEqual([0, 1, 2, 0, 2, 3]);
	expect(Array.from(readObj(bytes, { shortDiagonals: true }).meshes[0]!.indices)).toEqual([0, 1, 3, 1, 2, 3]);
});
