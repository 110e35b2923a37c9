import { halfToNumber } from '@manyworlds/core/internal';
import { T, type ValueType } from '../sdf/value-type.ts';
import type { NumericArray } from './array-reader.ts';
import type { ByteSink } from './byte-sink.ts';
import { MIN_COMPRESSED_ARRAY_SIZE } from './crate-format.ts';
import { fastCompress, fastCompressBound } from './fast-compression.ts';
import { encodeInts32, encodeInts64, type Int32Items, type Int64Items, maxCodedSize } from './integer-coding.ts';

/** Most distinct values of a floating-point array that is stored as a table and indexes. */
const MAX_TABLE_SIZE = 1024;

/** Writes the data of arrays and other compressed integers. */
export class ArrayWriter {
	readonly #sink: ByteSink;
	readonly #minor: number;
	#coded = new Uint8Array(0);

	constructor(sink: ByteSink, minor: number) {
		this.#sink = sink;
		this.#minor = minor;
	}

	/** Writes an array; says where it begins in the buffer of the sink and whether it is compressed. */
	write(element: ValueType, data: NumericArray): { readonly start: number; readonly isCompressed: boolean } {
		const { component, width } = element;
		const count = data.length / width;
		if (width === 1 && count >= MIN_COMPRESSED_ARRAY_SIZE) {
			switch (component) {
				case 'int':
				case 'uint':
				case 'int64':
				case 'uint64':
					if (this.#minor < 5) break;
					return { start: this.#writeInts(data as Int32Items | Int64Items), isCompressed: true };
				case 'half':
				case 'float':
				case 'double': {
					if (this.#minor < 6 || element === T.timecode || element === T.duration) break;
					const start = this.#writeCompressedFloats(data as Uint16Array | Float32Array | Float64Array);
					if (start !== undefined) return { start, isCompressed: true };
				}
			}
		}
		return { start: this.writeItems(data, count), isCompressed: false };
	}

	/** Writes items as they are, aligned so that a reader can view them in place. */
	writeItems(data: ArrayBufferView, count: number): number {
		this.#sink.align(8);
		const start = this.#sink.at;
		if (this.#minor < 5) this.#sink.uint32(1);
		this.#writeCount(count);
		this.#sink.gather(data);
		return start;
	}

	#writeCount(count: number): void {
		if (this.#minor < 7) this.#sink.uint32(count);
		else this.#sink.uint64(count);
	}

	#writeInts(data: Int32Items | Int64Items): number {
		const start = this.#sink.at;
		this.#writeCount(data.length);
		if (data instanceof Int32Array || data instanceof Uint32Array) this.writeInts32(data, data.length);
		else this.#writeInts64(data);
		return start;
	}

	/** Size and bytes of compressed 32-bit integers. */
	writeInts32(items: Int32Items, count: number): void {
		const coded = this.#room(maxCodedSize(count, 4));
		this.writeCompressed(coded, encodeInts32(items, count, coded));
	}

	#writeInts64(items: Int64Items): void {
		// The coding looks at 32-bit words, so the integers must begin at a multiple of four bytes: they always do.
		const coded = this.#room(maxCodedSize(items.length, 8));
		this.writeCompressed(coded, encodeInts64(items, items.length, coded));
	}

	/** Compressed size, then the compressed bytes of `bytes[0, size)`. */
	writeCompressed(bytes: Uint8Array, size: number): void {
		const sink = this.#sink;
		sink.reserve(8 + fastCompressBound(size));
		const sizeAt = sink.at;
		const end = fastCompress(bytes, 0, size, sink.bytes, sizeAt + 8);
		sink.uint64(end - sizeAt - 8);
		sink.at = end;
	}

	/** Writes integers or a table with indexes when one of them represents every bit; else nothing. */
	#writeCompressedFloats(data: Uint16Array | Float32Array | Float64Array): number | undefined {
		const sink = this.#sink;
		const start = sink.at;
		const integers = asIntegers(data);
		if (integers !== undefined) {
			this.#writeCount(data.length);
			sink.uint8(0x69);
			this.writeInts32(integers, integers.length);
			return start;
		}
		const coding = asTable(data);
		if (coding === undefined) return undefined;
		this.#writeCount(data.length);
		sink.uint8(0x74);
		sink.uint32(coding.table.length);
		sink.raw(coding.table);
		this.writeInts32(coding.indexes, coding.indexes.length);
		return start;
	}

	#room(size: number): Uint8Array {
		if (this.#coded.length < size) this.#coded = new Uint8Array(Math.max(size, 4096));
		return this.#coded;
	}
}

/** The numbers as 32-bit integers, if that loses nothing: minus zero has no integer. */
function asIntegers(data: Uint16Array | Float32Array | Float64Array): Int32Array | undefined {
	// Most arrays fail early, before memory is taken.
	if (!isInt32(numberAt(data, 0)) || !isInt32(numberAt(data, data.length - 1))) return undefined;
	const integers = new Int32Array(data.length);
	for (let i = 0; i < data.length; i++) {
		const number = numberAt(data, i);
		if (!isInt32(number)) return undefined;
		integers[i] = number;
	}
	return integers;
}

function numberAt(data: Uint16Array | Float32Array | Float64Array, index: number): number {
	return data instanceof Uint16Array ? halfToNumber(data[index]!) : data[index]!;
}

function isInt32(number: number): boolean {
	return (number | 0) === number && (number !== 0 || !Object.is(number, -0));
}

/** Distinct bit patterns and the index of each element among them, if there are few. */
function asTable(
	data: Uint16Array | Float32Array | Float64Array,
): { table: Uint16Array | Float32Array | Float64Array; indexes: Uint32Array } | undefined {
	const limit = Math.min(Math.floor(data.length / 4), MAX_TABLE_SIZE);
	const size = data.BYTES_PER_ELEMENT;
	const wordCount = size === 8 ? 2 : 1;
	const aligned = data.byteOffset % 4 === 0 || size === 2 ? data : data.slice();
	const words =
		size === 2
			? (aligned as Uint16Array)
			: new Uint32Array(aligned.buffer, aligned.byteOffset, data.length * wordCount);
	// Open addressing with at most half of the slots in use; entries hold the element that showed a pattern first.
	const mask = 4095;
	const slots = new Int32Array(mask + 1).fill(-1);
	const firsts: number[] = [];
	let indexes = new Uint32Array(Math.min(data.length, 4096));
	for (let i = 0; i < data.length; i++) {
		const low = words[i * wordCount]!;
		const high = wordCount === 2 ? words[i * 2 + 1]! : 0;
		let slot = Math.imul(low ^ Math.imul(high, 0x85ebca6b), 0x9e3779b1) >>> 20;
		for (;;) {
			const entry = slots[slot]!;
			if (entry < 0) break;
			const first = firsts[entry]!;
			if (words[first * wordCount] === low && (wordCount === 1 || words[first * 2 + 1] === high)) break;
			slot = (slot + 1) & mask;
		}
		let entry = slots[slot]!;
		if (entry < 0) {
			entry = firsts.length;
			if (entry === limit) return undefined;
			slots[slot] = entry;
			firsts.push(i);
		}
		if (i === indexes.length) {
			const grown = new Uint32Array(data.length);
			grown.set(indexes);
			indexes = grown;
		}
		indexes[i] = entry;
	}
	const table = data.slice(0, firsts.length);
	for (let entry = 0; entry < firsts.length; entry++) copyElement(data, firsts[entry]!, table, entry);
	return { table, indexes };
}

/** Copies bits: an assignment may change the bits of a not-a-number. */
function copyElement(
	from: Uint16Array | Float32Array | Float64Array,
	index: number,
	to: Uint16Array | Float32Array | Float64Array,
	at: number,
): void {
	const size = from.BYTES_PER_ELEMENT;
	const source = new Uint8Array(from.buffer, from.byteOffset + index * size, size);
	new Uint8Array(to.buffer, to.byteOffset + at * size, size).set(source);
}
