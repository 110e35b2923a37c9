import { InternalError } from '@manyworlds/core';
import { findAttributeType } from '../sdf/attribute-type.ts';
import { type Dictionary, makeValue, type Value } from '../sdf/value.ts';
import { T, type ValueType } from '../sdf/value-type.ts';
import { parseFallback } from './fallback-text.ts';
import { PropertyDefinition } from './property-definition.ts';
import type { SchemaClass, SchemaContent, SchemaKind } from './schema-class.ts';
import { INSTANCE_NAME_PLACEHOLDER, parseSchemaIdentifier } from './schema-identifier.ts';
import type { SchemaLibrary } from './schema-library.ts';

/** The classes of a library. Only their headings are read; properties are when they are asked for. */
export function* readSchemaTable(library: SchemaLibrary): Generator<SchemaClass> {
	const { table } = library;
	for (let start = nextClass(table, 0); start < table.length; ) {
		const headingEnd = lineEnd(table, start);
		const end = nextClass(table, headingEnd);
		yield readClass(library, table.slice(start, headingEnd), headingEnd + 1, end);
		start = end;
	}
}

const KINDS: Readonly<Record<string, SchemaKind>> = {
	concrete: 'concreteTyped',
	abstract: 'abstractTyped',
	base: 'abstractBase',
	nonApplied: 'nonAppliedAPI',
	single: 'singleApplyAPI',
	multiple: 'multipleApplyAPI',
};
const NONE: readonly string[] = Object.freeze([]);
const NO_INSTANCES: ReadonlyMap<string, readonly string[]> = new Map();

/** Start of the next line that does not begin with a tab. */
function nextClass(table: string, from: number): number {
	let at = from;
	while (at < table.length && (table[at] === '\t' || table[at] === '\n')) at = lineEnd(table, at) + 1;
	return Math.min(at, table.length);
}

function lineEnd(table: string, from: number): number {
	const end = table.indexOf('\n', from);
	return end < 0 ? table.length : end;
}

function readClass(library: SchemaLibrary, heading: string, bodyStart: number, bodyEnd: number): SchemaClass {
	const [word = '', identifier = '', ...rest] = heading.split(' ');
	const kind = KINDS[word];
	if (kind === undefined || identifier === '') throw new InternalError(`schema table: heading '${heading}'`);
	const isApi = kind.endsWith('API');
	let base = isApi ? 'APISchemaBase' : 'Typed';
	const prefix = library.identifierPrefix;
	let typeName = library.typePrefix + (identifier.startsWith(prefix) ? identifier.slice(prefix.length) : identifier);
	const lists: Record<string, string[]> = { ':': [], '+': [], on: [], auto: [], names: [] };
	let list: string[] | undefined;
	for (const part of rest) {
		if (part.startsWith('@')) typeName = part.slice(1);
		else if (Object.hasOwn(lists, part)) list = lists[part];
		else if (list === undefined) throw new InternalError(`schema table: '${part}' in heading '${heading}'`);
		else list.push(part.replace('{}', INSTANCE_NAME_PLACEHOLDER));
	}
	base = lists[':']![0] ?? base;
	let content: SchemaContent | undefined;
	return {
		identifier,
		...parseSchemaIdentifier(identifier),
		kind,
		typeName,
		bases: base === '-' ? NONE : [base],
		library: library.name,
		builtinSchemas: lists['+']!,
		autoApplyTo: lists['auto']!,
		canOnlyApplyTo: lists['on']!,
		instanceCanOnlyApplyTo: NO_INSTANCES,
		allowedInstanceNames: lists['names']!,
		isFlattened: false,
		content: () => {
			content ??= readContent(library.table.slice(bodyStart, bodyEnd), identifier);
			return content;
		},
	};
}

function readContent(body: string, schema: string): SchemaContent {
	const properties: PropertyDefinition[] = [];
	const overrides = new Set<string>();
	for (const line of body.split('\n')) {
		if (line === '') continue;
		const match = PROPERTY.exec(line);
		if (match === null) throw new InternalError(`schema table: property '${line}' of ${schema}`);
		const property = readProperty(match, schema);
		properties.push(property);
		if (match[1] !== undefined) overrides.add(property.name);
	}
	return { properties, overrides, metadata: NO_METADATA };
}

/** override, uniform, type, name, fallback, allowed tokens, notes */
const PROPERTY = /^\t(override )?(uniform )?(\S+) (\S+)(?: = (.+?))?(?: <([^>]*)>)?(?: \| (.+))?$/;
const NOTE = /(\w+)(?:=("[^"]*"|\S+))?/g;
const LIMITS = /^([^.]*(?:\.\d+)?)\.\.(.*)$/;
const NO_METADATA: ReadonlyMap<string, Value> = new Map();

function readProperty(match: RegExpExecArray, schema: string): PropertyDefinition {
	const [, , uniform, typeName = '', template = '', fallback, tokens, notes] = match;
	const name = template.replace('{}', INSTANCE_NAME_PLACEHOLDER);
	const isRelationship = typeName === 'rel';
	const type = isRelationship ? undefined : findAttributeType(typeName)?.valueType;
	if (fallback !== undefined && type === undefined) {
		throw new InternalError(`schema table: a fallback for '${name}' of ${schema}, which is a ${typeName}`);
	}
	return new PropertyDefinition({
		name,
		kind: isRelationship ? 'relationship' : 'attribute',
		typeName: isRelationship ? '' : typeName,
		// relationships are always uniform
		variability: isRelationship || uniform !== undefined ? 'uniform' : 'varying',
		readFallback: fallback === undefined ? undefined : () => parseFallback(fallback, type!),
		metadata: tokens === undefined && notes === undefined ? NO_METADATA : readMetadata(tokens, notes, type),
		schema,
	});
}

function readMetadata(
	tokens: string | undefined,
	notes: string | undefined,
	type: ValueType | undefined,
): ReadonlyMap<string, Value> {
	const metadata = new Map<string, Value>();
	if (tokens !== undefined) metadata.set('allowedTokens', makeValue(T.token.array, tokenList(tokens)) as Value);
	const limits = new Map<string, Value>();
	for (const [, key, value = ''] of notes?.matchAll(NOTE) ?? []) {
		switch (key) {
			case 'group':
				metadata.set('displayGroup', makeValue(T.string, value.slice(1, -1)) as Value);
				break;
			case 'size':
				metadata.set('arraySizeConstraint', makeValue(T.int64, BigInt(value)) as Value);
				break;
			case 'hidden':
				metadata.set('hidden', makeValue(T.bool, true) as Value);
				break;
			case 'hard':
			case 'soft':
				limits.set(key, makeValue(T.dictionary, readLimits(value, type!)) as Value);
				break;
			default:
				throw new InternalError(`schema table: note '${key}'`);
		}
	}
	if (limits.size > 0) metadata.set('limits', makeValue(T.dictionary, limits) as Value);
	return metadata;
}

function tokenList(text: string): string[] {
	return Array.from(text.matchAll(/"[^"]*"|\S+/g), ([token]) => (token.startsWith('"') ? token.slice(1, -1) : token));
}

function readLimits(text: string, type: ValueType): Dictionary {
	const [, minimum = '', maximum = ''] = LIMITS.exec(text) ?? [];
	const entries = new Map<string, Value>();
	if (maximum !== '') entries.set('maximum', parseFallback(maximum, type.element));
	if (minimum !== '') entries.set('minimum', parseFallback(minimum, type.element));
	if (entries.size === 0) throw new InternalError(`schema table: limits '${text}'`);
	return entries;
}
