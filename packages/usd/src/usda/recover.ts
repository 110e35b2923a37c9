import { BYTE_CLASS, IDENTIFIER_CONTINUE, IDENTIFIER_START } from './byte-class.ts';
import type { ParserState } from './parser-state.ts';

const LF = 0x0a;
const CR = 0x0d;

/**
 * Goes to the end of a statement that has a mistake: the line end or `;` outside brackets, or the bracket `close` that ends
 * what surrounds it. Brackets, strings and comments of the statement are stepped over.
 * @param start - where the statement begins
 * @param fault - where the mistake is: the statement does not end before it
 */
export function skipStatement(p: ParserState, start: number, fault: number, close: number): void {
	const { bytes, length } = p;
	const open: number[] = [];
	/** How many of `open` are each closing bracket. */
	const unclosed = new Uint32Array(128);
	let at = start;
	while (at < length) {
		const byte = bytes[at]!;
		switch (byte) {
			case 0x28: // (
				open.push(0x29);
				unclosed[0x29]!++;
				break;
			case 0x5b: // [
				open.push(0x5d);
				unclosed[0x5d]!++;
				break;
			case 0x7b: // {
				open.push(0x7d);
				unclosed[0x7d]!++;
				break;
			case 0x29:
			case 0x5d:
			case 0x7d: {
				// what the search passes over is closed with it, so searches are linear in what was opened
				if (unclosed[byte]! > 0) {
					for (let last = 0; last !== byte; ) {
						last = open.pop()!;
						unclosed[last]!--;
					}
				} else if (byte === close || byte === 0x7d) {
					p.pos = at;
					return;
				}
				break;
			}
			case 0x22:
			case 0x27:
				at = stringEnd(bytes, at, length);
				continue;
			case 0x40:
				at = pathEnd(bytes, at, length, 0x40);
				continue;
			case 0x3c:
				at = pathEnd(bytes, at, length, 0x3e);
				continue;
			case 0x23:
				at = p.lineEnd(at);
				continue;
			case 0x2f:
				if (bytes[at + 1] === 0x2f) at = p.lineEnd(at);
				else if (bytes[at + 1] === 0x2a) at = commentEnd(bytes, at, length);
				else break;
				continue;
			case 0x3b:
			case LF:
			case CR:
				if (
					open.length === 0
						? at >= fault
						: byte !== 0x3b &&
							firstOfLine(bytes, at + 1) >= fault &&
							beginsStatement(p, at + 1, open[open.length - 1] === 0x7d)
				) {
					p.pos = at;
					return;
				}
				break;
			default:
		}
		at++;
	}
	p.pos = length;
}

function stringEnd(bytes: Uint8Array, start: number, length: number): number {
	const quote = bytes[start]!;
	const isLong = bytes[start + 1] === quote && bytes[start + 2] === quote;
	for (let at = start + (isLong ? 3 : 1); at < length; at++) {
		const byte = bytes[at]!;
		if (byte === 0x5c) at++;
		else if (byte === quote) {
			if (!isLong) return at + 1;
			if (bytes[at + 1] === quote && bytes[at + 2] === quote) return at + 3;
		} else if (!isLong && (byte === LF || byte === CR)) return at;
	}
	return length;
}

/** Just past the `close` of a path, or the end of the line when it is not closed there. */
function pathEnd(bytes: Uint8Array, start: number, length: number, close: number): number {
	let at = start + 1;
	while (at < length && bytes[at] !== close && bytes[at] !== LF && bytes[at] !== CR) at++;
	return bytes[at] === close ? at + 1 : at;
}

function commentEnd(bytes: Uint8Array, start: number, length: number): number {
	for (let at = start + 2; at < length; at++) {
		if (bytes[at] === 0x2a && bytes[at + 1] === 0x2f) return at + 2;
	}
	return length;
}

/** Offset of the first byte of a line that is no blank. */
function firstOfLine(bytes: Uint8Array, lineStart: number): number {
	let at = lineStart;
	while (bytes[at] === 0x20 || bytes[at] === 0x09) at++;
	return at;
}

/**
 * Whether a line looks like the beginning of a statement although brackets are still open: a word that begins statements,
 * then a name. The open bracket is then taken for one that was never closed. Inside braces only prims count, because
 * entries of a dictionary look like attributes.
 */
function beginsStatement(p: ParserState, lineStart: number, isInBraces: boolean): boolean {
	const { bytes } = p;
	let at = firstOfLine(bytes, lineStart);
	if ((BYTE_CLASS[bytes[at]!]! & IDENTIFIER_START) === 0) return false;
	const wordStart = at;
	while ((BYTE_CLASS[bytes[at]!]! & IDENTIFIER_CONTINUE) !== 0) at++;
	const word = p.slice(wordStart, at);
	if (bytes[at] === 0x5b && bytes[at + 1] === 0x5d) at += 2;
	if (bytes[at] !== 0x20 && bytes[at] !== 0x09) return false;
	while (bytes[at] === 0x20 || bytes[at] === 0x09) at++;
	const words = isInBraces ? PRIM_WORDS : STATEMENT_WORDS;
	return words.has(word) && ((BYTE_CLASS[bytes[at]!]! & IDENTIFIER_START) !== 0 || bytes[at] === 0x22);
}

const PRIM_WORDS: ReadonlySet<string> = new Set(['def', 'over', 'class', 'variantSet']);

/** Words that begin statements of a prim body and seldom stand first on a line inside a value. */
const STATEMENT_WORDS: ReadonlySet<string> = new Set([
	'def',
	'over',
	'class',
	'custom',
	'uniform',
	'rel',
	'variantSet',
	'float',
	'float2',
	'float3',
	'double',
	'double3',
	'int',
	'bool',
	'token',
	'string',
	'asset',
	'point3f',
	'color3f',
	'normal3f',
	'vector3f',
	'quatf',
	'quatd',
	'matrix4d',
]);
