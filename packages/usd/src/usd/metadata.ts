import type { SpecSite } from '../pcp/prim-index.ts';
import { isChildrenField } from '../sdf/children.ts';
import { ListOp } from '../sdf/list-op.ts';
import { type Dictionary, makeValue, type Value } from '../sdf/value.ts';
import { T, type ValueType } from '../sdf/value-type.ts';
import { composeExpressions, resolveValue, type ValueContext } from './resolve-value.ts';

/** Fields that say how things compose, or are values: no metadata of a composed object. */
const NOT_METADATA: ReadonlySet<string> = new Set([
	'inheritPaths',
	'layerRelocates',
	'relocates',
	'payload',
	'references',
	'specializes',
	'subLayers',
	'subLayerOffsets',
	'variantSelection',
	'variantSetNames',
	'clips',
	'clipSets',
	'default',
	'timeSamples',
	'spline',
	'connectionPaths',
	'targetPaths',
]);

/** Whether a field of a layer is metadata of the composed object. */
export function isMetadataField(name: string): boolean {
	return !NOT_METADATA.has(name) && !isChildrenField(name);
}

/** Names of the metadata fields that some spec has. */
export function metadataNames(sites: readonly SpecSite[]): Set<string> {
	const names = new Set<string>();
	for (const { layer, path } of sites) {
		for (const name of layer.data.fieldNames(path)) if (isMetadataField(name)) names.add(name);
	}
	return names;
}

/**
 * A field composed from its opinions, strongest first: dictionaries merge key by key, list-ops apply from weak to strong, path
 * expressions fill each other in, of everything else the strongest wins (AOUSD 12.2).
 */
export function composeField(
	sites: readonly SpecSite[],
	name: string,
	context: ValueContext,
	fallback?: Value,
): Value | undefined {
	let result: Value | undefined;
	for (let i = 0; i < sites.length; i++) {
		const site = sites[i]!;
		const authored = site.layer.data.field(site.path, name);
		if (authored === undefined) continue;
		if (result === undefined) {
			if (isListOp(authored)) return foldListOps(sites, i, name, fallback);
			result = resolveValue(authored, site, context);
		} else {
			result = over(result, resolveValue(authored, site, context));
		}
		if (!isMerged(result.type)) return result;
	}
	if (result === undefined) return fallback === undefined ? undefined : explicitOf(fallback);
	return fallback === undefined ? result : over(result, fallback);
}

/** The composed items of a list-op field; undefined without an opinion. */
export function composeListItems<I>(
	sites: readonly SpecSite[],
	name: string,
	type: ValueType<ListOp<I>>,
): readonly I[] | undefined {
	return fold<I>(sites, 0, name, type as ValueType, undefined)?.apply([]);
}

/** The items of a list-op field with every opinion applied in turn, `add` and `reorder` included; undefined without one. */
export function applyListItems<I>(
	sites: readonly SpecSite[],
	name: string,
	type: ValueType<ListOp<I>>,
): readonly I[] | undefined {
	let items: I[] | undefined;
	for (let i = sites.length - 1; i >= 0; i--) {
		const value = sites[i]!.layer.data.field(sites[i]!.path, name);
		if (value?.type === (type as ValueType)) items = (value.data as ListOp<I>).apply(items ?? []);
	}
	return items;
}

/** One dictionary over another: entries of both, nested dictionaries merged, otherwise the stronger entry. */
export function mergeDictionaries(stronger: Dictionary, weaker: Dictionary): Dictionary {
	if (weaker.size === 0) return stronger;
	const merged = new Map<string, Value>(weaker);
	for (const [key, value] of stronger) {
		const below = merged.get(key);
		const isNested = isDictionary(value) && below !== undefined && isDictionary(below);
		merged.set(key, isNested ? makeValue(T.dictionary, mergeDictionaries(value.data, below.data)) : value);
	}
	return merged;
}

/** The entry of a dictionary at a path of keys (`a:b`); undefined when there is none. */
export function dictionaryEntry(value: Value | undefined, keyPath: string): Value | undefined {
	let at = value;
	for (const key of keyPath.split(':')) at = at !== undefined && isDictionary(at) ? at.data.get(key) : undefined;
	return at;
}

function isDictionary(value: Value): value is Value<Dictionary> {
	return value.type === (T.dictionary as ValueType);
}

function isMerged(type: ValueType): boolean {
	return type === (T.dictionary as ValueType) || type.element === (T.pathExpression as ValueType);
}

function over(stronger: Value, weaker: Value): Value {
	if (isDictionary(stronger)) {
		return isDictionary(weaker) ? makeValue(T.dictionary, mergeDictionaries(stronger.data, weaker.data)) : stronger;
	}
	if (stronger.type !== weaker.type) return stronger;
	if (stronger.type === (T.pathExpression as ValueType)) {
		return makeValue(stronger.type, composeExpressions(stronger.data as string, weaker.data as string));
	}
	if (stronger.type === (T.pathExpression.array as ValueType)) {
		const below = weaker.data as string[];
		const above = stronger.data as string[];
		if (below.length !== above.length) return stronger;
		return makeValue(
			stronger.type,
			above.map((text, i) => composeExpressions(text, below[i]!)),
		);
	}
	return stronger;
}

/** List-ops that metadata composition applies; references and targets have rules of their own. */
const FOLDED: ReadonlySet<ValueType> = new Set<ValueType>([
	T.intListOp,
	T.uintListOp,
	T.int64ListOp,
	T.uint64ListOp,
	T.stringListOp,
	T.tokenListOp,
] as ValueType[]);

function isListOp(value: Value): value is Value<ListOp<unknown>> {
	return FOLDED.has(value.type);
}

function explicitOf(value: Value): Value {
	return isListOp(value) ? makeValue(value.type, ListOp.explicit(value.data.apply([]))) : value;
}

function foldListOps(sites: readonly SpecSite[], first: number, name: string, fallback: Value | undefined): Value {
	const { layer, path } = sites[first]!;
	const { type } = layer.data.field(path, name)!;
	const op = fold(sites, first, name, type, fallback)!;
	return makeValue(type, ListOp.explicit(op.apply([])));
}

/**
 * One list-op with the effect of all opinions. Where legacy `add` or `reorder` items make that impossible the weaker opinion is left
 * out, as OpenUSD does.
 */
function fold<I>(
	sites: readonly SpecSite[],
	first: number,
	name: string,
	type: ValueType,
	fallback: Value | undefined,
): ListOp<I> | undefined {
	let result: ListOp<I> | undefined;
	const add = (value: Value | undefined): void => {
		if (value?.type !== type) return;
		const op = value.data as ListOp<I>;
		if (result === undefined) result = op;
		else if (!hasLegacyItems(result) && !hasLegacyItems(op)) result = result.composeOver(op) ?? result;
	};
	for (let i = first; i < sites.length; i++) add(sites[i]!.layer.data.field(sites[i]!.path, name));
	add(fallback);
	return result;
}

function hasLegacyItems(op: ListOp<unknown>): boolean {
	return op.addedItems.length > 0 || op.orderedItems.length > 0;
}
