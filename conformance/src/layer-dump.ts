import {
	type Dictionary,
	type LayerData,
	type LayerOffset,
	type ListOp,
	Path,
	type Payload,
	type Reference,
	SpecType,
	T,
	type TimeSamples,
	type Unregistered,
	type Value,
} from '@manyworlds/usd';
import { dataOf, isIdentityOffset } from '@manyworlds/usd/internal';
import { encodeSpline } from './dump-spline.ts';
import { encodeNumber, encodeValue } from './dump-value.ts';
import type { Json, JsonObject } from './json.ts';

/** One spec of a layer in the layer form of the USD oracle (its FORMAT.md, section 4). */
export interface SpecDump {
	readonly path: string;
	readonly spec: string;
	readonly primChildren?: readonly string[];
	readonly properties?: readonly string[];
	readonly variantSetChildren?: readonly string[];
	readonly variantChildren?: readonly string[];
	readonly fields?: JsonObject;
}

/** The content of a layer, spec by spec: what two layers must have in common to be equal. */
export interface LayerDump {
	readonly specs: readonly SpecDump[];
}

/**
 * Content of a layer in the layer form of the USD oracle: exact numbers, long arrays as hashes, the same names of
 * fields, lists and types. Target and connection specs follow from the list-ops and are left out.
 */
export function dumpLayer(data: LayerData): LayerDump {
	const specs: SpecDump[] = [];
	for (const path of data.paths()) {
		const kind = SPEC_NAMES[data.specType(path)];
		if (kind !== undefined) specs.push(dumpSpec(data, path, kind));
	}
	specs.sort((a, b) => (a.path < b.path ? -1 : a.path > b.path ? 1 : 0));
	return { specs };
}

/** Names of the fields that hold children; all but the first four belong to specs that a dump leaves out. */
export const CHILD_FIELDS: readonly string[] = [
	'primChildren',
	'properties',
	'variantSetChildren',
	'variantChildren',
	'connectionChildren',
	'targetChildren',
	'mapperChildren',
	'mapperArgChildren',
	'expressionChildren',
];

const SPEC_NAMES: Partial<Record<SpecType, string>> = {
	[SpecType.pseudoRoot]: 'PseudoRoot',
	[SpecType.prim]: 'Prim',
	[SpecType.attribute]: 'Attribute',
	[SpecType.relationship]: 'Relationship',
	[SpecType.variant]: 'Variant',
	[SpecType.variantSet]: 'VariantSet',
};

/** Fields that OpenUSD lists on every spec of a kind, with the value it gives when none is stored. */
const REQUIRED_FIELDS: Readonly<Record<string, JsonObject>> = {
	Prim: { specifier: 'Over' },
	Variant: { specifier: 'Over' },
	Attribute: { custom: false, typeName: '', variability: 'Varying' },
	Relationship: { custom: false, variability: 'Varying' },
};

function dumpSpec(data: LayerData, path: Path, kind: string): SpecDump {
	const children: Record<string, readonly string[]> = {};
	const fields: Record<string, Json> = { ...REQUIRED_FIELDS[kind] };
	for (const name of data.fieldNames(path)) {
		const value = data.field(path, name);
		if (value === undefined) continue;
		if (CHILD_FIELDS.includes(name)) {
			const names = dataOf(value, T.tokenVector);
			if (names !== undefined && names.length > 0) children[name] = names;
		} else {
			fields[name] = encodeField(value);
		}
	}
	const spec = { path: path.toString(), spec: kind, ...children };
	return Object.keys(fields).length > 0 ? { ...spec, fields } : spec;
}

