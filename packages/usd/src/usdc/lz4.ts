/**
 * LZ4 block format (no frame): the general compressor below every compressed part of a crate file.
 * Both directions work on caller-owned buffers, so that a reader can reuse its scratch memory.
 */

/** Largest input of one LZ4 block. */
export const lz4MaxInputSize = 0x7e000000;

/** Upper bound of the compressed size of `size` bytes. */
export function lz4CompressBound(size: number): number {
	return size + Math.floor(size / 255) + 16;
}

/** Upper bound of the decoded size of a block of `size` bytes: one length byte adds at most 255 bytes. */
export function lz4DecodedBound(size: number): number {
	return size * 255 + 64;
}

/**
 * Size that the block `src[start, end)` decodes to, found without decoding it, or -1 when the block is malformed.
 * A reader allocates by this number instead of by a count that a corrupt file may have invented.
 */
export function lz4DecodedSize(src: Uint8Array, start: number, end: number): number {
	let ip = start;
	let size = 0;
	while (ip < end) {
		const token = src[ip++]!;
		let literals = token >>> 4;
		if (literals === 15) {
			let byte = 255;
			while (byte === 255) {
				if (ip >= end) return -1;
				byte = src[ip++]!;
				literals += byte;
			}
		}
		ip += literals;
		size += literals;
		if (ip > end) return -1;
		if (ip === end) return size;
		ip += 2;
		if (ip > end) return -1;
		let length = (token & 15) + 4;
		if (length === 19) {
			let byte = 255;
			while (byte === 255) {
				if (ip >= end) return -1;
				byte = src[ip++]!;
				length += byte;
			}
		}
		size += length;
	}
	return start === end ? 0 : -1;
}

/**
 * Decodes the block `src[start, end)` into `dst[dstStart, dstEnd)`.
 * Returns the number of bytes written, or -1 when the block is malformed or does not fit.
 */
export function lz4Decompress(
	src: Uint8Array,
	start: number,
	end: number,
	dst: Uint8Array,
	dstStart: number,
	dstEnd: number,
): number {
	let ip = start;
	let op = dstStart;
	while (ip < end) {
		const token = src[ip++]!;
		let literals = token >>> 4;
		if (literals === 15) {
			let byte = 255;
			while (byte === 255) {
				if (ip >= end) return -1;
				byte = src[ip++]!;
				literals += byte;
			}
		}
		if (ip + literals > end || op + literals > dstEnd) return -1;
		if (literals > 32) {
			dst.set(src.subarray(ip, ip + literals), op);
			ip += literals;
			op += literals;
		} else {
			for (const stop = ip + literals; ip < stop; ) dst[op++] = src[ip++]!;
		}
		if (ip === end) return op - dstStart;

		if (ip + 2 > end) return -1;
		const offset = src[ip]! | (src[ip + 1]! << 8);
		ip += 2;
		let from = op - offset;
		if (offset === 0 || from < dstStart) return -1;
		let length = (token & 15) + 4;
		if (length === 19) {
			let byte = 255;
			while (byte === 255) {
				if (ip >= end) return -1;
				byte = src[ip++]!;
				length += byte;
			}
		}
		const stop = op + length;
		if (stop > dstEnd) return -1;
		if (offset === 1 && length > 16) {
			dst.fill(dst[from]!, op, stop);
			op = stop;
		} else if (offset >= length && length > 32) {
			dst.copyWithin(op, from, from + length);
			op = stop;
		} else if (length > 64) {
			// An overlapping match repeats `offset` bytes: copy spans that double until the match is complete.
			let span = offset;
			while (op < stop) {
				const count = Math.min(span, stop - op);
				dst.copyWithin(op, from, from + count);
				op += count;
				span += count;
			}
		} else {
			while (op < stop) dst[op++] = dst[from++]!;
		}
	}
	return start === end ? 0 : -1;
}

