/** Bits of {@link BYTE_CLASS}. */
export const IDENTIFIER_START = 1;
export const IDENTIFIER_CONTINUE = 2;
export const DIGIT = 4;
/** Space and tab. */
export const BLANK = 8;
export const LINE_END = 16;
/** Part of a multi-byte UTF-8 character. */
export const NON_ASCII = 32;

/** What each byte can be part of. */
export const BYTE_CLASS: Uint8Array = makeTable();

function makeTable(): Uint8Array {
	const table = new Uint8Array(256);
	for (let byte = 0; byte < 256; byte++) {
		const isLetter = (byte >= 0x41 && byte <= 0x5a) || (byte >= 0x61 && byte <= 0x7a) || byte === 0x5f;
		const isDigit = byte >= 0x30 && byte <= 0x39;
		let bits = 0;
		if (isLetter) bits |= IDENTIFIER_START | IDENTIFIER_CONTINUE;
		if (isDigit) bits |= DIGIT | IDENTIFIER_CONTINUE;
		if (byte === 0x20 || byte === 0x09) bits |= BLANK;
		if (byte === 0x0a || byte === 0x0d) bits |= LINE_END;
		if (byte >= 0x80) bits |= NON_ASCII;
		table[byte] = bits;
	}
	return table;
}
