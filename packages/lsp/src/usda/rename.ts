import { isAssetFailure, type Layer, Path } from '@manyworlds/usd';
import { isIdentifier, isNamespacedIdentifier } from '@manyworlds/usd/internal';
import type { TextDocumentEdit, TextEdit } from 'vscode-languageserver';
import type { PlaceRequest, RenamePlace, RenameResult } from '../language-features.ts';
import { type OutlineNode, ownerOf } from '../outline/usda-outline.ts';
import { TokenKind } from '../outline/usda-tokens.ts';
import type { ComposedStage } from '../workspace/composed-stage.ts';
import type { Workspace } from '../workspace/workspace.ts';
import { targetSites } from './definition.ts';
import { type LayerText, layerText, pathsIn } from './layer-text.ts';
import { hasSpec, RenameSites } from './rename-sites.ts';
import { type LayerInStage, layerInStage, resolvePath } from './usda-request.ts';
import { nameRange, subjectAt, type UsdaSubject } from './usda-subject.ts';

/** Stages of the workspace that follow a rename. */
const MOST_STAGES = 32;

/** What can be renamed at a place: a prim or property, at its name or in a path. */
export async function prepareRename(request: PlaceRequest): Promise<RenamePlace> {
	const { workspace, text, offset } = request;
	const subject = subjectAt(workspace.outline(text), offset);
	if (subject === undefined || !isRenamable(subject)) return { refusal: 'only prims and properties can be renamed' };
	if (subject.kind !== 'path') return { start: subject.start, end: subject.end, name: subject.node.name };
	const { name } = subject.path;
	return { start: subject.end - new TextEncoder().encode(name).length, end: subject.end, name };
}

function isRenamable(subject: UsdaSubject): boolean {
	if (subject.kind === 'path') return subject.path.isPrim || subject.path.isProperty;
	return (
		(subject.kind === 'prim' || (subject.kind === 'property' && subject.node.path?.isProperty === true)) &&
		subject.node.name !== ''
	);
}

/**
 * Renames a prim or property: its specs in every layer and variant, what is over them in other layers, and every path that leads to
 * it or through it, in all stages of the workspace that the layer is part of. Strings and comments stay.
 */
export async function rename(request: PlaceRequest, name: string): Promise<RenameResult> {
	const place = await prepareRename(request);
	if ('refusal' in place) return place;
	const context = await layerInStage(request);
	const subject = context && subjectAt(context.outline, request.offset);
	if (context === undefined || subject === undefined) return { refusal: 'the layer cannot be read' };
	const { workspace } = context;
	const isProperty = subject.kind === 'path' ? subject.path.isProperty : subject.kind === 'property';
	if (!(isProperty ? isNamespacedIdentifier(name) : isIdentifier(name))) {
		return { refusal: `'${name}' is not a name of a ${isProperty ? 'property' : 'prim'}` };
	}
	if (name === place.name) return { edit: { documentChanges: [] } };
	const own = siteOf(context, subject);
	if (own === undefined) return { refusal: `no layer has an opinion about '${place.name}'` };
	const stages: ComposedStage[] = [];
	for (const root of (await workspace.rootsOf(request.document.identifier)).slice(0, MOST_STAGES)) {
		const composed = await workspace.stage(root);
		if (composed !== undefined) stages.push(composed);
	}
	const sites = await RenameSites.open(stages, workspace, request.pause);
	try {
		sites.add(own.layer, own.path);
		const refusal = whyNot(sites, own, name, workspace);
		if (refusal !== undefined) return { refusal };
		return editsOf(sites, place.name, name, workspace);
	} finally {
		sites.close();
	}
}

