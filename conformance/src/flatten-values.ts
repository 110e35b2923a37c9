/** Every number, text and truth value of a tree of plain data, maps, lists and typed arrays, by name: `joint_q[3]`. Numbers have seven digits. */
export function flattenValues(
	value: unknown,
	name: string,
	into: Map<string, string> = new Map(),
): Map<string, string> {
	if (value === null || value === undefined || typeof value === 'function') return into;
	if (typeof value === 'number') into.set(name, shown(value));
	else if (typeof value !== 'object') into.set(name, String(value));
	else if (ArrayBuffer.isView(value)) {
		for (const [i, item] of Array.from(value as unknown as ArrayLike<number>).entries())
			into.set(`${name}[${i}]`, shown(item));
	} else if (Array.isArray(value)) {
		for (const [i, item] of value.entries()) flattenValues(item, `${name}[${i}]`, into);
	} else if (value instanceof Map || value instanceof Set) {
		for (const [key, item] of value.entries()) flattenValues(item, `${name}.${String(key)}`, into);
	} else {
		for (const [key, item] of Object.entries(value)) flattenValues(item, name === '' ? key : `${name}.${key}`, into);
	}
	return into;
}

function shown(value: number): string {
	// both zeros are one number
	return Number.isInteger(value) ? String(value + 0) : String(Number(value.toPrecision(7)));
}
