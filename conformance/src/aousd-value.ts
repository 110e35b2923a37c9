import type {
	Dictionary,
	LayerOffset,
	ListOp,
	Path,
	Payload,
	Reference,
	Spline,
	TimeSamples,
	Unregistered,
	Value,
	ValueType,
} from '@manyworlds/usd';
import { isIdentityOffset } from '@manyworlds/usd/internal';
import { aousdSplineMismatch } from './aousd-spline.ts';
import { type Components, halfValue } from './dump-value.ts';
import { isObject, type Json, jsonDifferences, shortJson } from './json.ts';
import { encodeField } from './layer-dump.ts';

/** Says how a value differs from what an AOUSD baseline holds for it, or undefined when it does not. */
export function aousdMismatch(value: Value, golden: Json): string | undefined {
	if (matches(value, golden)) return undefined;
	return `${shortJson(encodeField(value))}, expected ${shortJson(golden)}`;
}

function matches(value: Value, golden: Json): boolean {
	const { type, data } = value;
	if (type.component !== 'other') return matchesTyped(type, data, golden);
	switch (type.name) {
		case 'valueBlock':
			return golden === null;
		case 'specifier':
		case 'permission':
		case 'variability':
			return data === golden;
		case 'dictionary':
			return matchesDictionary(data as Dictionary, golden);
		case 'variantSelectionMap':
			return sameJson(Object.fromEntries(data as ReadonlyMap<string, string>), golden);
		case 'tokenVector':
		case 'stringVector':
			return sameJson(data as readonly string[], golden);
		case 'pathVector':
			return sameJson((data as readonly Path[]).map(String), golden);
		case 'layerOffsetVector':
			return matchesList(data as readonly LayerOffset[], golden, matchesOffset);
		case 'tokenListOp':
		case 'stringListOp':
		case 'intListOp':
		case 'uintListOp':
			return matchesListOp(data as ListOp<string | number>, golden, (item, json) => item === json);
		case 'int64ListOp':
		case 'uint64ListOp':
			return matchesListOp(data as ListOp<bigint>, golden, (item, json) => Number(item) === json);
		case 'pathListOp':
			return matchesListOp(data as ListOp<Path>, golden, (item, json) => item.toString() === json);
		case 'referenceListOp':
		case 'payloadListOp':
			return matchesListOp(data as ListOp<Reference | Payload>, golden, matchesArc);
		case 'relocates':
			return matchesRelocates(data as readonly (readonly [Path, Path])[], golden);
		case 'timeSamples':
			return matchesSamples(data as TimeSamples, golden);
		case 'spline':
			return aousdSplineMismatch(data as Spline, golden, matches) === undefined;
		case 'unregistered':
			return matchesUnregistered(data as Unregistered, golden);
		default:
			return false;
	}
}

function matchesTyped(type: ValueType, data: unknown, golden: Json): boolean {
	if (!type.isArray) {
		return type.width === 1 ? matchesScalar(type, data, golden) : matchesElement(type, data as Components, 0, golden);
	}
	const components = data as Components;
	if (!Array.isArray(golden) || components.length !== golden.length * type.width) return false;
	return golden.every((item, i) => matchesElement(type.element, components, i * type.width, item));
}

function matchesElement(type: ValueType, data: Components, start: number, golden: Json): boolean {
	const component = (index: number, json: Json | undefined): boolean => {
		const stored = data[start + index]!;
		if (json === undefined) return false;
		if (type.component === 'half') return matchesScalar(type, halfValue(stored as number), json);
		return matchesScalar(type, type.component === 'bool' ? stored !== 0 : stored, json);
	};
	if (type.shape === 'scalar') return component(0, golden);
	const flat = Array.isArray(golden) ? golden.flat() : [];
	if (type.shape === 'matrix' && !isSquare(golden)) return false;
	if (flat.length !== type.width) return false;
	const order = type.shape === 'quaternion' ? [3, 0, 1, 2] : flat.map((_, i) => i);
	return order.every((index, i) => component(index, flat[i]));
}

function isSquare(golden: Json): boolean {
	return Array.isArray(golden) && golden.every((row) => Array.isArray(row) && row.length === golden.length);
}

function matchesScalar(type: ValueType, data: unknown, golden: Json): boolean {
	switch (type.component) {
		case 'bool':
			return data === golden || (typeof golden === 'number' && data === (golden !== 0));
		case 'int64':
		case 'uint64':
			return typeof golden === 'number' && Number(data as bigint) === golden;
		case 'float':
			return typeof golden === 'number' && data === Math.fround(golden);
		case 'half':
			return typeof golden === 'number' && data === nearestHalf(golden);
		case 'text':
			return typeof golden === 'string' && data === expandEscapes(golden);
		default:
			return data === golden;
	}
}

function matchesDictionary(dictionary: Dictionary, golden: Json): boolean {
	if (!isObject(golden) || Object.keys(golden).length !== dictionary.size) return false;
	return [...dictionary].every(([key, value]) => Object.hasOwn(golden, key) && matches(value, golden[key]!));
}

function matchesList<I>(items: readonly I[], golden: Json, same: (item: I, json: Json) => boolean): boolean {
	return Array.isArray(golden) && golden.length === items.length && items.every((item, i) => same(item, golden[i]!));
}

