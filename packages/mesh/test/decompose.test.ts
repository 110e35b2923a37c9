import { Report } from '@manyworlds/core';
import {
	convexHull,
	createBox,
	createSphere,
	createTorus,
	decomposeConvex,
	meshTopology,
	simplifyMesh,
	solidMass,
	surfaceArea,
	TriangleBvh,
	type TriangleMesh,
} from '@manyworlds/mesh';
import { flipMesh, transformMesh } from '@manyworlds/mesh/internal';
import { describe, expect, test } from 'vitest';
import { ell, prism, sequence, table } from './shapes.ts';

/** Points inside of a mesh. */
function insidePoints(mesh: TriangleMesh, count: number): number[][] {
	const bvh = new TriangleBvh(mesh);
	const random = sequence(8);
	const { vertices } = mesh;
	const range = [0, 1, 2].map((axis) => {
		const values = [...vertices].filter((_, i) => i % 3 === axis);
		return [Math.min(...values), Math.max(...values)] as const;
	});
	const points: number[][] = [];
	for (let i = 0; i < count; i++) {
		const point = range.map(([low, high]) => low + random() * (high - low));
		if (bvh.windingAlong(point, [0.31, 0.52, 0.79]) !== 0) points.push(point);
	}
	return points;
}

function holds(part: TriangleMesh, point: readonly number[]): boolean {
	const { vertices, indices } = part;
	for (let t = 0; t < indices.length; t += 3) {
		const [a, b, c] = [0, 1, 2].map((k) => vertices.subarray(indices[t + k]! * 3, indices[t + k]! * 3 + 3)) as [
			Float64Array,
			Float64Array,
			Float64Array,
		];
		const [u, v, w] = [b, c, point].map((p) => [0, 1, 2].map((k) => p[k]! - a[k]!)) as [number[], number[], number[]];
		const n = [u[1]! * v[2]! - u[2]! * v[1]!, u[2]! * v[0]! - u[0]! * v[2]!, u[0]! * v[1]! - u[1]! * v[0]!];
		if (n[0]! * w[0]! + n[1]! * w[1]! + n[2]! * w[2]! > 1e-9 * Math.hypot(...n)) return false;
	}
	return true;
}

function expectCover(mesh: TriangleMesh, parts: readonly TriangleMesh[]): void {
	const points = insidePoints(mesh, 600);
	expect(points.length).toBeGreaterThan(20);
	for (const point of points) expect(parts.some((part) => holds(part, point))).toBe(true);
}

describe('convex decomposition', () => {
	test('an L becomes two boxes', () => {
		const { parts, hullVolume, solidVolume } = decomposeConvex(ell());
		expect(parts).toHaveLength(2);
		expect(hullVolume).toBeCloseTo(3, 12);
		expect(solidVolume).toBeCloseTo(3, 12);
		expectCover(ell(), parts);
	});

	test('a U becomes three boxes and a table five', () => {
		const u = prism(
			[
				[0, 0],
				[3, 0],
				[3, 3],
				[2, 3],
				[2, 1],
				[1, 1],
				[1, 3],
				[0, 3],
			],
			1,
		);
		expect(decomposeConvex(u).parts).toHaveLength(3);
		const found = decomposeConvex(table());
		expect(found.parts).toHaveLength(5);
		expectCover(table(), found.parts);
	});

	test('a torus is covered closely and keeps its hole', () => {
		const torus = createTorus(1, 0.3, { segments: 24, rings: 12 });
		const { parts, hullVolume, solidVolume } = decomposeConvex(torus);
		expect(solidVolume).toBeCloseTo(solidMass(torus).volume, 10);
		expect(hullVolume / solidVolume).toBeLessThan(1.06);
		expectCover(torus, parts);
		for (const part of parts) {
			expect(holds(part, [0, 0, 0])).toBe(false);
			expect(meshTopology(part).isWatertight).toBe(true);
			expect(convexHull(part.vertices).vertexIndices).toHaveLength(part.vertices.length / 3);
		}
	});

	test('a solid that is turned is covered as well', () => {
		const turned = transformMesh(ell(), [0.36, 0.48, -0.8, 0, -0.8, 0.6, 0, 0, 0.48, 0.64, 0.6, 0, 1, 2, 3, 1]);
		const { parts, hullVolume } = decomposeConvex(turned);
		expect(hullVolume).toBeLessThan(3 * 1.06);
		expectCover(turned, parts);
	});

	test('convex solids stay whole, and solids may be inside out', () => {
		expect(decomposeConvex(createSphere(1)).parts).toHaveLength(1);
		expect(decomposeConvex(createBox(1)).parts).toHaveLength(1);
		expect(decomposeConvex(flipMesh(ell())).parts).toHaveLength(2);
	});

	test('keeps to the number of hulls and of their vertices', () => {
		const torus = createTorus(1, 0.3, { segments: 24, rings: 12 });
		for (const maxHulls of [1, 4, 7]) {
			const { parts } = decomposeConvex(torus, { maxHulls, maxVerticesPerHull: 20 });
			expect(parts.length).toBeLessThanOrEqual(maxHulls);
			for (const part of parts) expect(part.vertices.length / 3).toBeLessThanOrEqual(20);
		}
	});

	test('a mesh that is not closed is filled on a grid and reported', () => {
		const box = createBox(1);
		const report = new Report();
		const { parts, solidVolume } = decomposeConvex(
			{ ...box, indices: box.indices.slice(0, 30) },
			{ report, voxelResolution: 12 },
		);
		expect(report.toArray().map((d) => d.code)).toEqual(['MESH021']);
		expect(parts.length).toBeGreaterThan(0);
		// five walls of one cell
		expect(solidVolume).toBeCloseTo(8 * (1 - (10 * 10 * 11) / 12 ** 3), 4);
	});

	test('the same mesh gives the same parts; wrong options are refused', () => {
		expect(decomposeConvex(ell())).toEqual(decomposeConvex(ell()));
		expect(() => decomposeConvex(ell(), { maxHulls: 0 })).toThrow(RangeError);
		expect(() => decomposeConvex(ell(), { threshold: 2 })).toThrow(RangeError);
	});
});

