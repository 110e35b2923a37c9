import { Report } from '@manyworlds/core';
import { createDiagnostic } from '../diagnostics.ts';
import { isChildrenField } from '../sdf/children.ts';
import type { LayerData } from '../sdf/layer-data.ts';
import { Path } from '../sdf/path.ts';
import { SpecType } from '../sdf/spec-type.ts';
import { type Dictionary, dataOf, type Value } from '../sdf/value.ts';
import { T } from '../sdf/value-type.ts';
import { type PlugInfoType, readPlugInfo } from './plug-info.ts';
import { PropertyDefinition } from './property-definition.ts';
import type { SchemaClass, SchemaContent, SchemaKind } from './schema-class.ts';
import { INSTANCE_NAME_PLACEHOLDER, isNameTemplate, parseSchemaIdentifier } from './schema-identifier.ts';
import { type SchemaFile, schemaLocator } from './schema-locations.ts';

/** Options of {@link readSchemaLayer}. */
export interface SchemaLayerOptions extends SchemaFile {
	/** Text of the plugInfo.json, or what a JSON parser made of it. Without it the layer alone says what it can. */
	readonly plugInfo?: unknown;
	/** Name of the library, if plugInfo.json does not say it. */
	readonly library?: string;
	readonly report?: Report;
}

/** The schemas of a file. */
export interface LayerSchemas {
	readonly classes: readonly SchemaClass[];
	readonly autoApply: ReadonlyMap<string, readonly string[]>;
	readonly fallbackPrimTypes: ReadonlyMap<string, readonly string[]>;
}

/**
 * Reads the schemas that a layer declares, one class prim each: a `generatedSchema.usda`, whose classes repeat what they
 * inherit, or a `schema.usda`, whose classes name their bases by `inherits` and their kinds by customData.
 *
 * @param identifierOf - identifier of a type known elsewhere by its type name
 */
export function readSchemaLayer(
	data: LayerData,
	options: SchemaLayerOptions = {},
	identifierOf: (typeName: string) => string | undefined = () => undefined,
): LayerSchemas {
	const report = options.report ?? new Report();
	const locate = schemaLocator(data, options);
	const add = (message: string, prim?: Path): void => report.add(createDiagnostic('SCH001', message, locate(prim)));
	const plugInfo = options.plugInfo === undefined ? undefined : readPlugInfo(options.plugInfo, options.file, report);
	const library = options.library ?? plugInfo?.library ?? '';
	const byTypeName = new Map<string, string>();
	for (const type of plugInfo?.types.values() ?? []) byTypeName.set(type.typeName, type.identifier);

	const classes: SchemaClass[] = [];
	for (const name of dataOf(data.field(Path.root, 'primChildren'), T.tokenVector) ?? []) {
		const prim = Path.root.appendChild(name);
		// an `over` holds settings of the schema generator
		if (dataOf(data.field(prim, 'specifier'), T.specifier) === 'over') continue;
		const type = plugInfo?.types.get(name) ?? (plugInfo === undefined ? describe(data, prim) : undefined);
		if (type === undefined) {
			add(`class '${name}' has no type in plugInfo.json`, prim);
			continue;
		}
		classes.push(makeClass(data, prim, type, library, (base) => byTypeName.get(base) ?? identifierOf(base) ?? base));
	}
	for (const type of plugInfo?.types.values() ?? []) {
		if (classes.some(({ identifier }) => identifier === type.identifier)) continue;
		// these kinds need no prim
		if (type.kind === 'abstractBase' || type.kind === 'nonAppliedAPI') {
			classes.push(
				makeClass(data, undefined, type, library, (base) => byTypeName.get(base) ?? identifierOf(base) ?? base),
			);
		} else add(`type '${type.typeName}' has no class '${type.identifier}' in the layer`);
	}
	return { classes, autoApply: plugInfo?.autoApply ?? new Map(), fallbackPrimTypes: readFallbackTypes(data) };
}