const minMatch = 4;
/** The last five bytes of a block are literals. */
const lastLiterals = 5;
/** The last match starts at least twelve bytes before the end of a block. */
const matchLimit = 12;
const maxDistance = 65535;
/** Where words of four bytes were seen last, by their hash. */
const TABLE = new Int32Array(1 << 15);

/**
 * Compresses `src[start, end)` to `dst[dstStart, ...)`, which must have room for `lz4CompressBound(end - start)` bytes.
 * Returns the position after the last byte written. The same input always gives the same output.
 */
export function lz4Compress(src: Uint8Array, start: number, end: number, dst: Uint8Array, dstStart: number): number {
	let op = dstStart;
	let anchor = start;
	const size = end - start;
	if (size > matchLimit) {
		const bits = size < 1 << 10 ? 9 : size < 1 << 13 ? 12 : 15;
		const shift = 32 - bits;
		// Positions are stored as distance from `start` plus one, so that zero means empty.
		const table = TABLE.fill(0, 0, 1 << bits);
		const searchEnd = end - matchLimit;
		const matchEnd = end - lastLiterals;
		let ip = start;
		let misses = 0;
		while (ip <= searchEnd) {
			const word = src[ip]! | (src[ip + 1]! << 8) | (src[ip + 2]! << 16) | (src[ip + 3]! << 24);
			const slot = Math.imul(word, 0x9e3779b1) >>> shift;
			const candidate = table[slot]! - 1 + start;
			table[slot] = ip - start + 1;
			if (
				candidate < start ||
				ip - candidate > maxDistance ||
				(src[candidate]! | (src[candidate + 1]! << 8) | (src[candidate + 2]! << 16) | (src[candidate + 3]! << 24)) !==
					word
			) {
				// Incompressible stretches are crossed in growing steps.
				ip += 1 + (misses++ >>> 6);
				continue;
			}
			misses = 0;
			let match = candidate;
			while (ip > anchor && match > start && src[ip - 1] === src[match - 1]) {
				ip--;
				match--;
			}
			let matched = ip + minMatch;
			for (let other = match + minMatch; matched < matchEnd && src[matched] === src[other]; other++) matched++;

			op = writeSequence(src, anchor, ip, dst, op, ip - match, matched - ip - minMatch);
			if (matched - 2 > ip && matched <= searchEnd) {
				const at = matched - 2;
				const seen = src[at]! | (src[at + 1]! << 8) | (src[at + 2]! << 16) | (src[at + 3]! << 24);
				table[Math.imul(seen, 0x9e3779b1) >>> shift] = at - start + 1;
			}
			ip = matched;
			anchor = ip;
		}
	}
	return writeSequence(src, anchor, end, dst, op, 0, 0);
}

/** Writes the literals `src[anchor, ip)` and, unless `offset` is zero, a match of `length` + 4 bytes. */
function writeSequence(
	src: Uint8Array,
	anchor: number,
	ip: number,
	dst: Uint8Array,
	dstStart: number,
	offset: number,
	length: number,
): number {
	let op = dstStart;
	const literals = ip - anchor;
	const tokenAt = op++;
	let token = literals < 15 ? literals << 4 : 0xf0;
	if (literals >= 15) op = writeLength(dst, op, literals - 15);
	if (literals > 32) {
		dst.set(src.subarray(anchor, ip), op);
		op += literals;
	} else {
		for (let i = anchor; i < ip; i++) dst[op++] = src[i]!;
	}
	if (offset !== 0) {
		dst[op++] = offset & 255;
		dst[op++] = offset >>> 8;
		token |= Math.min(length, 15);
		if (length >= 15) op = writeLength(dst, op, length - 15);
	}
	dst[tokenAt] = token;
	return op;
}

function writeLength(dst: Uint8Array, at: number, length: number): number {
	let op = at;
	let rest = length;
	for (; rest >= 255; rest -= 255) dst[op++] = 255;
	dst[op++] = rest;
	return op;
}
