import type { FieldSource, SpecSource } from './layer-data.ts';

/** Integers kept for each spec, followed by those of its fields: start, end, name, metadata, body, field count. */
const SPEC_SIZE = 8;
/** Name number, start, value start, value end, end. */
const FIELD_SIZE = 5;
/** Integers of an open spec before its fields: position of the one around it, then the seven offsets. */
const OPEN_SIZE = 8;
/** Integers of fields that are looked through for repetitions. */
const SMALL_RECORD = 64 * FIELD_SIZE;

/** Integers in a piece of the table. A record's number is that of its piece, then its place in it. */
const CHUNK_BITS = 14;
const CHUNK_SIZE = 1 << CHUNK_BITS;
const CHUNK_MASK = CHUNK_SIZE - 1;
const FIRST_CHUNK_SIZE = 256;

/**
 * Where specs and fields of a text layer were written, as a table of integers.
 *
 * A reader opens a spec, adds its fields as it meets them and closes it; open specs nest.
 */
export class SourceRanges {
	/** Records, in pieces so that growing copies nothing. No record lies in two pieces. */
	readonly #chunks: Int32Array[] = [];
	/** Integers used of the last piece. */
	#used = 0;
	/** Integers that the last piece holds. */
	#room = 0;
	#open: Int32Array;
	#openSize = 0;
	/** Position of the innermost open spec, -1 without one. */
	#current = -1;
	#depth = 0;
	/** Numbers of names that are not among the frequent ones. */
	#fieldNumbers: Map<string, number> | undefined;

	constructor() {
		this.#open = spareInts ?? new Int32Array(256);
		spareInts = undefined;
	}

	/** A number that stands for a field name in {@link addField}. */
	fieldNumber(name: string): number {
		const frequent = FREQUENT.get(name);
		if (frequent !== undefined) return frequent;
		this.#fieldNumbers ??= new Map();
		let number = this.#fieldNumbers.get(name);
		if (number === undefined) {
			number = FREQUENT.size + this.#fieldNumbers.size;
			this.#fieldNumbers.set(name, number);
		}
		return number;
	}

	/** Begins a spec whose statement starts at `start` and whose name stands at `nameStart`. */
	open(start: number, nameStart: number): void {
		const at = this.#push(OPEN_SIZE);
		const open = this.#open;
		open[at] = this.#current;
		open[at + 1] = start;
		open[at + 2] = -1;
		open[at + 3] = nameStart;
		open[at + 4] = -1;
		open[at + 5] = -1;
		open[at + 6] = -1;
		open[at + 7] = -1;
		this.#current = at;
		this.#depth++;
	}

