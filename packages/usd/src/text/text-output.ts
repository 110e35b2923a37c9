import { MAX_NUMBER_BYTES, writeDouble, writeInt } from './format-number.ts';

/** Capacity of the first piece; each further one doubles it up to the largest. */
const FIRST_CAPACITY = 1 << 14;
const LARGEST_CAPACITY = 1 << 22;

/**
 * Text under construction, as UTF-8 bytes in pieces that are joined at the end. Loops over arrays take `bytes` and
 * `length`, the piece being filled and its fill, into their own hands after `reserve`.
 */
export class TextOutput {
	bytes: Uint8Array;
	length = 0;
	readonly #full: Uint8Array[] = [];
	#fullLength = 0;

	/** `capacity` is how much text is expected; a good guess saves a copy. */
	constructor(capacity: number = FIRST_CAPACITY) {
		this.bytes = new Uint8Array(capacity);
	}

	/** Bytes written so far. */
	get totalLength(): number {
		return this.#fullLength + this.length;
	}

	/** Makes room for `count` more bytes in one piece; `bytes` may be another array afterwards. */
	reserve(count: number): void {
		if (this.length + count > this.bytes.length) this.#startPiece(count);
	}

	#startPiece(count: number): void {
		if (this.length > 0) {
			this.#full.push(this.bytes.subarray(0, this.length));
			this.#fullLength += this.length;
		}
		const capacity = Math.min(Math.max(this.totalLength * 2, FIRST_CAPACITY), LARGEST_CAPACITY);
		this.bytes = new Uint8Array(Math.max(capacity, count));
		this.length = 0;
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
		const end = this.length + count;
		if (count > 64) this.bytes.fill(0x20, this.length, end);
		else for (let i = this.length; i < end; i++) this.bytes[i] = 0x20;
		this.length = end;
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

	/** What was written. Nothing may be written afterwards. */
	finish(): Uint8Array {
		if (this.#full.length === 0 && this.length >= this.bytes.length / 2) return this.bytes.subarray(0, this.length);
		const all = new Uint8Array(this.totalLength);
		let at = 0;
		for (const piece of this.#full) {
			all.set(piece, at);
			at += piece.length;
		}
		all.set(this.bytes.subarray(0, this.length), at);
		return all;
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
