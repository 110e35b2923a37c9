import type { TriangleMesh } from '../triangle-mesh.ts';
import { joinEqual } from './weld-vertices.ts';

/**
 * Component of each triangle: triangles that share a vertex (by place) belong together. Numbers follow the first triangles.
 * @example
 * ```ts
 * const { count, labels } = connectedComponents(mesh);
 * const inFirst = labels.filter((label) => label === 0).length; // triangles of the first of `count` parts
 * ```
 * @public
 */
export function connectedComponents(mesh: TriangleMesh): { readonly count: number; readonly labels: Uint32Array } {
	const joined = joinEqual(mesh.vertices);
	const parent = Uint32Array.from({ length: joined.length }, (_, i) => i);
	const find = (vertex: number): number => {
		let root = vertex;
		while (parent[root] !== root) root = parent[root] = parent[parent[root]!]!;
		return root;
	};
	const { indices } = mesh;
	for (let t = 0; t < indices.length; t += 3) {
		const a = find(joined[indices[t]!]!);
		parent[find(joined[indices[t + 1]!]!)] = a;
		parent[find(joined[indices[t + 2]!]!)] = a;
	}
	const numbers = new Map<number, number>();
	const labels = new Uint32Array(indices.length / 3);
	for (let t = 0; t < labels.length; t++) {
		const root = find(joined[indices[t * 3]!]!);
		let label = numbers.get(root);
		if (label === undefined) {
			label = numbers.size;
			numbers.set(root, label);
		}
		labels[t] = label;
	}
	return { count: numbers.size, labels };
}

/**
 * The connected components of a mesh as meshes of their own, without normals and texture coordinates.
 * @example
 * ```ts
 * const parts = splitComponents(mesh).map((part) => convexHull(part.vertices).mesh);
 * ```
 * @public
 */
export function splitComponents(mesh: TriangleMesh): TriangleMesh[] {
	const { count, labels } = connectedComponents(mesh);
	const lists: number[][] = Array.from({ length: count }, () => []);
	for (let t = 0; t < labels.length; t++) lists[labels[t]!]!.push(t);
	return lists.map((list) => selectTriangles(mesh, list));
}

/** A mesh of some triangles of another, with the vertices that they use. */
function selectTriangles(mesh: TriangleMesh, triangles: ArrayLike<number>): TriangleMesh {
	const places = new Map<number, number>();
	const vertices: number[] = [];
	const indices = new Uint32Array(triangles.length * 3);
	for (let t = 0; t < triangles.length; t++) {
		for (let k = 0; k < 3; k++) {
			const vertex = mesh.indices[triangles[t]! * 3 + k]!;
			let place = places.get(vertex);
			if (place === undefined) {
				place = places.size;
				places.set(vertex, place);
				for (let axis = 0; axis < 3; axis++) vertices.push(mesh.vertices[vertex * 3 + axis]!);
			}
			indices[t * 3 + k] = place;
		}
	}
	return { vertices: Float64Array.from(vertices), indices, ...(mesh.name === undefined ? {} : { name: mesh.name }) };
}
