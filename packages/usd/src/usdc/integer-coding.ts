import { commonDelta32, commonDelta64 } from './common-delta.ts';

/**
 * Integer coding of crate files, applied before LZ4: differences to the previous integer (with wrap-around), the most
 * frequent difference written once, then two bits per integer (0 that difference, 1 small, 2 medium, 3 full width),
 * then the differences themselves. 32-bit integers use 8, 16 and 32 bits; 64-bit integers 16, 32 and 64.
 */

/** Integers of 32 bits, either signedness: only their bits matter to the coding. */
export type Int32Items = Int32Array | Uint32Array;
/** Integers of 64 bits, either signedness. */
export type Int64Items = BigInt64Array | BigUint64Array;

/** Smallest coded size of `count` integers: all of them equal the common difference. */
export function minCodedSize(count: number, bytes: 4 | 8): number {
	return count === 0 ? 0 : bytes + Math.ceil(count / 4);
}

/** Largest coded size of `count` integers. */
export function maxCodedSize(count: number, bytes: 4 | 8): number {
	return count === 0 ? 0 : bytes + Math.ceil(count / 4) + count * bytes;
}

/**
 * Decodes 32-bit integers from `src[0, size)`, which holds `total` of them, until `items` is full; false when the input is
 * too short.
 */
export function decodeInts32(src: Uint8Array, size: number, total: number, items: Int32Items): boolean {
	const count = Math.min(total, items.length);
	if (items instanceof Int32Array) return decodeSigned32(src, size, total, items, count);
	if (count > FEW.length) return decodeSigned32(src, size, total, signed(items), count);
	// A second view of a small array costs more than to copy it.
	const isWhole = decodeSigned32(src, size, total, FEW, count);
	for (let i = 0; i < count; i++) items[i] = FEW[i]!;
	return isWhole;
}

const FEW = new Int32Array(256);

function decodeSigned32(src: Uint8Array, size: number, total: number, out: Int32Array, count: number): boolean {
	if (total === 0) return true;
	const codesSize = Math.ceil(total / 4);
	if (4 + codesSize > size) return false;
	const view = new DataView(src.buffer, src.byteOffset, src.byteLength);
	const common = view.getInt32(0, true);
	let at = 4 + codesSize;
	let previous = 0;
	let i = 0;
	let c = 4;
	// Four integers take at most 16 bytes: while those are there, a whole word can be read wherever an integer begins, and
	// which size it has costs no branch. Runs of one size are frequent enough for branches of their own.
	for (; i + 4 <= count && at + 16 <= size; c++, i += 4) {
		const codes = src[c]!;
		// sums of differences do not wait for the integers before them
		let sum0: number;
		let sum1: number;
		let sum2: number;
		let sum3: number;
		if (codes === ALL_MEDIUM) {
			const word = view.getInt32(at, true);
			const next = view.getInt32(at + 4, true);
			sum0 = (word << 16) >> 16;
			sum1 = (sum0 + (word >> 16)) | 0;
			sum2 = (sum1 + ((next << 16) >> 16)) | 0;
			sum3 = (sum2 + (next >> 16)) | 0;
			at += 8;
		} else if (codes === ALL_COMMON) {
			sum0 = common;
			sum1 = (common + common) | 0;
			sum2 = (sum1 + common) | 0;
			sum3 = (sum2 + common) | 0;
		} else if (codes === ALL_SMALL) {
			const word = view.getInt32(at, true);
			sum0 = (word << 24) >> 24;
			sum1 = (sum0 + ((word << 16) >> 24)) | 0;
			sum2 = (sum1 + ((word << 8) >> 24)) | 0;
			sum3 = (sum2 + (word >> 24)) | 0;
			at += 4;
		} else {
			const second = at + SIZE_1[codes]!;
			const third = at + SIZE_2[codes]!;
			const fourth = at + SIZE_3[codes]!;
			sum0 = difference(view.getInt32(at, true), codes & 3, common);
			sum1 = (sum0 + difference(view.getInt32(second, true), (codes >>> 2) & 3, common)) | 0;
			sum2 = (sum1 + difference(view.getInt32(third, true), (codes >>> 4) & 3, common)) | 0;
			sum3 = (sum2 + difference(view.getInt32(fourth, true), codes >>> 6, common)) | 0;
			at += SIZE_4[codes]!;
		}
		out[i] = (previous + sum0) | 0;
		out[i + 1] = (previous + sum1) | 0;
		out[i + 2] = (previous + sum2) | 0;
		previous = (previous + sum3) | 0;
		out[i + 3] = previous;
	}
	for (; i < count; c++) {
		let codes = src[c]!;
		if (at + codeBytes32(codes, Math.min(4, count - i)) > size) return false;
		for (const stop = Math.min(i + 4, count); i < stop; i++, codes >>>= 2) {
			const code = codes & 3;
			if (code === 0) previous = (previous + common) | 0;
			else if (code === 1) previous = (previous + view.getInt8(at)) | 0;
			else if (code === 2) previous = (previous + view.getInt16(at, true)) | 0;
			else previous = (previous + view.getInt32(at, true)) | 0;
			at += (0x4210 >>> (4 * code)) & 7;
			out[i] = previous;
		}
	}
	return true;
}

