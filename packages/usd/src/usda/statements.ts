import type { ParserState } from './parser-state.ts';

const SEMICOLON = 0x3b;
const LF = 0x0a;
const CR = 0x0d;

/**
 * After a statement in a bracketed sequence (metadata, dictionaries, array edits): goes to the next one, or past `close`.
 * Statements are separated by a line end or one `;`, with line ends around it.
 */
export function nextStatement(p: ParserState, close: number): boolean {
	p.skipToLineEnd();
	const byte = p.bytes[p.pos]!;
	if (byte === SEMICOLON || byte === LF || byte === CR) {
		p.pos++;
		p.skipAll();
		return !p.accept(close);
	}
	if (p.accept(close)) return false;
	const closing = String.fromCharCode(close);
	if (p.isAtEnd) p.failExpected(`'${closing}'`);
	return p.fail(
		'USDA013',
		`found ${p.describe(p.pos)}, expected a line end, ';' or '${closing}' after the statement`,
		p.pos,
		p.tokenEnd(p.pos),
	);
}
