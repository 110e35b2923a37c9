import { UniqueNames } from '../write/unique-names.ts';
import type { GltfDocument, GltfObject } from './gltf-document.ts';
import { identity, isNear, nodeTransform, product, relativeTo, transformParts } from './node-transform.ts';

/** A node in the making: where it is to stand, below which other. */
export interface SceneNode {
	readonly name: string;
	/** Where it is to stand in the scene (points are rows), before units and axes. */
	readonly world: Float64Array;
	/** Whether it is a pose: scales go into what hangs on it. */
	readonly isPose: boolean;
	parent: SceneNode | undefined;
	/** Hangs things on it: gives what they add to the node, for the matrix from them to the node. */
	readonly attachments: Attachment[];
}

/** Something that hangs on a node; `rest` is what the node could not take up of where it is to stand, undefined for nothing. */
export type Attachment = (rest: Float64Array | undefined) => GltfObject | undefined;

/** Nodes that were written. */
export interface SceneNodes {
	readonly roots: readonly number[];
	/** Nodes of bodies, by the bodies of the model. */
	readonly bodies: ReadonlyMap<number, number>;
	/** Length of a unit of the nodes [m]. */
	readonly unit: number;
}

/** Writes nodes into a document: translation, rotation and scale only, parents before children. Gives the roots and where each node is. */
export function writeNodes(
	document: GltfDocument,
	nodes: readonly SceneNode[],
	root: GltfObject | undefined,
): {
	readonly roots: number[];
	readonly indexOf: ReadonlyMap<SceneNode, number>;
	/** Where each node stands, without the scale of poses. */
	readonly frameOf: ReadonlyMap<SceneNode, Float64Array>;
} {
	const children = new Map<SceneNode | undefined, SceneNode[]>();
	for (const node of nodes) {
		const list = children.get(node.parent);
		if (list === undefined) children.set(node.parent, [node]);
		else list.push(node);
	}
	// poses are links: their names are theirs
	const names = new UniqueNames(nodes.filter(({ isPose }) => isPose).map(({ name }) => name));
	const tops: number[] = [];
	if (root !== undefined) tops.push(document.nodes.push(root) - 1);
	const stack: { node: SceneNode; frame: Float64Array; siblings: number[] }[] = [];
	const push = (parent: SceneNode | undefined, frame: Float64Array, siblings: number[]): void => {
		const below = children.get(parent) ?? [];
		for (let i = below.length - 1; i >= 0; i--) stack.push({ node: below[i]!, frame, siblings });
	};
	const rootChildren: number[] = [];
	push(undefined, identity(), root === undefined ? tops : rootChildren);
	const lists = new Map<number, number[]>();
	const indexOf = new Map<SceneNode, number>();
	const frameOf = new Map<SceneNode, Float64Array>();
	for (let at = stack.pop(); at !== undefined; at = stack.pop()) {
		const { node, frame, siblings } = at;
		// a place that is no number is that of the parent
		const world = node.world.every(Number.isFinite) ? node.world : frame;
		const transform = nodeTransform(relativeTo(world, frame), !node.isPose);
		const made: GltfObject = { name: node.isPose ? node.name : names.take(node.name), ...transformParts(transform) };
		const index = document.nodes.push(made) - 1;
		siblings.push(index);
		indexOf.set(node, index);
		const here = product(transform.matrix, frame);
		frameOf.set(node, here);
		const below: number[] = [];
		lists.set(index, below);
		const rest = relativeTo(world, here);
		const size = Math.max(...rest.subarray(0, 12).map(Math.abs));
		const isWhole = isNear(rest, identity(), size);
		const inner = isWhole ? undefined : nodeTransform(rest);
		for (const attach of node.attachments) {
			if (inner === undefined) merge(document, made, attach(undefined), names, below);
			else {
				// the node is a pose or cannot hold the matrix: a node below takes up the scale, the points the rest
				const left = inner.isExact ? undefined : relativeTo(rest, inner.matrix);
				const parts = attach(left);
				if (parts === undefined) continue;
				const child: GltfObject = { name: names.take(`${node.name}_geometry`), ...transformParts(inner), ...parts };
				below.push(document.nodes.push(child) - 1);
			}
		}
		push(node, here, below);
	}
	for (const [index, list] of lists) if (list.length > 0) document.nodes[index]!['children'] = list;
	if (root !== undefined && rootChildren.length > 0) root['children'] = rootChildren;
	return { roots: tops, indexOf, frameOf };
}

/** Puts something on a node; a second mesh needs a node of its own. */
function merge(
	document: GltfDocument,
	node: GltfObject,
	parts: GltfObject | undefined,
	names: UniqueNames,
	below: number[],
): void {
	if (parts === undefined) return;
	const isTaken = Object.keys(parts).some((key) => key in node);
	if (isTaken) below.push(document.nodes.push({ name: names.take(`${String(node['name'])}_part`), ...parts }) - 1);
	else Object.assign(node, parts);
}
