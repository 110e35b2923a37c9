import { quote } from '@manyworlds/core';
import { type Dictionary, makeValue, type Value } from '../sdf/value.ts';
import { T } from '../sdf/value-type.ts';
import { RESERVED_COUNT, W } from './keywords.ts';
import { readValue } from './parse-value.ts';
import { MAX_VALUE_DEPTH, type ParserState } from './parser-state.ts';
import { nextStatement } from './statements.ts';

const BRACE_OPEN = 0x7b;
const BRACE_CLOSE = 0x7d;
const BRACKET_OPEN = 0x5b;
const BRACKET_CLOSE = 0x5d;

/** Reads a dictionary in braces: `{ type key = value; dictionary key = { ... } }`. */
export function readDictionary(p: ParserState): Dictionary {
	// an explicit stack, because dictionaries may nest deeply
	const open: { readonly entries: Map<string, Value>; readonly key: string }[] = [];
	let entries = new Map<string, Value>();
	enter(p);
	let isDone = p.accept(BRACE_CLOSE);
	for (;;) {
		while (isDone) {
			const outer = open.pop();
			if (outer === undefined) return entries;
			const inner = entries;
			entries = outer.entries;
			entries.set(outer.key, makeValue(T.dictionary, inner));
			isDone = !nextStatement(p, BRACE_CLOSE);
		}
		const start = p.pos;
		const type = readEntryType(p);
		const key = readKey(p);
		p.assignment();
		if (type === undefined) {
			if (open.length >= MAX_VALUE_DEPTH) {
				p.fail('USDA015', `dictionaries are nested deeper than ${MAX_VALUE_DEPTH} levels`, start, p.pos);
			}
			open.push({ entries, key });
			entries = new Map();
			enter(p);
			isDone = p.accept(BRACE_CLOSE);
		} else {
			entries.set(key, readEntryValue(p, type));
			isDone = !nextStatement(p, BRACE_CLOSE);
		}
	}
}

function enter(p: ParserState): void {
	if (!p.accept(BRACE_OPEN)) p.failExpected("a dictionary in '{'");
	p.skipAll();
}

/** Reads the type of an entry; undefined for `dictionary`. */
function readEntryType(p: ParserState): number | undefined {
	const start = p.pos;
	const word = p.scopedIdentifier();
	if (word < 0) return p.failExpected('the type of a dictionary entry');
	if (word === W.dictionary) {
		p.separator();
		return undefined;
	}
	if (word < RESERVED_COUNT) {
		p.pos = start;
		p.failExpected('the type of a dictionary entry');
	}
	const number = readArraySuffix(p, word, start);
	if (p.attributeType(number) === null) {
		p.fail(
			'USDA037',
			`no type is named ${quote(p.text(number))}, expected a value type for a dictionary entry`,
			start,
			p.pos,
		);
	}
	p.separator();
	return number;
}

/** Reads an optional `[]` after a type name; gives the number of the name with it. */
export function readArraySuffix(p: ParserState, word: number, start: number): number {
	const end = p.pos;
	const { bytes } = p;
	if (bytes[end] === BRACKET_OPEN && bytes[end + 1] === BRACKET_CLOSE) {
		p.pos = end + 2;
		return p.interner.intern(bytes, start, p.pos);
	}
	p.skipInline();
	if (!p.accept(BRACKET_OPEN)) {
		p.pos = end;
		return word;
	}
	p.skipInline();
	p.expect(BRACKET_CLOSE);
	return p.internText(`${p.text(word)}[]`);
}

function readKey(p: ParserState): string {
	if (p.isAtString()) return p.string();
	const word = p.identifier();
	if (word < 0) return p.failExpected('the key of a dictionary entry, a name or a string');
	return p.text(word);
}

function readEntryValue(p: ParserState, typeNumber: number): Value {
	const type = p.attributeType(typeNumber)?.valueType;
	if (type === undefined) {
		const name = p.text(typeNumber);
		return p.fail('USDA038', `dictionary entry of type ${name} has a value, expected none`, p.pos, p.tokenEnd(p.pos));
	}
	return readValue(p, type);
}
