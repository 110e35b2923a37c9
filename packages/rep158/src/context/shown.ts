/** A number for messages: at most six significant digits. */
export function shown(value: number): string {
	return String(Number(value.toPrecision(6)));
}
