import { Report } from '@manyworlds/core';
import { isChildrenField, subtreePaths } from '../../sdf/children.ts';
import { compareLayers } from '../../sdf/compare-layers.ts';
import type { LayerData } from '../../sdf/layer-data.ts';
import { ListOp } from '../../sdf/list-op.ts';
import { Path } from '../../sdf/path.ts';
import { SpecType } from '../../sdf/spec-type.ts';
import { dataOf, makeValue, type Value } from '../../sdf/value.ts';
import { valuesEqual } from '../../sdf/value-equality.ts';
import { T } from '../../sdf/value-type.ts';
import { formatValue } from '../format-value.ts';
import { readUsda, type TextLayerData } from '../read-usda.ts';
import { writeUsda } from '../write-usda.ts';
import { type MovedText, movedTexts, type SpecMove, withoutPrims } from './moved-text.ts';
import {
	type Indentation,
	renderBody,
	renderLayerMetadata,
	renderMetadata,
	renderVariants,
	withFields,
} from './render-specs.ts';
import { TextEdits } from './text-edits.ts';

/** Text of a layer after an edit, and how much of it is new. @public */
export interface PatchedText {
	readonly bytes: Uint8Array;
	/** `statements`: only those that changed; `prims`: prims with changes were written anew; `layer`: all of it was. */
	readonly extent: 'statements' | 'prims' | 'layer';
}

/** Options of {@link patchUsda}. @public */
export interface PatchUsdaOptions {
	/** Prims that were moved, in the order of moves: they take their text and comments along. */
	readonly moves?: readonly SpecMove[];
}

/** Values of {@link PatchUsdaOptions} that are used when absent. @public */
export const PATCH_USDA_DEFAULTS: Required<PatchUsdaOptions> = { moves: [] };

/**
 * The usda text `bytes` changed so that it reads as `after`. Statements that say the same in both stay as they are, byte for byte,
 * with the comments between them. The result is read again: whatever could not be expressed by changing single statements (an
 * order of children, a list-op written in several places) is written anew, first prim by prim, then as a whole.
 *
 * ```ts
 * const layer = new Layer('robot.usda', readUsda(bytes));
 * layer.setField('/Robot/wheel.radius', 'default', makeValue(T.double, 0.2));
 * const { bytes: patched } = patchUsda(bytes, layer.data);
 * ```
 * @public
 */
export function patchUsda(bytes: Uint8Array, after: LayerData, options: PatchUsdaOptions = {}): PatchedText {
	const { moves } = { ...PATCH_USDA_DEFAULTS, ...options };
	const before = readUsda(bytes);
	const moved = moves.length === 0 ? undefined : carryText(bytes, before, after, moves);
	if (moved !== undefined) {
		const patched = new Patch(moved, readUsda(moved), after, false).apply();
		if (readsAs(patched, after)) return { bytes: patched, extent: 'statements' };
	}
	for (const extent of ['statements', 'prims'] as const) {
		const patch = new Patch(bytes, before, after, extent === 'prims');
		const patched = patch.apply();
		if (readsAs(patched, after)) return { bytes: patched, extent };
	}
	return { bytes: writeUsda(after), extent: 'layer' };
}

/**
 * The text with moved prims cut out and put where they belong, as they were: what changed about them is not patched yet. Undefined
 * when no text moves.
 */
function carryText(
	bytes: Uint8Array,
	before: TextLayerData,
	after: LayerData,
	moves: readonly SpecMove[],
): Uint8Array | undefined {
	const texts = movedTexts(new TextEdits(bytes), before, after, moves);
	if (texts.size === 0) return undefined;
	const starts = new Map([...texts.values()].map(({ from, text }) => [from, text.start]));
	// a prim that takes the place of one that moved is another one
	const others = [...starts.keys()].filter((from) => after.has(from));
	// what is new must be there before anything moves into it
	const rest = withoutPrims(after, [...texts.keys(), ...others]);
	let patched = new Patch(bytes, before, rest, false, { starts }).apply();
	const waiting = new Map([...texts].map(([to, { text }]) => [to, text]));
	while (waiting.size > 0) {
		const data = readUsda(patched);
		const ready = new Map([...waiting].filter(([to]) => data.has(to.parent!) && !data.has(to)));
		if (ready.size === 0) break;
		const later = [...waiting.keys()].filter((to) => !ready.has(to));
		patched = new Patch(patched, data, withoutPrims(after, later), false, { texts: ready }).apply();
		for (const to of ready.keys()) waiting.delete(to);
	}
	return patched;
}

