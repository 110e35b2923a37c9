/** Bytes that the longest number written by this module may take. */
export const MAX_NUMBER_BYTES = 32;

const SINGLE_BITS = new Uint32Array(1);
const SINGLE_VALUE = new Float32Array(SINGLE_BITS.buffer);
const DIGITS = new Uint8Array(32);

/** Powers of ten from 1e-40 to 1e60 are reached as `TEN[40 + exponent]`; those from 1e0 to 1e22 are exact. */
const TEN = Float64Array.from({ length: 101 }, (_, i) => Number(`1e${i - 40}`));
const INT_TEN = Int32Array.from({ length: 10 }, (_, i) => 10 ** i);
/** Pairs of decimal digits from 00 to 99. */
const PAIRS = Uint8Array.from({ length: 200 }, (_, i) => 0x30 + (i & 1 ? (i >> 1) % 10 : Math.floor((i >> 1) / 10)));

/** Decimal exponents of the powers of two that normal floats start with, by the float's exponent bits. */
const EXPONENTS = Int8Array.from({ length: 255 }, (_, i) => Math.floor((i - 127) * Math.log10(2)));
/** What scales floats with these exponent bits to nine digits before the point. */
const SCALES = Float64Array.from(EXPONENTS, (exponent) => TEN[48 - exponent]!);
/** Half the distance between neighbours among these floats, scaled. */
const REACHES = Float64Array.from(SCALES, (scale, i) => 2 ** (i - 151) * scale);
/** Scaled values carry a rounding error below this, so closer calls are decided exactly. */
const DOUBT = 1e-6;

const ZERO = 0x30;
const MINUS = 0x2d;
const DOT = 0x2e;

/** Writes a double with the fewest digits that read back to it. Gives the index behind the last byte. */
export function writeDouble(bytes: Uint8Array, at: number, value: number): number {
	if ((value | 0) === value && (value !== 0 || 1 / value > 0)) return writeInt(bytes, at, value);
	if (!Number.isFinite(value) || value === 0) return writeSpecial(bytes, at, value);
	let x = value;
	let to = at;
	if (x < 0) {
		bytes[to++] = MINUS;
		x = -x;
	}
	// decimals of at most 15 digits are told apart by doubles, so one that reads back is the shortest
	if (x >= 1e-6 && x < 1e15) {
		const exponent = decimalExponent(x);
		const places = 14 - exponent;
		const scale = TEN[40 + places]!;
		const scaled = Math.round(x * scale);
		if (scaled / scale === x) return writeDigits(bytes, to, splitDigits(scaled), exponent + (scaled >= 1e15 ? 2 : 1));
	}
	return writeShortestDouble(bytes, to, x);
}

/** A double with the fewest digits that read back to it. */
export function formatDouble(value: number): string {
	const bytes = new Uint8Array(MAX_NUMBER_BYTES);
	return String.fromCharCode(...bytes.subarray(0, writeDouble(bytes, 0, value)));
}

/** Writes a float (a number that float32 holds exactly) with the fewest digits that read back to the same float. */
export function writeFloat(bytes: Uint8Array, at: number, value: number): number {
	if ((value | 0) === value && (value !== 0 || 1 / value > 0) && value <= 0x1000000 && value >= -0x1000000) {
		return writeInt(bytes, at, value);
	}
	if (!Number.isFinite(value) || value === 0) return writeSpecial(bytes, at, value);
	let x = value;
	let to = at;
	if (x < 0) {
		bytes[to++] = MINUS;
		x = -x;
	}
	SINGLE_VALUE[0] = x;
	const bits = SINGLE_BITS[0]!;
	if (bits < 0x800000) return writeExactFloat(bytes, to, x);
	// v has nine digits before the point; decimals closer to it than reach read back to x
	const biased = bits >>> 23;
	let point = EXPONENTS[biased]! + 1;
	let v = x * SCALES[biased]!;
	let reach = REACHES[biased]!;
	if (v >= 1e9) {
		point++;
		v /= 10;
		reach /= 10;
	}
	// below a power of two the neighbours lie closer
	const isPower = (bits & 0x7fffff) === 0;
	const whole = v | 0;
	const rest = v - whole;
	// six digits are told apart by floats, so no other decimal of that length comes this close
	for (let unit = 1000; unit > 1; unit = (unit / 10) | 0) {
		const over = whole % unit;
		const below = over + rest;
		const above = unit - below;
		const isBelow = below < above;
		const distance = isBelow ? below : above;
		if (distance > reach + DOUBT && !isPower) continue;
		const isClear = distance < (isPower && isBelow ? reach / 2 : reach) - DOUBT;
		const isTied = unit < 1000 && Math.abs(below - above) < DOUBT;
		if (!isClear || isTied) return writeExactFloat(bytes, to, x);
		return writeNineDigits(bytes, to, whole - over + (isBelow ? 0 : unit), point);
	}
	if (Math.abs(rest - 0.5) < DOUBT) return writeExactFloat(bytes, to, x);
	return writeNineDigits(bytes, to, rest < 0.5 ? whole : whole + 1, point);
}

