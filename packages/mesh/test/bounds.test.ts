import { axisAlignedBox, boundingSphere, createBox, createCylinder, orientedBox } from '@manyworlds/mesh';
import { transformMesh } from '@manyworlds/mesh/internal';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { ell, sequence } from './shapes.ts';

const TURNED = [0.36, 0.48, -0.8, 0, -0.8, 0.6, 0, 0, 0.48, 0.64, 0.6, 0, 1, 2, 3, 1];

test('the oriented box of a turned box is that box', () => {
	const { vertices } = transformMesh(createBox(1, 2, 3), TURNED);
	const { center, halfExtents, axes } = orientedBox(vertices);
	expect([...halfExtents].sort().map((value) => Number(value.toFixed(9)))).toEqual([1, 2, 3]);
	expect([...center].map((value) => Number(value.toFixed(9)))).toEqual([1, 2, 3]);
	const [x, y, z] = [axes.subarray(0, 3), axes.subarray(3, 6), axes.subarray(6, 9)] as const;
	const cross = [x[1]! * y[2]! - x[2]! * y[1]!, x[2]! * y[0]! - x[0]! * y[2]!, x[0]! * y[1]! - x[1]! * y[0]!];
	for (let k = 0; k < 3; k++) expect(cross[k]).toBeCloseTo(z[k]!, 12);
});

test('the oriented box holds all points and is no larger than the box along the axes', () => {
	fc.assert(
		fc.property(fc.nat(10000), fc.integer({ min: 1, max: 60 }), (seed, count) => {
			const random = sequence(seed);
			const points = Float64Array.from({ length: count * 3 }, (_, i) => random() * (1 + (i % 3)));
			const { center, halfExtents, axes } = orientedBox(points);
			for (let i = 0; i < points.length; i += 3) {
				for (let k = 0; k < 3; k++) {
					const along = [0, 1, 2].reduce((sum, j) => sum + (points[i + j]! - center[j]!) * axes[k * 3 + j]!, 0);
					expect(Math.abs(along)).toBeLessThanOrEqual(halfExtents[k]! + 1e-12);
				}
			}
			const { least, most } = axisAlignedBox(points);
			const size = [0, 1, 2].reduce((product, k) => product * (most[k]! - least[k]!), 1);
			expect(8 * halfExtents[0]! * halfExtents[1]! * halfExtents[2]!).toBeLessThanOrEqual(size * (1 + 1e-9) + 1e-12);
		}),
		{ seed: 41, numRuns: 60 },
	);
});

test('an L and a cylinder get their boxes back after turning', () => {
	for (const [mesh, volume] of [
		[ell(), 4],
		[createCylinder(1, 1, { segments: 8 }), 2 * Math.min(4, (2 * Math.cos(Math.PI / 8)) ** 2)],
	] as const) {
		const { halfExtents } = orientedBox(transformMesh(mesh, TURNED).vertices);
		expect(8 * halfExtents[0]! * halfExtents[1]! * halfExtents[2]!).toBeLessThanOrEqual(volume * (1 + 1e-9));
	}
});

test('flat and empty inputs have flat and empty boxes', () => {
	const square = Float64Array.of(0, 0, 0, 1, 1, 0, 0, 1, 1, -1, 0, 1);
	expect(Math.min(...orientedBox(square).halfExtents)).toBeCloseTo(0, 12);
	expect([...orientedBox(Float64Array.of(1, 2, 3)).center]).toEqual([1, 2, 3]);
	expect([...orientedBox(new Float64Array(0)).halfExtents]).toEqual([0, 0, 0]);
	const segment = orientedBox(Float64Array.of(0, 0, 0, 3, 4, 0));
	expect([...segment.halfExtents].sort().map((value) => Number(value.toFixed(9)))).toEqual([0, 0, 2.5]);
});

test('the bounding sphere is the smallest', () => {
	expect(boundingSphere(createBox(1, 2, 3).vertices).radius).toBeCloseTo(Math.sqrt(14), 12);
	expect(boundingSphere(Float64Array.of(0, 0, 0, 2, 0, 0))).toEqual({ center: Float64Array.of(1, 0, 0), radius: 1 });
	expect(boundingSphere(new Float64Array(0)).radius).toBe(0);
	fc.assert(
		fc.property(fc.nat(10000), fc.integer({ min: 1, max: 12 }), (seed, count) => {
			const random = sequence(seed);
			const points = Float64Array.from({ length: count * 3 }, random);
			const { center, radius } = boundingSphere(points);
			const distances = Array.from({ length: count }, (_, i) =>
				Math.hypot(...[0, 1, 2].map((k) => points[i * 3 + k]! - center[k]!)),
			);
			expect(Math.max(...distances)).toBeLessThanOrEqual(radius * (1 + 1e-12));
			// the ball is the smallest when its centre cannot move away from all points on its surface at once
			const outer = distances.flatMap((d, i) => (d >= radius * (1 - 1e-9) ? [i] : []));
			for (let k = 0; k < 40; k++) {
				const step = [random() - 0.5, random() - 0.5, random() - 0.5].map((value) => value * 1e-3);
				const moved = outer.map((i) => Math.hypot(...[0, 1, 2].map((j) => points[i * 3 + j]! - center[j]! - step[j]!)));
				expect(Math.max(...moved)).toBeGreaterThanOrEqual(radius * (1 - 1e-9));
			}
		}),
		{ seed: 42, numRuns: 100 },
	);
});
