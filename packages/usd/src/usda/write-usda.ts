import type { Report } from '@manyworlds/core';
import { compareDictionary, compareUtf8 } from '../sdf/dictionary-order.ts';
import type { LayerData } from '../sdf/layer-data.ts';
import { Path } from '../sdf/path.ts';
import { SpecType } from '../sdf/spec-type.ts';
import { dataOf } from '../sdf/value.ts';
import { T } from '../sdf/value-type.ts';
import { writeQuoted } from '../text/quote-string.ts';
import { LayerOutput } from './layer-output.ts';
import { writeLayerMetadata } from './write-layer-metadata.ts';
import { writeMetadata, writeNames } from './write-metadata.ts';
import { writeAttribute, writeRelationship } from './write-property.ts';

/** How a layer is written as text. */
export interface WriteUsdaOptions {
	/** Lowest minor version to write in the header; content that needs a later one raises it. */
	readonly minorVersion?: number;
	/** Told about values that text cannot hold: crate values of unknown types. */
	readonly report?: Report;
	/** Name of the layer in diagnostics. */
	readonly file?: string;
}

/** Options of {@link writeUsda} that are used when absent. */
export const WRITE_USDA_DEFAULTS: Readonly<{ minorVersion: number }> = Object.freeze({ minorVersion: 0 });

/** A layer as usda text (UTF-8), byte for byte as OpenUSD 26.11 exports it. */
export function writeUsda(data: LayerData, options: WriteUsdaOptions = {}): Uint8Array {
	const { minorVersion, report, file } = { ...WRITE_USDA_DEFAULTS, ...options };
	const capacity = Math.min(Math.max(data.specCount * BYTES_PER_SPEC, SMALLEST_GUESS), LARGEST_GUESS);
	const out = new LayerOutput({ capacity, report, file });
	out.need(minorVersion);
	out.text('#usda 1.0\n');
	writeLayerMetadata(out, data);
	const order = dataOf(data.field(Path.root, 'primOrder'), T.tokenVector);
	if (order !== undefined && order.length > 1) {
		out.text('\nreorder rootPrims = ');
		writeNames(out, order);
		out.byte(0x0a);
	}
	for (const path of childPaths(data, Path.root)) {
		out.byte(0x0a);
		writePrimTree(out, 0, data, path);
	}
	out.byte(0x0a);
	const bytes = out.finish();
	bytes[MINOR_VERSION_AT] = 0x30 + out.minorVersion;
	return bytes;
}

/** The prim at `path` with all it holds as usda text, indented by `indent` levels. */
export function writeUsdaPrim(data: LayerData, path: Path, indent = 0): Uint8Array {
	const out = new LayerOutput();
	writePrimTree(out, indent, data, path);
	return out.finish();
}

/** Text that specs of prim-heavy layers take. Memory that no text reaches costs next to nothing. */
const BYTES_PER_SPEC = 80;
const SMALLEST_GUESS = 1 << 12;
const LARGEST_GUESS = 1 << 28;

const MINOR_VERSION_AT = '#usda 1.'.length;

/** Fields that are structure, or stand in front of the parentheses. */
const NOT_METADATA: ReadonlySet<string> = new Set([
	'specifier',
	'typeName',
	'comment',
	'primChildren',
	'primOrder',
	'properties',
	'propertyOrder',
	'variantSetChildren',
]);

/** An element whose body is being written: a prim or variant with its children and sets, or a set with its variants. */
interface OpenElement {
	readonly type: SpecType;
	readonly path: Path;
	readonly indent: number;
	readonly children: readonly Path[];
	nextChild: number;
	readonly sets: readonly string[];
	nextSet: number;
}

/** Writes a prim and everything below it, with a stack of its own: namespaces may be thousands of levels deep. */
function writePrimTree(out: LayerOutput, indent: number, data: LayerData, root: Path): void {
	const open: OpenElement[] = [openPrim(out, indent, data, root)];
	while (open.length > 0) {
		const top = open[open.length - 1]!;
		if (top.nextChild < top.children.length) {
			const path = top.children[top.nextChild++]!;
			if (top.type === SpecType.variantSet) {
				open.push(openVariant(out, top.indent + 1, data, path));
			} else {
				if (top.nextChild > 1) out.byte(0x0a);
				open.push(openPrim(out, top.indent + 1, data, path));
			}
		} else if (top.nextSet < top.sets.length) {
			const set = openVariantSet(out, top.indent + 1, data, top.path, top.sets[top.nextSet++]!);
			if (set !== undefined) open.push(set);
		} else {
			if (top.type === SpecType.variant) out.byte(0x0a);
			out.line(top.indent, '}\n');
			open.pop();
		}
	}
}

