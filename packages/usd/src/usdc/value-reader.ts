import { quote } from '@manyworlds/core';
import { ListOp } from '../sdf/list-op.ts';
import type { Path } from '../sdf/path.ts';
import {
	type Dictionary,
	type LayerOffset,
	makePayload,
	makeValue,
	type Payload,
	type Reference,
	type Unregistered,
	type Value,
} from '../sdf/value.ts';
import { T, type ValueType } from '../sdf/value-type.ts';
import { decodeArrayEdit } from './array-edit-codec.ts';
import { ArrayReader, type ArrayStatistics, componentSize, createNumbers, type NumericArray } from './array-reader.ts';
import { SCRATCH } from './compressed-ints.ts';
import { CrateCursor } from './crate-cursor.ts';
import { CrateFault } from './crate-fault.ts';
import { CrateType, ListOpBit, RepFlag, VALUE_TYPES } from './crate-format.ts';
import { quotePath } from './crate-paths.ts';
import type { CrateReporter, CrateStructure } from './crate-structure.ts';
import { DecodeBudget } from './decode-budget.ts';
import { readInlined } from './inlined-values.ts';
import { decodeSpline } from './spline-codec.ts';
import { readTimeSamples, TimesCache } from './time-samples-reader.ts';

/** Deepest nesting of dictionaries and values. */
const MAX_DEPTH = 512;
/** Most entries that a dictionary may have with all that it contains, shared parts counted each time they occur. */
const MAX_ENTRIES = 4_000_000;

/** Limits and tables of a value reader. */
export interface ValueReaderOptions {
	readonly bytes: Uint8Array;
	readonly structure: CrateStructure;
	readonly reporter: CrateReporter;
	/** Most bytes that values may decode to in all, each counted once. */
	readonly maxValueBytes: number;
}

/** Decodes value representations of one crate file. */
export class ValueReader {
	readonly structure: CrateStructure;
	readonly reporter: CrateReporter;
	readonly cursor: CrateCursor;
	readonly arrays: ArrayReader;
	/** Attributes that are animated together share one list of times. */
	readonly times: TimesCache = new TimesCache();
	readonly #budget: DecodeBudget;
	/** Large values by offset and type: in a sound file few fields share one, in a hostile one all of them may. */
	#large: Map<number, WeakRef<Value>> | undefined;
	/** Dictionaries by offset. Files share equal ones, so decoding each once keeps the work linear in the file. */
	#dictionaries: Map<number, { readonly value: Value<Dictionary>; readonly entries: number }> | undefined;
	#open: Set<number> | undefined;
	#entries = 0;
	#depth = 0;

	constructor(options: ValueReaderOptions) {
		this.structure = options.structure;
		this.reporter = options.reporter;
		this.cursor = new CrateCursor(options.bytes);
		this.#budget = new DecodeBudget(options.maxValueBytes);
		this.arrays = new ArrayReader(this.cursor, SCRATCH, this.structure.version.minor, this.#budget, (type, index) =>
			type === (T.token as ValueType) ? this.token(index) : this.string(index),
		);
	}

	get statistics(): Readonly<ArrayStatistics> {
		return this.arrays.statistics;
	}

