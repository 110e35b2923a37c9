import { halfToNumber } from '@manyworlds/core';
import { dataOf, type Prim, T, type Value } from '@manyworlds/usd';

/** The number that an attribute has at the default time, of any precision; undefined without one. @public */
export function numberValue(prim: Prim, name: string): number | undefined {
	return toNumber(prim.attribute(name).get());
}

/** The bool that an attribute has. @public */
export function boolValue(prim: Prim, name: string): boolean | undefined {
	return dataOf(prim.attribute(name).get(), T.bool);
}

/** The token or string that an attribute has. @public */
export function textValue(prim: Prim, name: string): string | undefined {
	return toText(prim.attribute(name).get());
}

/** The components of a tuple as doubles; quaternions are i, j, k, real. @public */
export function tupleValue(prim: Prim, name: string, width: number): Float64Array | undefined {
	return toTuple(prim.attribute(name).get(), width);
}

/** The number that a value holds. @public */
export function toNumber(value: Value | undefined): number | undefined {
	return value !== undefined && typeof value.data === 'number' ? value.data : undefined;
}

/** The text that a value holds. @public */
export function toText(value: Value | undefined): string | undefined {
	return value !== undefined && typeof value.data === 'string' ? value.data : undefined;
}

/** The components of a tuple value. @public */
export function toTuple(value: Value | undefined, width: number): Float64Array | undefined {
	if (value === undefined || value.type.isArray || value.type.width !== width || !ArrayBuffer.isView(value.data)) {
		return undefined;
	}
	const data = value.data as Float64Array;
	return value.type.component === 'half' ? Float64Array.from(data, halfToNumber) : Float64Array.from(data);
}

/** A number for messages: at most six significant digits. @public */
export function shown(value: number): string {
	return String(Number(value.toPrecision(6)));
}
