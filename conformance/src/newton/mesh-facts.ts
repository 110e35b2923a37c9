import { createHash } from 'node:crypto';
import { axisAlignedBox, solidMass, type TriangleMesh } from '@manyworlds/mesh';
import type { Model } from '@manyworlds/model';
import type { JsonObject } from '../json.ts';
import { numberDifference, POSE } from './compare-numbers.ts';
import { type ExpectedModel, fields } from './expected-model.ts';

/** The first difference between the meshes of shapes and those of a dump. */
export function geometryDifference(model: Model, expected: ExpectedModel): string | undefined {
	const { objects, of_shape } = expected.geometry;
	fields(expected.geometry, 'geometry', ['objects', 'of_shape']);
	const meshes = [...new Set(model.shapeSources.filter((source) => source !== null))];
	if (meshes.length !== objects.length) return `${meshes.length} distinct meshes, expected ${objects.length}`;
	const actual = model.shapeSources.map((source) => (source === null ? -1 : meshes.indexOf(source)));
	const indices = numberDifference('geometry.of_shape', actual, of_shape, undefined);
	if (indices !== undefined) return indices;
	for (const [i, mesh] of meshes.entries()) {
		if ('hx' in mesh) return 'a heightfield is not compared yet';
		const problem = meshDifference(`mesh ${i}`, mesh, objects[i]!);
		if (problem !== undefined) return problem;
	}
	return undefined;
}

/** What meshes of programs, which are vertices and triangles alone, have besides these. */
const PLAIN_MESH: JsonObject = {
	color: null,
	has_inertia: true,
	has_normals: false,
	has_texture: false,
	has_uvs: false,
	is_solid: true,
	max_hull_vertices: 64,
	metallic: null,
	roughness: null,
};

const MESH_FIELDS = [
	'color',
	'face_count',
	'has_inertia',
	'has_normals',
	'has_texture',
	'has_uvs',
	'indices',
	'is_solid',
	'kind',
	'lower',
	'max_hull_vertices',
	'metallic',
	'roughness',
	'unit_density_com',
	'unit_density_inertia',
	'unit_density_mass',
	'upper',
	'vertex_count',
	'vertices',
	'volume',
];

function meshDifference(where: string, mesh: TriangleMesh, expected: JsonObject): string | undefined {
	fields(expected, where, MESH_FIELDS);
	if (expected.kind !== 'Mesh') return `${where} is a ${String(expected.kind)}, which is not compared yet`;
	const odd = Object.entries(PLAIN_MESH).find(([name, value]) => expected[name] !== value);
	if (odd !== undefined) return `${where}: ${odd[0]} is ${String(odd[1])}, expected ${String(expected[odd[0]])}`;
	const mass = solidMass(mesh);
	const box = axisAlignedBox(mesh.vertices);
	const tensor = { relative: 1e-4, absolute: 1e-12, group: 9 };
	const numbers = (name: string): number[] => expected[name] as number[];
	return (
		digestDifference(`${where} vertices`, Float32Array.from(mesh.vertices), 3, expected.vertices as JsonObject) ??
		digestDifference(`${where} indices`, Int32Array.from(mesh.indices), 1, expected.indices as JsonObject) ??
		numberDifference(`${where} lower`, box.least, numbers('lower'), POSE) ??
		numberDifference(`${where} upper`, box.most, numbers('upper'), POSE) ??
		numberDifference(
			`${where} mass`,
			[mass.mass, mass.volume],
			[expected.unit_density_mass, expected.volume] as number[],
			POSE,
		) ??
		numberDifference(`${where} centre`, mass.com, numbers('unit_density_com'), POSE) ??
		numberDifference(`${where} inertia`, mass.inertia, numbers('unit_density_inertia'), tensor) ??
		numberDifference(
			`${where} counts`,
			[mesh.vertices.length / 3, mesh.indices.length / 3],
			[expected.vertex_count, expected.face_count] as number[],
			undefined,
		)
	);
}

/** Compares numbers with a digest: rows, the first four of them, and the hash of the bytes. */
export function digestDifference(
	where: string,
	actual: Float32Array | Int32Array,
	width: number,
	expected: JsonObject,
): string | undefined {
	const { count, dtype, first, sha256, shape } = fields(expected, where, [
		'count',
		'dtype',
		'first',
		'sha256',
		'shape',
	]);
	const type = actual instanceof Float32Array ? 'float32' : 'int32';
	if (dtype !== type) return `${where} has the data type ${type}, expected ${String(dtype)}`;
	const dims = [actual.length / width, ...(width === 1 ? [] : [width])];
	if (JSON.stringify(shape) !== JSON.stringify(dims))
		return `${where} has the shape [${dims.join()}], expected ${JSON.stringify(shape)}`;
	if (actual.length / width !== count) return `${where} has ${actual.length / width} rows, expected ${String(count)}`;
	const rows = numberDifference(where, actual.subarray(0, 4 * width), (first as number[]).map(Math.fround), undefined);
	if (rows !== undefined) return rows;
	const hash = createHash('sha256')
		.update(new Uint8Array(actual.buffer, actual.byteOffset, actual.byteLength))
		.digest('hex');
	return hash === sha256 ? undefined : `${where} has the hash ${hash}, expected ${String(sha256)}`;
}
