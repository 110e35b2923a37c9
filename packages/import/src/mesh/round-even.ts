/** Numbers of this size have no fraction bits: adding it rounds, as the processor does, halves to even. */
const NO_FRACTION = 1.5 * 2 ** 52;

/** The nearest whole number; halves go to the even neighbour, and there is no minus zero. */
export function roundEven(value: number): number {
	if (Math.abs(value) < 2 ** 51) return value + NO_FRACTION - NO_FRACTION;
	const rounded = Math.round(value);
	return Math.abs(rounded - value) === 0.5 && rounded % 2 !== 0 ? rounded - 1 : rounded;
}
