import { type Path, PathKind } from '../sdf/path.ts';
import { ArcType, isClassArc } from './arc-type.ts';
import { arcMap } from './eval-arcs.ts';
import { propagateToRoot } from './eval-specializes.ts';
import { childrenOf } from './index-graph.ts';
import { MapFunction } from './map-function.ts';
import { findMatchingChild } from './matching-child.ts';
import { makeInert, type Node } from './node.ts';
import { siteOf } from './pcp-error.ts';
import type { PrimIndexer } from './prim-indexer.ts';
import { siteInherits, siteSpecializes } from './site.ts';
import { classHierarchyStart, compareStrength, isPropagatedSpecializes, propagatedNodeOf } from './strength-order.ts';
import { TaskType } from './task-queue.ts';

export function evalInherits(indexer: PrimIndexer, node: Node): void {
	if (node.canContribute) addClassArcs(indexer, node, siteInherits(node.layerStack, node.path), ArcType.inherit);
}

export function evalSpecializes(indexer: PrimIndexer, node: Node): void {
	if (node.canContribute) {
		addClassArcs(indexer, node, siteSpecializes(node.layerStack, node.path), ArcType.specialize);
	}
}

/** Adds to the parent of `node` the classes that the classes below `node` imply there. */
export function evalImpliedClasses(indexer: PrimIndexer, node: Node): void {
	if (node.parent === null || !hasClassChild(node)) return;
	implyTree(indexer, node.parent, node, node.mapToParent.withRootIdentity(), true);
}

/**
 * Where implied classes of a class arc have to be evaluated from: the node that has the hierarchy of classes, and when that is a
 * class itself, through an arc of an ancestor, the node that has that hierarchy, unless the class lies inside it.
 */
export function implicationStart(node: Node): Node {
	let start = node;
	while (isClassArc(start.arcType)) {
		const { instance, class: topClass } = classHierarchyStart(start);
		start = instance;
		if (isClassArc(instance.arcType) && topClass.path.hasPrefix(instance.pathAtIntroduction)) break;
	}
	return start;
}

function addClassArcs(indexer: PrimIndexer, node: Node, targets: readonly Path[], type: ArcType): void {
	for (const [number, target] of targets.entries()) {
		if (!target.isEmpty && !(target.isPrim && !target.hasVariants)) {
			const root = indexer.graphSite;
			indexer.record({
				kind: 'InvalidPrimPath',
				root,
				site: siteOf(node),
				sourceLayer: undefined,
				arcType: type,
				primPath: target,
			});
			continue;
		}
		const map = arcMap(target, node).withRootIdentity();
		const path = map.mapTargetToSource(node.path.stripVariants());
		addClassArc(indexer, type, node, node, path, map, number, undefined);
	}
}

/** Adds a class arc unless it exists; `source` is the node that implies it. */
function addClassArc(
	indexer: PrimIndexer,
	type: ArcType,
	parent: Node,
	origin: Node,
	path: Path,
	map: MapFunction,
	number: number,
	source: Node | undefined,
): Node | undefined {
	// no place here corresponds to the class: the arc means nothing at this node
	if (path.isEmpty) return undefined;
	const parentType = indexer.arcTypeOf(parent);
	const { layerStack } = parent;
	const existing = findMatchingChild(parent, parentType, layerStack, path, type, map, origin.depthBelowIntroduction);
	if (existing !== undefined) {
		const { root } = indexer.graph;
		const isImpliedAtRoot = type === ArcType.specialize && parent === root && parent !== origin;
		if (!isImpliedAtRoot || compareStrength(root, origin, existing.origin!) >= 0) return existing;
		// the stronger origin decides where the implied arc stands
		makeInert(existing);
	}
	if (type === ArcType.specialize && (parent !== indexer.graph.root || indexer.frame !== undefined)) {
		return addSpecializes(indexer, parent, origin, path, map, number);
	}
	// relocates and variants can map a class to itself: the node then only carries the arc further up
	const contributes =
		path !== parent.path && !(source !== undefined && source.path === path && source.layerStack === layerStack);
	return indexer.addArc(type, parent, origin, layerStack, path, map, number, {
		contributes,
		skipDuplicates: contributes,
		withAncestors: contributes && !(path.depth === 1 && path.isPrim),
	});
}

/** Adds a placeholder for a specializes arc, and what it leads to below the root unless that is left to an outer build. */
function addSpecializes(
	indexer: PrimIndexer,
	parent: Node,
	origin: Node,
	path: Path,
	map: MapFunction,
	number: number,
): Node | undefined {
	const placeholder = indexer.addArc(ArcType.specialize, parent, origin, parent.layerStack, path, map, number, {
		contributes: false,
		isPlaceholder: true,
	});
	if (placeholder === undefined) return undefined;
	// inside another build this is left to the nodes that get the result
	if (parent !== origin && indexer.frame === undefined) {
		indexer.addTask({ type: TaskType.impliedClasses, node: implicationStart(placeholder) });
	}
	if (indexer.frame !== undefined) return placeholder;
	const propagated = propagateToRoot(indexer, placeholder);
	// something else led there before: what the placeholder implies was not seen to
	if (propagated !== undefined && propagated.origin !== placeholder) {
		indexer.addTask({ type: TaskType.impliedClasses, node: implicationStart(placeholder) });
	}
	return propagated;
}

/** Whether classes hang below a node, or below the node that holds what it leads to. */
export function hasClassChild(node: Node): boolean {
	const holder = propagatedNodeOf(node) ?? node;
	for (let child = holder.firstChild; child !== null; child = child.nextSibling) {
		if (isClassArc(child.arcType)) return true;
	}
	return false;
}

/** The path of an implied class with the variant selections that `place` lies in, where it lies in them too. */
function withVariantsOf(place: Path, path: Path): Path {
	if (!place.hasVariants || path.isEmpty) return path;
	let variant: Path = place;
	while (variant.kind !== PathKind.variant) variant = variant.parent!;
	return path.replacePrefix(variant.stripVariants(), variant);
}

/** Adds the classes below `source` to `target`, as seen through `transfer`. */
function implyTree(indexer: PrimIndexer, target: Node, source: Node, transfer: MapFunction, isStart: boolean): void {
	if (target.arcType === ArcType.relocate) {
		// relocates only hand classes on to their parent
		const further = target.mapToParent.withRootIdentity().compose(transfer);
		implyTree(indexer, target.parent!, source, further, isStart);
		indexer.addTask({ type: TaskType.impliedClasses, node: target });
		return;
	}
	for (const child of childrenOf(propagatedNodeOf(source) ?? source)) {
		if (!isClassArc(child.arcType)) continue;
		// the next class of the chain that led here is no class of the target
		if (isStart && isClassArc(source.arcType) && source.depthBelowIntroduction === child.depthBelowIntroduction) {
			continue;
		}
		const path = withVariantsOf(target.path, transfer.mapSourceToTarget(child.path.stripVariants()));
		const map = MapFunction.impliedClass(transfer, child.mapToParent);
		const implied =
			findImplied(target, child) ??
			addClassArc(indexer, child.arcType, target, child, path, map, child.siblingNumber, child);
		if (implied !== undefined && hasClassChild(child)) {
			implyTree(indexer, propagatedNodeOf(implied) ?? implied, child, transfer, false);
		}
	}
}

function findImplied(target: Node, origin: Node): Node | undefined {
	for (let child = target.firstChild; child !== null; child = child.nextSibling) {
		if (child.origin === origin && !isPropagatedSpecializes(child)) return child;
	}
	return undefined;
}
