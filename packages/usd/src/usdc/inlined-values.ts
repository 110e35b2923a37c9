import { halfToNumber, numberToHalf } from '@manyworlds/core/internal';
import { EMPTY_DICTIONARY, makeValue, type Value } from '../sdf/value.ts';
import { T, type ValueType } from '../sdf/value-type.ts';
import { createNumbers } from './array-reader.ts';
import { CrateFault } from './crate-fault.ts';
import { CrateType, PERMISSIONS, SPECIFIERS, VALUE_TYPES, VARIABILITIES } from './crate-format.ts';

/** Finds texts by their indexes. */
export interface TextTables {
	token(index: number): string;
	string(index: number): string;
}

const TRUE: Value = makeValue(T.bool, true) as Value;
const FALSE: Value = makeValue(T.bool, false) as Value;
const BLOCK: Value = makeValue(T.valueBlock, null) as Value;
const ANIMATION_BLOCK: Value = makeValue(T.animationBlock, null) as Value;
const EMPTY: Value = makeValue(T.dictionary, EMPTY_DICTIONARY) as Value;
const SPECIFIER_VALUES: readonly Value[] = SPECIFIERS.map((name) => makeValue(T.specifier, name) as Value);
const PERMISSION_VALUES: readonly Value[] = PERMISSIONS.map((name) => makeValue(T.permission, name) as Value);
const VARIABILITY_VALUES: readonly Value[] = VARIABILITIES.map((name) => makeValue(T.variability, name) as Value);

const scratch = new DataView(new ArrayBuffer(4));

/**
 * The value stored in the representation itself: always for types of up to four bytes, text and enumerations; for
 * others when they are marked so. Undefined when the value lies elsewhere in the file.
 */
export function readInlined(code: number, low: number, isInlined: boolean, texts: TextTables): Value | undefined {
	switch (code) {
		case CrateType.bool:
			return (low & 255) === 0 ? FALSE : TRUE;
		case CrateType.uchar:
			return makeValue(T.uchar, low & 255);
		case CrateType.int:
			return makeValue(T.int, low | 0);
		case CrateType.uint:
			return makeValue(T.uint, low >>> 0);
		case CrateType.half:
			return makeValue(T.half, halfToNumber(low & 0xffff));
		case CrateType.float:
			return makeValue(T.float, bitsToFloat(low));
		case CrateType.half2:
			return makeValue(T.half2, Uint16Array.of(low & 0xffff, low >>> 16));
		case CrateType.string:
			return makeValue(T.string, texts.string(low));
		case CrateType.token:
			return makeValue(T.token, texts.token(low));
		case CrateType.asset:
			// The index of a token here, of a string in arrays.
			return makeValue(T.asset, texts.token(low));
		case CrateType.specifier:
			return enumerated(SPECIFIER_VALUES, low, 'specifier');
		case CrateType.permission:
			return enumerated(PERMISSION_VALUES, low, 'permission');
		case CrateType.variability:
			// 2 was `config`, which means uniform.
			return enumerated(VARIABILITY_VALUES, low === 2 ? 1 : low, 'variability');
		case CrateType.valueBlock:
			return BLOCK;
		case CrateType.animationBlock:
			return ANIMATION_BLOCK;
		default:
			return isInlined ? readSometimesInlined(code, low) : undefined;
	}
}

function readSometimesInlined(code: number, low: number): Value | undefined {
	switch (code) {
		case CrateType.double:
			return makeValue(T.double, bitsToFloat(low));
		case CrateType.int64:
			return makeValue(T.int64, BigInt(low | 0));
		case CrateType.uint64:
			return makeValue(T.uint64, BigInt(low >>> 0));
		case CrateType.dictionary:
			return EMPTY;
		default: {
			const type = VALUE_TYPES[code];
			if (type?.shape === 'vector') return makeValue(type, smallVector(type, low));
			return type?.shape === 'matrix' ? makeValue(type, smallDiagonal(type.width, low)) : undefined;
		}
	}
}

/** A vector whose components are the signed bytes of a word. */
function smallVector(type: ValueType, low: number): unknown {
	const data = createNumbers(type.component, type.width) as Float64Array;
	for (let i = 0; i < type.width; i++) {
		const component = (low << (24 - 8 * i)) >> 24;
		data[i] = type.component === 'half' ? numberToHalf(component) : component;
	}
	return data;
}

