import type { ByteSink } from './byte-sink.ts';

/** Runs of 32-bit words, each stored once. */
export class WordTable {
	/** All runs, one after the other. */
	words: Uint32Array = new Uint32Array(256);
	length = 0;
	#slots = new Int32Array(256).fill(-1);
	/** Start and length of each run, in the order of their first use. */
	#starts = new Uint32Array(128);
	#lengths = new Uint32Array(128);
	#count = 0;

	/** Number of runs. */
	get count(): number {
		return this.#count;
	}

	/** Where the run with number `run` begins. */
	start(run: number): number {
		return this.#starts[run]!;
	}

	/** Number of the run `source[0, length)`, added if it is new. */
	add(source: Uint32Array, length: number): number {
		let hash = length;
		for (let i = 0; i < length; i++) hash = mix(hash, source[i]!);
		const mask = this.#slots.length - 1;
		let slot = finish(hash) & mask;
		for (;;) {
			const run = this.#slots[slot]!;
			if (run < 0) break;
			if (this.#lengths[run] === length && this.#equals(this.#starts[run]!, source, length)) return run;
			slot = (slot + 1) & mask;
		}
		const run = this.#append(source, length);
		this.#slots[slot] = run;
		if (this.#count * 2 > this.#slots.length) this.#rehash();
		return run;
	}

	#equals(start: number, source: Uint32Array, length: number): boolean {
		for (let i = 0; i < length; i++) if (this.words[start + i] !== source[i]) return false;
		return true;
	}

	#append(source: Uint32Array, length: number): number {
		if (this.length + length > this.words.length) this.words = grow(this.words, this.length + length);
		if (this.#count === this.#starts.length) {
			this.#starts = grow(this.#starts, this.#count + 1);
			this.#lengths = grow(this.#lengths, this.#count + 1);
		}
		this.#starts[this.#count] = this.length;
		this.#lengths[this.#count] = length;
		for (let i = 0; i < length; i++) this.words[this.length++] = source[i]!;
		return this.#count++;
	}

	#rehash(): void {
		const slots = new Int32Array(this.#slots.length * 2).fill(-1);
		const mask = slots.length - 1;
		for (let run = 0; run < this.#count; run++) {
			const start = this.#starts[run]!;
			const length = this.#lengths[run]!;
			let hash = length;
			for (let i = 0; i < length; i++) hash = mix(hash, this.words[start + i]!);
			let slot = finish(hash) & mask;
			while (slots[slot]! >= 0) slot = (slot + 1) & mask;
			slots[slot] = run;
		}
		this.#slots = slots;
	}
}

/** Values that were written to a sink, found again by their bytes. */
export class BlobTable {
	readonly #sink: ByteSink;
	#slots = new Int32Array(1024).fill(-1);
	/** Per blob: hash, kind, offset in the file, place in the buffer of the sink, size, and the data that was gathered. */
	readonly #hashes: number[] = [];
	readonly #kinds: number[] = [];
	readonly #offsets: number[] = [];
	readonly #starts: number[] = [];
	readonly #sizes: number[] = [];
	readonly #gathered: (DataView | undefined)[] = [];

	constructor(sink: ByteSink) {
		this.#sink = sink;
	}

