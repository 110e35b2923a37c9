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
	if (total === 0) return true;
	const out = signed(items);
	const codesSize = Math.ceil(total / 4);
	if (4 + codesSize > size) return false;
	const count = Math.min(total, out.length);
	const view = new DataView(src.buffer, src.byteOffset, src.byteLength);
	const common = view.getInt32(0, true);
	let at = 4 + codesSize;
	let previous = 0;
	let i = 0;
	let c = 4;
	// Four integers take at most 16 bytes: while those are there, a whole word can be read wherever an integer begins, and
	// which size it has costs no branch.
	for (; i + 4 <= count && at + 16 <= size; c++) {
		const codes = src[c]!;
		for (let k = 0; k < 8; k += 2) {
			const code = (codes >>> k) & 3;
			const unused = (0x101800 >>> (8 * code)) & 31;
			const word = (view.getInt32(at, true) << unused) >> unused;
			previous = (previous + (code === 0 ? common : word)) | 0;
			at += (0x4210 >>> (4 * code)) & 7;
			out[i++] = previous;
		}
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
	for (let i = 0; i < count; ) {
		let codes = 0;
		for (let k = 0; k < 8 && i < count; k += 2) {
			const item = items[i++]!;
			const delta = (item - previous) | 0;
			previous = item;
			// Sizes of neighbours are hard to predict: a whole word is written and as much of it kept as is needed.
			const magnitude = delta ^ (delta >> 31);
			const code = delta === common ? 0 : 1 + ((127 - magnitude) >>> 31) + ((32767 - magnitude) >>> 31);
			view.setInt32(at, delta, true);
			at += (0x4210 >>> (4 * code)) & 7;
			codes |= code << k;
		}
		dst[codesAt++] = codes;
	}
	return at;
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

/** Most frequent difference; the largest one of those that are equally frequent. */
function commonDelta32(items: Int32Array, count: number): number {
	// Differences of 16 bits are counted in a table of their own when there are enough to pay for clearing it.
	const near = count >= NEAR_COUNT ? nearCounts.fill(0) : undefined;
	const far = new DeltaCounts(count);
	let common = 0;
	let commonCount = 0;
	let previous = 0;
	for (let i = 0; i < count; i++) {
		const item = items[i]!;
		const delta = (item - previous) | 0;
		previous = item;
		const seen = near !== undefined && (delta << 16) >> 16 === delta ? ++near[delta + 32768]! : far.count(delta);
		if (seen > commonCount || (seen === commonCount && delta > common)) {
			common = delta;
			commonCount = seen;
		}
	}
	return common;
}

const NEAR_COUNT = 4096;
const nearCounts = new Uint32Array(65536);

/** How often integers of 32 bits occur. */
class DeltaCounts {
	#bits: number;
	#keys: Int32Array;
	#counts: Uint32Array;
	#used = 0;

	constructor(capacity: number) {
		this.#bits = tableBits(capacity);
		this.#keys = new Int32Array(1 << this.#bits);
		this.#counts = new Uint32Array(1 << this.#bits);
	}

	/** Counts `key` once more; returns how often it was counted. */
	count(key: number): number {
		const slot = this.#find(key);
		const seen = ++this.#counts[slot]!;
		if (seen === 1) {
			this.#keys[slot] = key;
			if (++this.#used * 2 > this.#counts.length) this.#grow();
		}
		return seen;
	}

	#find(key: number): number {
		const mask = this.#counts.length - 1;
		let slot = Math.imul(key, 0x9e3779b1) >>> (32 - this.#bits);
		while (this.#counts[slot] !== 0 && this.#keys[slot] !== key) slot = (slot + 1) & mask;
		return slot;
	}

	#grow(): void {
		const keys = this.#keys;
		const counts = this.#counts;
		this.#bits++;
		this.#keys = new Int32Array(1 << this.#bits);
		this.#counts = new Uint32Array(1 << this.#bits);
		for (let i = 0; i < counts.length; i++) {
			if (counts[i] === 0) continue;
			const slot = this.#find(keys[i]!);
			this.#keys[slot] = keys[i]!;
			this.#counts[slot] = counts[i]!;
		}
	}
}

function commonDelta64(words: Int32Array, count: number): Int32Array {
	let bits = tableBits(count);
	let keys = new Int32Array(2 << bits);
	let counts = new Uint32Array(1 << bits);
	let used = 0;
	let commonLow = 0;
	let commonHigh = 0;
	let commonCount = 0;
	let previousLow = 0;
	let previousHigh = 0;
	for (let i = 0; i < count; i++) {
		const itemLow = words[2 * i]!;
		const itemHigh = words[2 * i + 1]!;
		const low = (itemLow - previousLow) | 0;
		const high = (itemHigh - previousHigh - (itemLow >>> 0 < previousLow >>> 0 ? 1 : 0)) | 0;
		previousLow = itemLow;
		previousHigh = itemHigh;
		let slot = hash64(low, high, bits);
		while (counts[slot] !== 0 && (keys[2 * slot] !== low || keys[2 * slot + 1] !== high)) {
			slot = (slot + 1) & ((1 << bits) - 1);
		}
		const seen = ++counts[slot]!;
		if (seen === 1) {
			keys[2 * slot] = low;
			keys[2 * slot + 1] = high;
			if (++used * 2 > 1 << bits) {
				const old = { keys, counts };
				bits++;
				keys = new Int32Array(2 << bits);
				counts = new Uint32Array(1 << bits);
				for (let s = 0; s < old.counts.length; s++) {
					if (old.counts[s] === 0) continue;
					let to = hash64(old.keys[2 * s]!, old.keys[2 * s + 1]!, bits);
					while (counts[to] !== 0) to = (to + 1) & ((1 << bits) - 1);
					keys[2 * to] = old.keys[2 * s]!;
					keys[2 * to + 1] = old.keys[2 * s + 1]!;
					counts[to] = old.counts[s]!;
				}
			}
		}
		const larger = high > commonHigh || (high === commonHigh && low >>> 0 > commonLow >>> 0);
		if (seen > commonCount || (seen === commonCount && larger)) {
			commonLow = low;
			commonHigh = high;
			commonCount = seen;
		}
	}
	return Int32Array.of(commonLow, commonHigh);
}

/** Starting size of a counting table: most arrays have few distinct differences, so it grows on demand. */
function tableBits(count: number): number {
	return Math.max(4, Math.min(12, 33 - Math.clz32(count)));
}

function hash64(low: number, high: number, bits: number): number {
	return Math.imul(low ^ Math.imul(high, 0x85ebca6b), 0x9e3779b1) >>> (32 - bits);
}
