import { quote } from '@manyworlds/core';
import type { FieldLayout } from '../sdf/field-layout.ts';
import { ListOp } from '../sdf/list-op.ts';
import type { Spec } from '../sdf/memory-data.ts';
import type { Path } from '../sdf/path.ts';
import { SpecType } from '../sdf/spec-type.ts';
import { makeValue, type Value, valueIs } from '../sdf/value.ts';
import { T, type ValueType } from '../sdf/value-type.ts';
import { LIST_OP_COUNT, RESERVED_COUNT, W } from './keywords.ts';
import { normalizePathExpression } from './normalize-path-expression.ts';
import { anchorOf, checkAnchor, hasNoVariants, readListOf } from './parse-arcs.ts';
import { readArraySuffix } from './parse-dictionary.ts';
import { checkedItems, EXPLICIT, listOpValue } from './parse-list-op.ts';
import { readMapper, readMarker } from './parse-mapper.ts';
import { readMetadata } from './parse-metadata.ts';
import { readSpline } from './parse-spline.ts';
import { readTimeSamples } from './parse-time-samples.ts';
import { readAttributeValue } from './parse-value.ts';
import type { ParserState } from './parser-state.ts';
import { quotePath } from './quote-path.ts';

const DOT = 0x2e;
const EQUALS = 0x3d;
const PAREN_OPEN = 0x28;
const BRACKET_OPEN = 0x5b;
const BRACKET_CLOSE = 0x5d;
const ANGLE_OPEN = 0x3c;

const TRUE: Value = makeValue(T.bool, true) as Value;
const FALSE: Value = makeValue(T.bool, false) as Value;
const VARYING: Value = makeValue(T.variability, 'varying') as Value;
const UNIFORM: Value = makeValue(T.variability, 'uniform') as Value;
const ANIMATION_BLOCK: Value = makeValue(T.animationBlock, null) as Value;

/** Most names that are looked through for one. */
const MAX_SCAN = 24;

/** Numbers of the fields that every property has, in the source ranges of a layer. */
interface FieldNumbers {
	readonly custom: number;
	readonly typeName: number;
	readonly variability: number;
	readonly default: number;
	readonly targetPaths: number;
}

/** Reads the properties of prims. */
export class PropertyReader {
	readonly #p: ParserState;
	readonly #numbers: FieldNumbers;
	readonly #attributeLayout: FieldLayout;
	readonly #valueLayout: FieldLayout;
	readonly #relationshipLayout: FieldLayout;
	readonly #customRelationshipLayout: FieldLayout;
	#singleTargets: Map<Path, Value> | undefined;
	/** Parts of the declaration that is being read. */
	#start = 0;
	#isCustom = false;
	#customStart = -1;
	#variabilityStart = -1;
	#isUniform = false;
	#typeStart = 0;
	#typeNumber = 0;
	#nameStart = 0;
	#firstName = -1;

