import type { ArrayEdit } from '../sdf/array-edit.ts';
import type { ListOp } from '../sdf/list-op.ts';
import { Path } from '../sdf/path.ts';
import type { Spline } from '../sdf/spline.ts';
import type { Dictionary, Payload, RawCrateValue, Reference, TimeSamples, Unregistered, Value } from '../sdf/value.ts';
import { T, type ValueType } from '../sdf/value-type.ts';
import { encodeArrayEdit } from './array-edit-codec.ts';
import type { NumericArray } from './array-reader.ts';
import { ArrayWriter } from './array-writer.ts';
import type { ByteSink } from './byte-sink.ts';
import { compareText } from './compare-text.ts';
import { CRATE_TYPES, CrateType, RepFlag } from './crate-format.ts';
import type { CrateTables } from './crate-tables.ts';
import { BlobTable } from './dedupe-tables.ts';
import { inlineWord, inPlaceWord } from './inlined-values.ts';
import { type NestedEntries, StoredWriter } from './stored-writer.ts';
import { UnwritableValue } from './unwritable-value.ts';

/** Thrown when a value of unknown type shows up that only a file with the same indexes and offsets can hold. */
export class NeedsBaseFile extends Error {
	override readonly name: string = 'NeedsBaseFile';
}

/** Whether the file that values of unknown type come from is what the sink begins with, could be, or is not known. */
export type BaseFile = 'here' | 'elsewhere' | 'lost';

/** The kind numbers of blobs that are not values of their own. */
const ARRAY_KIND = 256;

/**
 * Writes values to a sink and gives their representations. Equal values are written once: parts come before the value that
 * contains them, so the bytes of equal values are equal and can be compared.
 */
export class ValueWriter {
	readonly sink: ByteSink;
	readonly arrays: ArrayWriter;
	readonly #stored: StoredWriter;
	readonly #blobs: BlobTable;
	/** Offsets of dictionaries: one that occurs in many places costs its own size only. */
	readonly #dictionaries = new Map<Dictionary, number>();
	readonly #base: BaseFile;
	/** The last representation given: low and high word. */
	low = 0;
	high = 0;

	constructor(sink: ByteSink, tables: CrateTables, minor: number, base: BaseFile) {
		this.sink = sink;
		this.arrays = new ArrayWriter(sink, minor);
		this.#stored = new StoredWriter(sink, tables, minor);
		this.#blobs = new BlobTable(sink);
		this.#base = base;
	}

	/** Minor version that the values written so far need. */
	get neededMinor(): number {
		return this.#stored.neededMinor;
	}

	/** Path of the spec: relative paths are read from its prim. */
	set anchor(path: Path) {
		this.#stored.anchor = path;
	}

	/** Writes a value; its representation is in `low` and `high` afterwards. */
	write(value: Value): void {
		const { type, data } = value;
		if (type.isArray) {
			this.#writeArray(type.element, data as NumericArray | readonly string[]);
			return;
		}
		const code = CRATE_TYPES.get(type);
		if (code === undefined) {
			this.#writeSpecial(value);
			return;
		}
		const inPlace = inPlaceWord(code, data, this.#stored);
		if (inPlace !== undefined) {
			this.#represent(code, RepFlag.inlined, inPlace);
			return;
		}
		if (code === CrateType.unregistered || code === CrateType.timeSamples || code === CrateType.dictionary) {
			this.#writeNesting(code, data);
			return;
		}
		const word = inlineWord(type, data);
		if (word !== undefined) {
			this.#represent(code, RepFlag.inlined, word);
			return;
		}
		const nested = this.#writeNested(code, data);
		const start = this.sink.at;
		this.#stored.write(code, type, data, nested);
		this.#finish(code, start);
	}

	/** Writes an explicit payload list-op of up to one item the way that all versions read. */
	writePayloadField(value: Value<ListOp<Payload>>): void {
		const { isExplicit, explicitItems } = value.data;
		const [payload] = explicitItems;
		if (!isExplicit || explicitItems.length > 1 || payload?.assetPath === '') {
			this.write(value);
			return;
		}
		const start = this.sink.at;
		this.#stored.payload(payload ?? { assetPath: '', primPath: Path.empty, layerOffset: { offset: 0, scale: 1 } });
		this.#finish(CrateType.payload, start);
	}

	/** Writes time samples whose values have been written already. */
	writeTimeSamples(times: Float64Array, representations: Uint32Array): void {
		const { sink } = this;
		const timesStart = sink.at;
		sink.uint64(times.length);
		sink.raw(times);
		this.#finish(CrateType.doubleVector, timesStart);
		const start = sink.at;
		this.#nested();
		sink.uint64(8);
		sink.uint64(times.length);
		sink.raw(representations);
		this.#finish(CrateType.timeSamples, start);
	}

	#finish(code: number, start: number): void {
		const offset = this.#blobs.intern(code, start, start);
		this.#represent(code, 0, offset);
	}

