import {
	createBox,
	createCapsule,
	createCone,
	createCylinder,
	createEllipsoid,
	createPlane,
	type TriangleMesh,
} from '@manyworlds/mesh';
import { joinCorners } from './join-corners.ts';
import { creasedNormals, type SurfaceMesh, Triangles } from './surface-mesh.ts';

/** A shape that USD and robots have a word for, its axis along z. */
export type PlainShape =
	| { readonly kind: 'box'; readonly half: readonly [number, number, number] }
	| { readonly kind: 'ellipsoid'; readonly radii: readonly [number, number, number] }
	| { readonly kind: 'cylinder' | 'capsule' | 'cone'; readonly radius: number; readonly half: number }
	| { readonly kind: 'plane'; readonly half: readonly [number, number] };

/** Pieces around round shapes. */
const ROUND = { segments: 64, rings: 32 };

/** Faces that turn more than this away from each other meet in an edge [rad]. */
const CREASE = Math.PI / 6;

/** Shapes as triangles, each made once. */
export class Tessellator {
	readonly #known = new Map<string, SurfaceMesh | undefined>();

	/** The triangles of a shape, see {@link tessellate}. */
	mesh(shape: PlainShape, axis: 'X' | 'Y' | 'Z' = 'Z'): SurfaceMesh | undefined {
		const key = `${axis} ${JSON.stringify(shape)}`;
		if (!this.#known.has(key)) this.#known.set(key, tessellate(shape, axis));
		return this.#known.get(key);
	}
}

/** A shape as triangles with their corners on its surface, smooth where it is round. Undefined for sizes that make no shape. */
function tessellate(shape: PlainShape, axis: 'X' | 'Y' | 'Z'): SurfaceMesh | undefined {
	const sizes = 'half' in shape ? [shape.half].flat() : [...shape.radii];
	if ('radius' in shape) sizes.push(shape.radius);
	if (!sizes.every((size) => Number.isFinite(size) && size >= 0)) return undefined;
	if (sizes.some((size) => size === 0) && !(shape.kind === 'capsule' && shape.radius > 0)) return undefined;
	const { vertices, indices } = trianglesOf(shape);
	// the axes in turn, so that z becomes the axis and nothing is mirrored
	const [x, y, z] = axis === 'X' ? [1, 2, 0] : axis === 'Y' ? [2, 0, 1] : [0, 1, 2];
	const points = new Float64Array(vertices.length);
	for (let i = 0; i < vertices.length; i += 3) {
		points[i + x!] = vertices[i]!;
		points[i + y!] = vertices[i + 1]!;
		points[i + z!] = vertices[i + 2]!;
	}
	const data = creasedNormals(points, indices, CREASE);
	const {
		positions,
		indices: joined,
		values,
	} = joinCorners(points, indices, Triangles.plain(indices.length / 3), [{ data, width: 3, per: 'corner' }]);
	return { positions, indices: joined, normals: values[0]!, uvs: [] };
}

function trianglesOf(shape: PlainShape): TriangleMesh {
	switch (shape.kind) {
		case 'box':
			return createBox(...shape.half);
		case 'ellipsoid':
			return createEllipsoid(...shape.radii, ROUND);
		case 'cylinder':
			return createCylinder(shape.radius, shape.half, ROUND);
		case 'capsule':
			return createCapsule(shape.radius, shape.half, ROUND);
		case 'cone':
			return createCone(shape.radius, shape.half, ROUND);
		case 'plane':
			return createPlane(...shape.half);
	}
}
