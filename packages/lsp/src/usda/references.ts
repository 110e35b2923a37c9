import type { Path } from '@manyworlds/usd';
import { type DocumentHighlight, DocumentHighlightKind, type Location } from 'vscode-languageserver';
import type { PlaceRequest } from '../language-features.ts';
import type { ComposedStage } from '../workspace/composed-stage.ts';
import type { Workspace } from '../workspace/workspace.ts';
import { sitesOf } from './definition.ts';
import { layerText, pathsIn } from './layer-text.ts';
import { specPlace } from './spec-places.ts';
import { type LayerInStage, layerInStage, resolvePath, usesOf } from './usda-request.ts';
import { subjectAt, type UsdaSubject } from './usda-subject.ts';

/** Stages of the workspace that are looked through. */
const MOST_STAGES = 16;

/** Every path of the workspace that leads to what stands at a place, mapped through arcs. */
export async function references(request: PlaceRequest, includesDeclaration: boolean): Promise<Location[]> {
	const { workspace, document } = request;
	const subject = subjectAt(workspace.outline(request.text), request.offset);
	const found = new Map<string, Location>();
	if (subject === undefined) return [];
	for (const root of (await workspace.rootsOf(document.identifier)).slice(0, MOST_STAGES)) {
		const composed = await workspace.stage(root);
		const layer = workspace.layer(document.identifier);
		if (composed === undefined || layer === undefined) continue;
		const context = { workspace, composed, layer, outline: workspace.outline(request.text) };
		for (const place of await referencesOn(context, subject, includesDeclaration, request.pause)) {
			found.set(JSON.stringify(place), place);
		}
	}
	return [...found.values()];
}

async function referencesOn(
	context: LayerInStage,
	subject: UsdaSubject,
	includesDeclaration: boolean,
	pause: () => Promise<void>,
): Promise<Location[]> {
	const { workspace } = context;
	const { composed, paths } = stagePathsOf(context, subject);
	const sites = sitesOf(context, subject);
	const found: Location[] = [];
	if (includesDeclaration) {
		for (const { layer, path } of sites) {
			const place = specPlace(layer, path, workspace);
			if (place !== undefined) found.push({ uri: place.uri, range: place.nameRange });
		}
	}
	const isSite = new Set(sites.map(({ layer, path }) => `${layer.identifier}\n${path}`));
	for (const place of pathUses(composed, workspace)) {
		if (place === undefined) await pause();
		else if (
			place.stagePaths.some((path) => paths.has(path)) ||
			(place.stagePaths.length === 0 && place.sites.some((site) => isSite.has(site)))
		)
			found.push(place.location);
	}
	return found;
}

/** What stands at a place, as the stage names it. */
export function stagePathsOf(
	context: LayerInStage,
	subject: UsdaSubject,
): { readonly composed: ComposedStage; readonly paths: ReadonlySet<Path> } {
	if (subject.kind === 'path') {
		const { composed, stagePaths, layers, path } = resolvePath(context, subject);
		if (stagePaths.length > 0) return { composed, paths: new Set(stagePaths) };
		const uses = layers.flatMap((layer) => composed.uses(layer, path.primPath));
		const paths = uses.map((use) => (path.isProperty ? use.path.appendProperty(path.name) : use.path));
		return { composed, paths: new Set(paths) };
	}
	const { composed, uses } = usesOf(context, subject.node);
	const { node } = subject;
	const isProperty = node.kind === 'property' && node.path?.isProperty === true;
	return { composed, paths: new Set(uses.map(({ path }) => (isProperty ? path.appendProperty(node.name) : path))) };
}

/** A path that some layer of a stage has. */
interface PathUse {
	readonly location: Location;
	readonly stagePaths: readonly Path[];
	/** Specs that it leads to where the stage has no name for it. */
	readonly sites: readonly string[];
}

/** Every path of every layer of a stage; undefined after each layer, where others may have a turn. */
export function* pathUses(composed: ComposedStage, workspace: Workspace): Generator<PathUse | undefined> {
	for (const layer of composed.stage.usedLayers()) {
		if (layer === composed.stage.sessionLayer) continue;
		const shown = layerText(layer, workspace);
		if (shown === undefined) continue;
		const { outline, text, uri } = shown;
		const context = { workspace, composed, layer, outline };
		for (const { subject } of pathsIn(outline)) {
			const { stagePaths, layers, path } = resolvePath(context, subject);
			const sites = stagePaths.length > 0 ? [] : layers.map(({ identifier }) => `${identifier}\n${path}`);
			yield { location: { uri, range: text.range(subject.start, subject.end) }, stagePaths, sites };
		}
		yield undefined;
	}
}

/** Places of a text that mean what stands at a place of it. */
export async function highlights(request: PlaceRequest): Promise<DocumentHighlight[]> {
	const context = await layerInStage(request);
	const subject = context && subjectAt(context.outline, request.offset);
	if (context === undefined || subject === undefined) return [];
	const { composed, paths } = stagePathsOf(context, subject);
	const { outline, layer } = context;
	const found: DocumentHighlight[] = [];
	const kind = DocumentHighlightKind.Text;
	for (const path of paths) {
		const prim = composed.stage.prim(path.primPath);
		const sites = path.isProperty ? (prim?.property(path.name)?.specs() ?? []) : (prim?.specs() ?? []);
		for (const site of sites) {
			const place = site.layer === layer ? specPlace(layer, site.path, context.workspace) : undefined;
			if (place !== undefined) found.push({ range: place.nameRange, kind });
		}
	}
	for (const { subject: other } of pathsIn(outline)) {
		const { stagePaths } = resolvePath({ ...context, composed }, other);
		if (stagePaths.some((path) => paths.has(path)))
			found.push({ range: request.text.range(other.start, other.end), kind });
	}
	return found;
}