	/** Begins to add to a spec that was closed as `record`, which must not be used after. */
	reopen(record: number): void {
		const chunk = record >>> CHUNK_BITS;
		const data = this.#chunks[chunk]!;
		const from = record & CHUNK_MASK;
		const first = from + SPEC_SIZE;
		const end = first + data[from + 7]! * FIELD_SIZE;
		const at = this.#push(OPEN_SIZE);
		this.#open[at] = this.#current;
		for (let i = 0; i < 7; i++) this.#open[at + 1 + i] = data[from + i]!;
		for (let field = first; field < end; field += FIELD_SIZE) {
			// a statement that is repeated many times must not make the record grow each time
			if (end - field <= SMALL_RECORD && hasField(data, data[field]!, field + FIELD_SIZE, end)) continue;
			const to = this.#push(FIELD_SIZE);
			for (let i = 0; i < FIELD_SIZE; i++) this.#open[to + i] = data[field + i]!;
		}
		if (end === this.#used && chunk === this.#chunks.length - 1) this.#used = from;
		this.#current = at;
		this.#depth++;
	}

	/** Says where the parentheses around the metadata of the innermost open spec are. */
	setMetadata(open: number, close: number): void {
		this.#open[this.#current + 4] = open;
		this.#open[this.#current + 5] = close;
	}

	/** Says where the braces around the body of the innermost open spec are. */
	setBody(open: number, close: number): void {
		this.#open[this.#current + 6] = open;
		this.#open[this.#current + 7] = close;
	}

	/** Says where the body of the innermost open spec ends. */
	closeBody(close: number): void {
		this.#open[this.#current + 7] = close;
	}

	/** Number of open specs. */
	get depth(): number {
		return this.#depth;
	}

	/** Adds a field to the innermost open spec; of two with one name the last counts. */
	addField(number: number, start: number, valueStart: number, valueEnd: number, end: number): void {
		const at = this.#push(FIELD_SIZE);
		const open = this.#open;
		open[at] = number;
		open[at + 1] = start;
		open[at + 2] = valueStart;
		open[at + 3] = valueEnd;
		open[at + 4] = end;
	}

	/** Ends the innermost open spec and gives the number of its record. A reopened one keeps its first end. */
	close(end: number): number {
		const from = this.#current;
		const open = this.#open;
		const fieldInts = this.#openSize - from - OPEN_SIZE;
		const size = SPEC_SIZE + fieldInts;
		if (this.#used + size > this.#room) {
			// small texts are many: the first pieces are small
			this.#room = Math.max(size, Math.min(CHUNK_SIZE, FIRST_CHUNK_SIZE << (2 * Math.min(this.#chunks.length, 8))));
			this.#chunks.push(new Int32Array(this.#room));
			this.#used = 0;
		}
		const at = this.#used;
		const chunk = this.#chunks.length - 1;
		const data = this.#chunks[chunk]!;
		data[at] = open[from + 1]!;
		data[at + 1] = open[from + 2]! < 0 ? end : open[from + 2]!;
		for (let i = 2; i < 7; i++) data[at + i] = open[from + 1 + i]!;
		data[at + 7] = fieldInts / FIELD_SIZE;
		for (let i = 0; i < fieldInts; i++) data[at + SPEC_SIZE + i] = open[from + OPEN_SIZE + i]!;
		this.#used = at + size;
		this.#openSize = from;
		this.#current = open[from]!;
		if (--this.#depth === 0) this.#leaveRoom();
		return (chunk << CHUNK_BITS) | at;
	}

	/** Where the spec with this record was written. */
	spec(record: number): SpecSource {
		const d = this.#chunks[record >>> CHUNK_BITS]!;
		const at = record & CHUNK_MASK;
		return {
			start: d[at]!,
			end: d[at + 1]!,
			nameStart: d[at + 2]!,
			metadataOpen: d[at + 3]!,
			metadataClose: d[at + 4]!,
			bodyOpen: d[at + 5]!,
			bodyClose: d[at + 6]!,
		};
	}

	/** Where a field of the spec with this record was written, undefined when it was implied. */
	field(record: number, name: string): FieldSource | undefined {
		const number = FREQUENT.get(name) ?? this.#fieldNumbers?.get(name);
		if (number === undefined) return undefined;
		const d = this.#chunks[record >>> CHUNK_BITS]!;
		const from = record & CHUNK_MASK;
		const first = from + SPEC_SIZE;
		for (let at = first + (d[from + 7]! - 1) * FIELD_SIZE; at >= first; at -= FIELD_SIZE) {
			if (d[at] === number) return { start: d[at + 1]!, valueStart: d[at + 2]!, valueEnd: d[at + 3]!, end: d[at + 4]! };
		}
		return undefined;
	}

	/** Nothing is open: the room for it is of use to the next layer. */
	#leaveRoom(): void {
		if (this.#open.length <= MOST_SPARE) spareInts = this.#open;
		this.#open = NO_INTS;
	}

	#push(count: number): number {
		const at = this.#openSize;
		this.#openSize = at + count;
		if (this.#openSize > this.#open.length) this.#open = grown(this.#open, this.#openSize);
		return at;
	}
}

/** Fields whose numbers are the same everywhere. */
const FREQUENT: ReadonlyMap<string, number> = new Map(
	[
		'specifier',
		'typeName',
		'custom',
		'variability',
		'default',
		'targetPaths',
		'apiSchemas',
		'documentation',
		'comment',
		'defaultPrim',
		'metersPerUnit',
		'kilogramsPerUnit',
		'upAxis',
		'subLayers',
		'customLayerData',
		'references',
		'payload',
		'kind',
		'displayName',
		'interpolation',
		'connectionPaths',
		'timeSamples',
		'customData',
	].map((name, number) => [name, number]),
);

const NO_INTS = new Int32Array(0);
/** Room that one reading leaves to the next. */
let spareInts: Int32Array | undefined;
const MOST_SPARE = 1 << 14;

function grown(ints: Int32Array, needed: number): Int32Array {
	const result = new Int32Array(Math.max(needed, ints.length * 2));
	result.set(ints);
	return result;
}

function hasField(data: Int32Array, number: number, from: number, end: number): boolean {
	for (let at = from; at < end; at += FIELD_SIZE) if (data[at] === number) return true;
	return false;
}