	#represent(code: number, flags: number, payload: number): void {
		this.low = payload >>> 0;
		this.high = (flags | (code << 16) | Math.floor(payload / 0x100000000)) >>> 0;
	}

	/** Types that have no number of their own. */
	#writeSpecial(value: Value): void {
		if (value.type === T.arrayEdit) {
			this.#writeArrayEdit(value.data as ArrayEdit);
			return;
		}
		if (value.type !== T.rawCrate) throw new UnwritableValue(`crate files have no type for ${value.type.name}`);
		const { representation } = value.data as RawCrateValue;
		this.low = Number(representation & 0xffffffffn);
		this.high = Number(representation >> 32n);
		const isInPlace = (this.high & RepFlag.inlined) !== 0 || (this.low === 0 && (this.high & 0xffff) === 0);
		if (isInPlace || this.#base === 'here') return;
		if (this.#base === 'elsewhere') throw new NeedsBaseFile('a value of unknown type needs its file');
		throw new UnwritableValue('a value of unknown type can only be written together with the file it comes from');
	}

	/** Values that contain values: those are written first. */
	#writeNesting(code: number, data: unknown): void {
		if (code === CrateType.unregistered) {
			this.#writeUnregistered(data as Unregistered);
		} else if (code === CrateType.timeSamples) {
			const samples = data as TimeSamples;
			const representations = new Uint32Array(samples.times.length * 2);
			for (let i = 0; i < samples.times.length; i++) {
				this.write(samples.valueAt(i));
				representations[2 * i] = this.low;
				representations[2 * i + 1] = this.high;
			}
			this.writeTimeSamples(samples.times, representations);
		} else if ((data as Dictionary).size === 0) {
			this.#represent(code, RepFlag.inlined, 0);
		} else {
			this.#writeDictionary(data as Dictionary);
		}
	}

	#writeArray(element: ValueType, data: NumericArray | readonly string[]): void {
		const code = CRATE_TYPES.get(element);
		if (code === undefined) throw new UnwritableValue(`crate files have no arrays of ${element.name}`);
		if (element === T.timecode) this.#stored.need(9);
		else if (element === T.duration) this.#stored.need(16);
		else if (element === T.pathExpression) this.#stored.need(10);
		if (data.length === 0) {
			this.#represent(code, RepFlag.array, 0);
			return;
		}
		const rewind = this.sink.at;
		let isCompressed = false;
		let start: number;
		if (element.component === 'text') {
			const indexes = new Uint32Array(data.length);
			const texts = data as readonly string[];
			const isToken = element === T.token;
			for (let i = 0; i < texts.length; i++) {
				indexes[i] = isToken ? this.#stored.token(texts[i]!) : this.#stored.string(texts[i]!);
			}
			start = this.arrays.writeItems(indexes, texts.length);
		} else {
			({ start, isCompressed } = this.arrays.write(element, data as NumericArray));
		}
		const offset = this.#blobs.intern(ARRAY_KIND + code * 2 + (isCompressed ? 1 : 0), start, rewind);
		this.#represent(code, RepFlag.array | (isCompressed ? RepFlag.compressed : 0), offset);
	}

	#writeArrayEdit(edit: ArrayEdit): void {
		this.#stored.need(14);
		const { element } = edit.arrayType;
		const code = CRATE_TYPES.get(element);
		if (code === undefined) throw new UnwritableValue(`crate files have no edits of arrays of ${element.name}`);
		if (edit.instructions.length === 0) {
			this.#represent(code, RepFlag.arrayEdit, 0);
			return;
		}
		const { literals, words } = encodeArrayEdit(edit);
		this.#writeArray(element, literals);
		const [literalsLow, literalsHigh] = [this.low, this.high];
		this.#writeArray(T.int64, words);
		const { sink } = this;
		const start = sink.at;
		sink.uint32(literalsLow);
		sink.uint32(literalsHigh);
		sink.uint32(this.low);
		sink.uint32(this.high);
		sink.uint8(0);
		const offset = this.#blobs.intern(ARRAY_KIND * 4 + code, start, start);
		this.#represent(code, RepFlag.arrayEdit, offset);
	}

	#writeDictionary(dictionary: Dictionary): void {
		const known = this.#dictionaries.get(dictionary);
		if (known !== undefined) {
			this.#represent(CrateType.dictionary, 0, known);
			return;
		}
		const entries = this.#writeEntries(dictionary);
		const start = this.sink.at;
		this.#stored.dictionary(entries);
		this.#finish(CrateType.dictionary, start);
		this.#dictionaries.set(dictionary, this.low + (this.high & 0xffff) * 0x100000000);
	}

	/** Writes the values of a dictionary; gives keys and representations. */
	#writeEntries(dictionary: Dictionary): Uint32Array {
		const entries = new Uint32Array(dictionary.size * 3);
		const keys = [...dictionary.keys()].sort(compareText);
		let at = 0;
		for (const key of keys) {
			this.write(dictionary.get(key)!);
			entries[at++] = this.#stored.string(key);
			entries[at++] = this.low;
			entries[at++] = this.high;
		}
		return entries;
	}

	/** An offset to the representation that follows at once, and that representation. */
	#nested(): void {
		this.sink.uint64(8);
		this.sink.uint32(this.low);
		this.sink.uint32(this.high);
	}

	#writeUnregistered(data: Unregistered): void {
		if (typeof data === 'string') this.#represent(CrateType.string, RepFlag.inlined, this.#stored.string(data));
		else if (data instanceof Map) this.write({ type: T.dictionary, data });
		else this.write({ type: T.unregisteredListOp, data: data as ListOp<string> });
		const start = this.sink.at;
		this.#nested();
		this.#finish(CrateType.unregistered, start);
	}

	/** Writes the values in the dictionaries that references and splines contain, before those themselves. */
	#writeNested(code: number, data: unknown): NestedEntries {
		let dictionaries: Dictionary[];
		if (code === CrateType.referenceListOp) {
			const op = data as ListOp<Reference>;
			const lists = [op.explicitItems, op.addedItems, op.prependedItems, op.appendedItems, op.deletedItems];
			dictionaries = [...lists, op.orderedItems].flatMap((items) => items.map((item) => item.customData));
		} else if (code === CrateType.spline) {
			dictionaries = (data as Spline).knots.map((knot) => knot.customData);
		} else {
			return NOTHING_NESTED;
		}
		const nested = new Map<Dictionary, Uint32Array>();
		for (const dictionary of dictionaries) {
			if (dictionary.size > 0 && !nested.has(dictionary)) nested.set(dictionary, this.#writeEntries(dictionary));
		}
		return nested;
	}
}

const NOTHING_NESTED: NestedEntries = new Map();
