import type { Report } from '@manyworlds/core';
import { createDiagnostic } from '../diagnostics.ts';
import type { SchemaKind } from './schema-class.ts';

/** What a plugInfo.json says about one schema type. */
export interface PlugInfoType {
	readonly typeName: string;
	readonly identifier: string;
	readonly kind: SchemaKind;
	readonly bases: readonly string[];
	readonly autoApplyTo: readonly string[];
	readonly canOnlyApplyTo: readonly string[];
	readonly instanceCanOnlyApplyTo: ReadonlyMap<string, readonly string[]>;
	readonly allowedInstanceNames: readonly string[];
}

/** The part of a plugInfo.json that declares schemas. */
export interface PlugInfo {
	/** Name of the first plugin that declares a schema. */
	readonly library: string | undefined;
	/** By identifier. */
	readonly types: ReadonlyMap<string, PlugInfoType>;
	readonly autoApply: ReadonlyMap<string, readonly string[]>;
}

/**
 * Reads the schema types of a plugInfo.json: its text, where lines that start with `#` are comments, or what a JSON
 * parser made of it. Anything that is not as it should be is reported and left out.
 */
export function readPlugInfo(source: unknown, file: string | undefined, report: Report): PlugInfo {
	const add = (message: string): void =>
		report.add(createDiagnostic('SCH001', message, file === undefined ? {} : { file }));
	const root = typeof source === 'string' ? parseJson(source, add) : source;
	const types = new Map<string, PlugInfoType>();
	const autoApply = new Map<string, readonly string[]>();
	let library: string | undefined;
	const plugins = isObject(root) ? root['Plugins'] : undefined;
	if (root !== undefined && !Array.isArray(plugins)) add("plugInfo.json has no list 'Plugins'");
	for (const plugin of Array.isArray(plugins) ? plugins : []) {
		const info = isObject(plugin) && isObject(plugin['Info']) ? plugin['Info'] : {};
		for (const [typeName, entry] of entriesOf(info['Types'])) {
			const type = readType(typeName, entry, add);
			if (type === undefined) continue;
			types.set(type.identifier, type);
			if (library === undefined && isObject(plugin) && typeof plugin['Name'] === 'string') library = plugin['Name'];
		}
		for (const [name, entry] of entriesOf(info['AutoApplyAPISchemas'])) {
			const targets = texts(isObject(entry) ? entry['apiSchemaAutoApplyTo'] : undefined);
			if (targets.length > 0) autoApply.set(name, [...(autoApply.get(name) ?? []), ...targets]);
		}
	}
	return { library, types, autoApply };
}

/** The kinds by the names that plugInfo.json has for them. */
const SCHEMA_KINDS: ReadonlySet<string> = new Set<SchemaKind>([
	'abstractBase',
	'abstractTyped',
	'concreteTyped',
	'nonAppliedAPI',
	'singleApplyAPI',
	'multipleApplyAPI',
]);

function readType(typeName: string, entry: unknown, add: (message: string) => void): PlugInfoType | undefined {
	// types of other kinds of plugin have no schemaKind
	if (!isObject(entry) || entry['schemaKind'] === undefined) return undefined;
	const alias = isObject(entry['alias']) ? entry['alias']['UsdSchemaBase'] : undefined;
	const identifier = alias ?? entry['schemaIdentifier'];
	if (typeof identifier !== 'string' || identifier === '') {
		add(`type '${typeName}' has no schema identifier (alias of UsdSchemaBase)`);
		return undefined;
	}
	const kind = entry['schemaKind'];
	if (typeof kind !== 'string' || !SCHEMA_KINDS.has(kind)) {
		add(`type '${typeName}' has the schema kind '${String(kind)}', expected one of ${[...SCHEMA_KINDS].join(', ')}`);
		return undefined;
	}
	const instances = new Map<string, readonly string[]>();
	for (const [name, value] of entriesOf(entry['apiSchemaInstances'])) {
		const types = texts(isObject(value) ? value['apiSchemaCanOnlyApplyTo'] : undefined);
		if (types.length > 0) instances.set(name, types);
	}
	return {
		typeName,
		identifier,
		kind: kind as SchemaKind,
		bases: texts(entry['bases']),
		autoApplyTo: texts(entry['apiSchemaAutoApplyTo']),
		canOnlyApplyTo: texts(entry['apiSchemaCanOnlyApplyTo']),
		instanceCanOnlyApplyTo: instances,
		allowedInstanceNames: texts(entry['apiSchemaAllowedInstanceNames']),
	};
}

function parseJson(text: string, add: (message: string) => void): unknown {
	try {
		return JSON.parse(text.replace(/^\s*#.*$/gm, '')) as unknown;
	} catch (error) {
		add(`plugInfo.json cannot be read: ${error instanceof Error ? error.message : String(error)}`);
		return undefined;
	}
}

type JsonObject = { readonly [key: string]: unknown };

function isObject(value: unknown): value is JsonObject {
	return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function entriesOf(value: unknown): [string, unknown][] {
	return isObject(value) ? Object.entries(value) : [];
}

function texts(value: unknown): readonly string[] {
	return Array.isArray(value) ? value.filter((item): item is string => typeof item === 'string') : [];
}
