const FAST_GROWTH_LIMIT = 1 << 25;

/** A growing buffer of little-endian numbers. */
export class ByteSink {
	#bytes: Uint8Array<ArrayBuffer>;
	#view: DataView;
	/** Where the next byte goes. */
	at = 0;

	constructor(capacity: number = 1 << 16) {
		this.#bytes = new Uint8Array(capacity);
		this.#view = new DataView(this.#bytes.buffer);
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

	/** Adds zeros up to a multiple of `alignment`. */
	align(alignment: number): void {
		const rest = this.at % alignment;
		if (rest === 0) return;
		this.reserve(alignment - rest);
		this.#bytes.fill(0, this.at, this.at + alignment - rest);
		this.at += alignment - rest;
	}

	/** What is written. Nothing may be written after that: it is the buffer itself unless most of that is empty. */
	take(): Uint8Array<ArrayBuffer> {
		return this.at * 2 < this.#bytes.length ? this.#bytes.slice(0, this.at) : this.#bytes.subarray(0, this.at);
	}
}
