import { quatBetween } from '@manyworlds/core/internal';

/** The smallest rotation x y z w from one direction to another, of any lengths; none for a direction of zeros. */
export function quatBetweenDirections(from: readonly number[], to: readonly number[]): Float64Array {
	const length = Math.hypot(...to);
	if (!(length > 0 && Number.isFinite(length))) return Float64Array.of(0, 0, 0, 1);
	const unit = Float64Array.from(to, (x) => x / length);
	return quatBetween(new Float64Array(4), Float64Array.from(from), unit);
}
