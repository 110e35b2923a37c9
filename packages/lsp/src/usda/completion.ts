import { InterfaceRegistry } from '@manyworlds/rep158';
import { formatValue, Path, type Prim, SchemaRegistry } from '@manyworlds/usd';
import { attributeTypeNames, type PropertyDefinition } from '@manyworlds/usd/internal';
import { type CompletionItem, CompletionItemKind, type CompletionList, InsertTextFormat } from 'vscode-languageserver';
import type { PlaceRequest } from '../language-features.ts';
import { anchorOf, type OutlineNode, ownerOf, type UsdaOutline } from '../outline/usda-outline.ts';
import { TokenKind } from '../outline/usda-tokens.ts';
import { assetPathItems } from '../workspace/asset-path-items.ts';
import { METADATA_KEYS, metadataHelp } from './metadata-help.ts';
import { unitOf } from './units.ts';
import { type LayerInStage, layerInStage, usesOf } from './usda-request.ts';

/** Items that are given at once; more make the list incomplete. */
const MOST_ITEMS = 400;

/** What may stand at a place: known from the statement around it, the schemas of its prim and the stage. */
export async function completion(request: PlaceRequest): Promise<CompletionList> {
	const outline = request.workspace.outline(request.text);
	const { tokens } = outline;
	const at = tokens.at(Math.max(request.offset - 1, 0));
	const isInside = at >= 0 && tokens.start(at) < request.offset && request.offset <= tokens.end(at);
	if (isInside && tokens.kind(at) === TokenKind.comment && request.offset <= tokens.end(at)) return list([]);
	const node = outline.nodeAt(Math.max(request.offset - 1, 0));
	const context = await layerInStage(request);
	if (context === undefined) return list([]);
	const place: Place = { request, outline, context, node, token: isInside ? at : -1 };
	return list(await itemsAt(place));
}

interface Place {
	readonly request: PlaceRequest;
	readonly outline: UsdaOutline;
	readonly context: LayerInStage;
	/** The statement around the place. */
	readonly node: OutlineNode;
	/** The token that the place is in or right behind; -1 between tokens. */
	readonly token: number;
}

async function itemsAt(place: Place): Promise<CompletionItem[]> {
	const { outline, token, request } = place;
	const { tokens } = outline;
	const kind = token < 0 ? undefined : tokens.kind(token);
	if (kind === TokenKind.asset) {
		const written = request.text.slice(tokens.start(token), request.offset).replace(/^@+/, '');
		return assetPathItems(written, request.document.identifier, request.workspace);
	}
	if (kind === TokenKind.path) return pathItems(place, request.text.slice(tokens.start(token) + 1, request.offset));
	if (isInValue(place)) return valueItems(place);
	if (isInMetadata(place)) return metadataItems(place);
	return statementItems(place);
}

/** Whether the place is behind the `=` of a statement. */
function isInValue({ node, outline: { tokens }, request: { offset } }: Place): boolean {
	if (node.kind !== 'property' && node.kind !== 'metadata') return false;
	if (node.valueFirst >= 0) return offset > tokens.start(node.valueFirst) && offset <= tokens.end(node.valueLast);
	return tokens.isMark(node.last, 0x3d) && offset >= tokens.end(node.last);
}

/** Whether the place is in the round brackets of a layer, prim or property. */
function isInMetadata({ node, outline: { tokens }, request: { offset } }: Place): boolean {
	for (let at: OutlineNode | undefined = node; at !== undefined; at = at.parent) {
		if (at.metadataOpen < 0) continue;
		const isAfter = offset > tokens.start(at.metadataOpen);
		const isBefore =
			at.metadataClose < 0
				? at.bodyOpen < 0 || offset <= tokens.start(at.bodyOpen)
				: offset <= tokens.start(at.metadataClose);
		if (isAfter && isBefore) return true;
	}
	return false;
}

/** Paths of the stage as the layer has to write them. */
function pathItems(place: Place, written: string): CompletionItem[] {
	const { context, node } = place;
	const { composed, uses } = usesOf(context, node);
	const anchor = anchorOf(node);
	const slash = written.lastIndexOf('/');
	const folder = slash < 0 ? '' : written.slice(0, slash === 0 ? 1 : slash);
	const [use] = uses;
	const base = folder === '' ? anchor : Path.parse(folder)?.makeAbsolute(anchor);
	if (base === undefined) return [];
	const [onStage] = use === undefined ? [base] : composed.toStage([use], base);
	const prim =
		onStage === undefined || onStage.isAbsoluteRoot ? composed.stage.pseudoRoot : composed.stage.prim(onStage);
	if (prim === undefined) return [];
	const name = written.slice(slash + 1);
	const dot = name.indexOf('.');
	if (dot >= 0) {
		const owner = prim.child(name.slice(0, dot));
		return (owner?.propertyNames() ?? []).map((property) => ({ label: property, kind: CompletionItemKind.Property }));
	}
	return prim.children().map((child) => ({
		label: child.name,
		kind: CompletionItemKind.Class,
		...(child.typeName !== '' && { detail: child.typeName }),
	}));
}

