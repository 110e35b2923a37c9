/** Orders texts by their UTF-16 units, as all tables of a file are ordered. */
export function compareText(a: string, b: string): number {
	return a < b ? -1 : a > b ? 1 : 0;
}
