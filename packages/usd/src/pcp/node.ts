import { type Path, PathKind } from '../sdf/path.ts';
import { ArcType } from './arc-type.ts';
import type { LayerStack } from './layer-stack.ts';
import type { MapFunction } from './map-function.ts';

const INERT = 1;
const CULLED = 2;
const HAS_SPECS = 4;
const FROM_ANCESTOR = 8;
const DIRECT = 16;

/** What a new node is told about the arc that leads to it. */
export interface Arc {
	readonly type: ArcType;
	readonly parent: Node | null;
	readonly origin: Node | null;
	readonly mapToParent: MapFunction;
	readonly namespaceDepth: number;
	readonly siblingNumber: number;
}

/**
 * One site that contributes to a prim index, and the arc that leads to it from its parent. Nodes of a finished index are not
 * to be changed.
 */
export class Node {
	readonly layerStack: LayerStack;
	path: Path;
	arcType: ArcType;
	parent: Node | null;
	/** The node whose spec authored the arc: the parent, or for implied arcs the node that implies it. */
	origin: Node | null;
	mapToParent: MapFunction;
	mapToRoot: MapFunction;
	/** Depth in namespace of the prim that has the arc. */
	namespaceDepth: number;
	/** Place of the arc among those of its type at its origin. */
	siblingNumber: number;
	/** Place in the index: order of creation, and of strength once the index is finished. */
	index = 0;
	/** Path depth at which the node stopped contributing; 0 while it contributes. */
	restrictedDepth = 0;
	#flags = 0;

	firstChild: Node | null = null;
	lastChild: Node | null = null;
	previousSibling: Node | null = null;
	nextSibling: Node | null = null;

	constructor(layerStack: LayerStack, path: Path, arc: Arc, mapToRoot: MapFunction) {
		this.layerStack = layerStack;
		this.path = path;
		this.arcType = arc.type;
		this.parent = arc.parent;
		this.origin = arc.origin;
		this.mapToParent = arc.mapToParent;
		this.mapToRoot = mapToRoot;
		this.namespaceDepth = arc.namespaceDepth;
		this.siblingNumber = arc.siblingNumber;
	}

	/** A copy at `path` without links to other nodes. */
	copyAt(path: Path): Node {
		const copy = new Node(this.layerStack, path, UNLINKED, this.mapToRoot);
		copy.arcType = this.arcType;
		copy.mapToParent = this.mapToParent;
		copy.namespaceDepth = this.namespaceDepth;
		copy.siblingNumber = this.siblingNumber;
		copy.restrictedDepth = this.restrictedDepth;
		copy.index = this.index;
		copy.#flags = this.#flags;
		return copy;
	}

	get isRoot(): boolean {
		return this.arcType === ArcType.root;
	}

	/** Whether it only stands for a place in the graph: its opinions are ignored. */
	get isInert(): boolean {
		return (this.#flags & (INERT | CULLED)) !== 0;
	}

	get isCulled(): boolean {
		return (this.#flags & CULLED) !== 0;
	}

	get hasSpecs(): boolean {
		return (this.#flags & HAS_SPECS) !== 0;
	}

	/** Whether the arc belongs to an ancestor of the prim. */
	get isDueToAncestor(): boolean {
		return (this.#flags & FROM_ANCESTOR) !== 0;
	}

	/** Whether the node or one that it hangs below was found at the prim itself, so that instances can share it. */
	get isDirect(): boolean {
		return (this.#flags & DIRECT) !== 0;
	}

	get canContribute(): boolean {
		return (this.#flags & (INERT | CULLED)) === 0;
	}

	setHasSpecs(value: boolean): void {
		this.#flags = value ? this.#flags | HAS_SPECS : this.#flags & ~HAS_SPECS;
	}

	/** Makes the node one of an ancestor. */
	setDueToAncestor(): void {
		this.#flags = (this.#flags | FROM_ANCESTOR) & ~DIRECT;
	}

	setDirect(value: boolean): void {
		this.#flags = value ? this.#flags | DIRECT : this.#flags & ~DIRECT;
	}

	setInert(): void {
		if (this.canContribute) this.restrictedDepth = this.path.depth;
		this.#flags |= INERT;
	}

	setCulled(): void {
		if (!this.isCulled) this.restrictedDepth = this.path.depth;
		this.#flags |= CULLED;
	}

	/** How many levels of namespace lie between the prim that has the arc and this one. */
	get depthBelowIntroduction(): number {
		return this.parent === null ? 0 : namespaceDepthOf(this.parent.path) - this.namespaceDepth;
	}

	/** The node's path at the level where its arc was introduced. */
	get pathAtIntroduction(): Path {
		return pathAbove(this.path, this.depthBelowIntroduction);
	}

	/** Path in the parent's namespace of the prim that has the arc. */
	get introPath(): Path | null {
		return this.parent === null ? null : pathAbove(this.parent.path, this.depthBelowIntroduction);
	}

	/** The first node of the chain of origins that was not implied. */
	get originRoot(): Node {
		let node: Node = this;
		while (node.origin !== null && node.origin !== node.parent) node = node.origin;
		return node;
	}

	/** Whether both stand for the same path of the same layer stack. */
	hasSiteOf(other: Node): boolean {
		return this.path === other.path && this.layerStack === other.layerStack;
	}
}

/** Marks a node and everything below it as placeholders. */
export function makeInert(node: Node): void {
	node.setInert();
	for (let child = node.firstChild; child !== null; child = child.nextSibling) makeInert(child);
}

/** Number of prims in a path: variant selections are no levels of namespace. */
export function namespaceDepthOf(path: Path): number {
	let depth = path.depth;
	for (let node: Path | null = path; node !== null; node = node.parent) if (node.kind === PathKind.variant) depth--;
	return depth;
}

function pathAbove(path: Path, levels: number): Path {
	let result = path;
	for (let i = 0; i < levels; i++) {
		while (result.kind === PathKind.variant) result = result.parent!;
		result = result.parent ?? result;
	}
	return result;
}

const UNLINKED = {
	type: ArcType.root,
	parent: null,
	origin: null,
	mapToParent: undefined as unknown as MapFunction,
	namespaceDepth: 0,
	siblingNumber: 0,
};
