import type { Prim } from '@manyworlds/usd';
import { authoredValue, type PlainValue } from '../plain-value.ts';
import { attributeNamesOf, type SchemaAttribute, type SchemaCategory, type SchemaResolver } from './schema-resolver.ts';

/** A property with where it came from. */
export interface Resolved {
	/** Undefined when no layer of the resolution gives one. */
	readonly value: PlainValue | undefined;
	readonly source: 'authored' | 'importer default' | 'schema default' | 'none';
	readonly prim: Prim;
	readonly key: string;
	/** The resolver that decided; absent for importer defaults. */
	readonly resolver?: SchemaResolver;
	/** What it read, or whose default it is. */
	readonly attribute?: SchemaAttribute;
}

/** Attributes collected for a resolver: by prim path, then by name, as they stand on the stage. @public */
export type CollectedAttributes = ReadonlyMap<string, ReadonlyMap<string, ReadonlyMap<string, PlainValue>>>;

/** Told about every authored attribute that a resolution uses, before it is used. */
export type ResolvedListener = (prim: Prim, attribute: SchemaAttribute) => void;

/**
 * Asks resolvers in order of priority. A property comes from the first resolver for which the prim authors it; else from the
 * importer's default; else from the first default that a mapping has.
 *
 * ```ts
 * const resolvers = new ResolverSet([SCHEMA_RESOLVER_PHYSX, SCHEMA_RESOLVER_NEWTON]);
 * resolvers.resolve(joint, 'joint', 'armature').value;
 * ```
 */
export class ResolverSet {
	readonly resolvers: readonly SchemaResolver[];
	readonly #collected = new Map<string, Map<string, Map<string, PlainValue>>>();
	readonly #listener: ResolvedListener | undefined;

	constructor(resolvers: readonly SchemaResolver[], listener?: ResolvedListener) {
		this.resolvers = resolvers;
		this.#listener = listener;
		for (const { name } of resolvers) this.#collected.set(name, new Map());
	}

	/** Resolves one property; `importerDefault` counts before the defaults of mappings. */
	resolve(prim: Prim, category: SchemaCategory, key: string, importerDefault?: PlainValue): Resolved {
		for (const resolver of this.resolvers) {
			const found = this.authored(resolver, prim, category, key);
			if (found !== undefined) return found;
		}
		if (importerDefault !== undefined) return { value: importerDefault, source: 'importer default', prim, key };
		for (const resolver of this.resolvers) {
			const attribute = resolver.mapping[category]?.[key];
			if (attribute?.default === undefined) continue;
			const value = attribute.transform === undefined ? attribute.default : attribute.transform(attribute.default);
			return { value, source: 'schema default', prim, key, resolver, attribute };
		}
		return { value: undefined, source: 'none', prim, key };
	}

	/** The value that a prim authors for one resolver; undefined when it does not, or when the resolver makes nothing of it. */
	authored(resolver: SchemaResolver, prim: Prim, category: SchemaCategory, key: string): Resolved | undefined {
		const attribute = resolver.mapping[category]?.[key];
		if (attribute === undefined) return undefined;
		const raw = attribute.read === undefined ? authoredValue(prim, attribute.name) : attribute.read(prim);
		if (raw === undefined) return undefined;
		const value = attribute.transform === undefined ? raw : attribute.transform(raw);
		if (value === undefined) return undefined;
		this.#collect(resolver, prim);
		this.#listener?.(prim, attribute);
		return { value, source: 'authored', prim, key, resolver, attribute };
	}

	/** Collects the attributes of a prim for every resolver: those in its namespaces and those that its mapping names. */
	collect(prim: Prim): void {
		for (const resolver of this.resolvers) this.#collect(resolver, prim);
	}

	get collected(): CollectedAttributes {
		return this.#collected;
	}

	#collect(resolver: SchemaResolver, prim: Prim): void {
		const prims = this.#collected.get(resolver.name)!;
		const path = prim.path.toString();
		if (prims.has(path)) return;
		const found = new Map<string, PlainValue>();
		prims.set(path, found);
		const prefixes = [resolver.name, ...(resolver.namespaces ?? [])].map((namespace) => `${namespace}:`);
		const named = namesOf(resolver);
		for (const name of prim.authoredPropertyNames()) {
			if (!prefixes.some((prefix) => name.startsWith(prefix)) && !named.has(name)) continue;
			// relationships have no value
			const value = authoredValue(prim, name);
			if (value !== undefined) found.set(name, value);
		}
	}
}

const namesByResolver = new WeakMap<SchemaResolver, ReadonlySet<string>>();

function namesOf(resolver: SchemaResolver): ReadonlySet<string> {
	let names = namesByResolver.get(resolver);
	if (names === undefined) {
		names = new Set(
			Object.values(resolver.mapping).flatMap((keys) => Object.values(keys ?? {}).flatMap(attributeNamesOf)),
		);
		namesByResolver.set(resolver, names);
	}
	return names;
}
