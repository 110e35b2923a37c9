import { isObject, type Json, type JsonObject, jsonDifferences, shortJson } from './json.ts';
import type { LayerDump, SpecDump } from './layer-dump.ts';

/** How two layers are compared. */
export interface DumpComparison {
	/**
	 * Whether properties, variant sets and variants must be in the same order. The text writer sorts them by name, so
	 * layers that went through text are compared without.
	 */
	readonly order: 'stored' | 'any';
	/** Most differences to report. */
	readonly limit: number;
}

/** Stored order, five differences. */
export const DUMP_COMPARISON: DumpComparison = { order: 'stored', limit: 5 };

const SORTED_CHILDREN: readonly string[] = ['properties', 'variantSetChildren', 'variantChildren'];
const SPEC_KEYS: readonly string[] = ['path', 'spec', 'primChildren', ...SORTED_CHILDREN, 'fields'];

/** Lines about the differences between two layers, spec by spec and field by field; exact. */
export function compareDumps(actual: LayerDump, expected: LayerDump, options: Partial<DumpComparison> = {}): string[] {
	const { order, limit } = { ...DUMP_COMPARISON, ...options };
	const ours = byPath(actual);
	const theirs = byPath(expected);
	const out: string[] = [];
	for (const path of new Set([...theirs.keys(), ...ours.keys()])) {
		if (out.length >= limit) break;
		const a = ours.get(path);
		const b = theirs.get(path);
		if (a === undefined) out.push(`${path}: missing, expected ${b!.spec}`);
		else if (b === undefined) out.push(`${path}: ${a.spec}, expected no spec`);
		else out.push(...jsonDifferences(comparable(a, order), comparable(b, order), path, limit - out.length));
	}
	return out;
}

/**
 * The dump that a golden file holds. Anything that is not of the layer form, such as an unknown key or two specs at one
 * path, throws: a comparison must not pass by overlooking something.
 */
export function parseLayerDump(json: unknown): LayerDump {
	if (!isObject(json) || !Array.isArray(json['specs'])) throw new TypeError('not a layer dump: no list of specs');
	for (const key of Object.keys(json)) {
		if (!['oracle', 'layer', 'specs'].includes(key)) throw new TypeError(`layer dump: unknown key '${key}'`);
	}
	const seen = new Set<string>();
	for (const spec of json['specs'] as Json[]) {
		if (!isObject(spec) || typeof spec['path'] !== 'string' || typeof spec['spec'] !== 'string') {
			throw new TypeError(`layer dump: ${shortJson(spec)} is not a spec`);
		}
		for (const key of Object.keys(spec)) {
			if (!SPEC_KEYS.includes(key)) throw new TypeError(`layer dump: unknown key '${key}' in ${spec['path']}`);
		}
		if (seen.has(spec['path'])) throw new TypeError(`layer dump: two specs at ${spec['path']}`);
		seen.add(spec['path']);
	}
	return json as unknown as LayerDump;
}

/** Whether parsed JSON looks like a layer dump. */
export function isLayerDump(json: unknown): boolean {
	return isObject(json) && Array.isArray(json['specs']);
}

function byPath(dump: LayerDump): Map<string, SpecDump> {
	return new Map(dump.specs.map((spec) => [spec.path, spec]));
}

function comparable(spec: SpecDump, order: DumpComparison['order']): JsonObject {
	const json = spec as unknown as JsonObject;
	if (order === 'stored') return json;
	const out: Record<string, Json> = { ...json };
	for (const key of SORTED_CHILDREN) {
		const names = out[key];
		if (Array.isArray(names)) out[key] = [...names].sort();
	}
	return out;
}
