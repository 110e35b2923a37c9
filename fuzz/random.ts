/** Repeatable random numbers: the same texts and numbers give the same sequence everywhere. */
export class Random {
	#state: number;

	constructor(...seed: readonly (string | number)[]) {
		// FNV-1a over the parts
		let hash = 0x811c9dc5;
		for (const char of seed.join('\n')) hash = Math.imul(hash ^ char.codePointAt(0)!, 0x01000193);
		this.#state = hash >>> 0;
	}

	/** A 32-bit number. */
	next(): number {
		// splitmix with 32 bits
		this.#state = (this.#state + 0x9e3779b9) >>> 0;
		let z = this.#state;
		z = Math.imul(z ^ (z >>> 16), 0x85ebca6b);
		z = Math.imul(z ^ (z >>> 13), 0xc2b2ae35);
		return (z ^ (z >>> 16)) >>> 0;
	}

	/** A whole number from 0 up to `limit`, without it. */
	below(limit: number): number {
		return Math.floor((this.next() / 2 ** 32) * limit);
	}

	/** True once in `times`. */
	oneIn(times: number): boolean {
		return this.below(times) === 0;
	}

	/** One of the items. */
	pick<T>(items: readonly T[]): T {
		return items[this.below(items.length)]!;
	}

	bytes(count: number): Uint8Array {
		const bytes = new Uint8Array(count);
		for (let i = 0; i < count; i++) bytes[i] = this.next() >>> 24;
		return bytes;
	}
}
