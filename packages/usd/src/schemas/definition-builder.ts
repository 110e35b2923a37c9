import { compareDictionary } from '../sdf/dictionary-order.ts';
import type { Value } from '../sdf/value.ts';
import { DefinitionDraft } from './definition-draft.ts';
import type { PropertyDefinition } from './property-definition.ts';
import { EMPTY_CONTENT, isAppliedKind, isTypedKind, type SchemaClass, type SchemaContent } from './schema-class.ts';
import { INSTANCE_NAME_PLACEHOLDER, isNameTemplate, parseAppliedSchema } from './schema-identifier.ts';

/** What a builder needs to know about the schemas that exist. */
export interface SchemaSource {
	find(identifier: string): SchemaClass | undefined;
	/** API schemas that apply themselves to a schema, in order of strength. */
	autoApplied(identifier: string): readonly string[];
}

/** Schemas may include each other this deep. */
const MAX_DEPTH = 40;
/** Definitions of schemas in cycles depend on where one starts; so many may be made for one that is asked for. */
const MAX_CYCLE_BUILDS = 300;

interface BuiltSchema {
	readonly draft: DefinitionDraft;
	/** Whether something was left out because of the schemas under construction: inside a cycle, or too deep. */
	readonly dependsOnStart: boolean;
}

/** Puts the definitions of schemas together from their classes, built-in schemas and overrides. */
export class DefinitionBuilder {
	readonly #schemas: SchemaSource;
	readonly #contents = new Map<string, SchemaContent>();
	readonly #typed = new Map<string, DefinitionDraft>();
	/** API schemas as they are when applied. */
	readonly #applied = new Map<string, DefinitionDraft>();
	/** API schemas that are the same wherever they are included: those outside of cycles. */
	readonly #acyclic = new Map<string, DefinitionDraft>();
	/** API schemas under construction, to notice when one includes itself. */
	readonly #building = new Set<string>();
	#cycleBuilds = 0;

	constructor(schemas: SchemaSource) {
		this.#schemas = schemas;
	}

