/**
 * Gives short byte sequences numbers and strings, so that names met many times are decoded once and compare by number.
 * Numbers count up from 0 in the order of first meeting.
 */
export class TextInterner {
	/** The strings, by number. */
	readonly strings: string[];
	#slots: Int32Array;
	#mask: number;
	#hashes: Int32Array;
	#starts: Uint32Array;
	#store: Uint8Array;
	#storeSize: number;

	/** An interner without texts, or one that starts with those of another, under the same numbers. */
	constructor(base?: TextInterner) {
		this.strings = base?.strings.slice() ?? [];
		this.#mask = base === undefined ? 1023 : base.#mask;
		this.#storeSize = base === undefined ? 0 : base.#storeSize;
		// one allocation for all of them: small texts are many
		const slots = this.#mask + 1;
		const count = base === undefined ? 512 : base.#hashes.length;
		const store = base === undefined ? 2048 : base.#store.length;
		const buffer = new ArrayBuffer((slots + 2 * count) * 4 + store);
		this.#slots = new Int32Array(buffer, 0, slots);
		this.#hashes = new Int32Array(buffer, slots * 4, count);
		this.#starts = new Uint32Array(buffer, (slots + count) * 4, count);
		this.#store = new Uint8Array(buffer, (slots + 2 * count) * 4, store);
		if (base === undefined) {
			this.#slots.fill(-1);
		} else {
			this.#slots.set(base.#slots);
			this.#hashes.set(base.#hashes);
			this.#starts.set(base.#starts);
			this.#store.set(base.#store);
		}
	}

	/** Bytes of all texts. */
	get byteLength(): number {
		return this.#storeSize;
	}

	/** Number of the bytes from `start` to `end`. */
	intern(bytes: Uint8Array, start: number, end: number): number {
		let hash = 0x811c9dc5 | 0;
		for (let i = start; i < end; i++) hash = Math.imul(hash ^ bytes[i]!, 0x01000193);
		hash ^= hash >>> 15;
		const length = end - start;
		const mask = this.#mask;
		const slots = this.#slots;
		let slot = hash & mask;
		for (;;) {
			const number = slots[slot]!;
			if (number < 0) return this.#add(bytes, start, end, hash, slot);
			if (this.#hashes[number] === hash && this.#starts[number + 1]! - this.#starts[number]! === length) {
				const store = this.#store;
				const from = this.#starts[number]!;
				let i = 0;
				while (i < length && store[from + i] === bytes[start + i]) i++;
				if (i === length) return number;
			}
			slot = (slot + 1) & mask;
		}
	}

	#add(bytes: Uint8Array, start: number, end: number, hash: number, slot: number): number {
		const number = this.strings.length;
		const length = end - start;
		if (number + 1 >= this.#hashes.length) {
			this.#hashes = grownInts(this.#hashes);
			const starts = new Uint32Array(this.#starts.length * 2);
			starts.set(this.#starts);
			this.#starts = starts;
		}
		if (this.#storeSize + length > this.#store.length) {
			const store = new Uint8Array(Math.max(this.#store.length * 2, this.#storeSize + length));
			store.set(this.#store);
			this.#store = store;
		}
		const store = this.#store;
		const from = this.#storeSize;
		for (let i = 0; i < length; i++) store[from + i] = bytes[start + i]!;
		this.#storeSize = from + length;
		this.#hashes[number] = hash;
		this.#starts[number] = from;
		this.#starts[number + 1] = from + length;
		this.strings.push(this.#decode(bytes, start, end));
		this.#slots[slot] = number;
		if (number * 2 > this.#mask) this.#rehash();
		return number;
	}

	#decode(bytes: Uint8Array, start: number, end: number): string {
		const ascii = asciiText(bytes, start, end);
		return ascii ?? DECODER.decode(bytes.subarray(start, end));
	}

	#rehash(): void {
		const size = (this.#mask + 1) * 4;
		const slots = new Int32Array(size).fill(-1);
		const mask = size - 1;
		for (let number = 0; number < this.strings.length; number++) {
			let slot = this.#hashes[number]! & mask;
			while (slots[slot]! >= 0) slot = (slot + 1) & mask;
			slots[slot] = number;
		}
		this.#slots = slots;
		this.#mask = mask;
	}
}

const DECODER = new TextDecoder('utf-8', { ignoreBOM: true });

function grownInts(ints: Int32Array): Int32Array {
	const grown = new Int32Array(ints.length * 2);
	grown.set(ints);
	return grown;
}

/** The text of ASCII bytes; undefined when there are others or the piece is long. Faster than a decoder for short names. */
function asciiText(bytes: Uint8Array, start: number, end: number): string | undefined {
	const length = end - start;
	if (length > 24) return undefined;
	let bits = 0;
	for (let i = start; i < end; i++) bits |= bytes[i]!;
	if (bits >= 0x80) return undefined;
	let text = '';
	let i = start;
	for (; i + 8 <= end; i += 8) {
		text += String.fromCharCode(
			bytes[i]!,
			bytes[i + 1]!,
			bytes[i + 2]!,
			bytes[i + 3]!,
			bytes[i + 4]!,
			bytes[i + 5]!,
			bytes[i + 6]!,
			bytes[i + 7]!,
		);
	}
	for (; i + 2 <= end; i += 2) text += String.fromCharCode(bytes[i]!, bytes[i + 1]!);
	if (i < end) text += String.fromCharCode(bytes[i]!);
	return text;
}
