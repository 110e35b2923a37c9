import { quote } from '@manyworlds/core';
import { halfToNumber, numberToHalf } from '@manyworlds/core/internal';
import { type Component, T, type ValueType } from '../sdf/value-type.ts';
import { normalizePathExpression } from './normalize-path-expression.ts';
import { NumberKind, parseBigInteger } from './number-parser.ts';
import type { ParserState } from './parser-state.ts';

const PAREN_OPEN = 0x28;
const PAREN_CLOSE = 0x29;
const COMMA = 0x2c;

/** Reads one element that is not made of text: a number, a boolean or a tuple. Gives the data of a value of `type`. */
export function readElement(p: ParserState, type: ValueType): unknown {
	if (type.width === 1) return readScalar(p, type);
	const start = p.pos;
	const { reals } = p;
	readTuple(p, type, 0, start);
	const data = makeComponents(type.component, type.width);
	storeComponents(type, reals, type.width, data);
	return data;
}

/** Reads one scalar: the data of a value of `type`, whose width is 1. */
export function readScalar(p: ParserState, type: ValueType): unknown {
	switch (type.component) {
		case 'text':
			return readText(p, type);
		case 'bool':
			return readBool(p);
		case 'int64':
		case 'uint64':
			return readBigInteger(p, type);
		case 'float':
			return Math.fround(readComponent(p, type));
		case 'half':
			return halfToNumber(numberToHalf(readComponent(p, type)));
		default:
			return readComponent(p, type);
	}
}

/** Reads one component of a numeric type other than bool and the 64-bit integers, not yet rounded to 32 or 16 bits. */
export function readComponent(p: ParserState, type: ValueType): number {
	const start = p.pos;
	if (!p.isAtNumber()) return readNamedReal(p, type);
	const kind = p.number();
	const range = INTEGER_RANGES[type.component];
	if (range === undefined) {
		if (kind === NumberKind.integer && (p.value > 2 ** 53 || p.value < -(2 ** 53))) return roundInteger(p, start, type);
		return p.value;
	}
	const value = Math.trunc(p.value);
	if (!(value >= range.low && value <= range.high)) failRange(p, type, start);
	// no negative zero
	return value + 0;
}

/** Reads text: a quoted string, or for asset types also an asset path. */
export function readText(p: ParserState, type: ValueType): string {
	if (p.isAtString()) {
		const start = p.pos;
		const text = p.string();
		return type.element === (T.pathExpression as ValueType) ? readExpression(p, text, start) : text;
	}
	if (type.element.name === 'asset' && p.isAtAsset()) return p.assetPath();
	return failType(p, type.element);
}

/** A path expression in canonical spelling; one that is malformed is reported and stays as written. */
function readExpression(p: ParserState, text: string, start: number): string {
	const expression = normalizePathExpression(text);
	if (expression === undefined) {
		p.addError('USDA053', `${quote(text)} is not a valid path expression`, start, p.pos);
	}
	return expression ?? text;
}

/** Reads a boolean: a number, or one of the words for yes and no, quoted or not. */
export function readBool(p: ParserState): boolean {
	const start = p.pos;
	if (p.isAtNumber()) {
		p.number();
		return p.value !== 0;
	}
	let word: string;
	if (p.isAtString()) word = p.string();
	else {
		const number = p.identifier();
		if (number < 0) return p.failExpected('a boolean (true or false)');
		word = p.text(number);
	}
	const known = BOOLEANS[word.toLowerCase()];
	if (known === undefined) {
		p.fail('USDA030', `${quote(word)} is not a boolean, expected true, false, yes, no, 0 or 1`, start, p.pos);
	}
	return known;
}

/** Reads a 64-bit integer. */
export function readBigInteger(p: ParserState, type: ValueType): bigint {
	const start = p.pos;
	if (!p.isAtNumber()) return failType(p, type.element);
	const kind = p.number();
	const isUnsigned = type.component === 'uint64';
	const low = isUnsigned ? 0n : -(2n ** 63n);
	const high = isUnsigned ? 2n ** 64n - 1n : 2n ** 63n - 1n;
	if (!Number.isFinite(p.value)) return failRange(p, type, start);
	const value = kind === NumberKind.integer ? parseBigInteger(p.bytes, start, p.pos) : BigInt(Math.trunc(p.value));
	if (value === undefined || value < low || value > high) return failRange(p, type, start);
	return value;
}