/** A field of a spec as JSON. */
export function encodeField(value: Value): Json {
	const { type, data } = value;
	if (type.component !== 'other') {
		// metadata integers are plain numbers, and no registered field is a 64-bit one
		return encodeValue(value);
	}
	switch (type.name) {
		case 'dictionary':
			return { dictionary: encodeDictionary(data as Dictionary) };
		case 'path':
			return String(data as Path);
		case 'specifier':
		case 'permission':
		case 'variability':
			return capitalise(data as string);
		case 'tokenListOp':
		case 'stringListOp':
			return encodeListOp(type.name.slice(0, -6), data as ListOp<string>, (item) => item);
		case 'pathListOp':
			return encodeListOp('path', data as ListOp<Path>, String);
		case 'referenceListOp':
			return encodeListOp('reference', data as ListOp<Reference>, encodeArc);
		case 'payloadListOp':
			return encodeListOp('payload', data as ListOp<Payload>, encodeArc);
		case 'intListOp':
		case 'uintListOp':
			return encodeListOp(type.name.slice(0, -6), data as ListOp<number>, (item) => item);
		case 'int64ListOp':
		case 'uint64ListOp':
			return encodeListOp(type.name.slice(0, -6), data as ListOp<bigint>, String);
		case 'unregisteredListOp':
			return encodeTextListOp(data as ListOp<string>);
		case 'pathVector':
			return (data as readonly Path[]).map(String);
		case 'tokenVector':
		case 'stringVector':
			return data as readonly string[];
		case 'doubleVector':
			return Array.from(data as Float64Array, encodeNumber);
		case 'layerOffsetVector':
			return (data as readonly LayerOffset[]).map(encodeOffset);
		case 'variantSelectionMap':
			return Object.fromEntries(data as ReadonlyMap<string, string>);
		case 'relocates':
			return (data as readonly (readonly [Path, Path])[]).map((pair) => pair.map(String));
		case 'timeSamples':
			return encodeSamples(data as TimeSamples);
		case 'spline':
			return encodeSpline(value as Value<never>);
		case 'unregistered':
			return { unregistered: encodeUnregistered(data as Unregistered) };
		default:
			return encodeValue(value);
	}
}

/** Entries of a dictionary, each with the type it has in text. */
export function encodeDictionary(dictionary: Dictionary): JsonObject {
	const out: Record<string, Json> = {};
	for (const [key, value] of dictionary) {
		const nested = dataOf(value, T.dictionary);
		out[key] =
			nested !== undefined
				? { type: 'dictionary', value: encodeDictionary(nested) }
				: { type: value.type.name, value: encodeValue(value) };
	}
	return out;
}

function encodeListOp<I>(kind: string, op: ListOp<I>, encode: (item: I) => Json): JsonObject {
	const out: Record<string, Json> = { list: kind };
	if (op.isExplicit) return { ...out, explicit: op.explicitItems.map(encode) };
	for (const [name, items] of editLists(op)) {
		if (items.length > 0) out[name] = items.map(encode);
	}
	return out;
}

/** A list-op of texts: each list is one text, its brackets left out. */
function encodeTextListOp(op: ListOp<string>): JsonObject {
	const join = (items: readonly string[]): string => items.join(', ').replace(/^[[\]]+|[[\]]+$/g, '');
	const out: Record<string, Json> = { list: 'unregistered' };
	if (op.isExplicit) return { ...out, explicit: join(op.explicitItems) };
	for (const [name, items] of editLists(op)) {
		if (items.length > 0) out[name] = join(items);
	}
	return out;
}

function editLists<I>(op: ListOp<I>): readonly (readonly [string, readonly I[]])[] {
	return [
		['added', op.addedItems],
		['prepended', op.prependedItems],
		['appended', op.appendedItems],
		['deleted', op.deletedItems],
		['ordered', op.orderedItems],
	];
}

function encodeArc(arc: Reference | Payload): JsonObject {
	const out: Record<string, Json> = {
		asset: arc.assetPath,
		prim: arc.primPath === Path.empty ? '' : String(arc.primPath),
	};
	if (!isIdentityOffset(arc.layerOffset)) out['offset'] = encodeOffset(arc.layerOffset);
	if ('customData' in arc && arc.customData.size > 0) out['customData'] = encodeDictionary(arc.customData);
	return out;
}

function encodeOffset(offset: LayerOffset): Json {
	return [encodeNumber(offset.offset), encodeNumber(offset.scale)];
}

function encodeSamples(samples: TimeSamples): JsonObject {
	const out: Json[] = [];
	for (let i = 0; i < samples.times.length; i++) {
		out.push([encodeNumber(samples.times[i]!), encodeValue(samples.valueAt(i))]);
	}
	return { samples: out };
}

function encodeUnregistered(data: Unregistered): Json {
	if (typeof data === 'string') return data;
	return 'isExplicit' in data ? encodeTextListOp(data) : encodeDictionary(data);
}

function capitalise(word: string): string {
	return word.slice(0, 1).toUpperCase() + word.slice(1);
}
