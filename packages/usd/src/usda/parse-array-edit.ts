import type { ArrayEditInstruction, ArrayEditSource } from '../sdf/array-edit.ts';
import { makeValue, type Value } from '../sdf/value.ts';
import { T, type ValueType } from '../sdf/value-type.ts';
import { NumberKind } from './number-parser.ts';
import { readElement } from './parse-scalar.ts';
import type { ParserState } from './parser-state.ts';
import { nextStatement } from './statements.ts';

const BRACKET_OPEN = 0x5b;
const BRACKET_CLOSE = 0x5d;

/** Reads the bracketed instructions that follow the word `edit`. */
export function readArrayEdit(p: ParserState, arrayType: ValueType): Value {
	const instructions: ArrayEditInstruction[] = [];
	p.expect(BRACKET_OPEN);
	p.skipAll();
	if (!p.accept(BRACKET_CLOSE)) {
		do instructions.push(readInstruction(p, arrayType.element));
		while (nextStatement(p, BRACKET_CLOSE));
	}
	return makeValue(T.arrayEdit, { arrayType, instructions });
}

function readInstruction(p: ParserState, element: ValueType): ArrayEditInstruction {
	const start = p.pos;
	const word = p.identifier();
	const op = word < 0 ? '' : p.text(word);
	p.skipInline();
	switch (op) {
		case 'write': {
			const source = readSource(p, element);
			expectWord(p, 'to');
			return { op, source, index: readIndex(p) };
		}
		case 'insert': {
			const source = readSource(p, element);
			expectWord(p, 'at');
			const index = readIndex(p);
			// inserting at the front is stored as a prepend, as OpenUSD does
			return index === 0 ? { op: 'prepend', source } : { op, source, index };
		}
		case 'prepend':
		case 'append':
			return { op, source: readSource(p, element) };
		case 'erase':
			return { op, index: readIndex(p) };
		case 'minsize':
			return { op: 'minSize', ...readSize(p, element, true) };
		case 'maxsize':
			return { op: 'maxSize', ...readSize(p, element, false) };
		case 'resize':
			return { op, ...readSize(p, element, true) };
		default:
			p.pos = start;
			return p.fail(
				'USDA049',
				`found ${p.describe(start)}, expected write, insert, prepend, append, erase, minsize, maxsize or resize`,
				start,
				p.tokenEnd(start),
			);
	}
}

function readSource(p: ParserState, element: ValueType): ArrayEditSource {
	if (p.bytes[p.pos] === BRACKET_OPEN) return { index: readIndex(p) };
	return { literal: makeValue(element, readElement(p, element)) };
}

function readIndex(p: ParserState): number {
	p.skipInline();
	p.expect(BRACKET_OPEN);
	p.skipInline();
	const index = readInteger(p);
	p.skipInline();
	p.expect(BRACKET_CLOSE);
	return index;
}

function readSize(
	p: ParserState,
	element: ValueType,
	mayFill: boolean,
): { readonly size: number; readonly fill?: Value } {
	const start = p.pos;
	const size = readInteger(p);
	if (size < 0) p.fail('USDA049', `size is ${size}, expected 0 or more`, start, p.pos);
	const end = p.pos;
	p.skipInline();
	if (!mayFill || !p.isAtIdentifier()) {
		p.pos = end;
		return { size };
	}
	expectWord(p, 'fill');
	p.skipInline();
	return { size, fill: makeValue(element, readElement(p, element)) };
}

function readInteger(p: ParserState): number {
	const start = p.pos;
	if (p.number() !== NumberKind.integer) p.fail('USDA049', 'index or size is not an integer', start, p.pos);
	return p.value;
}

function expectWord(p: ParserState, expected: string): void {
	p.skipInline();
	const start = p.pos;
	const word = p.identifier();
	if (word < 0 || p.text(word) !== expected) {
		p.pos = start;
		p.failExpected(`'${expected}'`);
	}
}
