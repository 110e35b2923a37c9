// 4 × 4 matrices row after row with points as rows on the left, `p' = p · M`: the convention of `core` and USD.
// The translation is the last row, at indices 12 to 14.

/** A product that applies `a` first, then `b`. */
export function multiplyMatrices(a: ArrayLike<number>, b: ArrayLike<number>): Float64Array {
	const out = new Float64Array(16);
	for (let row = 0; row < 4; row++) {
		for (let column = 0; column < 4; column++) {
			let sum = 0;
			for (let k = 0; k < 4; k++) sum += a[row * 4 + k]! * b[k * 4 + column]!;
			out[row * 4 + column] = sum;
		}
	}
	return out;
}

/** The matrix that changes nothing. */
export function identityMatrix(): Float64Array {
	return Float64Array.of(1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1);
}

/** Determinant of the linear part. */
export function linearDeterminant(m: ArrayLike<number>): number {
	return (
		m[0]! * (m[5]! * m[10]! - m[6]! * m[9]!) -
		m[1]! * (m[4]! * m[10]! - m[6]! * m[8]!) +
		m[2]! * (m[4]! * m[9]! - m[5]! * m[8]!)
	);
}

/** Matrix of a rotation by `angle` radians about an axis of any length. */
export function rotationMatrix(x: number, y: number, z: number, angle: number): Float64Array {
	const length = Math.hypot(x, y, z);
	if (length === 0) return identityMatrix();
	const [ux, uy, uz] = [x / length, y / length, z / length];
	const c = Math.cos(angle);
	const s = Math.sin(angle);
	const t = 1 - c;
	return Float64Array.of(
		t * ux * ux + c,
		t * ux * uy + s * uz,
		t * ux * uz - s * uy,
		0,
		t * ux * uy - s * uz,
		t * uy * uy + c,
		t * uy * uz + s * ux,
		0,
		t * ux * uz + s * uy,
		t * uy * uz - s * ux,
		t * uz * uz + c,
		0,
		0,
		0,
		0,
		1,
	);
}

/** Matrix of scale, then rotation by a quaternion x y z w, then translation. */
export function composeMatrix(
	translation: ArrayLike<number>,
	rotation: ArrayLike<number>,
	scale: ArrayLike<number>,
): Float64Array {
	const norm = Math.hypot(rotation[0]!, rotation[1]!, rotation[2]!, rotation[3]!) || 1;
	const [x, y, z, w] = [rotation[0]! / norm, rotation[1]! / norm, rotation[2]! / norm, rotation[3]! / norm];
	const [sx, sy, sz] = [scale[0]!, scale[1]!, scale[2]!];
	return Float64Array.of(
		sx * (1 - 2 * (y * y + z * z)),
		sx * 2 * (x * y + z * w),
		sx * 2 * (x * z - y * w),
		0,
		sy * 2 * (x * y - z * w),
		sy * (1 - 2 * (x * x + z * z)),
		sy * 2 * (y * z + x * w),
		0,
		sz * 2 * (x * z + y * w),
		sz * 2 * (y * z - x * w),
		sz * (1 - 2 * (x * x + y * y)),
		0,
		translation[0]!,
		translation[1]!,
		translation[2]!,
		1,
	);
}
