import { quote } from '@manyworlds/core';
import type { FieldLayout } from '../sdf/field-layout.ts';
import type { MemoryData, Spec } from '../sdf/memory-data.ts';
import { MemoryData as ThrowawayData } from '../sdf/memory-data.ts';
import { isIdentifier, type Path } from '../sdf/path.ts';
import { SpecType } from '../sdf/spec-type.ts';
import { makeValue, type Value } from '../sdf/value.ts';
import { T } from '../sdf/value-type.ts';
import { BYTE_CLASS, LINE_END } from './byte-class.ts';
import { RESERVED_COUNT, W } from './keywords.ts';
import { readMetadata } from './parse-metadata.ts';
import { checkVariantName, readOrder } from './parse-names.ts';
import { PropertyReader } from './parse-property.ts';
import type { ParserState } from './parser-state.ts';
import { quotePath } from './quote-path.ts';
import { skipStatement } from './recover.ts';
import { UsdaFault } from './usda-fault.ts';

const BRACE_OPEN = 0x7b;
const BRACE_CLOSE = 0x7d;
const PAREN_OPEN = 0x28;
const EQUALS = 0x3d;
const SEMICOLON = 0x3b;
const DOT = 0x2e;

/** Most levels of prims and variants inside each other. */
export const MAX_PRIM_DEPTH = 6000;

/** What a pair of braces belongs to. */
const FrameKind = { layer: 0, prim: 1, variantSet: 2, variant: 3 } as const;
type FrameKind = (typeof FrameKind)[keyof typeof FrameKind];

/** A layer, prim, variant set or variant whose braces are open. */
class Frame {
	readonly kind: FrameKind;
	readonly path: Path;
	readonly spec: Spec;
	/** Where its children begin in the lists of names. */
	readonly firstChild: number;
	readonly firstProperty: number;
	/** Its spec was there before, perhaps with properties. */
	readonly isReopened: boolean;
	/** The data to go back to when this frame fills a throwaway one. */
	readonly outerData: MemoryData | undefined;

	constructor(
		kind: FrameKind,
		path: Path,
		spec: Spec,
		firstChild: number,
		firstProperty: number,
		outerData: MemoryData | undefined,
	) {
		this.kind = kind;
		this.path = path;
		this.spec = spec;
		this.firstChild = firstChild;
		this.firstProperty = firstProperty;
		this.isReopened = spec.source >= 0;
		this.outerData = outerData;
	}
}

/** Reads the prims of a layer, with all they hold. Nested prims are kept on a stack of its own, not on that of the machine. */
export class BodyReader {
	readonly #p: ParserState;
	readonly #properties: PropertyReader;
	readonly #frames: Frame[] = [];
	#frame: Frame;
	/** Names of the prims (or variants) and properties of all open frames, the outermost first. */
	readonly #childNames: string[] = [];
	readonly #propertyNames: string[] = [];
	/** Lists of property names as they were met before: prims of one kind share one. */
	#propertyLists: Map<string, Value> | undefined;
	#lastNames: readonly string[] | undefined;
	#lastList: Value | undefined;
	readonly #specifierLayout: FieldLayout;
	readonly #typedLayout: FieldLayout;
	readonly #specifierNumber: number;
	readonly #typeNameNumber: number;
	/** A mistake was just reported: what cannot begin a statement is skipped in silence. */
	#isRecovering = false;
	#isDone = false;

	constructor(p: ParserState) {
		this.#p = p;
		this.#properties = new PropertyReader(p);
		this.#frame = new Frame(FrameKind.layer, p.path, p.spec, 0, 0, undefined);
		this.#specifierLayout = p.data.emptyLayout.with('specifier');
		this.#typedLayout = this.#specifierLayout.with('typeName');
		this.#specifierNumber = p.ranges.fieldNumber('specifier');
		this.#typeNameNumber = p.ranges.fieldNumber('typeName');
	}