/** The difference that a code stands for, given the word that begins where it is stored. */
function difference(word: number, code: number, common: number): number {
	const unused = (0x101800 >>> (8 * code)) & 31;
	return code === 0 ? common : (word << unused) >> unused;
}

/** Code bytes of four equal codes. */
const ALL_COMMON = 0;
const ALL_SMALL = 0x55;
const ALL_MEDIUM = 0xaa;

/** Bytes of the first one, two, three and four 32-bit differences of each code byte. */
const SIZE_1: Uint8Array = codeSizes(1);
const SIZE_2: Uint8Array = codeSizes(2);
const SIZE_3: Uint8Array = codeSizes(3);
const SIZE_4: Uint8Array = codeSizes(4);

function codeSizes(count: number): Uint8Array {
	return Uint8Array.from({ length: 256 }, (_, codes) => codeBytes32(codes, count));
}

/** Decodes `count` 64-bit integers from `src[0, size)` into `out`; false when the input is too short. */
export function decodeInts64(src: Uint8Array, size: number, count: number, out: Int64Items): boolean {
	if (count === 0) return true;
	const codesSize = (count + 3) >>> 2;
	if (8 + codesSize > size) return false;
	// Pairs of 32-bit words with an explicit carry: bigint arithmetic would allocate for every integer.
	const words = new Uint32Array(out.buffer, out.byteOffset, count * 2);
	const commonLow = word(src, 0);
	const commonHigh = word(src, 4);
	let at = 8 + codesSize;
	let low = 0;
	let high = 0;
	let i = 0;
	for (let c = 8; c < 8 + codesSize; c++) {
		let codes = src[c]!;
		if (at + 32 > size && at + 2 * codeBytes32(codes, Math.min(4, count - i)) > size) return false;
		for (const stop = Math.min(i + 4, count); i < stop; i++) {
			const code = codes & 3;
			codes >>>= 2;
			let deltaLow: number;
			let deltaHigh: number;
			if (code === 0) {
				deltaLow = commonLow;
				deltaHigh = commonHigh;
			} else if (code === 1) {
				deltaLow = ((src[at]! | (src[at + 1]! << 8)) << 16) >> 16;
				deltaHigh = deltaLow >> 31;
				at += 2;
			} else if (code === 2) {
				deltaLow = word(src, at);
				deltaHigh = deltaLow >> 31;
				at += 4;
			} else {
				deltaLow = word(src, at);
				deltaHigh = word(src, at + 4);
				at += 8;
			}
			const sum = (low + deltaLow) | 0;
			const carry = sum >>> 0 < low >>> 0 ? 1 : 0;
			low = sum;
			high = (high + deltaHigh + carry) | 0;
			words[2 * i] = low;
			words[2 * i + 1] = high;
		}
	}
	return true;
}

/** The same bits as signed integers: loops over one kind of array run faster than over two. */
function signed(items: Int32Items): Int32Array {
	return items instanceof Int32Array ? items : new Int32Array(items.buffer, items.byteOffset, items.length);
}

/** Bytes that the first `count` codes of a code byte take in the 32-bit coding (half of what 64-bit ones take). */
function codeBytes32(codes: number, count: number): number {
	let bytes = 0;
	for (let k = 0; k < count; k++) {
		const code = (codes >>> (2 * k)) & 3;
		bytes += code === 3 ? 4 : code;
	}
	return bytes;
}

function word(src: Uint8Array, at: number): number {
	return src[at]! | (src[at + 1]! << 8) | (src[at + 2]! << 16) | (src[at + 3]! << 24);
}

function putWord(dst: Uint8Array, at: number, value: number): void {
	dst[at] = value;
	dst[at + 1] = value >>> 8;
	dst[at + 2] = value >>> 16;
	dst[at + 3] = value >>> 24;
}

