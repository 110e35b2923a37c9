/** Colours from low to high, which are told apart by people with any eyes, also by their lightness (after viridis of matplotlib). */
export const COLOR_SCALE: readonly (readonly [number, number, number])[] = [
	[0.267, 0.005, 0.329],
	[0.229, 0.322, 0.546],
	[0.128, 0.567, 0.551],
	[0.369, 0.789, 0.383],
	[0.993, 0.906, 0.144],
];

/** Red, green and blue of each number, between the lowest and the highest of them; three numbers each. */
export function worldColors(numbers: ArrayLike<number>): Float32Array {
	const [low, high] = rangeOf(numbers);
	const out = new Float32Array(3 * numbers.length);
	const last = COLOR_SCALE.length - 1;
	for (let i = 0; i < numbers.length; i++) {
		const share = high > low ? (numbers[i]! - low) / (high - low) : 0.5;
		const place = Math.min(last - 1e-9, Math.max(0, share * last)) || 0;
		const [before, after] = [COLOR_SCALE[Math.floor(place)]!, COLOR_SCALE[Math.floor(place) + 1]!];
		const part = place - Math.floor(place);
		for (let k = 0; k < 3; k++) out[3 * i + k] = before[k]! + part * (after[k]! - before[k]!);
	}
	return out;
}

/** The lowest and the highest of some numbers. */
export function rangeOf(numbers: ArrayLike<number>): [number, number] {
	let [low, high] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
	for (let i = 0; i < numbers.length; i++) [low, high] = [Math.min(low, numbers[i]!), Math.max(high, numbers[i]!)];
	return [low, high];
}
