import { numberToHalf } from '../gf/half.ts';
import type { ArrayEdit } from '../sdf/array-edit.ts';
import type { ListOp } from '../sdf/list-op.ts';
import { Path } from '../sdf/path.ts';
import type { Spline } from '../sdf/spline.ts';
import {
	type Dictionary,
	isIdentityOffset,
	type LayerOffset,
	type Payload,
	type RawCrateValue,
	type Reference,
	type TimeSamples,
	type Unregistered,
	type Value,
} from '../sdf/value.ts';
import { T, type ValueType } from '../sdf/value-type.ts';
import { encodeArrayEdit } from './array-edit-codec.ts';
import type { NumericArray } from './array-reader.ts';
import { ArrayWriter } from './array-writer.ts';
import type { ByteSink } from './byte-sink.ts';
import { CRATE_TYPES, CrateType, ListOpBit, PERMISSIONS, RepFlag, SPECIFIERS, VARIABILITIES } from './crate-format.ts';
import type { CrateTables } from './crate-tables.ts';
import { BlobTable } from './dedupe-tables.ts';
import { inlineWord } from './inlined-values.ts';
import { encodeSpline, splineVersion } from './spline-codec.ts';
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
	readonly #tables: CrateTables;
	readonly #blobs: BlobTable;
	/** Offsets of dictionaries: one that occurs in many places costs its own size only. */
	readonly #dictionaries = new Map<Dictionary, number>();
	readonly #minor: number;
	readonly #base: BaseFile;
	/** The last representation given: low and high word. */
	low = 0;
	high = 0;
	/** Minor version that the values written so far need. */
	neededMinor = 0;
	/** Path of the spec: relative paths are read from its prim. */
	anchor: Path = Path.root;

	constructor(sink: ByteSink, tables: CrateTables, minor: number, base: BaseFile) {
		this.sink = sink;
		this.arrays = new ArrayWriter(sink, minor);
		this.#tables = tables;
		this.#blobs = new BlobTable(sink);
		this.#minor = minor;
		this.#base = base;
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
		if (this.#writeInPlace(code, data)) return;
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
		this.#writeStored(code, type, data, nested);
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
		this.#payload(payload ?? { assetPath: '', primPath: Path.empty, layerOffset: { offset: 0, scale: 1 } });
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

	#need(minor: number): void {
		if (minor > this.neededMinor) this.neededMinor = minor;
	}

	/** Types that are always stored in the representation. */
	#writeInPlace(code: number, data: unknown): boolean {
		let word: number;
		switch (code) {
			case CrateType.bool:
				word = data === true ? 1 : 0;
				break;
			case CrateType.uchar:
			case CrateType.int:
			case CrateType.uint:
				word = (data as number) >>> 0;
				break;
			case CrateType.half:
				word = numberToHalf(data as number);
				break;
			case CrateType.float:
				FLOAT[0] = data as number;
				word = FLOAT_BITS[0]!;
				break;
			case CrateType.half2: {
				const halfs = data as Uint16Array;
				word = (halfs[0]! | (halfs[1]! << 16)) >>> 0;
				break;
			}
			case CrateType.string:
				word = this.#string(data as string);
				break;
			case CrateType.token:
			case CrateType.asset:
				word = this.#token(data as string);
				break;
			case CrateType.specifier:
				word = SPECIFIERS.indexOf(data as (typeof SPECIFIERS)[number]);
				break;
			case CrateType.permission:
				word = PERMISSIONS.indexOf(data as (typeof PERMISSIONS)[number]);
				break;
			case CrateType.variability:
				word = VARIABILITIES.indexOf(data as (typeof VARIABILITIES)[number]);
				break;
			case CrateType.valueBlock:
			case CrateType.animationBlock:
				word = 0;
				break;
			default:
				return false;
		}
		this.#represent(code, RepFlag.inlined, word);
		return true;
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

	#writeStored(code: number, type: ValueType, data: unknown, nested: NestedEntries): void {
		const { sink } = this;
		if (type.component !== 'other' && type.width > 1) {
			this.#components(type, data as Float64Array);
			return;
		}
		switch (code) {
			case CrateType.int64:
			case CrateType.uint64:
				sink.bigInt64(BigInt.asIntN(64, data as bigint));
				break;
			case CrateType.double:
				sink.float64(data as number);
				break;
			case CrateType.timecode:
				this.#need(9);
				sink.float64(data as number);
				break;
			case CrateType.duration:
				this.#need(16);
				sink.float64(data as number);
				break;
			case CrateType.pathExpression:
				this.#need(10);
				sink.uint32(this.#string(data as string));
				break;
			case CrateType.tokenListOp:
				this.#listOp(data as ListOp<string>, (item) => sink.uint32(this.#token(item)));
				break;
			case CrateType.stringListOp:
				this.#listOp(data as ListOp<string>, (item) => sink.uint32(this.#string(item)));
				break;
			case CrateType.pathListOp:
				this.#listOp(data as ListOp<Path>, (item) => sink.uint32(this.#path(item)));
				break;
			case CrateType.referenceListOp:
				this.#referenceListOp(data as ListOp<Reference>, nested);
				break;
			case CrateType.payloadListOp:
				this.#need(8);
				this.#listOp(data as ListOp<Payload>, (item) => this.#payload(item));
				break;
			case CrateType.intListOp:
			case CrateType.uintListOp:
				this.#listOp(data as ListOp<number>, (item) => sink.uint32(item >>> 0));
				break;
			case CrateType.int64ListOp:
			case CrateType.uint64ListOp:
				this.#listOp(data as ListOp<bigint>, (item) => sink.bigInt64(BigInt.asIntN(64, item)));
				break;
			case CrateType.unregisteredListOp:
				this.#unregisteredListOp(data as ListOp<string>);
				break;
			case CrateType.pathVector:
				this.#list(data as readonly Path[], (item) => sink.uint32(this.#path(item)));
				break;
			case CrateType.tokenVector:
				this.#list(data as readonly string[], (item) => sink.uint32(this.#token(item)));
				break;
			case CrateType.stringVector:
				this.#list(data as readonly string[], (item) => sink.uint32(this.#string(item)));
				break;
			case CrateType.doubleVector:
				sink.uint64((data as Float64Array).length);
				sink.raw(data as Float64Array);
				break;
			case CrateType.layerOffsetVector:
				this.#list(data as readonly LayerOffset[], (item) => this.#layerOffset(item));
				break;
			case CrateType.variantSelectionMap: {
				const pairs = [...(data as ReadonlyMap<string, string>)].sort((a, b) => compareText(a[0], b[0]));
				this.#list(pairs, ([set, selection]) => {
					sink.uint32(this.#string(set));
					sink.uint32(this.#string(selection));
				});
				break;
			}
			case CrateType.relocates:
				this.#need(11);
				this.#list(data as readonly (readonly [Path, Path])[], ([source, target]) => {
					sink.uint32(this.#path(source));
					sink.uint32(this.#path(target));
				});
				break;
			case CrateType.spline:
				this.#spline(data as Spline, nested);
				break;
			default:
				throw new UnwritableValue(`values of type ${type.name} cannot be written`);
		}
	}

	/** The components of one vector, quaternion or matrix. */
	#components(type: ValueType, data: Float64Array): void {
		const { sink } = this;
		switch (type.component) {
			case 'double':
				for (let i = 0; i < type.width; i++) sink.float64(data[i]!);
				break;
			case 'float':
				for (let i = 0; i < type.width; i++) sink.float32(data[i]!);
				break;
			default:
				sink.raw(data);
		}
	}

	#writeArray(element: ValueType, data: NumericArray | readonly string[]): void {
		const code = CRATE_TYPES.get(element);
		if (code === undefined) throw new UnwritableValue(`crate files have no arrays of ${element.name}`);
		if (element === T.timecode) this.#need(9);
		else if (element === T.duration) this.#need(16);
		else if (element === T.pathExpression) this.#need(10);
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
				indexes[i] = isToken ? this.#token(texts[i]!) : this.#string(texts[i]!);
			}
			start = this.arrays.writeItems(indexes, texts.length);
		} else {
			({ start, isCompressed } = this.arrays.write(element, data as NumericArray));
		}
		const offset = this.#blobs.intern(ARRAY_KIND + code * 2 + (isCompressed ? 1 : 0), start, rewind);
		this.#represent(code, RepFlag.array | (isCompressed ? RepFlag.compressed : 0), offset);
	}

	#writeArrayEdit(edit: ArrayEdit): void {
		this.#need(14);
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
		this.#dictionary(entries);
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
			entries[at++] = this.#string(key);
			entries[at++] = this.low;
			entries[at++] = this.high;
		}
		return entries;
	}

	#dictionary(entries: Uint32Array): void {
		const { sink } = this;
		sink.uint64(entries.length / 3);
		for (let at = 0; at < entries.length; at += 3) {
			sink.uint32(entries[at]!);
			sink.uint64(8);
			sink.uint32(entries[at + 1]!);
			sink.uint32(entries[at + 2]!);
		}
	}

	/** An offset to the representation that follows at once, and that representation. */
	#nested(): void {
		this.sink.uint64(8);
		this.sink.uint32(this.low);
		this.sink.uint32(this.high);
	}

	#writeUnregistered(data: Unregistered): void {
		if (typeof data === 'string') this.#represent(CrateType.string, RepFlag.inlined, this.#string(data));
		else if (data instanceof Map) this.write({ type: T.dictionary, data });
		else this.write({ type: T.unregisteredListOp, data: data as ListOp<string> });
		const start = this.sink.at;
		this.#nested();
		this.#finish(CrateType.unregistered, start);
	}

	#unregisteredListOp(op: ListOp<string>): void {
		this.#listOp(op, (item) => {
			this.#represent(CrateType.string, RepFlag.inlined, this.#string(item));
			this.#nested();
		});
	}

	#referenceListOp(op: ListOp<Reference>, nested: NestedEntries): void {
		const { sink } = this;
		this.#listOp(op, (reference) => {
			sink.uint32(this.#string(reference.assetPath));
			sink.uint32(this.#path(reference.primPath));
			this.#layerOffset(reference.layerOffset);
			this.#dictionary(nested.get(reference.customData) ?? NO_ENTRIES);
		});
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

	#payload(payload: Payload): void {
		const { sink } = this;
		if (!isIdentityOffset(payload.layerOffset)) this.#need(8);
		sink.uint32(this.#string(payload.assetPath));
		sink.uint32(this.#path(payload.primPath));
		if (this.#minor >= 8) this.#layerOffset(payload.layerOffset);
	}

	#layerOffset(offset: LayerOffset): void {
		this.sink.float64(offset.offset);
		this.sink.float64(offset.scale);
	}

	#listOp<V>(op: ListOp<V>, writeItem: (item: V) => void): void {
		const bits =
			(op.isExplicit ? ListOpBit.isExplicit : 0) |
			(op.explicitItems.length > 0 ? ListOpBit.explicitItems : 0) |
			(op.addedItems.length > 0 ? ListOpBit.addedItems : 0) |
			(op.deletedItems.length > 0 ? ListOpBit.deletedItems : 0) |
			(op.orderedItems.length > 0 ? ListOpBit.orderedItems : 0) |
			(op.prependedItems.length > 0 ? ListOpBit.prependedItems : 0) |
			(op.appendedItems.length > 0 ? ListOpBit.appendedItems : 0);
		this.sink.uint8(bits);
		const lists = [
			op.explicitItems,
			op.addedItems,
			op.prependedItems,
			op.appendedItems,
			op.deletedItems,
			op.orderedItems,
		];
		for (const items of lists) if (items.length > 0) this.#list(items, writeItem);
	}

	#list<V>(items: readonly V[], writeItem: (item: V) => void): void {
		this.sink.uint64(items.length);
		for (const item of items) writeItem(item);
	}

	#spline(spline: Spline, nested: NestedEntries): void {
		const { sink } = this;
		this.#need(splineVersion(spline).minor);
		const bytes = encodeSpline(spline);
		sink.uint64(bytes.length);
		sink.raw(bytes);
		const knots = spline.knots.filter((knot) => knot.customData.size > 0);
		sink.uint64(knots.length);
		for (const knot of knots) {
			sink.float64(knot.time);
			this.#dictionary(nested.get(knot.customData) ?? NO_ENTRIES);
		}
	}

	#token(text: string): number {
		return this.#tables.token(text);
	}

	#string(text: string): number {
		return this.#tables.string(text);
	}

	#path(path: Path): number {
		return this.#tables.paths.index(path.isEmpty || path.isAbsolute ? path : path.makeAbsolute(this.anchor.primPath));
	}
}

const FLOAT = new Float32Array(1);
const FLOAT_BITS = new Uint32Array(FLOAT.buffer);

/** Keys and representations of the entries of dictionaries. */
type NestedEntries = ReadonlyMap<Dictionary, Uint32Array>;

const NO_ENTRIES = new Uint32Array(0);
const NOTHING_NESTED: NestedEntries = new Map();

function compareText(a: string, b: string): number {
	return a < b ? -1 : a > b ? 1 : 0;
}
