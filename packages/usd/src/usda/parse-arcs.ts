import { Path } from '../sdf/path.ts';
import {
	arcKey,
	type Dictionary,
	EMPTY_DICTIONARY,
	IDENTITY_OFFSET,
	type LayerOffset,
	makePayload,
	makeReference,
	type Payload,
	type Reference,
} from '../sdf/value.ts';
import { T } from '../sdf/value-type.ts';
import { W } from './keywords.ts';
import { readDictionary } from './parse-dictionary.ts';
import { checkedItems, listOpValue } from './parse-list-op.ts';
import { nextItem } from './parse-scalar.ts';
import type { ParserState } from './parser-state.ts';
import { quotePath } from './quote-path.ts';
import { nextStatement } from './statements.ts';

const BRACKET_OPEN = 0x5b;
const BRACKET_CLOSE = 0x5d;
const PAREN_OPEN = 0x28;
const PAREN_CLOSE = 0x29;
const ANGLE_OPEN = 0x3c;

/** Reads what follows `references =`. */
export function readReferences(p: ParserState, word: number, start: number): void {
	const valueStart = p.pos;
	const items = checkedItems(p, 'references', word, readListOf(p, readReference), valueStart, arcKey);
	p.setNamedField('references', listOpValue(p, 'references', T.referenceListOp, word, items), start, valueStart);
}

/** Reads what follows `payload =`. */
export function readPayloads(p: ParserState, word: number, start: number): void {
	const valueStart = p.pos;
	const items = checkedItems(p, 'payloads', word, readListOf(p, readPayload), valueStart, arcKey);
	p.setNamedField('payload', listOpValue(p, 'payload', T.payloadListOp, word, items), start, valueStart);
}

/** Reads what follows `inherits =` or `specializes =`. */
export function readPrimPaths(p: ParserState, field: string, word: number, start: number): void {
	const valueStart = p.pos;
	const items = checkedItems(p, 'prim paths', word, readListOf(p, readAbsolutePrimPath), valueStart);
	p.setNamedField(field, listOpValue(p, field, T.pathListOp, word, items), start, valueStart);
}

/** Reads `None`, one item, or items in brackets. Items that were reported as unusable are undefined and left out. */
export function readListOf<I>(p: ParserState, readItem: (p: ParserState) => I | undefined): I[] {
	if (p.accept(BRACKET_OPEN)) {
		const items: I[] = [];
		p.skipAll();
		if (p.accept(BRACKET_CLOSE)) return items;
		do {
			const item = readItem(p);
			if (item !== undefined) items.push(item);
		} while (nextItem(p, BRACKET_CLOSE));
		return items;
	}
	if (p.isAtIdentifier()) {
		const start = p.pos;
		if (p.identifier() === W.None) return [];
		p.pos = start;
	}
	const item = readItem(p);
	return item === undefined ? [] : [item];
}

function readReference(p: ParserState): Reference | undefined {
	return readArc(p, true);
}

function readPayload(p: ParserState): Payload | undefined {
	const arc = readArc(p, false);
	return arc && makePayload(arc.assetPath, arc.primPath, arc.layerOffset);
}

function readArc(p: ParserState, mayHaveCustomData: boolean): Reference | undefined {
	const start = p.pos;
	let assetPath = '';
	let primPath: Path | undefined = Path.empty;
	let isUsable = true;
	if (p.isAtAsset()) {
		assetPath = p.assetPath();
		if (assetPath === '') {
			isUsable = false;
			p.addError(
				'USDA051',
				"asset path is empty, expected a path or, for an arc into this layer, no '@'",
				start,
				p.pos,
			);
		}
		const end = p.pos;
		p.skipInline();
		if (p.bytes[p.pos] === ANGLE_OPEN) primPath = readArcTarget(p);
		else p.pos = end;
	} else if (p.bytes[p.pos] === ANGLE_OPEN) primPath = readArcTarget(p);
	else p.failExpected("an asset path in '@', a prim path in '<' or None");
	let layerOffset = IDENTITY_OFFSET;
	let customData = EMPTY_DICTIONARY;
	const end = p.pos;
	p.skipInline();
	if (p.bytes[p.pos] === PAREN_OPEN) ({ layerOffset, customData } = readArcParameters(p, mayHaveCustomData));
	else p.pos = end;
	return isUsable && primPath !== undefined ? makeReference(assetPath, primPath, layerOffset, customData) : undefined;
}