	constructor(p: ParserState) {
		this.#p = p;
		const { ranges } = p;
		const custom = p.data.emptyLayout.with('custom');
		this.#attributeLayout = custom.with('typeName').with('variability');
		this.#valueLayout = this.#attributeLayout.with('default');
		this.#relationshipLayout = p.data.emptyLayout.with('variability');
		this.#customRelationshipLayout = custom.with('variability');
		this.#numbers = {
			custom: ranges.fieldNumber('custom'),
			typeName: ranges.fieldNumber('typeName'),
			variability: ranges.fieldNumber('variability'),
			default: ranges.fieldNumber('default'),
			targetPaths: ranges.fieldNumber('targetPaths'),
		};
	}

	/**
	 * Reads one property statement of the prim at `owner`, whose first word has been read. New names are added to `names`,
	 * where those of the prim begin at `firstName`; -1 says that the prim may have others too.
	 * While it runs, the property is the parser's current spec.
	 */
	read(owner: Path, firstWord: number, start: number, names: string[], firstName: number): void {
		this.#firstName = firstName;
		const p = this.#p;
		this.#start = start;
		let word = firstWord;
		let wordStart = start;
		let listWord = EXPLICIT;
		if (word < LIST_OP_COUNT) {
			listWord = word;
			p.separator();
			wordStart = p.pos;
			word = p.scopedIdentifier();
		}
		this.#isCustom = word === W.custom;
		this.#customStart = wordStart;
		if (this.#isCustom) {
			p.separator();
			wordStart = p.pos;
			word = p.scopedIdentifier();
		}
		this.#variabilityStart = -1;
		this.#isUniform = false;
		if (word === W.uniform || word === W.config) {
			this.#isUniform = true;
			this.#variabilityStart = wordStart;
			p.separator();
			wordStart = p.pos;
			word = p.scopedIdentifier();
		} else if (word === W.varying) {
			this.#variabilityStart = wordStart;
			p.separator();
			wordStart = p.pos;
			word = p.scopedIdentifier();
			if (word !== W.rel) {
				p.pos = wordStart;
				p.failExpected("'rel' after 'varying'");
			}
		}
		if (word === W.rel && !this.#isUniform) this.#readRelationship(owner, listWord, names);
		else if (word < RESERVED_COUNT) {
			p.pos = wordStart;
			p.failExpected('a property, a prim, a variant set or an order');
		} else {
			this.#typeStart = wordStart;
			this.#typeNumber = readArraySuffix(p, word, wordStart);
			p.separator();
			this.#readAttribute(owner, listWord, names);
		}
	}

	#readName(): string {
		const p = this.#p;
		this.#nameStart = p.pos;
		const word = p.namespacedIdentifier();
		if (word < 0) {
			const end = p.tokenEnd(p.pos);
			p.fail('USDA022', `found ${p.describe(p.pos)}, expected the name of a property`, p.pos, end);
		}
		const byte = p.bytes[p.pos]!;
		if (byte === 0x3a || byte >= 0x80 || byte === 0x2d) {
			p.fail(
				'USDA022',
				`found ${p.describe(p.pos)} in the name of a property, expected identifiers joined by ':'`,
				p.pos,
			);
		}
		return p.text(word);
	}

	#readAttribute(owner: Path, listWord: number, names: string[]): void {
		const p = this.#p;
		const name = this.#readName();
		const path = owner.appendProperty(name);
		const attributeType = p.attributeType(this.#typeNumber);
		const type = attributeType === null ? null : attributeType.valueType;
		const existing = this.#find(path, name, names);
		p.path = path;
		if (existing !== undefined) this.#checkRedeclaration(existing, name);
		p.skipInline();
		const next = p.bytes[p.pos]!;
		if (next === EQUALS && listWord === EXPLICIT) {
			p.pos++;
			p.skipInline();
			const valueStart = p.pos;
			let value: Value | undefined;
			try {
				value = this.#readDefault(type);
			} finally {
				this.#openAttribute(existing, path, name, names, value, valueStart);
			}
		} else {
			this.#openAttribute(existing, path, name, names, undefined, 0);
			if (next === DOT) {
				p.pos++;
				p.skipInline();
				this.#readAspect(type, listWord);
				this.#close();
				return;
			}
			if (listWord !== EXPLICIT) p.failExpected(`'.connect' after a declaration with '${p.text(listWord)}'`);
		}
		this.#readOptionalMetadata();
		this.#close();
	}

	/**
	 * The property if it was declared before. Most prims have few properties, all declared in one place: looking through
	 * their names is cheaper than looking up the path.
	 */
	#find(path: Path, name: string, names: readonly string[]): Spec | undefined {
		const first = this.#firstName;
		if (first >= 0 && names.length - first <= MAX_SCAN) {
			let i = names.length - 1;
			while (i >= first && names[i] !== name) i--;
			if (i < first) return undefined;
		}
		return this.#p.data.spec(path);
	}

	/** Ends the source record of the property. A property that is left for a mistake is closed by the caller. */
	#close(): void {
		const p = this.#p;
		p.spec.source = p.ranges.close(p.pos);
	}

	#readDefault(type: ValueType | undefined | null): Value {
		const p = this.#p;
		const byte = p.bytes[p.pos]!;
		if (byte === 0x41) {
			const start = p.pos;
			if (p.identifier() === W.AnimationBlock) return ANIMATION_BLOCK;
			p.pos = start;
		}
		const typeName = p.text(this.#typeNumber);
		if (type != null && (type.width > 1 || (type.isArray && type.component === 'text')) && byte !== 0x4e) {
			if (type.element !== (T.pathExpression as ValueType)) {
				return p.repeated.read(0, typeName, readAttributeValue, type);
			}
		}
		const value = readAttributeValue(p, type, typeName);
		return type?.element === (T.pathExpression as ValueType) ? makeAbsolute(value, p.path) : value;
	}

	/** Makes the spec if it is new, makes it the current one and opens its source record. */
	#openAttribute(
		existing: Spec | undefined,
		path: Path,
		name: string,
		names: string[],
		value: Value | undefined,
		valueStart: number,
	): void {
		const p = this.#p;
		const { ranges } = p;
		const numbers = this.#numbers;
		if (existing === undefined) {
			const custom = this.#isCustom ? TRUE : FALSE;
			const variability = this.#isUniform ? UNIFORM : VARYING;
			const typeName = p.token(this.#typeNumber);
			p.spec =
				value === undefined
					? p.data.addSpec(path, SpecType.attribute, this.#attributeLayout, custom, typeName, variability)
					: p.data.addSpec(path, SpecType.attribute, this.#valueLayout, custom, typeName, variability, value);
			names.push(name);
			ranges.open(this.#start, this.#nameStart);
			const typeEnd = this.#typeEnd();
			ranges.addField(numbers.typeName, this.#typeStart, this.#typeStart, typeEnd, typeEnd);
			if (this.#variabilityStart >= 0) this.#addWord(numbers.variability, this.#variabilityStart);
		} else {
			p.spec = existing;
			ranges.reopen(existing.source);
			if (this.#isCustom) existing.set('custom', TRUE);
			if (value !== undefined) existing.set('default', value);
		}
		if (this.#isCustom) this.#addWord(numbers.custom, this.#customStart);
		if (value !== undefined) ranges.addField(numbers.default, this.#start, valueStart, p.pos, p.pos);
	}

	#addWord(number: number, start: number): void {
		const end = this.#p.tokenEnd(start);
		this.#p.ranges.addField(number, start, start, end, end);
	}

	/** End of the type: the blanks before the name do not belong to it. */
	#typeEnd(): number {
		const { bytes } = this.#p;
		let end = this.#nameStart;
		while (end > this.#typeStart && (bytes[end - 1] === 0x20 || bytes[end - 1] === 0x09)) end--;
		return end;
	}

	#checkRedeclaration(existing: Spec, name: string): void {
		const p = this.#p;
		if (existing.type !== SpecType.attribute) this.#failKind(name, 'a relationship', 'an attribute');
		const oldType = existing.get('typeName')?.data;
		const newType = p.text(this.#typeNumber);
		if (oldType !== newType) {
			p.fail(
				'USDA040',
				`attribute ${quote(name)} has the type ${oldType}, it cannot change to ${newType}`,
				this.#typeStart,
				p.pos,
			);
		}
		const oldVariability = existing.get('variability')?.data;
		const newVariability = this.#isUniform ? 'uniform' : 'varying';
		if (oldVariability !== newVariability) {
			p.fail(
				'USDA041',
				`attribute ${quote(name)} is ${oldVariability}, it cannot change to ${newVariability}`,
				this.#start,
				p.pos,
			);
		}
	}

	#failKind(name: string, old: string, now: string): never {
		return this.#p.fail(
			'USDA042',
			`${quote(name)} is ${old} already, it cannot be ${now}`,
			this.#nameStart,
			this.#p.pos,
		);
	}

	/** Reads what follows the dot after the name of an attribute. */
	#readAspect(type: ValueType | undefined | null, listWord: number): void {
		const p = this.#p;
		const start = p.pos;
		const word = p.identifier();
		if (word === W.connect) {
			p.assignment();
			this.#readConnections(listWord);
			return;
		}
		if (listWord !== EXPLICIT) {
			p.pos = start;
			p.failExpected(`'connect' after a declaration with '${p.text(listWord)}'`);
		}
		const typeName = p.text(this.#typeNumber);
		if (word === W.timeSamples) {
			p.assignment();
			const valueStart = p.pos;
			p.setNamedField('timeSamples', readTimeSamples(p, type, typeName), this.#start, valueStart);
		} else if (word === W.spline) {
			p.assignment();
			const valueStart = p.pos;
			p.setNamedField('spline', readSpline(p, type, typeName), this.#start, valueStart);
		} else if (word === W.mapper) readMapper(p, start);
		else {
			p.pos = start;
			p.failExpected("'timeSamples', 'connect' or 'spline' after the dot");
		}
	}

	#readConnections(listWord: number): void {
		const p = this.#p;
		const valueStart = p.pos;
		const paths = checkedItems(p, 'connections', listWord, readListOf(p, readConnection), valueStart);
		const value = listOpValue(p, 'connectionPaths', T.pathListOp, listWord, paths);
		p.setNamedField('connectionPaths', value, this.#start, valueStart);
	}

	#readRelationship(owner: Path, listWord: number, names: string[]): void {
		const p = this.#p;
		p.separator();
		const name = this.#readName();
		const path = owner.appendProperty(name);
		this.#openRelationship(path, name, names);
		const end = p.pos;
		p.skipInline();
		const next = p.bytes[p.pos]!;
		if (next === EQUALS) {
			p.pos++;
			p.skipInline();
			this.#readTargets(listWord);
			if (listWord === EXPLICIT) this.#readOptionalMetadata();
		} else if (listWord !== EXPLICIT) p.pos = end;
		else if (next === DOT) {
			p.pos++;
			p.skipInline();
			if (p.identifier() !== W.default) p.failExpected("'default' after the dot");
			p.assignment();
			const valueStart = p.pos;
			const value = makeValue(T.path, p.pathReference()) as Value;
			p.setField('default', this.#numbers.default, value, this.#start, valueStart);
		} else if (next === BRACKET_OPEN) {
			// declares a target without adding it to the list
			p.pos++;
			p.skipInline();
			p.pathReference();
			p.skipInline();
			p.expect(BRACKET_CLOSE);
		} else this.#readOptionalMetadata();
		this.#close();
	}

	#openRelationship(path: Path, name: string, names: string[]): void {
		const p = this.#p;
		const { ranges } = p;
		const existing = this.#find(path, name, names);
		const variability = this.#variabilityStart >= 0 ? VARYING : UNIFORM;
		p.path = path;
		if (existing === undefined) {
			// unlike an attribute, a relationship has this field only when it is written
			p.spec = this.#isCustom
				? p.data.addSpec(path, SpecType.relationship, this.#customRelationshipLayout, TRUE, variability)
				: p.data.addSpec(path, SpecType.relationship, this.#relationshipLayout, variability);
			names.push(name);
			ranges.open(this.#start, this.#nameStart);
		} else {
			if (existing.type !== SpecType.relationship) this.#failKind(name, 'an attribute', 'a relationship');
			p.spec = existing;
			existing.set('variability', variability);
			if (this.#isCustom) existing.set('custom', TRUE);
			ranges.reopen(existing.source);
		}
		if (this.#isCustom) this.#addWord(this.#numbers.custom, this.#customStart);
		if (this.#variabilityStart >= 0) this.#addWord(this.#numbers.variability, this.#variabilityStart);
	}

	#readTargets(listWord: number): void {
		const p = this.#p;
		const valueStart = p.pos;
		const paths = checkedItems(p, 'targets', listWord, readListOf(p, readTarget), valueStart);
		const value =
			paths.length === 1 && listWord === EXPLICIT
				? this.#singleTarget(paths)
				: listOpValue(p, 'targetPaths', T.pathListOp, listWord, paths);
		p.setField('targetPaths', this.#numbers.targetPaths, value, this.#start, valueStart);
	}

	/** Many relationships have the same single target: they share one value. */
	#singleTarget(paths: readonly Path[]): Value {
		const target = paths[0]!;
		this.#singleTargets ??= new Map();
		let value = this.#singleTargets.get(target);
		if (value === undefined) {
			value = makeValue(T.pathListOp, ListOp.explicit(paths)) as Value;
			this.#singleTargets.set(target, value);
		}
		return value;
	}

	#readOptionalMetadata(): void {
		const p = this.#p;
		const end = p.pos;
		p.skipInline();
		if (p.bytes[p.pos] === PAREN_OPEN) readMetadata(p);
		else p.pos = end;
	}
}

/** The default of a path expression attribute, with its relative paths anchored at the prim. */
function makeAbsolute(value: Value, property: Path): Value {
	let anchor = property.primPath;
	while (anchor.isVariant) anchor = anchor.parent!;
	const absolute = (text: string) => normalizePathExpression(text, anchor) ?? text;
	if (valueIs(value, T.pathExpression)) return makeValue(T.pathExpression, absolute(value.data)) as Value;
	if (!valueIs(value, T.pathExpression.array)) return value;
	return makeValue(T.pathExpression.array, value.data.map(absolute)) as Value;
}

/** Reads the path of a target. */
function readTarget(p: ParserState): Path | undefined {
	const start = p.pos;
	if (p.bytes[start] !== ANGLE_OPEN) p.failExpected("a path in '<' or None");
	const path = p.pathReference();
	if (!hasNoVariants(p, path, start)) return undefined;
	const absolute = path.isAbsolute ? path : path.makeAbsolute(anchorOf(p.path));
	if (absolute !== path && p.spec.type === SpecType.relationship) checkAnchor(p, path, start);
	if (absolute.isPrim || absolute.isProperty) return absolute;
	p.addError('USDA025', `${quotePath(path)} is not a prim or property path, expected one`, start, p.pos);
	return undefined;
}

/** Reads the path of a connection and the marker that may follow it. */
function readConnection(p: ParserState): Path | undefined {
	const path = readTarget(p);
	readMarker(p, path);
	return path;
}
