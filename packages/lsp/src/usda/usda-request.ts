import { isAssetFailure, type Layer, type Path } from '@manyworlds/usd';
import type { LayerStack } from '@manyworlds/usd/internal';
import type { TextRequest } from '../language-features.ts';
import { type OutlineNode, ownerOf, type UsdaOutline } from '../outline/usda-outline.ts';
import type { ComposedStage, SpecUse } from '../workspace/composed-stage.ts';
import type { Workspace } from '../workspace/workspace.ts';
import type { PathSubject, UsdaSubject } from './usda-subject.ts';

/** A text layer in the stage that it is looked at with. */
export interface LayerInStage {
	readonly workspace: Workspace;
	readonly outline: UsdaOutline;
	readonly layer: Layer;
	readonly composed: ComposedStage;
}

/** The layer of a request, with its stage; undefined when it cannot be read at all. */
export async function layerInStage({ workspace, document, text }: TextRequest): Promise<LayerInStage | undefined> {
	const composed = await workspace.stageOf(document.identifier);
	const layer = workspace.layer(document.identifier);
	if (composed === undefined || layer === undefined) return undefined;
	return { workspace, outline: workspace.outline(text), layer, composed };
}

/** What a path of a layer leads to. */
export interface PathTargets {
	/** Stage on which they are: that of the request, or one with other variants selected. */
	readonly composed: ComposedStage;
	/** Paths on the stage; several where the layer is used several times. */
	readonly stagePaths: readonly Path[];
	/** Layers in whose namespace the path is, strongest first, and the path there: where the stage has no name for it. */
	readonly layers: readonly Layer[];
	readonly path: Path;
}

/** Where a path that stands in a layer leads on the stage. */
export function resolvePath(context: LayerInStage, subject: UsdaSubject & PathSubject): PathTargets {
	const { composed, layer, workspace } = context;
	const { path, assetPath } = subject;
	if (assetPath !== '') {
		const { identifier, refusal } = workspace.store.identify(assetPath, layer.identifier);
		const found = refusal === undefined ? workspace.store.layer(identifier) : undefined;
		const target = found === undefined || isAssetFailure(found) ? undefined : found;
		const stack = target && stackOf(composed, (one) => one.rootLayer === target);
		return { composed, stagePaths: [], layers: stack?.layers ?? (target ? [target] : []), path };
	}
	const { composed: shown, uses } = usesOf(context, subject.node);
	const stack = uses[0]?.node.layerStack ?? stackOf(shown, (one) => one.layers.includes(layer));
	const layers = stack?.layers ?? [layer];
	if (subject.isArc) return { composed: shown, stagePaths: [], layers, path };
	return { composed: shown, stagePaths: shown.toStage(uses, path), layers, path };
}

/** The prims that the spec around a statement contributes to, on a stage that shows it. */
export function usesOf(
	{ composed, layer }: Pick<LayerInStage, 'composed' | 'layer'>,
	node: OutlineNode,
): { readonly composed: ComposedStage; readonly uses: readonly SpecUse[] } {
	const path = ownerOf(node).path;
	if (path === undefined) return { composed, uses: [] };
	if (path.isAbsoluteRoot) return { composed, uses: rootUses(composed, layer) };
	const shown = composed.showing(layer, path) ?? composed;
	return { composed: shown, uses: shown.uses(layer, path) };
}

/** The pseudo-root, for what stands in the metadata of a layer of the root layer stack. */
function rootUses(composed: ComposedStage, layer: Layer): SpecUse[] {
	if (!composed.stage.layerStack().includes(layer)) return [];
	const prim = composed.stage.pseudoRoot;
	return [{ prim, path: prim.path, node: prim.data.index.root }];
}

function stackOf(composed: ComposedStage, fits: (stack: LayerStack) => boolean): LayerStack | undefined {
	for (const stack of composed.stage.layerStacks()) if (fits(stack)) return stack;
	return undefined;
}
