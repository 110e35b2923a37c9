import { quote, UsageRangeError, UsageStateError } from '@manyworlds/core';
import { numberToHalf } from '@manyworlds/core/internal';
import { invertOffset } from '../pcp/layer-offset.ts';
import { findAttributeType } from '../sdf/attribute-type.ts';
import type { Layer } from '../sdf/layer.ts';
import type { Path } from '../sdf/path.ts';
import { dataOf, makeTimeSamples, makeValue, type Value } from '../sdf/value.ts';
import { T } from '../sdf/value-type.ts';
import type { Prim } from '../usd/prim.ts';
import { mapTime } from '../usd/value-time.ts';
import { RESET_XFORM_STACK, type XformOpKind, xformOpKind, xformOpName } from './xform-op.ts';
import { isXformable } from './xformable.ts';

/** Where a value of a transform operation goes. */
export interface SetXformOptions {
	/** The time of the sample; the default value without one. */
	readonly time?: number;
	/** The type of a new attribute: `double3`, `quatf` and the like; existing attributes keep theirs. */
	readonly typeName?: string;
}

/** The parts of a pose; those that are absent are not written. */
export interface XformParts {
	readonly translate?: ArrayLike<number>;
	/** A quaternion i, j, k, real. */
	readonly orient?: ArrayLike<number>;
	readonly scale?: ArrayLike<number>;
}

/**
 * Sets `xformOp:translate` through the stage's edit target, and lists it first if no order lists it.
 * @example
 * ```ts
 * setTranslate(prim, [0, 0, 0.5]);
 * ```
 */
export function setTranslate(prim: Prim, translate: ArrayLike<number>, options: SetXformOptions = {}): void {
	setOp(prim, 'translate', translate, options);
}

/**
 * Sets `xformOp:orient` (i, j, k, real), listed after translations.
 * @example
 * ```ts
 * setOrient(prim, [0, 0, Math.SQRT1_2, Math.SQRT1_2]); // a quarter turn about z
 * ```
 */
export function setOrient(prim: Prim, orient: ArrayLike<number>, options: SetXformOptions = {}): void {
	setOp(prim, 'orient', orient, options);
}

/**
 * Sets `xformOp:scale`, listed last.
 * @example
 * ```ts
 * setScale(prim, [1, 1, 2]);
 * ```
 */
export function setScale(prim: Prim, scale: ArrayLike<number>, options: SetXformOptions = {}): void {
	setOp(prim, 'scale', scale, options);
}

/**
 * Makes `xformOp:transform` the one operation of a prim.
 * @example
 * ```ts
 * setTransformMatrix(prim, [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0.5, 1]); // 0.5 up
 * ```
 */
export function setTransformMatrix(prim: Prim, matrix: ArrayLike<number>, options: SetXformOptions = {}): void {
	editTargetLayer(prim).edit(() => {
		writeOp(prim, 'transform', matrix, options);
		setXformOpOrder(prim, [...resetOf(prim), xformOpName('transform')]);
	});
}

/** Makes translation, orientation and scale the operations of a prim, in this order, whatever it had before. */
export function replaceXformOps(prim: Prim, parts: XformParts, options: SetXformOptions = {}): void {
	editTargetLayer(prim).edit(() => {
		const order = resetOf(prim);
		for (const kind of ['translate', 'orient', 'scale'] as const) {
			const value = parts[kind];
			if (value === undefined) continue;
			writeOp(prim, kind, value, options);
			order.push(xformOpName(kind));
		}
		setXformOpOrder(prim, order);
	});
}

/**
 * Writes `xformOpOrder`.
 * @example
 * ```ts
 * setXformOpOrder(prim, ['xformOp:translate', 'xformOp:orient']);
 * ```
 */
export function setXformOpOrder(prim: Prim, order: readonly string[]): void {
	for (const name of order) {
		if (name !== RESET_XFORM_STACK && xformOpKind(name) === undefined) {
			throw new UsageRangeError(`${quote(name)} is not a transform operation`);
		}
	}
	const layer = editTargetLayer(prim);
	const path = attributeSpec(prim, layer, 'xformOpOrder', 'token[]', true);
	layer.setField(path, 'default', makeValue(T.token.array, [...order]) as Value);
}

const TYPES: Readonly<Record<string, string>> = {
	translate: 'double3',
	orient: 'quatf',
	scale: 'float3',
	transform: 'matrix4d',
};
/** Kinds that stand before others of the list in an order that is only added to. */
const RANKS: readonly XformOpKind[] = ['translate', 'orient', 'scale'];

