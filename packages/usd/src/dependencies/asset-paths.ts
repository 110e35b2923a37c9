import type { LayerData } from '../sdf/layer-data.ts';
import type { ListOp } from '../sdf/list-op.ts';
import type { Path } from '../sdf/path.ts';
import { SpecType } from '../sdf/spec-type.ts';
import {
	type Dictionary,
	dataOf,
	makeTimeSamples,
	makeValue,
	type TimeSamples,
	type Value,
	valueIs,
} from '../sdf/value.ts';
import { T } from '../sdf/value-type.ts';

/** Where a layer names a file. @public */
export interface AssetPathUse {
	readonly assetPath: string;
	/** The spec and the field that name it. */
	readonly path: Path;
	readonly field: string;
	readonly kind: 'sublayer' | 'reference' | 'payload' | 'asset';
}

/** Every place where a layer names a file, in stored order. Arcs within the layer are left out. @public */
export function listAssetPaths(data: LayerData): AssetPathUse[] {
	const uses: AssetPathUse[] = [];
	mapAssetPaths(data, (use) => {
		uses.push(use);
		return use.assetPath;
	});
	return uses;
}

/**
 * Passes every asset path of a layer to `map` and stores what it gives back: sublayers, references, payloads, asset-valued
 * attributes, their time samples, and asset values in metadata, dictionaries included. Gives the number of changed fields.
 *
 * Attributes of other types are not decoded.
 * @public
 */
export function mapAssetPaths(data: LayerData, map: (use: AssetPathUse) => string): number {
	const changes: [Path, string, Value][] = [];
	for (const path of data.paths()) {
		const isOtherAttribute = data.specType(path) === SpecType.attribute && !isAssetAttribute(data, path);
		for (const field of data.fieldNames(path)) {
			if (isOtherAttribute && (field === 'default' || field === 'timeSamples')) continue;
			const value = data.field(path, field);
			if (value === undefined) continue;
			const kind = FIELD_KINDS[field] ?? 'asset';
			const mapped = mapValue(value, field, (assetPath) => map({ assetPath, path, field, kind }));
			if (mapped !== value) changes.push([path, field, mapped]);
		}
	}
	for (const [path, field, value] of changes) data.setField(path, field, value);
	return changes.length;
}

const FIELD_KINDS: { readonly [field: string]: AssetPathUse['kind'] | undefined } = {
	subLayers: 'sublayer',
	references: 'reference',
	payload: 'payload',
};

type MapText = (assetPath: string) => string;

function isAssetAttribute(data: LayerData, path: Path): boolean {
	const name = dataOf(data.field(path, 'typeName'), T.token);
	return name === 'asset' || name === 'asset[]';
}

/** The value with its asset paths mapped; the same object when none changed. */
function mapValue(value: Value, field: string, map: MapText): Value {
	if (field === 'subLayers' && valueIs(value, T.stringVector)) {
		return replaced(value, value.data, mapList(value.data, map));
	}
	if (valueIs(value, T.asset)) return value.data === '' ? value : replaced(value, value.data, map(value.data));
	if (valueIs(value, T.asset.array)) return replaced(value, value.data, mapList(value.data, map));
	if (valueIs(value, T.dictionary)) return replaced(value, value.data, mapDictionary(value.data, map));
	if (valueIs(value, T.referenceListOp)) return replaced(value, value.data, mapArcs(value.data, map));
	if (valueIs(value, T.payloadListOp)) return replaced(value, value.data, mapArcs(value.data, map));
	if (valueIs(value, T.timeSamples)) return replaced(value, value.data, mapSamples(value.data, map));
	return value;
}

function replaced<D>(value: Value<D>, before: D, after: D): Value {
	return before === after ? value : makeValue(value.type, after);
}

function mapList<L extends readonly string[]>(list: L, map: MapText): L {
	const mapped = list.map((text) => (text === '' ? text : map(text)));
	return mapped.every((text, i) => text === list[i]) ? list : (mapped as unknown as L);
}

function mapArcs<A extends { readonly assetPath: string }>(op: ListOp<A>, map: MapText): ListOp<A> {
	let isChanged = false;
	const mapped = op.mapItems((arc): A => {
		const assetPath = arc.assetPath === '' ? '' : map(arc.assetPath);
		if (assetPath === arc.assetPath) return arc;
		isChanged = true;
		return { ...arc, assetPath };
	});
	return isChanged ? mapped : op;
}

function mapDictionary(dictionary: Dictionary, map: MapText): Dictionary {
	let isChanged = false;
	const mapped = new Map<string, Value>();
	for (const [key, item] of dictionary) {
		const after = mapValue(item, '', map);
		if (after !== item) isChanged = true;
		mapped.set(key, after);
	}
	return isChanged ? mapped : dictionary;
}

function mapSamples(samples: TimeSamples, map: MapText): TimeSamples {
	const before = Array.from(samples.times, (_, i) => samples.valueAt(i));
	const after = before.map((value) => mapValue(value, '', map));
	return after.every((value, i) => value === before[i]) ? samples : makeTimeSamples(samples.times, after);
}
