import { comparePaths, type Path } from '../sdf/path.ts';
import type { Prim } from '../usd/prim.ts';
import { isUsualPrim, traverse } from '../usd/traverse.ts';
import type { PhysicsArticulation, PhysicsJoint, PhysicsRigidBody } from './physics-descriptors.ts';
import { type PhysicsReader, WORLD } from './physics-reader.ts';

/** A body of an articulation, with the joints at it. */
interface Link {
	readonly path: Path;
	readonly index: number;
	/** What its joints lead to; the world is the empty path. */
	readonly children: Path[];
	readonly joints: Path[];
	/** Says how well it would do as a root. */
	weight: number;
	rootJoint: Path | undefined;
}

/** Links that joints connect, found from one body. */
interface Component {
	readonly start: Path;
	readonly links: Map<Path, Link>;
}

/** Finds the articulations of a stage from its bodies and joints. */
export class ArticulationFinder {
	readonly #reader: PhysicsReader;
	readonly #bodies: ReadonlyMap<Path, PhysicsRigidBody>;
	readonly #joints: ReadonlyMap<Path, PhysicsJoint>;
	/** Enabled joints at each enabled body, sorted by path. */
	readonly #jointsAt = new Map<Path, PhysicsJoint[]>();

	constructor(
		reader: PhysicsReader,
		bodies: ReadonlyMap<Path, PhysicsRigidBody>,
		joints: ReadonlyMap<Path, PhysicsJoint>,
	) {
		this.#reader = reader;
		this.#bodies = bodies;
		this.#joints = joints;
		for (const joint of [...joints.values()].sort(comparePrimPaths)) {
			if (!joint.jointEnabled) continue;
			for (const body of [joint.body0, joint.body1]) {
				if (bodies.get(body)?.rigidBodyEnabled !== true) continue;
				const at = this.#jointsAt.get(body);
				if (at === undefined) this.#jointsAt.set(body, [joint]);
				else at.push(joint);
			}
		}
	}

	/** The articulation whose root API is on a prim. */
	find(prim: Prim): PhysicsArticulation {
		const { root, start } = this.#statedRoot(prim);
		const order = new Map<Path, number>();
		const components = start === undefined ? [] : this.#components(start, order);
		const roots = root === undefined ? components.flatMap((component) => chooseRoot(component, order) ?? []) : [root];
		const joints = new Set<Path>();
		const bodies = new Set<Path>();
		for (const { links } of components) {
			for (const link of links.values()) {
				for (const joint of link.joints) joints.add(joint);
				for (const child of link.children) bodies.add(child);
			}
		}
		if (roots.length === 0) this.#reader.warn(prim, 'an articulation has no body or joint to start at');
		return {
			kind: 'Articulation',
			primPath: prim.path,
			isValid: roots.length > 0,
			rootPrims: roots,
			articulatedJoints: [...joints].sort(comparePaths),
			articulatedBodies: [...bodies].sort(comparePaths),
			filteredCollisions: this.#reader.filteredPairs(prim),
		};
	}

	/** A body or a joint to the world is itself the root; links are looked for below the body. */
	#statedRoot(prim: Prim): { root: Path | undefined; start: Prim | undefined } {
		const { path } = prim;
		if (this.#bodies.has(path)) return { root: path, start: prim };
		const joint = this.#joints.get(path);
		if (joint === undefined || (joint.body0 !== WORLD && joint.body1 !== WORLD))
			return { root: undefined, start: prim };
		const body = joint.body0 === WORLD ? joint.body1 : joint.body0;
		return { root: path, start: body === WORLD ? undefined : this.#reader.stage.prim(body) };
	}

	#components(start: Prim, order: Map<Path, number>): Component[] {
		const components: Component[] = [];
		const linked = new Set<Path>();
		const visit = (prim: Prim): boolean => {
			const { path } = prim;
			if (linked.has(path)) return false;
			if (this.#bodies.has(path)) {
				const links = this.#walk(path, order);
				for (const link of links.keys()) linked.add(link);
				components.push({ start: path, links });
			}
			return true;
		};
		if (!visit(start)) return components;
		const walk = traverse(start, { instanceProxies: true, predicate: (prim) => isUsualPrim(prim) && visit(prim) });
		for (const _prim of walk);
		return components;
	}

	/** The links that joints lead to from a body, depth first. */
	#walk(from: Path, order: Map<Path, number>): Map<Path, Link> {
		const links = new Map<Path, Link>();
		const enter = (path: Path): { link: Link; joints: PhysicsJoint[]; at: number } | undefined => {
			if (links.has(path)) return undefined;
			if (!order.has(path)) order.set(path, order.size);
			const joints = this.#jointsAt.get(path);
			if (joints === undefined) return undefined;
			const link: Link = { path, index: links.size, children: [], joints: [], weight: 0, rootJoint: undefined };
			links.set(path, link);
			return { link, joints, at: 0 };
		};
		const first = enter(from);
		const stack = first === undefined ? [] : [first];
		for (let top = stack[stack.length - 1]; top !== undefined; top = stack[stack.length - 1]) {
			const joint = top.joints[top.at++];
			if (joint === undefined) {
				stack.pop();
				continue;
			}
			const { link } = top;
			link.joints.push(joint.primPath);
			const isToWorld = !this.#jointsAt.has(joint.body0) || !this.#jointsAt.has(joint.body1);
			const child = isToWorld ? WORLD : joint.body0 === link.path ? joint.body1 : joint.body0;
			link.children.push(child);
			if (joint.excludeFromArticulation) {
				link.weight += 1000;
			} else if (isToWorld) {
				link.weight += 100000;
				link.rootJoint = joint.primPath;
			} else {
				link.weight += 100;
				const next = enter(child);
				if (next !== undefined) stack.push(next);
			}
		}
		return links;
	}
}

