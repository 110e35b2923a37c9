import {
	mat3Determinant,
	mat3Polar,
	mat3ToQuat,
	mat4Identity,
	mat4Invert,
	mat4Multiply,
} from '@manyworlds/core/internal';
import type { GltfObject } from './gltf-document.ts';

/** Where a node stands in its parent, and the matrix that this makes (points are rows). */
export interface NodeTransform {
	readonly translation: readonly [number, number, number];
	/** x y z w. */
	readonly rotation: readonly [number, number, number, number];
	readonly scale: readonly [number, number, number];
	readonly matrix: Float64Array;
	/** Whether the matrix is the one that was asked for: not when that shears. */
	readonly isExact: boolean;
}

/** Axes are square to each other up to this share of their lengths, and factors are 1 up to this. */
const NEAR = 1e-6;

/**
 * A matrix as translation, rotation and scale. What shears, or squeezes space flat, keeps its translation and rotation only: the rest
 * is for the points. A matrix that mirrors has a negative factor along x.
 */
export function nodeTransform(m: Float64Array, keepsScale = true): NodeTransform {
	const lengths = [0, 4, 8].map((row) => Math.hypot(m[row]!, m[row + 1]!, m[row + 2]!)) as [number, number, number];
	const largest = Math.max(...lengths);
	const isFlat = !(Math.min(...lengths) > 1e-12 * largest) || largest === 0;
	const dot = (i: number, j: number): number =>
		m[4 * i]! * m[4 * j]! + m[4 * i + 1]! * m[4 * j + 1]! + m[4 * i + 2]! * m[4 * j + 2]!;
	const isSquare = (i: number, j: number): boolean => Math.abs(dot(i, j)) <= NEAR * lengths[i]! * lengths[j]!;
	const isSheared = isFlat || !(isSquare(0, 1) && isSquare(0, 2) && isSquare(1, 2));
	const linear = Float64Array.of(m[0]!, m[1]!, m[2]!, m[4]!, m[5]!, m[6]!, m[8]!, m[9]!, m[10]!);
	const sign = mat3Determinant(linear) < 0 ? -1 : 1;
	const rotation = new Float64Array(9);
	if (isFlat) for (let k = 0; k < 3; k++) rotation[4 * k] = 1;
	else if (isSheared) {
		mat3Polar(rotation, new Float64Array(9), linear);
		if (sign < 0) for (let k = 0; k < 9; k++) rotation[k] = -rotation[k]!;
	} else {
		for (let k = 0; k < 9; k++) rotation[k] = linear[k]! / (lengths[Math.floor(k / 3)]! * (k < 3 ? sign : 1));
	}
	const [x, y, z, w] = mat3ToQuat(new Float64Array(4), rotation) as unknown as [number, number, number, number];
	const norm = Math.hypot(x, y, z, w);
	const hasScale = keepsScale && !isSheared;
	const snapped = (value: number): number => (Math.abs(value - 1) <= NEAR ? 1 : value);
	const scale: [number, number, number] = hasScale
		? [sign * snapped(lengths[0]), snapped(lengths[1]), snapped(lengths[2])]
		: [1, 1, 1];
	const matrix = mat4Identity(new Float64Array(16));
	for (let row = 0; row < 3; row++) {
		for (let k = 0; k < 3; k++) matrix[4 * row + k] = scale[row]! * rotation[3 * row + k]!;
		matrix[12 + row] = m[12 + row]!;
	}
	return {
		translation: [m[12]!, m[13]!, m[14]!],
		rotation: [x / norm, y / norm, z / norm, w / norm],
		scale,
		matrix,
		isExact: isNear(matrix, m, largest),
	};
}

/** The parts of a transform that a node has to say. */
export function transformParts({ translation, rotation, scale }: NodeTransform): GltfObject {
	return {
		...(translation.some((value) => value !== 0) ? { translation } : {}),
		...(Math.abs(rotation[3]) < 1 && rotation.slice(0, 3).some((value) => value !== 0) ? { rotation } : {}),
		...(scale.some((value) => value !== 1) ? { scale } : {}),
	};
}

/** The matrix that applies `a`, then `b`. */
export function product(a: Float64Array, b: Float64Array): Float64Array {
	return mat4Multiply(new Float64Array(16), a, b);
}

/** A matrix in the frame of another, which must not squeeze space flat. */
export function relativeTo(matrix: Float64Array, frame: Float64Array): Float64Array {
	const back = new Float64Array(16);
	mat4Invert(back, frame);
	return product(matrix, back);
}

/** Whether two matrices are the same up to rounding. */
export function isNear(a: Float64Array, b: Float64Array, size = 1): boolean {
	for (let k = 0; k < 12; k++) if (!(Math.abs(a[k]! - b[k]!) <= 2 * NEAR * Math.max(size, 1e-300))) return false;
	return true;
}

/** Whether a matrix changes nothing that single precision would show. */
export function isIdentity(matrix: Float64Array): boolean {
	return isNear(matrix, identity()) && matrix.subarray(12, 15).every((part) => Math.abs(part) <= NEAR);
}

/** The matrix that changes nothing. */
export function identity(): Float64Array {
	return mat4Identity(new Float64Array(16));
}
