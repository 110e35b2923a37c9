/** Powers of ten that are exact in f64. */
const POWERS: Float64Array = Float64Array.from({ length: 23 }, (_, i) => Number(`1e${i}`));

/**
 * The numbers of a text, separated by white space, correctly rounded. What is no decimal number gives NaN; `inf` and
 * `infinity` in any case give what they say.
 * @public
 */
export function readNumberList(text: string): Float64Array {
	const bytes = ENCODER.encode(text);
	return readNumberBytes(bytes, 0, bytes.length);
}

const ENCODER = new TextEncoder();
const DECODER = new TextDecoder();

/** The byte of a decimal point as a digit. */
const POINT = 0x2e - 0x30;

/** Where numbers are put before their count is known; larger ones than this are not kept for the next list. */
let scratch = new Float64Array(1 << 10);
let integerScratch = new Int32Array(1 << 10);
const LARGEST_KEPT = 1 << 17;

/** {@link readNumberList} on the bytes of a text from `from` to `to`; what follows is no part of a number. */
export function readNumberBytes(source: Uint8Array, from: number, to: number): Float64Array {
	// a byte after the last one ends every loop over digits
	const bytes = to < source.length ? source : padded(source);
	let out = scratch;
	let count = 0;
	for (let i = from; i < to; ) {
		const first = bytes[i]!;
		if (first <= 0x20) {
			i++;
			continue;
		}
		const start = i;
		if (first === 0x2d || first === 0x2b) i++;
		const body = i;
		if (bytes[i] === 0x30) i++;
		// up to nine digits after a leading zero, with a point among them: most numbers of files
		const zeros = i - body;
		let head = i;
		let high = 0;
		let low = 0;
		let digits = 0;
		let digit = 0;
		for (; (digit = bytes[i]! - 0x30) >>> 0 <= 9; i++) high = (Math.imul(high, 10) + digit) | 0;
		let places = i - head;
		let exponent = 0;
		if (digit === POINT) {
			head = ++i;
			for (; (digit = bytes[i]! - 0x30) >>> 0 <= 9; i++) high = (Math.imul(high, 10) + digit) | 0;
			exponent = head - i;
			places -= exponent;
		}
		let byte = digit + 0x30;
		if (places > 9) {
			// up to fifteen digits are a whole number without rounding, kept as nine and six; so is a power of ten up to 22
			let point = -1;
			high = 0;
			places = 0;
			i = body;
			byte = bytes[i]!;
			for (; ; byte = bytes[++i]!) {
				digit = byte - 0x30;
				if (digit >>> 0 > 9) {
					if (digit !== POINT || point >= 0) break;
					point = places;
					continue;
				}
				places++;
				if (digits < 9) {
					high = (Math.imul(high, 10) + digit) | 0;
					// zeros before the first other digit do not count
					if (high !== 0) digits++;
				} else {
					if (digits < 15) low = (Math.imul(low, 10) + digit) | 0;
					digits++;
				}
			}
			exponent = point < 0 ? 0 : point - places;
		}
		let isNumber = places + zeros > 0;
		if (isNumber && (byte | 0x20) === 0x65) {
			byte = bytes[++i]!;
			const sign = byte === 0x2d ? -1 : 1;
			if (byte === 0x2d || byte === 0x2b) byte = bytes[++i]!;
			let power = 0;
			// a power without digits is none
			isNumber = byte >= 0x30 && byte <= 0x39;
			for (; byte >= 0x30 && byte <= 0x39; byte = bytes[++i]!) if (power < 100000) power = power * 10 + byte - 0x30;
			exponent += sign * power;
		}
		isNumber &&= byte <= 0x20 || i === to;
		let value: number;
		if (isNumber && digits <= 15 && exponent >= -22 && exponent <= 22) {
			const mantissa = digits > 9 ? high * POWERS[digits - 9]! + low : high;
			const size = exponent < 0 ? mantissa / POWERS[-exponent]! : mantissa * POWERS[exponent]!;
			value = first === 0x2d ? -size : size;
		} else {
			while (i < to && bytes[i]! > 0x20) i++;
			const word = DECODER.decode(bytes.subarray(start, i));
			value = isNumber ? Number(word) : wordValue(word);
		}
		if (count === out.length) out = doubled(out);
		out[count++] = value;
	}
	if (out.length <= LARGEST_KEPT) scratch = out;
	return out.slice(0, count);
}

/**
 * The whole numbers of at most nine digits in the bytes of a text from `from` to `to`; undefined when anything else is
 * among them. What follows is no part of a number.
 */
export function readIntegerBytes(source: Uint8Array, from: number, to: number): Int32Array | undefined {
	const bytes = to < source.length ? source : padded(source);
	let out = integerScratch;
	let count = 0;
	for (let i = from; i < to; ) {
		const first = bytes[i]!;
		if (first <= 0x20) {
			i++;
			continue;
		}
		if (first === 0x2d || first === 0x2b) i++;
		const head = i;
		let value = 0;
		let digit = 0;
		for (; (digit = bytes[i]! - 0x30) >>> 0 <= 9; i++) value = (Math.imul(value, 10) + digit) | 0;
		const places = i - head;
		if (places === 0 || places > 9 || (digit > SPACE && i < to)) return undefined;
		if (count === out.length) {
			const grown = new Int32Array(count * 2);
			grown.set(out);
			out = grown;
		}
		out[count++] = first === 0x2d ? -value : value;
	}
	if (out.length <= LARGEST_KEPT) integerScratch = out;
	return out.slice(0, count);
}

/** The byte of a space as a digit. */
const SPACE = 0x20 - 0x30;

function padded(bytes: Uint8Array): Uint8Array {
	const copy = new Uint8Array(bytes.length + 1);
	copy.set(bytes);
	return copy;
}

function doubled(numbers: Float64Array<ArrayBuffer>): Float64Array<ArrayBuffer> {
	const grown = new Float64Array(numbers.length * 2);
	grown.set(numbers);
	return grown;
}

function wordValue(word: string): number {
	const match = /^([+-]?)inf(inity)?$/i.exec(word);
	if (match === null) return Number.NaN;
	return match[1] === '-' ? Number.NEGATIVE_INFINITY : Number.POSITIVE_INFINITY;
}
