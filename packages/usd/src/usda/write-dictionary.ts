import type { ArrayEdit } from '../sdf/array-edit.ts';
import { compareUtf8 } from '../sdf/dictionary-order.ts';
import { type Dictionary, type Value, valueIs } from '../sdf/value.ts';
import { T } from '../sdf/value-type.ts';
import { writeQuoted } from '../text/quote-string.ts';
import type { LayerOutput } from './layer-output.ts';
import { isWritable, writeValue } from './write-value.ts';

/** Writes a dictionary over several lines, its entries one level deeper than `indent`, with a newline behind it. */
export function writeDictionary(out: LayerOutput, indent: number, dictionary: Dictionary): void {
	// an explicit stack: dictionaries may be nested as deep as the file likes
	const open: { readonly entries: readonly Entry[]; next: number }[] = [];
	out.text('{\n');
	open.push({ entries: sortedEntries(out, dictionary), next: 0 });
	while (open.length > 0) {
		const top = open[open.length - 1]!;
		if (top.next === top.entries.length) {
			open.pop();
			out.line(indent + open.length, '}\n');
			continue;
		}
		const [key, value] = top.entries[top.next++]!;
		out.indent(indent + open.length);
		if (valueIs(value, T.dictionary)) {
			writeEntryHead(out, 'dictionary', key);
			out.text('{\n');
			open.push({ entries: sortedEntries(out, value.data), next: 0 });
		} else {
			writeEntryHead(out, entryTypeName(value), key);
			writeValue(out, value);
			out.byte(0x0a);
		}
	}
}

/** Writes a dictionary on one line, as splines have them. */
export function writeInlineDictionary(out: LayerOutput, dictionary: Dictionary): void {
	const open: { readonly entries: readonly Entry[]; next: number }[] = [];
	out.text('{ ');
	open.push({ entries: sortedEntries(out, dictionary), next: 0 });
	while (open.length > 0) {
		const top = open[open.length - 1]!;
		if (top.next === top.entries.length) {
			open.pop();
			out.text(' }');
			continue;
		}
		if (top.next > 0) out.text('; ');
		const [key, value] = top.entries[top.next++]!;
		if (valueIs(value, T.dictionary)) {
			writeEntryHead(out, 'dictionary', key);
			out.text('{ ');
			open.push({ entries: sortedEntries(out, value.data), next: 0 });
		} else {
			writeEntryHead(out, entryTypeName(value), key);
			writeValue(out, value);
		}
	}
}

/** Writes the string entries of a dictionary as `"key": "value"`, as substitutions have them. */
export function writeSubstitutions(out: LayerOutput, indent: number, dictionary: Dictionary): void {
	const entries = sortedEntries(out, dictionary);
	out.text('{\n');
	entries.forEach(([key, value], i) => {
		if (!valueIs(value, T.string)) return;
		out.indent(indent + 1);
		writeQuoted(out, key);
		out.text(': ');
		writeQuoted(out, value.data);
		out.text(i < entries.length - 1 ? ', \n' : '\n');
	});
	out.line(indent, '}\n');
}

type Entry = readonly [string, Value];

/** The entries that text has a form for, in the order of writing. */
function sortedEntries(out: LayerOutput, dictionary: Dictionary): Entry[] {
	const entries: Entry[] = [];
	for (const entry of dictionary) {
		if (isWritable(entry[1].type) || valueIs(entry[1], T.dictionary)) entries.push(entry);
		else out.leaveOut(undefined, entry[0], entry[1]);
	}
	return entries.sort((a, b) => compareUtf8(a[0], b[0]));
}

function entryTypeName(value: Value): string {
	const { type } = value;
	if (type.component !== 'other') return type.name;
	return valueIs(value, T.arrayEdit) ? (value.data as ArrayEdit).arrayType.name : '';
}

const IDENTIFIER = /^[A-Za-z_][A-Za-z0-9_]*$/;

function writeEntryHead(out: LayerOutput, typeName: string, key: string): void {
	out.text(typeName);
	out.byte(0x20);
	if (IDENTIFIER.test(key)) out.text(key);
	else writeQuoted(out, key);
	out.text(' = ');
}
