const FAST_GROWTH_LIMIT = 1 << 25;

/** Least size of data that is gathered: below it, a piece of its own costs more than a copy. */
export const GATHERED_SIZE: number = 1 << 16;

/** Data that is not copied, and the place in the buffer that it belongs to. */
interface Piece {
	readonly at: number;
	readonly bytes: Uint8Array;
}

/** A growing buffer of little-endian numbers, between which large data may be gathered instead of copied. */
export class ByteSink {
	#bytes: Uint8Array<ArrayBuffer>;
	#view: DataView;
	readonly #gathers: boolean;
	readonly #pieces: Piece[] = [];
	#gathered = 0;
	/** Where the next byte goes in the buffer. */
	at = 0;

	/** @param gathers Whether `gather` keeps large data where it is. */
	constructor(capacity: number = 1 << 16, gathers: boolean = false) {
		this.#bytes = new Uint8Array(capacity);
		this.#view = new DataView(this.#bytes.buffer);
		this.#gathers = gathers;
	}

	/** Where the next byte goes in the whole: behind what is in the buffer and what is gathered. */
	get offset(): number {
		return this.at + this.#gathered;
	}

	/** What was gathered last, if it stands at this place in the buffer or behind it. */
	gatheredFrom(at: number): Uint8Array | undefined {
		const last = this.#pieces.at(-1);
		return last !== undefined && last.at >= at ? last.bytes : undefined;
	}

	/** Takes back all from a place in the buffer on. */
	rewind(at: number): void {
		this.at = at;
		for (let last = this.#pieces.at(-1); last !== undefined && last.at > at; last = this.#pieces.at(-1)) {
			this.#gathered -= last.bytes.length;
			this.#pieces.pop();
		}
	}

	/** The buffer, of which the first `at` bytes are written. Replaced when it grows. */
	get bytes(): Uint8Array<ArrayBuffer> {
		return this.#bytes;
	}

	/** The same buffer as numbers. */
	get view(): DataView {
		return this.#view;
	}

	/** Makes room for `count` more bytes. */
	reserve(count: number): void {
		const needed = this.at + count;
		if (needed <= this.#bytes.length) return;
		// Pages that are never written cost nothing, so small buffers may grow in large steps: copies are what is dear.
		const factor = this.#bytes.length < FAST_GROWTH_LIMIT ? 4 : 2;
		const capacity = Math.max(this.#bytes.length * factor, needed);
		const grown = new Uint8Array(capacity);
		grown.set(this.#bytes.subarray(0, this.at));
		this.#bytes = grown;
		this.#view = new DataView(grown.buffer);
	}

	uint8(value: number): void {
		this.reserve(1);
		this.#bytes[this.at++] = value;
	}

	uint16(value: number): void {
		this.reserve(2);
		this.#view.setUint16(this.at, value, true);
		this.at += 2;
	}

	uint32(value: number): void {
		this.reserve(4);
		this.#view.setUint32(this.at, value, true);
		this.at += 4;
	}

	/** A whole number below 2^53. */
	uint64(value: number): void {
		this.reserve(8);
		this.#view.setUint32(this.at, value >>> 0, true);
		this.#view.setUint32(this.at + 4, Math.floor(value / 0x100000000), true);
		this.at += 8;
	}

	bigInt64(value: bigint): void {
		this.reserve(8);
		this.#view.setBigInt64(this.at, value, true);
		this.at += 8;
	}

	float32(value: number): void {
		this.reserve(4);
		this.#view.setFloat32(this.at, value, true);
		this.at += 4;
	}

	float64(value: number): void {
		this.reserve(8);
		this.#view.setFloat64(this.at, value, true);
		this.at += 8;
	}

	/** Copies the bytes behind a view. */
	raw(source: ArrayBufferView): void {
		this.reserve(source.byteLength);
		this.#bytes.set(new Uint8Array(source.buffer, source.byteOffset, source.byteLength), this.at);
		this.at += source.byteLength;
	}

	/** Adds the bytes behind a view, which must not change until the pieces are written: large ones are not copied. */
	gather(source: ArrayBufferView): void {
		if (!this.#gathers || source.byteLength < GATHERED_SIZE) {
			this.raw(source);
			return;
		}
		const bytes = new Uint8Array(source.buffer, source.byteOffset, source.byteLength);
		this.#pieces.push({ at: this.at, bytes });
		this.#gathered += bytes.length;
	}

	/** Adds zeros up to a multiple of `alignment` of the whole. */
	align(alignment: number): void {
		const rest = this.offset % alignment;
		if (rest === 0) return;
		this.reserve(alignment - rest);
		this.#bytes.fill(0, this.at, this.at + alignment - rest);
		this.at += alignment - rest;
	}

	/** What is written. Nothing may be written after that: it is the buffer itself unless most of that is empty. */
	take(): Uint8Array<ArrayBuffer> {
		return this.at * 2 < this.#bytes.length ? this.#bytes.slice(0, this.at) : this.#bytes.subarray(0, this.at);
	}

	/** What is written, in order; ends the writing. */
	takePieces(): Uint8Array[] {
		const out: Uint8Array[] = [];
		let from = 0;
		for (const { at, bytes } of this.#pieces) {
			if (at > from) out.push(this.#bytes.subarray(from, at));
			out.push(bytes);
			from = at;
		}
		if (this.at > from) out.push(this.#bytes.subarray(from, this.at));
		return out;
	}
}
