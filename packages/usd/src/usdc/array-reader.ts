import { numberToHalf } from '@manyworlds/core/internal';
import { type Component, T, type ValueType } from '../sdf/value-type.ts';
import { readCompressedInts32, readCompressedInts64, type Scratch } from './compressed-ints.ts';
import type { CrateCursor } from './crate-cursor.ts';
import { CrateFault } from './crate-fault.ts';
import { MIN_COMPRESSED_ARRAY_SIZE } from './crate-format.ts';
import type { DecodeBudget } from './decode-budget.ts';

/** Array data of all types but text. */
export type NumericArray =
	| Uint8Array
	| Int32Array
	| Uint32Array
	| BigInt64Array
	| BigUint64Array
	| Uint16Array
	| Float32Array
	| Float64Array;

/** How much array data was asked for: a file can be opened without touching any. */
export interface ArrayStatistics {
	/** Bytes of array data copied or decompressed. */
	decodedArrayBytes: number;
	/** Bytes of array data handed out as views of the file. */
	viewedArrayBytes: number;
}

/** Reads array values. */
export class ArrayReader {
	readonly #cursor: CrateCursor;
	readonly #scratch: Scratch;
	readonly #minor: number;
	readonly #budget: DecodeBudget;
	readonly #text: (type: ValueType, index: number) => string;
	readonly statistics: ArrayStatistics = { decodedArrayBytes: 0, viewedArrayBytes: 0 };

	/** @param text - finds the text of an element by its index */
	constructor(
		cursor: CrateCursor,
		scratch: Scratch,
		minor: number,
		budget: DecodeBudget,
		text: (type: ValueType, index: number) => string,
	) {
		this.#cursor = cursor;
		this.#scratch = scratch;
		this.#minor = minor;
		this.#budget = budget;
		this.#text = text;
	}

