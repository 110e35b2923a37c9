import { isObject, type Json, type JsonObject, jsonDifferences } from './json.ts';

const TOP_KEYS: readonly string[] = ['oracle', 'root', 'times', 'stage', 'errors', 'prims', 'definitions'];
const PRIM_KEYS: readonly string[] = [
	'path',
	'specifier',
	'typeName',
	'flags',
	'kind',
	'sameAs',
	'appliedSchemas',
	'apiSchemas',
	'metadata',
	'variantSets',
	'variantSelections',
	'properties',
	'attributes',
	'relationships',
	'definition',
	'stack',
];

/** How far apart components of interpolated quaternions may be, by type (FORMAT.md of the USD oracle, section 3). */
const QUATERNION_TOLERANCE: Readonly<Record<string, number>> = { quath: 1e-3, quatf: 2e-7, quatd: 1e-15 };
/** Splines are evaluated by iteration; values are of the size of ten. */
const SPLINE_TOLERANCE: Readonly<Record<string, number>> = { half: 1e-2, float: 2e-6, double: 2e-12 };

/** The dump that a golden file holds; a key that nobody knows throws, so that nothing is overlooked. */
export function parseStageDump(json: unknown): JsonObject {
	if (!isObject(json) || !Array.isArray(json['prims'])) throw new TypeError('not a stage dump: no list of prims');
	for (const key of Object.keys(json)) if (!TOP_KEYS.includes(key)) throw new TypeError(`unknown key '${key}'`);
	for (const prim of json['prims'] as Json[]) {
		if (!isObject(prim) || typeof prim['path'] !== 'string') throw new TypeError('stage dump: not a prim');
		for (const key of Object.keys(prim)) {
			if (!PRIM_KEYS.includes(key)) throw new TypeError(`unknown key '${key}' in ${prim['path']}`);
		}
	}
	return json;
}

/** Lines about the differences between two stages. Exact but for interpolated quaternions and values of splines. */
export function compareStages(actual: JsonObject, expected: JsonObject, limit = 5): string[] {
	const out = jsonDifferences(withoutPrims(actual), withoutPrims(expected), '', limit);
	const ours = new Map((actual['prims'] as JsonObject[]).map((prim) => [prim['path'] as string, prim]));
	const theirs = expected['prims'] as JsonObject[];
	const order = theirs.map((prim) => prim['path']!);
	out.push(...jsonDifferences([...ours.keys()], order, 'prims', 1));
	for (const prim of theirs) {
		if (out.length >= limit) break;
		const path = prim['path'] as string;
		const own = ours.get(path);
		if (own === undefined) continue;
		out.push(...jsonDifferences(forgiving(own, prim), prim, path, limit - out.length));
	}
	return out.slice(0, limit);
}

function withoutPrims(dump: JsonObject): JsonObject {
	const errors: Record<string, Json> = {};
	for (const [kind, entry] of Object.entries(dump['errors'] as Record<string, JsonObject>)) {
		errors[kind] = entry['sites']!;
	}
	const { prims: _prims, oracle: _oracle, ...rest } = dump;
	return { ...rest, errors };
}

/** The prim with numbers of the expected one where they are close enough and may differ. */
function forgiving(own: JsonObject, expected: JsonObject): JsonObject {
	const attributes = own['attributes'] as Record<string, JsonObject> | undefined;
	const theirs = expected['attributes'] as Record<string, JsonObject> | undefined;
	if (attributes === undefined || theirs === undefined) return own;
	const out: Record<string, Json> = { ...attributes };
	for (const [name, attribute] of Object.entries(attributes)) {
		const other = theirs[name];
		const type = String(attribute['type']).replace('[]', '');
		const isSpline = attribute['source'] === 'Spline';
		const tolerance = isSpline ? SPLINE_TOLERANCE[type] : QUATERNION_TOLERANCE[type];
		if (other === undefined || tolerance === undefined) continue;
		const close: Record<string, Json> = { ...attribute };
		for (const key of ['at', 'samples']) {
			if (attribute[key] !== undefined && other[key] !== undefined) {
				close[key] = snapped(attribute[key], other[key], tolerance);
			}
		}
		out[name] = close;
	}
	return { ...own, attributes: out };
}

function snapped(own: Json, expected: Json, tolerance: number): Json {
	if (typeof own === 'number' && typeof expected === 'number') {
		return Math.abs(own - expected) <= tolerance * Math.max(1, Math.abs(expected)) ? expected : own;
	}
	if (!Array.isArray(own) || !Array.isArray(expected) || own.length !== expected.length) return own;
	return own.map((item, i) => snapped(item, expected[i]!, tolerance));
}
