const POWERS_OF_TEN = Float64Array.from({ length: 23 }, (_, i) => Number(`1e${i}`));
const ZERO = 0x30;
const DOT = 0x2e;
const MINUS = 0x2d;
const PLUS = 0x2b;
/** Dekker's constant: splits a double into two halves whose products are exact. */
const SPLITTER = 2 ** 27 + 1;

/** The kind of literal that {@link NumberParser.parse} met. */
export const NumberKind = {
	/** Not a number. */
	none: 0,
	/** Digits only, perhaps with a sign: an integer in the text. */
	integer: 1,
	/** With a point or an exponent, `-0`, infinite, or not a number. */
	real: 2,
	/** A number that stops in the middle: an exponent or a leading point without digits. */
	malformed: 3,
} as const;
export type NumberKind = (typeof NumberKind)[keyof typeof NumberKind];

/**
 * Reads decimal numbers from bytes with correct rounding and, for up to 19 digits and ordinary exponents, without making a
 * string. `inf` and `nan` are words and left to the caller, except after a minus sign.
 *
 * The bytes must be followed by at least one byte that belongs to no number.
 */
export class NumberParser {
	/** The value of the last number, rounded to double. */
	value = 0;
	/** Just past the last number. */
	end = 0;

	/** Reads the number that begins at `start`. */
	parse(bytes: Uint8Array, start: number): NumberKind {
		let at = start;
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
		let exponent = 0;
		let kind: NumberKind = NumberKind.integer;
		if (bytes[at] === DOT) {
			kind = NumberKind.real;
			const fractionStart = ++at;
			digit = bytes[at]! - ZERO;
			while (digit >>> 0 < 10) {
				mantissa = mantissa * 10 + digit;
				digit = bytes[++at]! - ZERO;
			}
			const fraction = at - fractionStart;
			exponent = -fraction;
			if (digits === 0 && fraction === 0) return this.#stop(at, NumberKind.malformed);
			digits += fraction;
		} else if (digits === 0) {
			if (isNegative && isInfinity(bytes, at)) {
				this.value = Number.NEGATIVE_INFINITY;
				return this.#stop(at + 3, NumberKind.real);
			}
			return this.#stop(start, NumberKind.none);
		}
		if ((bytes[at]! | 0x20) === 0x65) {
			kind = NumberKind.real;
			let power = at + 1;
			const isNegativePower = bytes[power] === MINUS;
			if (isNegativePower || bytes[power] === PLUS) power++;
			const powerStart = power;
			let size = 0;
			digit = bytes[power]! - ZERO;
			while (digit >>> 0 < 10) {
				// far beyond any double the exact size does not matter
				if (size < 100_000) size = size * 10 + digit;
				digit = bytes[++power]! - ZERO;
			}
			if (power === powerStart) return this.#stop(power, NumberKind.malformed);
			at = power;
			exponent += isNegativePower ? -size : size;
		}
		this.end = at;
		const magnitude = this.#scale(bytes, digitsStart, at, mantissa, digits, exponent);
		this.value = isNegative ? -magnitude : magnitude;
		return isNegative && magnitude === 0 ? NumberKind.real : kind;
	}

	#stop(end: number, kind: NumberKind): NumberKind {
		this.end = end;
		return kind;
	}

	#scale(bytes: Uint8Array, start: number, end: number, mantissa: number, digits: number, exponent: number): number {
		// both numbers are exact, so one operation rounds once
		if (digits <= 15 && exponent >= -22 && exponent <= 22) {
			return exponent < 0 ? mantissa / POWERS_OF_TEN[-exponent]! : mantissa * POWERS_OF_TEN[exponent]!;
		}
		if (mantissa === 0) return 0;
		const close = digits <= 19 && exponent >= -22 && exponent <= 0 ? divideLong(bytes, start, exponent) : -1;
		return close >= 0 ? close : Number(asciiNumber(bytes, start, end));
	}
}

/** `m / 10^k` for the up to 19 digits that begin at `start`, or -1 when 106 bits do not settle the rounding. */
function divideLong(bytes: Uint8Array, start: number, exponent: number): number {
	// the first 15 digits, then the rest
	let high = 0;
	let low = 0;
	let count = 0;
	let restScale = 1;
	for (let at = start; ; at++) {
		const digit = bytes[at]! - ZERO;
		if (digit >>> 0 >= 10) {
			if (bytes[at] === DOT) continue;
			break;
		}
		if (count < 15) high = high * 10 + digit;
		else {
			low = low * 10 + digit;
			restScale *= 10;
		}
		count++;
	}
	// mantissa = high * restScale + low, as an exact sum of two doubles
	const product = high * restScale;
	const productError = exactProductError(high, restScale, product) + low;
	const m = product + productError;
	const mRest = productError - (m - product);
	const divisor = POWERS_OF_TEN[-exponent]!;
	const quotient = m / divisor;
	const back = quotient * divisor;
	const remainder = m - back - exactProductError(quotient, divisor, back) + mRest;
	const correction = remainder / divisor;
	// the true value lies within this margin: if both ends round alike, so does the value
	const margin = quotient * 2 ** -98;
	const result = quotient + (correction - margin);
	return result === quotient + (correction + margin) ? result : -1;
}

/** `a * b - product` exactly, where `product` is the rounded product. */
function exactProductError(a: number, b: number, product: number): number {
	const aBig = SPLITTER * a;
	const aHigh = aBig - (aBig - a);
	const aLow = a - aHigh;
	const bBig = SPLITTER * b;
	const bHigh = bBig - (bBig - b);
	const bLow = b - bHigh;
	return aHigh * bHigh - product + aHigh * bLow + aLow * bHigh + aLow * bLow;
}

function isInfinity(bytes: Uint8Array, at: number): boolean {
	return bytes[at] === 0x69 && bytes[at + 1] === 0x6e && bytes[at + 2] === 0x66;
}

/** The integer between two offsets, undefined when it has so many digits that no 64-bit type holds it. */
export function parseBigInteger(bytes: Uint8Array, start: number, end: number): bigint | undefined {
	let at = bytes[start] === MINUS ? start + 1 : start;
	while (at < end - 1 && bytes[at] === ZERO) at++;
	if (end - at > 20) return undefined;
	const magnitude = BigInt(asciiNumber(bytes, at, end));
	return bytes[start] === MINUS ? -magnitude : magnitude;
}

/** The text of a number, which is ASCII. */
export function asciiNumber(bytes: Uint8Array, start: number, end: number): string {
	if (end - start > 64) return new TextDecoder().decode(bytes.subarray(start, end));
	let text = '';
	for (let i = start; i < end; i++) text += String.fromCharCode(bytes[i]!);
	return text;
}
