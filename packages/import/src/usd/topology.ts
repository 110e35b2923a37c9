/** An edge from a parent to a child; -1 is the world. */
export type Edge = readonly [parent: number, child: number];

/** Joints in an order in which parents come before children. */
export interface SortedEdges {
	/** Edges by index. */
	readonly order: readonly number[];
	/** Edges that lead from the child to the parent. */
	readonly reversed: readonly number[];
	/** What keeps the edges from being one tree. */
	readonly fault?: { readonly kind: 'cycle' | 'several roots'; readonly node: number; readonly edge?: number };
}

/**
 * Sorts edges from the root outwards, depth first or breadth first; edges at one node stay in order. Edges are first taken
 * as they point; where that makes no tree, the walk starts at the world, or at the least node, and edges may be reversed.
 * With a fault the order holds what could be sorted.
 */
export function sortEdges(edges: readonly Edge[], ordering: 'dfs' | 'bfs'): SortedEdges {
	const directed = directedRoot(edges);
	if (directed !== undefined) {
		const order = walk(edges, directed, ordering, false).order;
		if (order.length === edges.length) return { order, reversed: [] };
	}
	const nodes = [...new Set(edges.flat())].sort((a, b) => a - b);
	if (nodes.length === 0) return { order: [], reversed: [] };
	const result = walk(edges, nodes[0]!, ordering, true);
	if (result.fault !== undefined) return result;
	const rest = nodes.find((node) => !result.visited.has(node));
	if (rest === undefined) return result;
	return { ...result, fault: { kind: 'several roots', node: rest } };
}

/** The only node that no edge leads to, if every other has exactly one. */
function directedRoot(edges: readonly Edge[]): number | undefined {
	const children = new Set<number>();
	for (const [, child] of edges) {
		if (children.has(child)) return undefined;
		children.add(child);
	}
	const roots = new Set(edges.map(([parent]) => parent).filter((parent) => !children.has(parent)));
	return roots.size === 1 ? [...roots][0] : undefined;
}

interface Walk extends SortedEdges {
	readonly visited: ReadonlySet<number>;
}

function walk(edges: readonly Edge[], root: number, ordering: 'dfs' | 'bfs', isUndirected: boolean): Walk {
	const at = new Map<number, number[]>();
	const touch = (node: number, edge: number): void => {
		const list = at.get(node);
		if (list === undefined) at.set(node, [edge]);
		else list.push(edge);
	};
	edges.forEach(([parent, child], i) => {
		touch(parent, i);
		if (isUndirected) touch(child, i);
	});
	const order: number[] = [];
	const reversed: number[] = [];
	const visited = new Set([root]);
	const taken = new Set<number>();
	let fault: SortedEdges['fault'];
	const take = (node: number, edge: number): number | undefined => {
		if (taken.has(edge)) return undefined;
		taken.add(edge);
		const [parent, child] = edges[edge]!;
		const next = parent === node ? child : parent;
		if (visited.has(next)) {
			fault ??= { kind: 'cycle', node: next, edge };
			return undefined;
		}
		visited.add(next);
		order.push(edge);
		if (parent !== node) reversed.push(edge);
		return next;
	};
	if (ordering === 'bfs') {
		const queue = [root];
		for (const node of queue) {
			for (const edge of at.get(node) ?? []) {
				const next = take(node, edge);
				if (next !== undefined) queue.push(next);
			}
		}
	} else {
		// a stack of places instead of recursion: chains may be long
		const stack = [{ node: root, next: 0 }];
		for (let top = stack.at(-1); top !== undefined; top = stack.at(-1)) {
			const edge = at.get(top.node)?.[top.next++];
			if (edge === undefined) {
				stack.pop();
				continue;
			}
			const next = take(top.node, edge);
			if (next !== undefined) stack.push({ node: next, next: 0 });
		}
	}
	return { order, reversed, visited, ...(fault === undefined ? {} : { fault }) };
}
