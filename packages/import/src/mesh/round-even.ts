/** The nearest whole number; halves go to the even neighbour, and there is no minus zero. */
export function roundEven(value: number): number {
	const rounded = Math.round(value);
	return (Math.abs(rounded - value) === 0.5 && rounded % 2 !== 0 ? rounded - 1 : rounded) + 0;
}
