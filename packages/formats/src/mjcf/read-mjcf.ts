import { quote, Report } from '@manyworlds/core';
import { readXml, type XmlDocument, type XmlElement, type XmlNode } from '@manyworlds/core/internal';
import { createDiagnostic } from '../diagnostics.ts';
import { MjcfDocument } from './mjcf-document.ts';
import { MjcfElement, type MjcfRemark } from './mjcf-element.ts';
import { foldersOf, type MjcfFile } from './mjcf-file.ts';

/** What asking for an included file gave. @public */
export type MjcfFileContent =
	| { readonly file: string; readonly content: string | Uint8Array }
	| { readonly file: string; readonly failure: string };

/** Options of {@link readMjcf}. @public */
export interface ReadMjcfOptions {
	/** Name of the file: for diagnostics, and to resolve includes from. */
	readonly file?: string;
	readonly report?: Report;
	/** Gives a file that an `include` names, by its path and the file that the path is relative to. */
	readonly load?: (path: string, from: string) => MjcfFileContent;
	/** Deepest nesting of includes. */
	readonly maxIncludeDepth?: number;
	/** Most elements of the whole model, copies made by `replicate` included. */
	readonly maxElements?: number;
	/** Whether `replicate` elements are expanded into frames. */
	readonly expandReplicate?: boolean;
}

/** Values of {@link ReadMjcfOptions} that are used when absent. @public */
export const READ_MJCF_DEFAULTS: {
	readonly maxIncludeDepth: number;
	readonly maxElements: number;
	readonly expandReplicate: boolean;
} = { maxIncludeDepth: 32, maxElements: 1_000_000, expandReplicate: true };

/**
 * Reads MJCF text and the files it includes into one model.
 *
 * Never throws on bad text: what is wrong is reported where it stands, and the model holds what could be read. A file is
 * included at most once; its content takes the place of the `include` element.
 * @public
 */
export function readMjcf(source: string | Uint8Array, options: ReadMjcfOptions = {}): MjcfDocument {
	return new MjcfReader(options).read(source);
}

class MjcfReader {
	readonly #options: ReadMjcfOptions;
	readonly #report: Report;
	readonly #files: string[] = [];
	readonly #paths = new Map<XmlElement, string>();
	/** Number of elements that would have the same path. */
	readonly #taken = new Map<string, number>();
	readonly #maxElements: number;
	#count = 0;

	constructor(options: ReadMjcfOptions) {
		this.#options = options;
		this.#report = options.report ?? new Report();
		this.#maxElements = options.maxElements ?? READ_MJCF_DEFAULTS.maxElements;
	}