/** The site that a name stands for: a layer, and a path of its namespace without variants. */
function siteOf(context: LayerInStage, subject: UsdaSubject): Site | undefined {
	if (subject.kind !== 'path') {
		return subject.node.path && { layer: context.layer, path: subject.node.path.stripVariants() };
	}
	const targets = resolvePath(context, subject);
	const [stagePath] = targets.stagePaths;
	if (targetSites(targets).length === 0) return undefined;
	if (stagePath !== undefined) return { layer: targets.composed.stage.rootLayer, path: stagePath };
	const layer = targets.layers[0];
	return layer && { layer, path: targets.path.stripVariants() };
}

interface Site {
	readonly layer: Layer;
	readonly path: Path;
}

/** Why a name cannot be given. */
function whyNot(sites: RenameSites, { layer, path }: Site, name: string, workspace: Workspace): string | undefined {
	if (path.isProperty) {
		for (const prim of sites.primsAt(layer, path.primPath)) {
			const definition = prim.definition.property(path.name);
			if (definition !== undefined)
				return `'${path.name}' is a property of the schema ${definition.schema}, whose name it has to keep`;
		}
	}
	for (const prim of path.isProperty ? [] : sites.primsAt(layer, path.parent!)) {
		const taken = prim.child(name);
		if (taken !== undefined) return `<${taken.path}> is there already`;
	}
	for (const one of sites.layers()) {
		for (const at of sites.ofLayer(one)) {
			const taken = at.isProperty ? at.parent!.appendProperty(name) : at.parent!.appendChild(name);
			const file = workspace.store.name(one.identifier);
			if (hasSpec(one, taken)) return `<${taken}> is there already in ${file}`;
			const isFile = layerText(one, workspace)?.isFile ?? false;
			if (!isFile && hasSpec(one, at))
				return `${file} has <${at}> and is no text that can be edited; convert it to usda first`;
		}
	}
	return undefined;
}

function editsOf(sites: RenameSites, old: string, name: string, workspace: Workspace): RenameResult {
	const changes: TextDocumentEdit[] = [];
	for (const layer of sites.layers()) {
		const shown = layerText(layer, workspace);
		if (shown === undefined) continue;
		const edits = layerEdits(shown, sites, old, name, workspace);
		if (edits.length === 0) continue;
		if (!shown.isFile) {
			const file = workspace.store.name(layer.identifier);
			return { refusal: `${file} has a path to it and is no text that can be edited; convert it to usda first` };
		}
		const version = workspace.document(layer.identifier)?.version ?? null;
		changes.push({ textDocument: { uri: shown.uri, version }, edits });
	}
	return { edit: { documentChanges: changes } };
}

function layerEdits(
	{ layer, outline, text }: LayerText,
	sites: RenameSites,
	old: string,
	name: string,
	workspace: Workspace,
): TextEdit[] {
	const own = sites.ofLayer(layer);
	const edits: TextEdit[] = [];
	const replace = (start: number, end: number): void => {
		edits.push({ range: text.range(start, end), newText: name });
	};
	if (own.size > 0) {
		for (const node of outline.nodes()) {
			if (node.nameToken >= 0 && (node.kind === 'prim' || node.kind === 'property') && isOneOf(node, own)) {
				const { start, end } = nameRange(outline, node.nameToken);
				replace(start, end);
			}
			for (const { start, end } of namesInStrings(node, outline, own, old)) replace(start, end);
		}
	}
	for (const { token, subject } of pathsIn(outline)) {
		const paths =
			subject.assetPath === '' ? own : sites.ofStack(targetOf(layer, subject.assetPath, workspace) ?? layer);
		const part = partOf(subject.path, paths);
		if (part === undefined) continue;
		const { start } = outline.tokens.contentRange(token);
		const span = nameSpan(outline.tokens.content(token), subject.path, part);
		if (span !== undefined) replace(start + span.start, start + span.end);
	}
	return edits;
}

function targetOf(layer: Layer, assetPath: string, workspace: Workspace): Layer | undefined {
	const { identifier, refusal } = workspace.store.identify(assetPath, layer.identifier);
	const found = refusal === undefined ? workspace.store.layer(identifier) : undefined;
	return found === undefined || isAssetFailure(found) ? undefined : found;
}