function readArcTarget(p: ParserState): Path | undefined {
	const start = p.pos;
	const path = p.pathReference();
	if (path.isEmpty) return path;
	if (hasNoVariants(p, path, start) && path.isPrim && path.isAbsolute) return path;
	if (!path.hasVariants) {
		p.addError('USDA025', `${quotePath(path)} is not an absolute prim path, expected one or <>`, start, p.pos);
	}
	return undefined;
}

/** Whether a path is free of variant selections; reports one that is not, because none make sense there. */
export function hasNoVariants(p: ParserState, path: Path, start: number): boolean {
	if (!path.hasVariants) return true;
	p.addError('USDA026', `${quotePath(path)} has a variant selection, expected a path without one`, start, p.pos);
	return false;
}

function readArcParameters(
	p: ParserState,
	mayHaveCustomData: boolean,
): { readonly layerOffset: LayerOffset; readonly customData: Dictionary } {
	let { offset, scale } = IDENTITY_OFFSET;
	let customData = EMPTY_DICTIONARY;
	p.expect(PAREN_OPEN);
	p.skipAll();
	if (!p.accept(PAREN_CLOSE)) {
		do {
			const start = p.pos;
			const word = p.identifier();
			if (word === W.offset) offset = readParameter(p);
			else if (word === W.scale) scale = readParameter(p);
			else if (word === W.customData && mayHaveCustomData) {
				p.assignment();
				customData = readDictionary(p);
			} else {
				p.pos = start;
				p.failExpected(mayHaveCustomData ? 'offset, scale or customData' : 'offset or scale');
			}
		} while (nextStatement(p, PAREN_CLOSE));
	}
	return { layerOffset: offset === 0 && scale === 1 ? IDENTITY_OFFSET : { offset, scale }, customData };
}

function readParameter(p: ParserState): number {
	p.assignment();
	p.number();
	return p.value;
}

/** Reads what follows `subLayers =`. */
export function readSubLayers(p: ParserState, start: number): void {
	const valueStart = p.pos;
	const paths: string[] = [];
	const offsets: LayerOffset[] = [];
	if (!p.accept(BRACKET_OPEN)) p.failExpected("sublayers in '['");
	p.skipAll();
	if (!p.accept(BRACKET_CLOSE)) {
		do {
			paths.push(p.assetPath());
			const end = p.pos;
			p.skipInline();
			if (p.bytes[p.pos] === PAREN_OPEN) offsets.push(readArcParameters(p, false).layerOffset);
			else {
				p.pos = end;
				offsets.push(IDENTITY_OFFSET);
			}
		} while (nextItem(p, BRACKET_CLOSE));
	}
	if (paths.length === 0) return;
	p.setNamedField('subLayers', { type: T.stringVector, data: paths }, start, valueStart);
	p.setNamedField('subLayerOffsets', { type: T.layerOffsetVector, data: offsets }, start, valueStart);
}

function readAbsolutePrimPath(p: ParserState): Path | undefined {
	const start = p.pos;
	if (p.bytes[start] !== ANGLE_OPEN) p.failExpected("a prim path in '<' or None");
	const path = p.pathReference();
	if (!hasNoVariants(p, path, start)) return undefined;
	const absolute = path.makeAbsolute(anchorOf(p.path));
	if (absolute !== path) checkAnchor(p, path, start);
	if ((path.isPrim || path === Path.relativeRoot) && absolute.isPrim) return absolute;
	p.addError('USDA025', `${quotePath(path)} is not a prim path, expected one`, start, p.pos);
	return undefined;
}

/** The prim path that relative paths in a spec start from. */
export function anchorOf(path: Path): Path {
	return path.primPath.stripVariants();
}

/** Reports a relative path in a prim below a variant: it resolves to the composed prim here, but OpenUSD refuses it. */
export function checkAnchor(p: ParserState, path: Path, start: number): void {
	let prim = p.path.primPath;
	while (prim.isVariant) prim = prim.parent!;
	if (!prim.hasVariants) return;
	p.addError(
		'USDA054',
		`${quotePath(path)} is relative to a prim inside a variant, expected an absolute path`,
		start,
		p.pos,
	);
}
