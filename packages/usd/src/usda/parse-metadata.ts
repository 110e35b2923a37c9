import { quote } from '@manyworlds/core';
import type { ListOp } from '../sdf/list-op.ts';
import { SpecType } from '../sdf/spec-type.ts';
import { makeValue, type Value } from '../sdf/value.ts';
import { T, type ValueType } from '../sdf/value-type.ts';
import { LIST_OP_COUNT, RESERVED_COUNT, W } from './keywords.ts';
import { readPayloads, readPrimPaths, readReferences, readSubLayers } from './parse-arcs.ts';
import { readArray } from './parse-array.ts';
import { readDictionary } from './parse-dictionary.ts';
import { EXPLICIT, hasDuplicates, listOpValue, withItems } from './parse-list-op.ts';
import { readVariantSetNames } from './parse-names.ts';
import { readLayerRelocates, readPrimRelocates } from './parse-relocates.ts';
import {
	readDisplayUnit,
	readPermission,
	readSubstitutions,
	readSymmetryFunction,
	readVariantSelections,
} from './parse-special-metadata.ts';
import { readValue, VALUE_BLOCK } from './parse-value.ts';
import type { ParserState } from './parser-state.ts';
import { skipStatement } from './recover.ts';
import { nextStatement } from './statements.ts';
import { readUnregistered, readValueText } from './unregistered-text.ts';
import { UsdaFault } from './usda-fault.ts';

const PAREN_CLOSE = 0x29;
const BRACE_OPEN = 0x7b;
const BRACKET_OPEN = 0x5b;

/** Reads the metadata of the current spec, from its opening to its closing parenthesis. */
export function readMetadata(p: ParserState): void {
	const open = p.pos;
	p.pos++;
	p.skipAll();
	if (!p.accept(PAREN_CLOSE)) {
		while (readItem(p, open));
	}
	p.ranges.setMetadata(open, p.pos);
}

/** Reads one statement and goes to the next; false after the closing parenthesis. Mistakes are reported here. */
function readItem(p: ParserState, open: number): boolean {
	const start = p.pos;
	try {
		readStatement(p);
		return nextStatement(p, PAREN_CLOSE);
	} catch (fault) {
		if (!(fault instanceof UsdaFault)) throw fault;
		p.reportFault(fault);
		return !p.isHopeless(start) && recover(p, start, fault, open);
	}
}

function recover(p: ParserState, start: number, fault: UsdaFault, open: number): boolean {
	skipStatement(p, start, Math.max(fault.start, start), PAREN_CLOSE);
	p.skipSeparators();
	if (p.accept(PAREN_CLOSE)) return false;
	if (p.isAtEnd || p.pos <= start) {
		if (fault.start < p.length) p.addError('USDA011', "metadata has no closing ')'", open, open + 1);
		return false;
	}
	return true;
}

function readStatement(p: ParserState): void {
	const start = p.pos;
	if (p.isAtString()) {
		p.setNamedField('comment', makeValue(T.string, p.string()), start, start);
		return;
	}
	const word = p.scopedIdentifier();
	if (word < 0) p.failExpected('a metadata name');
	if (word < LIST_OP_COUNT) {
		p.separator();
		readListEdit(p, word, start);
	} else if (word >= RESERVED_COUNT || isGenericKeyword(p, word)) {
		p.assignment();
		readGeneric(p, p.text(word), start);
	} else readKeyword(p, word, start);
}

/** Two keywords stand for ordinary fields, except on layers. */
function isGenericKeyword(p: ParserState, word: number): boolean {
	return (word === W.customData || word === W.symmetryArguments) && p.spec.type !== SpecType.pseudoRoot;
}

function readKeyword(p: ParserState, word: number, start: number): void {
	const kind = p.spec.type;
	const isPrim = kind === SpecType.prim || kind === SpecType.variant;
	const isLayer = kind === SpecType.pseudoRoot;
	if (word === W.doc) {
		p.assignment();
		const valueStart = p.pos;
		p.setNamedField('documentation', makeValue(T.string, p.string()), start, valueStart);
		return;
	}
	const reader = (isPrim ? PRIM_KEYWORDS : isLayer ? LAYER_KEYWORDS : PROPERTY_KEYWORDS).get(word);
	if (reader === undefined || (word === W.displayUnit && kind !== SpecType.attribute)) {
		const site = isPrim
			? 'a prim'
			: isLayer
				? 'a layer'
				: kind === SpecType.attribute
					? 'an attribute'
					: 'a relationship';
		p.fail('USDA043', `${quote(p.text(word))} is not metadata of ${site}`, start, p.pos);
	}
	p.assignment();
	reader(p, EXPLICIT, start);
}

type KeywordReader = (p: ParserState, word: number, start: number) => void;