describe('simplification', () => {
	test('keeps a torus a torus', () => {
		const torus = createTorus(1, 0.3, { segments: 64, rings: 32 });
		const { mesh, error } = simplifyMesh(torus, { targetTriangles: 600 });
		expect(mesh.indices.length / 3).toBeLessThanOrEqual(600);
		expect(meshTopology(mesh)).toMatchObject({ isWatertight: true, isManifold: true, eulerCharacteristic: 0 });
		expect(solidMass(mesh).volume / solidMass(torus).volume).toBeCloseTo(1, 1);
		expect(error).toBeGreaterThan(0);
	});

	test('takes out what is flat without error and stops at the error that is allowed', () => {
		const flat = prism(
			Array.from(
				{ length: 40 },
				(_, i) => (i < 10 ? [i, 0] : i < 20 ? [10, i - 10] : i < 30 ? [30 - i, 10] : [0, 40 - i]) as [number, number],
			),
			1,
		);
		const { mesh, error } = simplifyMesh(flat, { maxError: 1e-9 });
		expect(mesh.indices.length / 3).toBe(12);
		expect(solidMass(mesh).volume).toBeCloseTo(100, 9);
		expect(error).toBeLessThanOrEqual(1e-9);
		expect(simplifyMesh(createBox(1), { maxError: 1e-6 }).mesh.indices).toHaveLength(36);
	});

	test('keeps the outline of an open surface', () => {
		const rows = 20;
		const vertices = Array.from({ length: rows * rows }, (_, i) => [i % rows, Math.floor(i / rows), 0]).flat();
		const indices: number[] = [];
		for (let i = 0; i < rows - 1; i++) {
			for (let j = 0; j < rows - 1; j++) {
				const a = i * rows + j;
				indices.push(a, a + 1, a + rows + 1, a, a + rows + 1, a + rows);
			}
		}
		const { mesh } = simplifyMesh(
			{ vertices: Float64Array.from(vertices), indices: Uint32Array.from(indices) },
			{ maxError: 1e-6 },
		);
		expect(mesh.indices.length / 3).toBeLessThan(20);
		expect(surfaceArea(mesh)).toBeCloseTo(361, 9);
	});

	test('is the same each time and refuses to run without a limit', () => {
		const torus = createTorus(1, 0.3);
		expect(simplifyMesh(torus, { targetTriangles: 100 })).toEqual(simplifyMesh(torus, { targetTriangles: 100 }));
		expect(() => simplifyMesh(torus, {})).toThrow(RangeError);
	});
});
