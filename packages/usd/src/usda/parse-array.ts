import { makeValue, type Value } from '../sdf/value.ts';
import type { ValueType } from '../sdf/value-type.ts';
import {
	grownReals,
	INTEGER_RANGES,
	makeComponents,
	nextItem,
	readBigInteger,
	readBool,
	readComponent,
	readText,
	readTuple,
	storeComponents,
} from './parse-scalar.ts';
import { MAX_VALUE_DEPTH, type ParserState } from './parser-state.ts';

const BRACKET_OPEN = 0x5b;
const BRACKET_CLOSE = 0x5d;
const PAREN_OPEN = 0x28;
const PAREN_CLOSE = 0x29;
const COMMA = 0x2c;
const SPACE = 0x20;
const MINUS = 0x2d;
const DOT = 0x2e;
const ZERO = 0x30;

const POWERS_OF_TEN = Float64Array.from({ length: 16 }, (_, i) => Number(`1e${i}`));

/** Reads a list in brackets as a value of the array type `type`. */
export function readArray(p: ParserState, type: ValueType): Value {
	const start = p.pos;
	p.expect(BRACKET_OPEN);
	p.skipInline();
	if (p.accept(BRACKET_CLOSE)) return makeValue(type, emptyData(type));
	p.skipAll();
	if (p.bytes[p.pos] === BRACKET_CLOSE) p.fail('USDA014', "line end in an empty list, expected '[]'", start, p.pos + 1);
	if (p.isAtEnd) p.failExpected('a value');
	const nested = p.bytes[p.pos] === BRACKET_OPEN ? new NestedLists(p, start) : undefined;
	switch (type.component) {
		case 'text':
			return makeValue(type, readTexts(p, type, nested));
		case 'bool':
			return makeValue(type, readBools(p, nested));
		case 'int64':
		case 'uint64':
			return makeValue(type, readBigIntegers(p, type, nested));
		default:
			return makeValue(type, readNumbers(p, type, nested));
	}
}

function emptyData(type: ValueType): unknown {
	if (type.component === 'text') return [];
	if (type.component === 'int64') return new BigInt64Array(0);
	if (type.component === 'uint64') return new BigUint64Array(0);
	return makeComponents(type.component, 0);
}

/**
 * Goes from element to element of lists inside lists, which give one flat array and must all have the same shape
 * (kept from times when arrays had more than one dimension).
 */
class NestedLists {
	readonly #p: ParserState;
	readonly #start: number;
	/** Items per list at each depth, -1 until the first one has closed. */
	readonly #shape: number[] = [];
	readonly #counts: number[] = [0];
	#depth = 1;
	#elementDepth = -1;

	constructor(p: ParserState, start: number) {
		this.#p = p;
		this.#start = start;
		this.#enter();
	}

