import { createHash } from 'node:crypto';
import { axisAlignedBox, type MassProperties, solidMass } from '@manyworlds/mesh';
import {
	GeoType,
	type Heightfield,
	isHeightfield,
	type Model,
	type ShapeMesh,
	type ShapeSource,
} from '@manyworlds/model';
import type { JsonObject } from '../json.ts';
import { numberDifference, POSE, type Tolerance } from './compare-numbers.ts';
import { type ExpectedModel, fields } from './expected-model.ts';

/** Differences between the meshes and heightfields of shapes and those of a dump; hulls that were given are exact. */
export function geometryDifference(model: Model, expected: ExpectedModel, areHullsGiven = false): string | undefined {
	const { objects, of_shape } = expected.geometry;
	fields(expected.geometry, 'geometry', ['objects', 'of_shape']);
	if (of_shape.length !== model.shapeCount)
		return `geometry.of_shape has ${of_shape.length} entries, expected ${model.shapeCount}`;
	const unused = objects.findIndex((_, i) => !of_shape.includes(i));
	if (unused >= 0) return `mesh ${unused} belongs to no shape`;
	const labels = new Set(model.shapeLabels);
	const problems = new Map<string, string | undefined>();
	const ofObject = new Map<number, ShapeSource>();
	for (const [shape, at] of of_shape.entries()) {
		const source = model.shapeSources[shape] ?? null;
		if (at === -1 || source === null) {
			if (at !== -1 || source !== null)
				return `shape ${shape} has ${source === null ? 'no mesh' : 'a mesh'}, expected mesh ${at}`;
			continue;
		}
		// ours shares equal meshes, the reference those that were loaded at once
		if (ofObject.has(at) && ofObject.get(at) !== source)
			return `shape ${shape} has a mesh of its own, expected mesh ${at}`;
		ofObject.set(at, source);
		const object = objects[at];
		if (object === undefined) return `geometry.of_shape[${shape}] is ${at}, expected a mesh`;
		// a mesh that is simplified for contact keeps the one that is seen as a second shape
		const isMade = model.shapeType[shape] === GeoType.CONVEX_MESH || labels.has(`${model.shapeLabels[shape]}_visual`);
		const isHull = isMade && !areHullsGiven;
		const key = `${at} ${isHull}`;
		if (problems.has(key)) continue;
		const where = `${isHeightfield(source) ? 'heightfield' : 'mesh'} ${at} (shape ${shape})`;
		problems.set(
			key,
			isHeightfield(source)
				? heightfieldDifference(where, source, object)
				: meshDifference(where, source, object, isHull),
		);
	}
	const found = [...problems.values()].filter((problem) => problem !== undefined);
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
const HULL = 0.05;
const TENSOR = { relative: 5e-4, absolute: 1e-12, group: 9 };
/** Sums over the triangles of a large mesh in single precision. */
const SUM = { relative: 2e-4, absolute: 1e-9 };
const VOLUME = { relative: 3e-5, absolute: 1e-12 };

const UNWEIGHED = [1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1].join();

function meshDifference(where: string, mesh: ShapeMesh, expected: JsonObject, isHull: boolean): string | undefined {
	fields(expected, where, MESH_FIELDS);
	if (expected.kind !== 'Mesh') return `${where} is a ${String(expected.kind)}, which is not compared`;
	const { indices, vertices, ...facts } = expected;
	if (typeof facts.has_inertia !== 'boolean' || facts.is_solid !== true) return `${where} is not solid`;
	// of what is only seen the reference computes no mass: it stays 1, with a unit tensor
	const weight = [facts.unit_density_mass, facts.unit_density_com, facts.unit_density_inertia].flat();
	const isWeightless = facts.has_inertia === false;
	if (isWeightless && weight.join() !== UNWEIGHED) return `${where} has no inertia, but mass properties`;
	const traits = traitsDifference(where, mesh, expected);
	const box = axisAlignedBox(mesh.vertices);
	const numbers = (name: string): number[] => expected[name] as number[];
	const size = Math.max(...numbers('upper').map((upper, i) => upper - numbers('lower')[i]!));
	const mass = solidMass(mesh);
	if (isHull) {
		const close = { relative: 0, absolute: HULL * size };
		const loose = { relative: 0.2, absolute: 0 };
		const most = Math.max(mesh.maxHullVertices ?? 64, expected.vertex_count as number);
		return (
			traits ??
			(mesh.vertices.length / 3 > most
				? `${where} has ${mesh.vertices.length / 3} vertices, expected ${most}`
				: undefined) ??
			numberDifference(`${where} lower`, box.least, numbers('lower'), close) ??
			numberDifference(`${where} upper`, box.most, numbers('upper'), close) ??
			(isPossible(expected)
				? numberDifference(`${where} volume`, [mass.volume], [expected.volume as number], loose)
				: undefined)
		);
	}
	const near = { relative: 0, absolute: 5e-5 * size + 1e-7 };
	return (
		traits ??
		numberDifference(
			`${where} counts`,
			[mesh.vertices.length / 3, mesh.indices.length / 3],
			[expected.vertex_count, expected.face_count] as number[],
			undefined,
		) ??
		digestDifference(`${where} vertices`, Float32Array.from(mesh.vertices), 3, vertices as JsonObject) ??
		indicesDifference(`${where} indices`, mesh, indices as JsonObject) ??
		numberDifference(`${where} lower`, box.least, numbers('lower'), POSE) ??
		numberDifference(`${where} upper`, box.most, numbers('upper'), POSE) ??
		(isWeightless
			? undefined
			: numberDifference(`${where} mass`, [mass.mass], [expected.unit_density_mass as number], SUM)) ??
		numberDifference(`${where} volume`, [Math.abs(mass.volume)], [Math.abs(expected.volume as number)], VOLUME) ??
		(isWeightless ? undefined : momentsDifference(where, mesh, mass, expected, near))
	);
}

/** Whether a volume fits into its bounds; hulls of a vertex budget of the reference may be turned inside out. */
function isPossible({ lower, upper, volume }: JsonObject): boolean {
	const sizes = (upper as number[]).map((most, i) => most - (lower as number[])[i]!);
	return (volume as number) >= 0 && (volume as number) <= sizes[0]! * sizes[1]! * sizes[2]! * (1 + 1e-6);
}

/**
 * Indices are exact, except that vertices at one place, apart for their normals or texture coordinates, may be numbered
 * otherwise: the order in which the reference sorts them is arbitrary. Mass and inertia then hold the triangles. Halves of
 * quads have another order there.
 */
function indicesDifference(where: string, mesh: ShapeMesh, digest: JsonObject): string | undefined {
	const problem = digestDifference(where, Int32Array.from(mesh.indices), 1, digest);
	if (problem === undefined) return undefined;
	const quads = inQuadOrder(mesh.indices);
	if (quads !== undefined && digestDifference(where, quads, 1, digest) === undefined) return undefined;
	const { count, dtype, sha256, shape } = fields(digest, where, ['count', 'dtype', 'first', 'sha256', 'shape']);
	const isPlain = count === mesh.indices.length && dtype === 'int32' && /^[0-9a-f]{64}$/.test(String(sha256));
	return isPlain && String(shape) === String(count) && hasSeams(mesh) ? undefined : problem;
}

/** Triangles of quads as the reference lists them: the first halves of all, then the second ones; undefined without quads. */
function inQuadOrder(indices: Uint32Array): Int32Array | undefined {
	const quads = indices.length / 6;
	if (!Number.isInteger(quads)) return undefined;
	const out = new Int32Array(indices.length);
	for (let quad = 0; quad < quads; quad++) {
		const [a, b, c, d, e, f] = indices.subarray(6 * quad, 6 * quad + 6) as unknown as number[];
		if (a !== d || c !== e) return undefined;
		out.set([a!, b!, c!], 3 * quad);
		out.set([c!, f!, a!], 3 * (quads + quad));
	}
	return out;
}

/** Centre and inertia; an open surface has no inside, so that these depend on the method there. */
function momentsDifference(
	where: string,
	mesh: ShapeMesh,
	mass: MassProperties,
	expected: JsonObject,
	near: Tolerance,
): string | undefined {
	const problem =
		numberDifference(`${where} centre`, mass.com, expected.unit_density_com as number[], near) ??
		numberDifference(`${where} inertia`, mass.inertia, expected.unit_density_inertia as number[], TENSOR);
	return problem === undefined || !isClosed(mesh) ? undefined : problem;
}

/** Whether every edge has as many triangles on one side as on the other; vertices at one place are one. */
function isClosed({ vertices, indices }: ShapeMesh): boolean {
	const places = new Map<string, number>();
	const place = Array.from({ length: vertices.length / 3 }, (_, i) => {
		const key = `${vertices[3 * i]} ${vertices[3 * i + 1]} ${vertices[3 * i + 2]}`;
		const found = places.get(key) ?? places.size;
		places.set(key, found);
		return found;
	});
	const balance = new Map<number, number>();
	for (let t = 0; t < indices.length; t++) {
		const a = place[indices[t]!]!;
		const b = place[indices[t - (t % 3) + ((t + 1) % 3)]!]!;
		const key = Math.min(a, b) * places.size + Math.max(a, b);
		balance.set(key, (balance.get(key) ?? 0) + Math.sign(b - a));
	}
	return [...balance.values()].every((sum) => sum === 0);
}

function hasSeams({ vertices }: ShapeMesh): boolean {
	const places = new Set<string>();
	for (let i = 0; i < vertices.length; i += 3) places.add(`${vertices[i]} ${vertices[i + 1]} ${vertices[i + 2]}`);
	return places.size < vertices.length / 3;
}

/** Colour, texture and other facts that are not numbers of the surface. */
function traitsDifference(where: string, mesh: ShapeMesh, expected: JsonObject): string | undefined {
	// the reference paints the materials of an OBJ file into one image; ours keeps them as runs of triangles
	const isPainted = expected.has_texture === true && (mesh.groups?.length ?? 0) > 1 && mesh.texture === undefined;
	const actual: JsonObject = {
		has_normals: mesh.normals !== undefined,
		has_texture: isPainted || mesh.texture !== undefined,
		has_uvs: isPainted || mesh.uvs !== undefined,
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
