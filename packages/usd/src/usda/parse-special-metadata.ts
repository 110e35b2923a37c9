import { quote } from '@manyworlds/core';
import { isVariantIdentifier } from '../sdf/path.ts';
import { makeValue, type Value, valueIs } from '../sdf/value.ts';
import { T } from '../sdf/value-type.ts';
import { RESERVED_COUNT } from './keywords.ts';
import { readDictionary } from './parse-dictionary.ts';
import { nextItem } from './parse-scalar.ts';
import type { ParserState } from './parser-state.ts';

const BRACE_OPEN = 0x7b;
const BRACE_CLOSE = 0x7d;
const COLON = 0x3a;

/** Reads what follows `variants =`. Several such statements add up. */
export function readVariantSelections(p: ParserState, _word: number, start: number): void {
	const valueStart = p.pos;
	const entries = readDictionary(p);
	const old = p.spec.get('variantSelection');
	const selections = new Map(valueIs(old, T.variantSelectionMap) ? old.data : []);
	for (const [set, value] of entries) {
		if (!valueIs(value, T.string)) {
			p.fail(
				'USDA050',
				`selection of variant set ${quote(set)} is of type ${value.type.name}, expected string`,
				valueStart,
				p.pos,
			);
		}
		const isExpression = value.data.startsWith('`') && value.data.endsWith('`') && value.data.length > 1;
		if (value.data !== '' && !isExpression && !isVariantIdentifier(value.data)) {
			p.fail('USDA023', `${quote(value.data)} is not a valid variant name`, valueStart, p.pos);
		}
		selections.set(set, value.data);
	}
	p.setNamedField('variantSelection', makeValue(T.variantSelectionMap, selections) as Value, start, valueStart);
}

/** Reads what follows `permission =`. */
export function readPermission(p: ParserState, _word: number, start: number): void {
	const valueStart = p.pos;
	const word = p.identifier();
	if (word < 0) p.failExpected('public or private');
	const name = p.text(word);
	if (name !== 'public' && name !== 'private') {
		p.fail('USDA045', `permission is ${quote(name)}, expected public or private`, valueStart, p.pos);
	}
	p.setNamedField('permission', makeValue(T.permission, name) as Value, start, valueStart);
}

/** Reads what follows `symmetryFunction =`: a name or nothing. */
export function readSymmetryFunction(p: ParserState, _word: number, start: number): void {
	const valueStart = p.pos;
	const word = p.scopedIdentifier();
	if (word >= 0 && word < RESERVED_COUNT) {
		p.pos = valueStart;
		p.failExpected('a function name or nothing');
	}
	p.setNamedField('symmetryFunction', makeValue(T.token, word < 0 ? '' : p.text(word)) as Value, start, valueStart);
}

/** Reads what follows `displayUnit =`. */
export function readDisplayUnit(p: ParserState, _word: number, start: number): void {
	const valueStart = p.pos;
	const word = p.identifier();
	if (word < 0) p.failExpected('a unit');
	const name = p.text(word);
	if (!UNITS.has(name)) {
		p.fail('USDA046', `${quote(name)} is not a unit, expected one of ${[...UNITS].join(', ')}`, valueStart, p.pos);
	}
	p.setNamedField('displayUnit', makeValue(T.token, name) as Value, start, valueStart);
}

const UNITS: ReadonlySet<string> = new Set([
	'mm',
	'cm',
	'dm',
	'm',
	'km',
	'in',
	'ft',
	'yd',
	'mi',
	'deg',
	'rad',
	'default',
]);

/** Reads what follows `prefixSubstitutions =` and `suffixSubstitutions =`: `{ "from": "to", ... }`. */
export function readSubstitutions(p: ParserState, field: string, start: number): void {
	const valueStart = p.pos;
	const entries = new Map<string, Value>();
	if (!p.accept(BRACE_OPEN)) p.failExpected("substitutions in '{'");
	p.skipAll();
	if (!p.accept(BRACE_CLOSE)) {
		do {
			const key = p.string();
			p.skipInline();
			p.expect(COLON);
			p.skipInline();
			entries.set(key, makeValue(T.string, p.string()) as Value);
		} while (nextItem(p, BRACE_CLOSE));
	}
	p.setNamedField(field, makeValue(T.dictionary, entries) as Value, start, valueStart);
}
