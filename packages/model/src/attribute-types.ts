import type { Entity } from './columns.ts';

/**
 * Data types of custom attributes; each gives a typed array, strings a list. Numbers of type i64 are held as doubles, exact
 * up to 2^53 and for powers of two. @public
 */
export type AttributeType =
	| 'bool'
	| 'i32'
	| 'u32'
	| 'f32'
	| 'i64'
	| 'f64'
	| 'vec2'
	| 'vec3'
	| 'vec4'
	| 'vec5'
	| 'vec6'
	| 'vec10'
	| 'quat'
	| 'mat22'
	| 'mat33'
	| 'mat44'
	| 'transform'
	| 'string'
	| 'vec2i'
	| 'vec3i'
	| 'vec4i';

/** Per which entity an attribute has one value; a text `namespace:name` is a frequency of the user's own. @public */
export type AttributeFrequency =
	| 'once'
	| 'world'
	| 'body'
	| 'shape'
	| 'joint'
	| 'jointDof'
	| 'jointCoord'
	| 'jointConstraint'
	| 'articulation'
	| 'equalityConstraint'
	| 'constraintMimic'
	| 'particle'
	| 'spring'
	| 'triangle'
	| 'edge'
	| 'tetrahedron'
	| `${string}:${string}`;

/** Which object holds the values: one copy on the model, or one per state, control or contacts. @public */
export type AttributeOwner = 'model' | 'state' | 'control' | 'contacts';

/** What one value of an attribute may be given as. @public */
export type AttributeValue = number | boolean | string | bigint | ArrayLike<number>;

/** Declaration of a custom attribute. @public */
export interface AttributeDeclaration {
	readonly name: string;
	readonly namespace?: string;
	readonly type: AttributeType;
	readonly frequency: AttributeFrequency;
	readonly owner?: AttributeOwner;
	/** Zero, false, empty or identity when left out. */
	readonly default?: AttributeValue;
	/** The entity whose indices the values are: they follow it through merges and collapses. */
	readonly references?: Entity | 'world' | `${string}:${string}`;
	/** Where another attribute of the same row tells what the value is an index of: entities by its numbers. */
	readonly referencesBy?: {
		readonly attribute: string;
		readonly entities: Readonly<Record<number, Entity | `${string}:${string}`>>;
	};
	/** Attribute that importers read from USD prims; left out, `newton:<key>`. */
	readonly usdName?: string;
	/** Attribute that importers read from MJCF elements; left out, the name. */
	readonly mjcfName?: string;
	/** Attribute that importers read from URDF elements; left out, the name. */
	readonly urdfName?: string;
}

/** A declared attribute: its key serves wherever a key does, and types what it gives. @public */
export interface AttributeHandle<T extends AttributeType = AttributeType> {
	readonly key: string;
	readonly type: T;
}

/** The array that a type gives. @public */
export type AttributeArray<T extends AttributeType = AttributeType> = T extends 'string'
	? string[]
	: T extends 'bool'
		? Uint8Array
		: T extends 'i32' | 'vec2i' | 'vec3i' | 'vec4i'
			? Int32Array
			: T extends 'u32'
				? Uint32Array
				: T extends 'f32'
					? Float32Array
					: Float64Array;

/** Numbers per value. */
export const ATTRIBUTE_WIDTH: Readonly<Record<AttributeType, number>> = {
	bool: 1,
	i32: 1,
	u32: 1,
	f32: 1,
	i64: 1,
	f64: 1,
	vec2: 2,
	vec3: 3,
	vec4: 4,
	vec5: 5,
	vec6: 6,
	vec10: 10,
	quat: 4,
	mat22: 4,
	mat33: 9,
	mat44: 16,
	transform: 7,
	string: 1,
	vec2i: 2,
	vec3i: 3,
	vec4i: 4,
};

/** `namespace:name`, or the name alone. */
export function attributeKey(declaration: { readonly name: string; readonly namespace?: string }): string {
	return declaration.namespace ? `${declaration.namespace}:${declaration.name}` : declaration.name;
}

/** An array of zeros, or of empty texts, for so many values. */
export function allocateAttribute(type: AttributeType, rows: number): AttributeArray {
	const size = rows * ATTRIBUTE_WIDTH[type];
	switch (type) {
		case 'string':
			return new Array<string>(rows).fill('');
		case 'bool':
			return new Uint8Array(size);
		case 'i32':
		case 'vec2i':
		case 'vec3i':
		case 'vec4i':
			return new Int32Array(size);
		case 'u32':
			return new Uint32Array(size);
		case 'f32':
			return new Float32Array(size);
		default:
			return new Float64Array(size);
	}
}

/** The value that stands where none was given. */
export function zeroValue(type: AttributeType): AttributeValue {
	switch (type) {
		case 'string':
			return '';
		case 'bool':
			return false;
		case 'quat':
			return [0, 0, 0, 1];
		case 'transform':
			return [0, 0, 0, 0, 0, 0, 1];
		default:
			return ATTRIBUTE_WIDTH[type] === 1 ? 0 : new Array<number>(ATTRIBUTE_WIDTH[type]).fill(0);
	}
}
