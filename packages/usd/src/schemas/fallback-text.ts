import { UsageTypeError } from '@manyworlds/core';
import { halfToNumber, numberToHalf } from '@manyworlds/core/internal';
import { makeValue, type Value } from '../sdf/value.ts';
import type { ValueType } from '../sdf/value-type.ts';

/** The value that the text of a schema table stands for. Throws for text that is not a value of the type. */
export function parseFallback(text: string, type: ValueType): Value {
	if (type.component === 'text') {
		const texts = Array.from(text.matchAll(TEXT_ELEMENT), (match) => unquote(match[0]));
		return makeValue(type, type.isArray ? texts : one(texts, text, type));
	}
	if (type.component === 'other') throw new UsageTypeError(`a fallback of type ${type.name} cannot be written`);
	const words = text.match(WORD) ?? [];
	if (words.length % type.width !== 0) throw mistake(text, type);
	if (type.component === 'int64' || type.component === 'uint64') {
		const numbers = words.map((word) => BigInt(word));
		if (!type.isArray) return makeValue(type, one(numbers, text, type));
		return makeValue(type, type.component === 'int64' ? BigInt64Array.from(numbers) : BigUint64Array.from(numbers));
	}
	const numbers = words.map((word) => toNumber(word, text, type));
	if (type.shape === 'quaternion') realLast(numbers);
	if (type.isArray || type.width > 1) {
		if (!type.isArray && numbers.length !== type.width) throw mistake(text, type);
		return makeValue(type, pack(numbers, type));
	}
	const number = one(numbers, text, type);
	if (type.component === 'bool') return makeValue(type, number !== 0);
	const stored = pack([number], type)[0]!;
	return makeValue(type, type.component === 'half' ? halfToNumber(stored) : stored);
}

const TEXT_ELEMENT = /"(?:[^"\\]|\\.)*"|@[^@]*@/g;
const WORD = /[-+.\w]+/g;

function unquote(text: string): string {
	return text.startsWith('@') ? text.slice(1, -1) : (JSON.parse(text) as string);
}

function one<V>(values: readonly V[], text: string, type: ValueType): V {
	if (values.length !== 1) throw mistake(text, type);
	return values[0]!;
}

function mistake(text: string, type: ValueType): UsageTypeError {
	return new UsageTypeError(`'${text}' is not a value of type ${type.name}`);
}

function toNumber(word: string, text: string, type: ValueType): number {
	switch (word) {
		case 'true':
			return 1;
		case 'false':
			return 0;
		case 'inf':
			return Number.POSITIVE_INFINITY;
		case '-inf':
			return Number.NEGATIVE_INFINITY;
		case 'nan':
			return Number.NaN;
	}
	const number = Number(word);
	if (Number.isNaN(number)) throw mistake(text, type);
	return number;
}

/** Text has the real part first, memory has it last. */
function realLast(numbers: number[]): void {
	for (let i = 0; i + 3 < numbers.length; i += 4) {
		const real = numbers[i]!;
		numbers.copyWithin(i, i + 1, i + 4);
		numbers[i + 3] = real;
	}
}

function pack(numbers: readonly number[], type: ValueType): ArrayLike<number> {
	switch (type.component) {
		case 'bool':
		case 'uchar':
			return Uint8Array.from(numbers);
		case 'int':
			return Int32Array.from(numbers);
		case 'uint':
			return Uint32Array.from(numbers);
		case 'half':
			return Uint16Array.from(numbers, numberToHalf);
		case 'float':
			return Float32Array.from(numbers);
		default:
			return Float64Array.from(numbers);
	}
}
