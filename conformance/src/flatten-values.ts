/** A number, text or truth value. */
export type FlatValue = number | string | boolean;

/** Every number, text and truth value of a tree of plain data, maps, lists and typed arrays, by name: `joint_q[3]`. */
export function flattenValues(
	value: unknown,
	name: string,
	into: Map<string, FlatValue> = new Map(),
): Map<string, FlatValue> {
	if (value === null || value === undefined || typeof value === 'function') return into;
	if (typeof value === 'number' || typeof value === 'string' || typeof value === 'boolean') into.set(name, value);
	else if (typeof value !== 'object') into.set(name, String(value));
	else if (ArrayBuffer.isView(value)) {
		const items = value as unknown as ArrayLike<number>;
		for (let i = 0; i < items.length; i++) into.set(`${name}[${i}]`, items[i]!);
	} else if (Array.isArray(value)) {
		for (const [i, item] of value.entries()) flattenValues(item, `${name}[${i}]`, into);
	} else if (value instanceof Map || value instanceof Set) {
		for (const [key, item] of value.entries()) flattenValues(item, `${name}.${String(key)}`, into);
	} else {
		for (const [key, item] of Object.entries(value)) flattenValues(item, name === '' ? key : `${name}.${key}`, into);
	}
	return into;
}

/** A value as text. Numbers have seven digits, and both zeros are one number. */
export function showFlatValue(value: FlatValue): string {
	if (typeof value !== 'number') return String(value);
	return Number.isInteger(value) ? String(value + 0) : String(Number(value.toPrecision(7)));
}
