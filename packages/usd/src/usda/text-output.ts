import { MAX_NUMBER_BYTES, writeDouble, writeInt } from './format-number.ts';

/** Capacity a new output starts with. */
const FIRST_CAPACITY = 1 << 14;

/**
 * Text under construction, as UTF-8 bytes in one buffer that doubles when full. Loops over arrays take `bytes` and
 * `length` into their own hands after `reserve`.
 */
export class TextOutput {
	bytes: Uint8Array = new Uint8Array(FIRST_CAPACITY);
	length = 0;

	/** Makes room for `count` more bytes; `bytes` may be another array afterwards. */
	reserve(count: number): void {
		const needed = this.length + count;
		if (needed <= this.bytes.length) return;
		let capacity = this.bytes.length * 2;
		while (capacity < needed) capacity *= 2;
		const grown = new Uint8Array(capacity);
		grown.set(this.bytes.subarray(0, this.length));
		this.bytes = grown;
	}

	/** Appends text as it is. A lone surrogate from U+DC80 to U+DCFF stands for one raw byte. */
	text(text: string): void {
		const count = text.length;
		this.reserve(count * 3);
		const bytes = this.bytes;
		const start = this.length;
		for (let i = 0; i < count; i++) {
			const unit = text.charCodeAt(i);
			if (unit > 0x7f) {
				this.length = start + i;
				this.#encode(text.slice(i));
				return;
			}
			bytes[start + i] = unit;
		}
		this.length = start + count;
	}

	byte(value: number): void {
		this.reserve(1);
		this.bytes[this.length++] = value;
	}

	/** Appends four spaces for each level. */
	indent(levels: number): void {
		const count = levels * 4;
		this.reserve(count);
		this.bytes.fill(0x20, this.length, this.length + count);
		this.length += count;
	}

	/** Appends indentation, then text. */
	line(levels: number, text: string): void {
		this.indent(levels);
		this.text(text);
	}

	double(value: number): void {
		this.reserve(MAX_NUMBER_BYTES);
		this.length = writeDouble(this.bytes, this.length, value);
	}

	/** Appends an integer between -2^53 and 2^53. */
	int(value: number): void {
		this.reserve(MAX_NUMBER_BYTES);
		this.length = writeInt(this.bytes, this.length, value);
	}

	/** What was written, in an array of its own. */
	finish(): Uint8Array {
		return this.bytes.slice(0, this.length);
	}

	#encode(text: string): void {
		if (!LONE_SURROGATE.test(text)) {
			this.length += ENCODER.encodeInto(text, this.bytes.subarray(this.length)).written;
			return;
		}
		for (const piece of text) {
			const unit = piece.charCodeAt(0);
			if (piece.length === 1 && unit >= 0xdc80 && unit <= 0xdcff) this.bytes[this.length++] = unit & 0xff;
			else this.length += ENCODER.encodeInto(piece, this.bytes.subarray(this.length)).written;
		}
	}
}

const ENCODER = new TextEncoder();
const LONE_SURROGATE = /\p{Surrogate}/u;
