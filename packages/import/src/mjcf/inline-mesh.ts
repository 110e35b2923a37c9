import { mat3FromQuat, mat3Transform, mat3Transpose } from '@manyworlds/core/internal';
import { readNumbers } from '@manyworlds/formats/internal';
import { convexHull, type TriangleMesh } from '@manyworlds/mesh';
import { scaledNormals } from '../mesh/scaled-normals.ts';
import type { MeshAsset } from './assets.ts';

/** What is rounded to single precision: nothing, the vertices as MuJoCo reads them, or every step as Newton takes it. */
export type SinglePrecision = 'none' | 'vertices' | 'all';

/** The mesh that the numbers of an asset describe, in its reference frame; a sentence when they do not fit together. */
export function inlineMesh(asset: MeshAsset, single: SinglePrecision = 'none'): TriangleMesh | string {
	const { attributes } = asset;
	const isSingle = single === 'all';
	const read = (name: string): Float64Array | undefined | string => {
		const text = attributes.text(name);
		if (text === undefined) return undefined;
		return readNumbers(text) ?? `has ${name} data that is not numbers`;
	};
	const [vertices, faces, normals, texcoords, refpos, refquat] = [
		read('vertex'),
		read('face'),
		read('normal'),
		read('texcoord'),
		read('refpos') ?? new Float64Array(3),
		read('refquat') ?? Float64Array.of(1, 0, 0, 0),
	];
	for (const part of [vertices, faces, normals, texcoords, refpos, refquat]) if (typeof part === 'string') return part;
	const points = single === 'none' ? (vertices as Float64Array) : (vertices as Float64Array).map(Math.fround);
	if (points.length % 3 !== 0) return `has ${points.length} vertex coordinates, expected a multiple of 3`;
	const count = points.length / 3;
	if (count < 3) return `has ${count} vertices, expected at least 3`;
	const corners = faces as Float64Array | undefined;
	if (corners !== undefined) {
		if (corners.length % 3 !== 0) return `has ${corners.length} face indices, expected a multiple of 3`;
		const bad = corners.find((index) => !Number.isInteger(index) || index < 0 || index >= count);
		if (bad !== undefined) return `has a face with vertex ${bad}, expected 0 to ${count - 1}`;
	}
	if (normals !== undefined && (normals as Float64Array).length !== points.length)
		return `has ${(normals as Float64Array).length} normal numbers, expected ${points.length}: 3 for each vertex`;
	if (texcoords !== undefined && (texcoords as Float64Array).length !== 2 * count)
		return `has ${(texcoords as Float64Array).length} texcoord numbers, expected ${2 * count}: 2 for each vertex`;
	if ((refpos as Float64Array).length !== 3) return 'has a refpos that is not 3 numbers';
	if ((refquat as Float64Array).length !== 4) return 'has a refquat that is not 4 numbers';
	const norm = Math.hypot(...(refquat as Float64Array));
	if (!(norm > 0)) return 'has a refquat of length zero';
	const q = isSingle ? singleUnit(refquat as Float64Array) : (refquat as Float64Array).map((x) => x / norm);
	return placed(
		{ points, corners, normals: normals as Float64Array | undefined, uvs: texcoords as Float64Array | undefined },
		isSingle ? (refpos as Float64Array).map(Math.fround) : (refpos as Float64Array),
		q,
		asset,
		isSingle,
	);
}

interface InlineData {
	readonly points: Float64Array;
	readonly corners: Float64Array | undefined;
	readonly normals: Float64Array | undefined;
	readonly uvs: Float64Array | undefined;
}

