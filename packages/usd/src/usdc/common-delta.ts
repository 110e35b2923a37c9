/** Most frequent difference; the largest one of those that are equally frequent. */
export function commonDelta32(items: Int32Array, count: number): number {
	// Differences of 16 bits are counted in a table of their own when there are enough to pay for clearing it.
	const near = NEAR_COUNTS;
	const hasNear = count >= NEAR_COUNT;
	if (hasNear) near.fill(0);
	const far = new DeltaCounts(count);
	let common = 0;
	let commonCount = 0;
	let previous = 0;
	for (let i = 0; i < count; i++) {
		const item = items[i]!;
		const delta = (item - previous) | 0;
		previous = item;
		const place = delta + 32768;
		let seen: number;
		if (hasNear && place >>> 16 === 0) {
			seen = (near[place]! + 1) | 0;
			near[place] = seen;
		} else {
			seen = far.count(delta);
		}
		if (seen >= commonCount && (seen > commonCount || delta > common)) {
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
