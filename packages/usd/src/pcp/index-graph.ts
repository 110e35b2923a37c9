import type { Path } from '../sdf/path.ts';
import { ArcType } from './arc-type.ts';
import type { LayerStack } from './layer-stack.ts';
import { MapFunction } from './map-function.ts';
import { type Arc, Node } from './node.ts';
import { compareSiblings, nextInTree } from './strength-order.ts';

/** Nodes beyond this number are not added to one index: an arrangement of arcs without end gets there. */
export const MOST_NODES = 16_384;

/** The nodes of a prim index while it is built. */
export class IndexGraph {
	nodes: Node[];
	hasPayloads = false;

	private constructor(nodes: Node[]) {
		this.nodes = nodes;
	}

	/** A graph of one node. */
	static at(layerStack: LayerStack, path: Path): IndexGraph {
		return new IndexGraph([new Node(layerStack, path, ROOT_ARC, MapFunction.identity)]);
	}

	/** The graph with which the index of a child starts: the nodes of its parent, one level deeper. */
	static forChild(nodes: readonly Node[], childPath: Path): IndexGraph {
		const parentPath = childPath.parent!;
		const { name } = childPath;
		const copies = new Array<Node>(nodes.length);
		for (let i = 0; i < nodes.length; i++) {
			const node = nodes[i]!;
			copies[i] = node.copyAt(node.path === parentPath ? childPath : node.path.appendChild(name));
		}
		for (let i = 0; i < nodes.length; i++) link(copies[i]!, nodes[i]!, copies);
		return new IndexGraph(copies);
	}

	/** A graph with copies of the nodes of an index. */
	static copyOf(nodes: readonly Node[]): IndexGraph {
		const copies = nodes.map((node) => node.copyAt(node.path));
		for (let i = 0; i < nodes.length; i++) link(copies[i]!, nodes[i]!, copies);
		return new IndexGraph(copies);
	}

	get root(): Node {
		return this.nodes[0]!;
	}

	/** Moves every node to a child of its path, in place. */
	descend(childPath: Path): void {
		const parentPath = childPath.parent!;
		const { name } = childPath;
		for (const node of this.nodes) node.path = node.path === parentPath ? childPath : node.path.appendChild(name);
	}

	/** A node that contributes opinions of a site, if there is one. */
	findSite(layerStack: LayerStack, path: Path): Node | undefined {
		for (const node of this.nodes) {
			if (node.path === path && node.layerStack === layerStack && !node.isInert) return node;
		}
		return undefined;
	}

	/** Adds a node below `arc.parent`; undefined when the graph is full. */
	insert(layerStack: LayerStack, path: Path, arc: Arc): Node | undefined {
		if (this.nodes.length >= MOST_NODES) return undefined;
		const node = new Node(layerStack, path, arc, arc.parent!.mapToRoot.compose(arc.mapToParent));
		node.index = this.nodes.length;
		this.nodes.push(node);
		this.#place(arc.parent!, node);
		return node;
	}

	/** Adds the nodes of another graph, whose root becomes a child of `arc.parent`. The other graph must not be used again. */
	insertGraph(other: IndexGraph, arc: Arc): Node | undefined {
		if (this.nodes.length + other.nodes.length >= MOST_NODES) return undefined;
		const root = other.root;
		root.arcType = arc.type;
		root.parent = arc.parent;
		root.origin = arc.origin;
		root.mapToParent = arc.mapToParent;
		root.mapToRoot = arc.parent!.mapToRoot.compose(arc.mapToParent);
		root.namespaceDepth = arc.namespaceDepth;
		root.siblingNumber = arc.siblingNumber;
		for (const node of other.nodes) {
			node.index = this.nodes.length;
			this.nodes.push(node);
			if (node !== root) node.mapToRoot = root.mapToRoot.compose(node.mapToRoot);
		}
		if (other.hasPayloads) this.hasPayloads = true;
		this.#place(arc.parent!, root);
		return root;
	}

	/** Puts the nodes into strength order and removes those that were culled and that no other node needs. */
	finish(): void {
		this.#orderByStrength();
		this.#removeCulled();
	}

