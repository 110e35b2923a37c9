import { cosine, sine } from '@manyworlds/core/internal';
import { createTriangleMesh, type TriangleMesh } from '../triangle-mesh.ts';

/** Carries a profile of radius and height, from the lowest point on the axis to the highest, round Z. */
export function revolve(profile: readonly (readonly [number, number])[], segments: number, name: string): TriangleMesh {
	const vertices: number[] = [];
	const indices: number[] = [];
	const starts: number[] = [];
	for (const [radius, z] of profile) {
		starts.push(vertices.length / 3);
		if (radius === 0) {
			vertices.push(0, 0, z);
			continue;
		}
		for (let i = 0; i < segments; i++) {
			const angle = (2 * Math.PI * i) / segments;
			vertices.push(radius * cosine(angle), radius * sine(angle), z);
		}
	}
	for (let row = 0; row + 1 < profile.length; row++) {
		const [low, high] = [starts[row]!, starts[row + 1]!];
		const isLowPoint = profile[row]![0] === 0;
		const isHighPoint = profile[row + 1]![0] === 0;
		for (let i = 0; i < segments; i++) {
			const next = (i + 1) % segments;
			if (isLowPoint) indices.push(low, high + next, high + i);
			else if (isHighPoint) indices.push(low + i, low + next, high);
			else indices.push(low + i, low + next, high + next, low + i, high + next, high + i);
		}
	}
	return createTriangleMesh({ vertices, indices, name });
}
