import { halfToNumber } from '@manyworlds/core/internal';
import type { Prim, Value } from '@manyworlds/usd';

/**
 * A USD value as plain data: numbers, truth values and texts as they are, vectors and quaternions (x y z w) as lists,
 * matrices as lists of rows, arrays as lists of those. @public
 */
export type PlainValue = boolean | number | bigint | string | readonly PlainValue[];

/** A USD value as plain data; undefined for values that attributes do not have. */
export function plainValue(value: Value): PlainValue | undefined {
	const { type, data } = value;
	if (type.component === 'other') return undefined;
	if (!type.isArray && type.width === 1) return data as PlainValue;
	const numbers = toList(data as ArrayLike<number | string>, type.component);
	if (type.width === 1) return numbers;
	const items = split(numbers, type.width).map((item) => (type.shape === 'matrix' ? rowsOf(item) : item));
	return type.isArray ? items : items[0];
}

/** The value that layers give an attribute at the default time; undefined when none does, or for a blocked one. */
export function authoredValue(prim: Prim, name: string): PlainValue | undefined {
	const attribute = prim.attribute(name);
	if (!attribute.hasAuthoredValue) return undefined;
	const value = attribute.get();
	return value === undefined ? undefined : plainValue(value);
}

/** The value of an attribute, fallbacks included. */
export function attributeValue(prim: Prim, name: string): PlainValue | undefined {
	const value = prim.attribute(name).get();
	return value === undefined ? undefined : plainValue(value);
}

/** A number of any precision. */
export function asNumber(value: PlainValue | undefined): number | undefined {
	if (typeof value === 'bigint') return Number(value);
	return typeof value === 'number' ? value : undefined;
}

/** A truth value; numbers count as C has them. */
export function asBool(value: PlainValue | undefined): boolean | undefined {
	if (typeof value === 'boolean') return value;
	const number = asNumber(value);
	return number === undefined ? undefined : number !== 0;
}

/** A list of numbers, of the given length if one is given. */
export function asNumbers(value: PlainValue | undefined, length?: number): number[] | undefined {
	if (!Array.isArray(value) || (length !== undefined && value.length !== length)) return undefined;
	const numbers = value.map(asNumber);
	return numbers.every((item) => item !== undefined) ? numbers : undefined;
}

/** A short text for people. */
export function showValue(value: PlainValue | undefined): string {
	const text =
		value === undefined
			? 'no value'
			: Array.isArray(value)
				? `(${value.slice(0, 10).map(showValue).join(', ')}${value.length > 10 ? `, … ${value.length} in all` : ''})`
				: typeof value === 'string'
					? `'${value}'`
					: String(value);
	return text.length > 120 ? `${text.slice(0, 119)}…` : text;
}

function toList(data: ArrayLike<number | string>, component: string): PlainValue[] {
	if (component === 'half') return Array.from(data as ArrayLike<number>, halfToNumber);
	if (component === 'bool') return Array.from(data, (item) => item === 1 || (item as unknown) === true);
	return Array.from(data);
}

function split(items: readonly PlainValue[], width: number): PlainValue[][] {
	const out: PlainValue[][] = [];
	for (let i = 0; i < items.length; i += width) out.push(items.slice(i, i + width));
	return out;
}

function rowsOf(matrix: readonly PlainValue[]): PlainValue[][] {
	return split(matrix, Math.sqrt(matrix.length));
}
