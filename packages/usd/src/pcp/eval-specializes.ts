import { ArcType } from './arc-type.ts';
import { childrenOf } from './index-graph.ts';
import { findMatchingChild } from './matching-child.ts';
import { type Node, namespaceDepthOf } from './node.ts';
import type { PrimIndexer } from './prim-indexer.ts';

/**
 * Specializes are weaker than everything else, however deep in the graph they are. So where one is found there is only a
 * placeholder, and what it leads to hangs below the root, with the placeholder as origin.
 */
export function evalImpliedSpecializes(indexer: PrimIndexer, node: Node): void {
	if (node.arcType === ArcType.specialize) propagateToRoot(indexer, node);
	for (const child of childrenOf(node)) evalImpliedSpecializes(indexer, child);
}

/** Adds what a placeholder stands for below the root; the node that is there already when something else led to it. */
export function propagateToRoot(indexer: PrimIndexer, placeholder: Node): Node | undefined {
	const { root } = indexer.graph;
	const { layerStack, path, mapToRoot } = placeholder;
	const existing = findMatchingChild(
		root,
		root.arcType,
		layerStack,
		path,
		ArcType.specialize,
		mapToRoot,
		placeholder.depthBelowIntroduction,
	);
	if (existing !== undefined) return existing;
	return indexer.addArc(ArcType.specialize, root, placeholder, layerStack, path, mapToRoot, placeholder.siblingNumber, {
		skipDuplicates: true,
		isLikeOrigin: true,
		withAncestors: !(path.depth === 1 && path.isPrim),
		namespaceDepth: namespaceDepthOf(root.path),
	});
}
