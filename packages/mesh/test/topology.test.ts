import {
	connectedComponents,
	createBox,
	createCapsule,
	createCone,
	createCylinder,
	createEllipsoid,
	createHeightfield,
	createPlane,
	createSphere,
	createTorus,
	findSelfIntersections,
	mergeMeshes,
	meshTopology,
	primitiveMass,
	solidMass,
	splitComponents,
	type TriangleMesh,
} from '@manyworlds/mesh';
import { createTriangleMesh, flipMesh, translateMesh } from '@manyworlds/mesh/internal';
import { describe, expect, test } from 'vitest';
import { sequence, table } from './shapes.ts';

const HILLS = {
	elevations: Array.from({ length: 30 }, (_, i) => 1 + Math.sin(i)),
	rows: 5,
	columns: 6,
	halfX: 2,
	halfY: 1,
	floor: -0.5,
};

const CLOSED: [string, TriangleMesh, number][] = [
	['box', createBox(1, 2, 3), 2],
	['sphere', createSphere(1), 2],
	['ellipsoid', createEllipsoid(1, 2, 3), 2],
	['cylinder', createCylinder(1, 2), 2],
	['capsule', createCapsule(1, 2), 2],
	['capsule without a middle', createCapsule(1, 0), 2],
	['cone', createCone(1, 2), 2],
	['torus', createTorus(2, 0.5), 0],
	['height field with a floor', createHeightfield(HILLS), 2],
];

describe('created shapes', () => {
	test.each(CLOSED)('%s is closed, manifold and outward', (_, mesh, characteristic) => {
		const topology = meshTopology(mesh);
		expect(topology).toMatchObject({
			isWatertight: true,
			isManifold: true,
			isOriented: true,
			eulerCharacteristic: characteristic,
			degenerateTriangles: [],
			duplicateTriangles: [],
			unusedVertices: [],
		});
		expect(solidMass(mesh).isInsideOut).toBe(false);
		expect(findSelfIntersections(mesh)).toEqual([]);
	});

	test('capsules have the volume of their primitive', () => {
		const { mass } = primitiveMass({ type: 'capsule', radius: 0.5, halfHeight: 1 });
		expect(solidMass(createCapsule(0.5, 1, { segments: 128, rings: 64 })).volume / mass).toBeCloseTo(1, 2);
	});

	test('a plane and a height field without a floor are open and face up', () => {
		const { floor: _, ...open } = HILLS;
		for (const mesh of [createPlane(1), createHeightfield(open)]) {
			const topology = meshTopology(mesh);
			expect(topology).toMatchObject({
				isWatertight: false,
				isManifold: true,
				isOriented: true,
				eulerCharacteristic: 1,
			});
			expect(topology.boundaryEdges.length).toBeGreaterThan(0);
		}
	});

	test('refuse sizes that are not positive', () => {
		expect(() => createBox(0)).toThrow(/x is 0/);
		expect(() => createTorus(1, 1)).toThrow(/minor/);
		expect(() => createSphere(1, { segments: 2 })).toThrow(/segments/);
		expect(() => createHeightfield({ ...HILLS, rows: 4 })).toThrow(/elevations has 30/);
		expect(() => createHeightfield({ ...HILLS, floor: 1.5 })).toThrow(/expected more than the floor/);
	});
});

describe('topology', () => {
	test('names the edges of a hole', () => {
		const box = createBox(1);
		const open = { ...box, indices: box.indices.slice(3) };
		const { isWatertight, boundaryEdges } = meshTopology(open);
		expect(isWatertight).toBe(false);
		const [a, b, c] = [...box.indices.subarray(0, 3)].sort((p, q) => p - q);
		expect(boundaryEdges.map((edge) => edge.vertices)).toEqual([
			[a, b],
			[a, c],
			[b, c],
		]);
		for (const edge of boundaryEdges) expect(edge.triangles).toHaveLength(1);
	});

	test('repeated vertices, as in STL files, do not open a mesh', () => {
		const box = createBox(1);
		const soup = Float64Array.from([...box.indices].flatMap((i) => [...box.vertices.subarray(i * 3, i * 3 + 3)]));
		const mesh = createTriangleMesh({ vertices: soup, indices: Array.from({ length: 36 }, (_, i) => i) });
		expect(meshTopology(mesh)).toMatchObject({ isWatertight: true, eulerCharacteristic: 2 });
	});

	test('names edges whose triangles disagree about the front', () => {
		const box = createBox(1);
		const indices = box.indices.slice();
		[indices[1], indices[2]] = [indices[2]!, indices[1]!];
		const { isOriented, isWatertight, misorientedEdges } = meshTopology({ ...box, indices });
		expect([isOriented, isWatertight]).toEqual([false, false]);
		expect(misorientedEdges).toHaveLength(3);
		for (const edge of misorientedEdges) expect(edge.triangles).toContain(0);
	});

	test('names edges with three triangles and vertices where two solids touch', () => {
		const book = createTriangleMesh({
			vertices: [0, 0, 0, 0, 0, 1, 1, 0, 0, 0, 1, 0, -1, 0, 0],
			indices: [0, 1, 2, 0, 1, 3, 0, 1, 4],
		});
		const found = meshTopology(book);
		expect(found.isManifold).toBe(false);
		expect(found.nonManifoldEdges).toEqual([{ vertices: [0, 1], triangles: [0, 1, 2] }]);
		const touching = mergeMeshes([createBox(1), translateMesh(createBox(1), 2, 2, 2)]);
		expect(meshTopology(touching)).toMatchObject({ isWatertight: true, isManifold: false, nonManifoldVertices: [7] });
	});

	test('names triangles without area, twice there, and vertices without triangles', () => {
		const mesh = createTriangleMesh({
			vertices: [0, 0, 0, 1, 0, 0, 0, 1, 0, 2, 0, 0, 9, 9, 9],
			indices: [0, 1, 2, 1, 2, 0, 0, 1, 3, 0, 0, 1],
		});
		expect(meshTopology(mesh)).toMatchObject({
			degenerateTriangles: [2, 3],
			duplicateTriangles: [1],
			unusedVertices: [4],
		});
	});

	test('an inside-out mesh is as closed as before', () => {
		expect(meshTopology(flipMesh(createTorus(2, 0.5)))).toMatchObject({ isWatertight: true, isOriented: true });
	});

	test('components are found and split', () => {
		expect(connectedComponents(table()).count).toBe(5);
		const parts = splitComponents(table());
		expect(parts).toHaveLength(5);
		for (const part of parts) expect(meshTopology(part).isWatertight).toBe(true);
	});
});

