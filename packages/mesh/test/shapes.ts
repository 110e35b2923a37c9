import { createBox, mergeMeshes, type TriangleMesh } from '@manyworlds/mesh';
import { createTriangleMesh, translateMesh, triangulatePolygon } from '@manyworlds/mesh/internal';

/** A prism over a polygon in the plane, from z = 0 to a height. */
export function prism(polygon: readonly (readonly [number, number])[], height: number): TriangleMesh {
	const count = polygon.length;
	const vertices = [0, height].flatMap((z) => polygon.flatMap(([x, y]) => [x, y, z]));
	const { triangles } = triangulatePolygon(vertices, [polygon.map((_, i) => count + i)]);
	const indices: number[] = [];
	for (let i = 0; i < triangles.length; i += 3) {
		const [a, b, c] = [triangles[i]!, triangles[i + 1]!, triangles[i + 2]!];
		indices.push(count + a, count + b, count + c, a, c, b);
	}
	for (let i = 0; i < count; i++) {
		const j = (i + 1) % count;
		indices.push(i, j, count + j, i, count + j, count + i);
	}
	return createTriangleMesh({ vertices, indices });
}

/** An L of volume 3. */
export function ell(): TriangleMesh {
	return prism(
		[
			[0, 0],
			[2, 0],
			[2, 1],
			[1, 1],
			[1, 2],
			[0, 2],
		],
		1,
	);
}

/** A table top with four legs, each part closed by itself. */
export function table(): TriangleMesh {
	const legs = [-0.9, 0.9].flatMap((x) =>
		[-0.5, 0.5].map((y) => translateMesh(createBox(0.05, 0.05, 0.475), x, y, 0.475)),
	);
	return mergeMeshes([translateMesh(createBox(1, 0.6, 0.05), 0, 0, 1), ...legs]);
}

/** Numbers in [0, 1) that are the same in every run. */
export function sequence(seed: number): () => number {
	let state = seed >>> 0;
	return () => {
		state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
		return (state >>> 8) / 2 ** 24;
	};
}

/** Text as bytes. */
export function bytesOf(text: string): Uint8Array {
	return new TextEncoder().encode(text);
}