	/** The definition of a concrete or abstract type, or undefined for anything else. */
	typed(identifier: string): DefinitionDraft | undefined {
		const known = this.#typed.get(identifier);
		if (known !== undefined) return known;
		const schema = this.#schemas.find(identifier);
		if (schema === undefined || !isTypedKind(schema.kind)) return undefined;
		const content = this.#content(schema);
		const draft = new DefinitionDraft(this.#schemas, content.metadata);
		draft.define(content);
		this.composeApplied(draft, this.#builtins(schema, draft));
		draft.override(content);
		this.#typed.set(identifier, draft);
		return draft;
	}

	/** The definition of an API schema that can be applied; for a multiple-apply schema it is the template. */
	applied(identifier: string): DefinitionDraft | undefined {
		const known = this.#applied.get(identifier);
		if (known !== undefined) return known;
		const schema = this.#schemas.find(identifier);
		if (schema === undefined || !isAppliedKind(schema.kind)) return undefined;
		this.#cycleBuilds = 0;
		const draft = this.#acyclic.get(identifier) ?? this.#buildApplied(schema).draft;
		this.#applied.set(identifier, draft);
		return draft;
	}

	/** Adds applied schemas, strongest first, to what is there. Names that nobody knows are passed over. */
	composeApplied(draft: DefinitionDraft, names: readonly string[]): void {
		for (const name of names) {
			const { identifier, instanceName } = parseAppliedSchema(name);
			const weaker = this.applied(identifier);
			if (weaker === undefined) continue;
			const needsInstance = this.#schemas.find(identifier)!.kind === 'multipleApplyAPI';
			if (needsInstance !== (instanceName !== '')) {
				const words = needsInstance ? 'needs an instance name' : 'cannot have an instance name';
				draft.problem('SCH005', `schema '${name}' ${words}`);
				continue;
			}
			draft.composeWeaker(weaker, instanceName);
		}
	}

	#buildApplied(schema: SchemaClass): BuiltSchema {
		const { identifier } = schema;
		const content = this.#content(schema);
		const draft = new DefinitionDraft(this.#schemas, NO_METADATA);
		const isMultiple = schema.kind === 'multipleApplyAPI';
		draft.appliedSchemas.push(isMultiple ? `${identifier}:${INSTANCE_NAME_PLACEHOLDER}` : identifier);
		draft.versions.set(`${schema.family}\n`, schema.version);
		draft.define(content);
		let dependsOnStart = false;
		this.#building.add(identifier);
		for (const name of this.#builtins(schema, draft)) {
			const builtin = parseAppliedSchema(name);
			const found = this.#findBuiltin(draft, identifier, name, builtin.identifier);
			if (found === undefined) {
				dependsOnStart ||= this.#schemas.find(builtin.identifier) !== undefined;
				continue;
			}
			if (found.dependsOnStart) {
				dependsOnStart = true;
				for (const { code, message } of found.draft.problems.values()) draft.problem(code, message);
			}
			draft.composeWeaker(found.draft, builtin.instanceName);
		}
		this.#building.delete(identifier);
		draft.override(content);
		if (!dependsOnStart) this.#acyclic.set(identifier, draft);
		return { draft, dependsOnStart };
	}

	/** The definition of a built-in schema of an API schema, or undefined with the problem noted. */
	#findBuiltin(draft: DefinitionDraft, owner: string, name: string, identifier: string): BuiltSchema | undefined {
		const schema = this.#schemas.find(identifier);
		if (schema === undefined || !isAppliedKind(schema.kind)) {
			draft.problem('SCH003', `schema '${owner}' includes '${name}', which is no known API schema`);
			return undefined;
		}
		if (this.#building.has(identifier)) {
			draft.problem('SCH003', `schema '${owner}' includes '${name}', which includes '${owner}' itself`);
			return undefined;
		}
		const known = this.#acyclic.get(identifier);
		if (known !== undefined) return { draft: known, dependsOnStart: false };
		if (this.#building.size >= MAX_DEPTH || ++this.#cycleBuilds > MAX_CYCLE_BUILDS) {
			draft.problem('SCH003', `schema '${owner}' includes '${name}' and, with it, too many schemas`);
			return undefined;
		}
		return this.#buildApplied(schema);
	}

	/** The API schemas that come with a schema: its built-in ones, then those that apply themselves to it. */
	#builtins(schema: SchemaClass, draft: DefinitionDraft): readonly string[] {
		const names = [...schema.builtinSchemas, ...this.#schemas.autoApplied(schema.identifier)];
		const isTemplate = schema.kind === 'multipleApplyAPI';
		return names.filter((name) => {
			if (isNameTemplate(name) === isTemplate) return true;
			const words = isTemplate ? 'is no template, as it must be there' : 'is a template, which it cannot be there';
			draft.problem('SCH003', `schema '${schema.identifier}' includes '${name}', which ${words}`);
			return false;
		});
	}

	/** What a class says together with what its bases say. */
	#content(schema: SchemaClass): SchemaContent {
		const known = this.#contents.get(schema.identifier);
		if (known !== undefined) return known;
		const chain = this.#unflattenedChain(schema);
		let content = EMPTY_CONTENT;
		for (let i = chain.length - 1; i >= 0; i--) {
			const own = chain[i]!.content();
			content = content.properties.length === 0 ? own : inherit(content, own);
		}
		this.#contents.set(schema.identifier, content);
		return content;
	}

	/** The class and its bases, up to one that repeats what its own bases say. */
	#unflattenedChain(schema: SchemaClass): SchemaClass[] {
		const chain: SchemaClass[] = [];
		const seen = new Set<SchemaClass>();
		let at: SchemaClass | undefined = schema;
		while (at !== undefined && !seen.has(at)) {
			chain.push(at);
			seen.add(at);
			const base: string | undefined = at.isFlattened ? undefined : at.bases[0];
			at = base === undefined ? undefined : this.#schemas.find(base);
		}
		return chain;
	}
}

const NO_METADATA: ReadonlyMap<string, Value> = new Map();

/** Own declarations replace inherited ones; together they stand in the order in which schema generators write them. */
function inherit(base: SchemaContent, own: SchemaContent): SchemaContent {
	const properties = new Map<string, PropertyDefinition>();
	for (const property of base.properties) properties.set(property.name, property);
	const overrides = new Set(base.overrides);
	for (const property of own.properties) {
		properties.set(property.name, property);
		overrides.delete(property.name);
	}
	for (const name of own.overrides) overrides.add(name);
	return {
		properties: [...properties.values()].sort((a, b) => compareDictionary(a.name, b.name)),
		overrides,
		metadata: new Map([...base.metadata, ...own.metadata]),
	};
}
