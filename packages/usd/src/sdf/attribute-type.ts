import { T, type ValueType } from './value-type.ts';

/** What the components of a value mean. */
export type Role =
	| ''
	| 'Point'
	| 'Vector'
	| 'Normal'
	| 'Color'
	| 'TextureCoordinate'
	| 'Frame'
	| 'Transform'
	| 'PointIndex'
	| 'EdgeIndex'
	| 'FaceIndex'
	| 'Group';

/** A type name that an attribute or dictionary entry may declare. */
export interface AttributeType {
	/** The name to write: legacy names give their present ones where one exists. */
	readonly name: string;
	/** Undefined for `opaque` and `group`, which never have a value. */
	readonly valueType: ValueType | undefined;
	readonly role: Role;
	/** Read for old files; new files use `name` of the equal type. */
	readonly isLegacy: boolean;
}

/** The attribute type with this name, `[]` included, or undefined for one that nobody defines. */
export function findAttributeType(name: string): AttributeType | undefined {
	return TYPES.get(name);
}

/** Every defined attribute type name, in the order of definition. */
export function attributeTypeNames(): IterableIterator<string> {
	return TYPES.keys();
}

const TYPES = new Map<string, AttributeType>();

function define(name: string, valueType: ValueType | undefined, role: Role = '', isLegacy = false): void {
	TYPES.set(name, { name, valueType, role, isLegacy });
	if (valueType !== undefined) {
		TYPES.set(`${name}[]`, { name: `${name}[]`, valueType: valueType.array, role, isLegacy });
	}
}

function defineRole(prefix: string, role: Role, widths: readonly number[]): void {
	const vectors = {
		h: [T.half2, T.half3, T.half4],
		f: [T.float2, T.float3, T.float4],
		d: [T.double2, T.double3, T.double4],
	};
	for (const width of widths) {
		for (const [letter, types] of Object.entries(vectors))
			define(`${prefix}${width}${letter}`, types[width - 2]!, role);
	}
}

for (const type of Object.values(T) as ValueType[]) {
	if (type.hasArray) define(type.name, type);
}
define('opaque', undefined);
define('group', undefined, 'Group');
defineRole('point', 'Point', [3]);
defineRole('vector', 'Vector', [3]);
defineRole('normal', 'Normal', [3]);
defineRole('color', 'Color', [3, 4]);
defineRole('texCoord', 'TextureCoordinate', [2, 3]);
define('frame4d', T.matrix4d, 'Frame');

const LEGACY: readonly (readonly [string, ValueType, Role])[] = [
	['Vec2i', T.int2, ''],
	['Vec2h', T.half2, ''],
	['Vec2f', T.float2, ''],
	['Vec2d', T.double2, ''],
	['Vec3i', T.int3, ''],
	['Vec3h', T.half3, ''],
	['Vec3f', T.float3, ''],
	['Vec3d', T.double3, ''],
	['Vec4i', T.int4, ''],
	['Vec4h', T.half4, ''],
	['Vec4f', T.float4, ''],
	['Vec4d', T.double4, ''],
	['Point', T.double3, 'Point'],
	['PointFloat', T.float3, 'Point'],
	['Normal', T.double3, 'Normal'],
	['NormalFloat', T.float3, 'Normal'],
	['Vector', T.double3, 'Vector'],
	['VectorFloat', T.float3, 'Vector'],
	['Color', T.double3, 'Color'],
	['ColorFloat', T.float3, 'Color'],
	['Quath', T.quath, ''],
	['Quatf', T.quatf, ''],
	['Quatd', T.quatd, ''],
	['Matrix2d', T.matrix2d, ''],
	['Matrix3d', T.matrix3d, ''],
	['Matrix4d', T.matrix4d, ''],
	['Frame', T.matrix4d, 'Frame'],
	['Transform', T.matrix4d, 'Transform'],
	['PointIndex', T.int, 'PointIndex'],
	['EdgeIndex', T.int, 'EdgeIndex'],
	['FaceIndex', T.int, 'FaceIndex'],
];

for (const [name, valueType, role] of LEGACY) define(name, valueType, role, true);
