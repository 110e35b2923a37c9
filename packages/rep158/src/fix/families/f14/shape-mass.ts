import { mat3Determinant } from '@manyworlds/core/internal';
import { convexHull, primitiveMass, solidMass } from '@manyworlds/mesh';
import { triangulatePolygon } from '@manyworlds/mesh/internal';
import { type Prim, T } from '@manyworlds/usd';
import { dataOf } from '@manyworlds/usd/internal';
import { hasSchema, readNumber, readNumbers, readText } from '../../../asset/read-values.ts';
import { linearPart } from '../../engine/linear.ts';

/** Volume of a collider in cubed units of the stage, as UsdPhysics takes it; undefined when it encloses none. */
export function colliderVolume(prim: Prim, world: Float64Array): number | undefined {
	const scale = Math.abs(mat3Determinant(linearPart(world)));
	const volume = localVolume(prim);
	return volume === undefined || !(volume > 0) ? undefined : volume * scale;
}

function localVolume(prim: Prim): number | undefined {
	const number = (name: string, fallback: number): number => Math.abs(readNumber(prim, name) ?? fallback);
	switch (prim.typeName) {
		case 'Cube': {
			const half = number('size', 2) / 2;
			return primitiveMass({ type: 'box', halfExtents: [half, half, half] }).mass;
		}
		case 'Sphere':
			return primitiveMass({ type: 'sphere', radius: number('radius', 1) }).mass;
		case 'Cylinder':
			return primitiveMass({ type: 'cylinder', radius: number('radius', 1), halfHeight: number('height', 2) / 2 }).mass;
		case 'Cone':
			return primitiveMass({ type: 'cone', radius: number('radius', 1), halfHeight: number('height', 2) / 2 }).mass;
		case 'Capsule':
			return primitiveMass({ type: 'capsule', radius: number('radius', 0.5), halfHeight: number('height', 1) / 2 })
				.mass;
		case 'Mesh':
			return meshVolume(prim);
		default:
			return undefined;
	}
}

function meshVolume(prim: Prim): number | undefined {
	const points = readNumbers(prim, 'points');
	const counts = dataOf(prim.attribute('faceVertexCounts').get(), T.int.array);
	const indices = dataOf(prim.attribute('faceVertexIndices').get(), T.int.array);
	if (points === undefined || counts === undefined || indices === undefined || points.length < 12) return undefined;
	const approximation = hasSchema(prim, 'PhysicsMeshCollisionAPI') ? readText(prim, 'physics:approximation') : 'none';
	if (approximation === 'convexHull' || approximation === 'convexDecomposition') {
		const hull = convexHull(points);
		return hull === undefined ? undefined : solidMass(hull.mesh).volume;
	}
	const triangles: number[] = [];
	let start = 0;
	for (const count of counts) {
		const loop = indices.subarray(start, start + count);
		for (const corner of triangulatePolygon(points, [loop]).triangles) triangles.push(loop[corner]!);
		start += count;
	}
	return solidMass({ vertices: points, indices: Uint32Array.from(triangles) }).volume;
}