/** Fields that say what a spec is, and fields that cannot have fallbacks (UsdSchemaRegistry::IsDisallowedField). */
const NO_METADATA_FIELDS: ReadonlySet<string> = new Set([
	...['active', 'instanceable', 'kind', 'specifier', 'customData', 'custom'],
	...['inheritPaths', 'payload', 'references', 'specializes', 'variantSelection', 'variantSetNames'],
	...['typeName', 'apiSchemas', 'variability', 'default', 'timeSamples', 'spline', 'connectionPaths', 'targetPaths'],
	...['clips', 'clipSets', 'clipAssetPaths', 'clipPrimPath', 'clipActive', 'clipTimes', 'clipManifestAssetPath'],
	...['clipTemplateAssetPath', 'clipTemplateStartTime', 'clipTemplateEndTime', 'clipTemplateStride'],
	...['clipTemplateActiveOffset'],
]);
const NONE: readonly string[] = Object.freeze([]);

function makeClass(
	data: LayerData,
	prim: Path | undefined,
	type: PlugInfoType,
	library: string,
	resolveBase: (name: string) => string,
): SchemaClass {
	const custom = prim === undefined ? undefined : customDataOf(data, prim);
	const isSource = prim !== undefined && data.field(prim, 'inheritPaths') !== undefined;
	const isMultiple = type.kind === 'multipleApplyAPI';
	const builtins =
		prim === undefined ? NONE : (dataOf(data.field(prim, 'apiSchemas'), T.tokenListOp)?.apply([]) ?? NONE);
	const prefix = isSource && isMultiple ? (textOf(custom?.get('propertyNamespacePrefix')) ?? '') : undefined;
	let content: SchemaContent | undefined;
	return {
		identifier: type.identifier,
		...parseSchemaIdentifier(type.identifier),
		kind: type.kind,
		typeName: type.typeName,
		bases: type.bases.map(resolveBase),
		library,
		builtinSchemas: prefix === undefined ? builtins : builtins.map(toTemplate),
		autoApplyTo: type.autoApplyTo,
		canOnlyApplyTo: type.canOnlyApplyTo,
		instanceCanOnlyApplyTo: type.instanceCanOnlyApplyTo,
		allowedInstanceNames: type.allowedInstanceNames,
		isFlattened: !isSource,
		content: () => {
			content ??= readContent(data, prim, type.identifier, custom, prefix);
			return content;
		},
	};
}

function readContent(
	data: LayerData,
	prim: Path | undefined,
	schema: string,
	custom: Dictionary | undefined,
	prefix: string | undefined,
): SchemaContent {
	const properties: PropertyDefinition[] = [];
	const overrides = new Set(dataOf(custom?.get('apiSchemaOverridePropertyNames'), T.token.array) ?? NONE);
	const names = prim === undefined ? NONE : (dataOf(data.field(prim, 'properties'), T.tokenVector) ?? NONE);
	for (const name of names) {
		const path = prim!.appendProperty(name);
		const spec = data.specType(path);
		if (spec !== SpecType.attribute && spec !== SpecType.relationship) continue;
		const fullName = prefix === undefined ? name : templateName(prefix, name);
		const isAttribute = spec === SpecType.attribute;
		const variability = dataOf(data.field(path, 'variability'), T.variability);
		properties.push(
			new PropertyDefinition({
				name: fullName,
				kind: isAttribute ? 'attribute' : 'relationship',
				typeName: isAttribute ? (dataOf(data.field(path, 'typeName'), T.token) ?? '') : '',
				variability: variability ?? (isAttribute ? 'varying' : 'uniform'),
				readFallback: isAttribute ? () => data.field(path, 'default') : undefined,
				metadata: readMetadata(data, path),
				schema,
			}),
		);
		if (dataOf(customDataOf(data, path)?.get('apiSchemaOverride'), T.bool)) overrides.add(fullName);
	}
	return { properties, overrides, metadata: prim === undefined ? new Map() : readMetadata(data, prim) };
}

function readMetadata(data: LayerData, path: Path): ReadonlyMap<string, Value> {
	const metadata = new Map<string, Value>();
	for (const field of data.fieldNames(path)) {
		if (NO_METADATA_FIELDS.has(field) || isChildrenField(field)) continue;
		const value = data.field(path, field);
		if (value !== undefined) metadata.set(field, value);
	}
	return metadata;
}

