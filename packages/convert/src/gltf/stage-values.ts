import { halfToNumber } from '@manyworlds/core/internal';
import type { Attribute, Prim, Value } from '@manyworlds/usd';

/** The earliest time: samples begin there, and what has none is what it always is. */
export const EARLIEST: number = -Number.MAX_VALUE;

/** Numbers of a value of any precision, one after the other. */
export function numbersIn(value: Value | undefined): ArrayLike<number> | undefined {
	if (value === undefined) return undefined;
	const { type, data } = value;
	if (typeof data === 'number') return [data];
	if (typeof data === 'boolean') return [data ? 1 : 0];
	if (!ArrayBuffer.isView(data) || data instanceof DataView || data instanceof BigInt64Array) return undefined;
	const numbers = data as unknown as ArrayLike<number>;
	return type.component === 'half' ? Float32Array.from(numbers, halfToNumber) : numbers;
}

/** The text of a token, string or asset. */
export function textIn(value: Value | undefined): string | undefined {
	return typeof value?.data === 'string' ? value.data : undefined;
}

/** A number of a prim. */
export function numberAt(prim: Prim, name: string, fallback: number): number {
	const value = prim.attribute(name).get(EARLIEST)?.data;
	return typeof value === 'number' ? value : fallback;
}

/** A token or text of a prim. */
export function textAt(prim: Prim, name: string): string | undefined {
	return textIn(prim.attribute(name).get(EARLIEST));
}

/** The numbers of an array of a prim. */
export function arrayAt(prim: Prim, name: string): ArrayLike<number> | undefined {
	return numbersIn(prim.attribute(name).get(EARLIEST));
}

/** How values of an attribute spread over a surface. */
export function interpolationOf(attribute: Attribute, fallback: string): string {
	const value = attribute.metadata('interpolation')?.data;
	return typeof value === 'string' && value !== '' ? value : fallback;
}
