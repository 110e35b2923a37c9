import type { Value } from '../sdf/value.ts';
import type { PropertyDefinition } from './property-definition.ts';

/** What a schema is for. The names are those of `schemaKind` in plugInfo.json. */
export type SchemaKind =
	| 'abstractBase'
	| 'abstractTyped'
	| 'concreteTyped'
	| 'nonAppliedAPI'
	| 'singleApplyAPI'
	| 'multipleApplyAPI';

/** One schema as a library declares it. */
export interface SchemaClass {
	/** Name that prims and `apiSchemas` use: `PhysicsScene`, `DomeLight_1`. */
	readonly identifier: string;
	readonly family: string;
	readonly version: number;
	readonly kind: SchemaKind;
	/** Name of the C++ type: `UsdPhysicsScene`. */
	readonly typeName: string;
	/** Identifiers of the schemas it derives from, or their type names when nobody has registered them. */
	readonly bases: readonly string[];
	/** Name of the library that declares it. */
	readonly library: string;
	/** API schemas that come with it, in order of strength; templates for a multiple-apply schema. */
	readonly builtinSchemas: readonly string[];
	/** Types that it is applied to without being asked, derived types included. */
	readonly autoApplyTo: readonly string[];
	/** The only types that it may be applied to; any when empty. */
	readonly canOnlyApplyTo: readonly string[];
	/** Types that certain instances alone may be applied to, by instance name. */
	readonly instanceCanOnlyApplyTo: ReadonlyMap<string, readonly string[]>;
	/** The only instance names of a multiple-apply schema; any when empty. */
	readonly allowedInstanceNames: readonly string[];
	/** Whether `content` lists what the bases define too, as generated schema files do. */
	readonly isFlattened: boolean;
	/** Its properties; read when first asked for. */
	content(): SchemaContent;
}

/** What a schema class says about prims and their properties. */
export interface SchemaContent {
	/** In the order of definition. */
	readonly properties: readonly PropertyDefinition[];
	/** Names among `properties` that only change properties of built-in schemas. */
	readonly overrides: ReadonlySet<string>;
	/** Fallbacks of prim metadata. */
	readonly metadata: ReadonlyMap<string, Value>;
}

export const EMPTY_CONTENT: SchemaContent = { properties: [], overrides: new Set(), metadata: new Map() };

/** Whether a schema of this kind can stand in `apiSchemas`. */
export function isAppliedKind(kind: SchemaKind): boolean {
	return kind === 'singleApplyAPI' || kind === 'multipleApplyAPI';
}

/** Whether prims can be of this kind of type, if only through derived types. */
export function isTypedKind(kind: SchemaKind): boolean {
	return kind === 'concreteTyped' || kind === 'abstractTyped';
}
