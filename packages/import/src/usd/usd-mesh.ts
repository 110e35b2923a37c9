import { triangulatePolygon } from '@manyworlds/mesh/internal';
import type { ShapeMesh } from '@manyworlds/model';
import type { Attribute, Prim, Primvar } from '@manyworlds/usd';
import { findPrimvar } from '@manyworlds/usd/internal';
import type { ImportContext } from './context.ts';
import { splitCorners } from './split-corners.ts';
import { textureCoordinateName } from './visual-material.ts';

/** What of a mesh is read besides its triangles. */
export interface MeshParts {
	readonly uvs: boolean;
	readonly normals: boolean;
}

/** A mesh with the face that each triangle is part of. */
export interface LoadedMesh {
	readonly mesh: ShapeMesh;
	/** Undefined where all faces are triangles. */
	readonly faceOfTriangle: Uint32Array | undefined;
	readonly faceCount: number;
}

/** Reads meshes of a stage, each once, in the units and the space of their prims. */
export class UsdMeshes {
	readonly #ctx: ImportContext;
	readonly #known = new Map<string, LoadedMesh | undefined>();
	/** Meshes without texture coordinates and normals, by their points: prims often hold the same arrays. */
	readonly #plain = new Map<Float32Array, PlainMesh[]>();

	constructor(ctx: ImportContext) {
		this.#ctx = ctx;
	}