	/** Reads up to the end of the text. */
	read(): void {
		while (!this.#isDone) this.#readStatements();
		this.#frame.spec.set('primChildren', makeValue(T.tokenVector, this.#childNames.slice()) as Value);
	}

	/** Reads statements until a mistake or the end. */
	#readStatements(): void {
		const p = this.#p;
		let start = p.pos;
		try {
			for (;;) {
				p.skipAll();
				start = p.pos;
				if (p.isAtEnd) {
					this.#finish();
					return;
				}
				this.#readStatement(start);
				this.#isRecovering = false;
			}
		} catch (fault) {
			if (!(fault instanceof UsdaFault)) throw fault;
			this.#recover(start, fault);
		}
	}

	#readStatement(start: number): void {
		const p = this.#p;
		const byte = p.bytes[start]!;
		if (byte === BRACE_CLOSE && this.#frame.kind !== FrameKind.layer) {
			p.pos++;
			this.#closeFrame();
			return;
		}
		if (this.#frame.kind === FrameKind.variantSet) {
			this.#readVariant(start);
			return;
		}
		const word = p.scopedIdentifier();
		if (word === W.def || word === W.over || word === W.class) {
			this.#readPrim(word, start);
			return;
		}
		if (this.#frame.kind === FrameKind.layer) this.#readLayerStatement(word, start);
		else if (word === W.variantSet) {
			this.#readVariantSet(start);
			return;
		} else if (word < 0) this.#failStart(start);
		else if (word !== W.reorder || !this.#readOrder(start)) {
			const frame = this.#frame;
			try {
				const first = frame.isReopened ? -1 : frame.firstProperty;
				this.#properties.read(frame.path, word, start, this.#propertyNames, first);
			} finally {
				this.#leaveProperty(frame);
			}
		}
		this.#endStatement();
	}

	#leaveProperty(frame: Frame): void {
		const p = this.#p;
		// a statement left in the middle has its record still open
		if (p.spec !== frame.spec && p.ranges.depth > this.#frames.length + 1) p.spec.source = p.ranges.close(p.pos);
		p.path = frame.path;
		p.spec = frame.spec;
	}

