import { UsageRangeError } from '@manyworlds/core';
import type { TransformInput } from '@manyworlds/model';

/** Seven numbers from any way to write a transform, the identity when there is none; the quaternion is made one of unit length. */
export function toTransformArray(input: TransformInput = {}): Float64Array {
	const parts =
		'length' in input
			? Array.from(input)
			: [...Array.from(input.p ?? [0, 0, 0]), ...Array.from(input.q ?? [0, 0, 0, 1])];
	const norm = Math.hypot(...parts.slice(3));
	if (parts.length !== 7 || !parts.every(Number.isFinite) || !(norm > 0)) {
		throw new UsageRangeError(`xform is [${parts.join(', ')}], expected a position and a quaternion x y z w`);
	}
	return Float64Array.from(parts, (part, i) => (i < 3 ? part : part / norm));
}
