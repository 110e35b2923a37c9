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

/** {@link readNumberList} on the bytes of a text from `from` to `to`. */
export function readNumberBytes(bytes: Uint8Array, from: number, to: number): Float64Array {
	const out = new Float64Array(countWords(bytes, from, to));
	let count = 0;
	for (let i = from; i < to; ) {
		const first = bytes[i]!;
		if (first <= 0x20) {
			i++;
			continue;
		}
		const start = i;
		if (first === 0x2d || first === 0x2b) i++;
		// up to fifteen digits are a whole number without rounding, and so is a power of ten up to 22
		let mantissa = 0;
		let digits = 0;
		let exponent = 0;
		let isShort = true;
		let byte = i < to ? bytes[i]! : 0;
		while (byte >= 0x30 && byte <= 0x39) {
			digits++;
			if (mantissa < 9e14) mantissa = mantissa * 10 + byte - 0x30;
			else isShort = false;
			byte = ++i < to ? bytes[i]! : 0;
		}
		if (byte === 0x2e) {
			byte = ++i < to ? bytes[i]! : 0;
			while (byte >= 0x30 && byte <= 0x39) {
				digits++;
				if (mantissa < 9e14) {
					mantissa = mantissa * 10 + byte - 0x30;
					exponent--;
				} else if (byte !== 0x30) isShort = false;
				byte = ++i < to ? bytes[i]! : 0;
			}
		}
		if (digits > 0 && (byte === 0x65 || byte === 0x45)) {
			byte = ++i < to ? bytes[i]! : 0;
			const sign = byte === 0x2d ? -1 : 1;
			if (byte === 0x2d || byte === 0x2b) byte = ++i < to ? bytes[i]! : 0;
			// a power without digits is none
			if (byte < 0x30 || byte > 0x39) digits = 0;
			let power = 0;
			while (byte >= 0x30 && byte <= 0x39) {
				if (power < 100000) power = power * 10 + byte - 0x30;
				byte = ++i < to ? bytes[i]! : 0;
			}
			exponent += sign * power;
		}
		const isWhole = digits > 0 && byte <= 0x20;
		if (isWhole && isShort && exponent >= -22 && exponent <= 22) {
			const value = exponent < 0 ? mantissa / POWERS[-exponent]! : mantissa * POWERS[exponent]!;
			out[count++] = first === 0x2d ? -value : value;
			continue;
		}
		while (i < to && bytes[i]! > 0x20) i++;
		const word = DECODER.decode(bytes.subarray(start, i));
		out[count++] = isWhole ? Number(word) : wordValue(word);
	}
	return out;
}

function countWords(bytes: Uint8Array, from: number, to: number): number {
	let count = 0;
	let isInside = false;
	for (let i = from; i < to; i++) {
		const isWord = bytes[i]! > 0x20;
		if (isWord && !isInside) count++;
		isInside = isWord;
	}
	return count;
}

function wordValue(word: string): number {
	const match = /^([+-]?)inf(inity)?$/i.exec(word);
	if (match === null) return Number.NaN;
	return match[1] === '-' ? Number.NEGATIVE_INFINITY : Number.POSITIVE_INFINITY;
}
