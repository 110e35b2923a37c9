const NEWLINE = 0x0a;
const RETURN = 0x0d;
const HASH = 0x23;
const SLASH = 0x2f;
const STAR = 0x2a;
const AT = 0x40;
const LESS = 0x3c;
const GREATER = 0x3e;
const BACKSLASH = 0x5c;

/**
 * Finds the first comment of a well-formed text layer after its header line: from `#` or `//` to the end of the line, or
 * between slash-star and star-slash. Strings, asset paths and scene paths may hold the same characters.
 */
export function findComment(bytes: Uint8Array): { readonly start: number; readonly end: number } | undefined {
	let i = lineEnd(bytes, 0);
	while (i < bytes.length) {
		const byte = bytes[i]!;
		const next = bytes[i + 1];
		if (byte === HASH || (byte === SLASH && next === SLASH)) return { start: i, end: lineEnd(bytes, i) };
		if (byte === SLASH && next === STAR) return { start: i, end: blockEnd(bytes, i + 2) };
		if (byte === 0x22 || byte === 0x27 || byte === AT) i = quotedEnd(bytes, i, byte);
		else if (byte === LESS) i = skipTo(bytes, i + 1, GREATER);
		else i++;
	}
	return undefined;
}

function lineEnd(bytes: Uint8Array, from: number): number {
	let i = from;
	while (i < bytes.length && bytes[i] !== NEWLINE && bytes[i] !== RETURN) i++;
	return i;
}

function blockEnd(bytes: Uint8Array, from: number): number {
	let i = from;
	while (i < bytes.length && !(bytes[i] === STAR && bytes[i + 1] === SLASH)) i++;
	return Math.min(i + 2, bytes.length);
}

/** Just past a string in one or three quotes, or an asset path in one or three `@`. */
function quotedEnd(bytes: Uint8Array, start: number, quote: number): number {
	const isTriple = bytes[start + 1] === quote && bytes[start + 2] === quote;
	if (!isTriple) return skipTo(bytes, start + 1, quote);
	let i = start + 3;
	for (; i < bytes.length; i++) {
		if (bytes[i] === BACKSLASH) i++;
		else if (bytes[i] === quote && bytes[i + 1] === quote && bytes[i + 2] === quote) break;
	}
	i += 3;
	// an asset path may end with further `@`
	while (quote === AT && bytes[i] === AT) i++;
	return i;
}

/** Just past the next `end`; a backslash takes away the meaning of what follows, except in paths. */
function skipTo(bytes: Uint8Array, from: number, end: number): number {
	const hasEscapes = end === 0x22 || end === 0x27;
	let i = from;
	while (i < bytes.length && bytes[i] !== end) i += hasEscapes && bytes[i] === BACKSLASH ? 2 : 1;
	return i + 1;
}
