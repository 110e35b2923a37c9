import type { UsdCode } from '../diagnostics.ts';
import type { Value } from '../sdf/value.ts';
import type { PropertyDefinition } from './property-definition.ts';

/** Something that schemas cannot do as they are declared or applied; the definition goes without it. */
export interface SchemaProblem {
	readonly code: UsdCode;
	readonly message: string;
}

/**
 * What a type with its built-in and applied schemas gives to a prim: property names in order, their definitions, the
 * applied schemas. Immutable and shared between prims.
 *
 * Properties of the type come first, in the order of its schema, then those of each API schema from strong to weak.
 */
export class PrimDefinition {
	/** The type of the prim; empty when it has none, and kept when nobody knows it. */
	readonly typeName: string;
	/** Known applied schemas, strongest first: built-in ones, those applied by themselves, and those that were authored. */
	readonly appliedSchemas: readonly string[];
	readonly propertyNames: readonly string[];
	/** Fallbacks of prim metadata. API schemas give none. */
	readonly metadata: ReadonlyMap<string, Value>;
	readonly problems: readonly SchemaProblem[];
	readonly #properties: ReadonlyMap<string, PropertyDefinition>;

	constructor(
		typeName: string,
		appliedSchemas: readonly string[],
		properties: ReadonlyMap<string, PropertyDefinition>,
		metadata: ReadonlyMap<string, Value>,
		problems: readonly SchemaProblem[],
	) {
		this.typeName = typeName;
		this.appliedSchemas = appliedSchemas;
		this.propertyNames = [...properties.keys()];
		this.metadata = metadata;
		this.problems = problems;
		this.#properties = properties;
	}

	property(name: string): PropertyDefinition | undefined {
		return this.#properties.get(name);
	}

	attribute(name: string): PropertyDefinition | undefined {
		const property = this.#properties.get(name);
		return property?.kind === 'attribute' ? property : undefined;
	}

	relationship(name: string): PropertyDefinition | undefined {
		const property = this.#properties.get(name);
		return property?.kind === 'relationship' ? property : undefined;
	}

	properties(): IterableIterator<PropertyDefinition> {
		return this.#properties.values();
	}

	/** Whether an API schema is applied: by name with instance (`PhysicsDriveAPI:angular`), or any instance without one. */
	hasSchema(name: string): boolean {
		if (this.appliedSchemas.includes(name)) return true;
		return this.appliedSchemas.some((applied) => applied.startsWith(name) && applied[name.length] === ':');
	}
}
