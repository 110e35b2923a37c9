import type { FieldSource, SpecSource } from './layer-data.ts';

/** Integers kept for each spec, followed by those of its fields. */
const SPEC_SIZE = 8;
/** Name number, start, value start, value end, end. */
const FIELD_SIZE = 5;

/**
 * Where specs and fields of a text layer were written, in one growing integer array.
 *
 * A reader opens a record, adds the fields of that spec as it meets them and closes the record; records may nest, because
 * the fields of an open record are held back until it closes.
 */
export class SourceRanges {
	#data: Int32Array;
	#size = 0;
	readonly #fieldNumbers = new Map<string, number>();

	constructor(expectedSpecs = 64) {
		this.#data = new Int32Array(expectedSpecs * (SPEC_SIZE + 4 * FIELD_SIZE));
	}

	/** A number that stands for a field name in `add`. */
	fieldNumber(name: string): number {
		let number = this.#fieldNumbers.get(name);
		if (number === undefined) {
			number = this.#fieldNumbers.size;
			this.#fieldNumbers.set(name, number);
		}
		return number;
	}

	/**
	 * Stores a finished spec with `fieldCount` fields, taken from `fields` as groups of five integers
	 * (name number, start, value start, value end, end) from `fieldsStart` on. Gives the record's number.
	 */
	add(source: SpecSource, fields: Int32Array, fieldsStart: number, fieldCount: number): number {
		const at = this.#size;
		const end = at + SPEC_SIZE + fieldCount * FIELD_SIZE;
		if (end > this.#data.length) this.#grow(end);
		const data = this.#data;
		data[at] = source.start;
		data[at + 1] = source.end;
		data[at + 2] = source.nameStart;
		data[at + 3] = source.metadataOpen;
		data[at + 4] = source.metadataClose;
		data[at + 5] = source.bodyOpen;
		data[at + 6] = source.bodyClose;
		data[at + 7] = fieldCount;
		const count = fieldCount * FIELD_SIZE;
		for (let i = 0; i < count; i++) data[at + SPEC_SIZE + i] = fields[fieldsStart + i]!;
		this.#size = end;
		return at;
	}

	spec(record: number): SpecSource {
		const d = this.#data;
		return {
			start: d[record]!,
			end: d[record + 1]!,
			nameStart: d[record + 2]!,
			metadataOpen: d[record + 3]!,
			metadataClose: d[record + 4]!,
			bodyOpen: d[record + 5]!,
			bodyClose: d[record + 6]!,
		};
	}

	field(record: number, name: string): FieldSource | undefined {
		const number = this.#fieldNumbers.get(name);
		if (number === undefined) return undefined;
		const d = this.#data;
		const end = record + SPEC_SIZE + d[record + 7]! * FIELD_SIZE;
		for (let at = record + SPEC_SIZE; at < end; at += FIELD_SIZE) {
			if (d[at] === number) return { start: d[at + 1]!, valueStart: d[at + 2]!, valueEnd: d[at + 3]!, end: d[at + 4]! };
		}
		return undefined;
	}

	#grow(needed: number): void {
		const grown = new Int32Array(Math.max(needed, this.#data.length * 2));
		grown.set(this.#data.subarray(0, this.#size));
		this.#data = grown;
	}
}
