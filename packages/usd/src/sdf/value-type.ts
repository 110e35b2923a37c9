import type { ArrayEdit } from './array-edit.ts';
import type { ListOp } from './list-op.ts';
import type { Path } from './path.ts';
import type { Spline } from './spline.ts';
import type { Dictionary, LayerOffset, Payload, RawCrateValue, Reference, TimeSamples, Unregistered } from './value.ts';

/** What one component of a value is. `other` marks the types that only metadata and structure use. */
export type Component =
	| 'bool'
	| 'uchar'
	| 'int'
	| 'uint'
	| 'int64'
	| 'uint64'
	| 'half'
	| 'float'
	| 'double'
	| 'text'
	| 'other';

/** How the components of one element are grouped. */
export type Shape = 'scalar' | 'vector' | 'quaternion' | 'matrix';

/** A type of value, without role: `float3` stands for points, normals and colours alike. `D` is the JavaScript data. */
export class ValueType<D = unknown> {
	/** `float3`, `float3[]`, `tokenListOp` */
	readonly name: string;
	readonly component: Component;
	/** Components per element: 1 for scalars, 3 for float3, 4 for quaternions, 16 for matrix4d. */
	readonly width: number;
	readonly shape: Shape;
	readonly isArray: boolean;
	/** The type of one element; itself when it is not an array. */
	readonly element: ValueType;
	readonly #array: ValueType | undefined;
	/** Keeps `D` apart from other data types; never set. */
	declare readonly data: D;

	constructor(name: string, component: Component, width: number, shape: Shape, element?: ValueType) {
		this.name = name;
		this.component = component;
		this.width = width;
		this.shape = shape;
		this.isArray = element !== undefined;
		this.element = element ?? this;
		this.#array =
			element === undefined && component !== 'other'
				? new ValueType(`${name}[]`, component, width, shape, this)
				: undefined;
	}

	/** The type of arrays of this type. Throws for types that have none. */
	get array(): ValueType {
		if (this.#array === undefined) throw new TypeError(`${this.name} has no array type`);
		return this.#array;
	}

	get hasArray(): boolean {
		return this.#array !== undefined;
	}
}

/** Every type of value that a field can hold. */
export const T: ValueTypeTable = {
	bool: scalar('bool', 'bool'),
	uchar: scalar('uchar', 'uchar'),
	int: scalar('int', 'int'),
	uint: scalar('uint', 'uint'),
	int64: scalar('int64', 'int64'),
	uint64: scalar('uint64', 'uint64'),
	half: scalar('half', 'half'),
	float: scalar('float', 'float'),
	double: scalar('double', 'double'),
	timecode: scalar('timecode', 'double'),
	duration: scalar('duration', 'double'),
	string: scalar('string', 'text'),
	token: scalar('token', 'text'),
	asset: scalar('asset', 'text'),
	pathExpression: scalar('pathExpression', 'text'),

	int2: tuple('int2', 'int', 2, 'vector'),
	int3: tuple('int3', 'int', 3, 'vector'),
	int4: tuple('int4', 'int', 4, 'vector'),
	half2: tuple('half2', 'half', 2, 'vector'),
	half3: tuple('half3', 'half', 3, 'vector'),
	half4: tuple('half4', 'half', 4, 'vector'),
	float2: tuple('float2', 'float', 2, 'vector'),
	float3: tuple('float3', 'float', 3, 'vector'),
	float4: tuple('float4', 'float', 4, 'vector'),
	double2: tuple('double2', 'double', 2, 'vector'),
	double3: tuple('double3', 'double', 3, 'vector'),
	double4: tuple('double4', 'double', 4, 'vector'),
	quath: tuple('quath', 'half', 4, 'quaternion'),
	quatf: tuple('quatf', 'float', 4, 'quaternion'),
	quatd: tuple('quatd', 'double', 4, 'quaternion'),
	matrix2d: tuple('matrix2d', 'double', 4, 'matrix'),
	matrix3d: tuple('matrix3d', 'double', 9, 'matrix'),
	matrix4d: tuple('matrix4d', 'double', 16, 'matrix'),

	dictionary: other('dictionary'),
	path: other('path'),
	specifier: other('specifier'),
	permission: other('permission'),
	variability: other('variability'),
	tokenListOp: other('tokenListOp'),
	stringListOp: other('stringListOp'),
	pathListOp: other('pathListOp'),
	referenceListOp: other('referenceListOp'),
	payloadListOp: other('payloadListOp'),
	intListOp: other('intListOp'),
	uintListOp: other('uintListOp'),
	int64ListOp: other('int64ListOp'),
	uint64ListOp: other('uint64ListOp'),
	unregisteredListOp: other('unregisteredListOp'),
	pathVector: other('pathVector'),
	tokenVector: other('tokenVector'),
	stringVector: other('stringVector'),
	doubleVector: other('doubleVector'),
	layerOffsetVector: other('layerOffsetVector'),
	variantSelectionMap: other('variantSelectionMap'),
	relocates: other('relocates'),
	timeSamples: other('timeSamples'),
	spline: other('spline'),
	arrayEdit: other('arrayEdit'),
	valueBlock: other('valueBlock'),
	animationBlock: other('animationBlock'),
	unregistered: other('unregistered'),
	rawCrate: other('rawCrate'),
};

/** A value type whose arrays hold `A`. */
export type ArrayableType<D, A> = ValueType<D> & { readonly array: ValueType<A> };

/** The table of every type of value that a field can hold. */
export interface ValueTypeTable {
	readonly bool: ArrayableType<boolean, Uint8Array>;
	readonly uchar: ArrayableType<number, Uint8Array>;
	readonly int: ArrayableType<number, Int32Array>;
	readonly uint: ArrayableType<number, Uint32Array>;
	readonly int64: ArrayableType<bigint, BigInt64Array>;
	readonly uint64: ArrayableType<bigint, BigUint64Array>;
	readonly half: ArrayableType<number, Uint16Array>;
	readonly float: ArrayableType<number, Float32Array>;
	readonly double: ArrayableType<number, Float64Array>;
	readonly timecode: ArrayableType<number, Float64Array>;
	readonly duration: ArrayableType<number, Float64Array>;
	readonly string: ArrayableType<string, string[]>;
	readonly token: ArrayableType<string, string[]>;
	readonly asset: ArrayableType<string, string[]>;
	readonly pathExpression: ArrayableType<string, string[]>;

