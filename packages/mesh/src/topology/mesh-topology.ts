import { orient2d } from '../geometry/predicates.ts';
import type { TriangleMesh } from '../triangle-mesh.ts';
import { buildEdges } from './mesh-edges.ts';
import { joinEqual } from './weld-vertices.ts';

/** An edge with the triangles at it. Vertices at the same place count as one; the first of them is named. @public */
export interface MeshEdge {
	readonly vertices: readonly [number, number];
	readonly triangles: readonly number[];
}

/** What is regular and what is not about a mesh. @public */
export interface MeshTopology {
	/** Every edge has exactly two triangles that run along it in opposite directions: there is an inside. */
	readonly isWatertight: boolean;
	/** Every edge has at most two triangles, every vertex one fan of them. */
	readonly isManifold: boolean;
	/** Neighbours agree about which side is the front. */
	readonly isOriented: boolean;
	/** Vertices less edges plus triangles: 2 for a sphere, 0 for a torus, summed over components. */
	readonly eulerCharacteristic: number;
	/** Edges with one triangle. */
	readonly boundaryEdges: readonly MeshEdge[];
	/** Edges with more than two triangles. */
	readonly nonManifoldEdges: readonly MeshEdge[];
	/** Edges whose two triangles run along them in the same direction. */
	readonly misorientedEdges: readonly MeshEdge[];
	/** Vertices where separate fans of triangles touch. */
	readonly nonManifoldVertices: readonly number[];
	/** Triangles with two corners at one place or without area. */
	readonly degenerateTriangles: readonly number[];
	/** Triangles with the corners of an earlier one, in any order. */
	readonly duplicateTriangles: readonly number[];
	/** Vertices without a triangle. */
	readonly unusedVertices: readonly number[];
}

/**
 * Looks at how the triangles of a mesh hang together and names every edge, vertex and triangle that is not regular.
 * Vertices at exactly the same place count as one, so files that repeat them, such as STL, need no welding first.
 * Triangles with two corners at one place take no part in edges.
 * @public
 */
export function meshTopology(mesh: TriangleMesh): MeshTopology {
	const joined = joinEqual(mesh.vertices);
	const edges = buildEdges(mesh.indices, joined);
	const boundaryEdges: MeshEdge[] = [];
	const nonManifoldEdges: MeshEdge[] = [];
	const misorientedEdges: MeshEdge[] = [];
	for (let e = 0; e < edges.count; e++) {
		const uses = edges.starts[e + 1]! - edges.starts[e]!;
		if (uses === 2 && edges.isForward[edges.starts[e]!] !== edges.isForward[edges.starts[e]! + 1]) continue;
		const triangles = [...edges.triangles.subarray(edges.starts[e]!, edges.starts[e + 1]!)];
		const edge: MeshEdge = { vertices: [edges.ends[e * 2]!, edges.ends[e * 2 + 1]!], triangles };
		if (uses === 1) boundaryEdges.push(edge);
		else if (uses > 2) nonManifoldEdges.push(edge);
		else misorientedEdges.push(edge);
	}
	const { isUsed, degenerateTriangles, duplicateTriangles } = checkTriangles(mesh, joined);
	let usedCount = 0;
	const unusedVertices: number[] = [];
	for (let i = 0; i < joined.length; i++) {
		if (isUsed[joined[i]!] !== 1) unusedVertices.push(i);
		else if (joined[i] === i) usedCount++;
	}
	const collapsed = degenerateTriangles.filter((t) => isCollapsed(mesh.indices, joined, t)).length;
	const nonManifoldVertices = findTouchingFans(mesh.indices, joined, edges);
	const isOriented = misorientedEdges.length === 0;
	return {
		isWatertight: edges.count > 0 && boundaryEdges.length === 0 && nonManifoldEdges.length === 0 && isOriented,
		isManifold: nonManifoldEdges.length === 0 && nonManifoldVertices.length === 0,
		isOriented,
		eulerCharacteristic: usedCount - edges.count + mesh.indices.length / 3 - collapsed,
		boundaryEdges,
		nonManifoldEdges,
		misorientedEdges,
		nonManifoldVertices,
		degenerateTriangles,
		duplicateTriangles,
		unusedVertices,
	};
}

function isCollapsed(indices: Uint32Array, joined: Uint32Array, triangle: number): boolean {
	const a = joined[indices[triangle * 3]!]!;
	const b = joined[indices[triangle * 3 + 1]!]!;
	const c = joined[indices[triangle * 3 + 2]!]!;
	return a === b || b === c || c === a;
}

