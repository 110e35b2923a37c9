// powers of ten that are exact in f64
const POWERS = Float64Array.from({ length: 23 }, (_, i) => Number(`1e${i}`));
const decoder = new TextDecoder();

/**
 * Reads a decimal number from bytes, correctly rounded; NaN when they are not one. `nan`, `inf` and `infinity` in any case
 * give what they say.
 */
export function parseNumber(bytes: Uint8Array, start: number, end: number): number {
	let i = start;
	let isNegative = false;
	const first = bytes[i];
	if (first === 0x2d || first === 0x2b) {
		isNegative = first === 0x2d;
		i++;
	}
	let mantissa = 0;
	let digits = 0;
	let exponent = 0;
	let isShort = true;
	for (; i < end; i++) {
		const digit = bytes[i]! - 0x30;
		if (digit < 0 || digit > 9) break;
		digits++;
		if (mantissa < 9e14) mantissa = mantissa * 10 + digit;
		else isShort = false;
	}
	if (i < end && bytes[i] === 0x2e) {
		for (i++; i < end; i++) {
			const digit = bytes[i]! - 0x30;
			if (digit < 0 || digit > 9) break;
			digits++;
			if (mantissa < 9e14) {
				mantissa = mantissa * 10 + digit;
				exponent--;
			} else if (digit !== 0) isShort = false;
		}
	}
	if (digits === 0) return parseWord(bytes, start, end);
	if (i < end && (bytes[i]! | 0x20) === 0x65) {
		i++;
		let sign = 1;
		if (bytes[i] === 0x2d || bytes[i] === 0x2b) sign = bytes[i++] === 0x2d ? -1 : 1;
		let power = 0;
		const powerStart = i;
		for (; i < end; i++) {
			const digit = bytes[i]! - 0x30;
			if (digit < 0 || digit > 9) break;
			if (power < 100000) power = power * 10 + digit;
		}
		if (i === powerStart) return Number.NaN;
		exponent += sign * power;
	}
	if (i !== end) return Number.NaN;
	// one rounding only: mantissa and power are exact
	if (isShort && exponent >= -22 && exponent <= 22) {
		const value = exponent < 0 ? mantissa / POWERS[-exponent]! : mantissa * POWERS[exponent]!;
		return isNegative ? -value : value;
	}
	return Number(decoder.decode(bytes.subarray(start, end)));
}

/** Reads a whole number with an optional sign; NaN when the bytes are not one. */
export function parseInteger(bytes: Uint8Array, start: number, end: number): number {
	let i = start;
	const first = bytes[i];
	if (first === 0x2d || first === 0x2b) i++;
	if (i >= end) return Number.NaN;
	let value = 0;
	for (; i < end; i++) {
		const digit = bytes[i]! - 0x30;
		if (digit < 0 || digit > 9) return Number.NaN;
		value = value * 10 + digit;
	}
	return first === 0x2d ? -value : value;
}

/** Whether the bytes spell a number that is NaN or infinite, as some exporters write. */
export function isNonFiniteWord(bytes: Uint8Array, start: number, end: number): boolean {
	return /^[+-]?(nan|inf|infinity)(\(.*\))?$|^[+-]?1\.#/i.test(decoder.decode(bytes.subarray(start, end)));
}

function parseWord(bytes: Uint8Array, start: number, end: number): number {
	if (end - start > 9) return Number.NaN;
	const match = /^([+-]?)inf(inity)?$/i.exec(decoder.decode(bytes.subarray(start, end)));
	if (match === null) return Number.NaN;
	return match[1] === '-' ? Number.NEGATIVE_INFINITY : Number.POSITIVE_INFINITY;
}
