import type { Report } from '@manyworlds/core';
import type { MeshFile } from '@manyworlds/mesh';
import { mergeMeshes, readMesh, type TriangleMesh } from '@manyworlds/mesh';
import { flipMesh } from '@manyworlds/mesh/internal';
import type { ShapeMesh } from '@manyworlds/model';
import { type MeshTraits, materialTraits } from './material-traits.ts';
import { scaledNormals } from './scaled-normals.ts';
import { vertexNormals } from './vertex-normals.ts';
import { weldCorners } from './weld-corners.ts';

/** How the triangles of a mesh file become meshes of shapes. */
export interface LoadMeshOptions {
	/** Factors for the axes; negative ones mirror, and what was outside stays outside. */
	readonly scale: readonly [number, number, number];
	/** Colour from 0 to 1 and texture in place of those of the file: everything is one mesh then. */
	readonly color?: readonly [number, number, number];
	readonly texture?: string;
	readonly maxHullVertices: number;
	/** Keeps triangles of different materials together: a collider is a closed surface only as a whole. */
	readonly isWhole?: boolean;
	/** Rounds vertices to single precision after each step and gives normals to all, as Newton has them. */
	readonly newtonCompat: boolean;
}

/** Meshes of one file before placing: welded, in file order, with their materials. */
export interface LoadedMeshFile {
	/** Parts with one material each. */
	readonly parts: readonly LoadedPart[];
	/** Everything as one mesh. */
	readonly whole: TriangleMesh | undefined;
	/** The first object of an OBJ file that has several: what MuJoCo takes the faces of. */
	readonly firstObject?: TriangleMesh;
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
		readonly file: string;
		readonly report: Report;
		readonly external?: (file: string) => Uint8Array | undefined;
		readonly newtonCompat: boolean;
		/** Divides faces with four corners as MuJoCo does. */
		readonly shortDiagonals?: boolean;
	},
): LoadedMeshFile {
	const file = readMesh(bytes, { ...options, applyUnit: true, singlePrecision: options.newtonCompat });
	const pieces = piecesOf(file, options.newtonCompat);
	if (pieces.length === 0) return { parts: [], whole: undefined };
	const whole = joined(pieces);
	const objects = file.meshes.filter((mesh) => mesh.indices.length > 0);
	const first = file.format === 'obj' && objects.length > 1 ? { firstObject: objects[0]! } : {};
	// Newton paints the materials of an OBJ file into one image; here they stay runs of one mesh
	const isOne = pieces.length === 1 || (options.newtonCompat && file.format === 'obj');
	if (isOne) return { parts: [{ mesh: whole, traits: traitsOf(file, pieces, options.newtonCompat) }], whole, ...first };
	const names = [...new Set(pieces.map(({ material }) => material))].sort();
	const parts = names.map((name) => {
		const own = pieces.filter(({ material }) => material === name);
		// Newton gives texture coordinates to all as soon as one material has some
		const mesh = joined(own, options.newtonCompat && whole.uvs !== undefined);
		return { mesh, traits: traitsOf(file, own, options.newtonCompat) };
	});
	return { parts, whole, ...first };
}

/** Triangles of one mesh of a file with one material. */
interface Piece {
	readonly mesh: TriangleMesh;
	readonly material: string;
}

/** The runs of triangles of a file with one material each, every run welded for itself. */
function piecesOf(file: MeshFile, newtonCompat: boolean): Piece[] {
	const pieces: Piece[] = [];
	const meshes = file.meshes.filter((mesh) => mesh.indices.length > 0);
	// an OBJ file is one list of vertices, whatever objects it names
	const sources = file.format === 'obj' && meshes.length > 1 ? [mergeMeshes(meshes)] : meshes;
	for (const mesh of sources) {
		const materials = new Set(mesh.groups?.map(({ material = '' }) => material));
		if (materials.size <= 1) {
			const [only = ''] = materials;
			// corners of STL files are joined where they are equal; Newton joins those that are nearly so as well
			const isJoined = file.format === 'stl' && !newtonCompat;
			const own = withoutGroups(mesh);
			pieces.push({ mesh: isJoined ? own : weldCorners(own), material: only });
			continue;
		}
		for (const material of materials) {
			const triangles = trianglesOf(mesh, material);
			pieces.push({ mesh: weldCorners(selectPart(mesh, triangles, file.format === 'obj')), material });
		}
	}
	// the order in which Newton's loader takes the materials of an OBJ file
	return newtonCompat && file.format === 'obj' ? pieces.reverse() : pieces;
}