function comparePrimPaths(a: PhysicsJoint, b: PhysicsJoint): number {
	return comparePaths(a.primPath, b.primPath);
}

function compareLinks(a: Link, b: Link): number {
	return comparePaths(a.path, b.path);
}

/** With a joint to the world that joint; else the first body when all are below it, else the middle of the graph. */
function chooseRoot({ start, links }: Component, order: ReadonlyMap<Path, number>): Path | undefined {
	const sorted = [...links.values()].sort(compareLinks);
	if (!sorted.some(({ rootJoint }) => rootJoint !== undefined)) {
		return sorted.every(({ path }) => path.hasPrefix(start)) ? start : middle(sorted, links, order);
	}
	let root: Path | undefined;
	let largest = 0;
	for (const { path, rootJoint, weight } of sorted) {
		const candidate = rootJoint ?? path;
		if (weight > largest || (weight === largest && isBefore(order, candidate, root))) {
			root = candidate;
			largest = weight;
		}
	}
	return root;
}

/** The link with the shortest way to its farthest one; among equals the one with more joints, then the first found. */
function middle(
	sorted: readonly Link[],
	links: ReadonlyMap<Path, Link>,
	order: ReadonlyMap<Path, number>,
): Path | undefined {
	let best: Link | undefined;
	let shortest = Number.POSITIVE_INFINITY;
	const distances = new Int32Array(sorted.length);
	const tree = treeReaches(sorted, links);
	for (const link of sorted) {
		const longest = tree?.[link.index] ?? farthest(link, links, distances);
		const isBetter =
			best === undefined ||
			longest < shortest ||
			(longest === shortest &&
				(link.children.length > best.children.length ||
					(link.children.length === best.children.length && isBefore(order, link.path, best.path))));
		if (!isBetter) continue;
		best = link;
		shortest = longest;
	}
	return best?.path;
}

/**
 * How far each link is from its farthest one, by its index, when the joints make a tree; undefined when they do not. In a
 * tree the farthest link is always an end of the longest path, so three walks tell all of them.
 */
function treeReaches(sorted: readonly Link[], links: ReadonlyMap<Path, Link>): Int32Array | undefined {
	let ends = 0;
	for (const link of sorted) for (const child of new Set(link.children)) if (links.has(child)) ends++;
	if (sorted.length === 0 || ends !== 2 * (sorted.length - 1)) return undefined;
	const first = new Int32Array(sorted.length);
	const second = new Int32Array(sorted.length);
	const last = walkWide(sorted[0]!, links, first);
	const end = walkWide(walkWide(last, links, first), links, second);
	walkWide(end, links, first);
	return first.map((distance, i) => Math.max(distance, second[i]!));
}

/** Fills in the distances from a link, nearest first, and gives one of the farthest links. */
function walkWide(from: Link, links: ReadonlyMap<Path, Link>, distances: Int32Array): Link {
	distances.fill(-1);
	distances[from.index] = 0;
	const queue = [from];
	for (const link of queue) {
		for (const path of link.children) {
			const child = links.get(path);
			if (child === undefined || distances[child.index]! >= 0) continue;
			distances[child.index] = distances[link.index]! + 1;
			queue.push(child);
		}
	}
	return queue[queue.length - 1]!;
}

/** The longest distance that a depth-first walk from a link counts. */
function farthest(from: Link, links: ReadonlyMap<Path, Link>, distances: Int32Array): number {
	distances.fill(-1);
	distances[from.index] = 0;
	let longest = 0;
	const stack = [{ link: from, at: 0 }];
	for (let top = stack[stack.length - 1]; top !== undefined; top = stack[stack.length - 1]) {
		const child = top.link.children[top.at++];
		if (child === undefined) {
			stack.pop();
			continue;
		}
		const link = links.get(child);
		if (link === undefined || distances[link.index]! >= 0) continue;
		const distance = distances[top.link.index]! + 1;
		distances[link.index] = distance;
		longest = Math.max(longest, distance);
		stack.push({ link, at: 0 });
	}
	return longest;
}

function isBefore(order: ReadonlyMap<Path, number>, a: Path, b: Path | undefined): boolean {
	const last = Number.POSITIVE_INFINITY;
	return (order.get(a) ?? last) < (b === undefined ? last : (order.get(b) ?? last));
}
