import { halfToNumber } from '@manyworlds/core/internal';
import { ListOp } from '../sdf/list-op.ts';
import { Path } from '../sdf/path.ts';
import { isIdentityOffset, type LayerOffset, type TimeSamples, type Value } from '../sdf/value.ts';
import { T, type ValueType } from '../sdf/value-type.ts';

/** Anything that JSON can say. */
export type Json = null | boolean | number | string | readonly Json[] | { readonly [name: string]: Json };

/** Dictionaries nested deeper than this are cut, so that hostile input cannot exhaust the stack. */
const MAX_NESTING = 200;

/**
 * A value as plain JSON data.
 *
 * Vectors are lists, matrices lists of rows, quaternions lists with the real part first, arrays lists of elements. Numbers
 * that JSON has no way to write are the strings `inf`, `-inf` and `nan`; 64-bit integers beyond 2^53 are decimal strings;
 * 32-bit and 16-bit floats have the fewest digits that name them.
 * Dictionaries are objects, time samples lists of `[time, value]`, list-ops objects with the lists that are not empty
 * (`explicit`, `prepended`, `appended`, `deleted`, `added`, `ordered`), a blocked value is null.
 * @public
 */
export function valueToJson(value: Value): Json {
	return toJson(value, 0);
}

function toJson(value: Value, nesting: number): Json {
	const { type, data } = value;
	if (nesting > MAX_NESTING) return '…';
	if (type.component !== 'other') return type.isArray ? arrayToJson(type, data) : elementToJson(type, data);
	if (type === (T.valueBlock as ValueType) || type === (T.animationBlock as ValueType)) return null;
	if (type === (T.timeSamples as ValueType)) {
		const samples = data as TimeSamples;
		return Array.from(samples.times, (time, i) => [numberToJson(time), toJson(samples.valueAt(i), nesting + 1)]);
	}
	return plainToJson(data, nesting);
}

/** Data that is not an array of numbers: dictionaries, list-ops, arcs, paths, splines, names. */
function plainToJson(data: unknown, nesting: number): Json {
	if (data === null || data === undefined) return null;
	if (nesting > MAX_NESTING) return '…';
	if (typeof data === 'boolean' || typeof data === 'string') return data;
	if (typeof data === 'number' || typeof data === 'bigint') return numberToJson(data);
	if (data instanceof Path) return data.toString();
	if (data instanceof ListOp) return listOpToJson(data, nesting);
	if (data instanceof Map) {
		return Object.fromEntries(Array.from(data, ([key, item]) => [String(key), plainToJson(item, nesting + 1)]));
	}
	if (isValue(data)) return toJson(data, nesting + 1);
	if (ArrayBuffer.isView(data)) return Array.from(data as Float64Array, numberToJson);
	if (Array.isArray(data)) return data.map((item) => plainToJson(item, nesting + 1));
	const members = Object.entries(data).filter(([name, item]) => !isTrivialMember(name, item));
	return Object.fromEntries(members.map(([name, item]) => [name, plainToJson(item, nesting + 1)]));
}

/** Parts of references and payloads that say nothing. */
function isTrivialMember(name: string, item: unknown): boolean {
	if (item === undefined) return true;
	if (name === 'layerOffset') return isIdentityOffset(item as LayerOffset);
	if (name === 'customData') return item instanceof Map && item.size === 0;
	return name === 'primPath' && item === Path.empty;
}

function isValue(data: unknown): data is Value {
	return typeof data === 'object' && data !== null && 'type' in data && 'data' in data;
}

function listOpToJson(op: ListOp<unknown>, nesting: number): Json {
	const lists: [string, readonly unknown[]][] = [
		['prepended', op.prependedItems],
		['appended', op.appendedItems],
		['deleted', op.deletedItems],
		['added', op.addedItems],
		['ordered', op.orderedItems],
	];
	if (op.isExplicit) return { explicit: op.explicitItems.map((item) => plainToJson(item, nesting + 1)) };
	return Object.fromEntries(
		lists
			.filter(([, items]) => items.length > 0)
			.map(([name, items]) => [name, items.map((item) => plainToJson(item, nesting + 1))]),
	);
}

function arrayToJson(type: ValueType, data: unknown): Json {
	if (type.component === 'text') return data as string[];
	const flat = data as Float64Array;
	const { width, element } = type;
	if (width === 1) return Array.from(flat, (component) => componentToJson(type, component));
	const list: Json[] = [];
	for (let at = 0; at < flat.length; at += width) list.push(elementToJson(element, flat.subarray(at, at + width)));
	return list;
}

function elementToJson(type: ValueType, data: unknown): Json {
	if (type.width === 1) {
		if (typeof data !== 'number' && typeof data !== 'bigint') return data as boolean | string;
		const isShort = type.component === 'float' || type.component === 'half';
		return isShort ? floatToJson(data as number) : numberToJson(data);
	}
	const components = Array.from(data as Float64Array, (component) => componentToJson(type, component));
	// stored i, j, k, real
	if (type.shape === 'quaternion') return [components[3]!, components[0]!, components[1]!, components[2]!];
	if (type.shape !== 'matrix') return components;
	const size = Math.sqrt(type.width);
	return Array.from({ length: size }, (_, row) => components.slice(row * size, (row + 1) * size));
}

function componentToJson(type: ValueType, component: number | bigint): Json {
	if (type.component === 'bool') return component !== 0;
	if (type.component === 'half') return floatToJson(halfToNumber(component as number));
	return type.component === 'float' ? floatToJson(component as number) : numberToJson(component);
}

/** A 32-bit float with the fewest digits that name it: 0.1 and not 0.10000000149011612. */
function floatToJson(value: number): Json {
	if (!Number.isFinite(value) || Number.isInteger(value)) return numberToJson(value);
	for (let digits = 6; digits < 9; digits++) {
		const short = Number(value.toPrecision(digits));
		if (Math.fround(short) === value) return short;
	}
	return Number(value.toPrecision(9));
}

function numberToJson(value: number | bigint): Json {
	if (typeof value === 'bigint') {
		const number = Number(value);
		return Number.isSafeInteger(number) ? number : value.toString();
	}
	if (Number.isFinite(value)) return value;
	if (Number.isNaN(value)) return 'nan';
	return value > 0 ? 'inf' : '-inf';
}
