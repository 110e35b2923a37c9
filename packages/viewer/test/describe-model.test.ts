import { Report } from '@manyworlds/core';
import type { TriangleMesh } from '@manyworlds/mesh';
import { ModelBuilder, State } from '@manyworlds/model';
import { expect, test } from 'vitest';
import { describeModel } from '../src/asset/describe-model.ts';

const TETRAHEDRON: TriangleMesh = {
	vertices: Float64Array.of(0, 0, 0, 1, 0, 0, 0, 2, 0, 0, 0, 3),
	indices: Uint32Array.of(0, 2, 1, 0, 1, 3, 0, 3, 2, 1, 2, 3),
};

/** Volume by the order of corners: negative where the inside is out. */
function signedVolume(vertices: ArrayLike<number>, indices: ArrayLike<number>): number {
	let sum = 0;
	for (let t = 0; t < indices.length; t += 3) {
		const [a, b, c] = [0, 1, 2].map((k) => [0, 1, 2].map((axis) => vertices[3 * indices[t + k]! + axis]!)) as [
			number[],
			number[],
			number[],
		];
		for (let k = 0; k < 3; k++) {
			const [m, n] = [(k + 1) % 3, (k + 2) % 3];
			sum += a[k]! * (b[m]! * c[n]! - b[n]! * c[m]!);
		}
	}
	return sum / 6;
}

test('meshes that a negative scale mirrors are drawn with their outside out, whether they collide or not', () => {
	const builder = new ModelBuilder();
	const body = builder.addBody();
	for (const hasShapeCollision of [true, false]) {
		builder.addShapeMesh(body, { mesh: TETRAHEDRON, scale: [1, -1, 1], config: { hasShapeCollision } });
	}
	const model = builder.finalize();
	const { meshes } = describeModel({ model, start: new State(model), dt: 0.01, sap: {}, report: new Report() });
	expect(meshes.length).toBeGreaterThan(0);
	for (const { positions, indices } of meshes) {
		expect(signedVolume(positions, indices)).toBeCloseTo(1, 6);
		expect(Math.min(...positions)).toBe(-2);
	}
});
