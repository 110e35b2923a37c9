import { makeValue, type Value } from '../sdf/value.ts';
import { T, type ValueType } from '../sdf/value-type.ts';
import { W } from './keywords.ts';
import { readArray } from './parse-array.ts';
import { readArrayEdit } from './parse-array-edit.ts';
import { failType, readComponent, readElement } from './parse-scalar.ts';
import type { ParserState } from './parser-state.ts';
import { readUnregistered } from './unregistered-text.ts';

const BRACKET_OPEN = 0x5b;

/** Value of an attribute without one. */
export const VALUE_BLOCK: Value = makeValue(T.valueBlock, null);

/** Reads a value of a known type: a list for array types, else one element. */
export function readValue(p: ParserState, type: ValueType): Value {
	if (!type.isArray) {
		if (p.bytes[p.pos] === BRACKET_OPEN) failType(p, type);
		if (type.width > 1 && p.isAtNumber()) return readLoneNumber(p, type);
		return makeValue(type, readElement(p, type));
	}
	if (p.bytes[p.pos] === BRACKET_OPEN) return readArray(p, type);
	const { pos } = p;
	const isValue = p.isAtNumber() || p.isAtString() || p.isAtIdentifier() || p.isAtAsset() || p.bytes[pos] === 0x28;
	if (!isValue) p.failExpected(`a list in '[' for ${type.name}`);
	return p.fail('USDA035', `found ${p.describe(pos)}, expected a list in '[' for ${type.name}`, pos, p.tokenEnd(pos));
}

/**
 * Reads what may stand after `=` of an attribute or after the time of a sample.
 * @param type - undefined for `opaque` and `group`, null for a type nobody defines, whose values are kept as text
 */
export function readAttributeValue(p: ParserState, type: ValueType | undefined | null, typeName: string): Value {
	const { pos } = p;
	if (p.isAtIdentifier() && !p.isAtNumber()) {
		const word = p.identifier();
		if (word === W.None) return VALUE_BLOCK;
		if (word === W.edit && isAtBracket(p)) {
			if (type == null || !type.isArray) {
				p.fail('USDA049', `array edit for the type ${typeName}, expected an array type`, pos, p.pos);
			}
			return readArrayEdit(p, type);
		}
		p.pos = pos;
	}
	if (type === undefined) {
		return p.fail('USDA038', `attribute of type ${typeName} has a value, expected none`, pos, p.tokenEnd(pos));
	}
	return type === null ? readUnregistered(p) : readValue(p, type);
}

/** A single number where a tuple is expected: reported, and kept as the number that it is. */
function readLoneNumber(p: ParserState, type: ValueType): Value {
	const start = p.pos;
	const value = makeValue(T.double, readComponent(p, T.double));
	const expected = `a tuple of ${type.width} numbers for ${type.name}`;
	p.addError('USDA032', `found a single number, expected ${expected}`, start, p.pos);
	return value as Value;
}

function isAtBracket(p: ParserState): boolean {
	p.skipInline();
	return p.bytes[p.pos] === BRACKET_OPEN;
}
