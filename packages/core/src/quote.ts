/**
 * Puts text from an input into a message: in single quotes, on one line, without control characters, cut to `limit` code points.
 *
 * ```ts
 * quote("it's\n") // "'it\\'s\\n'"
 * ```
 * @public
 */
export function quote(text: string, limit: number = QUOTE_LIMIT): string {
	let body = '';
	let length = 0;
	for (const character of text) {
		if (length++ === limit) {
			body += '…';
			break;
		}
		body += ESCAPES[character] ?? printableCharacter(character);
	}
	return `'${body}'`;
}

/** Longest quotation in code points. @public */
export const QUOTE_LIMIT = 80;

const ESCAPES: Readonly<Record<string, string>> = { "'": "\\'", '\\': '\\\\', '\n': '\\n', '\r': '\\r', '\t': '\\t' };

/**
 * Gives a character that is safe to print in place of one code point: control characters become their pictures,
 * those that reorder or break lines become U+FFFD, a tab stays a tab.
 */
export function printableCharacter(character: string): string {
	const code = character.codePointAt(0) ?? 0;
	if (code < 0x20) return code === 0x09 ? character : String.fromCharCode(0x2400 + code);
	if (code < 0x7f) return character;
	if (code === 0x7f) return '\u2421';
	const isUnsafe =
		code < 0xa0 || // C1 controls
		(code >= 0xd800 && code <= 0xdfff) || // lone surrogates
		code === 0x2028 ||
		code === 0x2029 ||
		code === 0x200e ||
		code === 0x200f ||
		(code >= 0x202a && code <= 0x202e) || // bidirectional embeddings and overrides
		(code >= 0x2066 && code <= 0x2069) ||
		code === 0xfeff;
	return isUnsafe ? '\ufffd' : character;
}

/** Makes text safe to print on one line, keeping its length in code points. */
export function printable(text: string): string {
	let result = '';
	for (const character of text) result += printableCharacter(character);
	return result;
}