function trianglesOf(mesh: TriangleMesh, material: string): number[] {
	const triangles: number[] = [];
	for (const group of mesh.groups ?? []) {
		if ((group.material ?? '') !== material) continue;
		for (let i = 0; i < group.count; i++) triangles.push(group.start + i);
	}
	return triangles;
}

/** Pieces as one mesh, with a run for each material; those without texture coordinates get zeros beside those that have some. */
function joined(pieces: readonly Piece[], needsUvs = false): TriangleMesh {
	const hasUvs = needsUvs || pieces.some(({ mesh }) => mesh.uvs !== undefined);
	const isWhole = pieces.length === 1 && hasUvs === (pieces[0]!.mesh.uvs !== undefined);
	if (isWhole) return pieces[0]!.mesh;
	return mergeMeshes(
		pieces.map(({ mesh, material }) => ({
			...mesh,
			...(hasUvs ? { uvs: mesh.uvs ?? new Float64Array((mesh.vertices.length / 3) * 2) } : {}),
			...(pieces.length === 1 ? {} : { groups: [{ start: 0, count: mesh.indices.length / 3, material }] }),
		})),
		pieces[0]!.mesh.name,
	);
}

function traitsOf(file: MeshFile, pieces: readonly Piece[], newtonCompat: boolean): MeshTraits {
	const isMixed = new Set(pieces.map(({ material }) => material)).size > 1;
	const material = isMixed ? undefined : file.materials?.get(pieces[0]!.material);
	const traits = materialTraits(material, file.format, newtonCompat);
	return isMixed && newtonCompat ? { ...traits, roughness: 0 } : traits;
}

function withoutGroups(mesh: TriangleMesh): TriangleMesh {
	const { groups: _, ...rest } = mesh;
	return rest;
}

/** Some triangles of a mesh with the vertices that they use: in the order of the mesh, or in that of first use. */
function selectPart(mesh: TriangleMesh, triangles: readonly number[], keepsOrder: boolean): TriangleMesh {
	const places = new Int32Array(mesh.vertices.length / 3).fill(-1);
	const used: number[] = [];
	for (const triangle of triangles) {
		for (let k = 0; k < 3; k++) {
			const vertex = mesh.indices[3 * triangle + k]!;
			if (places[vertex] !== -1) continue;
			places[vertex] = used.length;
			used.push(vertex);
		}
	}
	if (keepsOrder) {
		used.sort((a, b) => a - b);
		for (let i = 0; i < used.length; i++) places[used[i]!] = i;
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
	const isOverridden = color !== undefined || texture !== undefined || (options.isWhole && file.parts.length > 1);
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
		const { vertices, indices, normals, uvs, name, groups } = mesh;
		const placed = scaled(vertices, options);
		const [x, y, z] = options.scale;
		// Newton leaves triangles and normals as the file has them
		const isMirrored = x * y * z < 0 && !options.newtonCompat;
		const isStretched = !(x === y && y === z && x > 0);
		const ownNormals = options.newtonCompat
			? (normals ?? vertexNormals(placed, indices))
			: normals && (isStretched ? scaledNormals(normals, options.scale) : normals);
		return {
			vertices: placed,
			indices: isMirrored ? flipMesh({ vertices, indices }).indices : indices,
			...(ownNormals === undefined ? {} : { normals: ownNormals }),
			...(uvs === undefined ? {} : { uvs }),
			...(name === undefined ? {} : { name }),
			...(groups === undefined ? {} : { groups }),
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
