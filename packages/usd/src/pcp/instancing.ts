import { dataOf } from '../sdf/value.ts';
import { T } from '../sdf/value-type.ts';
import type { IndexGraph } from './index-graph.ts';
import type { Node } from './node.ts';
import { SiteArcs } from './site.ts';
import { nextInTree } from './strength-order.ts';

/** Whether a node below the root can be shared between instances: it has specs and came through an arc of the prim itself. */
export function isInstanceable(node: Node): boolean {
	return node.isDirect && node.hasSpecs && node.canContribute;
}

/**
 * Calls `visit` for each node, strongest first, with whether it is {@link isInstanceable}. Below a node other than the root for
 * which `visit` returns false nothing is visited.
 */
export function visitInstanceable(root: Node, visit: (node: Node, isInstanceable: boolean) => boolean): void {
	visit(root, false);
	for (let child = root.firstChild; child !== null; child = child.nextSibling) walkInstanceable(child, visit);
}

function walkInstanceable(node: Node, visit: (node: Node, isInstanceable: boolean) => boolean): void {
	if (node.isCulled) return;
	if (!visit(node, isInstanceable(node))) return;
	for (let child = node.firstChild; child !== null; child = child.nextSibling) walkInstanceable(child, visit);
}

/** Whether the prim is an instance: it says so, and has something that can be shared. */
export function isInstanceableGraph(graph: IndexGraph): boolean {
	const { root } = graph;
	if (root.firstChild === null) return false;
	// most prims have only arcs of their ancestors
	if (!graph.nodes.some((node) => !node.isDueToAncestor && node !== root)) return false;
	let hasShared = false;
	visitInstanceable(root, (_, isInstanceable) => {
		if (isInstanceable) hasShared = true;
		return !hasShared;
	});
	return hasShared && saysInstanceable(root);
}

/** Makes the nodes inert that may not say anything about descendants of an instance. */
export function disableBelowInstance(graph: IndexGraph): void {
	visitInstanceable(graph.root, (node, isInstanceable) => {
		if (!isInstanceable) node.setInert();
		return !isInstanceable;
	});
}

function saysInstanceable(root: Node): boolean {
	for (let node: Node | null = root; node !== null; node = nextInTree(node)) {
		if (!node.canContribute || !node.hasSpecs) continue;
		const { layerStack, path } = node;
		const site = layerStack.siteAt(path);
		if ((site.arcs & SiteArcs.instanceable) === 0) continue;
		for (const index of site.layers) {
			const value = dataOf(layerStack.layers[index]!.data.field(path, 'instanceable'), T.bool);
			if (value !== undefined) return value;
		}
	}
	return false;
}
