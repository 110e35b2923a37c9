import { comparePaths, Path, PathKind } from '../sdf/path.ts';

/** A depth-first walk over the paths of a table. */
export interface PathWalk {
	/** Numbers of the paths, each after its parent, siblings as OpenUSD sorts them. */
	readonly order: Uint32Array;
	/** For each path in `order`: > 0 has a child and a sibling that far ahead, 0 sibling, -1 child, -2 neither. */
	readonly jumps: Int32Array;
}

/**
 * Numbers absolute paths; ancestors are numbered too, before the paths below them. Once sorted, the index of a path is its
 * place in the tree, whatever the order in which paths were numbered; paths that come later follow.
 */
export class PathTable {
	readonly paths: Path[] = [];
	/** Number of the parent of each path; -1 for the root and the empty path. */
	readonly #parents: number[] = [];
	readonly #numbers = new Map<Path, number>();
	/** Numbers whose path has another number too, which only a damaged base file has. */
	readonly #duplicates = new Set<number>();
	/** Index of each number that was there when the table was sorted. */
	#indexes = new Uint32Array(0);
	/** Most paths are added next to their siblings. */
	#lastParent: Path | null = null;
	#lastParentNumber = -1;

	/** @param paths - paths that have numbers already; those that occur twice keep the first number */
	constructor(paths: readonly Path[] = []) {
		for (const path of paths) {
			if (this.#numbers.has(path)) this.#duplicates.add(this.paths.length);
			else this.#numbers.set(path, this.paths.length);
			this.paths.push(path);
			this.#parents.push(-1);
		}
		for (let i = 0; i < paths.length; i++) {
			const { parent } = paths[i]!;
			if (parent !== null) this.#parents[i] = this.number(parent);
		}
	}

	/** Number of a path, given to it now if it has none. */
	number(path: Path): number {
		const known = this.#numbers.get(path);
		if (known !== undefined) return known;
		const { parent } = path;
		if (parent !== null && parent !== this.#lastParent) {
			this.#lastParentNumber = this.#numbers.get(parent) ?? this.#addAncestors(parent);
			this.#lastParent = parent;
		}
		return this.#add(path, parent === null ? -1 : this.#lastParentNumber);
	}

	#add(path: Path, parent: number): number {
		const number = this.paths.length;
		this.#numbers.set(path, number);
		this.paths.push(path);
		this.#parents.push(parent);
		return number;
	}

	/** Numbers a path after its ancestors, without recursion: paths can be thousands of elements deep. */
	#addAncestors(path: Path): number {
		const chain: Path[] = [];
		for (let node: Path | null = path; node !== null && !this.#numbers.has(node); node = node.parent) chain.push(node);
		let number = chain[chain.length - 1]!.parent === null ? -1 : this.#numbers.get(chain[chain.length - 1]!.parent!)!;
		for (let i = chain.length - 1; i >= 0; i--) number = this.#add(chain[i]!, number);
		return number;
	}

	/** What a crate file calls the path: see `sort`. */
	index(path: Path): number {
		return this.indexOf(this.number(path));
	}

	/** The index of the path with a number. */
	indexOf(number: number): number {
		return number < this.#indexes.length ? this.#indexes[number]! : number;
	}

	/** Gives all paths but the first `keepFirst` indexes in the order of the tree. All of them are below the root. */
	sort(keepFirst: number): PathWalk {
		const walk = this.walk();
		const indexes = new Uint32Array(this.paths.length);
		for (let i = 0; i < keepFirst; i++) indexes[i] = i;
		let next = keepFirst;
		for (let i = 0; i < walk.order.length; i++) {
			const number = walk.order[i]!;
			if (number >= keepFirst) indexes[number] = next++;
		}
		this.#indexes = indexes;
		return walk;
	}

	/** Walks the tree from the root. Paths that are numbered twice and the empty path are not in it. */
	walk(): PathWalk {
		const { paths } = this;
		const count = paths.length;
		// Children by parent: counted, then filled in, then sorted where they are not in order yet.
		const starts = new Uint32Array(count + 1);
		for (let i = 0; i < count; i++) if (this.#isCounted(i)) starts[this.#parents[i]! + 1]!++;
		for (let i = 0; i < count; i++) starts[i + 1]! += starts[i]!;
		const fill = starts.slice(0, count);
		const children = new Uint32Array(starts[count]!);
		for (let i = 0; i < count; i++) if (this.#isCounted(i)) children[fill[this.#parents[i]!]!++] = i;
		for (let i = 0; i < count; i++) this.#sortSiblings(children, starts[i]!, starts[i + 1]!);

		const root = this.#numbers.get(Path.root);
		const order = new Uint32Array(root === undefined ? 0 : children.length + 1);
		const jumps = new Int32Array(order.length);
		// Numbers of paths, or -1 minus the place in `order` of a path whose sibling comes when its children are done.
		const stack: number[] = root === undefined ? [] : [root];
		let length = 0;
		while (stack.length > 0) {
			const path = stack.pop()!;
			if (path < 0) {
				const at = -1 - path;
				jumps[at] = length - at;
				continue;
			}
			const parent = this.#parents[path]!;
			const isLast = parent < 0 || children[starts[parent + 1]! - 1] === path;
			const hasChild = starts[path] !== starts[path + 1];
			jumps[length] = hasChild ? -1 : isLast ? -2 : 0;
			if (hasChild && !isLast) stack.push(-1 - length);
			order[length++] = path;
			for (let i = starts[path + 1]!; i-- > starts[path]!; ) stack.push(children[i]!);
		}
		return { order: order.subarray(0, length), jumps: jumps.subarray(0, length) };
	}

	#isCounted(number: number): boolean {
		return this.#parents[number]! >= 0 && (this.#duplicates.size === 0 || !this.#duplicates.has(number));
	}

	#sortSiblings(children: Uint32Array, start: number, end: number): void {
		const { paths } = this;
		let isSorted = true;
		for (let i = start + 1; i < end && isSorted; i++) {
			isSorted = compareSiblings(paths[children[i - 1]!]!, paths[children[i]!]!) < 0;
		}
		if (isSorted) return;
		const sorted = Array.from(children.subarray(start, end)).sort((a, b) => compareSiblings(paths[a]!, paths[b]!));
		children.set(sorted, start);
	}
}

function compareSiblings(a: Path, b: Path): number {
	if (a.kind !== b.kind) return a.kind - b.kind;
	if (a.kind === PathKind.target || a.kind === PathKind.mapper) return comparePaths(a, b);
	return a.name < b.name ? -1 : 1;
}