/** What a class prim says about itself when there is no plugInfo.json. */
function describe(data: LayerData, prim: Path): PlugInfoType {
	const custom = customDataOf(data, prim);
	const identifier = prim.name;
	const inherited = dataOf(data.field(prim, 'inheritPaths'), T.pathListOp)?.apply([])[0];
	const kind = kindOf(data, prim, custom);
	const isApi = kind.endsWith('API');
	const instances = new Map<string, readonly string[]>();
	for (const [name, value] of dataOf(custom?.get('apiSchemaInstances'), T.dictionary) ?? []) {
		const types = textsOf(dataOf(value, T.dictionary)?.get('apiSchemaCanOnlyApplyTo'));
		if (types.length > 0) instances.set(name, types);
	}
	return {
		typeName: identifier,
		identifier,
		kind,
		bases:
			inherited !== undefined ? [inherited.name] : kind === 'abstractBase' ? [] : [isApi ? 'APISchemaBase' : 'Typed'],
		autoApplyTo: textsOf(custom?.get('apiSchemaAutoApplyTo')),
		canOnlyApplyTo: textsOf(custom?.get('apiSchemaCanOnlyApplyTo')),
		instanceCanOnlyApplyTo: instances,
		allowedInstanceNames: textsOf(custom?.get('apiSchemaAllowedInstanceNames')),
	};
}

function kindOf(data: LayerData, prim: Path, custom: Dictionary | undefined): SchemaKind {
	if (prim.name === 'Typed' || prim.name === 'APISchemaBase') return 'abstractBase';
	if ((dataOf(data.field(prim, 'typeName'), T.token) ?? '') !== '') return 'concreteTyped';
	// schema generators accept API classes only with names that end so
	if (!parseSchemaIdentifier(prim.name).family.endsWith('API')) return 'abstractTyped';
	switch (textOf(custom?.get('apiSchemaType'))) {
		case 'nonApplied':
			return 'nonAppliedAPI';
		case 'singleApply':
			return 'singleApplyAPI';
		case 'multipleApply':
			return 'multipleApplyAPI';
	}
	const properties = dataOf(data.field(prim, 'properties'), T.tokenVector) ?? NONE;
	const builtins = dataOf(data.field(prim, 'apiSchemas'), T.tokenListOp)?.apply([]) ?? NONE;
	return properties.some(isNameTemplate) || builtins.some(isNameTemplate) ? 'multipleApplyAPI' : 'singleApplyAPI';
}

function readFallbackTypes(data: LayerData): ReadonlyMap<string, readonly string[]> {
	const result = new Map<string, readonly string[]>();
	for (const [name, value] of dataOf(data.field(Path.root, 'fallbackPrimTypes'), T.dictionary) ?? []) {
		const types = dataOf(value, T.token.array);
		if (types !== undefined) result.set(name, types);
	}
	return result;
}

function customDataOf(data: LayerData, path: Path): Dictionary | undefined {
	return dataOf(data.field(path, 'customData'), T.dictionary);
}

/** A property of a `schema.usda` as the template that the generator makes of it. */
function templateName(prefix: string, name: string): string {
	if (isNameTemplate(name)) return name.startsWith(`${prefix}:`) || prefix === '' ? name : `${prefix}:${name}`;
	return `${prefix === '' ? '' : `${prefix}:`}${INSTANCE_NAME_PLACEHOLDER}:${name}`;
}

/** A built-in schema of a multiple-apply schema: `OtherAPI:inner` has its instances inside those of the owner. */
function toTemplate(name: string): string {
	if (isNameTemplate(name)) return name;
	const colon = name.indexOf(':');
	if (colon < 0) return `${name}:${INSTANCE_NAME_PLACEHOLDER}`;
	return `${name.slice(0, colon)}:${INSTANCE_NAME_PLACEHOLDER}${name.slice(colon)}`;
}

function textOf(value: Value | undefined): string | undefined {
	return dataOf(value, T.token) ?? dataOf(value, T.string);
}

function textsOf(value: Value | undefined): readonly string[] {
	return dataOf(value, T.token.array) ?? dataOf(value, T.string.array) ?? NONE;
}
