import { createBox, createSphere, createTorus, TriangleBvh } from '@manyworlds/mesh';
import { createTriangleMesh } from '@manyworlds/mesh/internal';
import { expect, test } from 'vitest';
import { sequence } from './shapes.ts';

test('a ray meets the nearest triangle and knows its side', () => {
	const bvh = new TriangleBvh(createSphere(1, { segments: 64, rings: 32 }));
	const hit = bvh.castRay([3, 0.1, 0.2], [-1, 0, 0]);
	expect(hit?.isFront).toBe(true);
	expect(hit?.distance).toBeCloseTo(3 - Math.sqrt(1 - 0.05), 2);
	expect(bvh.castRay([0.01, 0.02, 0], [0, 0, 1])?.isFront).toBe(false);
	expect(bvh.castRay([3, 0, 0], [1, 0, 0])).toBeUndefined();
	expect(bvh.castRay([3, 0.1, 0.2], [-1, 0, 0], 1)).toBeUndefined();
});

test('winding along a ray tells inside from outside', () => {
	const bvh = new TriangleBvh(createTorus(1, 0.3, { segments: 48, rings: 24 }));
	const random = sequence(4);
	for (let i = 0; i < 300; i++) {
		const p = [random() * 3 - 1.5, random() * 3 - 1.5, random() - 0.5];
		const depth = 0.3 - Math.hypot(Math.hypot(p[0]!, p[1]!) - 1, p[2]!);
		if (Math.abs(depth) < 0.02) continue;
		expect(bvh.windingAlong(p, [0.31, 0.52, 0.79])).toBe(depth > 0 ? 1 : 0);
	}
});

test('the nearest point is that of testing every triangle', () => {
	const mesh = createTorus(1, 0.3);
	const bvh = new TriangleBvh(mesh);
	const random = sequence(6);
	for (let i = 0; i < 50; i++) {
		const p = [random() * 4 - 2, random() * 4 - 2, random() * 2 - 1];
		let best = Number.POSITIVE_INFINITY;
		for (let t = 0; t < mesh.indices.length; t += 3) {
			const one = createTriangleMesh({
				vertices: [0, 1, 2].flatMap((k) => [
					...mesh.vertices.subarray(mesh.indices[t + k]! * 3, mesh.indices[t + k]! * 3 + 3),
				]),
				indices: [0, 1, 2],
			});
			best = Math.min(best, new TriangleBvh(one).nearest(p)!.distance);
		}
		expect(bvh.nearest(p)!.distance).toBe(best);
	}
});

test('boxes find exactly the triangles whose boxes meet them', () => {
	const mesh = createSphere(1);
	const bvh = new TriangleBvh(mesh);
	const box = [0, 0, 0, 0.5, 0.5, 0.9];
	const found = new Set<number>();
	bvh.visitBox(box, (triangle) => {
		found.add(triangle);
		return false;
	});
	for (let t = 0; t < mesh.indices.length / 3; t++) {
		const meets = [0, 1, 2].every((axis) => {
			const values = [0, 1, 2].map((k) => mesh.vertices[mesh.indices[t * 3 + k]! * 3 + axis]!);
			return Math.min(...values) <= box[3 + axis]! && Math.max(...values) >= box[axis]!;
		});
		if (meets) expect(found.has(t)).toBe(true);
	}
	expect(found.size).toBeLessThan(mesh.indices.length / 3);
});

test('every triangle is in one leaf and children lie within their parents', () => {
	const bvh = new TriangleBvh(createTorus(1, 0.3));
	expect([...bvh.order].sort((a, b) => a - b)).toEqual(Array.from({ length: bvh.order.length }, (_, i) => i));
	for (let node = 0; node < bvh.nodeCount; node++) {
		if (bvh.counts[node] !== 0) continue;
		for (const child of [node + 1, bvh.offsets[node]!]) {
			for (let k = 0; k < 3; k++) {
				expect(bvh.bounds[child * 6 + k]!).toBeGreaterThanOrEqual(bvh.bounds[node * 6 + k]!);
				expect(bvh.bounds[child * 6 + 3 + k]!).toBeLessThanOrEqual(bvh.bounds[node * 6 + 3 + k]!);
			}
		}
	}
});

test('meshes without triangles and with all triangles in one place are handled', () => {
	const none = new TriangleBvh(createTriangleMesh({ vertices: [], indices: [] }));
	expect(none.castRay([0, 0, 0], [1, 0, 0])).toBeUndefined();
	expect(none.nearest([0, 0, 0])).toBeUndefined();
	const box = createBox(1);
	const same = { ...box, indices: Uint32Array.from({ length: 300 }, (_, i) => box.indices[i % 3]!) };
	expect(new TriangleBvh(same).order).toHaveLength(100);
});
