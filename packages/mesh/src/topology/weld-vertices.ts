import { UsageRangeError } from '@manyworlds/core';
import type { TriangleMesh } from '../triangle-mesh.ts';

/** Options of {@link weldVertices}. @public */
export interface WeldOptions {
	/** Vertices up to this far apart along each axis are joined; 0 joins only those at exactly the same place. */
	readonly tolerance?: number;
	/** Leaves out triangles that lose a corner, and vertices without a triangle. */
	readonly dropDegenerate?: boolean;
}

/** Values of {@link WeldOptions} that are used when absent. @public */
export const WELD_DEFAULTS: Required<WeldOptions> = { tolerance: 0, dropDegenerate: false };

/** Result of {@link weldVertices}. @public */
export interface WeldResult {
	/** The mesh with joined vertices, without normals and texture coordinates. */
	readonly mesh: TriangleMesh;
	/** New index of each old vertex. */
	readonly vertexMap: Uint32Array;
	/** Old index of each new triangle. */
	readonly triangleMap: Uint32Array;
}

/**
 * Joins vertices at the same place, so that triangles that touch share them. New vertices stand where the first of each
 * set stood, in the order of the old ones. Normals and texture coordinates are left out, as they differ at joined vertices.
 * @public
 */
export function weldVertices(mesh: TriangleMesh, options: WeldOptions = {}): WeldResult {
	const tolerance = options.tolerance ?? WELD_DEFAULTS.tolerance;
	if (!(tolerance >= 0)) throw new UsageRangeError(`tolerance is ${tolerance}, expected 0 or more`);
	const vertexMap = tolerance === 0 ? joinEqual(mesh.vertices) : joinNear(mesh.vertices, tolerance);
	const dropDegenerate = options.dropDegenerate ?? WELD_DEFAULTS.dropDegenerate;
	const { indices, triangleMap } = mapTriangles(mesh.indices, vertexMap, dropDegenerate);

	// number the representatives in their order, those in use only when asked
	const count = vertexMap.length;
	const renumbered = new Uint32Array(count).fill(0xffffffff);
	if (dropDegenerate) for (const index of indices) renumbered[index] = 0;
	else for (const index of vertexMap) renumbered[index] = 0;
	let next = 0;
	for (let i = 0; i < count; i++) if (renumbered[i] === 0) renumbered[i] = next++;
	const vertices = new Float64Array(next * 3);
	for (let i = 0; i < count; i++) {
		const target = renumbered[i]!;
		if (target !== 0xffffffff) for (let k = 0; k < 3; k++) vertices[target * 3 + k] = mesh.vertices[i * 3 + k]!;
	}
	for (let i = 0; i < indices.length; i++) indices[i] = renumbered[indices[i]!]!;
	for (let i = 0; i < count; i++) vertexMap[i] = renumbered[vertexMap[i]!]!;
	const isWhole = triangleMap.length === mesh.indices.length / 3;
	const attributes = mesh.faceAttributes;
	return {
		mesh: {
			vertices,
			indices,
			...(mesh.name === undefined ? {} : { name: mesh.name }),
			...(mesh.groups === undefined || !isWhole ? {} : { groups: mesh.groups }),
			...(attributes === undefined ? {} : { faceAttributes: Uint16Array.from(triangleMap, (t) => attributes[t]!) }),
		},
		vertexMap,
		triangleMap,
	};
}

/** First vertex at the place of each vertex. */
export function joinEqual(vertices: Float64Array): Uint32Array {
	const count = vertices.length / 3;
	const map = new Uint32Array(count);
	let size = 16;
	while (size < count * 2) size *= 2;
	const table = new Int32Array(size).fill(-1);
	// the bits of the doubles, with minus zero made zero
	const key = new Float64Array(3);
	const bits = new Int32Array(key.buffer);
	for (let i = 0; i < count; i++) {
		const x = vertices[i * 3]! + 0;
		const y = vertices[i * 3 + 1]! + 0;
		const z = vertices[i * 3 + 2]! + 0;
		key[0] = x;
		key[1] = y;
		key[2] = z;
		let h = 0;
		for (let k = 0; k < 6; k++) {
			h = Math.imul(h ^ bits[k]!, 0x9e3779b1);
			h ^= h >>> 15;
		}
		let slot = h & (size - 1);
		let found = i;
		for (;;) {
			const other = table[slot]!;
			if (other < 0) {
				table[slot] = i;
				break;
			}
			if (vertices[other * 3] === x && vertices[other * 3 + 1] === y && vertices[other * 3 + 2] === z) {
				found = other;
				break;
			}
			slot = (slot + 1) & (size - 1);
		}
		map[i] = found;
	}
	return map;
}

/** First vertex near each vertex: a vertex joins the earliest representative within the tolerance. */
function joinNear(vertices: Float64Array, tolerance: number): Uint32Array {
	const count = vertices.length / 3;
	const map = new Uint32Array(count);
	const cells = new Map<string, number[]>();
	for (let i = 0; i < count; i++) {
		const [x, y, z] = [vertices[i * 3]!, vertices[i * 3 + 1]!, vertices[i * 3 + 2]!];
		const [cx, cy, cz] = [Math.floor(x / tolerance), Math.floor(y / tolerance), Math.floor(z / tolerance)];
		let found = i;
		for (let k = 0; k < 27; k++) {
			const cell = cells.get(`${cx + (k % 3) - 1},${cy + (Math.floor(k / 3) % 3) - 1},${cz + Math.floor(k / 9) - 1}`);
			for (const other of cell ?? []) {
				const isNear =
					Math.abs(vertices[other * 3]! - x) <= tolerance &&
					Math.abs(vertices[other * 3 + 1]! - y) <= tolerance &&
					Math.abs(vertices[other * 3 + 2]! - z) <= tolerance;
				if (isNear && other < found) found = other;
			}
		}
		map[i] = found;
		if (found !== i) continue;
		const own = `${cx},${cy},${cz}`;
		const cell = cells.get(own);
		if (cell === undefined) cells.set(own, [i]);
		else cell.push(i);
	}
	return map;
}

function mapTriangles(
	source: Uint32Array,
	vertexMap: Uint32Array,
	dropDegenerate: boolean,
): { indices: Uint32Array; triangleMap: Uint32Array } {
	const indices = new Uint32Array(source.length);
	const triangleMap = new Uint32Array(source.length / 3);
	let kept = 0;
	for (let t = 0; t < source.length; t += 3) {
		const a = vertexMap[source[t]!]!;
		const b = vertexMap[source[t + 1]!]!;
		const c = vertexMap[source[t + 2]!]!;
		if (dropDegenerate && (a === b || b === c || c === a)) continue;
		indices[kept * 3] = a;
		indices[kept * 3 + 1] = b;
		indices[kept * 3 + 2] = c;
		triangleMap[kept++] = t / 3;
	}
	return { indices: indices.slice(0, kept * 3), triangleMap: triangleMap.slice(0, kept) };
}
