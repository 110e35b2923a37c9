/**
 * Numbers with a normal distribution (mean 0, deviation 1) by counter: the same for the same seed, sensor, sample and index,
 * in whatever order they are asked for.
 */
export function normalNoise(seed: number, sensor: number, sample: number, index: number): number {
	const a = hash(seed, sensor, sample, 2 * index);
	const b = hash(seed, sensor, sample, 2 * index + 1);
	// Box and Muller; the first must not be zero
	return Math.sqrt(-2 * Math.log((a + 1) / 2 ** 32)) * Math.cos((2 * Math.PI * b) / 2 ** 32);
}

/** Mixes four numbers to 32 bits (rounds of MurmurHash3). */
function hash(...words: readonly number[]): number {
	let h = 0x9747b28c;
	for (const word of words) {
		let k = Math.imul(word | 0, 0xcc9e2d51);
		k = (k << 15) | (k >>> 17);
		h ^= Math.imul(k, 0x1b873593);
		h = (h << 13) | (h >>> 19);
		h = (Math.imul(h, 5) + 0xe6546b64) | 0;
	}
	h ^= h >>> 16;
	h = Math.imul(h, 0x85ebca6b);
	h ^= h >>> 13;
	h = Math.imul(h, 0xc2b2ae35);
	return (h ^ (h >>> 16)) >>> 0;
}
