import { compareUtf8 } from '../sdf/dictionary-order.ts';
import type { LayerData } from '../sdf/layer-data.ts';
import { Path } from '../sdf/path.ts';
import { dataOf, IDENTITY_OFFSET, type Value } from '../sdf/value.ts';
import { T } from '../sdf/value-type.ts';
import { writeAssetPath, writeQuoted } from '../text/quote-string.ts';
import type { LayerOutput } from './layer-output.ts';
import { writeLayerOffset } from './write-list-op.ts';
import { isFieldWritable, writeRelocates, writeSimpleField } from './write-metadata.ts';

/** Writes the parentheses behind the header of a layer, or nothing when they would be empty. */
export function writeLayerMetadata(out: LayerOutput, data: LayerData): void {
	out.text('(\n');
	const opened = out.totalLength;
	// OpenUSD does not raise the version for what stands here
	const version = out.minorVersion;
	const comment = dataOf(data.field(Path.root, 'comment'), T.string) ?? '';
	if (comment !== '') {
		out.indent(1);
		writeQuoted(out, comment);
		out.byte(0x0a);
	}
	const names = data.fieldNames(Path.root).filter((name) => !NOT_METADATA.has(name));
	for (const name of names.sort(compareUtf8)) {
		const value = data.field(Path.root, name);
		if (value === undefined) continue;
		if (isFieldWritable(value)) writeLayerField(out, data, name, value);
		else out.leaveOut(Path.root, name, value);
	}
	const relocates = dataOf(data.field(Path.root, 'layerRelocates'), T.relocates);
	if (relocates !== undefined) writeRelocates(out, 1, relocates);
	out.minorVersion = version;
	if (out.totalLength === opened) out.length -= 2;
	else out.text(')\n');
}

/** Fields that are structure, or written in a place of their own. */
const NOT_METADATA: ReadonlySet<string> = new Set([
	'comment',
	'primChildren',
	'layerRelocates',
	'primOrder',
	'subLayerOffsets',
]);

function writeLayerField(out: LayerOutput, data: LayerData, name: string, value: Value): void {
	if (name === 'documentation') {
		const text = dataOf(value, T.string) ?? '';
		if (text === '') return;
		out.line(1, 'doc = ');
		writeQuoted(out, text);
		out.byte(0x0a);
	} else if (name === 'subLayers') {
		writeSubLayers(out, data, dataOf(value, T.stringVector) ?? []);
	} else if (name === 'hasOwnedSubLayers') {
		if (value.data === true) out.line(1, 'hasOwnedSubLayers = true\n');
	} else {
		writeSimpleField(out, 1, name, value);
	}
}

function writeSubLayers(out: LayerOutput, data: LayerData, subLayers: readonly string[]): void {
	const offsets = dataOf(data.field(Path.root, 'subLayerOffsets'), T.layerOffsetVector) ?? [];
	out.line(1, 'subLayers = [\n');
	subLayers.forEach((assetPath, i) => {
		out.indent(2);
		writeAssetPath(out, assetPath);
		writeLayerOffset(out, offsets[i] ?? IDENTITY_OFFSET);
		out.text(i < subLayers.length - 1 ? ',\n' : '\n');
	});
	out.line(1, ']\n');
}
