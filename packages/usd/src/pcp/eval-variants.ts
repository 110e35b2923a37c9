import { Path, PathKind } from '../sdf/path.ts';
import { ArcType, isClassArc } from './arc-type.ts';
import { MapFunction } from './map-function.ts';
import { type Node, namespaceDepthOf } from './node.ts';
import type { PrimIndexer } from './prim-indexer.ts';
import { SiteArcs, type SiteError, siteHasVariant, siteSelection, siteVariantSets } from './site.ts';
import { type Task, TaskType, type VariantSetSite } from './task-queue.ts';

export function evalVariantSets(indexer: PrimIndexer, node: Node): void {
	if (node.canContribute) addVariantTasks(indexer, node, node.path, TaskType.variantAuthored);
}

/** Variant sets of ancestors of a node that came with the arcs of its ancestors. */
export function evalAncestralVariantSets(indexer: PrimIndexer, node: Node): void {
	for (let path: Path = node.path.parent!; path !== Path.root; path = path.parent!) {
		if (!canContributeAt(node, path)) continue;
		addVariantTasks(indexer, node, path, TaskType.ancestralVariantAuthored);
		// variant sets further up were handled when this variant was chosen
		if (path.kind === PathKind.variant) break;
	}
}

/** Adds the variant that the strongest authored opinion selects, or puts the set off. */
export function evalAuthoredVariant(indexer: PrimIndexer, task: Task): void {
	const { node } = task;
	const set = task.variantSet!;
	if (!canContributeAt(node, set.path)) return;
	const isAncestral = task.type === TaskType.ancestralVariantAuthored;
	const selection = authoredSelection(indexer, node, set);
	if (selection !== '') {
		addVariant(indexer, node, set, selection, isAncestral);
		return;
	}
	const hasFallback = fallbackSelection(indexer, node, set) !== '';
	indexer.addTask({
		type: hasFallback
			? isAncestral
				? TaskType.ancestralVariantFallback
				: TaskType.variantFallback
			: isAncestral
				? TaskType.ancestralVariantNone
				: TaskType.variantNone,
		node,
		variantSet: set,
	});
}

/** Adds the variant that the caller's fallbacks prefer; a set is only put off to here when there is one. */
export function evalFallbackVariant(indexer: PrimIndexer, task: Task): void {
	const { node } = task;
	const set = task.variantSet!;
	if (!canContributeAt(node, set.path)) return;
	const isAncestral = task.type === TaskType.ancestralVariantFallback;
	addVariant(indexer, node, set, fallbackSelection(indexer, node, set), isAncestral);
}

function addVariantTasks(indexer: PrimIndexer, node: Node, path: Path, type: TaskType): void {
	for (const [number, name] of siteVariantSets(node.layerStack, path).entries()) {
		indexer.addTask({ type, node, variantSet: { path, name, number } });
	}
}

function addVariant(
	indexer: PrimIndexer,
	node: Node,
	set: VariantSetSite,
	selection: string,
	isAncestral: boolean,
): void {
	const variant = set.path.appendVariant(set.name, selection);
	const { layerStack } = node;
	const added = isAncestral
		? indexer.addArc(
				ArcType.variant,
				node,
				node,
				layerStack,
				node.path.replacePrefix(set.path, variant),
				MapFunction.identity,
				set.number,
				{
					namespaceDepth: namespaceDepthOf(set.path),
					withAncestors: true,
					skipDuplicates: isBelowNewClass(node),
				},
			)
		: indexer.addArc(ArcType.variant, node, node, layerStack, variant, MapFunction.identity, set.number);
	if (added !== undefined && maySelectVariants(added, variant)) indexer.retryVariants();
}

/** What can bring opinions about the selection of variants. */
const SELECTING =
	SiteArcs.selections | SiteArcs.inherits | SiteArcs.references | SiteArcs.payloads | SiteArcs.specializes;

/** Whether a variant, down to the prim in question, selects variants or has arcs that may lead to selections. */
function maySelectVariants(node: Node, variant: Path): boolean {
	for (let path: Path = node.path; ; path = path.parent!) {
		if ((node.layerStack.siteAt(path).arcs & SELECTING) !== 0) return true;
		if (path === variant) return false;
	}
}

function isBelowNewClass(start: Node): boolean {
	for (let node: Node = start; node.parent !== null; node = node.parent) {
		if (isClassArc(node.arcType) && node.depthBelowIntroduction === 0 && !node.isInert) return true;
	}
	return false;
}

/** Whether opinions of a node about a path above its own count. */
function canContributeAt(node: Node, path: Path): boolean {
	return node.restrictedDepth === 0 || node.restrictedDepth > path.depth;
}

function fallbackSelection(indexer: PrimIndexer, node: Node, set: VariantSetSite): string {
	const wanted = indexer.inputs.variantFallbacks.get(set.name) ?? [];
	return wanted.find((name) => siteHasVariant(node.layerStack, set.path, set.name, name)) ?? '';
}

/** The selection already made for the set, or else the strongest authored one; '' without any. */
function authoredSelection(indexer: PrimIndexer, node: Node, set: VariantSetSite): string {
	const [start, path] = strongestPlace(indexer, node, set.path.stripVariants());
	const places = placesBelow(start, path);
	for (const [at, pathAt] of places) {
		if (at.arcType !== ArcType.variant) continue;
		const intro = at.pathAtIntroduction;
		if (intro.kind !== PathKind.variant || intro.variantSet !== set.name) continue;
		if (primPathOf(intro) === pathAt) return intro.variantSelection;
	}
	const errors: SiteError[] = [];
	let found: string | undefined;
	for (const [at, pathAt] of places) {
		if (!canContributeAt(at, pathAt)) continue;
		let site = pathAt;
		if (at.arcType === ArcType.variant) {
			const intro = at.pathAtIntroduction;
			site = pathAt.replacePrefix(intro.stripVariants(), intro);
		}
		found = siteSelection(at.layerStack, site, set.name, errors);
		if (found !== undefined) break;
	}
	for (const error of errors) indexer.record({ ...error, root: indexer.graphSite });
	return found ?? '';
}

/** The node closest to the root that knows the path, with the path there. */
function strongestPlace(indexer: PrimIndexer, start: Node, path: Path): [Node, Path] {
	if (start.parent === null) return [start, path];
	let node = start;
	let at = start.mapToRoot.mapSourceToTarget(path);
	if (!at.isEmpty) {
		node = indexer.graph.root;
	} else {
		at = path;
		while (node.parent !== null) {
			const above = node.mapToParent.mapSourceToTarget(at);
			if (above.isEmpty) break;
			node = node.parent;
			at = above;
		}
	}
	const intro = node.pathAtIntroduction;
	return [node, intro.hasVariants ? at.replacePrefix(intro.stripVariants(), intro) : at];
}

/** The nodes at and below `start` that know the path, strongest first, with the path in each. */
function placesBelow(start: Node, path: Path): [Node, Path][] {
	const places: [Node, Path][] = [];
	const visit = (node: Node, at: Path): void => {
		places.push([node, at]);
		for (let child = node.firstChild; child !== null; child = child.nextSibling) {
			const below = child.mapToParent.mapTargetToSource(at);
			if (!below.isEmpty) visit(child, below);
		}
	};
	visit(start, path);
	return places;
}

/** The prim path of a variant path: without the last selections. */
function primPathOf(path: Path): Path {
	let at = path;
	while (at.kind === PathKind.variant) at = at.parent!;
	return at;
}
