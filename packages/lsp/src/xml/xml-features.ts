import { Report } from '@manyworlds/core';
import type { XmlElement } from '@manyworlds/core/internal';
import { readMjcf } from '@manyworlds/formats';
import { MAIN_CLASS } from '@manyworlds/formats/internal';
import { isAssetFailure } from '@manyworlds/usd';
import {
	type CompletionItem,
	CompletionItemKind,
	type DocumentLink,
	type DocumentSymbol,
	type FoldingRange,
	type Location,
	type LocationLink,
	SymbolKind,
	type TextDocumentEdit,
	type TextEdit,
} from 'vscode-languageserver';
import {
	type LanguageFeatures,
	type PlaceRequest,
	type RenamePlace,
	type RenameResult,
	type TextRequest,
	TOKEN_TYPES,
} from '../language-features.ts';
import type { ByteRange, DocumentText } from '../text/document-text.ts';
import type { TokenSink } from '../text/token-numbers.ts';
import { assetPathItems } from '../workspace/asset-path-items.ts';
import type { Workspace } from '../workspace/workspace.ts';
import { fileUses } from './xml-files.ts';
import type { XmlNames } from './xml-names.ts';
import { elementsOf, xmlOf, xmlPlace } from './xml-place.ts';

/** What the server does with robots in XML, by how their language names things. */
export function xmlFeatures(kind: 'urdf' | 'mjcf', names: XmlNames): LanguageFeatures {
	const features = new XmlFeatures(kind, names);
	return {
		hover: (request) => features.hover(request),
		definition: (request) => features.definition(request),
		references: (request, includesDeclaration) => features.references(request, includesDeclaration),
		symbols: (request) => features.symbols(request),
		completion: (request) => features.completion(request),
		links: (request) => features.links(request),
		folding: (request) => features.folding(request),
		prepareRename: (request) => Promise.resolve(features.prepareRename(request)),
		rename: (request, name) => features.rename(request, name),
		tokens: (request, add) => features.tokens(request, add),
	};
}

/** A name in some file: where it is defined or used. */
interface NameUse {
	readonly file: string;
	readonly text: DocumentText;
	readonly element: XmlElement;
	readonly kind: string;
	readonly name: string;
	readonly start: number;
	readonly end: number;
	readonly isDefinition: boolean;
}

/** Files that are followed by `include`. */
const MOST_FILES = 64;
const TYPE = Object.fromEntries(TOKEN_TYPES.map((name, i) => [name, i])) as Readonly<Record<string, number>>;

class XmlFeatures {
	readonly #kind: 'urdf' | 'mjcf';
	readonly #names: XmlNames;

	constructor(kind: 'urdf' | 'mjcf', names: XmlNames) {
		this.#kind = kind;
		this.#names = names;
	}

