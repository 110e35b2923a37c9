import { mat3FromQuat, mat3RotateTensor } from '@manyworlds/core/internal';

/** A tensor of a frame in the axes of the frame around it, whose pose (position, quaternion) starts at `at`. */
export function rotateInertia(tensor: Float64Array, pose: Float64Array, at = 0): Float64Array {
	const rotation = mat3FromQuat(new Float64Array(9), pose, 0, at + 3);
	return mat3RotateTensor(new Float64Array(9), tensor, rotation);
}
