import type { UsdCode } from '../diagnostics.ts';
import type { Value } from '../sdf/value.ts';
import { PrimDefinition, type SchemaProblem } from './prim-definition.ts';
import type { PropertyDefinition } from './property-definition.ts';
import type { SchemaClass, SchemaContent } from './schema-class.ts';
import { instantiateName, parseAppliedSchema } from './schema-identifier.ts';

/** A prim definition in the making. */
export class DefinitionDraft {
	readonly appliedSchemas: string[] = [];
	readonly properties: Map<string, PropertyDefinition> = new Map();
	/** Version of each applied family and instance name: a prim cannot have two versions of one schema. */
	readonly versions: Map<string, number> = new Map();
	readonly metadata: ReadonlyMap<string, Value>;
	/** By message: each is told once. */
	readonly problems: Map<string, SchemaProblem> = new Map();
	readonly #schemas: { find(identifier: string): SchemaClass | undefined };

	constructor(schemas: { find(identifier: string): SchemaClass | undefined }, metadata: ReadonlyMap<string, Value>) {
		this.#schemas = schemas;
		this.metadata = metadata;
	}

	/** A draft that starts as this one and counts all its schemas as taken. */
	copy(): DefinitionDraft {
		const copy = new DefinitionDraft(this.#schemas, this.metadata);
		for (const name of this.appliedSchemas) {
			const { key, version } = this.#familyOf(name);
			copy.appliedSchemas.push(name);
			copy.versions.set(key, version);
		}
		for (const [name, property] of this.properties) copy.properties.set(name, property);
		for (const { code, message } of this.problems.values()) copy.problem(code, message);
		return copy;
	}

	/** Adds the properties of a class, without those that only change properties of built-in schemas. */
	define(content: SchemaContent): void {
		for (const property of content.properties) {
			if (!content.overrides.has(property.name)) this.properties.set(property.name, property);
		}
	}

	/** Changes properties of built-in schemas as a class says. Overrides of what is not there have no effect. */
	override(content: SchemaContent): void {
		if (content.overrides.size === 0) return;
		for (const property of content.properties) {
			const defined = this.properties.get(property.name);
			if (defined === undefined || !content.overrides.has(property.name)) continue;
			if (property.sameType(defined)) this.properties.set(property.name, property.overriding(defined));
			else this.#mismatch(property, defined);
		}
	}

	/** Adds an API schema with all that it includes, weaker than what is there. Nothing is added on a version conflict. */
	composeWeaker(weaker: DefinitionDraft, instanceName: string): void {
		const names = weaker.appliedSchemas;
		const isInstance = instanceName !== '';
		if (!this.#apply(isInstance ? names.map((name) => instantiateName(name, instanceName)) : names)) return;
		for (const property of weaker.properties.values()) {
			const named = isInstance ? property.renamed(instantiateName(property.name, instanceName)) : property;
			const existing = this.properties.get(named.name);
			if (existing === undefined) this.properties.set(named.name, named);
			else if (!existing.sameType(named)) this.#mismatch(existing, named);
			else this.properties.set(named.name, existing.over(named));
		}
	}

	problem(code: UsdCode, message: string): void {
		this.problems.set(message, { code, message });
	}

	finish(typeName: string): PrimDefinition {
		return new PrimDefinition(typeName, this.appliedSchemas, this.properties, this.metadata, [
			...this.problems.values(),
		]);
	}

	/** Adds names to the applied schemas, all or none. */
	#apply(names: readonly string[]): boolean {
		const start = this.appliedSchemas.length;
		const added: string[] = [];
		for (const name of names) {
			const { key, version } = this.#familyOf(name);
			const present = this.versions.get(key);
			if (present === undefined) {
				this.versions.set(key, version);
				this.appliedSchemas.push(name);
				added.push(key);
			} else if (present !== version) {
				this.appliedSchemas.length = start;
				for (const taken of added) this.versions.delete(taken);
				const what = name === names[0] ? `schema '${name}'` : `schema '${names[0]}' with '${name}'`;
				this.problem('SCH003', `${what} is left out: version ${present} of the same schema is applied already`);
				return false;
			}
		}
		return true;
	}

	#familyOf(name: string): { readonly key: string; readonly version: number } {
		const { identifier, instanceName } = parseAppliedSchema(name);
		const schema = this.#schemas.find(identifier)!;
		return { key: `${schema.family}\n${instanceName}`, version: schema.version };
	}

	#mismatch(stronger: PropertyDefinition, weaker: PropertyDefinition): void {
		const say = (one: PropertyDefinition): string =>
			one.kind === 'relationship' ? 'a relationship' : `of type ${one.typeName}`;
		const { name } = stronger;
		const message = `'${name}' is ${say(stronger)} in ${stronger.schema} and ${say(weaker)} in ${weaker.schema}`;
		this.problem('SCH004', message);
	}
}
