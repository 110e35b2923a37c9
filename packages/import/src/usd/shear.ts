import {
	mat3Determinant,
	mat3Polar,
	mat3ToQuat,
	mat4Invert,
	mat4Multiply,
	transformToMat4,
} from '@manyworlds/core/internal';
import type { ShapeMesh } from '@manyworlds/model';
import type { Prim } from '@manyworlds/usd';
import type { ImportContext } from './context.ts';
import { makePose, type Pose } from './poses.ts';

/** A transform that no pose and scale along the axes make up: first a stretch along any directions, then a pose. */
export interface Shear {
	readonly pose: Pose;
	/** Symmetric, 3 × 3; points are rows and stand on the left. */
	readonly stretch: Float64Array;
}

/** Axes are square to each other up to this share of their lengths. */
const SQUARE = 1e-6;

/** The shear in a matrix; undefined when it has none. */
export function shearOf(matrix: Float64Array): Shear | undefined {
	if (areSquare(matrix, 0, 4) && areSquare(matrix, 0, 8) && areSquare(matrix, 4, 8)) return undefined;
	const linear = Float64Array.of(
		matrix[0]!,
		matrix[1]!,
		matrix[2]!,
		matrix[4]!,
		matrix[5]!,
		matrix[6]!,
		matrix[8]!,
		matrix[9]!,
		matrix[10]!,
	);
	const rotation = new Float64Array(9);
	const stretch = new Float64Array(9);
	mat3Polar(rotation, stretch, linear);
	if (mat3Determinant(rotation) < 0) {
		// a mirroring matrix: the stretch mirrors through the origin, the rest turns
		for (let k = 0; k < 9; k++) {
			rotation[k] = -rotation[k]!;
			stretch[k] = -stretch[k]!;
		}
	}
	const quaternion = mat3ToQuat(new Float64Array(4), rotation);
	return { pose: makePose(matrix.subarray(12), quaternion), stretch };
}

/** Whether two rows of a matrix, by where they begin, are square to each other. */
function areSquare(matrix: Float64Array, a: number, b: number): boolean {
	const first = Math.sqrt(rowProduct(matrix, a, a));
	const second = Math.sqrt(rowProduct(matrix, b, b));
	return Math.abs(rowProduct(matrix, a, b)) <= SQUARE * first * second;
}

function rowProduct(m: Float64Array, a: number, b: number): number {
	return m[a]! * m[b]! + m[a + 1]! * m[b + 1]! + m[a + 2]! * m[b + 2]!;
}

/** The shear of a collider in the frame of its body, or on the stage. Newton and the parser drop it. */
export function colliderShear(ctx: ImportContext, prim: Prim, body: Prim | undefined): Shear | undefined {
	if (ctx.options.newtonCompat) return undefined;
	const world = ctx.transforms.worldTransform(prim);
	if (body === undefined) return shearOf(world);
	const frame = transformToMat4(new Float64Array(16), ctx.factored(body).pose);
	mat4Invert(frame, frame);
	return shearOf(mat4Multiply(new Float64Array(16), world, frame));
}

/** A mesh with its points stretched; normals no longer fit. */
export function stretchMesh({ normals: _normals, ...mesh }: ShapeMesh, m: Float64Array): ShapeMesh {
	const vertices = new Float64Array(mesh.vertices.length);
	for (let i = 0; i < vertices.length; i += 3) {
		const [x, y, z] = [mesh.vertices[i]!, mesh.vertices[i + 1]!, mesh.vertices[i + 2]!];
		for (let k = 0; k < 3; k++) vertices[i + k] = x * m[k]! + y * m[3 + k]! + z * m[6 + k]!;
	}
	if (mat3Determinant(m) >= 0) return { ...mesh, vertices };
	// mirrored triangles face inwards unless they are turned over
	const indices = mesh.indices.slice();
	for (let i = 0; i < indices.length; i += 3) [indices[i], indices[i + 2]] = [indices[i + 2]!, indices[i]!];
	return { ...mesh, vertices, indices };
}