/**
 * Reads the tuple of a vector, quaternion or matrix into `p.reals` from `at` on, in the order of the text.
 * @param start - where the value begins, for messages
 */
export function readTuple(p: ParserState, type: ValueType, at: number, start: number): void {
	if (p.reals.length < at + type.width) p.reals = grownReals(p.reals, at + type.width);
	if (type.shape === 'matrix') {
		const size = Math.sqrt(type.width);
		let row = 0;
		openTuple(p, type, start);
		for (;;) {
			if (row === size) failArity(p, type, start);
			if (p.bytes[p.pos] !== PAREN_OPEN) failTupleDepth(p, type, start);
			readRow(p, type, at + row * size, size, start);
			row++;
			if (!nextItem(p, PAREN_CLOSE)) break;
		}
		if (row !== size) failArity(p, type, start);
	} else readRow(p, type, at, type.width, start);
}

function readRow(p: ParserState, type: ValueType, at: number, width: number, start: number): void {
	openTuple(p, type, start);
	for (let i = 0; ; i++) {
		if (p.bytes[p.pos] === PAREN_OPEN) failTupleDepth(p, type, start);
		const value = readComponent(p, type);
		if (i >= width) failArity(p, type, start);
		p.reals[at + i] = value;
		if (!nextItem(p, PAREN_CLOSE)) {
			if (i + 1 !== width) failArity(p, type, start);
			return;
		}
	}
}

function openTuple(p: ParserState, type: ValueType, start: number): void {
	if (!p.accept(PAREN_OPEN)) {
		const what = p.isAtNumber() ? 'a single number' : p.describe(p.pos);
		p.fail('USDA032', `found ${what}, expected ${tupleText(type)} for ${type.element.name}`, start, p.tokenEnd(p.pos));
	}
	p.skipAll();
}

/**
 * After an item of a list or tuple: goes to the next item, or past `close`. A line end may follow the comma but not precede
 * it (AOUSD 16.2); a comma may precede `close`.
 */
export function nextItem(p: ParserState, close: number): boolean {
	p.skipInline();
	if (p.accept(COMMA)) {
		p.skipAll();
		return !p.accept(close);
	}
	p.skipAll();
	if (p.accept(close)) return false;
	if (p.bytes[p.pos] === COMMA) p.fail('USDA014', "line end before ',', expected it after the ','", p.pos, p.pos + 1);
	return p.failExpected(`',' or '${String.fromCharCode(close)}'`);
}

/** Makes the typed array that holds `count` components. */
export function makeComponents(component: Component, count: number): NumericArray {
	switch (component) {
		case 'bool':
		case 'uchar':
			return new Uint8Array(count);
		case 'int':
			return new Int32Array(count);
		case 'uint':
			return new Uint32Array(count);
		case 'half':
			return new Uint16Array(count);
		case 'float':
			return new Float32Array(count);
		default:
			return new Float64Array(count);
	}
}

/** Arrays of components other than 64-bit integers. */
export type NumericArray = Uint8Array | Int32Array | Uint32Array | Uint16Array | Float32Array | Float64Array;

/** Copies components in the order of the text to `data`, rounding them and putting quaternions in memory order. */
export function storeComponents(type: ValueType, reals: Float64Array, count: number, data: NumericArray): void {
	if (type.shape === 'quaternion') {
		// text has the real part first, memory last
		for (let i = 0; i < count; i += 4) {
			const real = reals[i]!;
			reals[i] = reals[i + 1]!;
			reals[i + 1] = reals[i + 2]!;
			reals[i + 2] = reals[i + 3]!;
			reals[i + 3] = real;
		}
	}
	if (type.component === 'half') for (let i = 0; i < count; i++) data[i] = numberToHalf(reals[i]!);
	else if (count <= FEW_COMPONENTS) for (let i = 0; i < count; i++) data[i] = reals[i]!;
	else data.set(reals.subarray(0, count));
}

/** Components that are copied one by one: a view on them would cost more. */
const FEW_COMPONENTS = 64;

/** A longer copy of the scratch array. */
export function grownReals(reals: Float64Array, needed: number): Float64Array {
	const grown = new Float64Array(Math.max(needed, reals.length * 2));
	grown.set(reals);
	return grown;
}