	/**
	 * Looks at what was just written, from `start` in the buffer of the sink to its end. When an equal blob of the same kind is
	 * there already, the new one is taken back, to `rewind`, and the old offset in the file returned; else that of the new one.
	 */
	intern(kind: number, start: number, rewind: number): number {
		const sink = this.#sink;
		const bytes = sink.gatheredFrom(start + 1);
		// what stands before gathered data is its length, which the size says as well
		const gathered = bytes && new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
		const size = sink.at - start + (gathered?.byteLength ?? 0);
		const own = gathered ? hashBytes(gathered, 0, gathered.byteLength) : hashBytes(sink.view, start, sink.at);
		const hash = finish(own + Math.imul(kind, 0x85ebca6b));
		const mask = this.#slots.length - 1;
		let slot = hash & mask;
		for (;;) {
			const blob = this.#slots[slot]!;
			if (blob < 0) break;
			if (
				this.#hashes[blob] === hash &&
				this.#kinds[blob] === kind &&
				this.#sizes[blob] === size &&
				this.#isEqual(blob, gathered, start, size)
			) {
				sink.rewind(rewind);
				return this.#offsets[blob]!;
			}
			slot = (slot + 1) & mask;
		}
		const offset = sink.offset - size;
		this.#slots[slot] = this.#hashes.length;
		this.#hashes.push(hash);
		this.#kinds.push(kind);
		this.#offsets.push(offset);
		this.#starts.push(start);
		this.#sizes.push(size);
		this.#gathered.push(gathered);
		if (this.#hashes.length * 2 > this.#slots.length) this.#rehash();
		return offset;
	}

	#isEqual(blob: number, gathered: DataView | undefined, start: number, size: number): boolean {
		const other = this.#gathered[blob];
		if (gathered === undefined || other === undefined) {
			const { view } = this.#sink;
			return gathered === other && equalBytes(view, this.#starts[blob]!, view, start, size);
		}
		return other.byteLength === gathered.byteLength && equalBytes(other, 0, gathered, 0, gathered.byteLength);
	}

	#rehash(): void {
		const slots = new Int32Array(this.#slots.length * 2).fill(-1);
		const mask = slots.length - 1;
		for (let blob = 0; blob < this.#hashes.length; blob++) {
			let slot = this.#hashes[blob]! & mask;
			while (slots[slot]! >= 0) slot = (slot + 1) & mask;
			slots[slot] = blob;
		}
		this.#slots = slots;
	}
}

/** Hash of the bytes of a view. The same bytes give the same hash wherever they are. */
function hashBytes(view: DataView, start: number, end: number): number {
	// Four hashes side by side: one alone would wait for its own multiplications.
	let hash = end - start;
	let second = 0;
	let third = 0;
	let fourth = 0;
	let at = start;
	if ((view.byteOffset + start) % 4 === 0) {
		const words = new Int32Array(view.buffer, view.byteOffset + start, (end - start) >>> 2);
		const last = words.length & ~3;
		for (let i = 0; i < last; i += 4) {
			hash = mix(hash, words[i]!);
			second = mix(second, words[i + 1]!);
			third = mix(third, words[i + 2]!);
			fourth = mix(fourth, words[i + 3]!);
		}
		at += 4 * last;
	}
	for (; at + 16 <= end; at += 16) {
		hash = mix(hash, view.getInt32(at, true));
		second = mix(second, view.getInt32(at + 4, true));
		third = mix(third, view.getInt32(at + 8, true));
		fourth = mix(fourth, view.getInt32(at + 12, true));
	}
	hash = mix(mix(mix(hash, second), third), fourth);
	for (; at + 4 <= end; at += 4) hash = mix(hash, view.getInt32(at, true));
	for (; at < end; at++) hash = mix(hash, view.getUint8(at));
	return hash;
}

function equalBytes(first: DataView, a: number, second: DataView, b: number, size: number): boolean {
	let i = 0;
	for (; i + 4 <= size; i += 4) if (first.getInt32(a + i, true) !== second.getInt32(b + i, true)) return false;
	for (; i < size; i++) if (first.getUint8(a + i) !== second.getUint8(b + i)) return false;
	return true;
}

function mix(hash: number, word: number): number {
	const mixed = Math.imul(hash ^ word, 0x9e3779b1);
	return (mixed << 13) | (mixed >>> 19);
}

function finish(hash: number): number {
	const mixed = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
	return mixed ^ (mixed >>> 13);
}

function grow(words: Uint32Array, needed: number): Uint32Array<ArrayBuffer> {
	const grown = new Uint32Array(Math.max(words.length * 2, needed));
	grown.set(words);
	return grown;
}
