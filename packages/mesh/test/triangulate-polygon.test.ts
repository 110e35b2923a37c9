import { triangulatePolygon } from '@manyworlds/mesh/internal';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { sequence } from './shapes.ts';

function areaVector(vertices: readonly number[], triangles: readonly number[]): [number, number, number] {
	const sum: [number, number, number] = [0, 0, 0];
	for (let t = 0; t < triangles.length; t += 3) {
		const [a, b, c] = [triangles[t]! * 3, triangles[t + 1]! * 3, triangles[t + 2]! * 3];
		for (let k = 0; k < 3; k++) {
			const [u, v] = [(k + 1) % 3, (k + 2) % 3];
			sum[k] =
				sum[k]! +
				((vertices[b + u]! - vertices[a + u]!) * (vertices[c + v]! - vertices[a + v]!) -
					(vertices[b + v]! - vertices[a + v]!) * (vertices[c + u]! - vertices[a + u]!)) /
					2;
		}
	}
	return sum;
}

test('star-shaped polygons in any plane are covered once, in their own sense', () => {
	fc.assert(
		fc.property(fc.nat(100000), fc.integer({ min: 3, max: 40 }), fc.boolean(), (seed, count, isReversed) => {
			const random = sequence(seed);
			const tilt = [random() - 0.5, random() - 0.5];
			const ring = Array.from({ length: count }, (_, i) => {
				const radius = 0.2 + random();
				const angle = (2 * Math.PI * i) / count;
				return [radius * Math.cos(angle), radius * Math.sin(angle)] as const;
			});
			const vertices = ring.flatMap(([x, y]) => [x, y, tilt[0]! * x + tilt[1]! * y]);
			const loop = ring.map((_, i) => i);
			if (isReversed) loop.reverse();
			const { triangles, state } = triangulatePolygon(vertices, [loop]);
			expect(state).toBe('simple');
			expect(triangles).toHaveLength((count - 2) * 3);
			const corners = triangles.map((i) => loop[i]!);
			const exact = ring.reduce((sum, [x, y], i) => {
				const [p, q] = ring[(i + 1) % count]!;
				return sum + (x * q - p * y) / 2;
			}, 0);
			expect(areaVector(vertices, corners)[2]).toBeCloseTo(isReversed ? -exact : exact, 9);
			for (let t = 0; t < corners.length; t += 3) {
				const own = areaVector(vertices, corners.slice(t, t + 3))[2];
				expect(isReversed ? -own : own).toBeGreaterThanOrEqual(-1e-12);
			}
		}),
		{ seed: 51, numRuns: 300 },
	);
});

test('left-handed polygons come out counterclockwise', () => {
	const vertices = [0, 0, 0, 0, 1, 0, 1, 1, 0, 1, 0, 0];
	const { triangles } = triangulatePolygon(vertices, [[0, 1, 2, 3]], true);
	expect(areaVector(vertices, triangles)[2]).toBeCloseTo(1, 14);
});

test('holes are left open, whichever way they run', () => {
	const square = (x: number, y: number, size: number): number[] => [
		x,
		y,
		0,
		x + size,
		y,
		0,
		x + size,
		y + size,
		0,
		x,
		y + size,
		0,
	];
	const vertices = [
		...square(0, 0, 10),
		...square(1, 1, 2),
		...square(6, 1, 3),
		...square(2, 6, 1),
		...square(4, 5, 2),
	];
	const loops = [0, 4, 8, 12, 16].map((start, i) => {
		const loop = [start, start + 1, start + 2, start + 3];
		return i % 2 === 0 ? loop : loop.reverse();
	});
	const { triangles, state } = triangulatePolygon(vertices, loops);
	expect(state).toBe('simple');
	const corners = triangles.map((i) => loops.flat()[i]!);
	expect(areaVector(vertices, corners)[2]).toBeCloseTo(100 - 4 - 9 - 1 - 4, 12);
	expect(triangles).toHaveLength((20 + 8 - 2) * 3);
});

test('polygons without area are degenerate, those that cross themselves are told', () => {
	const line = [0, 0, 0, 1, 0, 0, 2, 0, 0, 3, 0, 0];
	expect(triangulatePolygon(line, [[0, 1, 2, 3]])).toEqual({ triangles: [], state: 'degenerate' });
	expect(triangulatePolygon(line, [[0, 1]]).state).toBe('degenerate');
	expect(triangulatePolygon(line, [[0, 1, 2]])).toEqual({ triangles: [0, 1, 2], state: 'degenerate' });
	const bow = [0, 0, 0, 3, 3, 0, 3, 0, 0, 0, 1, 0];
	expect(triangulatePolygon(bow, [[0, 1, 2, 3]]).state).toBe('crossing');
});

test('straight corners stay corners of triangles', () => {
	const vertices = [0, 0, 0, 1, 0, 0, 2, 0, 0, 2, 2, 0, 0, 2, 0];
	const { triangles, state } = triangulatePolygon(vertices, [[0, 1, 2, 3, 4]]);
	expect(state).toBe('simple');
	expect(new Set(triangles).size).toBe(5);
	expect(areaVector(vertices, triangles)[2]).toBeCloseTo(4, 14);
});
