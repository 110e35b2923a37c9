import type { TriangleMesh } from '@manyworlds/mesh';
import { isHeightfield } from '@manyworlds/model';
import { MujocoError } from '../mujoco-error.ts';
import type { Conversion } from './conversion.ts';
import type { ShapePlan } from './shape-plan.ts';
import { standFor, subjectOf } from './subject.ts';

/** Vertices that MuJoCo's hull of a mesh may have when the mesh does not say: Newton's default. */
const DEFAULT_HULL_VERTICES = 64;

/**
 * Adds a mesh, scaled, in MuJoCo's binary format and gives its name. A flat mesh, which has no hull, gets a vertex off
 * its plane; that is only allowed when another pipeline finds the contacts.
 */
export function addMeshAsset(conversion: Conversion, plan: ShapePlan, shape: number, name: string): string {
	const { model, options } = conversion;
	const source = model.shapeSources[shape];
	if (source === null || source === undefined || isHeightfield(source)) {
		throw new MujocoError(
			'MJC005',
			`shape '${model.shapeLabels[shape]}' is a mesh without vertices`,
			subjectOf(model, 'shape', shape),
		);
	}
	const vertices = scaledVertices(source, model.shapeScale.subarray(3 * shape, 3 * shape + 3));
	const faces = Int32Array.from(source.indices);
	const flat = isFlat(vertices);
	const needsContacts = plan.contype.has(shape) && (plan.contype.get(shape) !== 0 || plan.conaffinity.get(shape) !== 0);
	if (flat && options.useMujocoContacts && !options.disableContacts && (needsContacts || plan.pairShapes.has(shape))) {
		throw new MujocoError(
			'MJC005',
			`mesh '${model.shapeLabels[shape]}' is flat and collides; MuJoCo's contacts need a volume: use useMujocoContacts false, a plane, a box or a thick mesh`,
			subjectOf(model, 'shape', shape),
		);
	}
	const scale = model.shapeScale.subarray(3 * shape, 3 * shape + 3);
	// scaled by MuJoCo, as it scales the meshes of files: in double precision
	const isScaled = !flat && !options.newtonCompat && scale.some((factor) => factor !== 1);
	const own = isScaled ? Float32Array.from(source.vertices) : vertices;
	const [points, triangles] = flat ? raiseFlatMesh(vertices, faces) : [own, faces];
	const file = `mesh-${shape}.msh`;
	conversion.files.set(file, encodeMsh(points, triangles));
	standFor(
		conversion,
		conversion.sections.asset.add('mesh', {
			name,
			file,
			scale: isScaled ? scale : undefined,
			maxhullvert: source.maxHullVertices ?? DEFAULT_HULL_VERTICES,
		}),
		subjectOf(model, 'shape', shape),
	);
	return name;
}

function scaledVertices(mesh: TriangleMesh, scale: ArrayLike<number>): Float32Array {
	const vertices = new Float32Array(mesh.vertices.length);
	for (let i = 0; i < vertices.length; i++) vertices[i] = mesh.vertices[i]! * scale[i % 3]!;
	return vertices;
}

/** Diagonal of the bounding box [m]. */
function extentOf(vertices: Float32Array): number {
	const sides = [0, 0, 0];
	for (let axis = 0; axis < 3; axis++) {
		let low = Number.POSITIVE_INFINITY;
		let high = Number.NEGATIVE_INFINITY;
		for (let i = axis; i < vertices.length; i += 3) {
			low = Math.min(low, vertices[i]!);
			high = Math.max(high, vertices[i]!);
		}
		sides[axis] = high - low;
	}
	return Math.hypot(...sides);
}

/** Whether all vertices lie in one plane to 1e-6 of the extent. */
function isFlat(vertices: Float32Array): boolean {
	const plane = planeOf(vertices);
	if (plane === undefined) return true;
	const tolerance = 1e-6 * extentOf(vertices);
	for (let i = 0; i < vertices.length; i += 3) {
		const distance =
			plane.normal[0]! * (vertices[i]! - plane.point[0]!) +
			plane.normal[1]! * (vertices[i + 1]! - plane.point[1]!) +
			plane.normal[2]! * (vertices[i + 2]! - plane.point[2]!);
		if (Math.abs(distance) > tolerance) return false;
	}
	return true;
}

/** A plane through three vertices far from each other; undefined when all lie on a line. */
function planeOf(vertices: Float32Array): { point: number[]; normal: number[] } | undefined {
	if (vertices.length < 9) return undefined;
	const point = [vertices[0]!, vertices[1]!, vertices[2]!];
	const direction = [0, 0, 0];
	let farthest = 0;
	for (let i = 3; i < vertices.length; i += 3) {
		const offset = [vertices[i]! - point[0]!, vertices[i + 1]! - point[1]!, vertices[i + 2]! - point[2]!];
		const distance = Math.hypot(...offset);
		if (distance <= farthest) continue;
		farthest = distance;
		for (let axis = 0; axis < 3; axis++) direction[axis] = offset[axis]! / distance;
	}
	let normal = [0, 0, 0];
	let widest = 0;
	for (let i = 3; i < vertices.length; i += 3) {
		const x = vertices[i]! - point[0]!;
		const y = vertices[i + 1]! - point[1]!;
		const z = vertices[i + 2]! - point[2]!;
		const cross = [
			direction[1]! * z - direction[2]! * y,
			direction[2]! * x - direction[0]! * z,
			direction[0]! * y - direction[1]! * x,
		];
		const width = Math.hypot(...cross);
		if (width <= widest) continue;
		widest = width;
		normal = cross.map((component) => component / width);
	}
	return widest > 1e-6 * farthest ? { point, normal } : undefined;
}

/** Adds a triangle with an apex above the centre, so that the mesh has a hull. */
function raiseFlatMesh(vertices: Float32Array, faces: Int32Array): [Float32Array, Int32Array] {
	const { normal } = planeOf(vertices) ?? { normal: [0, 0, 1] };
	// which side is arbitrary; the positive one makes equal meshes equal whatever the order of their vertices
	const side = Math.sign(normal.find((component) => Math.abs(component) > 1e-6) ?? 1);
	const extent = extentOf(vertices);
	const height = side * Math.max(1e-3, 1e-3 * extent);
	const centre = [0, 0, 0];
	for (let i = 0; i < vertices.length; i++) centre[i % 3]! += vertices[i]! / (vertices.length / 3);
	const raised = new Float32Array(vertices.length + 3);
	raised.set(vertices);
	for (let axis = 0; axis < 3; axis++) raised[vertices.length + axis] = centre[axis]! + height * normal[axis]!;
	const triangles = new Int32Array(faces.length + 3);
	triangles.set(faces);
	triangles.set([faces[0]!, faces[1]!, vertices.length / 3], faces.length);
	return [raised, triangles];
}

/** MuJoCo's binary mesh format: four counts, then vertices and faces; little endian. */
function encodeMsh(vertices: Float32Array, faces: Int32Array): Uint8Array {
	const bytes = new DataView(new ArrayBuffer(16 + 4 * (vertices.length + faces.length)));
	bytes.setInt32(0, vertices.length / 3, true);
	bytes.setInt32(12, faces.length / 3, true);
	let offset = 16;
	for (const coordinate of vertices) {
		bytes.setFloat32(offset, coordinate, true);
		offset += 4;
	}
	for (const index of faces) {
		bytes.setInt32(offset, index, true);
		offset += 4;
	}
	return new Uint8Array(bytes.buffer);
}