/** Prims that are moved as text. */
interface MovingText {
	/** Where the text of a prim begins that is taken away, comments above it among it. */
	readonly starts?: ReadonlyMap<Path, number>;
	/** Texts of prims that come. */
	readonly texts?: ReadonlyMap<Path, MovedText>;
}

/** Fields with a place of their own in front of the metadata, or none. */
const HEAD_FIELDS: ReadonlySet<string> = new Set(['specifier', 'typeName']);
const ORDER_FIELDS: ReadonlySet<string> = new Set(['primOrder', 'propertyOrder']);

class Patch {
	readonly #before: TextLayerData;
	readonly #after: LayerData;
	readonly #edits: TextEdits;
	readonly #style: Indentation;
	/** Whether prims whose own statements changed are written anew. */
	readonly #isCoarse: boolean;
	readonly #starts: ReadonlyMap<Path, number>;
	readonly #texts: ReadonlyMap<Path, MovedText>;

	constructor(
		bytes: Uint8Array,
		before: TextLayerData,
		after: LayerData,
		isCoarse: boolean,
		{ starts = new Map(), texts = new Map() }: MovingText = {},
	) {
		this.#starts = starts;
		this.#texts = texts;
		this.#before = before;
		this.#after = after;
		this.#edits = new TextEdits(bytes);
		this.#isCoarse = isCoarse;
		this.#style = { unit: indentUnit(before, this.#edits), lineEnd: this.#edits.lineEnd };
	}

