import { existsSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { T, type ValueType } from '@manyworlds/usd';
import { type FieldDefinition, findValueType, MetadataRegistry, type MetadataSite } from '@manyworlds/usd/internal';
import { readJson } from './files.ts';
import { isObject } from './json.ts';

const SITES: Readonly<Record<string, readonly MetadataSite[]>> = {
	layers: ['layer'],
	prims: ['prim'],
	variants: ['prim'],
	properties: ['attribute', 'relationship'],
	attributes: ['attribute'],
	relationships: ['relationship'],
};
const LIST_OPS: Readonly<Record<string, ValueType>> = Object.fromEntries(
	[T.intListOp, T.int64ListOp, T.uintListOp, T.uint64ListOp, T.stringListOp, T.tokenListOp].map((type) => [
		type.name.toLowerCase(),
		type as ValueType,
	]),
);

/**
 * The standard registry with the metadata that the `plugInfo.json` of a folder registers under `SdfMetadata`:
 * `{"name": {"type": "intlistop", "appliesTo": "prims"}}`. A type nobody knows throws.
 */
export function registryOf(folder: string): MetadataRegistry {
	const path = plugInfoOf(folder);
	if (path === undefined) return MetadataRegistry.standard;
	const fields: FieldDefinition[] = [];
	const json = readJson(path);
	const plugins = isObject(json) && Array.isArray(json['Plugins']) ? json['Plugins'] : [];
	for (const plugin of plugins) {
		const info = isObject(plugin) && isObject(plugin['Info']) ? plugin['Info'] : {};
		const metadata = isObject(info['SdfMetadata']) ? info['SdfMetadata'] : {};
		for (const [name, entry] of Object.entries(metadata)) fields.push(definition(name, entry));
	}
	return MetadataRegistry.standard.extend(fields);
}

/** The `plugInfo.json` that counts for the layers of a folder: its own, or for a folder `baseline` the one beside it. */
export function plugInfoOf(folder: string): string | undefined {
	const dir = basename(folder) === 'baseline' ? dirname(folder) : folder;
	const path = join(dir, 'plugInfo.json');
	return existsSync(path) ? path : undefined;
}

function definition(name: string, entry: unknown): FieldDefinition {
	const typeName = isObject(entry) ? String(entry['type']) : '';
	const type = LIST_OPS[typeName] ?? findValueType(typeName);
	if (type === undefined) throw new TypeError(`plugInfo.json: metadata '${name}' has the unknown type '${typeName}'`);
	const applies = isObject(entry) ? entry['appliesTo'] : undefined;
	const words = Array.isArray(applies)
		? applies.map(String)
		: typeof applies === 'string'
			? [applies]
			: Object.keys(SITES);
	return { name, type, sites: [...new Set(words.flatMap((word) => SITES[word] ?? []))] };
}