	/** Decodes a representation given as its two words. Throws CrateFault. */
	read(low: number, high: number): Value {
		const code = (high >>> 16) & 255;
		const type = VALUE_TYPES[code];
		const offset = low + (high & 0xffff) * 0x100000000;
		if ((high & (RepFlag.array | RepFlag.arrayEdit)) !== 0) {
			if (type === undefined || !type.hasArray) return this.#raw(low, high, offset);
			if ((high & RepFlag.array) === 0) return this.#arrayEdit(type, offset);
			const key = largeKey(offset, high);
			const known = this.#knownLarge(key);
			if (known !== undefined) return known;
			const data = this.arrays.read(type, offset, (high & RepFlag.compressed) !== 0);
			const value = makeValue(type.array, data) as Value;
			// what lies in the file as it is costs nothing to read again
			if (data.length >= LARGE_COUNT && !this.#isView(data)) this.#remember(key, value);
			return value;
		}
		const inlined = readInlined(code, low, (high & RepFlag.inlined) !== 0, this);
		if (inlined !== undefined) return inlined;
		if ((high & RepFlag.inlined) !== 0) {
			if (type === undefined) return this.#raw(low, high, offset);
			throw new CrateFault(`a value of type ${type.name} claims to be stored in place`, 0);
		}
		if (this.#depth >= MAX_DEPTH) throw new CrateFault(`values are nested more than ${MAX_DEPTH} deep`, offset);
		this.#depth++;
		try {
			if (code === CrateType.dictionary) return this.#sharedDictionary(offset);
			const key = largeKey(offset, high);
			const known = this.#knownLarge(key);
			if (known !== undefined) return known;
			this.cursor.seek(offset);
			const value = this.#stored(code, type, offset);
			if (value === undefined) return this.#raw(low, high, offset);
			const size = this.cursor.at - offset;
			if (size >= LARGE_SIZE) {
				this.#budget.spend(offset, size, 'a value');
				this.#remember(key, value);
			}
			return value;
		} finally {
			this.#depth--;
		}
	}

	#knownLarge(key: number): Value | undefined {
		return this.#large === undefined ? undefined : this.#large.get(key)?.deref();
	}

	#remember(key: number, value: Value): void {
		this.#large ??= new Map();
		this.#large.set(key, new WeakRef(value));
	}

