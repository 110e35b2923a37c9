import { CrateFault } from './crate-fault.ts';

/** Values smaller than this are not counted: the number of fields bounds them. */
const SMALLEST_COUNTED = 256;

/**
 * How much the values of one file may decode to. Each place is counted once, however often it is decoded: values of a sound
 * file do not overlap, so they fit whenever the file itself is not a bomb.
 */
export class DecodeBudget {
	readonly #limit: number;
	#counted: Set<number> | undefined;
	#spent = 0;

	constructor(limit: number) {
		this.#limit = limit;
	}

	/** Counts `size` bytes that are decoded from `offset`. Throws CrateFault when that is too much. */
	spend(offset: number, size: number, what: string): void {
		if (size < SMALLEST_COUNTED || this.#counted?.has(offset)) return;
		if (!(this.#spent + size <= this.#limit)) {
			throw new CrateFault(
				`${what} decodes to ${size} bytes, with which the values of the file take more than the ${this.#limit} allowed for its size`,
				offset,
			);
		}
		this.#spent += size;
		this.#counted ??= new Set();
		this.#counted.add(offset);
	}
}
