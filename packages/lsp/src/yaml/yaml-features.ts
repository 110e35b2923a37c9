import { type CompletionItem, CompletionItemKind, type DocumentSymbol, SymbolKind } from 'vscode-languageserver';
import { isCollection, isMap, isScalar, LineCounter, parseDocument } from 'yaml';
import type { LanguageFeatures, PlaceRequest, TextRequest } from '../language-features.ts';
import type { ByteRange, DocumentText } from '../text/document-text.ts';
import { assetPathItems } from '../workspace/asset-path-items.ts';
import type { YamlLanguage } from '../workspace/yaml-languages.ts';
import { JsonSchema, type SchemaPart } from './json-schema.ts';
import { type YamlPlace, yamlPlace } from './yaml-place.ts';

/** Keys whose values are files. */
const FILE_KEYS: ReadonlySet<string> = new Set(['source', 'file', 'path', 'mesh', 'asset', 'scene']);

/** What the server does with files in YAML and JSON that have a schema. */
export const YAML_FEATURES: LanguageFeatures = { completion, hover, symbols };

const schemas = new Map<string, JsonSchema>();

function schemaOf({ name, schema }: YamlLanguage): JsonSchema {
	let found = schemas.get(name);
	if (found === undefined) {
		found = new JsonSchema(schema());
		schemas.set(name, found);
	}
	return found;
}

function placeOf({ text, offset }: PlaceRequest): YamlPlace {
	const whole = text.slice(0, text.length);
	const { line } = text.position(offset);
	const column = text.slice(text.lineStart(line), offset).length;
	return yamlPlace(whole, line, column);
}

async function completion(request: PlaceRequest): Promise<{ isIncomplete: boolean; items: CompletionItem[] }> {
	const { kind } = request.document;
	if (kind.kind !== 'yaml') return { isIncomplete: false, items: [] };
	const schema = schemaOf(kind.language);
	const place = placeOf(request);
	const parts = schema.at(place.path);
	if (place.key !== undefined) {
		const values = schema.values(parts).map((label) => ({ label, kind: CompletionItemKind.EnumMember }));
		const files = FILE_KEYS.has(place.key)
			? await assetPathItems(place.word, request.document.identifier, request.workspace)
			: [];
		return { isIncomplete: false, items: [...values, ...files] };
	}
	const items = [...schema.keys(parts)]
		.filter(([key]) => !place.siblings.has(key))
		.map(([key, part]) => ({
			label: key,
			kind: CompletionItemKind.Field,
			insertText: `${key}: `,
			...(typeOf(part) !== '' && { detail: typeOf(part) }),
			...(typeof part['description'] === 'string' && { documentation: part['description'] }),
		}));
	return { isIncomplete: false, items };
}

async function hover(request: PlaceRequest): Promise<({ readonly markdown: string } & ByteRange) | undefined> {
	const { document, text, offset } = request;
	if (document.kind.kind !== 'yaml') return undefined;
	const { line } = text.position(offset);
	const start = text.lineStart(line);
	const end = line + 1 < text.lineCount ? text.lineStart(line + 1) : text.length;
	const content = text.slice(start, end);
	const match = /^(\s*(?:-\s+)*["']?)([A-Za-z_][\w.-]*)["']?\s*:/.exec(content);
	if (match === null) return undefined;
	const keyStart = start + match[1]!.length;
	const keyEnd = keyStart + match[2]!.length;
	if (offset < keyStart || offset > keyEnd) return undefined;
	const place = yamlPlace(text.slice(0, text.length), line, match[0].length);
	const parts = schemaOf(document.kind.language).at(place.path);
	const lines = [
		`**${match[2]}**${parts.map(typeOf).find((one) => one !== '') === undefined ? '' : `: ${parts.map(typeOf).find((one) => one !== '')}`}`,
	];
	for (const part of parts) {
		if (typeof part['description'] === 'string') lines.push(part['description']);
		if (part['default'] !== undefined) lines.push(`default: \`${JSON.stringify(part['default'])}\``);
		if (Array.isArray(part['enum'])) lines.push(`one of ${part['enum'].map((one) => `\`${String(one)}\``).join(', ')}`);
	}
	return { markdown: [...new Set(lines)].join('\n\n'), start: keyStart, end: keyEnd };
}

function typeOf(part: SchemaPart): string {
	const type = part['type'];
	return typeof type === 'string' ? type : Array.isArray(type) ? type.join(' or ') : '';
}

/** Keys and entries as a tree, two levels deep: sections, and what is named in them. */
function symbols({ text }: TextRequest): DocumentSymbol[] {
	const whole = text.slice(0, text.length);
	const document = parseDocument(whole, { lineCounter: new LineCounter(), strict: false });
	if (!isMap(document.contents)) return [];
	const bytes = byteOffsets(text, whole);
	const found: DocumentSymbol[] = [];
	for (const { key, value } of document.contents.items) {
		if (!isScalar(key) || key.range == null) continue;
		const end = isCollection(value) && value.range != null ? value.range[1] : key.range[1];
		found.push({
			name: String(key.value),
			kind: SymbolKind.Field,
			range: text.range(bytes(key.range[0]), bytes(Math.max(end, key.range[1]))),
			selectionRange: text.range(bytes(key.range[0]), bytes(key.range[1])),
		});
	}
	return found;
}

function byteOffsets(text: DocumentText, whole: string): (index: number) => number {
	if (whole.length === text.length) return (index) => index;
	return (index) => new TextEncoder().encode(whole.slice(0, index)).length;
}