function setOp(prim: Prim, kind: XformOpKind, data: ArrayLike<number>, options: SetXformOptions): void {
	const order = [...(dataOf(prim.attribute('xformOpOrder').get(), T.token.array) ?? [])];
	const name = xformOpName(kind);
	const isListed = order.includes(name);
	if (!isListed) {
		for (const other of order) {
			const otherKind = xformOpKind(other);
			if (otherKind === undefined || RANKS.includes(otherKind)) continue;
			const message = `${prim.path} has ${quote(other)}: where ${quote(name)} belongs is not known; use replaceXformOps`;
			throw new UsageStateError(message);
		}
		const rank = RANKS.indexOf(kind);
		const at = order.findIndex((other) => {
			const otherKind = xformOpKind(other);
			return otherKind !== undefined && RANKS.indexOf(otherKind) > rank;
		});
		order.splice(at < 0 ? order.length : at, 0, name);
	}
	editTargetLayer(prim).edit(() => {
		writeOp(prim, kind, data, options);
		if (!isListed) setXformOpOrder(prim, order);
	});
}

function writeOp(prim: Prim, kind: XformOpKind, data: ArrayLike<number>, options: SetXformOptions): void {
	if (!isXformable(prim))
		throw new UsageStateError(`${prim.path} is of type ${quote(prim.typeName)}, which has no transform`);
	const name = xformOpName(kind);
	const existing = prim.attribute(name).typeName;
	const typeName = existing !== '' ? existing : (options.typeName ?? TYPES[kind]!);
	const value = makeTuple(typeName, data);
	const layer = editTargetLayer(prim);
	const path = attributeSpec(prim, layer, name, typeName, false);
	if (options.time === undefined) layer.setField(path, 'default', value);
	else setSample(layer, path, mapTime(invertOffset(prim.stage.editTarget.offset), options.time), value);
}

function makeTuple(typeName: string, data: ArrayLike<number>): Value {
	const type = findAttributeType(typeName)?.valueType;
	if (type === undefined || type.isArray || type.width !== data.length) {
		throw new UsageRangeError(`there are ${data.length} numbers for a value of type ${quote(typeName)}`);
	}
	const numbers = Array.from(data);
	if (type.component === 'double') return makeValue(type, new Float64Array(numbers)) as Value;
	if (type.component === 'float') return makeValue(type, new Float32Array(numbers)) as Value;
	if (type.component === 'half') return makeValue(type, Uint16Array.from(numbers, numberToHalf)) as Value;
	throw new UsageRangeError(`${quote(typeName)} is not a type of a transform operation`);
}

function setSample(layer: Layer, path: Path, time: number, value: Value): void {
	const old = dataOf(layer.field(path, 'timeSamples'), T.timeSamples);
	const samples = new Map<number, Value>();
	old?.times.forEach((at, i) => void samples.set(at, old.valueAt(i)));
	samples.set(time, value);
	const times = Float64Array.from(samples.keys()).sort();
	const values = Array.from(times, (at) => samples.get(at)!);
	layer.setField(path, 'timeSamples', makeValue(T.timeSamples, makeTimeSamples(times, values)) as Value);
}

function editTargetLayer(prim: Prim): Layer {
	if (prim.isInstanceProxy) throw new UsageStateError(`${prim.path} is below an instance and cannot be edited`);
	return prim.stage.editTarget.layer;
}

/** The spec of an attribute in the layer that edits go to; made when it is missing. */
function attributeSpec(prim: Prim, layer: Layer, name: string, typeName: string, isUniform: boolean): Path {
	const primPath = prim.stage.editTarget.mapToSpec(prim.path);
	if (primPath === undefined) throw new UsageStateError(`${prim.path} has no place in ${layer.identifier}`);
	const path = primPath.appendProperty(name);
	if (!layer.has(primPath)) layer.createPrim(primPath, { specifier: 'over' });
	if (!layer.has(path)) layer.createAttribute(path, typeName, isUniform ? { variability: 'uniform' } : {});
	return path;
}

/** What keeps the ancestors' transforms away, if the prim says so. */
function resetOf(prim: Prim): string[] {
	const order = dataOf(prim.attribute('xformOpOrder').get(), T.token.array) ?? [];
	return order.includes(RESET_XFORM_STACK) ? [RESET_XFORM_STACK] : [];
}