/** Writes an integer between -2^53 and 2^53. */
export function writeInt(bytes: Uint8Array, at: number, value: number): number {
	let n = value;
	let to = at;
	if (n < 0) {
		bytes[to++] = MINUS;
		n = -n;
	}
	if (n < 10) {
		bytes[to++] = ZERO + n;
		return to;
	}
	if (n >= 1e9) {
		const high = Math.floor(n / 1e9);
		return writePadded(bytes, writeInt(bytes, to, high), n - high * 1e9, 9);
	}
	let count = 2;
	for (let power = 100; n >= power; power *= 10) count++;
	return writePadded(bytes, to, n, count);
}

/** Writes the `count` lowest decimal digits of an integer below 2^31. */
function writePadded(bytes: Uint8Array, at: number, value: number, count: number): number {
	let n = value | 0;
	let i = at + count;
	while (i >= at + 2) {
		const next = (n / 100) | 0;
		const pair = (n - next * 100) << 1;
		bytes[--i] = PAIRS[pair + 1]!;
		bytes[--i] = PAIRS[pair]!;
		n = next;
	}
	if (i > at) bytes[at] = ZERO + (n % 10);
	return at + count;
}

/** Writes 0.digits times ten to the power of `point`, for nine digits with or without trailing zeros. */
function writeNineDigits(bytes: Uint8Array, at: number, digits: number, point: number): number {
	if (digits >= 1e9) return writeNineDigits(bytes, at, 1e8, point + 1);
	if (point > 8 || point <= -6) return writeDigits(bytes, at, splitDigits(digits), point);
	let to = at;
	let fraction = digits;
	let places = 9;
	if (point > 0) {
		places -= point;
		const power = INT_TEN[places]!;
		const whole = (digits / power) | 0;
		to = writeInt(bytes, to, whole);
		fraction -= whole * power;
		if (fraction === 0) return to;
		bytes[to++] = DOT;
	} else {
		bytes[to++] = ZERO;
		bytes[to++] = DOT;
		for (let i = point; i < 0; i++) bytes[to++] = ZERO;
	}
	for (;;) {
		const next = (fraction / 10) | 0;
		if (next * 10 !== fraction) return writePadded(bytes, to, fraction, places);
		fraction = next;
		places--;
	}
}

function writeSpecial(bytes: Uint8Array, at: number, value: number): number {
	if (value === 0) return writeAscii(bytes, at, 1 / value < 0 ? '-0' : '0');
	if (Number.isNaN(value)) return writeAscii(bytes, at, 'nan');
	return writeAscii(bytes, at, value > 0 ? 'inf' : '-inf');
}

function writeAscii(bytes: Uint8Array, at: number, text: string): number {
	for (let i = 0; i < text.length; i++) bytes[at + i] = text.charCodeAt(i);
	return at + text.length;
}

/** Largest exponent with 10^exponent <= x, for x from 1e-6 to 1e15. */
function decimalExponent(x: number): number {
	let exponent = -6;
	if (x >= 1e5) exponent = 5;
	else if (x >= 1) exponent = 0;
	while (x >= TEN[41 + exponent]!) exponent++;
	return exponent;
}

/** Puts the digits of an integer below 2^53 into DIGITS without trailing zeros. Gives their number. */
function splitDigits(value: number): number {
	let count = writeInt(DIGITS, 0, value);
	while (count > 1 && DIGITS[count - 1] === ZERO) count--;
	return count;
}

