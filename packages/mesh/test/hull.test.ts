import { Report } from '@manyworlds/core';
import { convexHull, createBox, createSphere, meshTopology, solidMass } from '@manyworlds/mesh';
import { mergeHullFaces } from '@manyworlds/mesh/internal';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { orient3d } from '../src/geometry/predicates.ts';
import { sequence } from './shapes.ts';

/** Whether no point lies outside of any facet, exactly, and the surface is closed with sphere topology. */
function expectHull(points: Float64Array): void {
	const { mesh, vertexIndices, dimension } = convexHull(points);
	expect(dimension).toBe(3);
	const topology = meshTopology(mesh);
	expect([topology.isWatertight, topology.isManifold, topology.eulerCharacteristic]).toEqual([true, true, 2]);
	for (let t = 0; t < mesh.indices.length; t += 3) {
		const [a, b, c] = [0, 1, 2].map((k) => vertexIndices[mesh.indices[t + k]!]! * 3) as [number, number, number];
		for (let p = 0; p < points.length; p += 3) expect(orient3d(points, a, b, c, p)).toBeLessThanOrEqual(0);
	}
	expect(vertexIndices).toEqual(Uint32Array.from(vertexIndices).sort());
}

describe('convex hull', () => {
	test('encloses random points exactly', () => {
		const random = sequence(1);
		for (const count of [4, 5, 10, 50, 300]) expectHull(Float64Array.from({ length: count * 3 }, random));
	});

	test('encloses points far from the origin, tiny and huge ones exactly', () => {
		for (const [size, far] of [
			[1, 1e6],
			[1e-3, 1e9],
			[1, -1e15],
			[1e-60, 0],
			[1e-40, 1e-30],
			[1e60, 1e65],
		] as const) {
			const random = sequence(7);
			expectHull(Float64Array.from({ length: 240 }, (_, i) => random() * size + (i % 3 === 1 ? far : -far)));
		}
	});

	test('encloses points of a small lattice, with many in one plane, on one line and repeated', () => {
		fc.assert(
			fc.property(fc.array(fc.integer({ min: 0, max: 3 }), { minLength: 24, maxLength: 90 }), (values) => {
				const points = Float64Array.from(values.slice(0, values.length - (values.length % 3)), (v) => v * 0.1);
				fc.pre(convexHull(points).dimension === 3);
				expectHull(points);
			}),
			{ seed: 21, numRuns: 150 },
		);
	});

	test('has the same vertices whatever the order of the points', () => {
		fc.assert(
			fc.property(
				fc.array(fc.integer({ min: -2, max: 2 }), { minLength: 30, maxLength: 60 }),
				fc.nat(1000),
				(values, seed) => {
					const count = Math.floor(values.length / 3);
					const points = values.slice(0, count * 3);
					const random = sequence(seed);
					const order = Array.from({ length: count }, (_, i) => ({ i, key: random() }))
						.sort((a, b) => a.key - b.key)
						.map(({ i }) => i);
					const permuted = order.flatMap((i) => points.slice(i * 3, i * 3 + 3));
					expect(places(permuted)).toEqual(places(points));
				},
			),
			{ seed: 22, numRuns: 150 },
		);
	});

	test('leaves out points within faces and edges', () => {
		const grid: number[] = [];
		for (let x = 0; x < 6; x++)
			for (let y = 0; y < 6; y++) for (let z = 0; z < 6; z++) grid.push(x * 0.1, y * 0.1, z * 0.1);
		const { mesh } = convexHull(Float64Array.from(grid));
		expect(mesh.vertices).toHaveLength(24);
		expect(mesh.indices).toHaveLength(36);
		expect(solidMass(mesh).volume).toBeCloseTo(0.125, 14);
	});

	test('merges faces in one plane', () => {
		const faces = mergeHullFaces(convexHull(createBox(1, 2, 3).vertices).mesh);
		expect(faces.map((face) => face.length)).toEqual([4, 4, 4, 4, 4, 4]);
	});

	test.each([
		['nothing', [], -1, 0],
		['one place', [1, 2, 3, 1, 2, 3], 0, 1],
		['a line', [0, 0, 0, 1, 1, 1, 3, 3, 3, 2, 2, 2], 1, 2],
		['a plane', [0, 0, 1, 1, 0, 1, 1, 1, 1, 0, 1, 1, 0.5, 0.5, 1, 0.5, 0, 1], 2, 4],
	])('gives a flat hull of %s and reports it', (_, points, dimension, vertices) => {
		const report = new Report();
		const hull = convexHull(Float64Array.from(points), { report });
		expect(hull.dimension).toBe(dimension);
		expect(hull.vertexIndices).toHaveLength(vertices);
		expect(report.toArray().map((d) => d.code)).toEqual(['MESH020']);
		if (dimension === 2) expect(meshTopology(hull.mesh).boundaryEdges).toEqual([]);
	});

	test('treats points within rounding of a plane as flat', () => {
		const points = Float64Array.of(0, 0, 0, 1, 0, 1e-17, 0, 1, 0, 1, 1, -1e-17);
		expect(convexHull(points).dimension).toBe(2);
	});

	test('keeps to a vertex budget, inside of the true hull, and tells what it leaves out', () => {
		const report = new Report();
		const sphere = createSphere(1, { segments: 64, rings: 32 });
		const full = convexHull(sphere.vertices);
		const budget = convexHull(sphere.vertices, { maxVertices: 40, report });
		expect(budget.vertexIndices.length).toBeLessThanOrEqual(40);
		const extreme = new Set(full.vertexIndices);
		expect([...budget.vertexIndices].every((index) => extreme.has(index))).toBe(true);
		expect(solidMass(budget.mesh).volume).toBeLessThan(solidMass(full.mesh).volume);
		expect(budget.maxDistance).toBeGreaterThan(0);
		expect(budget.maxDistance).toBeLessThan(0.2);
		expect(report.toArray().map((d) => d.code)).toEqual(['MESH022']);
		expect(full.maxDistance).toBe(0);
		let last = 0;
		for (const maxVertices of [4, 8, 16, 32, 64, 128]) {
			const { volume } = solidMass(convexHull(sphere.vertices, { maxVertices }).mesh);
			expect(volume).toBeGreaterThanOrEqual(last);
			last = volume;
		}
	});

	test('refuses a budget below 4 and points that are not finite', () => {
		expect(() => convexHull(new Float64Array(12), { maxVertices: 3 })).toThrow(RangeError);
		expect(() => convexHull(Float64Array.of(0, 0, Number.NaN))).toThrow(/point 0/);
	});

	test('the same points give the same triangles', () => {
		const points = Float64Array.from({ length: 3000 }, sequence(5));
		expect(convexHull(points)).toEqual(convexHull(points.slice()));
	});

	test('handles thousands of points on two circles in little time', () => {
		const random = sequence(9);
		const points = new Float64Array(6000 * 3);
		for (let i = 0; i < 6000; i++) {
			const angle = random() * 2 * Math.PI;
			points.set([Math.cos(angle), Math.sin(angle), i % 2], i * 3);
		}
		const { mesh } = convexHull(points);
		expect(meshTopology(mesh).isWatertight).toBe(true);
		expect(solidMass(mesh).volume).toBeCloseTo(Math.PI, 4);
	});
});

