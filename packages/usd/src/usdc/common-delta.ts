/** Most frequent difference; the largest one of those that are equally frequent. */
export function commonDelta32(items: Int32Array, count: number): number {
	// Differences of 16 bits are counted in a table of their own when there are enough to pay for clearing it.
	const near = NEAR_COUNTS;
	const hasNear = count >= NEAR_COUNT;
	if (hasNear) near.fill(0);
	let far: DeltaCounts | undefined;
	let common = 0;
	let commonCount = 0;
	let previous = 0;
	for (let i = 0; i < count; i++) {
		// four at a time while all are near: their counts do not wait for each other
		while (hasNear && i + 4 <= count) {
			const item0 = items[i]!;
			const item1 = items[i + 1]!;
			const item2 = items[i + 2]!;
			const item3 = items[i + 3]!;
			const place0 = (item0 - previous + 32768) | 0;
			const place1 = (item1 - item0 + 32768) | 0;
			const place2 = (item2 - item1 + 32768) | 0;
			const place3 = (item3 - item2 + 32768) | 0;
			if ((place0 | place1 | place2 | place3) >>> 16 !== 0) break;
			previous = item3;
			i += 4;
			if (place0 === place1 && place1 === place2 && place2 === place3) {
				const seen = (near[place0]! + 4) | 0;
				near[place0] = seen;
				if (seen > commonCount || (seen === commonCount && place0 - 32768 > common)) {
					common = place0 - 32768;
					commonCount = seen;
				}
				continue;
			}
			const seen0 = (near[place0]! + 1) | 0;
			near[place0] = seen0;
			const seen1 = (near[place1]! + 1) | 0;
			near[place1] = seen1;
			const seen2 = (near[place2]! + 1) | 0;
			near[place2] = seen2;
			const seen3 = (near[place3]! + 1) | 0;
			near[place3] = seen3;
			if (seen0 < commonCount && seen1 < commonCount && seen2 < commonCount && seen3 < commonCount) continue;
			if (seen0 > commonCount || (seen0 === commonCount && place0 - 32768 > common)) {
				common = place0 - 32768;
				commonCount = seen0;
			}
			if (seen1 > commonCount || (seen1 === commonCount && place1 - 32768 > common)) {
				common = place1 - 32768;
				commonCount = seen1;
			}
			if (seen2 > commonCount || (seen2 === commonCount && place2 - 32768 > common)) {
				common = place2 - 32768;
				commonCount = seen2;
			}
			if (seen3 > commonCount || (seen3 === commonCount && place3 - 32768 > common)) {
				common = place3 - 32768;
				commonCount = seen3;
			}
		}
		if (i >= count) break;
		const item = items[i]!;
		const delta = (item - previous) | 0;
		previous = item;
		const place = delta + 32768;
		let seen: number;
		if (hasNear && place >>> 16 === 0) {
			seen = (near[place]! + 1) | 0;
			near[place] = seen;
		} else {
			far ??= new DeltaCounts(count);
			seen = far.count(delta);
		}
		if (seen > commonCount || (seen === commonCount && delta > common)) {
			common = delta;
			commonCount = seen;
		}
	}
	return common;
}

const NEAR_COUNT = 4096;
const NEAR_COUNTS = new Int32Array(65536);

/** How often integers of 32 bits occur. */
class DeltaCounts {
	#bits: number;
	#keys: Int32Array;
	#counts: Int32Array;
	#used = 0;

	constructor(capacity: number) {
		this.#bits = tableBits(capacity);
		this.#keys = new Int32Array(1 << this.#bits);
		this.#counts = new Int32Array(1 << this.#bits);
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
		this.#counts = new Int32Array(1 << this.#bits);
		for (let i = 0; i < counts.length; i++) {
			if (counts[i] === 0) continue;
			const slot = this.#find(keys[i]!);
			this.#keys[slot] = keys[i]!;
			this.#counts[slot] = counts[i]!;
		}
	}
}

/** Most frequent 64-bit difference of integers given as pairs of words: its low and high word. */
export function commonDelta64(words: Int32Array, count: number): Int32Array {
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
