/** Multipliers and key increments of Philox4x32 (Salmon, Moraes, Dror, Shaw: "Parallel random numbers: as easy as 1, 2, 3", 2011). */
const M0 = 0xd2511f53;
const M1 = 0xcd9e8d57;
const W0 = 0x9e3779b9;
const W1 = 0xbb67ae85;
const ROUNDS = 10;

/**
 * Philox4x32-10: four words of 32 bits for a counter of four words and a key of two. It has no state, so that any number can
 * be drawn alone. Writes to `out`.
 */
export function philox4x32(out: Uint32Array, counter: ArrayLike<number>, key0: number, key1: number): Uint32Array {
	let [c0, c1, c2, c3] = [counter[0]! >>> 0, counter[1]! >>> 0, counter[2]! >>> 0, counter[3]! >>> 0];
	let [k0, k1] = [key0 >>> 0, key1 >>> 0];
	for (let round = 0; round < ROUNDS; round++) {
		const high0 = multiplyHigh(M0, c0);
		const low0 = Math.imul(M0, c0) >>> 0;
		const high1 = multiplyHigh(M1, c2);
		const low1 = Math.imul(M1, c2) >>> 0;
		c0 = (high1 ^ c1 ^ k0) >>> 0;
		c1 = low1;
		c2 = (high0 ^ c3 ^ k1) >>> 0;
		c3 = low0;
		k0 = (k0 + W0) >>> 0;
		k1 = (k1 + W1) >>> 0;
	}
	out[0] = c0;
	out[1] = c1;
	out[2] = c2;
	out[3] = c3;
	return out;
}

/** The upper 32 bits of the product of two words. */
function multiplyHigh(a: number, b: number): number {
	const [aLow, aHigh, bLow, bHigh] = [a & 0xffff, a >>> 16, b & 0xffff, b >>> 16];
	const middle = aHigh * bLow + Math.floor((aLow * bLow) / 0x10000);
	const other = aLow * bHigh + (middle % 0x10000);
	return (aHigh * bHigh + Math.floor(middle / 0x10000) + Math.floor(other / 0x10000)) >>> 0;
}

/** 32 bits of a text: FNV-1a over its UTF-8 bytes, stirred so that names that differ in one letter differ everywhere. */
export function hashText(text: string): number {
	let hash = 0x811c9dc5;
	for (const byte of new TextEncoder().encode(text)) hash = Math.imul(hash ^ byte, 0x01000193) >>> 0;
	return stir(hash);
}

/** A permutation of words in which every bit depends on every other. */
export function stir(word: number): number {
	let x = word >>> 0;
	x = Math.imul(x ^ (x >>> 16), 0x7feb352d) >>> 0;
	x = Math.imul(x ^ (x >>> 15), 0x846ca68b) >>> 0;
	return (x ^ (x >>> 16)) >>> 0;
}

/** Numbers of a stream that belong to a seed and a name: the same for the same index, in any order, on any machine. */
export class PhiloxStream {
	readonly #key0: number;
	readonly #key1: number;
	readonly #counter = new Uint32Array(4);
	readonly #words = new Uint32Array(4);

	constructor(seed: number, name: string) {
		this.#key0 = seed >>> 0;
		this.#key1 = (hashText(name) ^ Math.floor(seed / 2 ** 32)) >>> 0;
	}

	/** Four words; `lane` tells draws of one index apart. */
	words(index: number, lane = 0): Uint32Array {
		this.#counter[0] = index >>> 0;
		this.#counter[1] = Math.floor(index / 2 ** 32);
		this.#counter[2] = lane;
		return philox4x32(this.#words, this.#counter, this.#key0, this.#key1);
	}

	/** A number in (0, 1): a multiple of 2^-53, shifted by half of that. */
	uniform(index: number, lane = 0): number {
		const [a, b] = this.words(index, lane) as unknown as [number, number];
		return ((a >>> 5) * 67108864 + (b >>> 6)) * 2 ** -53 + 2 ** -54;
	}
}