	/** Goes to the next element; false after the outermost closing bracket. */
	next(): boolean {
		if (this.#elementDepth < 0) this.#elementDepth = this.#depth;
		this.#counts[this.#depth - 1]!++;
		while (!nextItem(this.#p, BRACKET_CLOSE)) {
			this.#leave();
			if (this.#depth === 0) return false;
		}
		this.#enter();
		return true;
	}

	#enter(): void {
		const p = this.#p;
		while (p.accept(BRACKET_OPEN)) {
			p.skipAll();
			this.#counts[this.#depth++] = 0;
			if (this.#depth > MAX_VALUE_DEPTH) {
				p.fail('USDA015', `lists are nested deeper than ${MAX_VALUE_DEPTH} levels`, this.#start, p.pos);
			}
			if (p.bytes[p.pos] === BRACKET_CLOSE) p.failExpected('a value');
		}
		if (this.#elementDepth >= 0 && this.#depth !== this.#elementDepth) this.#fail();
	}

	#leave(): void {
		const count = this.#counts[--this.#depth]!;
		const known = this.#shape[this.#depth];
		if (known !== undefined && known !== count) this.#fail();
		this.#shape[this.#depth] = count;
		if (this.#depth > 0) this.#counts[this.#depth - 1]!++;
	}

	#fail(): never {
		return this.#p.fail('USDA034', 'lists inside a list differ in length or depth', this.#start, this.#p.pos);
	}
}

function next(p: ParserState, nested: NestedLists | undefined): boolean {
	return nested === undefined ? nextItem(p, BRACKET_CLOSE) : nested.next();
}

function readTexts(p: ParserState, type: ValueType, nested: NestedLists | undefined): string[] {
	const texts: string[] = [];
	do texts.push(readText(p, type));
	while (next(p, nested));
	return texts;
}

function readBools(p: ParserState, nested: NestedLists | undefined): Uint8Array {
	let count = 0;
	do {
		const value = readBool(p);
		if (count === p.reals.length) p.reals = grownReals(p.reals, count + 1);
		p.reals[count++] = value ? 1 : 0;
	} while (next(p, nested));
	return Uint8Array.from(p.reals.subarray(0, count));
}

function readBigIntegers(
	p: ParserState,
	type: ValueType,
	nested: NestedLists | undefined,
): BigInt64Array | BigUint64Array {
	let data = new BigInt64Array(64);
	let halves = new Uint32Array(data.buffer);
	let count = 0;
	const { bytes } = p;
	do {
		if (count === data.length) {
			const grown = new BigInt64Array(count * 2);
			grown.set(data);
			data = grown;
			halves = new Uint32Array(data.buffer);
		}
		if (p.isAtEnd) p.failExpected('a value');
		// up to 15 digits fit a double: split it into halves without making a bigint
		let at = p.pos;
		const isNegative = bytes[at] === MINUS;
		if (isNegative) at++;
		const digitsStart = at;
		let magnitude = 0;
		let digit = bytes[at]! - ZERO;
		while (digit >>> 0 < 10) {
			magnitude = magnitude * 10 + digit;
			digit = bytes[++at]! - ZERO;
		}
		const digits = at - digitsStart;
		const isPlain = digits > 0 && digits <= 15 && digit !== DOT - ZERO && ((digit + ZERO) | 0x20) !== 0x65;
		if (isPlain && IS_LITTLE_ENDIAN && !(isNegative && type.component === 'uint64')) {
			p.pos = at;
			const value = isNegative ? -magnitude : magnitude;
			halves[count * 2] = value % 2 ** 32;
			halves[count * 2 + 1] = Math.floor(value / 2 ** 32);
		} else data[count] = readBigInteger(p, type);
		count++;
	} while (next(p, nested));
	const result = data.slice(0, count);
	return type.component === 'uint64' ? new BigUint64Array(result.buffer) : result;
}

const IS_LITTLE_ENDIAN = new Uint8Array(Uint16Array.of(1).buffer)[0] === 1;

function readNumbers(p: ParserState, type: ValueType, nested: NestedLists | undefined): unknown {
	const { width } = type;
	let count = 0;
	if (nested === undefined && type.shape !== 'matrix') count = readFlatNumbers(p, type);
	else {
		do {
			if (count + width > p.reals.length) p.reals = grownReals(p.reals, count + width);
			if (width === 1) p.reals[count] = readComponent(p, type);
			else readTuple(p, type, count, p.pos);
			count += width;
		} while (next(p, nested));
	}
	const data = makeComponents(type.component, count);
	storeComponents(type, p.reals, count, data);
	return data;
}

/**
 * Reads the elements of a list up to and including its bracket into `p.reals`. This is where array-heavy files spend their
 * time: numbers of up to 15 digits without an exponent are read in place, the rest and all mistakes go the careful way.
 */
function readFlatNumbers(p: ParserState, type: ValueType): number {
	const { bytes } = p;
	const { width } = type;
	const range = INTEGER_RANGES[type.component];
	const isInteger = range !== undefined;
	const low = range?.low ?? 0;
	const high = range?.high ?? 0;
	let { reals } = p;
	let capacity = reals.length - width;
	let count = 0;
	let at = p.pos;
	for (;;) {
		if (count > capacity) {
			reals = grownReals(reals, count + width);
			p.reals = reals;
			capacity = reals.length - width;
		}
		const elementStart = at;
		const elementEnd = count + width;
		if (width > 1) {
			if (bytes[at] !== PAREN_OPEN) {
				p.pos = at;
				readTuple(p, type, count, at);
			}
			at++;
		}
		// the components of one element
		for (;;) {
			const start = at;
			const isNegative = bytes[at] === MINUS;
			if (isNegative) at++;
			const digitsStart = at;
			let mantissa = 0;
			let digit = bytes[at]! - ZERO;
			while (digit >>> 0 < 10) {
				mantissa = mantissa * 10 + digit;
				digit = bytes[++at]! - ZERO;
			}
			let digits = at - digitsStart;
			if (digit === DOT - ZERO) {
				const fractionStart = ++at;
				digit = bytes[at]! - ZERO;
				while (digit >>> 0 < 10) {
					mantissa = mantissa * 10 + digit;
					digit = bytes[++at]! - ZERO;
				}
				const fraction = at - fractionStart;
				digits = digits === 0 && fraction === 0 ? 16 : digits + fraction;
				if (digits <= 15) mantissa /= POWERS_OF_TEN[fraction]!;
			}
			// the byte after the number: anything but a comma, a bracket or a blank goes the careful way
			if (
				(digits - 1) >>> 0 < 15 &&
				(digit === COMMA - ZERO || digit === PAREN_CLOSE - ZERO || digit === BRACKET_CLOSE - ZERO)
			) {
				if (isNegative) mantissa = -mantissa;
				if (isInteger) {
					mantissa = Math.trunc(mantissa) + 0;
					if (mantissa < low || mantissa > high) {
						p.pos = start;
						readComponent(p, type);
					}
				}
				reals[count++] = mantissa;
			} else {
				p.pos = start;
				if (width > 1) {
					p.skipAll();
					if (bytes[p.pos] === PAREN_CLOSE || bytes[p.pos] === PAREN_OPEN) {
						p.pos = elementStart;
						readTuple(p, type, elementEnd - width, elementStart);
					}
				}
				const value = readComponent(p, type);
				reals[count++] = value;
				at = p.pos;
			}
			if (width === 1) break;
			if (bytes[at] === COMMA && count < elementEnd) {
				at++;
				if (bytes[at] === SPACE) at++;
				continue;
			}
			if (bytes[at] === PAREN_CLOSE && count === elementEnd) {
				at++;
				break;
			}
			// blanks or comments at unusual places, or the wrong number of items: read the element again with care
			p.pos = elementStart;
			readTuple(p, type, elementEnd - width, elementStart);
			reals = p.reals;
			count = elementEnd;
			at = p.pos;
			break;
		}
		if (bytes[at] === COMMA) {
			at++;
			if (bytes[at] === SPACE) at++;
			const first = bytes[at]!;
			if (first === PAREN_OPEN || (first - ZERO) >>> 0 < 10 || first === MINUS) continue;
			p.pos = at;
			p.skipAll();
			if (p.accept(BRACKET_CLOSE)) return count;
		} else {
			p.pos = at;
			if (!nextItem(p, BRACKET_CLOSE)) return count;
		}
		if (p.isAtEnd) p.failExpected('a value');
		if (bytes[p.pos] === BRACKET_OPEN) {
			p.fail('USDA034', 'a list inside a list of single values', p.pos, p.pos + 1);
		}
		at = p.pos;
	}
}
