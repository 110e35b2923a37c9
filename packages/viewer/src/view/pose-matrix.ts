import type { Matrix4 } from 'three';

/** Writes a pose (position, rotation x y z w) at a place of an array as a matrix. */
export function writePose(out: Matrix4, poses: ArrayLike<number>, at: number): Matrix4 {
	const [x, y, z, w] = [poses[at + 3]!, poses[at + 4]!, poses[at + 5]!, poses[at + 6]!];
	return out.set(
		1 - 2 * (y * y + z * z),
		2 * (x * y - z * w),
		2 * (x * z + y * w),
		poses[at]!,
		2 * (x * y + z * w),
		1 - 2 * (x * x + z * z),
		2 * (y * z - x * w),
		poses[at + 1]!,
		2 * (x * z - y * w),
		2 * (y * z + x * w),
		1 - 2 * (x * x + y * y),
		poses[at + 2]!,
		0,
		0,
		0,
		1,
	);
}
