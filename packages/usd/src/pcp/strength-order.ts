import { ArcType, isClassArc } from './arc-type.ts';
import type { Node } from './node.ts';

/**
 * Order of two children of one node: negative when `a` is stronger. Arc type, then deeper namespace, then the order of the
 * origins, then the order in which the arcs are listed (AOUSD 10.4). Zero only for the same node, or for nodes that should
 * not exist side by side.
 */
export function compareSiblings(root: Node, a: Node, b: Node): number {
	if (a === b) return 0;
	if (a.arcType !== b.arcType) return a.arcType - b.arcType;
	if (a.arcType === ArcType.specialize) {
		const order = compareSpecializes(root, a, b);
		if (order !== undefined) return order;
	} else {
		if (a.namespaceDepth !== b.namespaceDepth) return b.namespaceDepth - a.namespaceDepth;
		if (a.origin !== b.origin) {
			const order = firstInTree(root, a.origin, b.origin);
			if (order !== 0) return order;
		}
	}
	return a.siblingNumber - b.siblingNumber;
}

/** Order of two nodes of one graph: negative when `a` is stronger. */
export function compareStrength(root: Node, a: Node, b: Node): number {
	if (a === b) return 0;
	const aChain = chainFromRoot(a);
	const bChain = chainFromRoot(b);
	let i = 0;
	while (i < aChain.length && i < bChain.length && aChain[i] === bChain[i]) i++;
	if (i === aChain.length) return -1;
	if (i === bChain.length) return 1;
	return compareSiblings(root, aChain[i]!, bChain[i]!);
}

/** The node after `node` in a walk over the tree in strength order; null at its end. */
export function nextInTree(node: Node): Node | null {
	if (node.firstChild !== null) return node.firstChild;
	let at: Node | null = node;
	while (at !== null && at.nextSibling === null) at = at.parent;
	return at === null ? null : at.nextSibling;
}

/** The node that first has the hierarchy of classes `node` is in, and the class of the hierarchy next to it. */
export function classHierarchyStart(node: Node): { readonly instance: Node; readonly class: Node } {
	let instance = whereFound(node);
	const depth = instance.depthBelowIntroduction;
	let topClass = instance;
	while (isClassArc(instance.arcType) && instance.depthBelowIntroduction === depth) {
		topClass = instance;
		instance = whereFound(instance.parent!);
	}
	return { instance, class: topClass };
}

/** Whether a node hangs below the root only because specializes are weakest; its origin is where the arc was found. */
export function isPropagatedSpecializes(node: Node): boolean {
	const { parent, origin } = node;
	if (node.arcType !== ArcType.specialize || parent === null || parent.parent !== null) return false;
	return origin !== null && node.hasSiteOf(origin);
}

/** The node below the root that holds what a specializes placeholder leads to, if there is one. */
export function propagatedNodeOf(node: Node): Node | undefined {
	if (node.arcType !== ArcType.specialize) return undefined;
	let root = node;
	while (root.parent !== null) root = root.parent;
	for (let child = root.lastChild; child !== null; child = child.previousSibling) {
		if (child.arcType !== ArcType.specialize) return undefined;
		if (child.origin === node && isPropagatedSpecializes(child)) return child;
	}
	return undefined;
}

function whereFound(node: Node): Node {
	return isPropagatedSpecializes(node) ? node.origin! : node;
}

/**
 * Specializes hang below the root, so that siblings there may come from anywhere in the graph; where they come
 * from decides. Undefined when the order in which the arcs are listed decides.
 */
function compareSpecializes(root: Node, a: Node, b: Node): number | undefined {
	const [aStart, aSteps] = originStart(a);
	const [bStart, bSteps] = originStart(b);
	if (!isWithin(aStart, bStart) && !isWithin(bStart, aStart) && a.namespaceDepth !== b.namespaceDepth) {
		return b.namespaceDepth - a.namespaceDepth;
	}
	const aOrigin = a.origin!;
	const bOrigin = b.origin!;
	if (aOrigin === bOrigin) {
		if (aOrigin === a.parent) return undefined;
		return impliedFirst(a, aOrigin, b, bOrigin) ?? 0;
	}
	if (aStart !== bStart) return firstInTree(root, aStart, bStart);

	// both are implied: what is authored is its own start
	const aDepth = hierarchyDepth(aOrigin);
	const bDepth = hierarchyDepth(bOrigin);
	if (aDepth !== bDepth) return aDepth - bDepth;
	if (aSteps !== bSteps) return bSteps - aSteps;
	const isLocal = a.layerStack === root.layerStack && b.layerStack === root.layerStack;
	if (isLocal) {
		const order = impliedFirst(a, aOrigin, b, bOrigin);
		if (order !== undefined) return order;
	}
	return firstInTree(root, aOrigin, bOrigin);
}

function impliedFirst(a: Node, aOrigin: Node, b: Node, bOrigin: Node): number | undefined {
	const aIsImplied = !a.hasSiteOf(aOrigin);
	const bIsImplied = !b.hasSiteOf(bOrigin);
	if (aIsImplied === bIsImplied) return undefined;
	return aIsImplied ? -1 : 1;
}

/** The authored node at the end of the chain of origins, and the number of steps to it. */
function originStart(node: Node): [Node, number] {
	let at = node;
	let steps = 0;
	while (at.origin !== null && at.origin !== at.parent) {
		at = at.origin;
		steps++;
	}
	return [at, steps];
}

function isWithin(node: Node, ancestor: Node): boolean {
	for (let at: Node | null = node; at !== null; at = isPropagatedSpecializes(at) ? at.origin : at.parent) {
		if (at === ancestor) return true;
	}
	return false;
}

function hierarchyDepth(node: Node): number {
	let { instance } = classHierarchyStart(node);
	while (instance.arcType === ArcType.relocate) instance = instance.parent!;
	return instance.namespaceDepth;
}

/** Negative when a walk over the tree meets `a` before `b`, positive when it meets `b` first, zero when it meets neither. */
function firstInTree(root: Node, a: Node | null, b: Node | null): number {
	for (let node: Node | null = root; node !== null; node = nextInTree(node)) {
		if (node === a) return -1;
		if (node === b) return 1;
	}
	return 0;
}

function chainFromRoot(node: Node): Node[] {
	const chain: Node[] = [];
	for (let at: Node | null = node; at !== null; at = at.parent) chain.push(at);
	return chain.reverse();
}
