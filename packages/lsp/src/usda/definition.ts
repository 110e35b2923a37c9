import { isAssetFailure, type Layer, type Path, type Prim } from '@manyworlds/usd';
import { ArcType } from '@manyworlds/usd/internal';
import type { LocationLink } from 'vscode-languageserver';
import type { PlaceRequest } from '../language-features.ts';
import type { ComposedStage } from '../workspace/composed-stage.ts';
import { specLinks } from './spec-places.ts';
import { type LayerInStage, layerInStage, type PathTargets, resolvePath, usesOf } from './usda-request.ts';
import { subjectAt, type UsdaSubject } from './usda-subject.ts';
import { layerUri } from './virtual-texts.ts';

interface Site {
	readonly layer: Layer;
	readonly path: Path;
}

/** Every spec of what stands at a place, strongest first, mapped through the arcs of the stage. */
export async function definition(request: PlaceRequest): Promise<LocationLink[]> {
	const subject = subjectAt(request.workspace.outline(request.text), request.offset);
	const context = await layerInStage(request);
	if (subject === undefined || context === undefined) return [];
	const { workspace, text } = request;
	const origin = text.range(subject.start, subject.end);
	if (subject.kind === 'asset') return assetLinks(context, subject.assetPath, origin);
	if (subject.kind === 'schema') return [];
	return specLinks(sitesOf(context, subject), workspace, origin);
}

/** The first spec that defines what stands at a place: `def`, or the strongest of all. */
export async function declaration(request: PlaceRequest): Promise<LocationLink[]> {
	const subject = subjectAt(request.workspace.outline(request.text), request.offset);
	const context = await layerInStage(request);
	if (subject === undefined || context === undefined) return [];
	const sites = sitesOf(context, subject);
	const defining = sites.filter(({ layer, path }) => layer.field(path.primPath, 'specifier')?.data === 'def');
	return specLinks(
		(defining.length > 0 ? defining : sites).slice(0, 1),
		request.workspace,
		request.text.range(subject.start, subject.end),
	);
}

/** The classes that the prim around a place inherits or specializes. */
export async function typeDefinition(request: PlaceRequest): Promise<LocationLink[]> {
	const subject = subjectAt(request.workspace.outline(request.text), request.offset);
	const context = await layerInStage(request);
	if (subject === undefined || context === undefined) return [];
	const { uses } = usesOf(context, subject.node);
	const classes = uses.flatMap(({ prim }) => prim.specs().filter(({ node }) => isClass(node.arcType)));
	return specLinks(classes, context.workspace, request.text.range(subject.start, subject.end));
}

function isClass(arcType: number): boolean {
	return arcType === ArcType.inherit || arcType === ArcType.specialize;
}

/** Where composition found the specs of a prim or property, strongest first. */
export function sitesOf(context: LayerInStage, subject: UsdaSubject): Site[] {
	if (subject.kind === 'path') return targetSites(resolvePath(context, subject));
	const { node } = subject;
	const { uses } = usesOf(context, node);
	const owner =
		node.kind === 'property' && (subject.kind === 'property' || subject.kind === 'value') ? node.name : undefined;
	const found = uses.flatMap(({ prim }) => sitesOfPrim(prim, owner));
	if (found.length > 0 || node.path === undefined) return found;
	return context.layer.has(node.path) ? [{ layer: context.layer, path: node.path }] : [];
}

/** The specs that a path leads to. */
export function targetSites({ composed, stagePaths, layers, path }: PathTargets): Site[] {
	const found = stagePaths.flatMap((target) => sitesOnStage(composed, target));
	if (found.length > 0) return found;
	// of what the stage has no name for, the layers know
	const own = layers.filter((layer) => layer.has(path)).map((layer) => ({ layer, path }));
	if (own.length > 0 || !path.isProperty) return own;
	return layers.filter((layer) => layer.has(path.primPath)).map((layer) => ({ layer, path: path.primPath }));
}

function sitesOnStage({ stage }: ComposedStage, path: Path): Site[] {
	const prim = stage.prim(path.primPath);
	if (prim === undefined) return [];
	return sitesOfPrim(prim, path.isProperty ? path.name : undefined);
}

/** Specs of a prim, or of a property of it; where only a schema knows the property, those of the prim. */
function sitesOfPrim(prim: Prim, property: string | undefined): Site[] {
	const own = property === undefined ? [] : (prim.property(property)?.specs() ?? []);
	return [...(own.length > 0 ? own : prim.specs())];
}

function assetLinks(
	context: LayerInStage,
	assetPath: string,
	origin: LocationLink['originSelectionRange'],
): LocationLink[] {
	const { workspace, layer } = context;
	const { identifier, refusal } = workspace.store.identify(assetPath, layer.identifier);
	if (refusal !== undefined || workspace.store.exists(identifier) === false) return [];
	const found = /\.usd[acz]?$/i.test(identifier) ? workspace.store.layer(identifier) : undefined;
	const isLayer = found !== undefined && !isAssetFailure(found);
	const targetUri = isLayer ? layerUri(found, workspace) : workspace.uris.uri(identifier);
	const start = { line: 0, character: 0 };
	const range = { start, end: start };
	return [
		{ ...(origin && { originSelectionRange: origin }), targetUri, targetRange: range, targetSelectionRange: range },
	];
}