	/** Reads an array of `element` at `offset`; offset 0 is the empty array. */
	read(element: ValueType, offset: number, isCompressed: boolean): NumericArray | string[] {
		const { component, width } = element;
		if (offset === 0) return component === 'text' ? [] : createNumbers(component, 0);
		const cursor = this.#cursor;
		cursor.seek(offset);
		// Before 0.5 arrays had a rank, which was always 1.
		if (this.#minor < 5) cursor.uint32();
		const count = this.#minor < 7 ? cursor.uint32() : cursor.uint64();
		if (component === 'text') return this.#readText(element, count);
		if (isCompressed && width === 1 && count >= MIN_COMPRESSED_ARRAY_SIZE) {
			// A timecode or duration has double components but is never compressed.
			const isNumber = element !== (T.timecode as ValueType) && element !== (T.duration as ValueType);
			if (this.#minor >= 5 && isInteger(component)) return this.#readCompressedInts(component, count, offset);
			if (this.#minor >= 6 && isNumber && isFloat(component))
				return this.#readCompressedFloats(component, count, offset);
		}
		return this.readNumbers(component, count * width);
	}

	/** Reads `count` numbers as they lie in the file: as a view when they are aligned, else as a copy. */
	readNumbers(component: Component, count: number): NumericArray {
		const cursor = this.#cursor;
		const size = cursor.need(count, componentSize(component), 'an array');
		const start = cursor.bytes.byteOffset + cursor.at;
		const at = cursor.at;
		cursor.at += size;
		if (start % componentSize(component) === 0) {
			this.statistics.viewedArrayBytes += size;
			const view = viewNumbers(component, cursor.bytes.buffer, start, count);
			return component === 'bool' ? this.#truthValues(view as Uint8Array) : view;
		}
		this.#budget.spend(at, size, 'an array');
		this.statistics.decodedArrayBytes += size;
		const copy = new Uint8Array(size);
		copy.set(cursor.bytes.subarray(at, at + size));
		return viewNumbers(component, copy.buffer, 0, count);
	}

	/** Booleans are bytes 0 and 1; a damaged file may hold others. */
	#truthValues(bytes: Uint8Array): Uint8Array {
		for (let i = 0; i < bytes.length; i++) {
			if (bytes[i]! <= 1) continue;
			this.statistics.decodedArrayBytes += bytes.length;
			return bytes.map((byte) => (byte === 0 ? 0 : 1));
		}
		return bytes;
	}

	#readText(element: ValueType, count: number): string[] {
		this.#budget.spend(this.#cursor.at, this.#cursor.need(count, 4, 'an array of text'), 'an array of text');
		this.statistics.decodedArrayBytes += count * 4;
		const items: string[] = new Array(count);
		for (let i = 0; i < count; i++) items[i] = this.#text(element, this.#cursor.uint32());
		return items;
	}

	#readCompressedInts(component: Component, count: number, offset: number): NumericArray {
		this.#admit(count, component, offset);
		const what = 'a compressed array';
		switch (component) {
			case 'int':
				return readCompressedInts32(this.#cursor, this.#scratch, count, (n) => new Int32Array(n), what);
			case 'uint':
				return readCompressedInts32(this.#cursor, this.#scratch, count, (n) => new Uint32Array(n), what);
			case 'int64':
				return readCompressedInts64(this.#cursor, this.#scratch, count, (n) => new BigInt64Array(n), what);
			default:
				return readCompressedInts64(this.#cursor, this.#scratch, count, (n) => new BigUint64Array(n), what);
		}
	}

	/** Floating-point arrays are compressed when all are small integers ('i') or few values repeat ('t'). */
	#readCompressedFloats(component: Component, count: number, offset: number): NumericArray {
		this.#admit(count, component, offset);
		const cursor = this.#cursor;
		const code = cursor.uint8();
		if (code === 0x69) {
			const ints = readCompressedInts32(cursor, this.#scratch, count, (n) => new Int32Array(n), 'a compressed array');
			const result = createNumbers(component, count) as Uint16Array | Float32Array | Float64Array;
			if (component === 'half') for (let i = 0; i < count; i++) result[i] = numberToHalf(ints[i]!);
			else for (let i = 0; i < count; i++) result[i] = ints[i]!;
			return result;
		}
		if (code !== 0x74) {
			throw new CrateFault(`a compressed array has coding ${code}, expected 105 ('i') or 116 ('t')`, cursor.at - 1);
		}
		const tableSize = cursor.uint32();
		const size = cursor.need(tableSize, componentSize(component), 'a lookup table');
		const bytes = new Uint8Array(size);
		bytes.set(cursor.bytes.subarray(cursor.at, cursor.at + size));
		cursor.at += size;
		const table = viewNumbers(component, bytes.buffer, 0, tableSize) as Uint16Array | Float32Array | Float64Array;
		const indexes = readCompressedInts32(cursor, this.#scratch, count, (n) => new Uint32Array(n), 'a compressed array');
		const result = createNumbers(component, count) as Uint16Array | Float32Array | Float64Array;
		for (let i = 0; i < count; i++) {
			const index = indexes[i]!;
			if (index >= tableSize) {
				throw new CrateFault(`a compressed array uses entry ${index} of a lookup table of ${tableSize}`, offset);
			}
			result[i] = table[index]!;
		}
		return result;
	}

	/** Compressed arrays can be much larger than the file: there is a limit. */
	#admit(count: number, component: Component, offset: number): void {
		const size = count * componentSize(component);
		this.#budget.spend(offset, size, 'an array');
		this.statistics.decodedArrayBytes += size;
	}
}

function isInteger(component: Component): boolean {
	return component === 'int' || component === 'uint' || component === 'int64' || component === 'uint64';
}

function isFloat(component: Component): boolean {
	return component === 'half' || component === 'float' || component === 'double';
}

/** Bytes of one component. */
export function componentSize(component: Component): number {
	switch (component) {
		case 'bool':
		case 'uchar':
			return 1;
		case 'half':
			return 2;
		case 'int64':
		case 'uint64':
		case 'double':
			return 8;
		default:
			return 4;
	}
}

/** Zeros. */
export function createNumbers(component: Component, count: number): NumericArray {
	// An array without a buffer of its own making is cheaper when it is small.
	switch (component) {
		case 'float':
			return new Float32Array(count);
		case 'double':
			return new Float64Array(count);
		case 'int':
			return new Int32Array(count);
		default:
			return viewNumbers(component, new ArrayBuffer(count * componentSize(component)), 0, count);
	}
}

/** Crate files are little-endian, as is every platform that runs JavaScript typed arrays today. */
function viewNumbers(component: Component, buffer: ArrayBufferLike, start: number, count: number): NumericArray {
	switch (component) {
		case 'bool':
		case 'uchar':
			return new Uint8Array(buffer, start, count);
		case 'int':
			return new Int32Array(buffer, start, count);
		case 'uint':
			return new Uint32Array(buffer, start, count);
		case 'int64':
			return new BigInt64Array(buffer, start, count);
		case 'uint64':
			return new BigUint64Array(buffer, start, count);
		case 'half':
			return new Uint16Array(buffer, start, count);
		case 'float':
			return new Float32Array(buffer, start, count);
		case 'double':
			return new Float64Array(buffer, start, count);
		default:
			throw new TypeError(`values of component '${component}' are not numbers`);
	}
}
