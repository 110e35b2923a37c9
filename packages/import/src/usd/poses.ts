import { mat3ToQuat, quatBetween, quatMultiply, transformInvert, transformMultiply } from '@manyworlds/core/internal';

/** A pose as seven numbers: position, quaternion x y z w. */
export type Pose = Float64Array;

/** The pose that changes nothing. */
export function identityPose(): Pose {
	return Float64Array.of(0, 0, 0, 0, 0, 0, 1);
}

/** Poses applied one inside the other: the last one is innermost. */
export function composePoses(...poses: readonly Pose[]): Pose {
	let out = identityPose();
	for (const pose of poses) out = transformMultiply(new Float64Array(7), out, pose);
	return out;
}

/** The pose of the outer frame in the inner one. */
export function inversePose(pose: Pose): Pose {
	return transformInvert(new Float64Array(7), pose);
}

/** A pose from a position and a quaternion of any number type; the quaternion is made one of unit length. */
export function makePose(position: ArrayLike<number>, rotation: ArrayLike<number>): Pose {
	const norm = Math.hypot(rotation[0]!, rotation[1]!, rotation[2]!, rotation[3]!);
	const unit = norm > 0 ? 1 / norm : 0;
	return Float64Array.of(
		position[0]!,
		position[1]!,
		position[2]!,
		rotation[0]! * unit,
		rotation[1]! * unit,
		rotation[2]! * unit,
		norm > 0 ? rotation[3]! * unit : 1,
	);
}

/** A matrix of USD (points as rows) as a pose and factors along the axes of the inner frame. */
export interface Decomposed {
	readonly pose: Pose;
	/** The first is negative when the matrix mirrors. */
	readonly scale: readonly [number, number, number];
}

/** Takes the lengths of the axes off a matrix; a mirroring one is read as mirrored along x. Shear is dropped. */
export function decomposeMatrix(m: Float64Array): Decomposed {
	const length = (row: number): number => Math.hypot(m[row]!, m[row + 1]!, m[row + 2]!);
	const lengths: [number, number, number] = [length(0), length(4), length(8)];
	const determinant =
		m[0]! * (m[5]! * m[10]! - m[6]! * m[9]!) -
		m[1]! * (m[4]! * m[10]! - m[6]! * m[8]!) +
		m[2]! * (m[4]! * m[9]! - m[5]! * m[8]!);
	const isMirrored = determinant < 0;
	const rotation = new Float64Array(9);
	for (let row = 0; row < 3; row++) {
		const size = lengths[row]! * (isMirrored && row === 0 ? -1 : 1);
		for (let k = 0; k < 3; k++) rotation[row * 3 + k] = size === 0 ? (row === k ? 1 : 0) : m[row * 4 + k]! / size;
	}
	const quaternion = new Float64Array(4);
	mat3ToQuat(quaternion, rotation);
	const scale: [number, number, number] = [isMirrored ? -lengths[0] : lengths[0], lengths[1], lengths[2]];
	return { pose: makePose(m.subarray(12), quaternion), scale };
}

const AXES: Readonly<Record<'X' | 'Y' | 'Z', Float64Array>> = {
	X: Float64Array.of(1, 0, 0),
	Y: Float64Array.of(0, 1, 0),
	Z: Float64Array.of(0, 0, 1),
};

/** The shortest turn from one axis to another. */
export function axisTurn(from: 'X' | 'Y' | 'Z', to: 'X' | 'Y' | 'Z'): Float64Array {
	return quatBetween(new Float64Array(4), AXES[from], AXES[to]);
}

/** A pose whose z axis is turned to `axis`: shapes of Newton stand along z. */
export function turnToAxis(pose: Pose, axis: 'X' | 'Y' | 'Z'): Pose {
	if (axis === 'Z') return pose;
	const out = pose.slice();
	quatMultiply(out, pose, axisTurn('Z', axis), 3, 3, 0);
	return out;
}

/** Whether a pose changes next to nothing: by no more than 1e-6 in each number. */
export function isIdentityPose(pose: Pose): boolean {
	return pose.subarray(0, 3).every((x) => Math.abs(x) <= 1e-6) && Math.abs(pose[6]!) > 1 - 1e-6;
}

/**
 * What Newton makes of a mirroring matrix: the formula for rotations applied to a matrix that is none. Only to repeat its
 * fault.
 */
export function mirroredPose(m: Float64Array): Pose {
	const at = (row: number, column: number): number =>
		m[row * 4 + column]! / Math.hypot(m[row * 4]!, m[row * 4 + 1]!, m[row * 4 + 2]!);
	const q = [0, 0, 0, 0];
	const trace = at(0, 0) + at(1, 1) + at(2, 2);
	if (trace >= 0) {
		const h = Math.sqrt(trace + 1);
		q[3] = 0.5 * h;
		q[0] = ((at(1, 2) - at(2, 1)) * 0.5) / h;
		q[1] = ((at(2, 0) - at(0, 2)) * 0.5) / h;
		q[2] = ((at(0, 1) - at(1, 0)) * 0.5) / h;
	} else {
		let i = at(1, 1) > at(0, 0) ? 1 : 0;
		if (at(2, 2) > at(i, i)) i = 2;
		const [j, k] = [(i + 1) % 3, (i + 2) % 3];
		const h = Math.sqrt(at(i, i) - (at(j, j) + at(k, k)) + 1);
		q[i] = 0.5 * h;
		q[j] = ((at(i, j) + at(j, i)) * 0.5) / h;
		q[k] = ((at(k, i) + at(i, k)) * 0.5) / h;
		q[3] = ((at(j, k) - at(k, j)) * 0.5) / h;
	}
	return makePose(m.subarray(12), q);
}