function checkTriangles(
	mesh: TriangleMesh,
	joined: Uint32Array,
): { isUsed: Uint8Array; degenerateTriangles: number[]; duplicateTriangles: number[] } {
	const isUsed = new Uint8Array(joined.length);
	const degenerateTriangles: number[] = [];
	const duplicateTriangles: number[] = [];
	const { indices, vertices } = mesh;
	const count = indices.length / 3;
	// corners of each triangle in order, and triangles by a hash of them; numbers count from one, 0 is free
	const sorted = new Uint32Array(indices.length);
	const mask = 2 ** Math.max(4, Math.ceil(Math.log2(1.5 * count + 1))) - 1;
	const table = new Uint32Array(mask + 1);
	for (let t = 0; t < count; t++) {
		const p = joined[indices[t * 3]!]!;
		const q = joined[indices[t * 3 + 1]!]!;
		const r = joined[indices[t * 3 + 2]!]!;
		const a = Math.min(p, q, r);
		const c = Math.max(p, q, r);
		const b = p + q + r - a - c;
		if (a === b || b === c || hasNoArea(vertices, a * 3, b * 3, c * 3)) degenerateTriangles.push(t);
		if (a === b || b === c) continue;
		isUsed[a] = 1;
		isUsed[b] = 1;
		isUsed[c] = 1;
		sorted[t * 3] = a;
		sorted[t * 3 + 1] = b;
		sorted[t * 3 + 2] = c;
		const hash = Math.imul(a, 0x9e3779b1) ^ Math.imul(b, 0x85ebca6b) ^ Math.imul(c, 0xc2b2ae35);
		let slot = (hash ^ (hash >>> 15)) & mask;
		let other = table[slot]!;
		while (other !== 0) {
			const at = (other - 1) * 3;
			if (sorted[at] === a && sorted[at + 1] === b && sorted[at + 2] === c) break;
			slot = (slot + 1) & mask;
			other = table[slot]!;
		}
		if (other === 0) table[slot] = t + 1;
		else duplicateTriangles.push(t);
	}
	return { isUsed, degenerateTriangles, duplicateTriangles };
}

/** Whether three points lie on one line, exactly: so do their shadows on the three axis planes. */
function hasNoArea(v: Float64Array, a: number, b: number, c: number): boolean {
	for (let axis = 0; axis < 3; axis++) {
		const [u, w] = [axis, (axis + 1) % 3];
		if (orient2d(v[a + u]!, v[a + w]!, v[b + u]!, v[b + w]!, v[c + u]!, v[c + w]!) !== 0) return false;
	}
	return true;
}

/** Vertices whose triangles do not all hang together over edges at the vertex. */
function findTouchingFans(indices: Uint32Array, joined: Uint32Array, edges: ReturnType<typeof buildEdges>): number[] {
	// corners are joined over the edges that they share at their vertex
	const parent = Uint32Array.from({ length: indices.length }, (_, i) => i);
	const find = (corner: number): number => {
		let root = corner;
		while (parent[root] !== root) root = parent[root] = parent[parent[root]!]!;
		return root;
	};
	const cornerAt = (triangle: number, vertex: number): number => {
		for (let k = 0; k < 2; k++) if (joined[indices[triangle * 3 + k]!] === vertex) return triangle * 3 + k;
		return triangle * 3 + 2;
	};
	for (let e = 0; e < edges.count; e++) {
		for (let i = edges.starts[e]! + 1; i < edges.starts[e + 1]!; i++) {
			for (let k = 0; k < 2; k++) {
				const vertex = edges.ends[e * 2 + k]!;
				const first = find(cornerAt(edges.triangles[edges.starts[e]!]!, vertex));
				parent[find(cornerAt(edges.triangles[i]!, vertex))] = first;
			}
		}
	}
	const fan = new Int32Array(joined.length).fill(-1);
	const touching = new Set<number>();
	for (let corner = 0; corner < indices.length; corner++) {
		if (isCollapsed(indices, joined, Math.floor(corner / 3))) continue;
		const vertex = joined[indices[corner]!]!;
		const root = find(corner);
		if (fan[vertex] === -1) fan[vertex] = root;
		else if (fan[vertex] !== root) touching.add(vertex);
	}
	return [...touching].sort((a, b) => a - b);
}