/** Writes the first `count` DIGITS as 0.DIGITS times ten to the power of `point`. */
function writeDigits(bytes: Uint8Array, at: number, count: number, point: number): number {
	let to = at;
	if (point > -6 && point <= 15) {
		if (point <= 0) {
			bytes[to++] = ZERO;
			bytes[to++] = DOT;
			for (let i = point; i < 0; i++) bytes[to++] = ZERO;
			for (let i = 0; i < count; i++) bytes[to++] = DIGITS[i]!;
			return to;
		}
		if (point >= count) {
			for (let i = 0; i < count; i++) bytes[to++] = DIGITS[i]!;
			for (let i = count; i < point; i++) bytes[to++] = ZERO;
			return to;
		}
		for (let i = 0; i < point; i++) bytes[to++] = DIGITS[i]!;
		bytes[to++] = DOT;
		for (let i = point; i < count; i++) bytes[to++] = DIGITS[i]!;
		return to;
	}
	bytes[to++] = DIGITS[0]!;
	if (count > 1) {
		bytes[to++] = DOT;
		for (let i = 1; i < count; i++) bytes[to++] = DIGITS[i]!;
	}
	bytes[to++] = 0x65;
	return writeInt(bytes, to, point - 1);
}

/** Any positive double: the engine finds the shortest digits, only their layout differs. */
function writeShortestDouble(bytes: Uint8Array, at: number, x: number): number {
	const text = x.toString();
	let count = 0;
	let point = -1;
	let i = 0;
	for (; i < text.length; i++) {
		const unit = text.charCodeAt(i);
		if (unit === DOT) point = count;
		else if (unit === 0x65) break;
		else DIGITS[count++] = unit;
	}
	if (point < 0) point = count;
	if (i < text.length) point += Number(text.slice(i + 1));
	let lead = 0;
	while (DIGITS[lead] === ZERO) lead++;
	if (lead > 0) {
		DIGITS.copyWithin(0, lead, count);
		count -= lead;
		point -= lead;
	}
	while (count > 1 && DIGITS[count - 1] === ZERO) count--;
	return writeDigits(bytes, at, count, point);
}

/** Any positive float by exact integer arithmetic: subnormals and the few values too close to call otherwise. */
function writeExactFloat(bytes: Uint8Array, at: number, x: number): number {
	SINGLE_VALUE[0] = x;
	const bits = SINGLE_BITS[0]!;
	const isNormal = bits >= 0x800000;
	const fraction = bits & 0x7fffff;
	const mantissa = BigInt(isNormal ? fraction | 0x800000 : fraction);
	const exponent = Math.max(bits >>> 23, 1) - 150;
	const isEven = (fraction & 1) === 0;

	// x, low and high as integers over one power of two; the step below a power of two is half as long
	const shift = exponent - 2;
	const low = mantissa * 4n - (fraction === 0 && bits >>> 23 > 1 ? 1n : 2n);
	const high = mantissa * 4n + 2n;
	const numerator = shift > 0 ? 1n << BigInt(shift) : 1n;
	const denominator = shift < 0 ? 1n << BigInt(-shift) : 1n;
	for (let power = 40; power >= -60; power--) {
		// multiples of 10^power inside the interval
		const up = 10n ** BigInt(Math.max(power, 0));
		const down = 10n ** BigInt(Math.max(-power, 0));
		const unit = up * denominator;
		const scale = numerator * down;
		let first = (low * scale) / unit;
		if (first * unit < low * scale || (!isEven && first * unit === low * scale)) first++;
		let last = (high * scale) / unit;
		if (!isEven && last * unit === high * scale) last--;
		if (first === 0n) first = 1n;
		if (first > last) continue;
		const middle = mantissa * 4n * scale;
		let best = middle / unit;
		const twice = (middle - best * unit) * 2n;
		// halfway goes to the even digit
		if (twice > unit || (twice === unit && (best & 1n) === 1n)) best++;
		if (best < first) best = first;
		if (best > last) best = last;
		const text = best.toString();
		let count = text.length;
		for (let i = 0; i < count; i++) DIGITS[i] = text.charCodeAt(i);
		const point = count + power;
		while (count > 1 && DIGITS[count - 1] === ZERO) count--;
		return writeDigits(bytes, at, count, point);
	}
	return writeShortestDouble(bytes, at, x);
}
