import { halfToNumber } from '@manyworlds/core/internal';
import type { TriangleMesh } from '@manyworlds/mesh';
import { triangulatePolygon } from '@manyworlds/mesh/internal';
import { type Prim, T, type Value } from '@manyworlds/usd';
import { dataOf } from '@manyworlds/usd/internal';

/** The arrays of a Mesh prim at the default time. Faces that point beyond the points are left out. */
export interface MeshArrays {
	/** Three coordinates for each point. */
	readonly points: Float64Array;
	readonly counts: Int32Array;
	readonly indices: Int32Array;
	readonly isLeftHanded: boolean;
	/** Whether counts and indices fit together and to the points. */
	readonly isConsistent: boolean;
}

/** Reads the arrays of a mesh; undefined when it has no points or faces. */
export function readMeshArrays(prim: Prim): MeshArrays | undefined {
	const points = numbersOf(prim.attribute('points').get());
	const counts = dataOf(prim.attribute('faceVertexCounts').get(), T.int.array);
	const indices = dataOf(prim.attribute('faceVertexIndices').get(), T.int.array);
	if (points === undefined || counts === undefined || indices === undefined || counts.length === 0) return undefined;
	const isLeftHanded = dataOf(prim.attribute('orientation').get(), T.token) === 'leftHanded';
	let corners = 0;
	for (let i = 0; i < counts.length; i++) corners += counts[i]!;
	const pointCount = points.length / 3;
	let isConsistent = corners === indices.length;
	for (let i = 0; i < indices.length && isConsistent; i++) {
		isConsistent = indices[i]! >= 0 && indices[i]! < pointCount;
	}
	return { points: Float64Array.from(points), counts, indices, isLeftHanded, isConsistent };
}

/** The triangles of a mesh, counterclockwise seen from outside, and the face that each comes from. */
export function triangulateArrays(arrays: MeshArrays): { mesh: TriangleMesh; faces: Uint32Array } {
	const { points, counts, indices, isLeftHanded } = arrays;
	const pointCount = points.length / 3;
	const corners: number[] = [];
	const faces: number[] = [];
	let start = 0;
	for (let face = 0; face < counts.length; face++) {
		const count = counts[face]!;
		const end = start + count;
		if (count >= 3 && end <= indices.length && isInside(indices, start, end, pointCount)) {
			if (count === 3) {
				corners.push(
					indices[start]!,
					indices[start + (isLeftHanded ? 2 : 1)]!,
					indices[start + (isLeftHanded ? 1 : 2)]!,
				);
				faces.push(face);
			} else {
				const loop = indices.subarray(start, end);
				const { triangles } = triangulatePolygon(points, [loop], isLeftHanded);
				for (const corner of triangles) corners.push(loop[corner]!);
				for (let i = 0; i < triangles.length; i += 3) faces.push(face);
			}
		}
		start = end;
	}
	return { mesh: { vertices: points, indices: Uint32Array.from(corners) }, faces: Uint32Array.from(faces) };
}

/** Six times the volume that a closed mesh encloses, negative when its faces look inwards. */
export function signedVolume({ vertices, indices }: TriangleMesh): number {
	let sum = 0;
	for (let i = 0; i < indices.length; i += 3) {
		const a = 3 * indices[i]!;
		const b = 3 * indices[i + 1]!;
		const c = 3 * indices[i + 2]!;
		const ax = vertices[a]!;
		const ay = vertices[a + 1]!;
		const az = vertices[a + 2]!;
		const bx = vertices[b]!;
		const by = vertices[b + 1]!;
		const bz = vertices[b + 2]!;
		const cx = vertices[c]!;
		const cy = vertices[c + 1]!;
		const cz = vertices[c + 2]!;
		sum += ax * (by * cz - bz * cy) + ay * (bz * cx - bx * cz) + az * (bx * cy - by * cx);
	}
	return sum;
}

/** The numbers of an array value of any floating-point type. */
export function numbersOf(value: Value | undefined): ArrayLike<number> | undefined {
	if (value === undefined || !value.type.isArray) return undefined;
	const { component } = value.type;
	if (component === 'half') return Float32Array.from(value.data as Uint16Array, halfToNumber);
	return component === 'float' || component === 'double' ? (value.data as Float32Array | Float64Array) : undefined;
}

function isInside(indices: Int32Array, start: number, end: number, pointCount: number): boolean {
	for (let i = start; i < end; i++) if (indices[i]! < 0 || indices[i]! >= pointCount) return false;
	return true;
}
