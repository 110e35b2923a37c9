import { quote } from '@manyworlds/core';
import { composeOffsets } from '../pcp/layer-offset.ts';
import type { LayerStack } from '../pcp/layer-stack.ts';
import { evaluateText, isExpression } from '../pcp/variable-expression.ts';
import { CHILDREN_FIELDS, childPaths, isChildrenField } from '../sdf/children.ts';
import { Layer } from '../sdf/layer.ts';
import type { LayerData } from '../sdf/layer-data.ts';
import { type ItemKey, ListOp } from '../sdf/list-op.ts';
import { Path } from '../sdf/path.ts';
import {
	arcKey,
	type Dictionary,
	dataOf,
	IDENTITY_OFFSET,
	isIdentityOffset,
	type LayerOffset,
	makeTimeSamples,
	makeValue,
	type Payload,
	type Reference,
	type TimeSamples,
	type Value,
} from '../sdf/value.ts';
import { T, type ValueType } from '../sdf/value-type.ts';
import { FLATTEN_DEFAULTS, type FlattenOptions, reportLeftOut } from './flatten.ts';
import { mergeDictionaries } from './metadata.ts';
import type { Stage } from './stage.ts';
import { mapTime, retimeValue } from './value-time.ts';

/**
 * One layer with what the root layer stack of a stage says: sublayers are put together, all other arcs stay. Times are
 * those of the root layer, asset paths are anchored where they were authored.
 * @example
 * ```ts
 * const text = writeUsda(flattenLayerStack(stage).data);
 * ```
 */
export function flattenLayerStack(stage: Stage, options: FlattenOptions = {}): Layer {
	const { identifier } = { ...FLATTEN_DEFAULTS, ...options };
	const layer = Layer.create(identifier);
	new StackFlattener(stage, stage.pseudoRoot.data.index.root.layerStack, layer.data, options).run();
	return layer;
}

/** Sublayers are gone; lists of children are made from what is written. */
function isDropped(field: string): boolean {
	return field === 'subLayers' || field === 'subLayerOffsets' || isChildrenField(field);
}

class StackFlattener {
	readonly #stage: Stage;
	readonly #stack: LayerStack;
	readonly #out: LayerData;
	readonly #options: FlattenOptions;

	constructor(stage: Stage, stack: LayerStack, out: LayerData, options: FlattenOptions) {
		this.#stage = stage;
		this.#options = options;
		this.#stack = stack;
		this.#out = out;
	}

	run(): void {
		const pending: Path[] = [Path.root];
		for (let path = pending.pop(); path !== undefined; path = pending.pop()) {
			this.#flattenSpec(path);
			for (const child of childPaths(this.#out, path)) pending.push(child);
		}
	}

	#flattenSpec(path: Path): void {
		const out = this.#out;
		const { layers } = this.#stack;
		const strongest = layers.find(({ data }) => data.has(path));
		if (strongest === undefined) return;
		const type = strongest.data.specType(path);
		out.createSpec(path, type);
		// a spec of another type in a weaker layer does not count
		const own: number[] = [];
		for (let i = 0; i < layers.length; i++) {
			const layer = layers[i]!;
			if (layer.data.specType(path) === type) own.push(i);
			else if (layer.data.has(path)) {
				const message = `${quote(path.toString())} is of another kind in ${strongest.identifier}, which is stronger; what this layer says is left out`;
				reportLeftOut(this.#options, 'STG006', message, path, { layer, path });
			}
		}
		const fields = new Set<string>();
		for (const i of own) for (const field of layers[i]!.data.fieldNames(path)) fields.add(field);
		for (const field of fields) {
			if (isDropped(field)) continue;
			const value =
				field === 'timeSamples' || field === 'spline'
					? this.#animation(path, field, own)
					: this.#reduce(path, field, own);
			if (value !== undefined) out.setField(path, field, value);
		}
		for (const field of CHILDREN_FIELDS) this.#joinChildren(path, field, own);
	}

	/** Samples and splines count unless a stronger layer has a value of another kind. */
	#animation(path: Path, field: string, own: readonly number[]): Value | undefined {
		for (const i of own) {
			const { data } = this.#stack.layers[i]!;
			if (data.field(path, field) !== undefined) return this.#valueOf(path, field, i);
			if (VALUE_FIELDS.some((name) => data.field(path, name) !== undefined)) return undefined;
		}
		return undefined;
	}

	#reduce(path: Path, field: string, own: readonly number[]): Value | undefined {
		if (field === 'custom') return this.#valueOf(path, field, own[0]!);
		let result: Value | undefined;
		for (const i of own) {
			const value = this.#valueOf(path, field, i);
			if (value !== undefined) result = result === undefined ? value : over(result, value, field);
		}
		return result;
	}

