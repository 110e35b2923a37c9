import { compareDictionary } from '../sdf/dictionary-order.ts';
import type { LayerData } from '../sdf/layer-data.ts';
import { ListOp } from '../sdf/list-op.ts';
import { comparePaths, type Path } from '../sdf/path.ts';
import { type Dictionary, dataOf, makeValue, type Unregistered, type Value, valueIs } from '../sdf/value.ts';
import { T, type ValueType } from '../sdf/value-type.ts';
import { writeQuoted } from '../text/quote-string.ts';
import type { TextOutput } from '../text/text-output.ts';
import type { LayerOutput } from './layer-output.ts';
import { writeDictionary, writeSubstitutions } from './write-dictionary.ts';
import { isListOpType, LIST_EDITS, writeListOp, writePath } from './write-list-op.ts';
import { isWritable, writeValue } from './write-value.ts';

/**
 * Writes the parentheses behind a prim, variant or property: the comment first, then the fields of `names` in dictionary
 * order. Writes nothing when there is neither. Sorts `names`.
 */
export function writeMetadata(out: LayerOutput, indent: number, data: LayerData, path: Path, names: string[]): void {
	const comment = dataOf(data.field(path, 'comment'), T.string) ?? '';
	if (comment === '' && names.length === 0) return;
	out.text(' (\n');
	if (comment !== '') {
		out.indent(indent + 1);
		writeQuoted(out, comment);
		out.byte(0x0a);
	}
	if (names.length > 1) names.sort(compareDictionary);
	for (const name of names) {
		const value = data.field(path, name);
		if (value === undefined) continue;
		if (isFieldWritable(value)) writeField(out, indent + 1, path, name, value);
		else out.leaveOut(path, name, value);
	}
	out.line(indent, ')');
}

/** Writes the statement of one metadata field of a prim, variant or property. */
function writeField(out: LayerOutput, indent: number, path: Path, name: string, value: Value): void {
	switch (name) {
		case 'documentation':
			out.line(indent, 'doc = ');
			writeQuoted(out, dataOf(value, T.string) ?? '');
			out.byte(0x0a);
			break;
		case 'permission':
		case 'symmetryFunction':
		case 'displayUnit':
			// these are bare words in text
			if (typeof value.data !== 'string') writeSimpleField(out, indent, name, value);
			else out.line(indent, `${name} = ${value.data}\n`);
			break;
		case 'inheritPaths':
			writeListOp(out, indent, 'inherits', value);
			break;
		case 'variantSetNames':
			writeVariantSetNames(out, indent, value);
			break;
		case 'variantSelection':
			writeVariantSelection(out, indent, value);
			break;
		case 'relocates':
			if (valueIs(value, T.relocates)) writePrimRelocates(out, indent, path, value.data);
			else writeSimpleField(out, indent, name, value);
			break;
		case 'prefixSubstitutions':
		case 'suffixSubstitutions':
			if (!valueIs(value, T.dictionary)) {
				writeSimpleField(out, indent, name, value);
				break;
			}
			out.line(indent, `${name} = `);
			writeSubstitutions(out, indent, value.data);
			break;
		default:
			writeSimpleField(out, indent, name, value);
	}
}

/** Whether text has a form for a field with this value. */
export function isFieldWritable(value: Value): boolean {
	return isWritable(value.type) || isListOpType(value.type) || STRUCTURED.has(value.type);
}

/** Types that some fields have a form of their own for. */
const STRUCTURED: ReadonlySet<ValueType> = new Set<ValueType>([T.dictionary, T.variantSelectionMap, T.relocates]);

/** Writes `name = value` or the statements of a list-op, whatever the type of the value. */
export function writeSimpleField(out: LayerOutput, indent: number, name: string, value: Value): void {
	if (writeListOp(out, indent, name, value)) return;
	const boxed = dataOf(value, T.unregistered) as Unregistered | undefined;
	if (boxed instanceof ListOp) {
		writeListOp(out, indent, name, makeValue(T.unregisteredListOp, boxed));
		return;
	}
	out.line(indent, name);
	out.text(' = ');
	if (boxed instanceof Map || valueIs(value, T.dictionary)) {
		writeDictionary(out, indent, (boxed ?? value.data) as Dictionary);
		return;
	}
	if (valueIs(value, T.bool)) out.text(value.data ? 'true' : 'false');
	else writeValue(out, value);
	out.byte(0x0a);
}

/** Writes the moves of prims, one on a line. */
export function writeRelocates(out: TextOutput, indent: number, relocates: readonly (readonly [Path, Path])[]): void {
	out.line(indent, 'relocates = {\n');
	relocates.forEach(([from, to], i) => {
		out.indent(indent + 1);
		writePath(out, from);
		out.text(': ');
		writePath(out, to);
		out.text(i < relocates.length - 1 ? ', \n' : '\n');
	});
	out.line(indent, '}\n');
}

/** Writes names quoted, in brackets when there are several. */
export function writeNames(out: TextOutput, names: readonly string[]): void {
	if (names.length > 1) out.byte(0x5b);
	names.forEach((name, i) => {
		if (i > 0) out.text(', ');
		writeQuoted(out, name);
	});
	if (names.length > 1) out.byte(0x5d);
}

function writePrimRelocates(
	out: TextOutput,
	indent: number,
	path: Path,
	relocates: readonly (readonly [Path, Path])[],
): void {
	const relative = relocates.map(([from, to]) => [from.makeRelative(path), to.makeRelative(path)] as const);
	relative.sort((a, b) => comparePaths(a[0], b[0]));
	writeRelocates(out, indent, relative);
}

function writeVariantSetNames(out: LayerOutput, indent: number, value: Value): void {
	const op = dataOf(value, T.stringListOp);
	if (op === undefined) return;
	const write = (keyword: string, names: readonly string[]): void => {
		out.line(indent, keyword);
		out.text('variantSets = ');
		writeNames(out, names);
		out.byte(0x0a);
	};
	if (op.isExplicit) write('', op.explicitItems);
	else for (const { keyword, list } of LIST_EDITS) if (op[list].length > 0) write(keyword, op[list]);
}

function writeVariantSelection(out: LayerOutput, indent: number, value: Value): void {
	const selections = dataOf(value, T.variantSelectionMap);
	if (selections === undefined || selections.size === 0) return;
	out.line(indent, 'variants = ');
	writeDictionary(out, indent, new Map([...selections].map(([set, name]) => [set, makeValue(T.string, name)])));
}
