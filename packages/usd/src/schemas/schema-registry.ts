import { Report } from '@manyworlds/core';
import { createDiagnostic } from '../diagnostics.ts';
import { compareDictionary } from '../sdf/dictionary-order.ts';
import type { LayerData } from '../sdf/layer-data.ts';
import { Path } from '../sdf/path.ts';
import { DefinitionBuilder } from './definition-builder.ts';
import { DefinitionDraft } from './definition-draft.ts';
import type { PrimDefinition } from './prim-definition.ts';
import { isAppliedKind, type SchemaClass, type SchemaKind } from './schema-class.ts';
import { parseAppliedSchema, templateBaseName } from './schema-identifier.ts';
import { readSchemaLayer, type SchemaLayerOptions } from './schema-layer.ts';
import type { SchemaLibrary } from './schema-library.ts';
import { schemaLocator } from './schema-locations.ts';
import { OPENUSD_LIBRARIES, ROBOT_LIBRARIES } from './standard-libraries.ts';
import { readSchemaTable } from './table-reader.ts';

/** Schemas to register together. */
export interface SchemaSet {
	readonly libraries?: readonly SchemaLibrary[];
	readonly classes?: readonly SchemaClass[];
	/** API schemas that an application applies to types, by identifier, beyond what the schemas themselves say. */
	readonly autoApply?: ReadonlyMap<string, readonly string[]>;
	/** Types to try in place of a type that is not known, by its name. */
	readonly fallbackPrimTypes?: ReadonlyMap<string, readonly string[]>;
}

/**
 * The schemas that are known, and what they give to prims (AOUSD 13). Immutable: registering gives a new registry, so
 * definitions can be kept. Nothing is read before the first question, and of a class only what the question needs.
 */
export class SchemaRegistry {
	static #openUsd: SchemaRegistry | undefined;
	static #standard: SchemaRegistry | undefined;

	readonly #sets: readonly SchemaSet[];
	readonly #builder: DefinitionBuilder;
	readonly #definitions: DefinitionNode = { definition: undefined, children: undefined };
	#index: SchemaIndex | undefined;
	/** Answers of `isA`, by base and schema. */
	readonly #derivations = new Map<string, Map<string, boolean>>();

	constructor(...sets: readonly SchemaSet[]) {
		this.#sets = sets;
		this.#builder = new DefinitionBuilder(this);
	}

	/** The schemas that OpenUSD 26.11 has without plugins: other schemas are unknown, as they are to OpenUSD. */
	static get openUsd(): SchemaRegistry {
		SchemaRegistry.#openUsd ??= new SchemaRegistry({ libraries: OPENUSD_LIBRARIES });
		return SchemaRegistry.#openUsd;
	}

	/** The schemas of OpenUSD and those of Newton, MuJoCo, PhysX and ROS. */
	static get standard(): SchemaRegistry {
		SchemaRegistry.#standard ??= SchemaRegistry.openUsd.extend({ libraries: ROBOT_LIBRARIES });
		return SchemaRegistry.#standard;
	}

	/** This registry with more schemas; an identifier that exists already is replaced. */
	extend(set: SchemaSet): SchemaRegistry {
		return new SchemaRegistry(...this.#sets, set);
	}

	/**
	 * This registry with the schemas of a `generatedSchema.usda` (or a `schema.usda`) and its `plugInfo.json`. What does
	 * not fit goes to `options.report`, and so does every schema that is replaced or cannot be put together.
	 */
	registerSchemaLayer(data: LayerData, options: SchemaLayerOptions = {}): SchemaRegistry {
		const report = options.report ?? new Report();
		const set = readSchemaLayer(data, { ...options, report }, (typeName) => this.findType(typeName)?.identifier);
		const registry = this.extend(set);
		const locate = schemaLocator(data, options);
		for (const { identifier } of set.classes) {
			const place = locate(Path.root.appendChild(identifier));
			const before = this.find(identifier);
			if (before !== undefined) {
				const message = `schema '${identifier}' of ${before.library} is replaced`;
				report.add(createDiagnostic('SCH002', message, place));
			}
			for (const { code, message } of registry.definitionOf(identifier)?.problems ?? []) {
				report.add(createDiagnostic(code, message, place));
			}
		}
		return registry;
	}

	/** The schema with this identifier. */
	find(identifier: string): SchemaClass | undefined {
		return this.#schemas.classes.get(identifier);
	}

	/** The schema whose type has this name: `UsdGeomMesh`. */
	findType(typeName: string): SchemaClass | undefined {
		return this.#schemas.byTypeName.get(typeName);
	}

	/** The schema of a family with this version. */
	findVersion(family: string, version: number): SchemaClass | undefined {
		return this.familyVersions(family).find((schema) => schema.version === version);
	}

	/** All versions of a family, the highest first. */
	familyVersions(family: string): readonly SchemaClass[] {
		return this.#schemas.families.get(family) ?? [];
	}

	/** Every schema, in the order of registration. */
	classes(): IterableIterator<SchemaClass> {
		return this.#schemas.classes.values();
	}

	kindOf(identifier: string): SchemaKind | undefined {
		return this.find(identifier)?.kind;
	}

	isConcrete(identifier: string): boolean {
		return this.kindOf(identifier) === 'concreteTyped';
	}

	isAbstract(identifier: string): boolean {
		const kind = this.kindOf(identifier);
		return kind === 'abstractTyped' || kind === 'abstractBase';
	}

	isAppliedSchema(identifier: string): boolean {
		const kind = this.kindOf(identifier);
		return kind !== undefined && isAppliedKind(kind);
	}

	/** Whether a schema is another one or derives from it. Both must be known. */
	isA(identifier: string, base: string): boolean {
		// names that nobody defines are not remembered: files can have any number of them
		if (this.find(identifier) === undefined || this.find(base) === undefined) return false;
		let known = this.#derivations.get(base);
		if (known === undefined) {
			known = new Map();
			this.#derivations.set(base, known);
		}
		let answer = known.get(identifier);
		if (answer === undefined) {
			answer = this.#derives(identifier, base);
			known.set(identifier, answer);
		}
		return answer;
	}

	#derives(identifier: string, base: string): boolean {
		const queue = [identifier];
		const seen = new Set<string>();
		for (let name = queue.pop(); name !== undefined; name = queue.pop()) {
			const schema = seen.has(name) ? undefined : this.find(name);
			if (schema === undefined) continue;
			if (name === base) return true;
			seen.add(name);
			queue.push(...schema.bases);
		}
		return false;
	}