	#orderByStrength(): void {
		const { nodes } = this;
		if (nodes.length === 1) return;
		let isOrdered = true;
		let count = 0;
		const ordered = new Array<Node>(nodes.length);
		for (let node: Node | null = this.root; node !== null; node = nextInTree(node)) {
			if (nodes[count] !== node) isOrdered = false;
			ordered[count++] = node;
		}
		if (isOrdered) return;
		for (let i = 0; i < count; i++) ordered[i]!.index = i;
		ordered.length = count;
		this.nodes = ordered;
	}

	#removeCulled(): void {
		const { nodes } = this;
		if (!nodes.some((node) => node.isCulled)) return;
		const doomed = nodes.map((node) => node.isCulled);
		for (const node of nodes) keepOrigins(node, doomed);
		if (!doomed.includes(true)) return;
		const kept: Node[] = [];
		for (const node of nodes) {
			if (doomed[node.index]) unlink(node);
			else kept.push(node);
		}
		for (let i = 0; i < kept.length; i++) kept[i]!.index = i;
		this.nodes = kept;
	}

	/** Links a node among the children of its parent by strength. */
	#place(parent: Node, child: Node): void {
		const { root } = this;
		let next: Node | null;
		if (parent.lastChild === null) next = null;
		else if (isStronger(root, child, parent.firstChild!)) next = parent.firstChild;
		else if (!isStronger(root, child, parent.lastChild)) next = null;
		else {
			next = parent.firstChild;
			while (next !== null && !isStronger(root, child, next)) next = next.nextSibling;
		}
		const previous = next === null ? parent.lastChild : next.previousSibling;
		child.previousSibling = previous;
		child.nextSibling = next;
		if (previous === null) parent.firstChild = child;
		else previous.nextSibling = child;
		if (next === null) parent.lastChild = child;
		else next.previousSibling = child;
	}
}

/** The children of a node, as they are now. */
export function childrenOf(node: Node): Node[] {
	const children: Node[] = [];
	for (let child = node.firstChild; child !== null; child = child.nextSibling) children.push(child);
	return children;
}

function isStronger(root: Node, a: Node, b: Node): boolean {
	const order = compareSiblings(root, a, b);
	return order === 0 ? a.index < b.index : order < 0;
}

/** Gives a copy the links of the node it was copied from. */
function link(copy: Node, from: Node, copies: readonly Node[]): void {
	if (from.parent !== null) copy.parent = copies[from.parent.index]!;
	if (from.origin !== null) copy.origin = copies[from.origin.index]!;
	if (from.firstChild !== null) copy.firstChild = copies[from.firstChild.index]!;
	if (from.lastChild !== null) copy.lastChild = copies[from.lastChild.index]!;
	if (from.previousSibling !== null) copy.previousSibling = copies[from.previousSibling.index]!;
	if (from.nextSibling !== null) copy.nextSibling = copies[from.nextSibling.index]!;
}

/** Nodes that are the origin of one that stays must stay, with their parents: they decide about strength. */
function keepOrigins(start: Node, doomed: boolean[]): void {
	if (start.origin === null) return;
	let mustStay = false;
	for (let node: Node = start; ; node = node.origin!) {
		if (!doomed[node.index]) {
			mustStay = true;
		} else if (mustStay) {
			for (let up: Node | null = node; up !== null && doomed[up.index]; up = up.parent) {
				doomed[up.index] = false;
				// a parent that stays after all has an origin of its own
				if (up !== node) keepOrigins(up, doomed);
			}
		}
		if (node.origin === null || node.origin === node.parent) return;
	}
}

function unlink(node: Node): void {
	const { previousSibling, nextSibling, parent } = node;
	if (previousSibling !== null) previousSibling.nextSibling = nextSibling;
	else if (parent?.firstChild === node) parent.firstChild = nextSibling;
	if (nextSibling !== null) nextSibling.previousSibling = previousSibling;
	else if (parent?.lastChild === node) parent.lastChild = previousSibling;
}

const ROOT_ARC: Arc = {
	type: ArcType.root,
	parent: null,
	origin: null,
	mapToParent: MapFunction.identity,
	namespaceDepth: 0,
	siblingNumber: 0,
};