describe('self-intersections', () => {
	test('two boxes that overlap cross; two that stand apart do not', () => {
		const crossing = mergeMeshes([createBox(1), translateMesh(createBox(1), 0.5, 0.3, 0.7)]);
		const found = findSelfIntersections(crossing);
		expect(found.length).toBeGreaterThan(0);
		for (const { triangles, kind } of found) {
			expect(kind).toBe('crossing');
			expect(triangles[0]).toBeLessThan(12);
			expect(triangles[1]).toBeGreaterThanOrEqual(12);
		}
		expect(findSelfIntersections(crossing, { limit: 2 })).toHaveLength(2);
		expect(findSelfIntersections(mergeMeshes([createBox(1), translateMesh(createBox(1), 3, 0, 0)]))).toEqual([]);
	});

	test('boxes that share part of a face overlap there', () => {
		const mesh = mergeMeshes([createBox(1), translateMesh(createBox(1), 2, 0.5, 0.25)]);
		expect(new Set(findSelfIntersections(mesh).map(({ kind }) => kind))).toContain('overlapping');
	});

	test('a vertex on the face of another triangle only touches', () => {
		const mesh = createTriangleMesh({
			vertices: [0, 0, 0, 4, 0, 0, 0, 4, 0, 1, 1, 0, 1, 1, 2, 2, 1, 2],
			indices: [0, 1, 2, 3, 4, 5],
		});
		expect(findSelfIntersections(mesh)).toEqual([]);
		expect(findSelfIntersections(mesh, { includeTouching: true })).toEqual([{ triangles: [0, 1], kind: 'touching' }]);
	});

	test('neighbours that fold over each other overlap', () => {
		const mesh = createTriangleMesh({ vertices: [0, 0, 0, 2, 0, 0, 0, 2, 0, 1, 1.5, 0], indices: [0, 1, 2, 1, 0, 3] });
		expect(findSelfIntersections(mesh)).toEqual([{ triangles: [0, 1], kind: 'overlapping' }]);
	});

	test('triangles that share a vertex and pierce each other cross', () => {
		const mesh = createTriangleMesh({
			vertices: [0, 0, 0, 4, 0, 0, 0, 4, 0, 1, 1, 1, 1, 1, -1],
			indices: [0, 1, 2, 0, 3, 4],
		});
		expect(findSelfIntersections(mesh)).toEqual([{ triangles: [0, 1], kind: 'crossing' }]);
	});

	test('finds what testing every pair finds', () => {
		const random = sequence(3);
		const vertices = Array.from({ length: 60 * 9 }, random).map((value, i) => value * (i % 9 < 3 ? 1 : 1));
		const mesh = createTriangleMesh({ vertices, indices: Array.from({ length: 180 }, (_, i) => i) });
		const found = findSelfIntersections(mesh).map(({ triangles }) => triangles.join());
		const expected: string[] = [];
		for (let i = 0; i < 60; i++) {
			for (let j = i + 1; j < 60; j++) {
				const pair = [i, j].flatMap((t) => [...mesh.vertices.subarray(t * 9, t * 9 + 9)]);
				const two = createTriangleMesh({ vertices: pair, indices: [0, 1, 2, 3, 4, 5] });
				if (findSelfIntersections(two).length > 0) expected.push(`${i},${j}`);
			}
		}
		expect(expected.length).toBeGreaterThan(50);
		expect(found).toEqual(expected);
	});
});
