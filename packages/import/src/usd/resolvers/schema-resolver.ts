import type { Prim } from '@manyworlds/usd';
import type { PlainValue } from '../plain-value.ts';

/** Kinds of prims whose attributes are resolved. @public */
export type SchemaCategory = 'scene' | 'joint' | 'shape' | 'body' | 'material' | 'actuator' | 'articulation';

/** How a resolver reads one property. @public */
export interface SchemaAttribute {
	/** The USD attribute. */
	readonly name: string;
	/** Stand-in for the schema's default, before `transform`; it counts when neither an asset nor the importer says anything. */
	readonly default?: PlainValue;
	/** From the authored value to the property; undefined passes on to the next resolver. */
	readonly transform?: (value: PlainValue) => PlainValue | undefined;
	/** Reads several attributes instead of the one; undefined passes on to the next resolver. */
	readonly read?: (prim: Prim) => PlainValue | undefined;
	/** The attributes that `read` takes; only `name` when left out. */
	readonly attributeNames?: readonly string[];
	/** What to author instead, when the attribute is one that assets should no longer have. */
	readonly deprecated?: string;
	/** Whether no schema has the attribute, although this resolver knows it. */
	readonly isNonSchema?: boolean;
}

/**
 * Reads the properties that a solver's schemas give prims. Write one to import attributes of another solver:
 *
 * ```ts
 * const mine: SchemaResolver = {
 *   name: 'mine',
 *   mapping: { joint: { armature: { name: 'mine:rotorInertia', transform: (value) => 0.5 * Number(value) } } },
 * };
 * importUsd(stage, builder, { schemaResolvers: [mine, SCHEMA_RESOLVER_NEWTON] });
 * ```
 * @public
 */
export interface SchemaResolver {
	/** Also the namespace of attributes that are collected. */
	readonly name: string;
	/** By category and Newton's name of the property, such as `limit_angular_ke`. */
	readonly mapping: Readonly<Partial<Record<SchemaCategory, Readonly<Record<string, SchemaAttribute>>>>>;
	/** Further namespaces whose attributes are collected. */
	readonly namespaces?: readonly string[];
}

/** The USD attributes that an entry of a mapping reads. */
export function attributeNamesOf(attribute: SchemaAttribute): readonly string[] {
	return attribute.attributeNames ?? [attribute.name];
}
