/** The shortest text of a number that reads back the same. */
export function numberText(value: number): string {
	return Object.is(value, -0) ? '0' : String(value);
}

/** Numbers with spaces between. */
export function numbersText(values: Iterable<number>): string {
	return Array.from(values, numberText).join(' ');
}