function openPrim(out: LayerOutput, indent: number, data: LayerData, path: Path): OpenElement {
	const specifier = data.field(path, 'specifier')?.data;
	out.line(indent, typeof specifier === 'string' ? specifier : 'over');
	const typeName = data.field(path, 'typeName')?.data;
	if (typeof typeName === 'string' && typeName !== '' && typeName !== '__AnyType__') {
		out.byte(0x20);
		out.text(typeName);
	}
	out.byte(0x20);
	writeQuoted(out, path.name);
	writeMetadata(out, indent, data, path, metadataNames(data, path));
	out.byte(0x0a);
	out.line(indent, '{\n');
	return openBody(out, indent, data, path, SpecType.prim);
}

function openVariant(out: LayerOutput, indent: number, data: LayerData, path: Path): OpenElement {
	out.indent(indent);
	writeQuoted(out, path.variantSelection);
	writeMetadata(out, indent, data, path, metadataNames(data, path));
	out.text(' {\n');
	return openBody(out, indent, data, path, SpecType.variant);
}

/** Undefined, with nothing written, for a set without variants. */
function openVariantSet(
	out: LayerOutput,
	indent: number,
	data: LayerData,
	owner: Path,
	name: string,
): OpenElement | undefined {
	const path = owner.appendVariant(name, '');
	const names = dataOf(data.field(path, 'variantChildren'), T.tokenVector) ?? NO_NAMES;
	const variants = [...names].sort(compareUtf8).map((variant) => owner.appendVariant(name, variant));
	if (variants.length === 0) return undefined;
	out.line(indent, 'variantSet ');
	writeQuoted(out, name);
	out.text(' = {\n');
	return { type: SpecType.variantSet, path, indent, children: variants, nextChild: 0, sets: NO_NAMES, nextSet: 0 };
}

/** Writes what comes before the children in the body of a prim or variant. */
function openBody(out: LayerOutput, indent: number, data: LayerData, path: Path, type: SpecType): OpenElement {
	let propertyOrder: readonly string[] | undefined;
	let primOrder: readonly string[] | undefined;
	let properties: readonly string[] = NO_NAMES;
	let children: readonly Path[] = NO_PATHS;
	let sets: readonly string[] = NO_NAMES;
	for (const name of data.fieldNames(path)) {
		if (name === 'propertyOrder') propertyOrder = dataOf(data.field(path, name), T.tokenVector);
		else if (name === 'primOrder') primOrder = dataOf(data.field(path, name), T.tokenVector);
		else if (name === 'properties') properties = dataOf(data.field(path, name), T.tokenVector) ?? NO_NAMES;
		else if (name === 'primChildren') children = childPaths(data, path);
		else if (name === 'variantSetChildren') sets = dataOf(data.field(path, name), T.tokenVector) ?? NO_NAMES;
	}
	writeReorder(out, indent + 1, 'properties', propertyOrder);
	writeReorder(out, indent + 1, 'nameChildren', primOrder);
	if (properties.length > 0) {
		writeProperties(out, indent + 1, data, path, properties);
		if (children.length > 0) out.byte(0x0a);
	}
	return { type, path, indent, children, nextChild: 0, sets, nextSet: 0 };
}

function writeReorder(out: LayerOutput, indent: number, what: string, names: readonly string[] | undefined): void {
	if (names === undefined || names.length < 2) return;
	out.line(indent, `reorder ${what} = `);
	writeNames(out, names);
	out.byte(0x0a);
}

function writeProperties(
	out: LayerOutput,
	indent: number,
	data: LayerData,
	path: Path,
	names: readonly string[],
): void {
	const sorted = names.length > 1 ? [...names].sort(compareDictionary) : names;
	for (const name of sorted) {
		const property = path.appendProperty(name);
		const type = data.specType(property);
		if (type === SpecType.attribute) writeAttribute(out, indent, data, property);
		else if (type === SpecType.relationship) writeRelationship(out, indent, data, property);
	}
}

function metadataNames(data: LayerData, path: Path): string[] {
	let names: string[] | undefined;
	for (const name of data.fieldNames(path)) {
		if (NOT_METADATA.has(name)) continue;
		names ??= [];
		names.push(name);
	}
	return names ?? EMPTY;
}

function childPaths(data: LayerData, path: Path): Path[] {
	const names = dataOf(data.field(path, 'primChildren'), T.tokenVector) ?? NO_NAMES;
	const paths: Path[] = [];
	for (const name of names) {
		const child = path.appendChild(name);
		if (data.has(child)) paths.push(child);
	}
	return paths;
}

const EMPTY: string[] = [];
const NO_NAMES: readonly string[] = [];
const NO_PATHS: readonly Path[] = [];
