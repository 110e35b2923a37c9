import { ArcType } from './arc-type.ts';
import { MapFunction } from './map-function.ts';
import type { Node } from './node.ts';
import { siteOf } from './pcp-error.ts';
import type { PrimIndexer } from './prim-indexer.ts';

/** Adds the arc from a prim that was relocated to where it came from, which brings the arcs of its old ancestors. */
export function evalRelocations(indexer: PrimIndexer, node: Node): void {
	if (!node.canContribute) return;
	const { layerStack } = node;
	const source = layerStack.relocates?.targetToSource.get(node.path);
	if (source === undefined) return;
	// what ancestors of the new place say about it is ignored, except in variants
	for (let child = node.firstChild; child !== null; child = child.nextSibling) {
		if (child.arcType !== ArcType.variant) elide(child);
	}
	const added = indexer.addArc(ArcType.relocate, node, node, layerStack, source, MapFunction.identity, 0, {
		contributes: false,
		withAncestors: true,
	});
	if (added === undefined) return;
	for (const index of layerStack.siteAt(source).layers) {
		indexer.record({
			kind: 'OpinionAtRelocationSource',
			root: indexer.graphSite,
			layer: layerStack.layers[index]!,
			path: source,
		});
	}
}

/** A relocate inside a referenced layer stack moves the prim of the referencing one as well. */
export function evalImpliedRelocations(indexer: PrimIndexer, node: Node): void {
	if (node.arcType !== ArcType.relocate || node.isDueToAncestor) return;
	const { parent } = node;
	const grandparent = parent?.parent;
	if (!parent || !grandparent) return;
	const source = parent.mapToParent.mapSourceToTarget(node.path);
	if (source.isEmpty) return;
	for (let child = grandparent.firstChild; child !== null; child = child.nextSibling) {
		if (child.arcType === ArcType.relocate && child.path === source) return;
	}
	const { layerStack } = grandparent;
	indexer.addArc(ArcType.relocate, grandparent, node, layerStack, source, MapFunction.identity, 0, {
		contributes: false,
	});
}

/** Empties a graph whose prim was relocated away in some layer stack: nothing may be said at the source of a relocate. */
export function elideIfProhibited(indexer: PrimIndexer): void {
	const { root } = indexer.graph;
	const source = prohibitedNode(root);
	if (source === undefined) return;
	const { frame } = indexer;
	if (frame !== undefined) {
		indexer.record({
			kind: 'ArcToProhibitedChild',
			root: indexer.rootSite,
			site: siteOf(frame.parentNode),
			arcType: frame.arcType,
			target: { layer: frame.layerStack.rootLayer, path: frame.path },
			relocationSource: siteOf(source),
		});
	}
	root.setInert();
	for (let child = root.firstChild; child !== null; child = child.nextSibling) elide(child);
}

function prohibitedNode(node: Node): Node | undefined {
	if (node.isCulled) return undefined;
	if (!node.isInert && node.layerStack.relocates?.sourceToTarget.has(node.path)) return node;
	for (let child = node.firstChild; child !== null; child = child.nextSibling) {
		const found = prohibitedNode(child);
		if (found !== undefined) return found;
	}
	return undefined;
}

function elide(node: Node): void {
	node.setCulled();
	node.restrictedDepth = 1;
	for (let child = node.firstChild; child !== null; child = child.nextSibling) elide(child);
}
