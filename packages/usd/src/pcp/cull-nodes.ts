import { ArcType } from './arc-type.ts';
import type { IndexGraph } from './index-graph.ts';
import type { Node } from './node.ts';

/**
 * Marks the nodes that have nothing to say, so that they need not be carried to descendants. Placeholders of specializes are
 * judged as they stand, not by what hangs below the root in their place: they never say anything.
 */
export function cullNodes(graph: IndexGraph): void {
	const { root } = graph;
	for (let child = root.firstChild; child !== null; child = child.nextSibling) cullTree(root, child);
}

function cullTree(root: Node, node: Node): void {
	for (let child = node.firstChild; child !== null; child = child.nextSibling) cullTree(root, child);
	if (canBeCulled(root, node)) node.setCulled();
}

function canBeCulled(root: Node, node: Node): boolean {
	if (node.hasSpecs && node.canContribute) return false;
	for (let child = node.firstChild; child !== null; child = child.nextSibling) if (!child.isCulled) return false;
	// a node that stands for an arc of this prim stays, whatever it leads to
	if (node.depthBelowIntroduction === 0) return false;
	if (node.arcType === ArcType.inherit && node.layerStack === root.layerStack) {
		// classes below the root prims of this stage are prims of it even without specs here
		if (node.originRoot.pathAtIntroduction.depth !== 1) return false;
	}
	return true;
}
