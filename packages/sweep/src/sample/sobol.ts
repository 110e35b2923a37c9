import { stir } from '@manyworlds/core/internal';
import { SOBOL_DIMENSIONS, SOBOL_NUMBERS } from './sobol-numbers.ts';

declare function atob(text: string): string;

/** Bits of a coordinate: as many points as 2 to this power are different. */
const BITS = 32;

export { SOBOL_DIMENSIONS };

/**
 * The sequence of Sobol' with the direction numbers of Joe and Kuo (2008), in the order of Gray codes, from the first point
 * at the origin on. Any point is found alone.
 */
export class SobolSequence {
	readonly dimensions: number;
	/** Direction numbers: 32 for each dimension. */
	readonly #directions: Uint32Array;

	constructor(dimensions: number) {
		this.dimensions = dimensions;
		this.#directions = directionsOf(dimensions);
	}

	/** The 32 bits of one coordinate of a point. */
	bits(index: number, dimension: number): number {
		let gray = (index ^ (index >>> 1)) >>> 0;
		let word = 0;
		for (let at = BITS * dimension; gray !== 0; at++, gray >>>= 1) if (gray & 1) word ^= this.#directions[at]!;
		return word >>> 0;
	}

	/** One coordinate of a point, from 0 up to below 1: a multiple of 2^-32. */
	at(index: number, dimension: number): number {
		return this.bits(index, dimension) * 2 ** -32;
	}
}

/**
 * The nested scrambling of Owen (1995) of the bits of a coordinate: each bit is turned over or not by a hash of the bits
 * above it, so that the points stay as evenly spread and become unbiased.
 */
export function scrambleOwen(word: number, key: number): number {
	let out = 0;
	for (let bit = BITS - 1; bit >= 0; bit--) {
		const above = bit === BITS - 1 ? 0 : word >>> (bit + 1);
		const flip = stir(stir((above + Math.imul(bit + 1, 0x9e3779b9)) >>> 0) ^ key) >>> 31;
		out |= (((word >>> bit) & 1) ^ flip) << bit;
	}
	return out >>> 0;
}

function directionsOf(dimensions: number): Uint32Array {
	const out = new Uint32Array(BITS * dimensions);
	for (let bit = 0; bit < BITS; bit++) out[bit] = 2 ** (BITS - 1 - bit);
	const reader = new BitReader(SOBOL_NUMBERS);
	let degree = 1;
	for (let dimension = 1; dimension < dimensions; dimension++) {
		if (reader.take(1) === 1) degree++;
		const polynomial = reader.take(degree - 1);
		const row = out.subarray(BITS * dimension, BITS * (dimension + 1));
		for (let j = 0; j < degree; j++) row[j] = (2 * reader.take(j) + 1) << (BITS - 1 - j);
		for (let j = degree; j < BITS; j++) {
			let word = row[j - degree]! ^ (row[j - degree]! >>> degree);
			for (let k = 1; k < degree; k++) if ((polynomial >>> (degree - 1 - k)) & 1) word ^= row[j - k]!;
			row[j] = word;
		}
	}
	return out;
}

/** Reads bits of a base64 text, the highest of each byte first. */
class BitReader {
	readonly #bytes: Uint8Array;
	#at = 0;

	constructor(text: string) {
		this.#bytes = Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
	}

	take(count: number): number {
		let value = 0;
		for (let i = 0; i < count; i++, this.#at++)
			value = 2 * value + ((this.#bytes[this.#at >> 3]! >> (7 - (this.#at & 7))) & 1);
		return value;
	}
}
