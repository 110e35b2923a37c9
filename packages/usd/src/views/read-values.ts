import { halfToNumber } from '@manyworlds/core/internal';
import { dataOf, type Value } from '../sdf/value.ts';
import { T, type ValueType } from '../sdf/value-type.ts';
import type { Prim } from '../usd/prim.ts';

/** A number attribute of any precision; undefined when it has no value or another type. */
export function readNumber(prim: Prim, name: string, time?: number): number | undefined {
	return numberOf(prim.attribute(name).get(time));
}

/** A bool attribute. */
export function readBool(prim: Prim, name: string, time?: number): boolean | undefined {
	return dataOf(prim.attribute(name).get(time), T.bool);
}

/** A token or string attribute. */
export function readText(prim: Prim, name: string, time?: number): string | undefined {
	const value = prim.attribute(name).get(time);
	return dataOf(value, T.token) ?? dataOf(value, T.string);
}

/** Components of a tuple of `width` numbers of any precision, as doubles. Quaternions are i, j, k, real. */
export function readTuple(prim: Prim, name: string, width: number, time?: number): Float64Array | undefined {
	return tupleOf(prim.attribute(name).get(time), width);
}

/** Components of an array of tuples of `width` numbers, one after the other. */
export function readTuples(prim: Prim, name: string, width: number, time?: number): NumberArray | undefined {
	return tuplesOf(prim.attribute(name).get(time), width);
}

/** An array of 32-bit integers. */
export function readInts(prim: Prim, name: string, time?: number): Int32Array | undefined {
	return dataOf(prim.attribute(name).get(time), T.int.array);
}

/** Typed arrays that components of values come in. */
export type NumberArray = Float32Array | Float64Array | Int32Array | Uint32Array;

/** The number that a scalar value holds. */
export function numberOf(value: Value | undefined): number | undefined {
	if (value === undefined || value.type.isArray || value.type.width !== 1) return undefined;
	return typeof value.data === 'number' ? value.data : undefined;
}

/** The components of a tuple value, as doubles. */
export function tupleOf(value: Value | undefined, width: number): Float64Array | undefined {
	if (value === undefined) return undefined;
	const { type, data } = value;
	if (type.isArray || type.width !== width || !isNumeric(type)) return undefined;
	return type.component === 'half'
		? Float64Array.from(data as Uint16Array, halfToNumber)
		: Float64Array.from(data as NumberArray);
}

/** The components of an array of tuples; arrays of halfs are widened. */
export function tuplesOf(value: Value | undefined, width: number): NumberArray | undefined {
	if (value === undefined) return undefined;
	const { type, data } = value;
	if (!type.isArray || type.width !== width || !isNumeric(type)) return undefined;
	return type.component === 'half' ? Float32Array.from(data as Uint16Array, halfToNumber) : (data as NumberArray);
}

function isNumeric({ component }: ValueType): boolean {
	return (
		component === 'half' ||
		component === 'float' ||
		component === 'double' ||
		component === 'int' ||
		component === 'uint'
	);
}
