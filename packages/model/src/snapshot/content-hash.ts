/**
 * A 64-bit hash of numbers and texts, fed piece by piece. Equal content gives equal digits on every platform; bits count,
 * so 0 and -0 differ, and every NaN is the same. Not for security.
 */
export class ContentHash {
	#a = 0x9e3779b9;
	#b = 0x85ebca6b;

	/** Feeds the bits of an array, with its length. */
	numbers(values: Float64Array | Float32Array | Int32Array | Uint32Array | Uint8Array): void {
		this.#word(values.length);
		if (values instanceof Float64Array || values instanceof Float32Array) {
			for (let i = 0; i < values.length; i++) {
				PAIR_FLOAT[0] = values[i]!;
				if (Number.isNaN(PAIR_FLOAT[0])) PAIR_FLOAT[0] = Number.NaN;
				this.#word(PAIR[0]!);
				this.#word(PAIR[1]!);
			}
			return;
		}
		for (let i = 0; i < values.length; i++) this.#word(values[i]!);
	}

	text(value: string): void {
		this.#word(value.length);
		for (let i = 0; i < value.length; i++) this.#word(value.charCodeAt(i));
	}

	/** Sixteen hexadecimal digits. */
	digits(): string {
		return hex(mix(this.#a ^ (this.#b >>> 7))) + hex(mix(this.#b + this.#a));
	}

	#word(word: number): void {
		this.#a = Math.imul(this.#a ^ word, 0xcc9e2d51);
		this.#a = (this.#a << 15) | (this.#a >>> 17);
		this.#b = Math.imul(this.#b + word + (this.#a >>> 3), 0x1b873593);
		this.#b = (this.#b << 13) | (this.#b >>> 19);
	}
}

const PAIR_FLOAT = new Float64Array(1);
const PAIR = new Uint32Array(PAIR_FLOAT.buffer);

function mix(word: number): number {
	let h = word ^ (word >>> 16);
	h = Math.imul(h, 0x85ebca6b);
	h ^= h >>> 13;
	h = Math.imul(h, 0xc2b2ae35);
	return h ^ (h >>> 16);
}

function hex(word: number): string {
	return (word >>> 0).toString(16).padStart(8, '0');
}
