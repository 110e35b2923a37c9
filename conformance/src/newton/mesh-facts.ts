import { createHash } from 'node:crypto';
import { axisAlignedBox, solidMass } from '@manyworlds/mesh';
import { GeoType, type Heightfield, isHeightfield, type Model, type ShapeMesh } from '@manyworlds/model';
import type { JsonObject } from '../json.ts';
import { numberDifference, POSE } from './compare-numbers.ts';
import { type ExpectedModel, fields } from './expected-model.ts';

/** Differences between the meshes and heightfields of shapes and those of a dump. */
export function geometryDifference(model: Model, expected: ExpectedModel): string | undefined {
	const { objects, of_shape } = expected.geometry;
	fields(expected.geometry, 'geometry', ['objects', 'of_shape']);
	const sources = [...new Set(model.shapeSources.filter((source) => source !== null))];
	if (sources.length !== objects.length) return `${sources.length} distinct meshes, expected ${objects.length}`;
	const index = new Map(sources.map((source, i) => [source, i]));
	const actual = model.shapeSources.map((source) => (source === null ? -1 : index.get(source)!));
	const indices = numberDifference('geometry.of_shape', actual, of_shape, undefined);
	if (indices !== undefined) return indices;
	const hulls = new Set(actual.filter((_, shape) => model.shapeType[shape] === GeoType.CONVEX_MESH));
	const problems = sources.map((source, i) => {
		if (isHeightfield(source)) return heightfieldDifference(`heightfield ${i}`, source, objects[i]!);
		return meshDifference(`mesh ${i}`, source, objects[i]!, hulls.has(i));
	});
	const found = problems.filter((problem) => problem !== undefined);
	return found.length > 2
		? `${found.slice(0, 2).join('; ')}; ${found.length - 2} more meshes differ`
		: found.join('; ') || undefined;
}

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

/** Hulls depend on the algorithm: bounds and volume of ours may differ by this much of the size. */
const HULL = 0.02;
const TENSOR = { relative: 1e-4, absolute: 1e-12, group: 9 };
/** Sums over the triangles of a large mesh in single precision. */
const SUM = { relative: 3e-5, absolute: 1e-9 };

function meshDifference(where: string, mesh: ShapeMesh, expected: JsonObject, isHull: boolean): string | undefined {
	fields(expected, where, MESH_FIELDS);
	if (expected.kind !== 'Mesh') return `${where} is a ${String(expected.kind)}, which is not compared`;
	const { indices, vertices, ...facts } = expected;
	if (facts.has_inertia !== true || facts.is_solid !== true) return `${where} has no inertia or is not solid`;
	const traits = traitsDifference(where, mesh, expected);
	const box = axisAlignedBox(mesh.vertices);
	const numbers = (name: string): number[] => expected[name] as number[];
	const size = Math.max(...numbers('upper').map((upper, i) => upper - numbers('lower')[i]!));
	const mass = solidMass(mesh);
	if (isHull) {
		const close = { relative: 0, absolute: HULL * size };
		const loose = { relative: 0.1, absolute: 0 };
		const most = Math.max(mesh.maxHullVertices ?? 64, expected.vertex_count as number);
		return (
			traits ??
			(mesh.vertices.length / 3 > most
				? `${where} has ${mesh.vertices.length / 3} vertices, expected ${most}`
				: undefined) ??
			numberDifference(`${where} lower`, box.least, numbers('lower'), close) ??
			numberDifference(`${where} upper`, box.most, numbers('upper'), close) ??
			numberDifference(`${where} volume`, [mass.volume], [expected.volume as number], loose)
		);
	}
	const near = { relative: 0, absolute: 1e-5 * size + 1e-7 };
	return (
		traits ??
		numberDifference(
			`${where} counts`,
			[mesh.vertices.length / 3, mesh.indices.length / 3],
			[expected.vertex_count, expected.face_count] as number[],
			undefined,
		) ??
		digestDifference(`${where} vertices`, Float32Array.from(mesh.vertices), 3, vertices as JsonObject) ??
		digestDifference(`${where} indices`, Int32Array.from(mesh.indices), 1, indices as JsonObject) ??
		numberDifference(`${where} lower`, box.least, numbers('lower'), POSE) ??
		numberDifference(`${where} upper`, box.most, numbers('upper'), POSE) ??
		numberDifference(
			`${where} mass`,
			[mass.mass, Math.abs(mass.volume)],
			[expected.unit_density_mass as number, Math.abs(expected.volume as number)],
			SUM,
		) ??
		numberDifference(`${where} centre`, mass.com, numbers('unit_density_com'), near) ??
		numberDifference(`${where} inertia`, mass.inertia, numbers('unit_density_inertia'), TENSOR)
	);
}

/** Colour, texture and other facts that are not numbers of the surface. */
function traitsDifference(where: string, mesh: ShapeMesh, expected: JsonObject): string | undefined {
	const actual: JsonObject = {
		has_normals: mesh.normals !== undefined,
		has_texture: mesh.texture !== undefined,
		has_uvs: mesh.uvs !== undefined,
		max_hull_vertices: mesh.maxHullVertices ?? 64,
		metallic: mesh.metallic ?? null,
		roughness: mesh.roughness ?? null,
	};
	for (const [name, value] of Object.entries(actual)) {
		const theirs = expected[name];
		const isNear = typeof value === 'number' && typeof theirs === 'number' && Math.abs(value - theirs) <= 1e-6;
		if (value !== theirs && !isNear) return `${where}: ${name} is ${String(value)}, expected ${String(theirs)}`;
	}
	if (expected.color === null) return mesh.color === undefined ? undefined : `${where} has a colour, expected none`;
	return numberDifference(`${where} color`, mesh.color ?? [], expected.color as number[], POSE);
}

function heightfieldDifference(where: string, actual: Heightfield, expected: JsonObject): string | undefined {
	const keys = ['data', 'hx', 'hy', 'kind', 'max_z', 'min_z', 'ncol', 'nrow'];
	const { data, kind, ...numbers } = fields(expected, where, keys);
	if (kind !== 'Heightfield') return `${where} is a ${String(kind)}`;
	return (
		numberDifference(
			where,
			[actual.hx, actual.hy, actual.maxZ, actual.minZ, actual.columns, actual.rows],
			keys.filter((key) => key in numbers).map((key) => numbers[key] as number),
			POSE,
		) ?? elevationDifference(`${where} data`, actual, data as JsonObject)
	);
}

/** The reference scales elevations in single precision, so that the hash serves only where the first rows are not all. */
function elevationDifference(
	where: string,
	{ data, columns, rows }: Heightfield,
	digest: JsonObject,
): string | undefined {
	const first = digest.first as number[];
	if (rows > 4) return digestDifference(where, Float32Array.from(data), columns, digest);
	fields(digest, where, ['count', 'dtype', 'first', 'sha256', 'shape']);
	if (
		JSON.stringify(digest.shape) !== JSON.stringify([rows, columns]) ||
		digest.count !== rows ||
		digest.dtype !== 'float32'
	)
		return `${where} has ${rows} rows of ${columns}, expected ${JSON.stringify(digest.shape)}`;
	const hash = createHash('sha256')
		.update(new Uint8Array(Float32Array.from(first).buffer))
		.digest('hex');
	if (hash !== digest.sha256) return `${where}: the hash of the numbers is ${hash}, expected ${String(digest.sha256)}`;
	return numberDifference(where, data, first, POSE);
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
