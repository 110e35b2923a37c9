import type { ListOp } from '../sdf/list-op.ts';
import { Path } from '../sdf/path.ts';
import type { Spline } from '../sdf/spline.ts';
import { type Dictionary, isIdentityOffset, type LayerOffset, type Payload, type Reference } from '../sdf/value.ts';
import type { ValueType } from '../sdf/value-type.ts';
import type { ByteSink } from './byte-sink.ts';
import { compareText } from './compare-text.ts';
import { CrateType, ListOpBit, RepFlag } from './crate-format.ts';
import type { CrateTables } from './crate-tables.ts';
import { encodeSpline, splineVersion } from './spline-codec.ts';
import { UnwritableValue } from './unwritable-value.ts';

/** Keys and representations of the entries of dictionaries. */
export type NestedEntries = ReadonlyMap<Dictionary, Uint32Array>;

const NO_ENTRIES = new Uint32Array(0);

/** Writes the bytes of values that are not arrays and not stored in place. What they contain has been written before. */
export class StoredWriter {
	readonly sink: ByteSink;
	readonly #tables: CrateTables;
	readonly #minor: number;
	/** Minor version that the values written so far need. */
	neededMinor = 0;
	/** Path of the spec: relative paths are read from its prim. */
	anchor: Path = Path.root;

	constructor(sink: ByteSink, tables: CrateTables, minor: number) {
		this.sink = sink;
		this.#tables = tables;
		this.#minor = minor;
	}

	/** A value needs this minor version. */
	need(minor: number): void {
		if (minor > this.neededMinor) this.neededMinor = minor;
	}

	/** Writes the bytes of a value, given the entries of the dictionaries in it. */
	write(code: number, type: ValueType, data: unknown, nested: NestedEntries): void {
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
				this.need(9);
				sink.float64(data as number);
				break;
			case CrateType.duration:
				this.need(16);
				sink.float64(data as number);
				break;
			case CrateType.pathExpression:
				this.need(10);
				sink.uint32(this.string(data as string));
				break;
			case CrateType.tokenListOp:
				this.#listOp(data as ListOp<string>, (item) => sink.uint32(this.token(item)));
				break;
			case CrateType.stringListOp:
				this.#listOp(data as ListOp<string>, (item) => sink.uint32(this.string(item)));
				break;
			case CrateType.pathListOp:
				this.#listOp(data as ListOp<Path>, (item) => sink.uint32(this.#path(item)));
				break;
			case CrateType.referenceListOp:
				this.#referenceListOp(data as ListOp<Reference>, nested);
				break;
			case CrateType.payloadListOp:
				this.need(8);
				this.#listOp(data as ListOp<Payload>, (item) => this.payload(item));
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
				this.#list(data as readonly string[], (item) => sink.uint32(this.token(item)));
				break;
			case CrateType.stringVector:
				this.#list(data as readonly string[], (item) => sink.uint32(this.string(item)));
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
					sink.uint32(this.string(set));
					sink.uint32(this.string(selection));
				});
				break;
			}
			case CrateType.relocates:
				this.need(11);
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

	/** Count, keys, offsets and representations of the entries of a dictionary. */
	dictionary(entries: Uint32Array): void {
		const { sink } = this;
		sink.uint64(entries.length / 3);
		for (let at = 0; at < entries.length; at += 3) {
			sink.uint32(entries[at]!);
			sink.uint64(8);
			sink.uint32(entries[at + 1]!);
			sink.uint32(entries[at + 2]!);
		}
	}

	#unregisteredListOp(op: ListOp<string>): void {
		const { sink } = this;
		this.#listOp(op, (item) => {
			// an offset to the representation that follows at once, and that of a string
			sink.uint64(8);
			sink.uint32(this.string(item));
			sink.uint32((RepFlag.inlined | (CrateType.string << 16)) >>> 0);
		});
	}

	#referenceListOp(op: ListOp<Reference>, nested: NestedEntries): void {
		const { sink } = this;
		this.#listOp(op, (reference) => {
			sink.uint32(this.string(reference.assetPath));
			sink.uint32(this.#path(reference.primPath));
			this.#layerOffset(reference.layerOffset);
			this.dictionary(nested.get(reference.customData) ?? NO_ENTRIES);
		});
	}

	/** Asset, path and offset of a payload. */
	payload(payload: Payload): void {
		const { sink } = this;
		if (!isIdentityOffset(payload.layerOffset)) this.need(8);
		sink.uint32(this.string(payload.assetPath));
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
		this.need(splineVersion(spline).minor);
		const bytes = encodeSpline(spline);
		sink.uint64(bytes.length);
		sink.raw(bytes);
		const knots = spline.knots.filter((knot) => knot.customData.size > 0);
		sink.uint64(knots.length);
		for (const knot of knots) {
			sink.float64(knot.time);
			this.dictionary(nested.get(knot.customData) ?? NO_ENTRIES);
		}
	}

	/** Index of a token. */
	token(text: string): number {
		return this.#tables.token(text);
	}

	/** Index of a string. */
	string(text: string): number {
		return this.#tables.string(text);
	}

	#path(path: Path): number {
		return this.#tables.paths.index(path.isEmpty || path.isAbsolute ? path : path.makeAbsolute(this.anchor.primPath));
	}
}