	#failStart(start: number): never {
		const p = this.#p;
		const byte = p.bytes[start]!;
		const isLayer = this.#frame.kind === FrameKind.layer;
		if (byte === BRACE_CLOSE || byte === 0x29 || byte === 0x5d) {
			p.fail('USDA012', `found '${String.fromCharCode(byte)}' that closes nothing`, start, start + 1);
		}
		if (byte < 0x20 || byte === 0x7f)
			p.fail('USDA010', `found ${p.describe(start)} outside a string`, start, start + 1);
		return p.failExpected(
			isLayer ? "a prim ('def', 'over' or 'class')" : 'a property, a prim, a variant set or an order',
		);
	}

	#readLayerStatement(word: number, start: number): void {
		const p = this.#p;
		if (word === W.reorder) {
			p.separator();
			if (p.identifier() !== W.rootPrims) p.failExpected("'rootPrims' after 'reorder'");
			p.assignment();
			readOrder(p, 'primOrder', start);
			return;
		}
		if (word >= RESERVED_COUNT && p.text(word) === '__END__') {
			p.warn('USDA063', "'__END__' ends the text, OpenUSD no longer reads it", start, p.pos);
			p.pos = p.length;
			return;
		}
		p.pos = start;
		if (word >= 0) {
			p.fail(
				'USDA052',
				`found ${p.describe(start)}, expected a prim ('def', 'over' or 'class')`,
				start,
				p.tokenEnd(start),
			);
		}
		this.#failStart(start);
	}

	/** Reads `reorder nameChildren = ...` or `reorder properties = ...`; false when it is neither. */
	#readOrder(start: number): boolean {
		const p = this.#p;
		const end = p.pos;
		p.separator();
		const word = p.identifier();
		if (word === W.nameChildren || word === W.properties) {
			p.skipInline();
			if (p.bytes[p.pos] === EQUALS) {
				p.assignment();
				readOrder(p, word === W.nameChildren ? 'primOrder' : 'propertyOrder', start);
				return true;
			}
		}
		p.pos = end;
		return false;
	}

	/** A line end or `;` must follow a property. */
	#endStatement(): void {
		const p = this.#p;
		p.skipToLineEnd();
		const byte = p.bytes[p.pos]!;
		if (byte === SEMICOLON || (BYTE_CLASS[byte]! & LINE_END) !== 0) p.pos++;
		else if (p.isAtEnd && this.#frame.kind === FrameKind.layer) return;
		else this.#failSeparator("a line end or ';'");
	}

	/** A line end must follow a closing brace. */
	#endBlock(): void {
		const p = this.#p;
		p.skipToLineEnd();
		if ((BYTE_CLASS[p.bytes[p.pos]!]! & LINE_END) !== 0) p.pos++;
		else if (!(p.isAtEnd && this.#frame.kind === FrameKind.layer)) this.#failSeparator('a line end');
	}

	#failSeparator(expected: string): never {
		const p = this.#p;
		if (p.isAtEnd) this.#finish();
		const what = p.describe(p.pos);
		return p.fail('USDA013', `found ${what}, expected ${expected} after the statement`, p.pos, p.tokenEnd(p.pos));
	}

	#readPrim(specifier: number, start: number): void {
		const p = this.#p;
		p.separator();
		const typeStart = p.pos;
		const typeNumber = p.isAtString() ? -1 : this.#readPrimType();
		const typeEnd = p.pos;
		if (typeNumber >= 0) p.separator();
		const nameStart = p.pos;
		if (!p.isAtString()) p.failExpected('the name of a prim in quotes');
		const name = p.string();
		const parent = this.#frame;
		if (this.#frames.length >= MAX_PRIM_DEPTH) {
			// nothing below can be told apart from more of the same
			this.#failDepth(start);
		}
		let outerData: MemoryData | undefined;
		let path = parent.path;
		if (!p.isIdentifierBetween(nameStart + 1, p.pos - 1) && !isIdentifier(name)) {
			p.addError('USDA020', `${quote(name)} is not a valid name for a prim, expected an identifier`, nameStart, p.pos);
			path = path.appendChild('_');
			outerData = this.#throwAway();
		} else {
			path = path.appendChild(name);
			if (p.data.has(path)) {
				p.addError('USDA021', `prim ${quotePath(path)} is there already, expected another name`, nameStart, p.pos);
				outerData = this.#throwAway();
			} else this.#childNames.push(name);
		}
		const value = specifier === W.def ? DEF : specifier === W.over ? OVER : CLASS;
		const spec =
			typeNumber < 0
				? p.data.addSpec(path, SpecType.prim, this.#specifierLayout, value)
				: p.data.addSpec(path, SpecType.prim, this.#typedLayout, value, p.token(typeNumber));
		p.ranges.open(start, nameStart);
		p.ranges.addField(
			this.#specifierNumber,
			start,
			start,
			start + 3 + (specifier === W.def ? 0 : specifier === W.over ? 1 : 2),
			start,
		);
		if (typeNumber >= 0) p.ranges.addField(this.#typeNameNumber, typeStart, typeStart, typeEnd, typeEnd);
		this.#enter(FrameKind.prim, path, spec, outerData, 'prim');
	}

	/** Later specs go to data that nobody sees: what is below a prim that cannot be kept is still checked. */
	#throwAway(): MemoryData {
		const p = this.#p;
		const { data } = p;
		p.data = new ThrowawayData(p.ranges);
		return data;
	}

	/** Reads the metadata and the opening brace of a prim or variant and makes it the innermost frame. */
	#enter(kind: FrameKind, path: Path, spec: Spec, outerData: MemoryData | undefined, what: string): void {
		const p = this.#p;
		p.path = path;
		p.spec = spec;
		this.#push(kind, path, spec, outerData);
		try {
			p.skipAll();
			if (p.bytes[p.pos] === PAREN_OPEN) {
				readMetadata(p);
				p.skipAll();
			}
			if (!p.accept(BRACE_OPEN)) p.failExpected(`'{' of the ${what}`);
			p.ranges.setBody(p.pos - 1, -1);
		} catch (fault) {
			this.#pop();
			throw fault;
		}
	}

	#push(kind: FrameKind, path: Path, spec: Spec, outerData: MemoryData | undefined): void {
		this.#frames.push(this.#frame);
		this.#frame = new Frame(kind, path, spec, this.#childNames.length, this.#propertyNames.length, outerData);
	}

	/** Closes the innermost frame: its children become fields of its spec. */
	#pop(): void {
		const p = this.#p;
		const frame = this.#frame;
		const { spec } = frame;
		const isSet = frame.kind === FrameKind.variantSet;
		if (this.#childNames.length > frame.firstChild || isSet) {
			const field = isSet ? 'variantChildren' : 'primChildren';
			const names = this.#childNames.slice(frame.firstChild);
			this.#childNames.length = frame.firstChild;
			spec.set(field, makeValue(T.tokenVector, mergeNames(spec, field, names)) as Value);
		}
		if (this.#propertyNames.length > frame.firstProperty) {
			const names = this.#propertyNames.slice(frame.firstProperty);
			this.#propertyNames.length = frame.firstProperty;
			spec.set('properties', this.#propertyList(mergeNames(spec, 'properties', names)));
		}
		spec.source = p.ranges.close(p.pos);
		if (frame.outerData !== undefined) p.data = frame.outerData;
		this.#frame = this.#frames.pop()!;
		p.path = this.#frame.path;
		p.spec = this.#frame.spec;
	}

	/** OpenUSD reads a variant set without variants only when nothing stands between its braces. */
	#checkEmptySet(): void {
		const p = this.#p;
		if (p.bytes[p.pos - 2] === BRACE_OPEN || this.#isRecovering || this.#frame.isReopened) return;
		p.addError('USDA001', "found a variant set without variants, expected at least one or '{}'", p.pos - 1, p.pos);
	}

	#propertyList(names: readonly string[]): Value {
		if (names.length > 32) return makeValue(T.tokenVector, names) as Value;
		if (isSameList(names, this.#lastNames)) return this.#lastList!;
		this.#lastNames = names;
		this.#lastList = this.#findPropertyList(names);
		return this.#lastList;
	}

	#findPropertyList(names: readonly string[]): Value {
		const key = names.join(' ');
		this.#propertyLists ??= new Map();
		let value = this.#propertyLists.get(key);
		if (value === undefined) {
			value = makeValue(T.tokenVector, names) as Value;
			this.#propertyLists.set(key, value);
		}
		return value;
	}

	#closeFrame(): void {
		const { kind, firstChild } = this.#frame;
		if (kind === FrameKind.variantSet && this.#childNames.length === firstChild) this.#checkEmptySet();
		this.#p.ranges.closeBody(this.#p.pos - 1);
		this.#pop();
		if (kind !== FrameKind.variant) this.#endBlock();
	}

	/** Reads the type of a prim, identifiers joined by dots, and gives its number. */
	#readPrimType(): number {
		const p = this.#p;
		let type = '';
		for (;;) {
			const start = p.pos;
			const word = p.scopedIdentifier();
			if (word < RESERVED_COUNT) {
				p.pos = start;
				p.failExpected('the type or the quoted name of a prim');
			}
			const end = p.pos;
			p.skipInline();
			if (!p.accept(DOT)) {
				p.pos = end;
				return type === '' ? word : p.internText(type + p.text(word));
			}
			type += `${p.text(word)}.`;
			p.skipInline();
		}
	}

	#readVariantSet(start: number): void {
		const p = this.#p;
		p.separator();
		const nameStart = p.pos;
		if (!p.isAtString()) p.failExpected('the name of a variant set in quotes');
		const name = p.string();
		checkVariantName(p, name, nameStart);
		p.skipInline();
		p.expect(EQUALS);
		p.skipAll();
		if (!p.accept(BRACE_OPEN)) p.failExpected("'{' of the variant set");
		if (this.#frames.length >= MAX_PRIM_DEPTH) this.#failDepth(start);
		const owner = this.#frame;
		const path = owner.path.appendVariant(name, '');
		let spec = p.data.spec(path);
		if (spec === undefined) {
			spec = p.data.addSpec(path, SpecType.variantSet);
			const known = (owner.spec.get('variantSetChildren')?.data ?? []) as readonly string[];
			owner.spec.set('variantSetChildren', makeValue(T.tokenVector, [...known, name]) as Value);
		} else if (spec.source >= 0) {
			p.warn(
				'USDA029',
				`variant set ${quote(name)} is there already, its variants are added to the first one`,
				nameStart,
				p.pos,
			);
		}
		p.ranges.open(start, nameStart);
		p.ranges.setBody(p.pos - 1, -1);
		p.path = path;
		p.spec = spec;
		this.#push(FrameKind.variantSet, path, spec, undefined);
	}

	#readVariant(start: number): void {
		const p = this.#p;
		if (!p.isAtString()) p.failExpected("the name of a variant in quotes or '}'");
		const name = p.string();
		const set = this.#frame;
		checkVariantName(p, name, start);
		if (this.#frames.length >= MAX_PRIM_DEPTH) this.#failDepth(start);
		const path = set.path.parent!.appendVariant(set.path.variantSet, name);
		let spec = p.data.spec(path);
		if (spec === undefined) {
			spec = p.data.addSpec(path, SpecType.variant);
			this.#childNames.push(name);
		} else p.warn('USDA029', `variant ${quote(name)} is there already, this one is added to it`, start, p.pos);
		p.ranges.open(start, start);
		this.#enter(FrameKind.variant, path, spec, undefined, 'variant');
	}

	/** Nesting is too deep: nothing more is read. */
	#failDepth(start: number): never {
		const p = this.#p;
		this.#isDone = true;
		const fault = new UsdaFault(
			'USDA015',
			`prims are nested deeper than ${MAX_PRIM_DEPTH} levels, the rest is not read`,
			start,
			p.pos,
		);
		p.reportFault(fault);
		p.pos = p.length;
		this.#closeAll();
		throw fault;
	}

	/** At the end of the text: frames that are still open lack their brace. */
	#finish(): void {
		const p = this.#p;
		this.#isDone = true;
		if (this.#frames.length > 0) {
			const { kind } = this.#frame;
			const what = kind === FrameKind.prim ? 'prim' : kind === FrameKind.variant ? 'variant' : 'variant set';
			const more = this.#frames.length > 1 ? ` (${this.#frames.length} braces are open)` : '';
			p.addError(
				'USDA011',
				`found the end of the file, expected '}' of the ${what} ${quotePath(p.path)}${more}`,
				p.length,
				p.length,
			);
		}
		this.#closeAll();
	}

	#closeAll(): void {
		while (this.#frames.length > 0) this.#pop();
	}

	#recover(start: number, fault: UsdaFault): void {
		const p = this.#p;
		if (this.#isDone) return;
		const isNoise = this.#isRecovering && fault.start === start && fault.code === 'USDA001';
		if (!isNoise) p.reportFault(fault);
		this.#isRecovering = true;
		if (p.isHopeless(start)) return;
		const from = fault.code === 'USDA012' ? fault.end : start;
		skipStatement(p, from, Math.max(fault.start, from), BRACE_CLOSE);
		if (p.pos <= start && !p.isAtEnd && (p.bytes[p.pos] !== BRACE_CLOSE || this.#frame.kind === FrameKind.layer))
			p.pos = start + 1;
		while (p.bytes[p.pos] === SEMICOLON) p.pos++;
	}
}

const DEF: Value = makeValue(T.specifier, 'def') as Value;
const OVER: Value = makeValue(T.specifier, 'over') as Value;
const CLASS: Value = makeValue(T.specifier, 'class') as Value;

function isSameList(a: readonly string[], b: readonly string[] | undefined): boolean {
	if (a.length !== b?.length) return false;
	for (let i = 0; i < a.length; i++) if (a[i] !== b[i]) return false;
	return true;
}

/** Names that a spec has already followed by new ones. */
function mergeNames(spec: Spec, field: string, names: readonly string[]): readonly string[] {
	const known = spec.get(field)?.data as readonly string[] | undefined;
	return known === undefined ? names : [...known, ...names.filter((name) => !known.includes(name))];
}
