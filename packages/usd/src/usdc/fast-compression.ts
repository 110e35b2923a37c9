import { lz4Compress, lz4CompressBound, lz4DecodedSize, lz4Decompress, lz4MaxInputSize } from './lz4.ts';

/**
 * Pixar's wrapper around LZ4 blocks: one byte with the number of chunks. Zero means that the rest is a single block;
 * otherwise each chunk is a signed 32-bit size followed by its block.
 */

/** Upper bound of `fastCompress` for `size` bytes. */
export function fastCompressBound(size: number): number {
	const chunks = Math.max(1, Math.ceil(size / lz4MaxInputSize));
	return 1 + lz4CompressBound(size) + chunks * 32;
}

/** Largest input that the wrapper can hold. */
export const fastCompressionMaxInputSize: number = 127 * lz4MaxInputSize;

/** Compresses `src[start, end)` to `dst` from `dstStart` on; returns the position after the last byte written. */
export function fastCompress(
	src: Uint8Array,
	start: number,
	end: number,
	dst: Uint8Array,
	dstStart: number,
	chunkSize: number = lz4MaxInputSize,
): number {
	if (end - start > 127 * chunkSize) {
		throw new RangeError(`Cannot compress ${end - start} bytes: the limit is ${127 * chunkSize}.`);
	}
	if (end - start <= chunkSize) {
		dst[dstStart] = 0;
		return lz4Compress(src, start, end, dst, dstStart + 1);
	}
	dst[dstStart] = Math.ceil((end - start) / chunkSize);
	let op = dstStart + 1;
	for (let at = start; at < end; at += chunkSize) {
		const after = lz4Compress(src, at, Math.min(end, at + chunkSize), dst, op + 4);
		writeInt32(dst, op, after - op - 4);
		op = after;
	}
	return op;
}

/** Decoded size of `src[start, end)`, or -1 when it is malformed. */
export function fastDecodedSize(src: Uint8Array, start: number, end: number): number {
	if (start >= end) return -1;
	const chunks = src[start]!;
	if (chunks === 0) return lz4DecodedSize(src, start + 1, end);
	let ip = start + 1;
	let total = 0;
	for (let i = 0; i < chunks; i++) {
		const next = chunkEnd(src, ip, end);
		if (next < 0) return -1;
		const size = lz4DecodedSize(src, ip + 4, next);
		if (size < 0) return -1;
		total += size;
		ip = next;
	}
	return total;
}

/** Decodes `src[start, end)` into `dst[0, limit)`; returns the number of bytes, or -1 when malformed or too large. */
export function fastDecompress(src: Uint8Array, start: number, end: number, dst: Uint8Array, limit: number): number {
	if (start >= end) return -1;
	const chunks = src[start]!;
	if (chunks === 0) return lz4Decompress(src, start + 1, end, dst, 0, limit);
	let ip = start + 1;
	let op = 0;
	for (let i = 0; i < chunks; i++) {
		const next = chunkEnd(src, ip, end);
		if (next < 0) return -1;
		const size = lz4Decompress(src, ip + 4, next, dst, op, limit);
		if (size < 0) return -1;
		op += size;
		ip = next;
	}
	return op;
}

/** End of the chunk whose size word is at `ip`, or -1 when it does not fit. */
function chunkEnd(src: Uint8Array, ip: number, end: number): number {
	if (ip + 4 > end) return -1;
	const size = src[ip]! | (src[ip + 1]! << 8) | (src[ip + 2]! << 16) | (src[ip + 3]! << 24);
	return size < 0 || ip + 4 + size > end ? -1 : ip + 4 + size;
}

function writeInt32(dst: Uint8Array, at: number, value: number): void {
	dst[at] = value & 255;
	dst[at + 1] = (value >>> 8) & 255;
	dst[at + 2] = (value >>> 16) & 255;
	dst[at + 3] = value >>> 24;
}