const PRIM_KEYWORDS: ReadonlyMap<number, KeywordReader> = new Map<number, KeywordReader>([
	[W.references, readReferences],
	[W.payload, readPayloads],
	[W.inherits, (p, word, start) => readPrimPaths(p, 'inheritPaths', word, start)],
	[W.specializes, (p, word, start) => readPrimPaths(p, 'specializes', word, start)],
	[W.variantSets, readVariantSetNames],
	[W.variants, readVariantSelections],
	[W.kind, readKind],
	[W.relocates, readPrimRelocates],
	[W.permission, readPermission],
	[W.symmetryFunction, readSymmetryFunction],
	[W.prefixSubstitutions, (p, _, start) => readSubstitutions(p, 'prefixSubstitutions', start)],
	[W.suffixSubstitutions, (p, _, start) => readSubstitutions(p, 'suffixSubstitutions', start)],
]);

const PROPERTY_KEYWORDS: ReadonlyMap<number, KeywordReader> = new Map<number, KeywordReader>([
	[W.permission, readPermission],
	[W.symmetryFunction, readSymmetryFunction],
	[W.displayUnit, readDisplayUnit],
]);

const LAYER_KEYWORDS: ReadonlyMap<number, KeywordReader> = new Map<number, KeywordReader>([
	[W.subLayers, (p, _, start) => readSubLayers(p, start)],
	[W.relocates, readLayerRelocates],
]);

/** The prim keywords that can follow a list-op word. */
const LIST_KEYWORDS: ReadonlySet<number> = new Set([W.references, W.payload, W.inherits, W.specializes, W.variantSets]);

function readKind(p: ParserState, _word: number, start: number): void {
	const valueStart = p.pos;
	p.setNamedField('kind', makeValue(T.token, p.string()), start, valueStart);
}

function readListEdit(p: ParserState, listWord: number, start: number): void {
	const nameStart = p.pos;
	const word = p.scopedIdentifier();
	const isPrim = p.spec.type === SpecType.prim || p.spec.type === SpecType.variant;
	if (isPrim && LIST_KEYWORDS.has(word)) {
		p.assignment();
		PRIM_KEYWORDS.get(word)!(p, listWord, start);
		return;
	}
	if (word < RESERVED_COUNT) {
		p.pos = nameStart;
		p.failExpected(`the name of a list after '${p.text(listWord)}'`);
	}
	p.assignment();
	const name = p.text(word);
	const valueStart = p.pos;
	const isNone = acceptNone(p);
	if (!isNone && p.bytes[p.pos] !== BRACKET_OPEN) p.failExpected("None or a list in '['");
	const type = registeredType(p, name, start);
	const arrayType = type === undefined ? undefined : LIST_OP_ARRAYS.get(type);
	if (type === undefined) readUnregisteredEdit(p, name, listWord, isNone, start, valueStart);
	else if (arrayType !== undefined) readTypedEdit(p, name, type, arrayType, listWord, isNone, start, valueStart);
	else
		p.fail('USDA044', `${quote(name)} is no list-op, expected it without '${p.text(listWord)}'`, nameStart, valueStart);
}

function readUnregisteredEdit(
	p: ParserState,
	name: string,
	listWord: number,
	isNone: boolean,
	start: number,
	valueStart: number,
): void {
	const text = isNone ? undefined : readValueText(p);
	const old = p.spec.get(name)?.data;
	// a plain value that came first stays
	if (typeof old === 'string' || old instanceof Map) return;
	const items = text === undefined ? [] : [text.slice(1, -1)];
	const value = makeValue(T.unregistered, withItems(old as ListOp<string> | undefined, listWord, items));
	p.setNamedField(name, value, start, valueStart);
}

function readTypedEdit(
	p: ParserState,
	name: string,
	type: ValueType,
	arrayType: ValueType,
	listWord: number,
	isNone: boolean,
	start: number,
	valueStart: number,
): void {
	if (!isNone && p.spec.get(name) === undefined) {
		const read = (): Value => {
			const items = readItems(p, name, arrayType, listWord, valueStart);
			return items === undefined
				? VALUE_BLOCK
				: listOpValue(p, name, type as ValueType<ListOp<unknown>>, listWord, items);
		};
		const value = p.repeated.read(listWord + 2, name, read, undefined);
		if (value !== VALUE_BLOCK) p.setNamedField(name, value, start, valueStart);
		return;
	}
	const items = isNone ? [] : readItems(p, name, arrayType, listWord, valueStart);
	if (items === undefined) return;
	p.setNamedField(name, listOpValue(p, name, type as ValueType<ListOp<unknown>>, listWord, items), start, valueStart);
}