	/** Every schema that derives from this one, directly or not, in the order of registration. */
	derivedTypes(identifier: string): string[] {
		const found = new Set<string>();
		const queue = [identifier];
		for (let name = queue.pop(); name !== undefined; name = queue.pop()) {
			for (const derived of this.#schemas.derived.get(name) ?? []) {
				if (derived === identifier || found.has(derived)) continue;
				found.add(derived);
				queue.push(derived);
			}
		}
		return [...this.#schemas.classes.keys()].filter((name) => found.has(name));
	}

	/** API schemas that apply themselves to a type, in order of strength. */
	autoApplied(identifier: string): readonly string[] {
		return this.#schemas.autoApplied.get(identifier) ?? [];
	}

	/** The types that API schemas apply themselves to, by applied name, as they were declared. */
	get autoApplyTargets(): ReadonlyMap<string, readonly string[]> {
		return this.#schemas.autoApplyTargets;
	}

	/** Types to try in place of types that are not known. */
	get fallbackPrimTypes(): ReadonlyMap<string, readonly string[]> {
		return this.#schemas.fallbackPrimTypes;
	}

	/**
	 * What a prim of this type with these authored API schemas has by definition. Types and schemas that nobody knows
	 * give nothing; abstract types give nothing either. The same arguments give the same object.
	 */
	primDefinition(typeName: string, appliedSchemas: readonly string[] = []): PrimDefinition {
		let node = childOf(this.#definitions, typeName);
		for (let i = 0; i < appliedSchemas.length; i++) node = childOf(node, appliedSchemas[i]!);
		node.definition ??= this.#define(typeName, appliedSchemas);
		return node.definition;
	}

	#define(typeName: string, appliedSchemas: readonly string[]): PrimDefinition {
		// OpenUSD gives prims of an abstract type nothing either
		const typed = this.isConcrete(typeName) ? this.#builder.typed(typeName) : undefined;
		const draft = typed?.copy() ?? new DefinitionDraft(this, new Map());
		this.#builder.composeApplied(draft, appliedSchemas);
		return draft.finish(typeName);
	}

	/** The definition of one schema: a type, also an abstract one, or an API schema by itself (its template). */
	definitionOf(identifier: string): PrimDefinition | undefined {
		if (this.isConcrete(identifier)) return this.primDefinition(identifier);
		const type = this.#builder.typed(identifier);
		return type !== undefined ? type.finish(identifier) : this.#builder.applied(identifier)?.finish('');
	}

	/** Types that an applied schema (`CollectionAPI:lightLink`) is limited to; any when empty. */
	canOnlyApplyTo(appliedSchema: string): readonly string[] {
		const { identifier, instanceName } = parseAppliedSchema(appliedSchema);
		const schema = this.find(identifier);
		return schema?.instanceCanOnlyApplyTo.get(instanceName) ?? schema?.canOnlyApplyTo ?? [];
	}

	/** Whether a multiple-apply schema may have an instance of this name. */
	isAllowedInstanceName(identifier: string, instanceName: string): boolean {
		const schema = this.find(identifier);
		if (schema?.kind !== 'multipleApplyAPI' || instanceName === '') return false;
		const { allowedInstanceNames } = schema;
		if (allowedInstanceNames.length > 0 && !allowedInstanceNames.includes(instanceName)) return false;
		// a name that ends like a property could not be told apart from it
		const last = instanceName.slice(instanceName.lastIndexOf(':') + 1);
		for (const name of this.#builder.applied(identifier)!.properties.keys()) {
			if (templateBaseName(name) === last) return false;
		}
		return true;
	}

	/** Why an API schema cannot be applied to prims of a type, in one sentence, or undefined when it can. */
	whyNotApply(appliedSchema: string, primType: string): string | undefined {
		const { identifier, instanceName } = parseAppliedSchema(appliedSchema);
		const schema = this.find(identifier);
		if (schema === undefined) return `no schema '${identifier}' is known`;
		if (!isAppliedKind(schema.kind)) return `'${identifier}' is not a schema that can be applied`;
		if (schema.kind === 'singleApplyAPI' && appliedSchema !== identifier) {
			return `'${identifier}' cannot have an instance name`;
		}
		if (schema.kind === 'multipleApplyAPI') {
			if (instanceName === '') return `'${identifier}' needs an instance name`;
			if (!this.isAllowedInstanceName(identifier, instanceName)) {
				return `'${instanceName}' is not an allowed instance name of '${identifier}'`;
			}
		}
		const types = this.canOnlyApplyTo(appliedSchema);
		if (types.length === 0 || types.some((type) => this.isA(primType, type))) return undefined;
		return `'${appliedSchema}' can only be applied to ${types.join(', ')}, not to '${primType}'`;
	}

	get #schemas(): SchemaIndex {
		this.#index ??= new SchemaIndex(this.#sets);
		return this.#index;
	}
}

