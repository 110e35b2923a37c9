import { UsageRangeError } from '@manyworlds/core';
import { linearDeterminant } from './matrix.ts';
import type { MaterialGroup, TriangleMesh } from './triangle-mesh.ts';

/**
 * A mesh moved by a 4 × 4 matrix (row after row, points as rows on the left, translation in the last row).
 * Normals are turned by the inverse transpose. A mirroring matrix reverses the corners of every triangle, so what was
 * outside stays outside.
 * @public
 */
export function transformMesh(mesh: TriangleMesh, matrix: ArrayLike<number>): TriangleMesh {
	if (matrix.length !== 16) throw new UsageRangeError(`the matrix has ${matrix.length} numbers, expected 16`);
	const [m0, m1, m2, m4, m5, m6] = [matrix[0]!, matrix[1]!, matrix[2]!, matrix[4]!, matrix[5]!, matrix[6]!];
	const [m8, m9, m10, tx, ty, tz] = [matrix[8]!, matrix[9]!, matrix[10]!, matrix[12]!, matrix[13]!, matrix[14]!];
	const source = mesh.vertices;
	const vertices = new Float64Array(source.length);
	for (let i = 0; i < source.length; i += 3) {
		const x = source[i]!;
		const y = source[i + 1]!;
		const z = source[i + 2]!;
		vertices[i] = x * m0 + y * m4 + z * m8 + tx;
		vertices[i + 1] = x * m1 + y * m5 + z * m9 + ty;
		vertices[i + 2] = x * m2 + y * m6 + z * m10 + tz;
	}
	const isMirrored = linearDeterminant(matrix) < 0;
	const normals = mesh.normals === undefined ? undefined : transformNormals(mesh.normals, matrix, isMirrored);
	return {
		...mesh,
		vertices,
		indices: isMirrored ? flipIndices(mesh.indices) : mesh.indices.slice(),
		...(normals === undefined ? {} : { normals }),
	};
}

/** A mesh scaled along the axes; negative factors mirror it and keep its outside outside. @public */
export function scaleMesh(mesh: TriangleMesh, x: number, y: number = x, z: number = x): TriangleMesh {
	return transformMesh(mesh, [x, 0, 0, 0, 0, y, 0, 0, 0, 0, z, 0, 0, 0, 0, 1]);
}

/** A mesh moved without turning. @public */
export function translateMesh(mesh: TriangleMesh, x: number, y: number, z: number): TriangleMesh {
	return transformMesh(mesh, [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, x, y, z, 1]);
}

/** A mesh with its inside turned out: corners reversed, normals negated. @public */
export function flipMesh(mesh: TriangleMesh): TriangleMesh {
	const flipped = { ...mesh, indices: flipIndices(mesh.indices) };
	return mesh.normals === undefined ? flipped : { ...flipped, normals: mesh.normals.map((value) => -value) };
}

/**
 * One mesh with the triangles of all, in order. Normals and texture coordinates are kept when every mesh that has
 * vertices has them; materials become groups.
 * @public
 */
export function mergeMeshes(meshes: readonly TriangleMesh[], name?: string): TriangleMesh {
	let vertexNumbers = 0;
	let indexCount = 0;
	for (const mesh of meshes) {
		vertexNumbers += mesh.vertices.length;
		indexCount += mesh.indices.length;
	}
	const filled = meshes.filter((mesh) => mesh.vertices.length > 0);
	const hasNormals = filled.length > 0 && filled.every((mesh) => mesh.normals !== undefined);
	const hasUvs = filled.length > 0 && filled.every((mesh) => mesh.uvs !== undefined);
	const hasGroups = meshes.some((mesh) => mesh.groups !== undefined);
	const hasAttributes = filled.length > 0 && filled.every((mesh) => mesh.faceAttributes !== undefined);
	const vertices = new Float64Array(vertexNumbers);
	const normals = new Float64Array(hasNormals ? vertexNumbers : 0);
	const uvs = new Float64Array(hasUvs ? (vertexNumbers / 3) * 2 : 0);
	const indices = new Uint32Array(indexCount);
	const faceAttributes = new Uint16Array(hasAttributes ? indexCount / 3 : 0);
	const groups: MaterialGroup[] = [];
	let vertexAt = 0;
	let indexAt = 0;
	for (const mesh of meshes) {
		vertices.set(mesh.vertices, vertexAt);
		if (hasNormals && mesh.normals !== undefined) normals.set(mesh.normals, vertexAt);
		if (hasUvs && mesh.uvs !== undefined) uvs.set(mesh.uvs, (vertexAt / 3) * 2);
		if (hasAttributes && mesh.faceAttributes !== undefined) faceAttributes.set(mesh.faceAttributes, indexAt / 3);
		const first = vertexAt / 3;
		for (let i = 0; i < mesh.indices.length; i++) indices[indexAt + i] = mesh.indices[i]! + first;
		const own = mesh.groups ?? [{ start: 0, count: mesh.indices.length / 3 }];
		for (const group of own) groups.push({ ...group, start: group.start + indexAt / 3 });
		vertexAt += mesh.vertices.length;
		indexAt += mesh.indices.length;
	}
	return {
		vertices,
		indices,
		...(hasNormals ? { normals } : {}),
		...(hasUvs ? { uvs } : {}),
		...(name === undefined ? {} : { name }),
		...(hasGroups ? { groups } : {}),
		...(hasAttributes ? { faceAttributes } : {}),
	};
}

function flipIndices(indices: Uint32Array): Uint32Array {
	const flipped = new Uint32Array(indices.length);
	for (let i = 0; i < indices.length; i += 3) {
		flipped[i] = indices[i]!;
		flipped[i + 1] = indices[i + 2]!;
		flipped[i + 2] = indices[i + 1]!;
	}
	return flipped;
}

/** Multiplies by the cofactors of the linear part, which is the inverse transpose up to a factor, and normalises. */
function transformNormals(normals: Float64Array, m: ArrayLike<number>, isMirrored: boolean): Float64Array {
	const [a, b, c, d, e, f] = [m[0]!, m[1]!, m[2]!, m[4]!, m[5]!, m[6]!];
	const [g, h, i] = [m[8]!, m[9]!, m[10]!];
	const sign = isMirrored ? -1 : 1;
	const out = new Float64Array(normals.length);
	for (let k = 0; k < normals.length; k += 3) {
		const x = normals[k]! * sign;
		const y = normals[k + 1]! * sign;
		const z = normals[k + 2]! * sign;
		const nx = x * (e * i - f * h) + y * (c * h - b * i) + z * (b * f - c * e);
		const ny = x * (f * g - d * i) + y * (a * i - c * g) + z * (c * d - a * f);
		const nz = x * (d * h - e * g) + y * (b * g - a * h) + z * (a * e - b * d);
		const length = Math.hypot(nx, ny, nz);
		const scale = length > 0 ? 1 / length : 0;
		out[k] = nx * scale;
		out[k + 1] = ny * scale;
		out[k + 2] = nz * scale;
	}
	return out;
}
