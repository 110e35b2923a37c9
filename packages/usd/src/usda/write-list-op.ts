import type { ListOp } from '../sdf/list-op.ts';
import type { Path } from '../sdf/path.ts';
import { isIdentityOffset, type LayerOffset, type Payload, type Reference, type Value } from '../sdf/value.ts';
import { T, type ValueType } from '../sdf/value-type.ts';
import { writeAssetPath, writeQuoted } from '../text/quote-string.ts';
import type { TextOutput } from '../text/text-output.ts';
import type { LayerOutput } from './layer-output.ts';
import { writeDictionary } from './write-dictionary.ts';

/** How the items of a list-op are spelled. */
interface ItemStyle<I> {
	readonly isPerLine: boolean;
	/** Whether a list of this one item needs brackets. */
	needsBrackets(item: I): boolean;
	write(out: LayerOutput, indent: number, item: I): void;
}

const always = (): boolean => true;
const never = (): boolean => false;

const QUOTED: ItemStyle<string> = {
	isPerLine: false,
	needsBrackets: always,
	write: (out, _, item) => writeQuoted(out, item),
};
const PLAIN: ItemStyle<unknown> = {
	isPerLine: false,
	needsBrackets: always,
	write: (out, _, item) => out.text(`${item}`),
};
const PATHS: ItemStyle<Path> = { isPerLine: true, needsBrackets: never, write: (out, _, item) => writePath(out, item) };
const PAYLOADS: ItemStyle<Payload> = {
	isPerLine: true,
	needsBrackets: never,
	write(out, _, payload) {
		writeArcTarget(out, payload);
		writeLayerOffset(out, payload.layerOffset);
	},
};
const REFERENCES: ItemStyle<Reference> = {
	isPerLine: true,
	needsBrackets: (reference) => reference.customData.size > 0,
	write(out, indent, reference) {
		writeArcTarget(out, reference);
		if (reference.customData.size === 0) {
			writeLayerOffset(out, reference.layerOffset);
			return;
		}
		const { offset, scale } = reference.layerOffset;
		out.text(' (\n');
		if (offset !== 0) writeNumberLine(out, indent + 1, 'offset', offset);
		if (scale !== 1) writeNumberLine(out, indent + 1, 'scale', scale);
		out.line(indent + 1, 'customData = ');
		writeDictionary(out, indent + 1, reference.customData);
		out.line(indent, ')');
	},
};

const STYLES: ReadonlyMap<ValueType, ItemStyle<never>> = new Map<ValueType, ItemStyle<never>>([
	[T.tokenListOp, QUOTED],
	[T.stringListOp, QUOTED],
	[T.pathListOp, PATHS],
	[T.referenceListOp, REFERENCES],
	[T.payloadListOp, PAYLOADS],
	[T.intListOp, PLAIN],
	[T.uintListOp, PLAIN],
	[T.int64ListOp, PLAIN],
	[T.uint64ListOp, PLAIN],
	[T.unregisteredListOp, PLAIN],
]);

export function isListOpType(type: ValueType): boolean {
	return STYLES.has(type);
}

/** The lists of a list-op that is not explicit, with their keywords, in the order of writing. */
export const LIST_EDITS = [
	{ keyword: 'delete ', list: 'deletedItems' },
	{ keyword: 'add ', list: 'addedItems' },
	{ keyword: 'prepend ', list: 'prependedItems' },
	{ keyword: 'append ', list: 'appendedItems' },
	{ keyword: 'reorder ', list: 'orderedItems' },
] as const;

/** Writes a list-op as one statement for each of its lists. Gives false when `value` is no list-op. */
export function writeListOp(out: LayerOutput, indent: number, name: string, value: Value): boolean {
	const style = STYLES.get(value.type) as ItemStyle<unknown> | undefined;
	if (style === undefined) return false;
	const op = value.data as ListOp<unknown>;
	if (op.isExplicit) {
		out.indent(indent);
		writeList(out, indent, name, op.explicitItems, style);
		return true;
	}
	for (const { keyword, list } of LIST_EDITS) {
		if (op[list].length === 0) continue;
		out.line(indent, keyword);
		writeList(out, indent, name, op[list], style);
	}
	return true;
}

function writeList<I>(out: LayerOutput, indent: number, name: string, items: readonly I[], style: ItemStyle<I>): void {
	out.text(name);
	out.text(' = ');
	if (items.length === 0) {
		out.text('None\n');
		return;
	}
	if (items.length === 1 && !style.needsBrackets(items[0]!)) {
		style.write(out, 0, items[0]!);
		out.byte(0x0a);
		return;
	}
	const isPerLine = style.isPerLine;
	out.text(isPerLine ? '[\n' : '[');
	for (let i = 0; i < items.length; i++) {
		if (isPerLine) out.indent(indent + 1);
		style.write(out, isPerLine ? indent + 1 : 0, items[i]!);
		if (i < items.length - 1) out.text(isPerLine ? ',\n' : ', ');
	}
	if (isPerLine) {
		out.byte(0x0a);
		out.indent(indent);
	}
	out.text(']\n');
}

/** Writes `<path>`. */
export function writePath(out: TextOutput, path: Path): void {
	out.byte(0x3c);
	out.text(path.toString());
	out.byte(0x3e);
}

/** Writes ` (offset = 1; scale = 2)`, or nothing for the identity. */
export function writeLayerOffset(out: TextOutput, layerOffset: LayerOffset): void {
	if (isIdentityOffset(layerOffset)) return;
	const { offset, scale } = layerOffset;
	out.text(' (');
	if (offset !== 0) {
		out.text('offset = ');
		out.double(offset);
	}
	if (scale !== 1) {
		out.text(offset !== 0 ? '; scale = ' : 'scale = ');
		out.double(scale);
	}
	out.byte(0x29);
}

function writeNumberLine(out: TextOutput, indent: number, name: string, value: number): void {
	out.line(indent, `${name} = `);
	out.double(value);
	out.byte(0x0a);
}

function writeArcTarget(out: TextOutput, arc: Reference | Payload): void {
	if (arc.assetPath !== '') writeAssetPath(out, arc.assetPath);
	// an internal arc always has a path, if only the empty one
	if (arc.assetPath === '' || !arc.primPath.isEmpty) writePath(out, arc.primPath);
}
