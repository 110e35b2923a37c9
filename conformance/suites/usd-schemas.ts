import { existsSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { Report } from '@manyworlds/core';
import { SchemaRegistry, type Value } from '@manyworlds/usd';
import type { PrimDefinition, PropertyDefinition, SchemaClass, SchemaKind } from '@manyworlds/usd/internal';
import { encodeValue } from '../src/dump-value.ts';
import { caseName, readBytes, readJson, walkFiles } from '../src/files.ts';
import { isObject, type Json, type JsonObject, jsonDifferences } from '../src/json.ts';
import type { Case, Outcome, Suite, SuiteContext } from '../src/suite.ts';
import { describe, loadClean } from '../src/usd-io.ts';

/** Our schema tables against what OpenUSD says about its schemas, and against the schema files of libraries. */
export const usdSchemas: Suite = {
	name: 'usd/schemas',
	description: 'schemas.json[.gz] of the oracle, and folders with generatedSchema.usda and plugInfo.json',
	defaultDir: '.',
	groups: [
		{
			name: 'definitions',
			description:
				'every schema of a schemas.json: kind, version, bases, built-in schemas, properties with type, variability, ' +
				'fallback and tokens; schema files below its folder are registered first',
			tolerance: 'exact',
			timeLimit: 10,
			*cases(context: SuiteContext): Generator<Case> {
				for (const path of walkFiles(context.dir)) {
					if (/^schemas\.json(\.gz)?$/.test(basename(path))) yield* definitionCases(path, context);
				}
			},
		},
		{
			name: 'files',
			description:
				'every class of a generatedSchema.usda, registered, against our tables: order of properties, fallbacks and ' +
				'metadata too, but for names and documentation meant for display',
			tolerance: 'exact',
			timeLimit: 10,
			cases: fileCases,
		},
		{
			name: 'stages',
			description:
				'every prim of a stage dump: the schemas that OpenUSD applies, and the built-in properties where the dump has them',
			tolerance: 'exact',
			timeLimit: 30,
			*cases(context: SuiteContext): Generator<Case> {
				for (const path of walkFiles(context.dir)) {
					if (STAGE_DUMP.test(basename(path))) yield { name: caseName(context.dir, path), run: () => checkStage(path) };
				}
			},
		},
	],
};

const KINDS: Readonly<Record<SchemaKind, string>> = {
	abstractBase: 'base',
	abstractTyped: 'abstract',
	concreteTyped: 'concrete',
	nonAppliedAPI: 'nonApplied',
	singleApplyAPI: 'single',
	multipleApplyAPI: 'multiple',
};

const STAGE_DUMP = /^expected(_unloaded)?\.json(\.gz)?$|\.usd[acz]?\.json(\.gz)?$/;

function* definitionCases(path: string, context: SuiteContext): Generator<Case> {
	const json = readJson(path);
	const schemas = isObject(json) ? json['schemas'] : undefined;
	if (!isObject(json) || !isObject(schemas)) throw new TypeError(`${path} has no object 'schemas'`);
	const registry = registerAll(schemaFolders(dirname(path)));
	const name = caseName(context.dir, path);
	yield { name: `${name}: fields`, run: () => unknownKeys(json, ['autoApply', 'oracle', 'schemas']) };
	yield { name: `${name}: autoApply`, run: () => differences(autoApplyOf(registry, schemas), json['autoApply'] ?? {}) };
	for (const [identifier, expected] of Object.entries(schemas)) {
		yield { name: `${name}: ${identifier}`, run: () => differences(describeSchema(registry, identifier), expected) };
	}
	yield {
		name: `${name}: no others`,
		run: () => {
			// the root of all schemas is not among the types that derive from it
			const ours = [...SchemaRegistry.openUsd.classes()].filter(({ bases }) => bases.length > 0);
			const extra = ours.filter(({ identifier }) => !Object.hasOwn(schemas, identifier));
			return extra.length === 0 ? undefined : `not there: ${extra.map(({ identifier }) => identifier).join(', ')}`;
		},
	};
}

/** A schema as `usd_schemas.py` of the oracle describes it. */
function describeSchema(registry: SchemaRegistry, identifier: string): Json {
	const schema = registry.find(identifier);
	if (schema === undefined) return null;
	const bases = schema.bases.map((base) => registry.find(base)?.typeName ?? base);
	const out: { [key: string]: Json } = {
		kind: KINDS[schema.kind],
		family: schema.family,
		version: schema.version,
		bases,
	};
	const definition = registry.definitionOf(identifier);
	if (definition !== undefined && schema.kind !== 'abstractTyped') {
		out['builtinAPISchemas'] = definition.appliedSchemas;
		out['properties'] = describeProperties(definition, true);
	}
	if (registry.isAppliedSchema(identifier)) out['canOnlyApplyTo'] = registry.canOnlyApplyTo(identifier);
	return out;
}

/** Compares what each prim of a stage has by definition. Only the schemas of OpenUSD were known to the oracle. */
function checkStage(path: string): Outcome {
	const dump = readJson(path);
	const prims = isObject(dump) ? dump['prims'] : undefined;
	if (!isObject(dump) || !Array.isArray(prims)) return { excluded: 'no stage dump' };
	const definitions = isObject(dump['definitions']) ? dump['definitions'] : undefined;
	const seen = new Set<string>();
	for (const prim of prims as readonly JsonObject[]) {
		const authored = isObject(prim['apiSchemas']) ? (prim['apiSchemas']['explicit'] as readonly string[]) : [];
		const typeName = prim['typeName'] as string;
		const key = [typeName, ...authored].join('\n');
		if (seen.has(key)) continue;
		seen.add(key);
		const applied = (prim['appliedSchemas'] ?? []) as readonly string[];
		let definition = SchemaRegistry.openUsd.primDefinition(typeName, authored);
		if (applied.some((name) => !definition.appliedSchemas.includes(name))) {
			// OpenUSD loses weaker items of the field behind `add`, but applies them: the list must then agree with itself
			definition = SchemaRegistry.openUsd.primDefinition(typeName, applied);
		}
		const actual: { [key: string]: Json } = { appliedSchemas: definition.appliedSchemas };
		const expected: { [key: string]: Json } = { appliedSchemas: applied };
		if (definitions !== undefined) {
			actual['properties'] = describeProperties(definition, false);
			const name = prim['definition'];
			expected['properties'] = typeof name === 'string' ? (definitions[name] ?? {}) : {};
		}
		const problem = differences(actual, expected);
		if (problem !== undefined) return `${prim['path']}: ${problem}`;
	}
	return undefined;
}

/** Stage dumps do not have the allowed tokens. */
function describeProperties(definition: PrimDefinition, withTokens: boolean): Json {
	const properties: { [name: string]: Json } = {};
	for (const property of definition.properties()) properties[property.name] = describeProperty(property, withTokens);
	return properties;
}

function describeProperty(property: PropertyDefinition, withTokens: boolean): Json {
	if (property.kind === 'relationship') return { relationship: true };
	const { fallback } = property;
	const tokens = withTokens ? (property.allowedTokens ?? []) : [];
	return {
		type: property.typeName,
		variability: property.variability === 'uniform' ? 'Uniform' : 'Varying',
		fallback: fallback === undefined ? null : withResolved(encodeValue(fallback)),
		...(tokens.length === 0 ? {} : { allowedTokens: tokens }),
	};
}

/** The oracle adds to an asset what it resolves to: nothing, as no file is there. */
function withResolved(value: Json): Json {
	if (Array.isArray(value)) return value.map(withResolved);
	return isObject(value) && 'asset' in value ? { ...value, resolved: null } : value;
}

function autoApplyOf(registry: SchemaRegistry, schemas: JsonObject): Json {
	const known = [...registry.autoApplyTargets].filter(([name]) => Object.hasOwn(schemas, name.split(':')[0]!));
	return Object.fromEntries(known);
}

function* fileCases(context: SuiteContext): Generator<Case> {
	for (const folder of schemaFolders(context.dir)) {
		// one library at a time, so that a difference shows up once and not in all that builds on it
		const registry = register(SchemaRegistry.standard, folder, new Report());
		const name = folderName(folder);
		const own = [...register(new SchemaRegistry(), folder, new Report()).classes()];
		const alien = own.filter(({ identifier }) => SchemaRegistry.standard.find(identifier) === undefined);
		yield { name: `${name}: readable`, run: () => readable(folder, own.length) };
		for (const { identifier } of own) {
			const ours = SchemaRegistry.standard.find(identifier);
			const reason = `no table has '${identifier}'`;
			// one foreign class among known ones is a gap in our tables, a foreign library is not ours to know
			const missing = alien.length === own.length ? { skipped: reason } : reason;
			const run = (): Outcome =>
				ours === undefined ? missing : checkClass(registry, registry.find(identifier)!, ours);
			yield { name: `${name}: ${identifier}`, run };
		}
	}
}

/** Whether every class and type of a folder could be taken. */
function readable(folder: string, count: number): Outcome {
	const report = new Report();
	register(SchemaRegistry.standard, folder, report);
	const complaint = report.toArray().find(({ code }) => code === 'SCH001');
	if (complaint !== undefined) return describe(complaint);
	return count > 0 ? undefined : 'no schema found';
}

function checkClass(registry: SchemaRegistry, actual: SchemaClass, ours: SchemaClass): Outcome {
	const expected = describeClass(registry, actual);
	return differences(describeClass(SchemaRegistry.standard, ours), expected);
}

/** Everything that a class says, and the definition that comes of it. */
function describeClass(registry: SchemaRegistry, schema: SchemaClass): Json {
	const definition = registry.definitionOf(schema.identifier);
	return {
		kind: schema.kind,
		typeName: schema.typeName,
		bases: schema.bases.map((base) => registry.find(base)?.typeName ?? base),
		builtinSchemas: schema.builtinSchemas,
		autoApplyTo: schema.autoApplyTo,
		canOnlyApplyTo: schema.canOnlyApplyTo,
		allowedInstanceNames: schema.allowedInstanceNames,
		...(definition === undefined ? {} : describeDefinition(definition)),
	};
}

function describeDefinition(definition: PrimDefinition): JsonObject {
	const properties: { [name: string]: Json } = {};
	for (const property of definition.properties()) {
		const metadata: { [field: string]: Json } = {};
		for (const [field, value] of property.metadata) {
			if (field !== 'displayName' && field !== 'documentation') metadata[field] = encodeMetadata(value);
		}
		properties[property.name] = {
			kind: property.kind,
			type: property.typeName,
			variability: property.variability,
			fallback: property.fallback === undefined ? null : encodeValue(property.fallback),
			metadata,
		};
	}
	return { appliedSchemas: definition.appliedSchemas, order: definition.propertyNames, properties };
}

function encodeMetadata(value: Value): Json {
	if (!(value.data instanceof Map)) return { type: value.type.name, value: encodeValue(value) };
	const entries = [...(value.data as ReadonlyMap<string, Value>)].map(([key, entry]) => [key, encodeMetadata(entry)]);
	return Object.fromEntries(entries) as JsonObject;
}

/** The last two parts of a path: the same wherever a run starts. */
function folderName(folder: string): string {
	return `${basename(dirname(folder))}/${basename(folder)}`;
}

/** Folders that hold both files of a schema library, in the order of their paths. */
function schemaFolders(dir: string): string[] {
	const folders: string[] = [];
	for (const path of walkFiles(dir)) {
		if (basename(path) === 'generatedSchema.usda' && existsSync(join(dirname(path), 'plugInfo.json'))) {
			folders.push(dirname(path));
		}
	}
	return folders;
}

function registerAll(folders: readonly string[]): SchemaRegistry {
	let registry = SchemaRegistry.standard;
	for (const folder of folders) registry = register(registry, folder, new Report());
	return registry;
}

function register(registry: SchemaRegistry, folder: string, report: Report): SchemaRegistry {
	const file = join(folder, 'generatedSchema.usda');
	const plugInfo = readJson(join(folder, 'plugInfo.json'));
	return registry.registerSchemaLayer(loadClean(readBytes(file), file), { plugInfo, file, report });
}

function unknownKeys(json: JsonObject, known: readonly string[]): Outcome {
	const unknown = Object.keys(json).filter((key) => !known.includes(key));
	return unknown.length === 0 ? undefined : `unknown fields: ${unknown.join(', ')}`;
}

function differences(actual: Json, expected: Json): Outcome {
	const lines = jsonDifferences(actual, expected);
	return lines.length === 0 ? undefined : lines.join('; ');
}
