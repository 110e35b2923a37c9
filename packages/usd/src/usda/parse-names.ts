import { quote } from '@manyworlds/core';
import { isVariantIdentifier } from '../sdf/path.ts';
import { SpecType } from '../sdf/spec-type.ts';
import { makeValue } from '../sdf/value.ts';
import { T } from '../sdf/value-type.ts';
import { W } from './keywords.ts';
import { checkedItems, EXPLICIT, listOpValue } from './parse-list-op.ts';
import { nextItem } from './parse-scalar.ts';
import type { ParserState } from './parser-state.ts';

const BRACKET_OPEN = 0x5b;
const BRACKET_CLOSE = 0x5d;

/** Reads one quoted name, or one or more of them in brackets. */
export function readNames(p: ParserState): string[] {
	if (!p.accept(BRACKET_OPEN)) {
		if (!p.isAtString()) p.failExpected("a quoted name or names in '['");
		return [p.string()];
	}
	const names: string[] = [];
	p.skipAll();
	do {
		if (!p.isAtString()) p.failExpected('a quoted name');
		names.push(p.string());
	} while (nextItem(p, BRACKET_CLOSE));
	return names;
}

/** Reads what follows `reorder nameChildren =` and the like. */
export function readOrder(p: ParserState, field: string, start: number): void {
	const valueStart = p.pos;
	p.setNamedField(field, makeValue(T.tokenVector, readNames(p)), start, valueStart);
}

/** Reads what follows `variantSets =`. Explicit and added sets come into being with it. */
export function readVariantSetNames(p: ParserState, word: number, start: number): void {
	const valueStart = p.pos;
	const written = readNames(p);
	for (const name of written) checkVariantName(p, name, valueStart);
	const names = checkedItems(p, 'variant sets', word, written, valueStart);
	p.setNamedField('variantSetNames', listOpValue(p, 'variantSetNames', T.stringListOp, word, names), start, valueStart);
	if (word !== EXPLICIT && word !== W.add) return;
	for (const name of names) {
		const path = p.path.appendVariant(name, '');
		if (!p.data.has(path)) p.data.addSpec(path, SpecType.variantSet);
	}
	p.spec.set('variantSetChildren', makeValue(T.tokenVector, names));
}

/** Fails when `name` cannot name a variant or variant set. */
export function checkVariantName(p: ParserState, name: string, start: number): void {
	if (isVariantIdentifier(name)) return;
	p.fail(
		'USDA023',
		`${quote(name)} is not a valid variant name, expected letters, digits, '_', '|' and '-', perhaps after a '.'`,
		start,
		p.pos,
	);
}