function matchesListOp<I>(op: ListOp<I>, golden: Json, same: (item: I, json: Json) => boolean): boolean {
	if (!isObject(golden)) return false;
	const lists: Record<string, readonly I[]> = {
		explicit: op.explicitItems,
		append: op.appendedItems,
		prepend: op.prependedItems,
		delete: op.deletedItems,
		add: op.addedItems,
		reorder: op.orderedItems,
	};
	if (Object.keys(golden).some((key) => !Object.hasOwn(lists, key))) return false;
	return Object.entries(lists).every(([key, items]) =>
		items.length === 0 ? !Object.hasOwn(golden, key) : matchesList(items, golden[key] ?? null, same),
	);
}

function matchesArc(arc: Reference | Payload, golden: Json): boolean {
	if (!isObject(golden)) return false;
	const { asset, path, layerOffset, ...rest } = golden;
	if (Object.keys(rest).length > 0) return false;
	if ((asset ?? '') !== arc.assetPath) return false;
	if ((path ?? '') !== (arc.primPath.isEmpty ? '' : arc.primPath.toString())) return false;
	return layerOffset === undefined ? isIdentityOffset(arc.layerOffset) : matchesOffset(arc.layerOffset, layerOffset);
}

function matchesOffset(offset: LayerOffset, golden: Json): boolean {
	return sameJson({ offset: offset.offset, scale: offset.scale }, golden);
}

function matchesRelocates(pairs: readonly (readonly [Path, Path])[], golden: Json): boolean {
	const entries = Array.isArray(golden)
		? golden.flatMap((one) => (isObject(one) ? Object.entries(one) : [null]))
		: isObject(golden)
			? Object.entries(golden)
			: [null];
	return sameJson(
		pairs.map((pair) => pair.map(String)),
		entries as Json,
	);
}

function matchesSamples(samples: TimeSamples, golden: Json): boolean {
	if (!isObject(golden)) return false;
	const entries = Object.entries(golden).sort(([a], [b]) => Number(a) - Number(b));
	if (entries.length !== samples.times.length) return false;
	return entries.every(([time, json], i) => Number(time) === samples.times[i] && matches(samples.valueAt(i), json));
}

function matchesUnregistered(data: Unregistered, golden: Json): boolean {
	if (typeof data === 'string') return sameJson(parseText(data), golden);
	if (!('isExplicit' in data)) return matchesDictionary(data, golden);
	if (!isObject(golden)) return false;
	const lists: Record<string, readonly string[]> = {
		explicit: data.explicitItems,
		append: data.appendedItems,
		prepend: data.prependedItems,
		delete: data.deletedItems,
	};
	if (data.addedItems.length + data.orderedItems.length > 0) return false;
	if (Object.keys(golden).some((key) => !Object.hasOwn(lists, key))) return false;
	return Object.entries(lists).every(([key, items]) => {
		if (items.length === 0) return !Object.hasOwn(golden, key);
		const text = items.join(', ');
		return sameJson(parseText(text.startsWith('[') ? text : `[${text}]`), golden[key] ?? null);
	});
}

/** The value that metadata of an unknown type spells: a number, a string, a word, `None`, or a list of these. */
function parseText(text: string): Json {
	const trimmed = text.trim();
	if (trimmed === 'None') return null;
	if (trimmed.startsWith('[')) {
		const inner = trimmed.slice(1, -1).trim();
		return inner === '' ? [] : (inner.match(/(["'])(?:\\.|(?!\1).)*\1|[^,]+/g) ?? []).map(parseText);
	}
	if (/^[-+.0-9]/.test(trimmed)) return Number(trimmed);
	const quoted = /^("""|'''|"|')([\s\S]*)\1$/.exec(trimmed);
	return quoted === null ? trimmed : expandEscapes(quoted[2]!);
}

/** Escapes of the text format, which the baselines leave as written. */
function expandEscapes(text: string): string {
	const named: Record<string, string> = { a: '\x07', b: '\b', f: '\f', n: '\n', r: '\r', t: '\t', v: '\v' };
	return text.replace(/\\(x[0-9a-fA-F]{1,2}|[0-7]{1,3}|[\s\S])/g, (_, code: string) => {
		if (code.length > 1 && code.startsWith('x')) return String.fromCharCode(Number.parseInt(code.slice(1), 16));
		if (/^[0-7]/.test(code)) return String.fromCharCode(Number.parseInt(code, 8));
		return named[code] ?? code;
	});
}

/** The half nearest to a number, ties to even, by way of float as OpenUSD converts. */
function nearestHalf(number: number): number {
	const value = Math.fround(number);
	const magnitude = Math.abs(value);
	if (!Number.isFinite(value) || magnitude === 0) return value;
	const step = 2 ** (Math.max(Math.floor(Math.log2(magnitude)), -14) - 10);
	const scaled = magnitude / step;
	const floor = Math.floor(scaled);
	const rest = scaled - floor;
	const rounded = (rest > 0.5 || (rest === 0.5 && floor % 2 === 1) ? floor + 1 : floor) * step;
	return Math.sign(value) * (rounded > 65504 ? Number.POSITIVE_INFINITY : rounded);
}

function sameJson(actual: Json, golden: Json): boolean {
	return jsonDifferences(actual, golden).length === 0;
}
