import { UnreadableImage } from '../../raster.ts';
import { extended, type HuffmanTable, LOOK } from './huffman-table.ts';

/** Places of the 64 coefficients of a block in the order of their frequencies (ITU T.81 figure A.6). */
export const ZIGZAG: Uint8Array = Uint8Array.from([
	0, 1, 8, 16, 9, 2, 3, 10, 17, 24, 32, 25, 18, 11, 4, 5, 12, 19, 26, 33, 40, 48, 41, 34, 27, 20, 13, 6, 7, 14, 21, 28,
	35, 42, 49, 56, 57, 50, 43, 36, 29, 22, 15, 23, 30, 37, 44, 51, 58, 59, 52, 45, 38, 31, 39, 46, 53, 60, 61, 54, 47,
	55, 62, 63,
]);

const DAMAGED = 'has compressed data that cannot be read';

/** Reads the blocks of a scan (T.81 annexes F and G). */
export class EntropyReader {
	readonly #bytes: Uint8Array;
	#at: number;
	/** The last bits that were taken from the bytes; at most 24, which are small integers in all engines. */
	#bits = 0;
	/** How many of them are still to be read. */
	#held = 0;
	/** Blocks to come that have no more coefficients (T.81 G.1.2.2). */
	#endOfBand = 0;

	constructor(bytes: Uint8Array, at: number) {
		this.#bytes = bytes;
		this.#at = at;
	}

	/** Where the next byte is; never behind the marker that ends the data. */
	get at(): number {
		return this.#at;
	}

	/** Starts again at a byte. */
	restart(at: number): void {
		this.#at = at;
		this.#bits = 0;
		this.#held = 0;
		this.#endOfBand = 0;
	}

	/** Makes at least 17 bits ready; behind the data of a scan there are zeros. */
	#fill(): void {
		const bytes = this.#bytes;
		let at = this.#at;
		let bits = this.#bits;
		let held = this.#held;
		while (held <= 16) {
			let byte = at < bytes.length ? bytes[at]! : 0;
			if (byte !== 0xff) at++;
			else if (bytes[at + 1] === 0) at += 2;
			else byte = 0;
			bits = ((bits << 8) | byte) & 0xffffff;
			held += 8;
		}
		this.#at = at;
		this.#bits = bits;
		this.#held = held;
	}

	#bit(): number {
		if (this.#held === 0) this.#fill();
		this.#held--;
		return (this.#bits >> this.#held) & 1;
	}

	/** The next bits, at most 16. */
	#receive(count: number): number {
		if (this.#held < count) this.#fill();
		this.#held -= count;
		return (this.#bits >> this.#held) & ((1 << count) - 1);
	}

	#signed(count: number): number {
		return count === 0 ? 0 : extended(this.#receive(count), count);
	}

	#symbol(table: HuffmanTable): number {
		if (this.#held < 16) this.#fill();
		const found = table.look[(this.#bits >> (this.#held - LOOK)) & ((1 << LOOK) - 1)]!;
		if (found === 0) return this.#longSymbol(table);
		this.#held -= found >> 8;
		return found & 255;
	}

	#longSymbol(table: HuffmanTable): number {
		for (let length = LOOK + 1; length <= 16; length++) {
			const code = (this.#bits >> (this.#held - length)) & ((1 << length) - 1);
			if (code > table.most[length]!) continue;
			this.#held -= length;
			return table.values[code + table.offset[length]!] ?? 0;
		}
		throw new UnreadableImage(DAMAGED);
	}

	/** The first coefficient of a block, as its difference to the block before. */
	difference(dc: HuffmanTable): number {
		return this.#signed(this.#symbol(dc) & 15);
	}

	/** One more bit of the first coefficient. */
	bit(): number {
		return this.#bit();
	}

	/** The other coefficients of a sequential block, times `steps` (in zigzag order), into a block of zeros; the index of the last. */
	sequential(out: Int32Array, ac: HuffmanTable, steps: Uint16Array): number {
		let last = 0;
		for (let k = 1; k < 64; k++) {
			if (this.#held < 16) this.#fill();
			const short = ac.coefficients[(this.#bits >> (this.#held - LOOK)) & ((1 << LOOK) - 1)]!;
			let value = 0;
			if (short !== 0) {
				this.#held -= short & 15;
				k += (short >> 4) & 15;
				value = short >> 8;
			} else {
				const symbol = this.#symbol(ac);
				const size = symbol & 15;
				if (size === 0) {
					if (symbol < 0xf0) break;
					k += 15;
					continue;
				}
				k += symbol >> 4;
				value = extended(this.#receive(size), size);
			}
			if (k > 63) throw new UnreadableImage(DAMAGED);
			out[ZIGZAG[k]!] = value * steps[k]!;
			last = k;
		}
		return last;
	}

	/** The first bits of coefficients `start` to `end` of a progressive block. */
	first(out: Int16Array, at: number, ac: HuffmanTable, start: number, end: number, low: number): void {
		if (this.#endOfBand > 0) {
			this.#endOfBand--;
			return;
		}
		for (let k = start; k <= end; k++) {
			const symbol = this.#symbol(ac);
			const size = symbol & 15;
			const run = symbol >> 4;
			if (size === 0) {
				if (run < 15) {
					this.#endOfBand = (1 << run) + this.#receive(run) - 1;
					return;
				}
				k += 15;
				continue;
			}
			k += run;
			if (k > 63) throw new UnreadableImage(DAMAGED);
			out[at + ZIGZAG[k]!] = extended(this.#receive(size), size) << low;
		}
	}

	/** One more bit of coefficients (T.81 G.1.2.3). */
	refine(out: Int16Array, at: number, ac: HuffmanTable, start: number, end: number, low: number): void {
		const step = 1 << low;
		let k = start;
		while (this.#endOfBand === 0 && k <= end) {
			const symbol = this.#symbol(ac);
			const run = symbol >> 4;
			let value = 0;
			if ((symbol & 15) !== 0) value = this.#bit() === 1 ? step : -step;
			else if (run < 15) {
				this.#endOfBand = (1 << run) + this.#receive(run);
				break;
			}
			k = this.#refineRun(out, at, k, end, step, run);
			if (value !== 0 && k <= end) out[at + ZIGZAG[k]!] = value;
			k++;
		}
		if (this.#endOfBand === 0) return;
		this.#refineRun(out, at, k, end, step, 64);
		this.#endOfBand--;
	}

	/** Reads a bit for each coefficient that is not zero and passes `run` zeros; the index of the zero behind them. */
	#refineRun(out: Int16Array, at: number, start: number, end: number, step: number, run: number): number {
		let k = start;
		for (let zeros = run; k <= end; k++) {
			const place = at + ZIGZAG[k]!;
			const value = out[place]!;
			if (value === 0) {
				if (zeros-- === 0) return k;
				continue;
			}
			if (this.#held === 0) this.#fill();
			this.#held--;
			if (((this.#bits >> this.#held) & 1) === 0) continue;
			if (((value < 0 ? -value : value) & step) === 0) out[place] = value + (value > 0 ? step : -step);
		}
		return k;
	}
}