function isOneOf({ path }: OutlineNode, paths: ReadonlySet<Path>): boolean {
	return path !== undefined && paths.has(path.stripVariants());
}

/** The first part of a path that is renamed, the outermost one. */
function partOf(path: Path, paths: ReadonlySet<Path>): Path | undefined {
	let found: Path | undefined;
	for (let at: Path | null = path.stripVariants(); at !== null; at = at.parent) if (paths.has(at)) found = at;
	return found;
}

/** Where the name of a part stands in the text of a path, in bytes; undefined when the text leaves it to what it starts from. */
function nameSpan(text: string, path: Path, part: Path): { readonly start: number; readonly end: number } | undefined {
	const encoder = new TextEncoder();
	const bytes = (index: number): number => encoder.encode(text.slice(0, index)).length;
	const { names, property } = namesOf(text);
	if (part.isProperty) return property && { start: bytes(property.start), end: bytes(property.end) };
	const below = path.primPath.stripVariants().depth - part.depth;
	const span = names.at(-1 - below);
	return span === undefined || below >= names.length ? undefined : { start: bytes(span.start), end: bytes(span.end) };
}

interface Span {
	readonly start: number;
	readonly end: number;
}

/** The names of prims in the text of a path, and that of the property. */
function namesOf(text: string): { readonly names: readonly Span[]; readonly property: Span | undefined } {
	const names: Span[] = [];
	let at = 0;
	while (at < text.length) {
		const character = text[at]!;
		if (character === '{') at = text.indexOf('}', at) + 1 || text.length;
		else if (text.startsWith('..', at)) at += 2;
		else if (character === '.') {
			const end = at + 1 + (/^[^.[]*/.exec(text.slice(at + 1))?.[0].length ?? 0);
			return { names, property: { start: at + 1, end } };
		} else if (character === '/' || character === '[') at++;
		else {
			const length = /^[^/.{}[\]]+/.exec(text.slice(at))?.[0].length ?? 1;
			names.push({ start: at, end: at + length });
			at += length;
		}
	}
	return { names, property: undefined };
}

/** Where strings of a statement name something that is renamed: the default prim, orders of children, path expressions. */
function* namesInStrings(
	node: OutlineNode,
	{ tokens }: LayerText['outline'],
	paths: ReadonlySet<Path>,
	old: string,
): Generator<Span> {
	if (node.valueFirst < 0) return;
	const owner = ownerOf(node).path?.stripVariants() ?? Path.root;
	const isDefault = node.kind === 'metadata' && node.name === 'defaultPrim' && node.parent?.kind === 'layer';
	const isOrder = node.listOp === 'reorder' && /^(?:nameChildren|rootPrims|properties)$/.test(node.typeName);
	const isExpression = node.typeName === 'pathExpression';
	if (!isDefault && !isOrder && !isExpression) return;
	for (let token = node.valueFirst; token <= node.valueLast; token++) {
		if (tokens.kind(token) !== TokenKind.string) continue;
		const { start, end } = tokens.contentRange(token);
		const content = tokens.content(token);
		if (isOrder) {
			const path = node.typeName === 'properties' ? owner.appendProperty(old) : owner.appendChild(old);
			if (content === old && paths.has(path)) yield { start, end };
			continue;
		}
		for (const match of content.matchAll(/\/?[\p{XID_Continue}_]+(?:\/[\p{XID_Continue}_]+)*/gu)) {
			const written = isDefault && !match[0].startsWith('/') ? `/${match[0]}` : match[0];
			const path = written.startsWith('/') ? Path.parse(written) : undefined;
			const part = path && partOf(path, paths);
			const span = path && part && nameSpan(match[0], path, part);
			if (span === undefined) continue;
			const before = start + new TextEncoder().encode(content.slice(0, match.index)).length;
			yield { start: before + span.start, end: before + span.end };
		}
	}
}