	readonly int2: ArrayableType<Int32Array, Int32Array>;
	readonly int3: ArrayableType<Int32Array, Int32Array>;
	readonly int4: ArrayableType<Int32Array, Int32Array>;
	readonly half2: ArrayableType<Uint16Array, Uint16Array>;
	readonly half3: ArrayableType<Uint16Array, Uint16Array>;
	readonly half4: ArrayableType<Uint16Array, Uint16Array>;
	readonly float2: ArrayableType<Float32Array, Float32Array>;
	readonly float3: ArrayableType<Float32Array, Float32Array>;
	readonly float4: ArrayableType<Float32Array, Float32Array>;
	readonly double2: ArrayableType<Float64Array, Float64Array>;
	readonly double3: ArrayableType<Float64Array, Float64Array>;
	readonly double4: ArrayableType<Float64Array, Float64Array>;
	readonly quath: ArrayableType<Uint16Array, Uint16Array>;
	readonly quatf: ArrayableType<Float32Array, Float32Array>;
	readonly quatd: ArrayableType<Float64Array, Float64Array>;
	readonly matrix2d: ArrayableType<Float64Array, Float64Array>;
	readonly matrix3d: ArrayableType<Float64Array, Float64Array>;
	readonly matrix4d: ArrayableType<Float64Array, Float64Array>;

	readonly dictionary: ValueType<Dictionary>;
	readonly path: ValueType<Path>;
	readonly specifier: ValueType<Specifier>;
	readonly permission: ValueType<Permission>;
	readonly variability: ValueType<Variability>;
	readonly tokenListOp: ValueType<ListOp<string>>;
	readonly stringListOp: ValueType<ListOp<string>>;
	readonly pathListOp: ValueType<ListOp<Path>>;
	readonly referenceListOp: ValueType<ListOp<Reference>>;
	readonly payloadListOp: ValueType<ListOp<Payload>>;
	readonly intListOp: ValueType<ListOp<number>>;
	readonly uintListOp: ValueType<ListOp<number>>;
	readonly int64ListOp: ValueType<ListOp<bigint>>;
	readonly uint64ListOp: ValueType<ListOp<bigint>>;
	/** Each item is a bracketed list kept as one piece of text, or a dictionary. */
	readonly unregisteredListOp: ValueType<ListOp<string>>;
	readonly pathVector: ValueType<readonly Path[]>;
	readonly tokenVector: ValueType<readonly string[]>;
	readonly stringVector: ValueType<readonly string[]>;
	readonly doubleVector: ValueType<Float64Array>;
	readonly layerOffsetVector: ValueType<readonly LayerOffset[]>;
	readonly variantSelectionMap: ValueType<ReadonlyMap<string, string>>;
	readonly relocates: ValueType<readonly (readonly [Path, Path])[]>;
	readonly timeSamples: ValueType<TimeSamples>;
	readonly spline: ValueType<Spline>;
	readonly arrayEdit: ValueType<ArrayEdit>;
	/** `None`: says that there is no value. The data is always null. */
	readonly valueBlock: ValueType<null>;
	/** `AnimationBlock`: hides weaker time samples and splines, not defaults. The data is always null. */
	readonly animationBlock: ValueType<null>;
	/** Metadata that no registry knows, as it was written. */
	readonly unregistered: ValueType<Unregistered>;
	/** A crate value of a type this version does not know, kept so that it can be written again. */
	readonly rawCrate: ValueType<RawCrateValue>;
}

/** What a prim spec does: define a prim, add to one, or make a class. */
export type Specifier = 'def' | 'over' | 'class';
/** Whether other layers may refer to a prim. */
export type Permission = 'public' | 'private';
/** Whether an attribute may have time samples. */
export type Variability = 'varying' | 'uniform';

/** The types that attributes and dictionary entries can hold, by name, arrays included. */
export function findValueType(name: string): ValueType | undefined {
	return BY_NAME.get(name);
}

function scalar<D, A>(name: string, component: Component): ArrayableType<D, A> {
	return new ValueType<D>(name, component, 1, 'scalar') as ArrayableType<D, A>;
}

function tuple<A>(name: string, component: Component, width: number, shape: Shape): ArrayableType<A, A> {
	return new ValueType<A>(name, component, width, shape) as ArrayableType<A, A>;
}

function other<D>(name: string): ValueType<D> {
	return new ValueType<D>(name, 'other', 1, 'scalar');
}

const BY_NAME = new Map<string, ValueType>();
for (const type of Object.values(T) as ValueType[]) {
	BY_NAME.set(type.name, type);
	if (type.hasArray) BY_NAME.set(type.array.name, type.array as ValueType);
}
