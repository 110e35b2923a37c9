import { quote, Report } from '@manyworlds/core';
import { transformPoint } from '@manyworlds/core/internal';
import { importAsset } from '@manyworlds/import';
import { mergeMeshes, readMesh, type TriangleMesh } from '@manyworlds/mesh';
import { GeoType, isHeightfield, ModelBuilder, ShapeFlags } from '@manyworlds/model';
import { type AssetStore, isAssetFailure } from '@manyworlds/usd';
import type { ScenePath } from '../scene-document.ts';
import type { SceneMeshGeometry } from '../schema/shape.ts';
import type { LoadContext } from './load-context.ts';

/** The triangles of an inline mesh; undefined after a diagnostic. */
export function loadSceneMesh(
	context: LoadContext,
	geometry: SceneMeshGeometry,
	path: ScenePath,
): TriangleMesh | undefined {
	const at = [...path, 'path'];
	const fail = (reason: string): undefined =>
		context.add('SCN034', at, `is ${quote(geometry.path)}, which cannot be used: ${reason}`);
	const { store } = context;
	if (store === undefined) return fail('no files can be read here');
	const { identifier, refusal } = store.identify(geometry.path, context.file);
	if (refusal !== undefined) return fail(refusal);
	const report = new Report();
	const loaded = /\.urdf$/i.test(geometry.path)
		? meshOfUrdf(identifier, store, report)
		: meshOfFile(identifier, store, report);
	context.report.addAll(report);
	return typeof loaded === 'string' ? fail(loaded) : arranged(loaded, geometry);
}

function meshOfFile(identifier: string, store: AssetStore, report: Report): TriangleMesh | string {
	const content = store.bytes(identifier) ?? { failure: 'it is not loaded yet' };
	if (isAssetFailure(content)) return content.failure === '' ? 'it does not exist' : content.failure;
	const { meshes } = readMesh(content, { file: identifier, report });
	const filled = meshes.filter((mesh) => mesh.indices.length > 0);
	if (filled.length === 0) return 'it has no triangles';
	return filled.length === 1 ? filled[0]! : mergeMeshes(filled);
}

/** The first mesh collider of a robot, or its first visual mesh, in the frame of its link. */
function meshOfUrdf(identifier: string, store: AssetStore, report: Report): TriangleMesh | string {
	const builder = new ModelBuilder();
	importAsset(identifier, builder, { store, report, format: 'urdf', meshColliders: 'triangles' });
	const types = builder.column('shapeType');
	const flags = builder.column('shapeFlags');
	const meshes = Array.from(types.keys()).filter((shape) => types[shape] === GeoType.MESH);
	const shape = meshes.find((candidate) => (flags[candidate]! & ShapeFlags.COLLIDE_SHAPES) !== 0) ?? meshes[0];
	const source = shape === undefined ? null : builder.edits.shapeSource(shape);
	if (shape === undefined || source === null || isHeightfield(source)) return 'the robot has no mesh';
	const vertices = new Float64Array(source.vertices.length);
	const frame = builder.column('shapeTransform').slice(7 * shape, 7 * shape + 7);
	for (let i = 0; i < vertices.length; i += 3) transformPoint(vertices, frame, source.vertices, i, 0, i);
	return { vertices, indices: source.indices };
}

/** Vertices scaled, then their coordinates and the corners of triangles put into order. */
function arranged(mesh: TriangleMesh, { scale, axis_order, face_order }: SceneMeshGeometry): TriangleMesh {
	const axes = axis_order ?? [0, 1, 2];
	const corners = face_order ?? [0, 1, 2];
	const vertices = new Float64Array(mesh.vertices.length);
	for (let i = 0; i < vertices.length; i += 3) {
		for (let k = 0; k < 3; k++) vertices[i + k] = mesh.vertices[i + axes[k]!]! * scale[axes[k]!]!;
	}
	const indices = new Uint32Array(mesh.indices.length);
	for (let i = 0; i < indices.length; i += 3) {
		for (let k = 0; k < 3; k++) indices[i + k] = mesh.indices[i + corners[k]!]!;
	}
	return { vertices, indices };
}
