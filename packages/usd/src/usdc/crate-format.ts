import { T, type ValueType } from '../sdf/value-type.ts';

/** First bytes of every crate file. */
export const CRATE_IDENT = 'PXR-USDC';
/** Identifier, version, table-of-contents offset and reserved words. */
export const BOOTSTRAP_SIZE = 88;
/** A table-of-contents entry: 16 bytes of name, start, size. */
export const SECTION_ENTRY_SIZE = 32;
export const SECTION_NAME_SIZE = 16;

/** Sections that this version understands, in the order in which they are written. */
export const KNOWN_SECTIONS = ['TOKENS', 'STRINGS', 'FIELDS', 'FIELDSETS', 'PATHS', 'SPECS'] as const;
export type KnownSection = (typeof KNOWN_SECTIONS)[number];

/** Ends a run of field indexes in the FIELDSETS section. */
export const FIELD_SET_END = 0xffffffff;

/** Arrays with fewer elements are never compressed, whatever their representation says. */
export const MIN_COMPRESSED_ARRAY_SIZE = 16;

/** Oldest and newest minor version of major version 0 that can be read. */
export const MIN_MINOR_VERSION = 4;
export const MAX_MINOR_VERSION = 16;

/** A crate version, such as 0.8.0. */
export interface CrateVersion {
	readonly major: number;
	readonly minor: number;
	readonly patch: number;
}

/** `0.8.0` */
export function formatCrateVersion(version: CrateVersion): string {
	return `${version.major}.${version.minor}.${version.patch}`;
}

/** Flags in the high word of a value representation; the type number is in its bits 16 to 23. */
export const RepFlag = {
	array: 0x80000000,
	inlined: 0x40000000,
	compressed: 0x20000000,
	arrayEdit: 0x10000000,
} as const;

/** Type numbers of value representations. */
export const CrateType = {
	bool: 1,
	uchar: 2,
	int: 3,
	uint: 4,
	int64: 5,
	uint64: 6,
	half: 7,
	float: 8,
	double: 9,
	string: 10,
	token: 11,
	asset: 12,
	matrix2d: 13,
	matrix3d: 14,
	matrix4d: 15,
	quatd: 16,
	quatf: 17,
	quath: 18,
	double2: 19,
	float2: 20,
	half2: 21,
	int2: 22,
	double3: 23,
	float3: 24,
	half3: 25,
	int3: 26,
	double4: 27,
	float4: 28,
	half4: 29,
	int4: 30,
	dictionary: 31,
	tokenListOp: 32,
	stringListOp: 33,
	pathListOp: 34,
	referenceListOp: 35,
	intListOp: 36,
	int64ListOp: 37,
	uintListOp: 38,
	uint64ListOp: 39,
	pathVector: 40,
	tokenVector: 41,
	specifier: 42,
	permission: 43,
	variability: 44,
	variantSelectionMap: 45,
	timeSamples: 46,
	payload: 47,
	doubleVector: 48,
	layerOffsetVector: 49,
	stringVector: 50,
	valueBlock: 51,
	value: 52,
	unregistered: 53,
	unregisteredListOp: 54,
	payloadListOp: 55,
	timecode: 56,
	pathExpression: 57,
	relocates: 58,
	spline: 59,
	animationBlock: 60,
	duration: 61,
} as const;

/** Types with the same meaning in memory, by type number. `payload` and `value` have none of their own. */
export const VALUE_TYPES: readonly (ValueType | undefined)[] = buildValueTypes();

/** Type number of a value type that is not an array. */
export const CRATE_TYPES: ReadonlyMap<ValueType, number> = new Map(
	VALUE_TYPES.flatMap((type, code) => (type === undefined ? [] : [[type, code] as const])),
);

function buildValueTypes(): (ValueType | undefined)[] {
	const types: (ValueType | undefined)[] = [];
	const byName = new Map<string, ValueType>(Object.entries(T));
	for (const [name, code] of Object.entries(CrateType)) types[code] = byName.get(name);
	return types;
}

/** Names of the element tokens that the specifier, permission and variability numbers stand for. */
export const SPECIFIERS = ['def', 'over', 'class'] as const;
export const PERMISSIONS = ['public', 'private'] as const;
export const VARIABILITIES = ['varying', 'uniform'] as const;

/** Bits of the first byte of a list-op. The lists follow in the order explicit, added, prepended, appended, deleted, ordered. */
export const ListOpBit = {
	isExplicit: 1,
	explicitItems: 2,
	addedItems: 4,
	deletedItems: 8,
	orderedItems: 16,
	prependedItems: 32,
	appendedItems: 64,
} as const;
