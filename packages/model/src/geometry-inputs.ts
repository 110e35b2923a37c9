import { quatBetween } from '@manyworlds/core/internal';
import { ModelError } from './model-error.ts';

/** Position and quaternion x y z w, as seven numbers or as parts; parts left out are zero and identity. @public */
export type TransformInput = ArrayLike<number> | { readonly p?: ArrayLike<number>; readonly q?: ArrayLike<number> };

/** A direction: a letter or a vector of any length but zero. @public */
export type AxisInput = 'x' | 'y' | 'z' | 'X' | 'Y' | 'Z' | ArrayLike<number>;

/** The coordinate axis that points up. @public */
export type UpAxis = 'x' | 'y' | 'z';

/** Seven numbers from any way to write a transform; the quaternion is taken as it is. */
export function toTransform(input: TransformInput | undefined, what: string): Float64Array {
	if (input === undefined) return Float64Array.of(0, 0, 0, 0, 0, 0, 1);
	if (!('length' in input)) {
		const p = input.p ?? [0, 0, 0];
		const q = input.q ?? [0, 0, 0, 1];
		return toTransform([...Array.from(p), ...Array.from(q)], what);
	}
	return toNumbers(input, 7, what, 'position and quaternion x y z w');
}

/** `count` finite numbers, or an error that says what they should have been. */
export function toNumbers(input: ArrayLike<number>, count: number, what: string, meaning: string): Float64Array {
	if (input.length !== count) {
		throw new ModelError('MODEL001', `${what} has ${input.length} numbers, expected ${count}: ${meaning}`, {
			kind: what,
		});
	}
	const out = new Float64Array(count);
	for (let i = 0; i < count; i++) {
		const value = input[i];
		if (typeof value !== 'number' || Number.isNaN(value)) {
			throw new ModelError('MODEL001', `${what}[${i}] is ${value}, expected a number: ${meaning}`, { kind: what });
		}
		out[i] = value;
	}
	return out;
}

/** A unit vector from an axis letter or a vector. */
export function toAxis(input: AxisInput, what: string): Float64Array {
	if (typeof input === 'string') {
		const at = 'xyz'.indexOf(input.toLowerCase());
		if (at < 0) throw new ModelError('MODEL001', `${what} is '${input}', expected x, y, z or a vector`, { kind: what });
		const out = new Float64Array(3);
		out[at] = 1;
		return out;
	}
	const out = toNumbers(input, 3, what, 'a direction');
	const length = Math.hypot(out[0]!, out[1]!, out[2]!);
	// a zero vector stays zero: solvers treat such an axis as locked
	if (length > 0) for (let i = 0; i < 3; i++) out[i] = out[i]! / length;
	return out;
}

/** Index of an up axis. */
export function axisIndex(axis: UpAxis): 0 | 1 | 2 {
	return axis === 'x' ? 0 : axis === 'y' ? 1 : 2;
}

/** A frame whose z axis is the normal of the plane, at the point closest to the origin. */
export function planeFrame(plane: ArrayLike<number>): Float64Array {
	const [a, b, c, d] = toNumbers(plane, 4, 'plane', 'a, b, c, d of ax + by + cz + d = 0') as unknown as [
		number,
		number,
		number,
		number,
	];
	const length = Math.hypot(a, b, c);
	if (!(length > 0))
		throw new ModelError('MODEL001', 'plane has the normal 0 0 0, expected a direction', { kind: 'plane' });
	const normal = Float64Array.of(a / length, b / length, c / length);
	const frame = new Float64Array(7);
	for (let i = 0; i < 3; i++) frame[i] = (-d / length) * normal[i]!;
	quatBetween(frame, Float64Array.of(0, 0, 1), normal, 3);
	return frame;
}
