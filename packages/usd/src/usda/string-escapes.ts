import { utf8Size } from './utf8-size.ts';

const BACKSLASH = 0x5c;

/**
 * Evaluates the escapes in the bytes between the quotes of a string, as C does for the escapes that C has. Escaped bytes
 * that are not valid UTF-8 become the characters U+DC80 to U+DCFF.
 */
export function unescapeText(bytes: Uint8Array, start: number, end: number, decoder: TextDecoder): string {
	const out = new Uint8Array(end - start);
	let size = 0;
	for (let at = start; at < end; at++) {
		const byte = bytes[at]!;
		if (byte !== BACKSLASH) {
			out[size++] = byte;
			continue;
		}
		if (++at >= end) break;
		const letter = bytes[at]!;
		if (letter === 0x78) {
			let code = 0;
			let digits = 0;
			for (; digits < 2 && at + 1 < end && hexDigit(bytes[at + 1]!) >= 0; digits++)
				code = code * 16 + hexDigit(bytes[++at]!);
			out[size++] = code;
		} else if (letter >= 0x30 && letter <= 0x37) {
			let code = letter - 0x30;
			for (let digits = 1; digits < 3 && at + 1 < end && isOctal(bytes[at + 1]!); digits++)
				code = code * 8 + bytes[++at]! - 0x30;
			out[size++] = code & 0xff;
		} else out[size++] = SIMPLE_ESCAPES.get(letter) ?? letter;
	}
	return decodeBytes(out.subarray(0, size), decoder);
}

/** Decodes UTF-8. Bytes that are none stay apart as U+DC80 to U+DCFF, which no valid text holds, so nothing is lost. */
export function decodeBytes(bytes: Uint8Array, decoder: TextDecoder): string {
	let text = '';
	let valid = 0;
	for (let at = 0; at < bytes.length; ) {
		const size = utf8Size(bytes, at);
		if (size > 0 && at + size <= bytes.length) {
			at += size;
			continue;
		}
		text += decoder.decode(bytes.subarray(valid, at)) + String.fromCharCode(0xdc00 + bytes[at]!);
		valid = ++at;
	}
	return text + decoder.decode(bytes.subarray(valid));
}

/** The letter after the backslash, and the character that it stands for. */
const SIMPLE_ESCAPES = new Map<number, number>([
	[0x61, 0x07],
	[0x62, 0x08],
	[0x66, 0x0c],
	[0x6e, 0x0a],
	[0x72, 0x0d],
	[0x74, 0x09],
	[0x76, 0x0b],
]);

function isOctal(byte: number): boolean {
	return byte >= 0x30 && byte <= 0x37;
}

function hexDigit(byte: number): number {
	if (byte >= 0x30 && byte <= 0x39) return byte - 0x30;
	const lower = byte | 0x20;
	return lower >= 0x61 && lower <= 0x66 ? lower - 0x57 : -1;
}
