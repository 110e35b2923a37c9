import { eigenSymmetric3, mat3FromQuat, mat3RotateTensor } from '@manyworlds/core/internal';

/** Six numbers of a symmetric tensor: xx yy zz xy xz yz. */
export type Tensor = readonly [number, number, number, number, number, number];

/** A tensor given along the axes of a pose, along the axes that the pose is given in. */
export function rotateTensor(tensor: Tensor, pose: Float64Array): Tensor {
	if (pose[3] === 0 && pose[4] === 0 && pose[5] === 0) return tensor;
	const [xx, yy, zz, xy, xz, yz] = tensor;
	const rows = mat3FromQuat(new Float64Array(9), pose, 0, 3);
	const out = mat3RotateTensor(new Float64Array(9), Float64Array.of(xx, xy, xz, xy, yy, yz, xz, yz, zz), rows);
	return [out[0]!, out[4]!, out[8]!, out[1]!, out[2]!, out[5]!];
}

/**
 * The nearest tensor whose principal moments are positive and such that each two are at least the third, as those of every solid
 * are; undefined when it is one already, to rounding.
 */
export function physicalTensor(tensor: Tensor): Tensor | undefined {
	const [xx, yy, zz, xy, xz, yz] = tensor;
	const values = new Float64Array(3);
	const vectors = new Float64Array(9);
	eigenSymmetric3(values, vectors, Float64Array.of(xx, xy, xz, xy, yy, yz, xz, yz, zz));
	const largest = Math.max(...values);
	if (!(largest > 0)) return undefined;
	const sum = values[0]! + values[1]! + values[2]!;
	const least = Math.min(...values);
	if (least > 0 && sum - 2 * largest >= 0) return undefined;
	// lifting all three by the same amount keeps the axes
	const lift = Math.max(0, 2 * largest - sum) * (1 + 1e-9) + Math.max(0, 1e-9 * largest - least);
	return [xx + lift, yy + lift, zz + lift, xy, xz, yz];
}
