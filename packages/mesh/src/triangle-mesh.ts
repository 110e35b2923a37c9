import { UsageRangeError } from '@manyworlds/core';
import type { MeshCode } from './diagnostics.ts';

/**
 * A surface made of triangles. Triangles are counterclockwise seen from outside. Lengths are in the unit of the file
 * they come from, metres unless stated.
 * @public
 */
export interface TriangleMesh {
	/** Three coordinates for each vertex. */
	readonly vertices: Float64Array;
	/** Three vertex indices for each triangle. */
	readonly indices: Uint32Array;
	/** Three components for each vertex. */
	readonly normals?: Float64Array;
	/** Two texture coordinates for each vertex, the second one upwards. */
	readonly uvs?: Float64Array;
	readonly name?: string;
	/** Runs of triangles with one material, in ascending order; absent when no material is named. */
	readonly groups?: readonly MaterialGroup[];
	/** One 16-bit word for each triangle: the attribute bytes of STL. */
	readonly faceAttributes?: Uint16Array;
}

/** A run of triangles with one material. @public */
export interface MaterialGroup {
	/** First triangle. */
	readonly start: number;
	/** Number of triangles. */
	readonly count: number;
	readonly material?: string;
}

/** Thrown when the arrays of a mesh do not fit together. @public */
export class MeshDataError extends UsageRangeError {
	override readonly name: string = 'MeshDataError';
	override readonly code: MeshCode = 'MESH001';
}

/** What {@link createTriangleMesh} accepts: plain arrays or typed arrays. @public */
export interface TriangleMeshInput {
	readonly vertices: ArrayLike<number>;
	readonly indices: ArrayLike<number>;
	readonly normals?: ArrayLike<number>;
	readonly uvs?: ArrayLike<number>;
	readonly name?: string;
	readonly groups?: readonly MaterialGroup[];
}

/**
 * Makes a mesh from arrays and checks it: whole-numbered indices in range, a multiple of three of them, finite vertices.
 * An empty list of indices is allowed. Throws {@link MeshDataError}.
 *
 * ```ts
 * const triangle = createTriangleMesh({ vertices: [0, 0, 0, 1, 0, 0, 0, 1, 0], indices: [0, 1, 2] });
 * ```
 * @public
 */
export function createTriangleMesh(input: TriangleMeshInput): TriangleMesh {
	checkIndices(input.indices, input.vertices.length / 3);
	const mesh: TriangleMesh = {
		vertices: Float64Array.from(input.vertices),
		indices: Uint32Array.from(input.indices),
		...(input.normals === undefined ? {} : { normals: Float64Array.from(input.normals) }),
		...(input.uvs === undefined ? {} : { uvs: Float64Array.from(input.uvs) }),
		...(input.name === undefined ? {} : { name: input.name }),
		...(input.groups === undefined ? {} : { groups: input.groups }),
	};
	checkTriangleMesh(mesh);
	return mesh;
}

/** Throws {@link MeshDataError} when the arrays of a mesh do not fit together. */
export function checkTriangleMesh(mesh: TriangleMesh): void {
	const { vertices, indices, normals, uvs, groups, faceAttributes } = mesh;
	if (vertices.length % 3 !== 0) {
		throw new MeshDataError(`vertices has ${vertices.length} numbers, expected a multiple of 3`);
	}
	const count = vertices.length / 3;
	for (let i = 0; i < vertices.length; i++) {
		if (!Number.isFinite(vertices[i]!)) {
			throw new MeshDataError(
				`vertex ${Math.floor(i / 3)} has the coordinate ${vertices[i]}, expected a finite number`,
			);
		}
	}
	checkIndices(indices, count);
	if (normals !== undefined && normals.length !== vertices.length) {
		throw new MeshDataError(`normals has ${normals.length} numbers, expected ${vertices.length} as vertices has`);
	}
	if (uvs !== undefined && uvs.length !== count * 2) {
		throw new MeshDataError(`uvs has ${uvs.length} numbers, expected ${count * 2}, two for each vertex`);
	}
	const triangles = indices.length / 3;
	if (faceAttributes !== undefined && faceAttributes.length !== triangles) {
		throw new MeshDataError(`faceAttributes has ${faceAttributes.length} words, expected ${triangles}`);
	}
	for (const { start, count: length } of groups ?? []) {
		if (!(start >= 0 && length >= 0 && start + length <= triangles)) {
			throw new MeshDataError(`a group spans triangles ${start} to ${start + length}, expected 0 to ${triangles}`);
		}
	}
}

/** Number of vertices. */
export function vertexCount(mesh: TriangleMesh): number {
	return mesh.vertices.length / 3;
}

/** Number of triangles. @public */
export function triangleCount(mesh: TriangleMesh): number {
	return mesh.indices.length / 3;
}

function checkIndices(indices: ArrayLike<number>, count: number): void {
	if (indices.length % 3 !== 0) {
		throw new MeshDataError(`indices has ${indices.length} numbers, expected a multiple of 3`);
	}
	for (let i = 0; i < indices.length; i++) {
		const index = indices[i]!;
		if (!Number.isInteger(index)) throw new MeshDataError(`index ${i} is ${index}, expected a whole number`);
		if (index < 0 || index >= count) {
			throw new MeshDataError(`index ${i} is ${index}, expected a vertex from 0 to ${count - 1}`);
		}
	}
}
