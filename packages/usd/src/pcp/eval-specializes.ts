import { ArcType, isClassArc } from './arc-type.ts';
import { findMatchingChild } from './eval-classes.ts';
import { childrenOf } from './index-graph.ts';
import type { MapFunction } from './map-function.ts';
import { type Node, namespaceDepthOf } from './node.ts';
import { makeInert, type PrimIndexer } from './prim-indexer.ts';

/**
 * Specializes are weaker than everything else, however deep in the graph they are. So they are copied below the root, and
 * when new arcs turn up below such a copy, these go back to where it came from, are implied from there, and are copied again.
 */
export function evalImpliedSpecializes(indexer: PrimIndexer, node: Node): void {
	if (node.parent === null) return;
	if (isPropagatedSpecializes(indexer, node)) {
		for (const child of childrenOf(node)) propagateToOrigin(indexer, node.origin!, child, child.mapToParent, node);
	} else {
		findForRoot(indexer, node);
	}
}

/** Whether a node is the copy, below the root, of a specializes arc. */
export function isPropagatedSpecializes(indexer: PrimIndexer, node: Node): boolean {
	return isPropagatedBelow(indexer.graph.root, node);
}

/** The same for a node of a graph with this root. */
export function isPropagatedBelow(root: Node, node: Node): boolean {
	return node.arcType === ArcType.specialize && node.parent === root && node.hasSiteOf(node.origin!);
}

/** The specializes arc closest to the root that a node is below of or is. */
export function specializesStart(start: Node): Node | undefined {
	let found: Node | undefined;
	for (let node: Node = start; node.parent !== null; node = node.parent) {
		if (node.arcType === ArcType.specialize) found = node;
	}
	return found;
}

function findForRoot(indexer: PrimIndexer, node: Node): void {
	const parent = node.parent!;
	// placeholders below relocates are no source of opinions
	if (parent !== node.origin && parent.arcType === ArcType.relocate && parent.hasSiteOf(node)) return;
	if (node.arcType === ArcType.specialize) {
		const wasInert = node.isInert;
		const depth = node.restrictedDepth;
		if (wasInert) node.setInert(false);
		propagateToRoot(indexer, indexer.graph.root, node, node.mapToRoot, node);
		if (wasInert) node.restrictedDepth = depth;
	}
	for (const child of childrenOf(node)) findForRoot(indexer, child);
}

function propagateToRoot(indexer: PrimIndexer, parent: Node, source: Node, map: MapFunction, top: Node): void {
	const copy = propagate(indexer, parent, source, map, top, true);
	if (copy === undefined) return;
	for (const child of childrenOf(source)) {
		if (child.arcType !== ArcType.specialize) propagateToRoot(indexer, copy, child, child.mapToParent, top);
	}
}

function propagateToOrigin(indexer: PrimIndexer, parent: Node, source: Node, map: MapFunction, top: Node): void {
	const copy = propagate(indexer, parent, source, map, top, false);
	if (copy === undefined) return;
	for (const child of childrenOf(source)) propagateToOrigin(indexer, copy, child, child.mapToParent, top);
}

/** Makes sure that `parent` has a copy of `source` and moves the say of `source` to it. */
function propagate(
	indexer: PrimIndexer,
	parent: Node,
	source: Node,
	map: MapFunction,
	top: Node,
	isToRoot: boolean,
): Node | undefined {
	if (source.parent === parent) return source;
	let copy = findMatchingChild(
		parent,
		parent.arcType,
		source.layerStack,
		source.path,
		source.arcType,
		map,
		source.depthBelowIntroduction,
	);
	// arcs that nodes inside the copied tree imply will be implied there again
	const isImplied = isClassArc(source.arcType) && source.parent !== source.origin;
	if (copy === undefined && !(isImplied && isWithin(source.origin!, top))) {
		copy = indexer.addArc(
			source.arcType,
			parent,
			source === top || isImplied ? source : parent,
			source.layerStack,
			source.path,
			map,
			source.siblingNumber,
			{
				contributes: !source.isInert,
				skipImpliedSpecializes: isToRoot,
				skipExpressedArcs: !isToRoot,
				namespaceDepth: source === top ? namespaceDepthOf(parent.path) : source.namespaceDepth,
			},
		);
	}
	if (copy === undefined) {
		makeInert(source);
		return undefined;
	}
	const depth = copy.restrictedDepth;
	copy.setInert(source.isInert);
	source.setInert(true);
	if (depth !== 0) source.restrictedDepth = depth;
	return copy;
}

function isWithin(node: Node, top: Node): boolean {
	for (let at: Node | null = node; at !== null; at = at.parent) if (at === top) return true;
	return false;
}