	#isView(data: unknown): boolean {
		return ArrayBuffer.isView(data) && data.buffer === this.cursor.bytes.buffer;
	}

	/** Decodes and, when that fails, says why and gives undefined. The rest is for messages. */
	tryRead(low: number, high: number, field: string, prim?: Path, time?: number): Value | undefined {
		try {
			this.#entries = 0;
			const value = this.read(low, high);
			if (value.type === (T.rawCrate as ValueType)) {
				const what = describeField(field, prim, time);
				this.reporter.add('USDC010', `${what} has type number ${(high >>> 16) & 255}, which is not known`, low, prim);
			}
			return value;
		} catch (error) {
			if (!(error instanceof CrateFault)) throw error;
			const what = describeField(field, prim, time);
			this.reporter.add('USDC009', `${what} cannot be decoded: ${error.message}`, error.offset, prim);
			return undefined;
		} finally {
			SCRATCH.release();
		}
	}

	token(index: number): string {
		const token = this.structure.tokens[index];
		if (token === undefined) {
			throw new CrateFault(`token ${index} is not among the ${this.structure.tokens.length} tokens`, this.cursor.at);
		}
		return token;
	}

	string(index: number): string {
		const token = this.structure.strings[index];
		if (token === undefined) {
			throw new CrateFault(`string ${index} is not among the ${this.structure.strings.length} strings`, this.cursor.at);
		}
		return this.token(token);
	}

	path(index: number): Path {
		const path = this.structure.paths[index];
		if (path === undefined) {
			throw new CrateFault(`path ${index} is not among the ${this.structure.paths.length} paths`, this.cursor.at);
		}
		return path;
	}

	/** Follows an offset that is relative to where it is stored. */
	followOffset(): void {
		const start = this.cursor.at;
		const distance = this.cursor.int64();
		// Nested values follow the offset that leads to them. Going back would mean to read the same bytes again and again.
		if (distance < 8) throw new CrateFault(`an offset inside a value is ${distance}, expected at least 8`, start);
		this.cursor.seek(start + distance);
	}

	/** A value that is not stored in place; undefined when the type is not known. */
	#stored(code: number, type: ValueType | undefined, offset: number): Value | undefined {
		const { cursor } = this;
		if (type !== undefined && type.component !== 'other' && type.width > 1) {
			return makeValue(type, this.#components(type));
		}
		switch (code) {
			case CrateType.int64:
				return makeValue(T.int64, cursor.bigInt64());
			case CrateType.uint64:
				return makeValue(T.uint64, cursor.bigUint64());
			case CrateType.double:
			case CrateType.timecode:
			case CrateType.duration:
				return makeValue(type as ValueType<number>, cursor.float64());
			case CrateType.pathExpression:
				return makeValue(T.pathExpression, this.string(cursor.uint32()));
			case CrateType.tokenListOp:
				return makeValue(
					T.tokenListOp,
					this.#listOp(4, () => this.token(cursor.uint32())),
				);
			case CrateType.stringListOp:
				return makeValue(
					T.stringListOp,
					this.#listOp(4, () => this.string(cursor.uint32())),
				);
			case CrateType.pathListOp:
				return makeValue(
					T.pathListOp,
					this.#listOp(4, () => this.path(cursor.uint32())),
				);
			case CrateType.referenceListOp:
				return makeValue(
					T.referenceListOp,
					this.#listOp(32, () => this.#reference()),
				);
			case CrateType.payloadListOp:
				return makeValue(
					T.payloadListOp,
					this.#listOp(8, () => this.#payload()),
				);
			case CrateType.intListOp:
				return makeValue(
					T.intListOp,
					this.#listOp(4, () => cursor.int32()),
				);
			case CrateType.uintListOp:
				return makeValue(
					T.uintListOp,
					this.#listOp(4, () => cursor.uint32()),
				);
			case CrateType.int64ListOp:
				return makeValue(
					T.int64ListOp,
					this.#listOp(8, () => cursor.bigInt64()),
				);
			case CrateType.uint64ListOp:
				return makeValue(
					T.uint64ListOp,
					this.#listOp(8, () => cursor.bigUint64()),
				);
			case CrateType.unregisteredListOp:
				return makeValue(T.unregisteredListOp, this.#unregisteredListOp());
			case CrateType.pathVector:
				return makeValue(
					T.pathVector,
					this.#list(4, () => this.path(cursor.uint32())),
				);
			case CrateType.tokenVector:
				return makeValue(
					T.tokenVector,
					this.#list(4, () => this.token(cursor.uint32())),
				);
			case CrateType.stringVector:
				return makeValue(
					T.stringVector,
					this.#list(4, () => this.string(cursor.uint32())),
				);
			case CrateType.doubleVector:
				return makeValue(T.doubleVector, this.#doubles());
			case CrateType.layerOffsetVector:
				return makeValue(
					T.layerOffsetVector,
					this.#list(16, () => this.#layerOffset()),
				);
			case CrateType.variantSelectionMap: {
				const pairs = this.#list(8, () => [this.string(cursor.uint32()), this.string(cursor.uint32())] as const);
				return makeValue(T.variantSelectionMap, new Map(pairs));
			}
			case CrateType.relocates: {
				const pairs = this.#list(8, () => [this.path(cursor.uint32()), this.path(cursor.uint32())] as const);
				return makeValue(T.relocates, pairs);
			}
			case CrateType.payload: {
				// A single payload is an explicit list-op of one; without an asset it says that there is none.
				const payload = this.#payload();
				const isEmpty = payload.assetPath === '';
				return makeValue(T.payloadListOp, ListOp.explicit(isEmpty ? [] : [payload]));
			}
			case CrateType.timeSamples:
				return makeValue(T.timeSamples, readTimeSamples(this, offset));
			case CrateType.value:
				return this.#nestedValue();
			case CrateType.unregistered:
				return this.#unregistered();
			case CrateType.spline:
				return makeValue(T.spline, this.#spline());
			default:
				return undefined;
		}
	}

	/** The components of one vector, quaternion or matrix: small, so they do not hold the file. */
	#components(type: ValueType): NumericArray {
		const { cursor } = this;
		const { component, width } = type;
		cursor.need(width, componentSize(component), `a value of type ${type.name}`);
		const data = createNumbers(component, width) as Float64Array;
		for (let i = 0; i < width; i++) {
			if (component === 'double') data[i] = cursor.float64();
			else if (component === 'float') data[i] = cursor.float32();
			else data[i] = component === 'half' ? cursor.uint16() : cursor.int32();
		}
		return data;
	}

	#raw(low: number, high: number, offset: number): Value {
		const representation = (BigInt(high >>> 0) << 32n) | BigInt(low >>> 0);
		const isStored = (high & RepFlag.inlined) === 0 && offset > 0 && offset <= this.cursor.size;
		const bytes = isStored ? this.cursor.bytes.subarray(offset) : new Uint8Array(0);
		return makeValue(T.rawCrate, { representation, bytes });
	}

	#list<V>(itemSize: number, read: () => V): V[] {
		const count = this.cursor.count64(itemSize, 'a list');
		const items: V[] = [];
		for (let i = 0; i < count; i++) items.push(read());
		return items;
	}

	#doubles(): Float64Array {
		const count = this.cursor.count64(8, 'a list of doubles');
		return this.arrays.readNumbers('double', count) as Float64Array;
	}

	#listOp<V>(itemSize: number, read: () => V): ListOp<V> {
		const bits = this.cursor.uint8();
		const list = (bit: number): V[] => (bits & bit ? this.#list(itemSize, read) : []);
		const explicitItems = list(ListOpBit.explicitItems);
		const edits = {
			addedItems: list(ListOpBit.addedItems),
			prependedItems: list(ListOpBit.prependedItems),
			appendedItems: list(ListOpBit.appendedItems),
			deletedItems: list(ListOpBit.deletedItems),
			orderedItems: list(ListOpBit.orderedItems),
		};
		// Setting the items of an edit makes a list-op an edit, even when its header says explicit.
		const isExplicit = (bits & 3) !== 0 && (bits & ~3) === 0;
		return isExplicit ? ListOp.explicit(explicitItems) : ListOp.edits(edits);
	}

	#unregisteredListOp(): ListOp<string> {
		return this.#listOp(8, () => {
			const item = this.#nestedValue();
			if (item.type === (T.string as ValueType)) return item.data as string;
			if (item.type === (T.unregistered as ValueType) && typeof item.data === 'string') return item.data;
			throw new CrateFault(`an unregistered list-op holds a ${item.type.name}, expected a string`, this.cursor.at);
		});
	}

	#layerOffset(): LayerOffset {
		return { offset: this.cursor.float64(), scale: this.cursor.float64() };
	}

	#reference(): Reference {
		const assetPath = this.string(this.cursor.uint32());
		const primPath = this.path(this.cursor.uint32());
		const layerOffset = this.#layerOffset();
		return { assetPath, primPath, layerOffset, customData: this.readDictionary() };
	}

	#payload(): Payload {
		const assetPath = this.string(this.cursor.uint32());
		const primPath = this.path(this.cursor.uint32());
		// Payloads have offsets since 0.8.
		return this.structure.version.minor < 8
			? makePayload(assetPath, primPath)
			: makePayload(assetPath, primPath, this.#layerOffset());
	}

	/** The value behind a relative offset and a representation; the cursor ends after the representation. */
	#nestedValue(): Value {
		const { cursor } = this;
		this.followOffset();
		const low = cursor.uint32();
		const high = cursor.uint32();
		const after = cursor.at;
		// In-place values cannot contain anything, so only stored ones can contain themselves.
		if ((high & RepFlag.inlined) !== 0) {
			const value = this.read(low, high);
			cursor.at = after;
			return value;
		}
		this.#open ??= new Set();
		if (this.#open.has(after)) throw new CrateFault('a value contains itself', after - 8);
		this.#open.add(after);
		try {
			return this.read(low, high);
		} finally {
			this.#open.delete(after);
			cursor.at = after;
		}
	}

	#sharedDictionary(offset: number): Value<Dictionary> {
		this.#dictionaries ??= new Map();
		let known = this.#dictionaries.get(offset);
		if (known === undefined) {
			const before = this.#entries;
			this.cursor.seek(offset);
			const value = makeValue(T.dictionary, this.readDictionary());
			known = { value, entries: this.#entries - before };
			this.#budget.spend(offset, this.cursor.at - offset, 'a dictionary');
			this.#dictionaries.set(offset, known);
		} else {
			this.#countEntries(known.entries);
		}
		return known.value;
	}

	#countEntries(count: number): void {
		this.#entries += count;
		if (this.#entries > MAX_ENTRIES) {
			throw new CrateFault(
				`a dictionary has more than ${MAX_ENTRIES} entries with all that it contains`,
				this.cursor.at,
			);
		}
	}

	/** Reads a dictionary at the cursor: string index, relative offset, representation for each entry. */
	readDictionary(): Dictionary {
		const { cursor } = this;
		const count = cursor.count64(20, 'a dictionary');
		const entries = new Map<string, Value>();
		for (let i = 0; i < count; i++) {
			this.#countEntries(1);
			const key = this.string(cursor.uint32());
			entries.set(key, this.#nestedValue());
		}
		return entries;
	}

	#unregistered(): Value {
		const at = this.cursor.at;
		const value = this.#nestedValue();
		const { data } = value;
		const isKnown =
			value.type === (T.string as ValueType) ||
			value.type === (T.dictionary as ValueType) ||
			value.type === (T.unregisteredListOp as ValueType);
		if (!isKnown) {
			throw new CrateFault(
				`an unregistered value holds a ${value.type.name}, expected text, dictionary or list-op`,
				at,
			);
		}
		return makeValue(T.unregistered, data as Unregistered);
	}

	#spline(): ReturnType<typeof decodeSpline> {
		const { cursor } = this;
		const size = cursor.count64(1, 'a spline');
		const start = cursor.skip(size, 'a spline');
		const count = cursor.count64(16, 'the custom data of a spline');
		const customData = new Map<number, Dictionary>();
		for (let i = 0; i < count; i++) {
			const time = cursor.float64();
			customData.set(time, this.readDictionary());
		}
		return decodeSpline(cursor.bytes.subarray(start, start + size), customData, start);
	}

	#arrayEdit(element: ValueType, offset: number): Value {
		const arrayType = element.array;
		if (offset === 0) return makeValue(T.arrayEdit, { arrayType, instructions: [] });
		const { cursor } = this;
		cursor.seek(offset);
		const [literalsLow, literalsHigh, wordsLow, wordsHigh] = [
			cursor.uint32(),
			cursor.uint32(),
			cursor.uint32(),
			cursor.uint32(),
		];
		const isDense = cursor.uint8() !== 0;
		const isArrayOf = (high: number, type: ValueType): boolean =>
			(high & RepFlag.array) !== 0 && VALUE_TYPES[(high >>> 16) & 255] === type;
		if (!isArrayOf(literalsHigh, element) || !isArrayOf(wordsHigh, T.int64 as ValueType)) {
			throw new CrateFault(`an edit of ${arrayType.name} does not hold literals of that type and instructions`, offset);
		}
		const literals = this.read(literalsLow, literalsHigh);
		if (isDense) return literals;
		const words = this.read(wordsLow, wordsHigh).data as BigInt64Array;
		return makeValue(
			T.arrayEdit,
			decodeArrayEdit(arrayType, literals.data as NumericArray | readonly string[], words, offset),
		);
	}
}

/** Values of at least this many bytes, and arrays of as many items, are remembered by where they are. */
const LARGE_SIZE = 256;
const LARGE_COUNT = 256;

/** Tells apart what can be read at one offset: type and flags without the unused bits. */
function largeKey(offset: number, high: number): number {
	return offset * 4096 + (((high >>> 16) & 255) | ((high >>> 20) & 0xf00));
}

function describeField(field: string, prim: Path | undefined, time: number | undefined): string {
	if (time !== undefined) return `the sample at time ${time}`;
	return prim === undefined ? `field ${quote(field)}` : `field ${quote(field)} of ${quotePath(prim)}`;
}
