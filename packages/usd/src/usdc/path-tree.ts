import { comparePaths, Path, PathKind } from '../sdf/path.ts';

/** Children of paths, as lists of numbers. */
export class PathTree {
	/** Paths in depth-first order, siblings as OpenUSD sorts them: each path after its parent. */
	readonly order: readonly Path[];
	/** For each path in `order`: > 0 has a child and a sibling that far ahead, 0 sibling, -1 child, -2 neither. */
	readonly jumps: Int32Array;

	/** @param paths - absolute paths, with all their ancestors, in any order */
	constructor(paths: readonly Path[]) {
		const children = new Map<Path, Path[]>();
		for (const path of paths) {
			if (path.parent === null) continue;
			const siblings = children.get(path.parent);
			if (siblings === undefined) children.set(path.parent, [path]);
			else siblings.push(path);
		}
		for (const siblings of children.values()) if (siblings.length > 1) siblings.sort(compareSiblings);

		const order: Path[] = [];
		const depths: number[] = [];
		const stack: Path[] = paths.includes(Path.root) ? [Path.root] : [];
		for (let path = stack.pop(); path !== undefined; path = stack.pop()) {
			order.push(path);
			depths.push(path.depth);
			const below = children.get(path);
			if (below !== undefined) for (let i = below.length - 1; i >= 0; i--) stack.push(below[i]!);
		}
		this.order = order;
		this.jumps = findJumps(depths);
	}
}

function compareSiblings(a: Path, b: Path): number {
	if (a.kind !== b.kind) return a.kind - b.kind;
	if (a.kind === PathKind.target || a.kind === PathKind.mapper) return comparePaths(a, b);
	return a.name < b.name ? -1 : 1;
}

/** Walks backwards, remembering for each depth where the next path of that depth is. */
function findJumps(depths: readonly number[]): Int32Array {
	const jumps = new Int32Array(depths.length);
	const next: number[] = [];
	for (let i = depths.length - 1; i >= 0; i--) {
		const depth = depths[i]!;
		const hasChild = i + 1 < depths.length && depths[i + 1] === depth + 1;
		const sibling = depth < next.length ? next[depth]! : 0;
		jumps[i] = sibling > 0 ? (hasChild ? sibling - i : 0) : hasChild ? -1 : -2;
		// What is deeper belongs to other parents.
		next.length = Math.min(next.length, depth + 1);
		while (next.length <= depth) next.push(0);
		next[depth] = i;
	}
	return jumps;
}