	read(source: string | Uint8Array): MjcfDocument {
		const { file } = this.#options;
		if (file !== undefined) this.#files.push(file);
		const xml = this.#parse(source, file);
		const main = fileOf(xml, file);
		const root = xml.root?.name === 'mujoco' ? this.#build(xml.root, undefined, main, '', 0) : undefined;
		if (xml.root !== undefined && root === undefined) {
			const message = `the outermost element is <${xml.root.name}>, expected <mujoco>`;
			this.#report.add(createDiagnostic('MJCF001', message, xml.root.location));
		}
		const document = new MjcfDocument({ root, main, files: this.#files, report: this.#report });
		if (root !== undefined) {
			const { before, after } = outerRemarks(xml);
			root.leading.push(...before);
			document.trailing.push(...after);
		}
		return document;
	}

	#parse(source: string | Uint8Array, file: string | undefined): XmlDocument {
		return readXml(source, { report: this.#report, ...(file === undefined ? {} : { file }) });
	}

	/** Makes the element of the model, and all below it. */
	#build(
		xml: XmlElement,
		parent: MjcfElement | undefined,
		source: MjcfFile,
		suffix: string,
		includes: number,
		copyIndex = 0,
	): MjcfElement {
		const path = this.#pathOf(xml, parent);
		const element = new MjcfElement(xml.name, {}, { xml, path, source, suffix, copyIndex });
		this.#count++;
		element.trailing.push(...this.#fill(element, xml, source, suffix, includes, []));
		return element;
	}

	/** Appends what an XML element holds; takes remarks that stand before that, gives those that stand behind. */
	#fill(
		parent: MjcfElement,
		xml: XmlElement,
		source: MjcfFile,
		suffix: string,
		includes: number,
		before: MjcfRemark[],
	): MjcfRemark[] {
		let remarks = before;
		for (const child of xml.nodes) {
			if (child.kind !== 'element') {
				addRemark(remarks, child);
				continue;
			}
			if (this.#count >= this.#maxElements) {
				const message = `the model has more than ${this.#maxElements} elements; the rest is left out`;
				this.#report.add(createDiagnostic('MJCF023', message, child.location));
				break;
			}
			const count = parent.children.length;
			let behind: MjcfRemark[] = [];
			if (child.name === 'include') behind = this.#include(parent, child, source, suffix, includes);
			else if (child.name === 'replicate' && (this.#options.expandReplicate ?? READ_MJCF_DEFAULTS.expandReplicate)) {
				this.#replicate(parent, child, source, suffix, includes);
			} else parent.adopt(this.#build(child, parent, source, suffix, includes));
			parent.children[count]?.leading.unshift(...remarks);
			remarks = behind;
		}
		return remarks;
	}

	/** Appends the element and what its file holds; gives the remarks that stand behind that. */
	#include(parent: MjcfElement, xml: XmlElement, source: MjcfFile, suffix: string, includes: number): MjcfRemark[] {
		// keeps its place so that its attribute is accounted for
		const element = new MjcfElement(xml.name, {}, { xml, path: this.#pathOf(xml, parent), source });
		for (const node of xml.nodes) addRemark(element.trailing, node);
		parent.adopt(element);
		const attribute = xml.attribute('file');
		if (attribute === undefined || attribute.value === '') {
			this.#report.add(
				createDiagnostic('MJCF002', 'the include names no file, expected the attribute file', xml.location),
			);
			return [];
		}
		const fault = (code: 'MJCF002' | 'MJCF003' | 'MJCF004', message: string): void => {
			this.#report.add(createDiagnostic(code, message, attribute.location));
		};
		const limit = this.#options.maxIncludeDepth ?? READ_MJCF_DEFAULTS.maxIncludeDepth;
		if (includes >= limit) {
			fault('MJCF004', `${quote(attribute.value)} is included ${includes + 1} files deep, expected at most ${limit}`);
			return [];
		}
		const found = this.#load(attribute.value, source);
		if ('failure' in found) {
			const reason = found.failure === '' ? 'there is no such file' : found.failure;
			fault('MJCF002', `${quote(attribute.value)} cannot be included: ${reason}`);
			return [];
		}
		if (this.#files.includes(found.file)) {
			fault('MJCF003', `${quote(found.file)} is part of the model already, expected each file once`);
			return [];
		}
		this.#files.push(found.file);
		const document = this.#parse(found.content, found.file);
		if (document.root === undefined) return [];
		element.markResolved();
		const { before, after } = outerRemarks(document);
		// of the declaration there can be only one
		const own = [...element.trailing.splice(0), ...before].filter(({ kind }) => kind !== 'instruction');
		return [...this.#fill(parent, document.root, fileOf(document, found.file), suffix, includes + 1, own), ...after];
	}

	/** Beside the file that includes it, else beside the main file. */
	#load(path: string, source: MjcfFile): MjcfFileContent {
		const { load, file } = this.#options;
		if (load === undefined) return { file: path, failure: 'other files cannot be read here' };
		const isAbsolute = path.startsWith('/') || /^[A-Za-z]:/.test(path);
		if (source.file === undefined && !isAbsolute) {
			return { file: path, failure: 'the text that includes it has no place that the path could be relative to' };
		}
		const found = load(path, source.file ?? '');
		if (!('failure' in found) || file === undefined || file === source.file) return found;
		const beside = load(path, file);
		return 'failure' in beside ? found : beside;
	}

	/** Each copy keeps the tag `replicate` and acts as a frame. */
	#replicate(parent: MjcfElement, xml: XmlElement, source: MjcfFile, suffix: string, includes: number): void {
		const count = Number(xml.get('count') ?? '0');
		if (!(Number.isInteger(count) && count >= 1)) {
			const message = `count of replicate is ${quote(xml.get('count') ?? '')}, expected a whole number from 1`;
			this.#report.add(createDiagnostic('MJCF006', message, xml.location));
			parent.adopt(this.#build(xml, parent, source, suffix, includes));
			return;
		}
		const digits = String(count).length;
		const separator = xml.get('sep') ?? '';
		for (let i = 0; i < count; i++) {
			if (this.#count >= this.#maxElements) {
				const message = `the replications make more than ${this.#maxElements} elements; the rest is left out`;
				this.#report.add(createDiagnostic('MJCF023', message, xml.location));
				return;
			}
			const number = String(i).padStart(digits, '0');
			parent.adopt(this.#build(xml, parent, source, `${separator}${number}${suffix}`, includes, i));
		}
	}

	/** A path that no other element has; copies of the same element share it. */
	#pathOf(xml: XmlElement, parent: MjcfElement | undefined): string {
		const known = this.#paths.get(xml);
		if (known !== undefined) return known;
		if (parent === undefined) return '';
		const prefix = parent.path === '' ? '' : `${parent.path}/`;
		const label = xml.get('name') ?? xml.get('class');
		const base = prefix + (label ? `${xml.name}[${label}]` : xml.name);
		const number = (this.#taken.get(base) ?? 0) + 1;
		this.#taken.set(base, number);
		const path = number === 1 ? base : `${prefix}${xml.name}[${label ? `${label}#` : ''}${number}]`;
		this.#paths.set(xml, path);
		return path;
	}
}

function fileOf(xml: XmlDocument, file: string | undefined): MjcfFile {
	return { file, folders: foldersOf(xml.root?.child('compiler')) };
}

/** What stands before and behind the outermost element. */
function outerRemarks(xml: XmlDocument): { before: MjcfRemark[]; after: MjcfRemark[] } {
	const before: MjcfRemark[] = [];
	const after: MjcfRemark[] = [];
	const start = xml.root?.range.start;
	for (const node of xml.nodes) {
		const at = node.range.start;
		const isBefore =
			start !== undefined && (at.line < start.line || (at.line === start.line && at.column < start.column));
		addRemark(isBefore ? before : after, node);
	}
	return { before, after };
}

/** White space is no remark. */
function addRemark(remarks: MjcfRemark[], node: XmlNode): void {
	if (node.kind === 'element') return;
	const text = node.kind === 'text' ? node.text.trim() : node.text;
	if (node.kind !== 'text' || text !== '') remarks.push({ kind: node.kind, text });
}