	/** The name at a place, with the kinds of things that it may be of. */
	#nameAt({
		text,
		offset,
	}: PlaceRequest):
		| (ByteRange & { readonly kinds: readonly string[]; readonly name: string; readonly element: XmlElement })
		| undefined {
		const place = xmlPlace(text, offset);
		if (place?.attribute === undefined || !place.isValue) return undefined;
		const { element, attribute } = place;
		const own = this.#names.definition(element);
		const kinds = own?.attribute === attribute.name ? [own.kind] : this.#names.reference(element, attribute.name);
		if (kinds.length === 0) return undefined;
		const { start, end } = attribute.valueRange;
		return { kinds, name: attribute.value, element, start: start.offset, end: end.offset };
	}

	/** Every name of a robot, those of included files too. */
	*#uses(workspace: Workspace, file: string, seen: Set<string> = new Set()): Generator<NameUse> {
		const text = workspace.text(file);
		if (text === undefined || seen.has(file) || seen.size >= MOST_FILES) return;
		seen.add(file);
		for (const element of elementsOf(xmlOf(text).root)) {
			const own = this.#names.definition(element);
			for (const { name: attribute, value, valueRange } of element.attributes) {
				const isDefinition = own?.attribute === attribute;
				const kinds = isDefinition ? [own.kind] : this.#names.reference(element, attribute);
				for (const kind of kinds) {
					yield {
						file,
						text,
						element,
						kind,
						name: value,
						start: valueRange.start.offset,
						end: valueRange.end.offset,
						isDefinition,
					};
				}
			}
			if (element.name !== 'include') continue;
			const { identifier } = workspace.store.identify(element.get('file') ?? '', file);
			yield* this.#uses(workspace, identifier, seen);
		}
	}

	#matching(request: PlaceRequest): NameUse[] {
		const at = this.#nameAt(request);
		if (at === undefined) return [];
		const all = this.#uses(request.workspace, request.document.identifier);
		return [...all].filter(({ kind, name }) => name === at.name && at.kinds.includes(kind));
	}

	async definition(request: PlaceRequest): Promise<LocationLink[]> {
		const { workspace, text, offset } = request;
		for (const { start, end, assetPath, folder } of fileUses(text, this.#kind)) {
			if (offset < start || offset > end) continue;
			const file = locate(workspace, assetPath, folder, request.document.identifier);
			const zero = { line: 0, character: 0 };
			const range = { start: zero, end: zero };
			return file === undefined
				? []
				: [
						{
							originSelectionRange: text.range(start, end),
							targetUri: workspace.uris.uri(file),
							targetRange: range,
							targetSelectionRange: range,
						},
					];
		}
		const at = this.#nameAt(request);
		return this.#matching(request)
			.filter(({ isDefinition }) => isDefinition)
			.map(({ file, text: other, element, start, end }) => ({
				originSelectionRange: text.range(at!.start, at!.end),
				targetUri: workspace.uris.uri(file),
				targetRange: other.range(element.range.start.offset, element.range.end.offset),
				targetSelectionRange: other.range(start, end),
			}));
	}

	async references(request: PlaceRequest, includesDeclaration: boolean): Promise<Location[]> {
		return this.#matching(request)
			.filter(({ isDefinition }) => includesDeclaration || !isDefinition)
			.map(({ file, text, start, end }) => ({ uri: request.workspace.uris.uri(file), range: text.range(start, end) }));
	}

	prepareRename(request: PlaceRequest): RenamePlace {
		const at = this.#nameAt(request);
		if (at === undefined || at.name === '')
			return { refusal: 'only names of links, joints and the like can be renamed' };
		if (!this.#matching(request).some(({ isDefinition }) => isDefinition))
			return { refusal: `nothing is called '${at.name}'` };
		return { start: at.start, end: at.end, name: at.name };
	}

	async rename(request: PlaceRequest, name: string): Promise<RenameResult> {
		const place = this.prepareRename(request);
		if ('refusal' in place) return place;
		if (/["<&\s]/.test(name) || name === '') return { refusal: `'${name}' is not a name` };
		const { workspace, document } = request;
		const uses = this.#matching(request);
		const kinds = new Set(uses.filter(({ isDefinition }) => isDefinition).map(({ kind }) => kind));
		for (const other of this.#uses(workspace, document.identifier)) {
			if (other.isDefinition && other.name === name && kinds.has(other.kind))
				return { refusal: `there is a ${other.kind} '${name}' already` };
		}
		const foreign = uses.find(({ element }) => this.#names.isForeign(element));
		const byFile = new Map<string, TextEdit[]>();
		for (const { file, text, start, end, element, kind } of uses) {
			if (!kinds.has(kind) || (this.#names.isForeign(element) && element.name !== 'gazebo')) continue;
			const edits = byFile.get(file) ?? [];
			edits.push({ range: text.range(start, end), newText: name });
			byFile.set(file, edits);
		}
		const documentChanges: TextDocumentEdit[] = [...byFile].map(([file, edits]) => ({
			textDocument: { uri: workspace.uris.uri(file), version: workspace.document(file)?.version ?? null },
			edits: foreign === undefined ? edits : edits.map((edit) => ({ ...edit, annotationId: 'foreign' })),
		}));
		if (foreign === undefined) return { edit: { documentChanges } };
		const label = `${name}: other programs read this name in <gazebo> too`;
		return { edit: { documentChanges, changeAnnotations: { foreign: { label, needsConfirmation: true } } } };
	}

	symbols({ text }: TextRequest): DocumentSymbol[] {
		const top: DocumentSymbol[] = [];
		const into = new Map<XmlElement, DocumentSymbol[]>();
		for (const element of elementsOf(xmlOf(text).root)) {
			const list = (element.parent && into.get(element.parent)) ?? top;
			const own = this.#names.definition(element);
			const attribute = own && element.attribute(own.attribute);
			if (own === undefined || attribute === undefined) {
				into.set(element, list);
				continue;
			}
			const { start, end } = attribute.valueRange;
			const children: DocumentSymbol[] = [];
			into.set(element, children);
			list.push({
				name: attribute.value || '(no name)',
				detail: own.kind,
				kind: KINDS[own.kind] ?? SymbolKind.Object,
				range: text.range(element.range.start.offset, Math.max(element.range.end.offset, end.offset)),
				selectionRange: text.range(start.offset, end.offset),
				children,
			});
		}
		return top;
	}

	async completion(request: PlaceRequest): Promise<{ isIncomplete: boolean; items: CompletionItem[] }> {
		return { isIncomplete: false, items: await this.#items(request) };
	}

	async #items(request: PlaceRequest): Promise<CompletionItem[]> {
		const { text, offset, workspace, document } = request;
		const before = text.slice(Math.max(0, offset - 2000), offset);
		const tag = /<([\w:.-]*)((?:[^<>"']|"[^"]*"|'[^']*')*)(["'][^"'<>]*)?$/.exec(before);
		if (tag === null) return [];
		const [, name = '', rest = '', open] = tag;
		const { root } = xmlOf(text);
		if (open !== undefined) {
			const attribute = /([\w:.-]+)\s*=\s*$/.exec(rest)?.[1] ?? '';
			const element = xmlPlace(text, offset)?.element;
			if (element === undefined || root === undefined) return [];
			if (this.#names.file(element, attribute, root) !== undefined)
				return assetPathItems(open.slice(1), document.identifier, workspace);
			const kinds = this.#names.reference(element, attribute);
			const found = new Set<string>();
			for (const use of this.#uses(workspace, document.identifier))
				if (use.isDefinition && kinds.includes(use.kind)) found.add(use.name);
			const values = this.#names.values(element, attribute);
			return [
				...[...found].map((label) => ({ label, kind: CompletionItemKind.Reference })),
				...values.map((label) => ({ label, kind: CompletionItemKind.EnumMember })),
			];
		}
		if (rest === '') {
			// the element that the place is in is the nearest one above that is not being written
			const at = xmlPlace(text, Math.max(0, offset - name.length - 2))?.element;
			const parent = at !== undefined && at.tagRange.end.offset <= offset - name.length - 1 ? at : at?.parent;
			const known =
				parent === undefined
					? Object.keys(this.#names.elements).slice(0, 1)
					: (this.#names.elements[parent.name]?.children ?? []);
			return known.map((label) => ({ label, kind: CompletionItemKind.Class }));
		}
		const used = new Set([...rest.matchAll(/([\w:.-]+)\s*=/g)].map(([, one]) => one));
		return (this.#names.elements[name]?.attributes ?? [])
			.filter((one) => !used.has(one))
			.map((label) => ({ label, kind: CompletionItemKind.Property, insertText: `${label}=""` }));
	}

	async links({ workspace, document, text }: TextRequest): Promise<DocumentLink[]> {
		const found: DocumentLink[] = [];
		for (const { start, end, assetPath, folder } of fileUses(text, this.#kind)) {
			const file = locate(workspace, assetPath, folder, document.identifier);
			if (file !== undefined) found.push({ range: text.range(start, end), target: workspace.uris.uri(file) });
		}
		return found;
	}

	folding({ text }: TextRequest): FoldingRange[] {
		const found: FoldingRange[] = [];
		for (const { range } of elementsOf(xmlOf(text).root)) {
			if (range.end.line > range.start.line + 1)
				found.push({ startLine: range.start.line - 1, endLine: range.end.line - 2 });
		}
		return found;
	}

	tokens({ text }: TextRequest, add: TokenSink): void {
		for (const element of elementsOf(xmlOf(text).root)) {
			const start = element.range.start.offset + 1;
			add(start, start + new TextEncoder().encode(element.name).length, TYPE['class']!, 0);
			for (const { name, range, valueRange } of element.attributes) {
				const from = range.start.offset;
				add(from, from + new TextEncoder().encode(name).length, TYPE['property']!, 0);
				const isName =
					this.#names.definition(element)?.attribute === name || this.#names.reference(element, name).length > 0;
				add(valueRange.start.offset, valueRange.end.offset, TYPE[isName ? 'variable' : 'string']!, 0);
			}
		}
	}

	async hover(request: PlaceRequest): Promise<({ readonly markdown: string } & ByteRange) | undefined> {
		const place = xmlPlace(request.text, request.offset);
		if (place === undefined) return undefined;
		const { element, attribute } = place;
		const range = attribute?.range ?? element.tagRange;
		const span = { start: range.start.offset, end: range.end.offset };
		const at = this.#nameAt(request);
		if (at !== undefined) {
			const uses = this.#matching(request);
			const [defined] = uses.filter(({ isDefinition }) => isDefinition);
			const line = defined?.element.line;
			const where =
				defined === undefined
					? 'nothing has this name'
					: `${defined.kind} of line ${line}, named ${uses.length - 1} times`;
			return { markdown: `**${at.name}**: ${where}`, ...span };
		}
		return this.#kind === 'mjcf' ? { markdown: effectiveValues(request, element), ...span } : undefined;
	}
}

const KINDS: Readonly<Record<string, SymbolKind | undefined>> = {
	link: SymbolKind.Class,
	body: SymbolKind.Class,
	joint: SymbolKind.Event,
	geom: SymbolKind.Struct,
	mesh: SymbolKind.Struct,
	material: SymbolKind.Constant,
	actuator: SymbolKind.Function,
	sensor: SymbolKind.Interface,
	class: SymbolKind.TypeParameter,
};

function locate(workspace: Workspace, assetPath: string, folder: string, anchor: string): string | undefined {
	const { identifier, refusal } = workspace.store.identify(
		folder === '' ? assetPath : `${folder}/${assetPath}`,
		anchor,
	);
	return refusal === undefined && workspace.store.exists(identifier) !== false ? identifier : undefined;
}

/** The attributes of an element over those of its default classes, with the class that gives each. */
function effectiveValues({ workspace, document, text }: PlaceRequest, xml: XmlElement): string {
	const model = readMjcf(text.bytes, {
		file: document.identifier,
		report: new Report({ cap: 0 }),
		load: (path, from) => {
			const { identifier } = workspace.store.identify(path, from);
			const content = workspace.store.bytes(identifier) ?? { failure: 'it is not loaded yet' };
			return isAssetFailure(content) ? { file: identifier, failure: content.failure } : { file: identifier, content };
		},
	});
	for (const element of model.elements()) {
		const other = element.xml;
		if (
			other === undefined ||
			other.range.start.offset !== xml.range.start.offset ||
			other.file !== document.identifier
		)
			continue;
		let ambient = MAIN_CLASS;
		for (let at = element.parent; at !== undefined; at = at.parent) {
			const named = at.get('childclass');
			if (named === undefined) continue;
			ambient = named;
			break;
		}
		const lines = [...model.attributesOf(element, ambient)].map(([name, { text: value, fromClass, element: from }]) => {
			const where = fromClass === undefined ? '' : ` from class ${fromClass}, line ${from.xml?.line ?? '?'}`;
			return `- \`${name}="${value}"\`${where}`;
		});
		return [`**${element.name}** \`${element.path}\``, lines.join('\n')].join('\n\n');
	}
	return `**${xml.name}**`;
}
