import { eigenSymmetric3 } from './eigen.ts';
import { mat3Determinant, mat3ToQuat } from './mat3.ts';

/** A symmetric tensor by its principal moments and the rotation from body axes to principal axes. */
export interface PrincipalInertia {
	readonly moments: Float64Array;
	/** Quaternion x, y, z, w. */
	readonly axes: Float64Array;
}

/** Principal moments of a symmetric tensor, in the order in which their axes are closest to those of the body. */
export function principalInertia(tensor: Float64Array): PrincipalInertia {
	const [xx, xy, xz, , yy, yz, , , zz] = tensor as unknown as number[];
	const size = Math.max(Math.abs(xx!), Math.abs(yy!), Math.abs(zz!));
	if (Math.max(Math.abs(xy!), Math.abs(xz!), Math.abs(yz!)) <= 1e-12 * size) {
		return { moments: Float64Array.of(xx!, yy!, zz!), axes: Float64Array.of(0, 0, 0, 1) };
	}
	const values = new Float64Array(3);
	const vectors = new Float64Array(9);
	eigenSymmetric3(values, vectors, tensor);
	let best: { order: readonly number[]; closeness: number } | undefined;
	for (const order of ORDERS) {
		const closeness = order.reduce((sum, row, axis) => sum + Math.abs(vectors[row * 3 + axis]!), 0);
		if (best === undefined || closeness > best.closeness + 1e-12) best = { order, closeness };
	}
	const rows = new Float64Array(9);
	best!.order.forEach((row, axis) => {
		const sign = vectors[row * 3 + axis]! < 0 ? -1 : 1;
		for (let k = 0; k < 3; k++) rows[axis * 3 + k] = sign * vectors[row * 3 + k]!;
	});
	// a row vector of principal axes becomes one of body axes: no reflection allowed
	if (mat3Determinant(rows) < 0) for (let k = 6; k < 9; k++) rows[k] = -rows[k]!;
	return {
		moments: Float64Array.from(best!.order, (row) => values[row]!),
		axes: mat3ToQuat(new Float64Array(4), rows),
	};
}

const ORDERS: readonly (readonly number[])[] = [
	[0, 1, 2],
	[0, 2, 1],
	[1, 0, 2],
	[1, 2, 0],
	[2, 0, 1],
	[2, 1, 0],
];