/** A diagonal matrix whose diagonal is the signed bytes of a word. */
function smallDiagonal(width: number, low: number): Float64Array {
	const size = Math.sqrt(width);
	const data = new Float64Array(width);
	for (let i = 0; i < size; i++) data[i * size + i] = (low << (24 - 8 * i)) >> 24;
	return data;
}

function enumerated(values: readonly Value[], index: number, what: string): Value {
	const value = values[index];
	if (value === undefined) throw new CrateFault(`the ${what} is ${index}, expected 0 to ${values.length - 1}`, 0);
	return value;
}

function bitsToFloat(bits: number): number {
	scratch.setUint32(0, bits);
	return scratch.getFloat32(0);
}

/**
 * The word that a value can be stored as in its representation, or undefined when it cannot. Only for types that are
 * sometimes stored that way. Components that are minus zero are no bytes, so that no sign is lost.
 */
export function inlineWord(type: ValueType, data: unknown): number | undefined {
	switch (type.name) {
		case 'double': {
			const number = data as number;
			if (!Number.isFinite(number) || Math.fround(number) !== number) return undefined;
			scratch.setFloat32(0, number);
			return scratch.getUint32(0);
		}
		case 'int64': {
			const integer = data as bigint;
			return BigInt.asIntN(32, integer) === integer ? Number(BigInt.asUintN(32, integer)) : undefined;
		}
		case 'uint64': {
			const integer = data as bigint;
			return BigInt.asUintN(32, integer) === integer ? Number(integer) : undefined;
		}
		case 'dictionary':
			return (data as ReadonlyMap<string, unknown>).size === 0 ? 0 : undefined;
		default:
			if (type.shape === 'vector') return vectorWord(type, data as ArrayLike<number>);
			return type.shape === 'matrix' ? diagonalWord(type.width, data as ArrayLike<number>) : undefined;
	}
}

function vectorWord(type: ValueType, data: ArrayLike<number>): number | undefined {
	let word = 0;
	for (let i = 0; i < type.width; i++) {
		const component = type.component === 'half' ? halfToNumber(data[i]!) : data[i]!;
		if (!isSignedByte(component)) return undefined;
		word |= (component & 255) << (8 * i);
	}
	return word >>> 0;
}

function diagonalWord(width: number, data: ArrayLike<number>): number | undefined {
	const size = Math.sqrt(width);
	let word = 0;
	for (let row = 0; row < size; row++) {
		for (let column = 0; column < size; column++) {
			const component = data[row * size + column]!;
			if (row !== column) {
				if (!Object.is(component, 0)) return undefined;
			} else {
				if (!isSignedByte(component)) return undefined;
				word |= (component & 255) << (8 * row);
			}
		}
	}
	return word >>> 0;
}

function isSignedByte(value: number): boolean {
	return value >= -128 && value <= 127 && Number.isInteger(value) && !Object.is(value, -0);
}

/** Indexes of texts that are being written. */
export interface TextIndexes {
	token(text: string): number;
	string(text: string): number;
}

/** The word that stands for a value of a type that is always stored in its representation; undefined for other types. */
export function inPlaceWord(code: number, data: unknown, texts: TextIndexes): number | undefined {
	switch (code) {
		case CrateType.bool:
			return data === true ? 1 : 0;
		case CrateType.uchar:
		case CrateType.int:
		case CrateType.uint:
			return (data as number) >>> 0;
		case CrateType.half:
			return numberToHalf(data as number);
		case CrateType.float:
			scratch.setFloat32(0, data as number);
			return scratch.getUint32(0);
		case CrateType.half2: {
			const halfs = data as Uint16Array;
			return (halfs[0]! | (halfs[1]! << 16)) >>> 0;
		}
		case CrateType.string:
			return texts.string(data as string);
		case CrateType.token:
		case CrateType.asset:
			return texts.token(data as string);
		case CrateType.specifier:
			return SPECIFIERS.indexOf(data as (typeof SPECIFIERS)[number]);
		case CrateType.permission:
			return PERMISSIONS.indexOf(data as (typeof PERMISSIONS)[number]);
		case CrateType.variability:
			return VARIABILITIES.indexOf(data as (typeof VARIABILITIES)[number]);
		case CrateType.valueBlock:
		case CrateType.animationBlock:
			return 0;
		default:
			return undefined;
	}
}