	apply(): Uint8Array {
		this.#patchLayerMetadata();
		this.#patchChildren(Path.root);
		const pending = this.#keptChildren(Path.root);
		for (let path = pending.pop(); path !== undefined; path = pending.pop()) {
			if (this.#isCoarse && this.#rewritePrim(path)) continue;
			this.#patchHead(path);
			this.#patchMetadata(path);
			this.#patchProperties(path);
			this.#patchChildren(path);
			this.#patchVariantSets(path);
			pending.push(...this.#keptChildren(path));
		}
		return this.#edits.apply();
	}

	/** Prims and variants that both layers have directly below one. */
	#keptChildren(path: Path): Path[] {
		const kept = this.#names(this.#before, path, 'primChildren')
			.map((name) => path.appendChild(name))
			.filter((child) => this.#after.has(child));
		for (const set of this.#names(this.#before, path, 'variantSetChildren')) {
			for (const name of this.#names(this.#before, path.appendVariant(set, ''), 'variantChildren')) {
				const variant = path.appendVariant(set, name);
				if (this.#after.has(variant)) kept.push(variant);
			}
		}
		return kept;
	}

	#names(data: LayerData, path: Path, field: string): readonly string[] {
		return dataOf(data.field(path, field), T.tokenVector) ?? [];
	}

	/** Writes a prim anew when anything about it, though not below it, changed in a way that statements may not show. */
	#rewritePrim(path: Path): boolean {
		if (path.isVariant || isSameSpec(this.#before, this.#after, path)) return false;
		const { start, end } = this.#before.specSource(path)!;
		const indent = this.#edits.indentAt(start);
		const text = renderBody(this.#after, path.parent!, { children: [path.name] }, indent, this.#style);
		this.#edits.replace(this.#edits.lineStart(start), end, trimEnd(text));
		return true;
	}

	#patchLayerMetadata(): void {
		const before = this.#before;
		const names = changedFields(before, this.#after, Path.root);
		const statements = new Set(names.map((name) => (name === 'subLayerOffsets' ? 'subLayers' : name)));
		const source = before.specSource(Path.root)!;
		const added: string[] = [];
		const unit = this.#style.unit;
		for (const name of statements) {
			const text = renderLayerMetadata(this.#after, name, unit, this.#style);
			this.#patchField(Path.root, name, text, added);
		}
		if (added.length === 0) return;
		const lines = added.join('');
		if (source.metadataOpen >= 0) this.#edits.insertBeforeClose(source.metadataClose - 1, lines, '');
		else this.#edits.insertAfter(this.#headerEnd(), `(${this.#style.lineEnd}${lines})${this.#style.lineEnd}`, '');
	}

	#headerEnd(): number {
		const { bytes } = this.#edits;
		let at = 0;
		while (at < bytes.length && bytes[at] !== 0x0a && bytes[at] !== 0x0d) at++;
		return at;
	}

	/** Replaces or removes the statement of a field, or keeps its text for the end of the metadata. */
	#patchField(path: Path, name: string, text: string, added: string[]): void {
		const source = this.#before.fieldSource(path, name);
		if (source === undefined) added.push(text);
		else if (text === '') this.#edits.removeStatement(source.start, source.end);
		else this.#edits.replace(source.start, source.end, trimEnd(text).trimStart());
	}

	#patchHead(path: Path): void {
		if (path.isVariant) return;
		const before = this.#before;
		const specifier = this.#after.field(path, 'specifier');
		const at = before.fieldSource(path, 'specifier')!;
		if (!valuesEqual(before.field(path, 'specifier'), specifier)) {
			this.#edits.replace(at.valueStart, at.valueEnd, `${specifier?.data ?? 'over'}`);
		}
		const oldType = before.field(path, 'typeName');
		const newType = this.#after.field(path, 'typeName');
		if (valuesEqual(oldType, newType)) return;
		const source = before.fieldSource(path, 'typeName');
		const name = `${newType?.data ?? ''}`;
		if (source === undefined) this.#edits.insert(at.valueEnd, ` ${name}`);
		else if (name !== '') this.#edits.replace(source.valueStart, source.valueEnd, name);
		else this.#edits.replace(source.valueStart, before.specSource(path)!.nameStart, '');
	}

	#patchMetadata(path: Path): void {
		const names = changedFields(this.#before, this.#after, path).filter((name) => !HEAD_FIELDS.has(name));
		if (names.length === 0) return;
		const source = this.#before.specSource(path)!;
		const indent = this.#edits.indentAt(source.start);
		if (names.some((name) => hasSeveralStatements(this.#before.field(path, name)))) {
			this.#rewriteMetadata(path, indent);
			return;
		}
		if (source.metadataOpen >= 0 && this.#isBare(path)) {
			this.#edits.replace(this.#edits.stringEnd(source.nameStart), source.metadataClose, '');
			return;
		}
		const added: string[] = [];
		const inner = source.metadataOpen < 0 ? indent + this.#style.unit : this.#metadataIndent(path, indent);
		for (const name of names) {
			if (this.#growDictionary(path, name, inner)) continue;
			this.#patchField(path, name, renderMetadata(this.#after, path, name, inner, this.#style), added);
		}
		const lines = added.join('');
		if (lines === '') return;
		if (source.metadataOpen >= 0) this.#edits.insertBeforeClose(source.metadataClose - 1, lines, indent);
		else this.#insertMetadata(path, lines, indent);
	}

	/** Whether nothing is left for the parentheses of a prim, not even a comment. */
	#isBare(path: Path): boolean {
		const { metadataOpen, metadataClose } = this.#before.specSource(path)!;
		const isLeft = (name: string): boolean =>
			!HEAD_FIELDS.has(name) && !isChildrenField(name) && !ORDER_FIELDS.has(name);
		return (
			!this.#after.fieldNames(path).some(isLeft) &&
			!this.#edits.bytes.subarray(metadataOpen, metadataClose).includes(0x23)
		);
	}

	/** Adds entries to a dictionary that keeps those it has; false when it changes otherwise. */
	#growDictionary(path: Path, name: string, indent: string): boolean {
		const old = dataOf(this.#before.field(path, name), T.dictionary);
		const now = dataOf(this.#after.field(path, name), T.dictionary);
		const source = this.#before.fieldSource(path, name);
		if (old === undefined || now === undefined || source === undefined) return false;
		for (const [key, value] of old) if (!valuesEqual(value, now.get(key))) return false;
		const added = new Map([...now].filter(([key]) => !old.has(key)));
		const value = makeValue(T.dictionary, added) as Value;
		const lines = renderMetadata(
			withFields(this.#after, path, new Map([[name, value]])),
			path,
			name,
			indent,
			this.#style,
		);
		const from = lines.indexOf(this.#style.lineEnd) + this.#style.lineEnd.length;
		this.#edits.insertBeforeClose(source.valueEnd - 1, lines.slice(from, lines.lastIndexOf(`${indent}}`)), indent);
		return true;
	}

	#insertMetadata(path: Path, lines: string, indent: string): void {
		const { nameStart } = this.#before.specSource(path)!;
		this.#edits.insert(this.#edits.stringEnd(nameStart), ` (${this.#style.lineEnd}${lines}${indent})`);
	}

	/** Indentation of the metadata that is there. */
	#metadataIndent(path: Path, indent: string): string {
		const source = this.#before.specSource(path)!;
		for (const name of this.#before.fieldNames(path)) {
			const field = this.#before.fieldSource(path, name);
			if (field === undefined || field.start < source.metadataOpen || field.start > source.metadataClose) continue;
			const line = this.#edits.lineStart(field.start);
			if (line > source.metadataOpen) return this.#edits.indentAt(field.start);
		}
		return indent + this.#style.unit;
	}

	/** Writes all metadata of a prim anew: a list-op of several statements is known by its last one only. */
	#rewriteMetadata(path: Path, indent: string): void {
		const source = this.#before.specSource(path)!;
		const inner = indent + this.#style.unit;
		const lines = this.#after
			.fieldNames(path)
			.filter((name) => !HEAD_FIELDS.has(name) && !isChildrenField(name) && !ORDER_FIELDS.has(name))
			.map((name) => renderMetadata(this.#after, path, name, inner, this.#style))
			.join('');
		const text = lines === '' ? '' : `(${this.#style.lineEnd}${lines}${indent})`;
		this.#edits.replace(source.metadataOpen, source.metadataClose, text);
	}

	#patchProperties(path: Path): void {
		const before = this.#before;
		const after = this.#after;
		const old = this.#names(before, path, 'properties');
		const kept = new Set(this.#names(after, path, 'properties'));
		let last = -1;
		for (const name of old) {
			const property = path.appendProperty(name);
			for (const { end } of this.#statements(property)) last = Math.max(last, end);
			if (!kept.has(name))
				for (const { start, end } of this.#statements(property)) this.#edits.removeStatement(start, end);
			else if (!isSameSpec(before, after, property)) this.#patchProperty(path, name);
		}
		const known = new Set(old);
		const added = [...kept].filter((name) => !known.has(name));
		if (added.length === 0) return;
		const source = before.specSource(path)!;
		const indent = this.#edits.indentAt(source.start);
		const lines = renderBody(after, path, { properties: added }, this.#bodyIndent(path, indent), this.#style);
		this.#edits.insertAfter(last < 0 ? source.bodyOpen + 1 : last, lines, indent);
	}

	/** Indentation of what stands in the braces of a prim or variant. */
	#bodyIndent(path: Path, indent: string): string {
		const { bodyOpen } = this.#before.specSource(path)!;
		const [property] = this.#names(this.#before, path, 'properties');
		const [child] = this.#names(this.#before, path, 'primChildren');
		const first =
			property !== undefined
				? path.appendProperty(property)
				: child === undefined
					? undefined
					: path.appendChild(child);
		const start = first === undefined ? -1 : (this.#before.specSource(first)?.start ?? -1);
		return start >= 0 && this.#edits.lineStart(start) > bodyOpen
			? this.#edits.indentAt(start)
			: indent + this.#style.unit;
	}

	/** Everything that was written about a property, each statement once. */
	#statements(property: Path): { start: number; end: number }[] {
		const before = this.#before;
		const { start, end } = before.specSource(property)!;
		const found = new Map([[start, end]]);
		for (const name of ['default', 'timeSamples', 'spline', 'connectionPaths', 'targetPaths']) {
			const source = before.fieldSource(property, name);
			if (source !== undefined && !found.has(source.start)) found.set(source.start, source.end);
		}
		return [...found].map(([from, to]) => ({ start: from, end: to }));
	}

	#patchProperty(path: Path, name: string): void {
		const property = path.appendProperty(name);
		const changed = changedFields(this.#before, this.#after, property);
		const value = this.#after.field(property, 'default');
		const source = this.#before.fieldSource(property, 'default');
		if (changed.length === 1 && changed[0] === 'default' && value !== undefined && source !== undefined) {
			this.#edits.replace(source.valueStart, source.valueEnd, formatValue(value));
			return;
		}
		const [first, ...others] = this.#statements(property);
		const indent = this.#edits.indentAt(first!.start);
		const text = renderBody(this.#after, path, { properties: [name] }, indent, this.#style);
		this.#edits.replace(first!.start, first!.end, trimEnd(text).trimStart());
		for (const { start, end } of others) this.#edits.removeStatement(start, end);
	}

	#patchChildren(path: Path): void {
		const before = this.#before;
		const old = this.#names(before, path, 'primChildren');
		const now = this.#names(this.#after, path, 'primChildren');
		const known = new Set(old);
		const kept = new Set(now);
		for (const name of old) {
			if (kept.has(name)) continue;
			const child = path.appendChild(name);
			const { start, end } = before.specSource(child)!;
			this.#edits.removeBlock(this.#starts.get(child) ?? start, end);
		}
		// new prims follow the one that they come after
		let previous: string | undefined;
		for (let i = 0; i < now.length; ) {
			if (known.has(now[i]!)) {
				previous = now[i++];
				continue;
			}
			const run: string[] = [];
			while (i < now.length && !known.has(now[i]!)) run.push(now[i++]!);
			this.#insertChildren(path, previous, run);
		}
	}

	#insertChildren(path: Path, previous: string | undefined, names: readonly string[]): void {
		const before = this.#before;
		const isLayer = path === Path.root;
		const source = before.specSource(path)!;
		const indent = isLayer ? '' : this.#edits.indentAt(source.start);
		const inner = isLayer ? '' : this.#bodyIndent(path, indent);
		const gap = this.#style.lineEnd;
		const lines = this.#renderChildren(path, names, inner);
		if (previous !== undefined) {
			this.#edits.insertAfter(before.specSource(path.appendChild(previous))!.end, gap + lines, indent);
			return;
		}
		const hasOthers = this.#names(before, path, 'primChildren').length > 0;
		if (isLayer) {
			const at = source.metadataOpen >= 0 ? source.metadataClose : this.#headerEnd();
			this.#edits.insertAfter(at, gap + lines, '');
			return;
		}
		let last = -1;
		for (const name of this.#names(before, path, 'properties')) {
			for (const { end } of this.#statements(path.appendProperty(name))) last = Math.max(last, end);
		}
		if (last >= 0) this.#edits.insertAfter(last, gap + lines, indent);
		else this.#edits.insertAfter(source.bodyOpen + 1, hasOthers ? lines + gap : lines, indent);
	}

	/** New prims as lines: the text that they had, or one that is made for them. */
	#renderChildren(path: Path, names: readonly string[], indent: string): string {
		if (this.#texts.size === 0) return renderBody(this.#after, path, { children: names }, indent, this.#style);
		return names
			.map((name) => {
				const moved = this.#texts.get(path.appendChild(name));
				return (
					moved?.at(indent, this.#style) ?? renderBody(this.#after, path, { children: [name] }, indent, this.#style)
				);
			})
			.join(this.#style.lineEnd);
	}

	#patchVariantSets(path: Path): void {
		const before = this.#before;
		const old = this.#names(before, path, 'variantSetChildren');
		const now = new Set(this.#names(this.#after, path, 'variantSetChildren'));
		for (const name of old) {
			const set = path.appendVariant(name, '');
			const source = before.specSource(set)!;
			if (now.has(name)) this.#patchVariants(set);
			else this.#edits.removeBlock(source.start, source.end);
		}
		const added = [...now].filter((name) => !old.includes(name));
		if (added.length === 0) return;
		const source = before.specSource(path)!;
		const indent = this.#edits.indentAt(source.start);
		const lines = renderBody(this.#after, path, { variantSets: added }, this.#bodyIndent(path, indent), this.#style);
		this.#edits.insertBeforeClose(source.bodyClose, lines, indent);
	}

	#patchVariants(set: Path): void {
		const before = this.#before;
		const old = this.#names(before, set, 'variantChildren');
		const now = this.#names(this.#after, set, 'variantChildren');
		for (const name of old) {
			if (now.includes(name)) continue;
			const source = before.specSource(set.parent!.appendVariant(set.variantSet, name))!;
			this.#edits.removeBlock(source.start, source.end);
		}
		const added = now.filter((name) => !old.includes(name));
		if (added.length === 0) return;
		const source = before.specSource(set)!;
		const indent = this.#edits.indentAt(source.start);
		const lines = renderVariants(this.#after, set, added, indent + this.#style.unit, this.#style);
		this.#edits.insertBeforeClose(source.bodyClose, lines, indent);
	}
}

/** Names of the fields, other than lists of children, in which a spec differs. */
function changedFields(before: LayerData, after: LayerData, path: Path): string[] {
	const changed: string[] = [];
	for (const name of new Set([...before.fieldNames(path), ...after.fieldNames(path)])) {
		if (isChildrenField(name)) continue;
		const a = before.field(path, name);
		const b = after.field(path, name);
		if (name === 'custom' && !a?.data && !b?.data) continue;
		if (!valuesEqual(a, b)) changed.push(name);
	}
	return changed;
}

/** Whether a spec says the same in both, apart from what is below it. */
function isSameSpec(before: LayerData, after: LayerData, path: Path): boolean {
	if (before.specType(path) !== after.specType(path) || changedFields(before, after, path).length > 0) return false;
	if (before.specType(path) === SpecType.attribute || before.specType(path) === SpecType.relationship) return true;
	for (const name of ['primChildren', 'properties', 'variantSetChildren', 'variantChildren']) {
		if (!valuesEqual(before.field(path, name), after.field(path, name))) return false;
	}
	for (const name of dataOf(before.field(path, 'properties'), T.tokenVector) ?? []) {
		if (!isSameSpec(before, after, path.appendProperty(name))) return false;
	}
	return true;
}

function hasSeveralStatements(value: Value | undefined): boolean {
	const op: unknown = value?.data;
	if (!(op instanceof ListOp) || op.isExplicit) return false;
	const lists = [op.addedItems, op.prependedItems, op.appendedItems, op.deletedItems, op.orderedItems];
	return lists.filter((list) => list.length > 0).length > 1;
}

/** Whether a text reads as a layer, properties in any order. */
function readsAs(bytes: Uint8Array, expected: LayerData): boolean {
	const report = new Report();
	const read = readUsda(bytes, { report });
	if (report.counts.error > 0) return false;
	for (const { path, field, kind } of compareLayers(read, expected)) {
		if (kind !== 'value' || (field !== 'properties' && field !== 'variantChildren')) return false;
		const names = (data: LayerData): string =>
			[...(dataOf(data.field(path, field), T.tokenVector) ?? [])].sort().join(' ');
		if (names(read) !== names(expected)) return false;
	}
	return true;
}

/** White space of one level of indentation in the text: that of the first thing inside a prim. */
function indentUnit(data: TextLayerData, edits: TextEdits): string {
	let looked = 0;
	for (const path of subtreePaths(data, Path.root)) {
		if (++looked > 200) break;
		const parent = path.parent;
		if (parent === null || parent === Path.root || path.isVariant || parent.isVariant) continue;
		const source = data.specSource(path);
		const outer = data.specSource(parent);
		if (source === undefined || outer === undefined || edits.lineStart(source.start) <= outer.bodyOpen) continue;
		const inner = edits.indentAt(source.start);
		const indent = edits.indentAt(outer.start);
		if (inner.length > indent.length && inner.startsWith(indent)) return inner.slice(indent.length);
	}
	return '    ';
}

function trimEnd(text: string): string {
	return text.replace(/[\r\n]+$/, '');
}
