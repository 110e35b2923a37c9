import { stir } from '@manyworlds/core/internal';

/** Rounds of the network; four make a pseudo-random permutation, more cost little. */
const ROUNDS = 6;

/**
 * A permutation of 0 … count-1 that belongs to a key: a Feistel network over the next even number of bits, walked until it
 * comes back below the count. Any entry is found alone.
 */
export function permuteIndex(index: number, count: number, key: number): number {
	if (count <= 1) return index;
	let half = 1;
	while (2 ** (2 * half) < count) half++;
	const size = 2 ** half;
	let at = index;
	do {
		let left = Math.floor(at / size);
		let right = at % size;
		for (let round = 0; round < ROUNDS; round++) {
			const mixed = stir((right + Math.imul(round + 1, 0x9e3779b9)) ^ key) % size;
			[left, right] = [right, left ^ mixed];
		}
		at = left * size + right;
	} while (at >= count);
	return at;
}
