import { createBox, MeshDataError, mergeMeshes, solidMass, weldVertices } from '@manyworlds/mesh';
import { createTriangleMesh, flipMesh, scaleMesh, transformMesh } from '@manyworlds/mesh/internal';
import { expect, test } from 'vitest';
import { checkTriangleMesh } from '../src/triangle-mesh.ts';

const POINTS = [0, 0, 0, 1, 0, 0, 0, 1, 0];

test.each([
	['an index that is not whole', POINTS, [0, 1, 1.5], /index 2 is 1.5/],
	['a negative index', POINTS, [0, 1, -1], /index 2 is -1/],
	['an index beyond the vertices', POINTS, [0, 1, 3], /index 2 is 3, expected a vertex from 0 to 2/],
	['indices that are not a multiple of 3', POINTS, [0, 1], /2 numbers, expected a multiple of 3/],
	['NaN as an index', POINTS, [0, 1, Number.NaN], /index 2 is NaN/],
	['vertices that are not a multiple of 3', [0, 0], [], /vertices has 2 numbers/],
	['a coordinate that is not finite', [0, 0, Number.NaN], [], /vertex 0/],
])('refuses %s', (_, vertices, indices, message) => {
	expect(() => createTriangleMesh({ vertices, indices })).toThrow(MeshDataError);
	expect(() => createTriangleMesh({ vertices, indices })).toThrow(message);
	try {
		createTriangleMesh({ vertices, indices });
	} catch (error) {
		expect(error).toBeInstanceOf(RangeError);
		expect((error as MeshDataError).code).toBe('MESH001');
	}
});

test('accepts an empty list of triangles', () => {
	expect(createTriangleMesh({ vertices: POINTS, indices: [] }).indices).toHaveLength(0);
});

test('refuses normals, texture coordinates and groups of the wrong size', () => {
	expect(() => createTriangleMesh({ vertices: POINTS, indices: [0, 1, 2], normals: [0, 0, 1] })).toThrow(
		/normals has 3/,
	);
	expect(() => createTriangleMesh({ vertices: POINTS, indices: [0, 1, 2], uvs: [0, 0] })).toThrow(/uvs has 2/);
	const groups = [{ start: 0, count: 2 }];
	expect(() => createTriangleMesh({ vertices: POINTS, indices: [0, 1, 2], groups })).toThrow(/a group spans/);
});

test('a mirrored mesh keeps its outside and turns its normals', () => {
	const normals = Float64Array.from(createBox(1).vertices);
	const mirrored = scaleMesh({ ...createBox(1), normals }, -2, 1, 1);
	expect(solidMass(mirrored).isInsideOut).toBe(false);
	expect(solidMass(mirrored).volume).toBeCloseTo(16, 12);
	for (let i = 0; i < 24; i += 3) {
		// normals of a corner of the box still point outwards
		const product = [0, 1, 2].reduce((sum, k) => sum + mirrored.normals![i + k]! * mirrored.vertices[i + k]!, 0);
		expect(product).toBeGreaterThan(0);
	}
	expect(solidMass(flipMesh(mirrored)).isInsideOut).toBe(true);
	checkTriangleMesh(mirrored);
});

test('normals stay upright on a slanted surface that is stretched', () => {
	const slanted = createTriangleMesh({
		vertices: [0, 0, 0, 1, 0, -1, 0, 1, 0],
		indices: [0, 1, 2],
		normals: [1, 0, 1, 1, 0, 1, 1, 0, 1].map((v) => v / Math.SQRT2),
	});
	const { vertices, normals } = transformMesh(slanted, [3, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 5, 6, 7, 1]);
	const edge = [0, 1, 2].map((k) => vertices[3 + k]! - vertices[k]!);
	expect(edge[0]! * normals![0]! + edge[1]! * normals![1]! + edge[2]! * normals![2]!).toBeCloseTo(0, 14);
	expect(Math.hypot(normals![0]!, normals![1]!, normals![2]!)).toBeCloseTo(1, 14);
});

test('merging keeps triangles, materials and attributes in order', () => {
	const a = { ...createBox(1), groups: [{ start: 0, count: 12, material: 'red' }] };
	const merged = mergeMeshes([a, createBox(2)]);
	checkTriangleMesh(merged);
	expect(merged.indices).toHaveLength(72);
	expect(merged.groups).toEqual([
		{ start: 0, count: 12, material: 'red' },
		{ start: 12, count: 12 },
	]);
	expect(merged.normals).toBeUndefined();
});

test('welding joins vertices at one place, minus zero included, and those within a tolerance', () => {
	const mesh = createTriangleMesh({
		vertices: [0, 0, 0, 1, 0, 0, 0, 1, 0, -0, 0, 0, 1, 0, 1e-6, 0, -1, 0],
		indices: [0, 1, 2, 3, 5, 4],
	});
	const exact = weldVertices(mesh);
	expect([...exact.vertexMap]).toEqual([0, 1, 2, 0, 3, 4]);
	expect([...weldVertices(mesh, { tolerance: 1e-5 }).vertexMap]).toEqual([0, 1, 2, 0, 1, 3]);
	expect([...exact.mesh.indices]).toEqual([0, 1, 2, 0, 4, 3]);
});

test('welding drops collapsed triangles when asked', () => {
	const mesh = createTriangleMesh({
		vertices: [0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 1, 0, 9, 9, 9],
		indices: [0, 1, 2, 0, 2, 3],
	});
	const { mesh: welded, triangleMap } = weldVertices(mesh, { dropDegenerate: true });
	expect([...welded.indices]).toEqual([0, 1, 2]);
	expect([...triangleMap]).toEqual([1]);
	expect(welded.vertices).toHaveLength(9);
	expect(weldVertices(mesh).mesh.indices).toHaveLength(6);
});