/** Definitions by type and then by each applied schema in turn, so that a lookup makes no key. */
interface DefinitionNode {
	definition: PrimDefinition | undefined;
	children: Map<string, DefinitionNode> | undefined;
}

function childOf(node: DefinitionNode, name: string): DefinitionNode {
	node.children ??= new Map();
	let child = node.children.get(name);
	if (child === undefined) {
		child = { definition: undefined, children: undefined };
		node.children.set(name, child);
	}
	return child;
}

/** Everything that can be looked up. */
class SchemaIndex {
	readonly classes = new Map<string, SchemaClass>();
	readonly byTypeName = new Map<string, SchemaClass>();
	readonly families = new Map<string, SchemaClass[]>();
	/** Direct derivations by identifier of the base. */
	readonly derived = new Map<string, string[]>();
	readonly autoApplyTargets = new Map<string, string[]>();
	/** The same the other way round, derived types included. */
	readonly autoApplied = new Map<string, string[]>();
	readonly fallbackPrimTypes = new Map<string, readonly string[]>();

	constructor(sets: readonly SchemaSet[]) {
		for (const set of sets) {
			for (const library of set.libraries ?? []) this.#addAll(readSchemaTable(library));
			this.#addAll(set.classes ?? []);
			for (const [type, types] of set.fallbackPrimTypes ?? []) this.fallbackPrimTypes.set(type, types);
		}
		for (const schema of this.classes.values()) {
			this.byTypeName.set(schema.typeName, schema);
			push(this.families, schema.family, schema);
			for (const base of schema.bases) push(this.derived, base, schema.identifier);
		}
		for (const versions of this.families.values()) versions.sort((a, b) => b.version - a.version);
		this.#addAutoApplied(sets);
	}

	#addAll(schemas: Iterable<SchemaClass>): void {
		for (const schema of schemas) this.classes.set(schema.identifier, schema);
	}

	#addAutoApplied(sets: readonly SchemaSet[]): void {
		const targets = this.autoApplyTargets;
		for (const { identifier, kind, autoApplyTo } of this.classes.values()) {
			if (kind === 'singleApplyAPI') for (const type of autoApplyTo) push(targets, identifier, type);
		}
		for (const { autoApply } of sets) {
			for (const [identifier, types] of autoApply ?? []) for (const type of types) push(targets, identifier, type);
		}
		for (const [identifier, types] of targets) {
			for (const type of this.#withDerived(types)) push(this.autoApplied, type, identifier);
		}
		// OpenUSD puts later versions before earlier ones in this way; otherwise the order is arbitrary but fixed
		for (const list of this.autoApplied.values()) list.sort((a, b) => compareDictionary(b, a));
	}

	#withDerived(types: readonly string[]): Set<string> {
		const all = new Set<string>();
		const queue = types.filter((type) => this.classes.has(type));
		for (let type = queue.pop(); type !== undefined; type = queue.pop()) {
			if (all.has(type)) continue;
			all.add(type);
			queue.push(...(this.derived.get(type) ?? []));
		}
		return all;
	}
}

function push<K, V>(map: Map<K, V[]>, key: K, value: V): void {
	const list = map.get(key);
	if (list === undefined) map.set(key, [value]);
	else list.push(value);
}
