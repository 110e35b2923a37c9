import type { ArrayEdit } from './array-edit.ts';
import { ListOp } from './list-op.ts';
import { Path } from './path.ts';
import type { Value } from './value.ts';

/**
 * Whether two values are the same: same type, same bits. Minus zero differs from zero; not-a-number equals itself.
 * Dictionaries and selections are unordered.
 */
export function valuesEqual(a: Value | undefined, b: Value | undefined): boolean {
	if (a === b) return true;
	if (a === undefined || b === undefined || a.type !== b.type) return false;
	if (a.type.name === 'timeSamples') return timeSamplesEqual(a as Value<SamplesLike>, b as Value<SamplesLike>);
	return dataEqual(a.data, b.data);
}

interface SamplesLike {
	readonly times: Float64Array;
	valueAt(index: number): Value;
}

function timeSamplesEqual(a: Value<SamplesLike>, b: Value<SamplesLike>): boolean {
	if (!dataEqual(a.data.times, b.data.times)) return false;
	for (let i = 0; i < a.data.times.length; i++) {
		if (!valuesEqual(a.data.valueAt(i), b.data.valueAt(i))) return false;
	}
	return true;
}

/** Compares plain data of any field: numbers by bits, lists in order, maps by key, records by property. */
function dataEqual(a: unknown, b: unknown): boolean {
	if (Object.is(a, b)) return true;
	if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false;
	// interned: equal paths are identical
	if (a instanceof Path || b instanceof Path) return false;
	if (ArrayBuffer.isView(a) && ArrayBuffer.isView(b)) return bytesEqual(a, b);
	if (Array.isArray(a)) return Array.isArray(b) && listsEqual(a, b);
	if (a instanceof Map) return b instanceof Map && mapsEqual(a, b);
	if (a instanceof ListOp || b instanceof ListOp)
		return a instanceof ListOp && b instanceof ListOp && recordsEqual(a, b);
	if (isValue(a) && isValue(b)) return valuesEqual(a, b);
	return recordsEqual(a, b);
}

function isValue(data: object): data is Value {
	return 'type' in data && 'data' in data;
}

function bytesEqual(a: ArrayBufferView, b: ArrayBufferView): boolean {
	if (a.byteLength !== b.byteLength || a.constructor !== b.constructor) return false;
	const x = new Uint8Array(a.buffer, a.byteOffset, a.byteLength);
	const y = new Uint8Array(b.buffer, b.byteOffset, b.byteLength);
	for (let i = 0; i < x.length; i++) {
		if (x[i] !== y[i]) return floatsEqual(a, b);
	}
	return true;
}

/** Not-a-number has many bit patterns, all of them equal. */
function floatsEqual(a: ArrayBufferView, b: ArrayBufferView): boolean {
	const isFloat = (v: ArrayBufferView) => v instanceof Float32Array || v instanceof Float64Array;
	return isFloat(a) && isFloat(b) && listsEqual(a as Float64Array, b as Float64Array);
}

function listsEqual(a: ArrayLike<unknown>, b: ArrayLike<unknown>): boolean {
	if (a.length !== b.length) return false;
	for (let i = 0; i < a.length; i++) {
		if (!dataEqual(a[i], b[i])) return false;
	}
	return true;
}

function mapsEqual(a: ReadonlyMap<unknown, unknown>, b: ReadonlyMap<unknown, unknown>): boolean {
	if (a.size !== b.size) return false;
	for (const [key, value] of a) {
		if (!b.has(key) || !dataEqual(value, b.get(key))) return false;
	}
	return true;
}

function recordsEqual(a: object, b: object): boolean {
	const x = a as Readonly<Record<string, unknown>>;
	const y = b as Readonly<Record<string, unknown>>;
	for (const key of new Set([...Object.keys(x), ...Object.keys(y)])) {
		// array edits refer to a value type, which is one object per type
		if (key === 'arrayType' ? (a as ArrayEdit).arrayType !== (b as ArrayEdit).arrayType : !dataEqual(x[key], y[key])) {
			return false;
		}
	}
	return true;
}
