import { mat3ToQuat, quatFromAxisAngle, quatMultiply, vec3Cross, vec3Length } from '@manyworlds/core/internal';
import type { MjcfCompiler } from './mjcf-compiler.ts';

/** Attributes that give an orientation, with the count of their numbers. @public */
export const ORIENTATION_SIZES = { quat: 4, axisangle: 4, euler: 3, xyaxes: 6, zaxis: 3 } as const;

/** Name of an attribute that gives an orientation. @public */
export type OrientationKind = keyof typeof ORIENTATION_SIZES;

/**
 * The quaternion x y z w that the numbers of an orientation attribute stand for, angles in the unit of the model. Undefined
 * when they stand for none: a wrong count, an axis or quaternion of length zero, two parallel axes. @public
 */
export function orientationQuaternion(
	kind: OrientationKind,
	numbers: Float64Array,
	compiler: Pick<MjcfCompiler, 'degree' | 'eulerSequence'>,
): Float64Array | undefined {
	if (numbers.length !== ORIENTATION_SIZES[kind]) return undefined;
	const toRadian = compiler.degree ? Math.PI / 180 : 1;
	switch (kind) {
		case 'quat':
			return normalized(Float64Array.of(numbers[1]!, numbers[2]!, numbers[3]!, numbers[0]!));
		case 'euler':
			return mjcfEulerQuaternion(
				numbers.map((angle) => angle * toRadian),
				compiler.eulerSequence,
			);
		case 'axisangle': {
			const length = vec3Length(numbers);
			if (!(length > 0)) return undefined;
			const axis = numbers.subarray(0, 3).map((x) => x / length);
			return quatFromAxisAngle(new Float64Array(4), axis, numbers[3]! * toRadian);
		}
		case 'xyaxes':
			return fromXyAxes(numbers);
		case 'zaxis':
			return vec3Length(numbers) > 0 ? zAxisQuaternion(numbers) : undefined;
	}
}

/** Rotations about three axes [rad]: a lower-case axis turns with the frame, an upper-case one stays with the parent. @public */
export function mjcfEulerQuaternion(angles: ArrayLike<number>, sequence: string): Float64Array {
	const out = Float64Array.of(0, 0, 0, 1);
	const turn = new Float64Array(4);
	for (let i = 0; i < 3; i++) {
		const letter = sequence[i]!;
		const lower = letter.toLowerCase();
		turn.fill(0);
		turn['xyz'.indexOf(lower)] = Math.sin(angles[i]! / 2);
		turn[3] = Math.cos(angles[i]! / 2);
		if (letter === lower) quatMultiply(out, out, turn);
		else quatMultiply(out, turn, out);
	}
	return out;
}

/** The smallest rotation that takes z to a direction; half a turn about x for the opposite one. @public */
export function zAxisQuaternion(direction: ArrayLike<number>): Float64Array {
	const length = Math.hypot(direction[0]!, direction[1]!, direction[2]!);
	const z = direction[2]! / length;
	// cross product of z and the direction
	const x = -direction[1]! / length;
	const y = direction[0]! / length;
	const sine = Math.hypot(x, y);
	const axis = sine < 1e-10 ? Float64Array.of(1, 0, 0) : Float64Array.of(x / sine, y / sine, 0);
	return quatFromAxisAngle(new Float64Array(4), axis, Math.atan2(sine, z));
}

/**
 * The frame of a `fromto` segment: middle, z from the second point to the first, half the length [m]. Undefined for a
 * segment shorter than a micrometre. @public
 */
export function segmentFrame(
	numbers: Float64Array,
): { readonly position: Float64Array; readonly rotation: Float64Array; readonly halfLength: number } | undefined {
	const direction = Float64Array.of(numbers[0]! - numbers[3]!, numbers[1]! - numbers[4]!, numbers[2]! - numbers[5]!);
	const length = vec3Length(direction);
	const position = Float64Array.of(
		(numbers[0]! + numbers[3]!) / 2,
		(numbers[1]! + numbers[4]!) / 2,
		(numbers[2]! + numbers[5]!) / 2,
	);
	if (!(length >= 1e-6)) return undefined;
	return { position, rotation: zAxisQuaternion(direction), halfLength: length / 2 };
}

function fromXyAxes(numbers: Float64Array): Float64Array | undefined {
	const x = unit(numbers.slice(0, 3));
	if (x === undefined) return undefined;
	const z = unit(vec3Cross(new Float64Array(3), x, numbers.slice(3, 6)));
	if (z === undefined) return undefined;
	const y = vec3Cross(new Float64Array(3), z, x);
	// rows are the images of the axes
	return mat3ToQuat(new Float64Array(4), Float64Array.of(...x, ...y, ...z));
}

function unit(vector: Float64Array): Float64Array | undefined {
	const length = vec3Length(vector);
	return length > 0 ? vector.map((x) => x / length) : undefined;
}

/** A unit quaternion to the last bit as MuJoCo has it: degenerate paths of tendons depend on that. */
function normalized(q: Float64Array): Float64Array | undefined {
	const [x, y, z, w] = q as unknown as [number, number, number, number];
	const length = Math.sqrt(w * w + x * x + y * y + z * z);
	if (!(length > 0)) return undefined;
	return Math.abs(length - 1) > 1e-14 ? q.map((value) => value / length) : q;
}
