import type { FieldSource, LayerData, SpecSource } from '../../sdf/layer-data.ts';
import { Path } from '../../sdf/path.ts';
import type { SpecType } from '../../sdf/spec-type.ts';
import { makeValue, type Value } from '../../sdf/value.ts';
import { T } from '../../sdf/value-type.ts';
import { writeUsda, writeUsdaPrim } from '../write-usda.ts';

/** The parts of a prim or variant that are to be written. */
export interface BodyParts {
	readonly properties?: readonly string[];
	readonly children?: readonly string[];
	readonly variantSets?: readonly string[];
}

/** How text is indented. */
export interface Indentation {
	/** White space of one level. */
	readonly unit: string;
	readonly lineEnd: string;
}

/** The statements of some properties, prims and variant sets of a prim or variant, as whole lines below `indent`. */
export function renderBody(data: LayerData, path: Path, parts: BodyParts, indent: string, style: Indentation): string {
	const fields = new Map<string, Value>([['specifier', makeValue(T.specifier, 'over') as Value]]);
	const list = (name: string, names: readonly string[] | undefined): void => {
		if (names !== undefined && names.length > 0) fields.set(name, makeValue(T.tokenVector, names) as Value);
	};
	list('properties', parts.properties);
	list('primChildren', parts.children);
	list('variantSetChildren', parts.variantSets);
	const text = decode(writeUsdaPrim(new PartialData(data, path, fields), path, 0));
	// the header and the opening brace, then the closing one
	const from = text.indexOf('{\n') + 2;
	return indented(unindented(text.slice(from, text.lastIndexOf('}'))), indent, style);
}

/** The statements of some variants of a set, as whole lines below `indent`. */
export function renderVariants(
	data: LayerData,
	set: Path,
	names: readonly string[],
	indent: string,
	style: Indentation,
): string {
	const fields = new Map<string, Value>([['variantChildren', makeValue(T.tokenVector, names) as Value]]);
	const body = renderBody(
		new PartialData(data, set, fields),
		set.parent!,
		{ variantSets: [set.variantSet] },
		'',
		PLAIN,
	);
	const from = body.indexOf('{\n') + 2;
	return indented(unindented(body.slice(from, body.lastIndexOf('}'))), indent, style);
}

/** The statement of a metadata field of a prim or variant, as whole lines below `indent`. */
export function renderMetadata(data: LayerData, path: Path, name: string, indent: string, style: Indentation): string {
	const value = data.field(path, name);
	if (value === undefined) return '';
	const fields = new Map<string, Value>([
		['specifier', makeValue(T.specifier, 'over') as Value],
		[name, value],
	]);
	const text = decode(writeUsdaPrim(new PartialData(data, path, fields), path, 0));
	const from = text.indexOf('(\n') + 2;
	const to = text.lastIndexOf(')\n{');
	return to < from ? '' : indented(unindented(text.slice(from, to)), indent, style);
}

/** The statement of a metadata field of the layer. */
export function renderLayerMetadata(data: LayerData, name: string, indent: string, style: Indentation): string {
	const value = data.field(Path.root, name);
	if (value === undefined) return '';
	const fields = new Map<string, Value>([[name, value]]);
	const offsets = name === 'subLayers' ? data.field(Path.root, 'subLayerOffsets') : undefined;
	if (offsets !== undefined) fields.set('subLayerOffsets', offsets);
	const text = decode(writeUsda(new PartialData(data, Path.root, fields)));
	const from = text.indexOf('(\n') + 2;
	const to = text.lastIndexOf(')\n');
	return to < from ? '' : indented(unindented(text.slice(from, to)), indent, style);
}

/** Layer data in which some fields of a spec have other values, or none. */
export function withFields(data: LayerData, path: Path, changes: ReadonlyMap<string, Value | undefined>): LayerData {
	const fields = new Map<string, Value>();
	for (const other of data.fieldNames(path)) {
		const present = data.field(path, other);
		if (present !== undefined) fields.set(other, present);
	}
	for (const [name, value] of changes) {
		if (value === undefined) fields.delete(name);
		else fields.set(name, value);
	}
	return new PartialData(data, path, fields);
}

