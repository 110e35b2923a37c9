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

/** Where numbers are put before their count is known; larger ones than this are not kept for the next list. */
let scratch = new Float64Array(1 << 10);
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
		// up to fifteen digits are a whole number without rounding, kept as nine and six; so is a power of ten up to 22
		let high = 0;
		let low = 0;
		let digits = 0;
		let places = 0;
		let point = -1;
		let byte = bytes[i]!;
		for (; ; byte = bytes[++i]!) {
			const digit = byte - 0x30;
			if (digit >>> 0 > 9) {
				if (byte !== 0x2e || point >= 0) break;
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
		let exponent = point < 0 ? 0 : point - places;
		let isNumber = places > 0;
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