test('orientation of four points is exact where rounding decides otherwise', () => {
	// a plane through points one unit in the last place apart
	const e = 2 ** -52;
	const v = Float64Array.of(0, 0, 0, 1, 0, 0, 0, 1, 0, 0.1, 0.3, 0, 0.1, 0.3, 2 ** -1060, 12, 24, 24 * e);
	expect(orient3d(v, 0, 3, 6, 9)).toBe(0);
	expect(orient3d(v, 0, 3, 6, 15)).toBe(1);
	expect(orient3d(v, 0, 6, 3, 15)).toBe(-1);
	const coordinate = fc.integer({ min: -(2 ** 20), max: 2 ** 20 });
	fc.assert(
		fc.property(fc.array(coordinate, { minLength: 12, maxLength: 12 }), fc.integer({ min: 0, max: 30 }), (c, shift) => {
			// integers scaled by a power of two, moved far off: BigInt knows the sign
			const scale = 2 ** -shift;
			const points = Float64Array.from(c, (value) => value * scale);
			const b = c.map(BigInt);
			const d = (i: number, k: number): bigint => b[i * 3 + k]! - b[9 + k]!;
			const exact =
				d(0, 0) * (d(1, 1) * d(2, 2) - d(1, 2) * d(2, 1)) -
				d(0, 1) * (d(1, 0) * d(2, 2) - d(1, 2) * d(2, 0)) +
				d(0, 2) * (d(1, 0) * d(2, 1) - d(1, 1) * d(2, 0));
			expect(orient3d(points, 0, 3, 6, 9) + 0).toBe(exact === 0n ? 0 : exact < 0n ? 1 : -1);
		}),
		{ seed: 23, numRuns: 500 },
	);
});

function places(points: readonly number[]): string[] {
	const { mesh } = convexHull(Float64Array.from(points));
	return Array.from({ length: mesh.vertices.length / 3 }, (_, i) =>
		mesh.vertices.slice(i * 3, i * 3 + 3).join(),
	).sort();
}
