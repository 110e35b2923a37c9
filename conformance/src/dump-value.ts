import { createHash } from 'node:crypto';
import { type ArrayEdit, T, type Value, type ValueType } from '@manyworlds/usd';
import { formatArrayEdit } from './dump-array-edit.ts';
import type { Json } from './json.ts';

/** Arrays up to this length are spelled out; longer ones are a count, their first elements and a hash. */
export const MAX_INLINE = 64;
const FIRST = 4;

/** A value of an attribute, sample or dictionary entry as JSON (FORMAT.md of the USD oracle, section 1). */
export function encodeValue(value: Value): Json {
	const { type, data } = value;
	switch (type as ValueType) {
		case T.valueBlock as ValueType:
			return { block: 'value' };
		case T.animationBlock as ValueType:
			return { block: 'animation' };
		case T.arrayEdit as ValueType:
			return { arrayEdit: formatArrayEdit(data as ArrayEdit) };
		case T.rawCrate as ValueType:
			return { rawCrate: String((data as { representation: bigint }).representation) };
	}
	if (type.component === 'other') throw new TypeError(`no encoding for a value of type ${type.name}`);
	if (!type.isArray) return type.width === 1 ? encodeScalar(type, data) : encodeElement(type, data as Components, 0);
	return encodeArray(type.element, data as Components);
}

/** A double as JSON: a number, or the word for one that JSON cannot hold. */
export function encodeNumber(number: number): Json {
	if (Number.isFinite(number)) return number;
	return Number.isNaN(number) ? 'nan' : number > 0 ? 'inf' : '-inf';
}

/** A float as the double with the shortest decimal that reads back as the same float. */
export function encodeFloat(number: number): Json {
	return Number.isFinite(number) ? shortestFloat(number) : encodeNumber(number);
}

/** The double with the fewest decimal digits that rounds to the float `number`. */
export function shortestFloat(number: number): number {
	if (Number.isInteger(number) && Math.abs(number) < 1e7) return number;
	for (let digits = 1; digits < 10; digits++) {
		const candidate = Number(evenPrecision(number, digits));
		if (Math.fround(candidate) === number) return candidate;
	}
	return number;
}

/** `toPrecision`, but a number halfway between two decimals gives the one that ends in an even digit. */
function evenPrecision(number: number, digits: number): string {
	const longer = number.toPrecision(digits + 1);
	const isHalfway = /5(?:e|$)/.test(longer) && Number(longer) === number;
	const rounded = number.toPrecision(digits);
	if (!isHalfway || /[02468](?:e|$)/.test(rounded)) return rounded;
	// toPrecision rounds halfway cases away from zero: the other decimal ends in the digit before
	return longer.replace(/\.?5(?=e|$)/, '');
}

/** The exact value of a half given by its bits. */
export function halfValue(bits: number): number {
	const sign = bits & 0x8000 ? -1 : 1;
	const exponent = (bits >> 10) & 0x1f;
	const fraction = bits & 0x3ff;
	if (exponent === 0) return sign * fraction * 2 ** -24;
	if (exponent === 31) return fraction === 0 ? sign * Number.POSITIVE_INFINITY : Number.NaN;
	return sign * (1 + fraction / 1024) * 2 ** (exponent - 15);
}

/** Data of a value with several components or elements. */
export type Components = ArrayLike<number | bigint | string> & { readonly buffer?: ArrayBufferLike };

function encodeArray(element: ValueType, data: Components): Json {
	const count = data.length / element.width;
	const out: Json[] = [];
	const shown = count <= MAX_INLINE ? count : FIRST;
	for (let i = 0; i < shown; i++) out.push(encodeElement(element, data, i * element.width));
	return count <= MAX_INLINE ? out : { count, first: out, sha256: hashComponents(element, data) };
}

function encodeElement(type: ValueType, data: Components, start: number): Json {
	const component = (index: number): Json => encodeComponent(type, data[start + index]!);
	switch (type.shape) {
		case 'scalar':
			return component(0);
		case 'vector':
			return Array.from({ length: type.width }, (_, i) => component(i));
		case 'quaternion':
			return [component(3), component(0), component(1), component(2)];
		case 'matrix': {
			const size = Math.sqrt(type.width);
			const row = (r: number): Json[] => Array.from({ length: size }, (_, c) => component(r * size + c));
			return Array.from({ length: size }, (_, r) => row(r));
		}
	}
}

/** A component as arrays and vectors store it: bools as bytes, halfs as bits. */
function encodeComponent(type: ValueType, stored: number | bigint | string): Json {
	if (type.component === 'half') return encodeNumber(halfValue(stored as number));
	if (type.component === 'bool') return stored !== 0;
	return encodeScalar(type, stored);
}

function encodeScalar(type: ValueType, data: unknown): Json {
	switch (type.component) {
		case 'bool':
			return data as boolean;
		case 'int64':
		case 'uint64':
			return String(data);
		case 'float':
			return encodeFloat(data as number);
		case 'half':
		case 'double':
			return encodeNumber(data as number);
		case 'text':
			return (type as ValueType) === (T.asset as ValueType) ? { asset: data as string } : (data as string);
		default:
			return data as number;
	}
}

function hashComponents(element: ValueType, data: Components): string {
	const hash = createHash('sha256');
	// usd_values.py hashes `str` of a path expression, which is what Python prints for it and not its text
	const isExpression = (element as ValueType) === (T.pathExpression as ValueType);
	if (ArrayBuffer.isView(data)) {
		hash.update(new Uint8Array(data.buffer, data.byteOffset, data.byteLength));
	} else {
		for (let i = 0; i < data.length; i++) {
			const text = String(data[i]);
			hash.update(isExpression ? `Sdf.PathExpression(${text === '' ? '' : pythonText(text)})` : text).update('\0');
		}
	}
	return hash.digest('hex');
}

/** A text without control characters as Python prints it. */
function pythonText(text: string): string {
	const quote = text.includes("'") && !text.includes('"') ? '"' : "'";
	const escaped = text.replaceAll('\\', '\\\\');
	return quote + (quote === "'" ? escaped.replaceAll("'", "\\'") : escaped) + quote;
}