function valueItems(place: Place): CompletionItem[] {
	const { node, context, outline, token } = place;
	const isString = token >= 0 && outline.tokens.kind(token) === TokenKind.string;
	const quoted = (texts: readonly string[], kind: CompletionItemKind): CompletionItem[] =>
		texts.map((text) => ({ label: text, kind, insertText: isString ? text : `"${text}"` }));
	if (node.kind === 'metadata') {
		switch (node.name) {
			case 'apiSchemas':
				return quoted(applicable(place), CompletionItemKind.Interface);
			case 'kind':
				return quoted(['component', 'subcomponent', 'group', 'assembly'], CompletionItemKind.EnumMember);
			case 'upAxis':
				return quoted(['Y', 'Z'], CompletionItemKind.EnumMember);
			case 'interpolation':
				return quoted(['constant', 'uniform', 'varying', 'vertex', 'faceVarying'], CompletionItemKind.EnumMember);
			case 'defaultPrim':
				return quoted(
					context.layer.children('/').map(({ name }) => name),
					CompletionItemKind.Class,
				);
			case 'active':
			case 'instanceable':
			case 'hidden':
				return ['true', 'false'].map((label) => ({ label, kind: CompletionItemKind.Keyword }));
			case 'variants':
				return variantItems(place, quoted);
			default:
				return [];
		}
	}
	const prim = primAt(place);
	if (/^ros:(?:topic|service|action)?.*:?type$/i.test(node.name)) {
		return quoted(InterfaceRegistry.standard.names(), CompletionItemKind.Struct);
	}
	const tokens = prim?.definition.property(node.name)?.allowedTokens;
	if (tokens !== undefined) return quoted(tokens, CompletionItemKind.EnumMember);
	if (node.typeName === 'bool') return ['true', 'false'].map((label) => ({ label, kind: CompletionItemKind.Keyword }));
	return [];
}

function variantItems(
	place: Place,
	quoted: (texts: readonly string[], kind: CompletionItemKind) => CompletionItem[],
): CompletionItem[] {
	const prim = primAt(place);
	return (prim?.variantSets() ?? []).flatMap((set) =>
		quoted(prim!.variants(set), CompletionItemKind.EnumMember).map((item) => ({ ...item, detail: set })),
	);
}

/** API schemas that can be applied to the prim around a place and are not yet. */
function applicable(place: Place): string[] {
	const registry = SchemaRegistry.standard;
	const type = ownerOf(place.node).typeName;
	const has = primAt(place)?.appliedSchemas ?? [];
	const names: string[] = [];
	for (const { identifier, kind, allowedInstanceNames } of registry.classes()) {
		if (kind === 'singleApplyAPI') {
			if (!has.includes(identifier) && (type === '' || registry.whyNotApply(identifier, type) === undefined))
				names.push(identifier);
		} else if (kind === 'multipleApplyAPI') {
			const instances = allowedInstanceNames.length > 0 ? allowedInstanceNames : (INSTANCES[identifier] ?? ['name']);
			names.push(...instances.map((name) => `${identifier}:${name}`).filter((name) => !has.includes(name)));
		}
	}
	return names.sort();
}

const INSTANCES: Readonly<Record<string, readonly string[] | undefined>> = {
	PhysicsDriveAPI: ['linear', 'angular', 'transX', 'transY', 'transZ', 'rotX', 'rotY', 'rotZ'],
	PhysicsLimitAPI: ['linear', 'angular', 'transX', 'transY', 'transZ', 'rotX', 'rotY', 'rotZ', 'distance'],
};

function metadataItems({ node, outline: { tokens }, request: { offset } }: Place): CompletionItem[] {
	let owner: OutlineNode = node;
	while (owner.metadataOpen < 0 || offset <= tokens.start(owner.metadataOpen)) {
		if (owner.parent === undefined) return [];
		owner = owner.parent;
	}
	const where = owner.kind === 'layer' ? 'layer' : owner.kind === 'property' ? 'property' : 'prim';
	const used = new Set(
		owner.children.filter((child) => child.kind === 'metadata' && child !== node).map(({ name }) => name),
	);
	return METADATA_KEYS[where]
		.filter((key) => !used.has(key))
		.map((key) => ({
			label: key,
			kind: CompletionItemKind.Field,
			insertText: `${LISTS.has(key) ? 'prepend ' : ''}${key} = `,
			filterText: key,
			documentation: { kind: 'markdown' as const, value: metadataHelp(key) ?? key },
		}));
}

const LISTS: ReadonlySet<string> = new Set([
	'apiSchemas',
	'references',
	'payload',
	'inherits',
	'specializes',
	'variantSets',
]);

/** What a statement may begin with, or go on with. */
function statementItems(place: Place): CompletionItem[] {
	const before = wordsBefore(place);
	const [first = ''] = before;
	if (/^(?:def|over|class)$/.test(first)) {
		if (before.length > 1) return [];
		return typeItems();
	}
	const words = before.filter((word) => !/^(?:custom|uniform|varying|prepend|append|delete|add|reorder)$/.test(word));
	const owner = enclosing(place);
	if (words.length === 0) {
		return [...keywordItems(owner), ...(owner.kind === 'layer' ? [] : propertyItems(place, owner, undefined))];
	}
	if (words.length === 1 && owner.kind !== 'layer') return propertyItems(place, owner, words[0]!);
	return [];
}

