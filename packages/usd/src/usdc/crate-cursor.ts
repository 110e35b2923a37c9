import { CrateFault } from './crate-fault.ts';

/** Reads little-endian numbers from the bytes of a crate file; every read is checked against the size of the file. */
export class CrateCursor {
	readonly bytes: Uint8Array;
	readonly size: number;
	readonly #view: DataView;
	/** Offset of the next read. */
	at = 0;

	constructor(bytes: Uint8Array) {
		this.bytes = bytes;
		this.size = bytes.byteLength;
		this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
	}

	/** Moves to an absolute offset. */
	seek(offset: number): void {
		if (!(offset >= 0 && offset <= this.size)) {
			throw new CrateFault(`offset ${offset} is outside the file of ${this.size} bytes`, Math.min(this.at, this.size));
		}
		this.at = offset;
	}

	/** Makes sure that `count` items of `itemSize` bytes can be read; returns the number of bytes. */
	need(count: number, itemSize: number, what: string): number {
		const bytes = count * itemSize;
		if (!(bytes <= this.size - this.at)) {
			throw new CrateFault(
				`${what} needs ${bytes} bytes at offset ${this.at}, but only ${this.size - this.at} are left`,
				this.at,
			);
		}
		return bytes;
	}

	/** Moves past `count` bytes and returns where they begin. */
	skip(count: number, what: string): number {
		this.need(count, 1, what);
		const start = this.at;
		this.at += count;
		return start;
	}

	uint8(): number {
		this.need(1, 1, 'a byte');
		return this.bytes[this.at++]!;
	}

	int32(): number {
		this.need(1, 4, 'a 32-bit integer');
		const value = this.#view.getInt32(this.at, true);
		this.at += 4;
		return value;
	}

	uint32(): number {
		this.need(1, 4, 'a 32-bit integer');
		const value = this.#view.getUint32(this.at, true);
		this.at += 4;
		return value;
	}

	/** A 64-bit count or offset. Rounded above 2^53, which no file reaches: bounds checks refuse such numbers. */
	uint64(): number {
		this.need(1, 8, 'a 64-bit integer');
		const value = this.#view.getUint32(this.at, true) + this.#view.getUint32(this.at + 4, true) * 0x100000000;
		this.at += 8;
		return value;
	}

	int64(): number {
		this.need(1, 8, 'a 64-bit integer');
		const value = this.#view.getUint32(this.at, true) + this.#view.getInt32(this.at + 4, true) * 0x100000000;
		this.at += 8;
		return value;
	}

	bigInt64(): bigint {
		this.need(1, 8, 'a 64-bit integer');
		const value = this.#view.getBigInt64(this.at, true);
		this.at += 8;
		return value;
	}

	bigUint64(): bigint {
		this.need(1, 8, 'a 64-bit integer');
		const value = this.#view.getBigUint64(this.at, true);
		this.at += 8;
		return value;
	}

	uint16(): number {
		this.need(1, 2, 'a 16-bit integer');
		const value = this.#view.getUint16(this.at, true);
		this.at += 2;
		return value;
	}

	float32(): number {
		this.need(1, 4, 'a float');
		const value = this.#view.getFloat32(this.at, true);
		this.at += 4;
		return value;
	}

	float64(): number {
		this.need(1, 8, 'a double');
		const value = this.#view.getFloat64(this.at, true);
		this.at += 8;
		return value;
	}

	/** A count of items of at least `itemSize` bytes each that follow in the file. */
	count64(itemSize: number, what: string): number {
		const start = this.at;
		const count = this.uint64();
		if (!(count * itemSize <= this.size - this.at)) {
			throw new CrateFault(`${what} claims ${count} items, more than the rest of the file can hold`, start);
		}
		return count;
	}
}
