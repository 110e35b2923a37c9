import { dataOf, type Value } from '../sdf/value.ts';
import { T, type Variability } from '../sdf/value-type.ts';

/** The parts of a property definition. */
export interface PropertyParts {
	readonly name: string;
	readonly kind: 'attribute' | 'relationship';
	readonly typeName: string;
	readonly variability: Variability;
	/** Gives the fallback; asked once, when somebody wants it. */
	readonly readFallback: (() => Value | undefined) | undefined;
	readonly metadata: ReadonlyMap<string, Value>;
	readonly schema: string;
}

/** A property as schemas define it: what it is on every prim of a type, without anything being authored. Immutable. */
export class PropertyDefinition {
	readonly name: string;
	readonly kind: 'attribute' | 'relationship';
	/** `point3f[]`, `token`; empty for relationships. */
	readonly typeName: string;
	readonly variability: Variability;
	/** Fallbacks of other fields: `allowedTokens`, `displayGroup`, `hidden`, `limits` and so on. */
	readonly metadata: ReadonlyMap<string, Value>;
	/** Identifier of the schema class that defines it (the strongest, if several do). */
	readonly schema: string;
	#readFallback: (() => Value | undefined) | undefined;
	#fallback: Value | undefined;

	constructor(parts: PropertyParts) {
		this.name = parts.name;
		this.kind = parts.kind;
		this.typeName = parts.typeName;
		this.variability = parts.variability;
		this.metadata = parts.metadata;
		this.schema = parts.schema;
		this.#readFallback = parts.readFallback;
	}

	/** The value of the attribute when nothing is authored, if it has one. */
	get fallback(): Value | undefined {
		if (this.#readFallback !== undefined) {
			this.#fallback = this.#readFallback();
			this.#readFallback = undefined;
		}
		return this.#fallback;
	}

	get allowedTokens(): readonly string[] | undefined {
		return dataOf(this.metadata.get('allowedTokens'), T.token.array);
	}

	get isHidden(): boolean {
		return dataOf(this.metadata.get('hidden'), T.bool) ?? false;
	}

	/** This definition under another name, as an instance of a template has it. */
	renamed(name: string): PropertyDefinition {
		return name === this.name ? this : this.#with({ name });
	}

	/** Whether both are relationships, or attributes of one type. */
	sameType(other: PropertyDefinition): boolean {
		return this.kind === other.kind && this.typeName === other.typeName;
	}

	/** This definition where a weaker one adds a fallback or `hidden` that it lacks. Types must agree. */
	over(weaker: PropertyDefinition): PropertyDefinition {
		const hidden = this.metadata.has('hidden') ? undefined : weaker.metadata.get('hidden');
		const takesFallback = this.fallback === undefined && weaker.fallback !== undefined;
		if (hidden === undefined && !takesFallback) return this;
		return this.#with({
			...(takesFallback ? { readFallback: () => weaker.fallback } : {}),
			...(hidden !== undefined ? { metadata: new Map([...this.metadata, ['hidden', hidden]]) } : {}),
		});
	}

	/** This definition as an override of `defined`: what it does not say comes from there, variability always does. */
	overriding(defined: PropertyDefinition): PropertyDefinition {
		return this.#with({
			variability: defined.variability,
			readFallback: () => this.fallback ?? defined.fallback,
			metadata: new Map([...defined.metadata, ...this.metadata]),
		});
	}

	#with(changes: Partial<PropertyParts>): PropertyDefinition {
		return new PropertyDefinition({
			name: this.name,
			kind: this.kind,
			typeName: this.typeName,
			variability: this.variability,
			readFallback: () => this.fallback,
			metadata: this.metadata,
			schema: this.schema,
			...changes,
		});
	}
}
