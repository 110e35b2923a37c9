/** The first bytes of a message: CDR, little endian. */
const LITTLE_ENDIAN = 1;
/** Bytes of the header; alignment counts from its end. */
export const CDR_HEADER_SIZE = 4;

/** Thrown inside of this package where bytes end too early or make no sense; readers turn it into an answer. */
export class CdrError extends Error {
	override readonly name = 'CdrError';
}

const ENCODER = new TextEncoder();
const DECODER = new TextDecoder();

/** Writes values in CDR (XCDR1, little endian); memory is kept between messages. */
export class CdrWriter {
	#bytes: Uint8Array<ArrayBuffer> = new Uint8Array(1024);
	#view: DataView = new DataView(this.#bytes.buffer);
	#at = 0;

	/** Starts a message. */
	start(): void {
		this.#at = CDR_HEADER_SIZE;
		this.#view.setUint32(0, LITTLE_ENDIAN << 8, true);
	}

	/** A copy of what was written. */
	finish(): Uint8Array<ArrayBuffer> {
		return this.#bytes.slice(0, this.#at);
	}

	/** Makes room for a value and gives its place. */
	#take(size: number, alignment: number): number {
		const start = this.#at + ((alignment - ((this.#at - CDR_HEADER_SIZE) & (alignment - 1))) & (alignment - 1));
		const end = start + size;
		if (end > this.#bytes.length) this.#grow(end);
		// memory of an earlier message may lie below the padding
		for (let i = this.#at; i < start; i++) this.#bytes[i] = 0;
		this.#at = end;
		return start;
	}

	#grow(least: number): void {
		const bytes = new Uint8Array(Math.max(least, 2 * this.#bytes.length));
		bytes.set(this.#bytes);
		this.#bytes = bytes;
		this.#view = new DataView(bytes.buffer);
	}

	uint8(value: number): void {
		const at = this.#take(1, 1);
		this.#bytes[at] = value;
	}
	int8(value: number): void {
		this.uint8(value);
	}
	bool(value: unknown): void {
		this.uint8(value ? 1 : 0);
	}
	uint16(value: number): void {
		const at = this.#take(2, 2);
		this.#view.setUint16(at, value, true);
	}
	int16(value: number): void {
		this.uint16(value);
	}
	uint32(value: number): void {
		const at = this.#take(4, 4);
		this.#view.setUint32(at, value, true);
	}
	int32(value: number): void {
		this.uint32(value);
	}
	uint64(value: bigint | number): void {
		const at = this.#take(8, 8);
		this.#view.setBigUint64(
			at,
			BigInt.asUintN(64, typeof value === 'bigint' ? value : BigInt(Math.trunc(value))),
			true,
		);
	}
	int64(value: bigint | number): void {
		this.uint64(value);
	}
	float32(value: number): void {
		const at = this.#take(4, 4);
		this.#view.setFloat32(at, value, true);
	}
	float64(value: number): void {
		const at = this.#take(8, 8);
		this.#view.setFloat64(at, value, true);
	}

	string(value: string): void {
		// most texts are short and plain
		const { length } = value;
		const at = this.#take(4 + 3 * length + 1, 4);
		const { written } = ENCODER.encodeInto(value, this.#bytes.subarray(at + 4, at + 4 + 3 * length));
		this.#bytes[at + 4 + written] = 0;
		this.#view.setUint32(at, written + 1, true);
		this.#at = at + 4 + written + 1;
	}

	/** Bytes as they are. */
	raw(bytes: ArrayLike<number>): void {
		const at = this.#take(bytes.length, 1);
		this.#bytes.set(bytes, at);
	}

	/** Numbers of a typed array whose memory has the order of this machine, which is little endian everywhere that matters. */
	numbers(values: ArrayBufferView & { readonly BYTES_PER_ELEMENT: number; readonly length: number }): void {
		if (values.length === 0) return;
		const at = this.#take(values.byteLength, values.BYTES_PER_ELEMENT);
		this.#bytes.set(new Uint8Array(values.buffer, values.byteOffset, values.byteLength), at);
	}
}

/** Reads values in CDR, of either order. Throws a {@link CdrError} where the bytes end. */
export class CdrReader {
	readonly #bytes: Uint8Array;
	readonly #view: DataView;
	readonly isLittle: boolean;
	#at = CDR_HEADER_SIZE;

	constructor(bytes: Uint8Array) {
		// a plain view: slices of Node's buffers would share memory
		this.#bytes = new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.byteLength);
		this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
		if (bytes.length < CDR_HEADER_SIZE) throw new CdrError(`${bytes.length} bytes are no message`);
		const kind = this.#view.getUint16(0);
		if (kind > LITTLE_ENDIAN) throw new CdrError(`the encoding is 0x${kind.toString(16)}, expected CDR`);
		this.isLittle = kind === LITTLE_ENDIAN;
	}

	get remaining(): number {
		return this.#bytes.length - this.#at;
	}

	#take(size: number, alignment: number): number {
		const start = this.#at + ((alignment - ((this.#at - CDR_HEADER_SIZE) & (alignment - 1))) & (alignment - 1));
		if (start + size > this.#bytes.length)
			throw new CdrError(`a value ends at byte ${start + size} of ${this.#bytes.length}`);
		this.#at = start + size;
		return start;
	}

	uint8(): number {
		return this.#bytes[this.#take(1, 1)]!;
	}
	int8(): number {
		return this.#view.getInt8(this.#take(1, 1));
	}
	bool(): boolean {
		return this.uint8() !== 0;
	}
	uint16(): number {
		return this.#view.getUint16(this.#take(2, 2), this.isLittle);
	}
	int16(): number {
		return this.#view.getInt16(this.#take(2, 2), this.isLittle);
	}
	uint32(): number {
		return this.#view.getUint32(this.#take(4, 4), this.isLittle);
	}
	int32(): number {
		return this.#view.getInt32(this.#take(4, 4), this.isLittle);
	}
	uint64(): bigint {
		return this.#view.getBigUint64(this.#take(8, 8), this.isLittle);
	}
	int64(): bigint {
		return this.#view.getBigInt64(this.#take(8, 8), this.isLittle);
	}
	float32(): number {
		return this.#view.getFloat32(this.#take(4, 4), this.isLittle);
	}
	float64(): number {
		return this.#view.getFloat64(this.#take(8, 8), this.isLittle);
	}

	string(): string {
		const length = this.uint32();
		const start = this.#take(length, 1);
		return DECODER.decode(this.#bytes.subarray(start, start + Math.max(0, length - 1)));
	}

	/** A copy of the bytes of `count` numbers of a size. */
	block(count: number, size: number): ArrayBuffer {
		if (count === 0) return new ArrayBuffer(0);
		const start = this.#take(count * size, size);
		return this.#bytes.slice(start, start + count * size).buffer as ArrayBuffer;
	}
}