	#joinChildren(path: Path, field: string, own: readonly number[]): void {
		let names: string[] | undefined;
		const order = field === 'primChildren' ? 'primOrder' : undefined;
		for (let at = own.length - 1; at >= 0; at--) {
			const { data } = this.#stack.layers[own[at]!]!;
			const here = dataOf(data.field(path, field), T.tokenVector);
			if (here !== undefined) names = [...new Set([...(names ?? []), ...here])];
			const ordered = order === undefined ? undefined : dataOf(data.field(path, order), T.tokenVector);
			if (ordered !== undefined && names !== undefined) names = ListOp.edits({ orderedItems: ordered }).apply(names);
		}
		if (names !== undefined && names.length > 0)
			this.#out.setField(path, field, makeValue(T.tokenVector, names) as Value);
	}

	/** A field of one layer as it reads in the flattened one. */
	#valueOf(path: Path, field: string, index: number): Value | undefined {
		const layer = this.#stack.layers[index]!;
		const value = layer.data.field(path, field);
		if (value === undefined) return undefined;
		if (value.data instanceof ListOp && !value.data.isExplicit && value.data.orderedItems.length > 0) {
			const message = `the order that ${quote(field)} of ${quote(path.toString())} gives to weaker items is left out, expected a list without reorder`;
			reportLeftOut(this.#options, 'STG006', message, path, { layer, path }, field);
		}
		// times in the metadata of a layer are about the layer
		return this.#translate(value, layer, path === Path.root ? IDENTITY_OFFSET : this.#stack.offsets[index]!);
	}

	#translate(value: Value, layer: Layer, offset: LayerOffset): Value {
		const { type, data } = value;
		if (data instanceof ListOp) return makeValue(type, this.#translateList(data, layer, offset));
		if (type === (T.dictionary as ValueType)) return this.#translateDictionary(value, layer, offset);
		if (type === (T.timeSamples as ValueType)) return this.#translateSamples(data as TimeSamples, layer, offset);
		if (type.element !== (T.asset as ValueType)) return retimeValue(value, offset);
		const anchor = (text: string): string => this.#anchor(text, layer);
		return makeValue(type, type.isArray ? (data as string[]).map(anchor) : anchor(data as string));
	}

	#translateList(op: ListOp<unknown>, layer: Layer, offset: LayerOffset): ListOp<unknown> {
		const plain = withoutLegacy(op);
		const translate = (item: unknown, time: LayerOffset): unknown => {
			if (typeof item !== 'object' || item === null || !('assetPath' in item)) return item;
			const arc = item as Reference | Payload;
			const assetPath = arc.assetPath === '' ? '' : this.#anchor(arc.assetPath, layer);
			return { ...arc, assetPath, layerOffset: composeOffsets(time, arc.layerOffset) };
		};
		const items = plain.mapItems((item) => translate(item, offset));
		if (plain.isExplicit || plain.deletedItems.length === 0) return items;
		// what is deleted is named as it was authored, whatever the time
		const deletedItems = plain.deletedItems.map((item) => translate(item, IDENTITY_OFFSET));
		return ListOp.edits({ prependedItems: items.prependedItems, appendedItems: items.appendedItems, deletedItems });
	}

	#translateDictionary(value: Value, layer: Layer, offset: LayerOffset): Value {
		const entries = [...(value.data as Dictionary)];
		return makeValue(value.type, new Map(entries.map(([key, item]) => [key, this.#translate(item, layer, offset)])));
	}

	#translateSamples(samples: TimeSamples, layer: Layer, offset: LayerOffset): Value {
		const count = samples.times.length;
		const times = samples.times.map((time) => mapTime(offset, time));
		const values = Array.from({ length: count }, (_, i) => this.#translate(samples.valueAt(i), layer, offset));
		// a negative scale turns time around
		if (offset.scale < 0) {
			times.reverse();
			values.reverse();
		}
		return makeValue(T.timeSamples, makeTimeSamples(isIdentityOffset(offset) ? samples.times : times, values)) as Value;
	}

	#anchor(authored: string, layer: Layer): string {
		let text = authored;
		if (isExpression(authored)) {
			const { value, errors } = evaluateText(authored, this.#stack.variables.variables);
			if (errors.length > 0) return authored;
			text = value;
		}
		return text === '' ? text : this.#stage.store.identify(text, layer.identifier).identifier;
	}
}

const VALUE_FIELDS = ['default', 'timeSamples', 'spline'] as const;

/** A list-op in which added items are appended and nothing is reordered: those do not combine. */
function withoutLegacy(op: ListOp<unknown>): ListOp<unknown> {
	if (op.isExplicit || (op.addedItems.length === 0 && op.orderedItems.length === 0)) return op;
	const appended = new Map(op.appendedItems.map((item) => [keyOf(item), item]));
	for (const item of op.addedItems) if (!appended.has(keyOf(item))) appended.set(keyOf(item), item);
	return ListOp.edits({
		prependedItems: op.prependedItems,
		appendedItems: [...appended.values()],
		deletedItems: op.deletedItems,
	});
}

const keyOf: ItemKey<unknown> = (item) =>
	typeof item === 'object' && item !== null && 'assetPath' in item ? arcKey(item as Reference | Payload) : item;

function over(stronger: Value, weaker: Value, field: string): Value {
	const { type, data } = stronger;
	if (type !== weaker.type) return stronger;
	if (data instanceof ListOp) return makeValue(type, data.composeOver(weaker.data as ListOp<unknown>, keyOf) ?? data);
	if (type === (T.dictionary as ValueType)) {
		return makeValue(type, mergeDictionaries(data as Dictionary, weaker.data as Dictionary));
	}
	if (type === (T.variantSelectionMap as ValueType)) {
		return makeValue(type, new Map([...(weaker.data as Map<string, string>), ...(data as Map<string, string>)]));
	}
	if (type === (T.relocates as ValueType))
		return makeValue(type, [...(data as unknown[]), ...(weaker.data as unknown[])]);
	if (type === (T.specifier as ValueType)) return data === 'over' ? weaker : stronger;
	if (field === 'typeName' && data === '') return weaker;
	return stronger;
}
