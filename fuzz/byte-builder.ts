/** Bytes that grow at the end, little-endian. */
export class ByteBuilder {
	#bytes = new Uint8Array(1024);
	#view = new DataView(this.#bytes.buffer);
	#size = 0;

	get size(): number {
		return this.#size;
	}

	u8(value: number): this {
		this.#reserve(1);
		this.#bytes[this.#size++] = value;
		return this;
	}

	u16(value: number): this {
		this.#reserve(2);
		this.#view.setUint16(this.#size, value, true);
		this.#size += 2;
		return this;
	}

	u32(value: number): this {
		this.#reserve(4);
		this.#view.setUint32(this.#size, value, true);
		this.#size += 4;
		return this;
	}

	u64(value: bigint | number): this {
		this.#reserve(8);
		this.#view.setBigUint64(this.#size, BigInt.asUintN(64, BigInt(value)), true);
		this.#size += 8;
		return this;
	}

	f64(value: number): this {
		this.#reserve(8);
		this.#view.setFloat64(this.#size, value, true);
		this.#size += 8;
		return this;
	}

	raw(bytes: Uint8Array): this {
		this.#reserve(bytes.byteLength);
		this.#bytes.set(bytes, this.#size);
		this.#size += bytes.byteLength;
		return this;
	}

	text(text: string): this {
		return this.raw(new TextEncoder().encode(text));
	}

	zeros(count: number): this {
		this.#reserve(count);
		this.#bytes.fill(0, this.#size, this.#size + count);
		this.#size += count;
		return this;
	}

	/** Overwrites 8 bytes that were written before. */
	patchU64(at: number, value: bigint | number): this {
		this.#view.setBigUint64(at, BigInt.asUintN(64, BigInt(value)), true);
		return this;
	}

	/** A copy of what was written. */
	finish(): Uint8Array {
		return this.#bytes.slice(0, this.#size);
	}

	#reserve(count: number): void {
		if (this.#size + count <= this.#bytes.byteLength) return;
		const bytes = new Uint8Array(Math.max(this.#bytes.byteLength * 2, this.#size + count));
		bytes.set(this.#bytes.subarray(0, this.#size));
		this.#bytes = bytes;
		this.#view = new DataView(bytes.buffer);
	}
}