/** The words of the line before the one at the place. */
function wordsBefore({ outline: { tokens }, request: { offset, text }, token }: Place): string[] {
	const line = text.lineStart(text.position(offset).line);
	const words: string[] = [];
	for (
		let at = token >= 0 && tokens.kind(token) === TokenKind.word ? token - 1 : tokens.at(Math.max(offset - 1, 0));
		at >= 0 && tokens.start(at) >= line;
		at--
	) {
		if (tokens.end(at) > offset) continue;
		const kind = tokens.kind(at);
		if (kind === TokenKind.word) words.unshift(tokens.text(at));
		else if (tokens.isMark(at, 0x5d) && words.length > 0) words.unshift('');
		else if (!tokens.isMark(at, 0x5b)) break;
	}
	// the brackets of an array belong to its type
	return words.flatMap((word, i) => (word === '' ? [] : words[i + 1] === '' ? [`${word}[]`] : [word]));
}

/** The prim, variant or layer whose body the place is in. */
function enclosing({ node, outline: { tokens }, request: { offset } }: Place): OutlineNode {
	for (let at: OutlineNode | undefined = node; at !== undefined; at = at.parent) {
		if (at.kind === 'layer') return at;
		const isBody =
			(at.kind === 'prim' || at.kind === 'variant') && at.bodyOpen >= 0 && offset > tokens.start(at.bodyOpen);
		if (isBody && (at.bodyClose < 0 || offset <= tokens.start(at.bodyClose))) return at;
	}
	return node;
}

function keywordItems(owner: OutlineNode): CompletionItem[] {
	const snippet = (label: string, insertText: string): CompletionItem => ({
		label,
		kind: CompletionItemKind.Snippet,
		insertText,
		insertTextFormat: InsertTextFormat.Snippet,
	});
	return [
		snippet('def', `def \${1:Xform} "\${2:name}"\n{\n\t$0\n}`),
		snippet('over', `over "\${1:name}"\n{\n\t$0\n}`),
		snippet('class', `class "\${1:_name}"\n{\n\t$0\n}`),
		...(owner.kind === 'layer'
			? []
			: [snippet('variantSet', `variantSet "\${1:name}" = {\n\t"\${2:variant}" {\n\t\t$0\n\t}\n}`)]),
	];
}

function typeItems(): CompletionItem[] {
	const registry = SchemaRegistry.standard;
	return [...registry.classes()]
		.filter(({ kind }) => kind === 'concreteTyped')
		.map(({ identifier, library }) => ({ label: identifier, kind: CompletionItemKind.Class, detail: library }))
		.sort((a, b) => (a.label < b.label ? -1 : 1));
}

/** Properties that the schemas of the prim have; with a type, those of that type by name only. */
function propertyItems(place: Place, owner: OutlineNode, type: string | undefined): CompletionItem[] {
	const { stage } = place.context.composed;
	const prim = ownerPrim(place, owner);
	const definition = prim?.definition ?? SchemaRegistry.standard.primDefinition(owner.typeName, []);
	const used = new Set(
		owner.children.filter((child) => child.kind === 'property' && child !== place.node).map(({ name }) => name),
	);
	const items: CompletionItem[] = [];
	for (const property of definition.properties()) {
		if (used.has(property.name) || (type !== undefined && typeOf(property) !== type)) continue;
		const unit = unitOf(property.name, stage);
		const statement = `${property.variability === 'uniform' ? 'uniform ' : ''}${typeOf(property)} ${property.name}${property.kind === 'attribute' ? ' = ' : ''}`;
		items.push({
			label: property.name,
			kind: CompletionItemKind.Property,
			detail: `${typeOf(property)}${unit === undefined ? '' : ` [${unit}]`}`,
			insertText: type === undefined ? statement : property.name,
			filterText: property.name,
			documentation: `${property.schema}${property.fallback === undefined ? '' : `, fallback ${short(formatValue(property.fallback))}`}`,
			data: { kind: 'usda' },
		});
	}
	if (type === undefined) {
		for (const label of attributeTypeNames())
			items.push({ label, kind: CompletionItemKind.TypeParameter, sortText: `~${label}` });
		items.push({ label: 'rel', kind: CompletionItemKind.Keyword });
	}
	return items;
}

function typeOf({ kind, typeName }: PropertyDefinition): string {
	return kind === 'relationship' ? 'rel' : typeName;
}

function short(text: string): string {
	return text.length > 60 ? `${text.slice(0, 60)}…` : text;
}

function primAt(place: Place): Prim | undefined {
	return ownerPrim(place, ownerOf(place.node));
}

function ownerPrim({ context }: Place, owner: OutlineNode): Prim | undefined {
	return usesOf(context, owner).uses[0]?.prim;
}

function list(items: CompletionItem[]): CompletionList {
	return { isIncomplete: items.length > MOST_ITEMS, items: items.slice(0, MOST_ITEMS) };
}
