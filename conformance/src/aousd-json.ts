import { fileURLToPath } from 'node:url';
import { type LayerData, type Path, SpecType, T, type Value } from '@manyworlds/usd';
import { dataOf } from '@manyworlds/usd/internal';
import { aousdMismatch } from './aousd-value.ts';
import { readJson } from './files.ts';
import { canonicalJson, isObject, type Json, type JsonObject, shortJson } from './json.ts';
import { CHILD_FIELDS, encodeField } from './layer-dump.ts';
import type { LoadedLayer } from './usd-io.ts';

/*
 * The dialect of the AOUSD baselines: `{"/path": {"field": value}}`, as the AOUSD sample parser prints what it read.
 * It differs from what layers store in these points, and only these are levelled out:
 * - a prim below a variant is `/A{set=sel}/B`, where OpenUSD writes `/A{set=sel}B`;
 * - `properties` is called `propertyChildren`, and properties that begin with `.connect`, `.timeSamples` or `.spline`
 *   come after the others;
 * - a variant set that is only named in `variantSets` has no spec and is no child;
 * - `custom = false`, `variability = varying` and the variability of relationships are left out;
 * - an explicit empty list-op and one without effect are both `{}`; customData of references is left out;
 * - values have no type: numbers are compared after rounding to the type that the layer declares;
 * - escapes in strings are not expanded;
 * - splines: see aousd-spline.ts.
 */

/** Lines about the differences between a layer and AOUSD JSON: every spec and every field, unknown ones included. */
export function aousdDifferences(layer: LoadedLayer, json: unknown, limit = 5): string[] {
	if (!isObject(json) || !Object.keys(json).every((key) => key.startsWith('/'))) {
		return ['the golden file is neither a layer dump nor AOUSD JSON'];
	}
	const { data } = layer;
	const expected = new Map(Object.entries(json).map(([path, fields]) => [path.replaceAll('}/', '}'), fields]));
	const actual = new Map<string, Path>();
	for (const path of data.paths()) {
		const type = data.specType(path);
		const text = path.toString();
		const isOnlyNamed = type === SpecType.variantSet && !hasVariants(data, path);
		if (DUMPED.has(type) && (!isOnlyNamed || expected.has(text))) actual.set(text, path);
	}

	const out: string[] = [];
	for (const text of new Set([...expected.keys(), ...actual.keys()])) {
		const path = actual.get(text);
		const fields = expected.get(text);
		if (path === undefined) out.push(`${text}: missing`);
		else if (fields === undefined) out.push(`${text}: expected no spec`);
		else if (!isObject(fields)) out.push(`${text}: not an object in the golden file`);
		else out.push(...specDifferences(layer, path, fields));
		if (out.length >= limit) break;
	}
	return out.slice(0, limit);
}

const DUMPED: ReadonlySet<SpecType> = new Set([
	SpecType.pseudoRoot,
	SpecType.prim,
	SpecType.attribute,
	SpecType.relationship,
	SpecType.variant,
	SpecType.variantSet,
]);

function specDifferences(layer: LoadedLayer, path: Path, expected: JsonObject): string[] {
	const fields = comparableFields(layer.data, path);
	const out: string[] = [];
	for (const name of new Set([...Object.keys(expected), ...fields.keys()])) {
		const value = fields.get(name);
		const golden = expected[name];
		const problem = fieldMismatch(layer.data, path, name, value, golden);
		if (problem === undefined || isKnownDivergence(layer, path, name, value, golden)) continue;
		out.push(`${path} ${name}: ${problem}`);
	}
	return out;
}

/** Fields of a spec under the names of the baselines, without those that baselines leave out. */
function comparableFields(data: LayerData, path: Path): Map<string, Value> {
	const isRelationship = data.specType(path) === SpecType.relationship;
	const out = new Map<string, Value>();
	for (const name of data.fieldNames(path)) {
		const value = data.field(path, name);
		if (value === undefined) continue;
		if (name === 'custom' && value.data === false) continue;
		if (name === 'variability' && (isRelationship || value.data === 'varying')) continue;
		if (CHILD_FIELDS.includes(name)) {
			if (!PRINTED_CHILDREN.includes(name) || (dataOf(value, T.tokenVector)?.length ?? 0) === 0) continue;
		}
		out.set(name === 'properties' ? 'propertyChildren' : name, value);
	}
	return out;
}

const PRINTED_CHILDREN = ['primChildren', 'properties', 'variantSetChildren', 'variantChildren'];

function fieldMismatch(
	data: LayerData,
	path: Path,
	name: string,
	value: Value | undefined,
	golden: Json | undefined,
): string | undefined {
	if (value === undefined) return `missing, expected ${shortJson(golden)}`;
	if (golden === undefined) return `${shortJson(encodeField(value))}, expected nothing`;
	const problem = aousdMismatch(value, golden);
	const names = dataOf(value, T.tokenVector) ?? [];
	if (problem !== undefined && name === 'variantSetChildren') {
		const bodies = names.filter((one) => hasVariants(data, path.appendVariant(one, '')));
		return canonicalJson(bodies) === canonicalJson(golden) ? undefined : problem;
	}
	if (problem === undefined || name !== 'propertyChildren') return problem;
	const isPartial = (property: string): boolean => {
		const child = path.appendProperty(property);
		if (data.field(child, 'default') !== undefined) return false;
		return ['connectionPaths', 'timeSamples', 'spline'].some((field) => data.field(child, field) !== undefined);
	};
	const reordered = [...names.filter((one) => !isPartial(one)), ...names.filter(isPartial)];
	return canonicalJson(reordered) === canonicalJson(golden) ? undefined : problem;
}

function hasVariants(data: LayerData, variantSet: Path): boolean {
	return (dataOf(data.field(variantSet, 'variantChildren'), T.tokenVector)?.length ?? 0) > 0;
}

interface Divergence {
	readonly path: string;
	readonly field: string;
	/** The error that the reader must report for this spec or the prim that owns it. */
	readonly code: string;
	/** What the baseline says. */
	readonly aousd: Json;
	/** What the layer holds, in the form of a layer dump; null for nothing. */
	readonly ours: Json;
	readonly reason: string;
}

/**
 * Fields that the AOUSD sample parser reads although OpenUSD refuses them. Each is accepted only as listed, value for
 * value, and only if the reader reported that error for the spec or the prim that owns it.
 */
function isKnownDivergence(
	layer: LoadedLayer,
	path: Path,
	name: string,
	value: Value | undefined,
	golden: Json | undefined,
): boolean {
	const list = readJson(fileURLToPath(new URL('../data/aousd-divergences.json', import.meta.url))) as Divergence[];
	const ours = value === undefined ? null : encodeField(value);
	const listed = list.find(
		(entry) =>
			entry.path === path.toString() &&
			entry.field === name &&
			canonicalJson(entry.aousd) === canonicalJson(golden ?? null) &&
			canonicalJson(entry.ours) === canonicalJson(ours),
	);
	if (listed === undefined) return false;
	const places = [path.toString(), path.parent?.toString()];
	return layer.report.toArray().some((one) => one.code === listed.code && places.includes(one.prim));
}
