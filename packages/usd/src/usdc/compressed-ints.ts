import type { CrateCursor } from './crate-cursor.ts';
import { CrateFault } from './crate-fault.ts';
import { fastDecodedSize, fastDecompress } from './fast-compression.ts';
import { decodeInts32, decodeInts64, type Int32Items, type Int64Items, minCodedSize } from './integer-coding.ts';

const KEPT_SIZE = 1 << 14;
const LARGEST_KEPT = 1 << 20;

/** Memory that decompression reuses from one call to the next. */
export class Scratch {
	#bytes = new Uint8Array(KEPT_SIZE);

	/** At least `size` bytes of undefined content, valid until the next call. */
	take(size: number): Uint8Array {
		if (this.#bytes.length < size) this.#bytes = new Uint8Array(size);
		return this.#bytes;
	}

	/** Gives large memory back. */
	release(): void {
		if (this.#bytes.length > LARGEST_KEPT) this.#bytes = new Uint8Array(KEPT_SIZE);
	}
}

/** The scratch memory of all readers: each is done with it before another can begin, and small files need no other. */
export const SCRATCH: Scratch = new Scratch();

/** Reads a 64-bit size and that many compressed bytes; returns the decoded bytes in `scratch` and their number. */
export function readCompressedBytes(
	cursor: CrateCursor,
	scratch: Scratch,
	maxSize: number,
	what: string,
): { readonly bytes: Uint8Array; readonly size: number } {
	const sizeAt = cursor.at;
	const compressed = cursor.uint64();
	const start = cursor.skip(compressed, what);
	// The size follows from the data itself: a count elsewhere in the file is never trusted with an allocation.
	const size = fastDecodedSize(cursor.bytes, start, cursor.at);
	if (size < 0) throw new CrateFault(`${what} is not valid compressed data`, sizeAt);
	if (size > maxSize) {
		throw new CrateFault(`${what} decompresses to ${size} bytes, expected at most ${maxSize}`, sizeAt);
	}
	const bytes = scratch.take(size);
	if (fastDecompress(cursor.bytes, start, cursor.at, bytes, size) !== size) {
		throw new CrateFault(`${what} is not valid compressed data`, sizeAt);
	}
	return { bytes, size };
}

/**
 * Reads `count` compressed 32-bit integers, or the first of them that fit what `create` allocates once the count is known to
 * be plausible.
 */
export function readCompressedInts32<A extends Int32Items>(
	cursor: CrateCursor,
	scratch: Scratch,
	count: number,
	create: (count: number) => A,
	what: string,
): A {
	const at = cursor.at;
	const { bytes, size } = readCompressedBytes(cursor, scratch, count * 4 + Math.ceil(count / 4) + 4, what);
	if (size < minCodedSize(count, 4)) {
		throw new CrateFault(`${what} has too few bytes for its ${count} integers`, at);
	}
	const out = create(count);
	if (!decodeInts32(bytes, size, count, out)) throw new CrateFault(`${what} ends before its last integer`, at);
	return out;
}

/** Reads `count` compressed 64-bit integers. */
export function readCompressedInts64<A extends Int64Items>(
	cursor: CrateCursor,
	scratch: Scratch,
	count: number,
	create: (count: number) => A,
	what: string,
): A {
	const at = cursor.at;
	const { bytes, size } = readCompressedBytes(cursor, scratch, count * 8 + Math.ceil(count / 4) + 8, what);
	if (size < minCodedSize(count, 8)) {
		throw new CrateFault(`${what} has too few bytes for its ${count} integers`, at);
	}
	const out = create(count);
	if (!decodeInts64(bytes, size, count, out)) throw new CrateFault(`${what} ends before its last integer`, at);
	return out;
}
