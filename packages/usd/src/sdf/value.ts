import type { ListOp } from './list-op.ts';
import { Path } from './path.ts';
import type { ValueType } from './value-type.ts';

/**
 * A typed value.
 *
 * | type | data |
 * | --- | --- |
 * | bool | boolean |
 * | uchar, int, uint, half, float, double, timecode, duration | number, already rounded to the type |
 * | int64, uint64 | bigint |
 * | string, token, asset, pathExpression | string |
 * | vectors, matrices (row-major), quaternions (i, j, k, real) | typed array of `type.width` components; halfs as their bits |
 * | arrays | one flat typed array of n * `type.width` components; bool as bytes 0 and 1; text as `string[]` |
 *
 * Data must not be changed in place: values are shared between specs and may be views of a file.
 */
export interface Value<D = unknown> {
	readonly type: ValueType<D>;
	readonly data: D;
}

/** A value with its type, as layers keep it. The data is in the form of the type; it is not copied. */
export function makeValue<D>(type: ValueType<D>, data: D): Value<D> {
	return { type, data };
}

/** Whether `value` is of `type`; narrows its data. */
export function valueIs<D>(value: Value | undefined, type: ValueType<D>): value is Value<D> {
	return value !== undefined && value.type === (type as ValueType);
}

/** The data of `value` if it is of `type`, else undefined. */
export function dataOf<D>(value: Value | undefined, type: ValueType<D>): D | undefined {
	return valueIs(value, type) ? value.data : undefined;
}

/** Entries of a dictionary. A nested dictionary is a value of type `dictionary`. */
export type Dictionary = ReadonlyMap<string, Value>;

/** Time in a layer `t` becomes `offset + scale * t` in the layer that includes it. */
export interface LayerOffset {
	readonly offset: number;
	readonly scale: number;
}

/** The layer offset that leaves times as they are. */
export const IDENTITY_OFFSET: LayerOffset = Object.freeze({ offset: 0, scale: 1 });

/** Whether a layer offset leaves times as they are. */
export function isIdentityOffset(offset: LayerOffset): boolean {
	return offset.offset === 0 && offset.scale === 1;
}

/** An arc to a prim of another layer, or of the same layer when `assetPath` is empty. */
export interface Reference {
	readonly assetPath: string;
	/** Empty: the layer's default prim. */
	readonly primPath: Path;
	readonly layerOffset: LayerOffset;
	readonly customData: Dictionary;
}

/** An arc like a reference that can stay unloaded. */
export interface Payload {
	readonly assetPath: string;
	readonly primPath: Path;
	readonly layerOffset: LayerOffset;
}

/** A dictionary without entries. */
export const EMPTY_DICTIONARY: Dictionary = new Map();

/**
 * A reference for the list of a prim; an empty asset path means the layer that it is written in, an empty prim path the default
 * prim.
 */
export function makeReference(
	assetPath: string,
	primPath: Path = Path.empty,
	layerOffset: LayerOffset = IDENTITY_OFFSET,
	customData: Dictionary = EMPTY_DICTIONARY,
): Reference {
	return { assetPath, primPath, layerOffset, customData };
}

/**
 * A payload for the list of a prim; an empty asset path means the layer that it is written in, an empty prim path the default
 * prim.
 */
export function makePayload(
	assetPath: string,
	primPath: Path = Path.empty,
	layerOffset: LayerOffset = IDENTITY_OFFSET,
): Payload {
	return { assetPath, primPath, layerOffset };
}

/** Values of an attribute over time. Times ascend strictly; a blocked sample is a `valueBlock`. */
export interface TimeSamples {
	readonly times: Float64Array;
	valueAt(index: number): Value;
}

/** Time samples held in memory. `values` has as many entries as `times`. */
export function makeTimeSamples(times: Float64Array, values: readonly Value[]): TimeSamples {
	return { times, valueAt: (index) => values[index]! };
}

/** Metadata nobody registered: text as written (strings with their quotes), a dictionary, or a list-op of texts. */
export type Unregistered = string | Dictionary | ListOp<string>;

/** A crate value of an unknown type: its 64-bit representation and, when it lies in the file, the bytes from its offset on. */
export interface RawCrateValue {
	readonly representation: bigint;
	readonly bytes: Uint8Array;
}

/** A key under which two references or payloads are equal when their parts are. */
export function arcKey(arc: Reference | Payload): string {
	const { assetPath, primPath, layerOffset } = arc;
	const custom = 'customData' in arc && arc.customData.size > 0 ? [...arc.customData.keys()].join(',') : '';
	return `${assetPath}\n${primPath}\n${layerOffset.offset}\n${layerOffset.scale}\n${custom}`;
}