/** Whole lines that stand below `from`, moved below another indentation; what strings hold stays. */
export function reindented(text: string, from: string, to: string, style: Indentation): string {
	const lines = [...markedLines(text)];
	return lines
		.map(({ line, isInside }, i) => {
			const moved = !isInside && line.startsWith(from) && line.trim() !== '' ? to + line.slice(from.length) : line;
			// a line end inside a string is part of it
			return lines[i + 1]?.isInside ? `${moved}\n` : moved.replace(/\r$/, '') + style.lineEnd;
		})
		.join('');
}

const PLAIN: Indentation = { unit: '    ', lineEnd: '\n' };

/** Layer data of which one spec shows other fields. */
class PartialData implements LayerData {
	readonly #data: LayerData;
	readonly #path: Path;
	readonly #fields: ReadonlyMap<string, Value>;

	constructor(data: LayerData, path: Path, fields: ReadonlyMap<string, Value>) {
		this.#data = data;
		this.#path = path;
		this.#fields = fields;
	}

	get specCount(): number {
		return 1;
	}

	has(path: Path): boolean {
		return this.#data.has(path);
	}

	specType(path: Path): SpecType {
		return this.#data.specType(path);
	}

	fieldNames(path: Path): readonly string[] {
		return path === this.#path ? [...this.#fields.keys()] : this.#data.fieldNames(path);
	}

	field(path: Path, name: string): Value | undefined {
		return path === this.#path ? this.#fields.get(name) : this.#data.field(path, name);
	}

	paths(): Iterable<Path> {
		return this.#data.paths();
	}

	createSpec(): void {
		throw new TypeError('this view cannot be edited');
	}

	eraseSpec(): void {
		throw new TypeError('this view cannot be edited');
	}

	setField(): void {
		throw new TypeError('this view cannot be edited');
	}

	eraseField(): void {
		throw new TypeError('this view cannot be edited');
	}

	specSource(): SpecSource | undefined {
		return undefined;
	}

	fieldSource(): FieldSource | undefined {
		return undefined;
	}
}

function decode(bytes: Uint8Array): string {
	return new TextDecoder().decode(bytes);
}

/** Lines that begin outside a triple-quoted string, whose content must stay as it is. */
function* markedLines(text: string): Generator<{ line: string; isInside: boolean }> {
	let quote = '';
	for (const line of text.split('\n')) {
		yield { line, isInside: quote !== '' };
		for (let i = 0; i < line.length; i++) {
			if (quote === '') {
				if (line.startsWith('"""', i) || line.startsWith("'''", i)) {
					quote = line.slice(i, i + 3);
					i += 2;
				} else if (line[i] === '#') break;
				else if (line[i] === '"' || line[i] === "'") {
					const mark = line[i];
					for (i++; i < line.length && line[i] !== mark; i++) if (line[i] === '\\') i++;
				} else if (line[i] === '@') {
					const mark = line.startsWith('@@@', i) ? '@@@' : '@';
					const end = line.indexOf(mark, i + mark.length);
					i = end < 0 ? line.length : end + mark.length - 1;
				}
			} else if (line[i] === '\\') i++;
			else if (line.startsWith(quote, i)) {
				quote = '';
				i += 2;
			}
		}
	}
}

function unindented(text: string): string {
	const out: string[] = [];
	for (const { line, isInside } of markedLines(text)) {
		out.push(!isInside && line.startsWith('    ') ? line.slice(4) : line);
	}
	return out.join('\n');
}

function indented(text: string, indent: string, style: Indentation): string {
	let out = '';
	const lines = [...markedLines(text.replace(/\n$/, ''))];
	if (lines.length === 1 && lines[0]!.line === '') return '';
	lines.forEach(({ line, isInside }, i) => {
		const depth = isInside || line === '' ? 0 : /^(?: {4})*/.exec(line)![0].length / 4;
		const head = isInside || line === '' ? '' : indent + style.unit.repeat(depth);
		// a line end inside a string is part of it
		out += head + line.slice(depth * 4) + (lines[i + 1]?.isInside ? '\n' : style.lineEnd);
	});
	return out;
}
