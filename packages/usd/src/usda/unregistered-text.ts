import { makeValue, type Value } from '../sdf/value.ts';
import { T } from '../sdf/value-type.ts';
import { quoteString } from '../text/quote-string.ts';
import { formatValue } from './format-value.ts';
import { RESERVED_COUNT } from './keywords.ts';
import { NumberKind, parseBigInteger } from './number-parser.ts';
import { nextItem } from './parse-scalar.ts';
import { MAX_VALUE_DEPTH, type ParserState } from './parser-state.ts';

const BRACKET_OPEN = 0x5b;
const BRACKET_CLOSE = 0x5d;
const PAREN_OPEN = 0x28;
const PAREN_CLOSE = 0x29;

/** Reads a value whose type nobody knows and keeps it as text, spelled as OpenUSD spells it. */
export function readUnregistered(p: ParserState): Value {
	return makeValue(T.unregistered, readValueText(p));
}

/** Reads any value that is not a dictionary and gives its text in canonical spelling. */
export function readValueText(p: ParserState): string {
	const start = p.pos;
	let text = '';
	// the closing brackets of the lists and tuples that are open
	const open: number[] = [];
	for (;;) {
		const byte = p.bytes[p.pos]!;
		if (byte === PAREN_OPEN || (byte === BRACKET_OPEN && open[open.length - 1] !== PAREN_CLOSE)) {
			p.pos++;
			if (open.length >= MAX_VALUE_DEPTH) {
				p.fail('USDA015', `lists are nested deeper than ${MAX_VALUE_DEPTH} levels`, start, p.pos);
			}
			const isList = byte === BRACKET_OPEN;
			if (isList && open.length === 0) {
				p.skipInline();
				if (p.accept(BRACKET_CLOSE)) return '[]';
			}
			p.skipAll();
			text += isList ? '[' : '(';
			open.push(isList ? BRACKET_CLOSE : PAREN_CLOSE);
			continue;
		}
		text += readAtomText(p, open.length === 0);
		// past the brackets that close here
		for (;;) {
			const close = open[open.length - 1];
			if (close === undefined) return text;
			if (nextItem(p, close)) break;
			text += String.fromCharCode(close);
			open.pop();
		}
		text += ', ';
	}
}

function readAtomText(p: ParserState, mayBePath: boolean): string {
	const start = p.pos;
	if (p.isAtString()) return quoteString(p.string());
	if (p.isAtNumber()) {
		if (p.number() === NumberKind.real) return formatValue(makeValue(T.double, p.value));
		if (Number.isSafeInteger(p.value)) return String(p.value);
		const literal = parseBigInteger(p.bytes, start, p.pos);
		if (literal !== undefined && literal <= 2n ** 64n - 1n && literal >= -(2n ** 63n)) return String(literal);
		p.warn('USDA066', 'integer does not fit 64 bits, it is read as a double', start, p.pos);
		return formatValue(makeValue(T.double, p.value));
	}
	if (p.isAtAsset()) return formatValue(makeValue(T.asset, p.assetPath()));
	if (mayBePath && p.bytes[start] === 0x3c) {
		p.pathReference();
		return p.slice(start, p.pos);
	}
	const word = p.scopedIdentifier();
	if (word < RESERVED_COUNT) {
		p.pos = start;
		p.failExpected('a value');
	}
	return p.text(word);
}