/** Moves the reference frame to the origin; without faces the hull is the mesh. */
function placed(
	{ points, corners, normals, uvs }: InlineData,
	refpos: Float64Array,
	refquat: Float64Array,
	asset: MeshAsset,
	isSingle: boolean,
): TriangleMesh {
	const q = Float64Array.of(refquat[1]!, refquat[2]!, refquat[3]!, refquat[0]!);
	const rotation = isSingle ? singleRotation(q) : mat3FromQuat(new Float64Array(9), q);
	// the inverse rotation: the frame comes to the axes
	const inverse = mat3Transpose(new Float64Array(9), rotation);
	const vertices = new Float64Array(points.length);
	const moved = new Float64Array(3);
	const transform = isSingle ? singleTransform : mat3Transform;
	for (let i = 0; i < points.length; i += 3) {
		for (let k = 0; k < 3; k++) moved[k] = points[i + k]! - refpos[k]!;
		transform(vertices, moved, inverse, i);
	}
	const turned = normals === undefined ? undefined : new Float64Array(normals.length);
	if (turned !== undefined) for (let i = 0; i < turned.length; i += 3) mat3Transform(turned, normals!, inverse, i, i);
	// Newton's meshes are not scaled later
	const factors = isSingle ? asset.scale : [1, 1, 1];
	const units = turned === undefined ? undefined : scaledNormals(turned, factors);
	if (corners !== undefined) {
		return {
			vertices,
			indices: Uint32Array.from(corners),
			...(units === undefined ? {} : { normals: units }),
			...(uvs === undefined ? {} : { uvs }),
		};
	}
	return hullOf(vertices, units, uvs, asset);
}

/** A quaternion of length 1 as Newton has it: products in single precision, their sum in double. */
function singleUnit(q: Float64Array): Float64Array {
	const f = Math.fround;
	let square = 0;
	for (const value of q) square += f(f(value) * f(value));
	const norm = f(Math.sqrt(f(square)));
	return q.map((value) => f(f(value) / norm));
}

/** The matrix of a quaternion with every step in single precision, as Newton has it; rows are the images of the axes. */
function singleRotation(q: Float64Array): Float64Array {
	const f = Math.fround;
	const [x, y, z, w] = [f(q[0]!), f(q[1]!), f(q[2]!), f(q[3]!)];
	const c = f(f(f(2 * w) * w) - 1);
	const v = [x, y, z] as const;
	const out = new Float64Array(9);
	for (let i = 0; i < 3; i++) {
		const axis = [0, 0, 0];
		axis[i] = 1;
		const d = f(2 * v[i]!);
		const cross = [f(y * axis[2]! - z * axis[1]!), f(z * axis[0]! - x * axis[2]!), f(x * axis[1]! - y * axis[0]!)];
		for (let k = 0; k < 3; k++) {
			out[3 * i + k] = f(f(f(axis[k]! * c) + f(v[k]! * d)) + f(f(cross[k]! * w) * 2));
		}
	}
	return out;
}

/** A vector times a matrix in single precision, with fused steps as linear algebra libraries have them. */
function singleTransform(out: Float64Array, v: Float64Array, m: Float64Array, at: number): Float64Array {
	const f = Math.fround;
	for (let k = 0; k < 3; k++) {
		const first = f(f(v[0]!) * m[k]!);
		out[at + k] = f(f(v[2]!) * m[6 + k]! + f(f(v[1]!) * m[3 + k]! + first));
	}
	return out;
}

function hullOf(
	vertices: Float64Array,
	normals: Float64Array | undefined,
	uvs: Float64Array | undefined,
	asset: MeshAsset,
): TriangleMesh {
	const limit = asset.maxHullVertices;
	const { mesh, vertexIndices } = convexHull(vertices, limit > 3 ? { maxVertices: limit } : {});
	const pick = (values: Float64Array, width: number): Float64Array => {
		const out = new Float64Array(vertexIndices.length * width);
		vertexIndices.forEach((source, i) => {
			out.set(values.subarray(source * width, (source + 1) * width), i * width);
		});
		return out;
	};
	return {
		...mesh,
		...(normals === undefined ? {} : { normals: pick(normals, 3) }),
		...(uvs === undefined ? {} : { uvs: pick(uvs, 2) }),
	};
}