/** Reads the items of a list-op; undefined for a list that is ignored. */
function readItems(
	p: ParserState,
	name: string,
	arrayType: ValueType,
	listWord: number,
	valueStart: number,
): readonly unknown[] | undefined {
	const items = Array.from(readArray(p, arrayType).data as ArrayLike<unknown>);
	if (items.length === 0 && listWord !== EXPLICIT) {
		p.fail('USDA028', `empty list after '${p.text(listWord)}', expected items or None`, valueStart, p.pos);
	}
	if (hasDuplicates(items)) {
		p.warn('USDA067', `the list for ${quote(name)} has an item twice, OpenUSD ignores such a list`, valueStart, p.pos);
		return undefined;
	}
	return items;
}

/** Reads `name = value` where the grammar does not know the name. */
function readGeneric(p: ParserState, name: string, start: number): void {
	const valueStart = p.pos;
	const type = registeredType(p, name, start);
	const isDictionary = p.bytes[p.pos] === BRACE_OPEN;
	if (type === undefined) {
		p.setNamedField(name, readUnregisteredField(p, isDictionary), start, valueStart);
		return;
	}
	const arrayType = LIST_OP_ARRAYS.get(type);
	const isNone = acceptNone(p);
	if (arrayType !== undefined) {
		if (!isNone && p.bytes[p.pos] !== BRACKET_OPEN) {
			p.fail(
				'USDA035',
				`found ${p.describe(p.pos)}, expected None or a list in '[' for ${quote(name)}`,
				p.pos,
				p.tokenEnd(p.pos),
			);
		}
		readTypedEdit(p, name, type, arrayType, EXPLICIT, isNone, start, valueStart);
		return;
	}
	if (isNone) p.fail('USDA044', `${quote(name)} is None, expected a value of type ${type.name}`, valueStart, p.pos);
	p.setNamedField(name, readRegistered(p, name, type, isDictionary), start, valueStart);
}

function readUnregisteredField(p: ParserState, isDictionary: boolean): Value {
	if (isDictionary) return makeValue(T.unregistered, readDictionary(p));
	return acceptNone(p) ? makeValue(T.unregistered, 'None') : readUnregistered(p);
}

function readRegistered(p: ParserState, name: string, type: ValueType, isDictionary: boolean): Value {
	if (isDictionary !== (type === T.dictionary)) {
		const expected = isDictionary ? `a value of type ${type.name}` : "a dictionary in '{'";
		p.fail('USDA044', `found ${p.describe(p.pos)}, expected ${expected} for ${quote(name)}`, p.pos, p.tokenEnd(p.pos));
	}
	if (isDictionary) return makeValue(T.dictionary, readDictionary(p)) as Value;
	if (type === T.doubleVector) return { type, data: readValue(p, T.double.array).data };
	if (type === T.stringVector || type === T.tokenVector) return { type, data: readValue(p, T.string.array).data };
	return readValue(p, type);
}

function acceptNone(p: ParserState): boolean {
	if (!p.isAtIdentifier()) return false;
	const start = p.pos;
	if (p.identifier() === W.None) return true;
	p.pos = start;
	return false;
}

/** The type of a registered field of the current spec. Fields that are not metadata fail. */
function registeredType(p: ParserState, name: string, start: number): ValueType | undefined {
	if (STRUCTURE[p.spec.type]?.has(name)) {
		p.fail('USDA043', `${quote(name)} is not metadata, it has a place of its own in the text`, start, p.pos);
	}
	return p.registry.findFor(p.spec.type, name)?.type;
}

const LIST_OP_ARRAYS: ReadonlyMap<ValueType, ValueType> = new Map<ValueType, ValueType>([
	[T.tokenListOp as ValueType, T.token.array as ValueType],
	[T.stringListOp as ValueType, T.string.array as ValueType],
	[T.intListOp as ValueType, T.int.array as ValueType],
	[T.uintListOp as ValueType, T.uint.array as ValueType],
	[T.int64ListOp as ValueType, T.int64.array as ValueType],
	[T.uint64ListOp as ValueType, T.uint64.array as ValueType],
]);

const PRIM_STRUCTURE: ReadonlySet<string> = new Set([
	'comment',
	'specifier',
	'inheritPaths',
	'primChildren',
	'primOrder',
	'propertyOrder',
	'variantSelection',
	'variantSetChildren',
	'variantSetNames',
]);

/** Fields that the text expresses otherwise, by spec type. */
const STRUCTURE: { readonly [type: number]: ReadonlySet<string> } = {
	[SpecType.pseudoRoot]: new Set(['comment', 'primChildren', 'layerRelocates', 'primOrder', 'subLayerOffsets']),
	[SpecType.prim]: PRIM_STRUCTURE,
	[SpecType.variant]: PRIM_STRUCTURE,
	[SpecType.attribute]: new Set(['comment', 'variability', 'typeName', 'connectionChildren', 'connectionPaths']),
	[SpecType.relationship]: new Set(['comment', 'variability', 'targetChildren', 'targetPaths']),
};
