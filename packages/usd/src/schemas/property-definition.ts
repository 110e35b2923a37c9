import { dataOf, makeValue, type Value, valueIs } from '../sdf/value.ts';
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

	/**
	 * This definition where a weaker one adds what it does not say: a fallback, metadata, entries of dictionaries. Types
	 * must agree. Documentation is not added: it would speak of something else.
	 */
	over(weaker: PropertyDefinition): PropertyDefinition {
		const metadata = composeMetadata(this.metadata, weaker.metadata);
		const takesFallback = this.fallback === undefined && weaker.fallback !== undefined;
		if (metadata === this.metadata && !takesFallback) return this;
		return this.#with(takesFallback ? { metadata, readFallback: () => weaker.fallback } : { metadata });
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

/** Stronger fields with those of weaker ones that are missing; the same map when nothing is. */
function composeMetadata(strong: Fields, weak: Fields): Fields {
	let composed: Map<string, Value> | undefined;
	for (const [name, value] of weak) {
		const own = strong.get(name);
		const taken = own === undefined ? (name === 'documentation' ? undefined : value) : composeValues(own, value);
		if (taken === undefined || taken === own) continue;
		composed ??= new Map(strong);
		composed.set(name, taken);
	}
	return composed ?? strong;
}

/** Dictionaries are put together entry by entry, of other values the stronger one counts. */
function composeValues(strong: Value, weak: Value): Value {
	if (!valueIs(strong, T.dictionary) || !valueIs(weak, T.dictionary)) return strong;
	const data = composeMetadata(strong.data, weak.data);
	return data === strong.data ? strong : (makeValue(T.dictionary, data) as Value);
}

type Fields = ReadonlyMap<string, Value>;