/** The smallest and largest values of the integer types that fit a double. */
export const INTEGER_RANGES: Readonly<Partial<Record<Component, { readonly low: number; readonly high: number }>>> = {
	uchar: { low: 0, high: 255 },
	int: { low: -(2 ** 31), high: 2 ** 31 - 1 },
	uint: { low: 0, high: 2 ** 32 - 1 },
};

const BOOLEANS: Readonly<Record<string, boolean | undefined>> = {
	true: true,
	yes: true,
	1: true,
	false: false,
	no: false,
	0: false,
};

const NAMED_REALS: Readonly<Record<string, number | undefined>> = {
	inf: Number.POSITIVE_INFINITY,
	'-inf': Number.NEGATIVE_INFINITY,
	nan: Number.NaN,
};

/** A real number written as a quoted word. */
function readNamedReal(p: ParserState, type: ValueType): number {
	if (INTEGER_RANGES[type.component] === undefined && p.isAtString()) {
		const start = p.pos;
		const named = NAMED_REALS[p.string()];
		if (named !== undefined) return named;
		p.pos = start;
	}
	return failType(p, type.element);
}

/** An integer literal beyond 2^53 as a real: rounded once to the type, or read as a double when it exceeds 64 bits. */
function roundInteger(p: ParserState, start: number, type: ValueType): number {
	const literal = parseBigInteger(p.bytes, start, p.pos);
	if (literal === undefined || literal > 2n ** 64n - 1n || literal < -(2n ** 63n)) {
		p.warn('USDA066', 'integer does not fit 64 bits, it is read as a double', start, p.pos);
		return p.value;
	}
	if (type.component === 'double') return p.value;
	// to 32-bit floats in one step: 24 bits are kept, ties to even
	const magnitude = literal < 0n ? -literal : literal;
	const shift = BigInt(magnitude.toString(2).length - 24);
	const half = 1n << (shift - 1n);
	let kept = magnitude >> shift;
	const rest = magnitude - (kept << shift);
	if (rest > half || (rest === half && (kept & 1n) === 1n)) kept++;
	return Number(kept << shift) * (literal < 0n ? -1 : 1);
}

/** Leaves the statement because what stands here is no value of `type`. */
export function failType(p: ParserState, type: ValueType): never {
	const { pos } = p;
	const byte = p.bytes[pos]!;
	if (byte === PAREN_OPEN) return failTupleDepth(p, type, pos);
	if (byte === 0x5b)
		p.fail('USDA036', `found a list, expected one ${type.name} (a list needs the type ${type.name}[])`, pos);
	const isValue = p.isAtNumber() || p.isAtString() || p.isAtIdentifier() || byte === 0x40 || byte === 0x3c;
	if (!isValue) p.failExpected(`a value of type ${type.name}`);
	return p.fail('USDA030', `found ${p.describe(pos)}, expected ${typePhrase(type)}`, pos, p.tokenEnd(pos));
}

function typePhrase(type: ValueType): string {
	switch (type.component) {
		case 'text':
			return type.name === 'asset' ? "an asset path in '@'" : `a quoted string for ${type.name}`;
		case 'bool':
			return 'a boolean';
		default:
			return `a number for ${type.name}`;
	}
}

function failRange(p: ParserState, type: ValueType, start: number): never {
	const name = type.element.name;
	return p.fail('USDA031', `${p.slice(start, Math.min(p.pos, start + 40))} is out of range for ${name}`, start, p.pos);
}

function failArity(p: ParserState, type: ValueType, start: number): never {
	return p.fail(
		'USDA032',
		`tuple has the wrong number of items, expected ${tupleText(type)} for ${type.element.name}`,
		start,
		p.pos,
	);
}

function failTupleDepth(p: ParserState, type: ValueType, start: number): never {
	const expected =
		type.width === 1 ? `a single value for ${type.element.name}` : `${tupleText(type)} for ${type.element.name}`;
	return p.fail('USDA033', `tuples are nested wrongly, expected ${expected}`, start, p.pos + 1);
}

function tupleText(type: ValueType): string {
	if (type.shape !== 'matrix') return `a tuple of ${type.width} numbers`;
	const size = Math.sqrt(type.width);
	return `a tuple of ${size} tuples of ${size} numbers`;
}
