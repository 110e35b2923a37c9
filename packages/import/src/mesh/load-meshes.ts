import type { Report } from '@manyworlds/core';
import { type MeshFile, mergeMeshes, readMesh, type TriangleMesh } from '@manyworlds/mesh';
import type { ShapeMesh } from '@manyworlds/model';
import { vertexNormals } from './vertex-normals.ts';
import { weldCorners } from './weld-corners.ts';

/** How a surface looks. */
export type MeshTraits = Pick<ShapeMesh, 'color' | 'metallic' | 'roughness' | 'texture'>;

/** How the triangles of a mesh file become meshes of shapes. */
export interface LoadMeshOptions {
	/** Factors for the axes; negative ones mirror. */
	readonly scale: readonly [number, number, number];
	/** Colour from 0 to 1 and texture in place of those of the file: everything is one mesh then. */
	readonly color?: readonly [number, number, number];
	readonly texture?: string;
	readonly maxHullVertices: number;
	/** Rounds vertices to single precision after each step and gives normals to all, as Newton has them. */
	readonly newtonCompat: boolean;
}

/** Meshes of one file before placing: welded, in file order, with their materials. */
export interface LoadedMeshFile {
	/** Parts with one material each. */
	readonly parts: readonly LoadedPart[];
	/** Everything as one mesh. */
	readonly whole: TriangleMesh | undefined;
}

/** Triangles with one material. */
export interface LoadedPart {
	readonly mesh: TriangleMesh;
	readonly traits: MeshTraits;
}

/** Reads the bytes of a mesh file; diagnostics go to the report. */
export function readMeshParts(
	bytes: Uint8Array,
	options: {
		readonly uri: string;
		readonly report: Report;
		readonly external?: (uri: string) => Uint8Array | undefined;
	},
): LoadedMeshFile {
	const file = readMesh(bytes, { ...options, applyUnit: true });
	const meshes = file.meshes.filter((mesh) => mesh.indices.length > 0);
	if (meshes.length === 0) return { parts: [], whole: undefined };
	const joined = meshes.length === 1 ? meshes[0]! : mergeMeshes(meshes);
	const whole = weldCorners(joined);
	return { parts: partsOf(whole, file), whole };
}

function partsOf(whole: TriangleMesh, file: MeshFile): LoadedPart[] {
	const names = [...new Set((whole.groups ?? []).map((group) => group.material ?? ''))].sort(compareText);
	const traitsOf = (name: string): MeshTraits => {
		const { texture, ...rest } = file.materials?.get(name) ?? {};
		return texture === undefined ? rest : { ...rest, texture: { file: texture } };
	};
	if (names.length <= 1) return [{ mesh: whole, traits: traitsOf(names[0] ?? '') }];
	return names.map((name) => {
		const triangles: number[] = [];
		for (const { start, count, material = '' } of whole.groups!) {
			if (material === name) for (let i = 0; i < count; i++) triangles.push(start + i);
		}
		return { mesh: selectPart(whole, triangles), traits: traitsOf(name) };
	});
}

/** Some triangles of a mesh with the vertices that they use, which stay in order. */
function selectPart(mesh: TriangleMesh, triangles: readonly number[]): TriangleMesh {
	const places = new Int32Array(mesh.vertices.length / 3).fill(-1);
	for (const triangle of triangles) for (let k = 0; k < 3; k++) places[mesh.indices[3 * triangle + k]!] = 0;
	const used: number[] = [];
	for (let v = 0; v < places.length; v++) {
		if (places[v] !== 0) continue;
		places[v] = used.length;
		used.push(v);
	}
	const pick = (source: Float64Array, width: number): Float64Array => {
		const out = new Float64Array(used.length * width);
		for (let i = 0; i < used.length; i++) {
			for (let k = 0; k < width; k++) out[i * width + k] = source[used[i]! * width + k]!;
		}
		return out;
	};
	const indices = new Uint32Array(triangles.length * 3);
	for (let t = 0; t < triangles.length; t++) {
		for (let k = 0; k < 3; k++) indices[3 * t + k] = places[mesh.indices[3 * triangles[t]! + k]!]!;
	}
	const { normals, uvs, name } = mesh;
	return {
		vertices: pick(mesh.vertices, 3),
		indices,
		...(normals === undefined ? {} : { normals: pick(normals, 3) }),
		...(uvs === undefined ? {} : { uvs: pick(uvs, 2) }),
		...(name === undefined ? {} : { name }),
	};
}

/** The meshes of shapes that a file gives with some options. */
export function placeMeshes(file: LoadedMeshFile, options: LoadMeshOptions): ShapeMesh[] {
	const { color, texture, maxHullVertices } = options;
	if (file.whole === undefined) return [];
	const isOverridden = color !== undefined || texture !== undefined;
	const parts = isOverridden
		? [
				{
					mesh: file.whole,
					traits: {
						...(color === undefined ? {} : { color }),
						...(texture === undefined ? {} : { texture: { file: texture } }),
					},
				},
			]
		: file.parts;
	return parts.map(({ mesh, traits }) => {
		const { vertices, indices, normals, uvs, name } = mesh;
		const placed = scaled(vertices, options);
		const ownNormals = options.newtonCompat ? (normals ?? vertexNormals(placed, indices)) : normals;
		return {
			vertices: placed,
			indices,
			...(ownNormals === undefined ? {} : { normals: ownNormals }),
			...(uvs === undefined ? {} : { uvs }),
			...(name === undefined ? {} : { name }),
			...traits,
			// a texture alone is shown as it is
			...(traits.texture !== undefined && traits.color === undefined ? { color: [1, 1, 1] as const } : {}),
			...(maxHullVertices === 64 ? {} : { maxHullVertices }),
		};
	});
}

function scaled(vertices: Float64Array, { scale, newtonCompat }: LoadMeshOptions): Float64Array {
	const isPlain = scale.every((factor) => factor === 1);
	if (isPlain && !newtonCompat) return vertices;
	if (!newtonCompat) return vertices.map((x, i) => x * scale[i % 3]!);
	const factors = scale.map(Math.fround);
	return vertices.map((x, i) => Math.fround(Math.fround(x) * factors[i % 3]!));
}

function compareText(a: string, b: string): number {
	if (a === b) return 0;
	return a < b ? -1 : 1;
}