/** Codes `count` 32-bit integers into `dst`, which has `maxCodedSize(count, 4)` bytes; returns the coded size. */
export function encodeInts32(source: Int32Items, count: number, dst: Uint8Array): number {
	if (count === 0) return 0;
	const items = signed(source);
	const common = commonDelta32(items, count);
	const view = new DataView(dst.buffer, dst.byteOffset, dst.byteLength);
	view.setInt32(0, common, true);
	let codesAt = 4;
	let at = 4 + ((count + 3) >>> 2);
	let previous = 0;
	let i = 0;
	// Sizes of neighbours are hard to predict: whole words are written and as much of them kept as is needed.
	for (; i + 4 <= count; i += 4) {
		const item0 = items[i]!;
		const item1 = items[i + 1]!;
		const item2 = items[i + 2]!;
		const item3 = items[i + 3]!;
		const delta0 = (item0 - previous) | 0;
		const delta1 = (item1 - item0) | 0;
		const delta2 = (item2 - item1) | 0;
		const delta3 = (item3 - item2) | 0;
		previous = item3;
		if (((delta0 ^ common) | (delta1 ^ common) | (delta2 ^ common) | (delta3 ^ common)) === 0) {
			dst[codesAt++] = ALL_COMMON;
			continue;
		}
		// indexes of meshes in no order are nearly all medium: told for four at once, by the signs of their distances
		const size0 = delta0 ^ (delta0 >> 31);
		const size1 = delta1 ^ (delta1 >> 31);
		const size2 = delta2 ^ (delta2 >> 31);
		const size3 = delta3 ^ (delta3 >> 31);
		const low = (size0 - 128) | (size1 - 128) | (size2 - 128) | (size3 - 128);
		const high = (32767 - size0) | (32767 - size1) | (32767 - size2) | (32767 - size3);
		const isMedium = (low | high) >= 0;
		if (isMedium && delta0 !== common && delta1 !== common && delta2 !== common && delta3 !== common) {
			dst[codesAt++] = ALL_MEDIUM;
			view.setInt32(at, (delta0 & 0xffff) | (delta1 << 16), true);
			view.setInt32(at + 4, (delta2 & 0xffff) | (delta3 << 16), true);
			at += 8;
			continue;
		}
		const codes =
			codeOf(delta0, common) |
			(codeOf(delta1, common) << 2) |
			(codeOf(delta2, common) << 4) |
			(codeOf(delta3, common) << 6);
		dst[codesAt++] = codes;
		view.setInt32(at, delta0, true);
		view.setInt32(at + SIZE_1[codes]!, delta1, true);
		view.setInt32(at + SIZE_2[codes]!, delta2, true);
		view.setInt32(at + SIZE_3[codes]!, delta3, true);
		at += SIZE_4[codes]!;
	}
	let codes = 0;
	for (let k = 0; i < count; i++, k += 2) {
		const delta = (items[i]! - previous) | 0;
		previous = items[i]!;
		const code = codeOf(delta, common);
		codes |= code << k;
		view.setInt32(at, delta, true);
		at += (0x4210 >>> (4 * code)) & 7;
	}
	if (count % 4 !== 0) dst[codesAt] = codes;
	return at;
}

/** Smallest code for a 32-bit difference. */
function codeOf(delta: number, common: number): number {
	const magnitude = delta ^ (delta >> 31);
	return delta === common ? 0 : 1 + ((127 - magnitude) >>> 31) + ((32767 - magnitude) >>> 31);
}

/** Codes `count` 64-bit integers into `dst`, which has `maxCodedSize(count, 8)` bytes; returns the coded size. */
export function encodeInts64(items: Int64Items, count: number, dst: Uint8Array): number {
	if (count === 0) return 0;
	const words = new Int32Array(items.buffer, items.byteOffset, count * 2);
	const common = commonDelta64(words, count);
	const commonLow = common[0]!;
	const commonHigh = common[1]!;
	putWord(dst, 0, commonLow);
	putWord(dst, 4, commonHigh);
	let codesAt = 8;
	let at = 8 + ((count + 3) >>> 2);
	let previousLow = 0;
	let previousHigh = 0;
	for (let i = 0; i < count; ) {
		let codes = 0;
		for (let k = 0; k < 4 && i < count; k++, i++) {
			const itemLow = words[2 * i]!;
			const itemHigh = words[2 * i + 1]!;
			const low = (itemLow - previousLow) | 0;
			const high = (itemHigh - previousHigh - (itemLow >>> 0 < previousLow >>> 0 ? 1 : 0)) | 0;
			previousLow = itemLow;
			previousHigh = itemHigh;
			if (low === commonLow && high === commonHigh) continue;
			if (high === low >> 31 && (low << 16) >> 16 === low) {
				codes |= 1 << (2 * k);
				dst[at++] = low;
				dst[at++] = low >>> 8;
			} else if (high === low >> 31) {
				codes |= 2 << (2 * k);
				putWord(dst, at, low);
				at += 4;
			} else {
				codes |= 3 << (2 * k);
				putWord(dst, at, low);
				putWord(dst, at + 4, high);
				at += 8;
			}
		}
		dst[codesAt++] = codes;
	}
	return at;
}
