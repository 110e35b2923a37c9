import type { Path } from '../sdf/path.ts';
import { ArcType } from './arc-type.ts';
import type { IndexGraph } from './index-graph.ts';
import type { LayerStack } from './layer-stack.ts';
import type { Node } from './node.ts';
import { isPropagatedSpecializes } from './strength-order.ts';

/** Marks the nodes that have nothing to say, so that they need not be carried to descendants. */
export function cullNodes(graph: IndexGraph): void {
	const { root } = graph;
	if (root.firstChild === null) return;
	// copies of specializes first, weakest first: their origins are inert and are culled where the copies were
	for (let child = root.lastChild; child !== null; child = child.previousSibling) {
		if (!isPropagatedSpecializes(child)) continue;
		const culled = new Map<LayerStack, Set<Path>>();
		cullTree(root, child, culled);
		if (culled.size > 0) cullMatching(child.origin!, culled);
	}
	for (let child: Node | null = root.firstChild; child !== null; child = child.nextSibling) {
		if (!isPropagatedSpecializes(child)) cullTree(root, child, undefined);
	}
}

function cullTree(root: Node, node: Node, culled: Map<LayerStack, Set<Path>> | undefined): void {
	for (let child = node.firstChild; child !== null; child = child.nextSibling) {
		if (child.arcType !== ArcType.specialize) cullTree(root, child, culled);
	}
	if (!canBeCulled(root, node)) return;
	node.setCulled();
	if (culled === undefined) return;
	const paths = culled.get(node.layerStack);
	if (paths === undefined) culled.set(node.layerStack, new Set([node.path]));
	else paths.add(node.path);
}

function canBeCulled(root: Node, node: Node): boolean {
	if (node.isCulled) return true;
	if (node.hasSpecs && node.canContribute) return false;
	for (let child = node.firstChild; child !== null; child = child.nextSibling) if (!child.isCulled) return false;
	// a node that stands for an arc of this prim stays, whatever it leads to
	if (node.depthBelowIntroduction === 0) return false;
	if (node.arcType === ArcType.inherit && node.layerStack === root.layerStack) {
		// classes below the root prims of this stage are prims of it even without specs here
		const first = node.origin === node.parent ? node : node.originRoot;
		if (first.pathAtIntroduction.depth !== 1) return false;
	}
	return true;
}

function cullMatching(node: Node, culled: ReadonlyMap<LayerStack, ReadonlySet<Path>>): boolean {
	let areChildrenCulled = true;
	for (let child = node.firstChild; child !== null; child = child.nextSibling) {
		if (!cullMatching(child, culled)) areChildrenCulled = false;
	}
	if (areChildrenCulled && culled.get(node.layerStack)?.has(node.path)) node.setCulled();
	return node.isCulled;
}