	/** The mesh of a prim; undefined, with a diagnostic, when its data do not fit together. */
	load(prim: Prim, parts: MeshParts = { uvs: false, normals: false }): LoadedMesh | undefined {
		// instances of one prototype have the same points; which texture coordinates count may differ between them
		const owner = parts.uvs ? prim.path : (prim.primInPrototype?.path ?? prim.path);
		const key = `${owner}\n${parts.uvs}\n${parts.normals}`;
		if (!this.#known.has(key)) this.#known.set(key, this.#read(prim, parts));
		return this.#known.get(key);
	}

	#read(prim: Prim, parts: MeshParts): LoadedMesh | undefined {
		const arrays = readArrays(this.#ctx, prim);
		if (arrays === undefined) return undefined;
		if (parts.uvs || parts.normals) return makeMesh(this.#ctx, prim, parts, arrays);
		const alike = this.#plain.get(arrays.points) ?? [];
		const known = alike.find(
			({ arrays: { counts, corners, isLeftHanded } }) =>
				counts === arrays.counts && corners === arrays.corners && isLeftHanded === arrays.isLeftHanded,
		);
		if (known !== undefined) return known.loaded;
		const loaded = makeMesh(this.#ctx, prim, parts, arrays);
		if (loaded !== undefined) this.#plain.set(arrays.points, [...alike, { arrays, loaded }]);
		return loaded;
	}
}

/** What the triangles of a mesh are made of. */
interface MeshArrays {
	readonly points: Float32Array;
	readonly counts: Int32Array;
	readonly corners: Int32Array;
	readonly isLeftHanded: boolean;
}

interface PlainMesh {
	readonly arrays: MeshArrays;
	readonly loaded: LoadedMesh;
}

/** Most names that texture coordinates go by, in Newton's order of preference. */
const UV_TYPES = ['texCoord2f[]', 'float2[]'];

function readArrays(ctx: ImportContext, prim: Prim): MeshArrays | undefined {
	const points = prim.attribute('points').get()?.data as Float32Array | undefined;
	const counts = prim.attribute('faceVertexCounts').get()?.data as Int32Array | undefined;
	const corners = prim.attribute('faceVertexIndices').get()?.data as Int32Array | undefined;
	if (points === undefined || counts === undefined || corners === undefined) {
		const missing = [
			points === undefined && 'points',
			counts === undefined && 'faceVertexCounts',
			corners === undefined && 'faceVertexIndices',
		];
		ctx.tell('IMP032', prim, `the mesh has no ${missing.filter((name) => name !== false).join(', no ')}`);
		return undefined;
	}
	const isLeftHanded = String(prim.attribute('orientation').get()?.data ?? '').toLowerCase() === 'lefthanded';
	return { points, counts, corners, isLeftHanded };
}

function makeMesh(
	ctx: ImportContext,
	prim: Prim,
	parts: MeshParts,
	{ points, counts, corners, isLeftHanded }: MeshArrays,
): LoadedMesh | undefined {
	const fault = checkTopology(points, counts, corners);
	if (fault !== undefined) {
		ctx.tell('IMP032', prim, fault);
		return undefined;
	}
	let vertices: Float64Array = new Float64Array(points);
	let indices: Uint32Array = unsignedIndices(corners);
	const normals = parts.normals ? cornerNormals(ctx, prim, vertices.length / 3, counts, indices) : undefined;
	let uvs = parts.uvs ? readUvs(ctx, prim, counts, indices.length, vertices.length / 3) : undefined;
	let vertexNormals = normals?.data;
	let vertexUvs: Float64Array | undefined;
	if (normals?.isPerCorner === true) {
		const split = splitCorners(vertices, indices, normals.data, uvs && toCorners(uvs, indices));
		({ vertices, indices, normals: vertexNormals, uvs: vertexUvs } = split);
		uvs = undefined;
	}
	const { triangles, faceOfTriangle } = triangulate(ctx, vertices, counts, indices, isLeftHanded);
	let triangleIndices = triangles === undefined ? indices : gatherIndices(indices, triangles);
	if (uvs?.isPerCorner === true) {
		// one vertex per corner of a triangle: texture coordinates differ between faces
		vertices = gather(vertices, triangleIndices, 3);
		if (vertexNormals !== undefined) vertexNormals = gather(vertexNormals, triangleIndices, 3);
		vertexUvs = triangles === undefined ? uvs.data : gather(uvs.data, triangles, 2);
		triangleIndices = countUp(triangleIndices.length);
	} else if (uvs !== undefined) {
		vertexUvs = uvs.data;
	}
	const mesh: ShapeMesh = {
		vertices,
		indices: triangleIndices,
		...(vertexNormals === undefined ? {} : { normals: vertexNormals }),
		...(vertexUvs === undefined ? {} : { uvs: vertexUvs }),
	};
	return { mesh, faceOfTriangle, faceCount: counts.length };
}

/** Indices that are not negative: the same memory where nothing else is in it, so that a mesh does not hold a whole file. */
function unsignedIndices(corners: Int32Array): Uint32Array {
	const { buffer, byteLength } = corners;
	return buffer.byteLength === byteLength ? new Uint32Array(buffer) : new Uint32Array(corners);
}

function checkTopology(points: Float32Array, counts: Int32Array, corners: Int32Array): string | undefined {
	let total = 0;
	for (let i = 0; i < counts.length; i++) {
		if (counts[i]! < 0) return `faceVertexCounts has ${counts[i]}, expected the number of corners of a face`;
		total += counts[i]!;
	}
	if (total !== corners.length) return `faces have ${total} corners, faceVertexIndices has ${corners.length}`;
	const size = points.length / 3;
	for (let i = 0; i < corners.length; i++) {
		if (corners[i]! < 0 || corners[i]! >= size) return `faceVertexIndices has ${corners[i]} for ${size} points`;
	}
	let sum = 0;
	// stays zero only when all numbers are finite
	for (let i = 0; i < points.length; i++) sum += points[i]! - points[i]!;
	return sum === 0 ? undefined : `point ${Math.floor(points.findIndex((x) => !Number.isFinite(x)) / 3)} is not finite`;
}

/**
 * Corners of triangles, three each, and the faces they are part of; no corners when they are those of the faces, one after
 * the other. Newton takes every face as convex.
 */
function triangulate(
	ctx: ImportContext,
	vertices: Float64Array,
	counts: Int32Array,
	indices: Uint32Array,
	isLeftHanded: boolean,
): { triangles: Uint32Array | undefined; faceOfTriangle: Uint32Array | undefined } {
	let total = 0;
	let others = 0;
	for (let face = 0; face < counts.length; face++) {
		total += Math.max(0, counts[face]! - 2);
		if (counts[face] !== 3) others++;
	}
	if (!isLeftHanded && others === 0) return { triangles: undefined, faceOfTriangle: undefined };
	const triangles = new Uint32Array(3 * total);
	const faceOfTriangle = new Uint32Array(total);
	const isTrusting = ctx.options.newtonCompat;
	let start = 0;
	let made = 0;
	for (let face = 0; face < counts.length; face++) {
		const count = counts[face]!;
		if (count === 3) {
			triangles[3 * made] = isLeftHanded ? start + 2 : start;
			triangles[3 * made + 1] = start + 1;
			triangles[3 * made + 2] = isLeftHanded ? start : start + 2;
			faceOfTriangle[made++] = face;
			start += 3;
			continue;
		}
		const isFan = isTrusting || isConvexFan(vertices, indices, start, count);
		const clipped = isFan ? undefined : triangulatePolygon(vertices, [indices.subarray(start, start + count)]);
		const local =
			clipped?.state === 'simple' && clipped.triangles.length === 3 * (count - 2) ? clipped.triangles : undefined;
		for (let i = 0; i + 2 < count; i++, made++) {
			const a = start + (local?.[3 * i] ?? 0);
			const b = start + (local?.[3 * i + 1] ?? i + 1);
			const c = start + (local?.[3 * i + 2] ?? i + 2);
			triangles[3 * made] = isLeftHanded ? c : a;
			triangles[3 * made + 1] = b;
			triangles[3 * made + 2] = isLeftHanded ? a : c;
			faceOfTriangle[made] = face;
		}
		start += count;
	}
	return { triangles, faceOfTriangle };
}

/** Whether the triangles around the first corner of a face all look the same way, so that they cover it. */
function isConvexFan(vertices: Float64Array, indices: Uint32Array, start: number, count: number): boolean {
	const origin = 3 * indices[start]!;
	let [fx, fy, fz] = [0, 0, 0];
	for (let i = 1; i + 1 < count; i++) {
		const p = 3 * indices[start + i]!;
		const q = 3 * indices[start + i + 1]!;
		const ax = vertices[p]! - vertices[origin]!;
		const ay = vertices[p + 1]! - vertices[origin + 1]!;
		const az = vertices[p + 2]! - vertices[origin + 2]!;
		const bx = vertices[q]! - vertices[origin]!;
		const by = vertices[q + 1]! - vertices[origin + 1]!;
		const bz = vertices[q + 2]! - vertices[origin + 2]!;
		const nx = ay * bz - az * by;
		const ny = az * bx - ax * bz;
		const nz = ax * by - ay * bx;
		if (i === 1) [fx, fy, fz] = [nx, ny, nz];
		else if (!(nx * fx + ny * fy + nz * fz > 0)) return false;
	}
	return true;
}

interface Layered {
	readonly data: Float64Array;
	readonly isPerCorner: boolean;
}

function toCorners({ data, isPerCorner }: Layered, indices: Uint32Array): Float64Array {
	return isPerCorner ? data : gather(data, indices, 2);
}

function readUvs(
	ctx: ImportContext,
	prim: Prim,
	counts: Int32Array,
	corners: number,
	points: number,
): Layered | undefined {
	const primvar = uvPrimvar(ctx, prim);
	const value = primvar?.flattened({ report: ctx.report });
	if (primvar === undefined || value === undefined || value.type.width !== 2) return undefined;
	const data = new Float64Array(value.data as Float32Array);
	const { interpolation } = primvar;
	const expected = interpolation === 'faceVarying' ? corners : interpolation === 'uniform' ? counts.length : points;
	if (data.length / 2 !== expected) return undefined;
	noteUse(ctx, 'shape_source.uvs', primvar.attribute, primvar.indicesAttribute);
	if (interpolation === 'uniform') return { data: spreadFaces(data, counts, 2), isPerCorner: true };
	return { data, isPerCorner: interpolation === 'faceVarying' };
}

/** Says that vertices of a mesh have the values of attributes. */
function noteUse(ctx: ImportContext, target: string, ...attributes: readonly Attribute[]): void {
	for (const { prim, name } of attributes) ctx.ledger.use(prim.path.toString(), name, { target });
}

/** Texture coordinates as the material reads them, else by their usual names. */
function uvPrimvar(ctx: ImportContext, prim: Prim): Primvar | undefined {
	const named = textureCoordinateName(ctx, prim);
	for (const name of named === undefined ? ['st'] : [named, 'st']) {
		const primvar = findPrimvar(prim, name);
		if (primvar?.hasAuthoredValue === true) return primvar;
	}
	let rest: Primvar | undefined;
	for (const property of prim.authoredPropertyNames()) {
		const primvar = property.startsWith('primvars:') ? findPrimvar(prim, property) : undefined;
		if (primvar === undefined || !primvar.hasAuthoredValue || !UV_TYPES.includes(primvar.typeName)) continue;
		const name = primvar.name.toLowerCase();
		if (name.startsWith('st')) return primvar;
		if (name.startsWith('uv') || name === 'map1') rest ??= primvar;
	}
	return rest;
}

/** Normals: of corners when they differ between faces, else of vertices. */
function cornerNormals(
	ctx: ImportContext,
	prim: Prim,
	points: number,
	counts: Int32Array,
	indices: Uint32Array,
): Layered | undefined {
	const primvar = findPrimvar(prim, 'normals');
	const isPrimvar = primvar?.hasAuthoredValue === true;
	const plain = prim.attribute('normals');
	const value = isPrimvar ? primvar.flattened({ report: ctx.report }) : plain.get();
	if (value === undefined || value.type.width !== 3) return undefined;
	const own = plain.metadata('interpolation')?.data;
	const interpolation = isPrimvar ? primvar.interpolation : typeof own === 'string' ? own : 'vertex';
	const data = new Float64Array(value.data as Float32Array);
	const size = data.length / 3;
	const expected =
		interpolation === 'uniform' ? counts.length : interpolation === 'faceVarying' ? indices.length : points;
	if (size !== expected) {
		ctx.tell(
			'IMP032',
			prim,
			`there are ${size} normals of interpolation '${interpolation}', expected ${expected}`,
			isPrimvar ? 'primvars:normals' : 'normals',
		);
		return undefined;
	}
	noteUse(ctx, 'shape_source.normals', ...(isPrimvar ? [primvar.attribute, primvar.indicesAttribute] : [plain]));
	if (interpolation === 'uniform') return { data: spreadFaces(data, counts, 3), isPerCorner: true };
	return { data, isPerCorner: interpolation === 'faceVarying' };
}

/** Values of faces given to each of their corners. */
function spreadFaces(data: Float64Array, counts: Int32Array, width: number): Float64Array {
	let total = 0;
	for (let face = 0; face < counts.length; face++) total += counts[face]!;
	const out = new Float64Array(total * width);
	let at = 0;
	for (let face = 0; face < counts.length; face++) {
		for (let i = 0; i < counts[face]!; i++) for (let k = 0; k < width; k++) out[at++] = data[face * width + k]!;
	}
	return out;
}

function gatherIndices(indices: Uint32Array, at: Uint32Array): Uint32Array {
	const out = new Uint32Array(at.length);
	for (let i = 0; i < at.length; i++) out[i] = indices[at[i]!]!;
	return out;
}

/** 0, 1, 2 and so on. */
function countUp(count: number): Uint32Array {
	const out = new Uint32Array(count);
	for (let i = 0; i < count; i++) out[i] = i;
	return out;
}

/** Items of an array by index. */
export function gather(data: Float64Array, indices: ArrayLike<number>, width: number): Float64Array {
	const out = new Float64Array(indices.length * width);
	for (let i = 0; i < indices.length; i++) {
		for (let k = 0; k < width; k++) out[i * width + k] = data[indices[i]! * width + k]!;
	}
	return out;
}
