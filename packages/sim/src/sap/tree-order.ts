/**
 * The order of the trees of a world in its problem: trees that touch each other stand close together, so that the envelope of
 * the Hessian stays narrow (Cuthill and McKee 1969, turned around). Trees without constraints are left out.
 */
export class TreeOrder {
	/** Trees that take part, in order. */
	readonly trees: Int32Array;
	count = 0;

	readonly #isUsed: Uint8Array;
	readonly #degree: Int32Array;
	readonly #next: Int32Array;
	#used: Int32Array;
	#usedCount = 0;
	#edges = new Int32Array(128);
	#edgeCount = 0;
	#list = new Int32Array(128);

	constructor(treeCount: number) {
		this.trees = new Int32Array(treeCount);
		this.#isUsed = new Uint8Array(treeCount);
		this.#degree = new Int32Array(treeCount + 1);
		this.#next = new Int32Array(treeCount + 1);
		this.#used = new Int32Array(treeCount);
	}

	/** Starts anew. */
	clear(): void {
		for (let i = 0; i < this.#usedCount; i++) this.#isUsed[this.#used[i]!] = 0;
		this.#usedCount = 0;
		this.#edgeCount = 0;
		this.count = 0;
	}

	/** A constraint on one tree. */
	use(tree: number): void {
		if (this.#isUsed[tree] === 1) return;
		this.#isUsed[tree] = 1;
		this.#used[this.#usedCount++] = tree;
	}

	/** A constraint between two trees. */
	connect(a: number, b: number): void {
		this.use(a);
		this.use(b);
		if (a === b) return;
		// contacts of one pair of bodies come in a row
		const last = 2 * (this.#edgeCount - 1);
		if (this.#edgeCount > 0 && this.#edges[last] === a && this.#edges[last + 1] === b) return;
		if (2 * this.#edgeCount + 2 > this.#edges.length) {
			const larger = new Int32Array(2 * this.#edges.length);
			larger.set(this.#edges);
			this.#edges = larger;
		}
		this.#edges[2 * this.#edgeCount] = a;
		this.#edges[2 * this.#edgeCount + 1] = b;
		this.#edgeCount++;
	}

	/** Settles the order. */
	settle(): void {
		this.#sortUsed();
		if (this.#edgeCount === 0) {
			for (let i = 0; i < this.#usedCount; i++) this.trees[i] = this.#used[i]!;
			this.count = this.#usedCount;
			return;
		}
		this.#buildNeighbours();
		this.#walk();
	}

	/** Ascending, so that the order does not depend on that of the constraints; insertion, as it mostly is already. */
	#sortUsed(): void {
		const used = this.#used;
		for (let i = 1; i < this.#usedCount; i++) {
			const tree = used[i]!;
			let j = i;
			for (; j > 0 && used[j - 1]! > tree; j--) used[j] = used[j - 1]!;
			used[j] = tree;
		}
	}

	#buildNeighbours(): void {
		const degree = this.#degree;
		const next = this.#next;
		for (let i = 0; i < this.#usedCount; i++) degree[this.#used[i]!] = 0;
		for (let e = 0; e < 2 * this.#edgeCount; e++) degree[this.#edges[e]!] = degree[this.#edges[e]!]! + 1;
		let at = 0;
		for (let i = 0; i < this.#usedCount; i++) {
			const tree = this.#used[i]!;
			next[tree] = at;
			at += degree[tree]!;
		}
		if (at > this.#list.length) this.#list = new Int32Array(2 * at);
		for (let e = 0; e < this.#edgeCount; e++) {
			const a = this.#edges[2 * e]!;
			const b = this.#edges[2 * e + 1]!;
			this.#list[next[a]!] = b;
			next[a] = next[a]! + 1;
			this.#list[next[b]!] = a;
			next[b] = next[b]! + 1;
		}
	}

	/** Breadth first from the trees with the fewest neighbours; the flag turns to 2 when a tree has its place. */
	#walk(): void {
		const { trees } = this;
		const isUsed = this.#isUsed;
		let count = 0;
		for (;;) {
			let seed = -1;
			for (let i = 0; i < this.#usedCount; i++) {
				const tree = this.#used[i]!;
				if (isUsed[tree] === 1 && (seed < 0 || this.#degree[tree]! < this.#degree[seed]!)) seed = tree;
			}
			if (seed < 0) break;
			let head = count;
			trees[count++] = seed;
			isUsed[seed] = 2;
			while (head < count) {
				const tree = trees[head++]!;
				const first = count;
				const end = this.#next[tree]!;
				for (let k = end - this.#degree[tree]!; k < end; k++) {
					const other = this.#list[k]!;
					if (isUsed[other] !== 1) continue;
					isUsed[other] = 2;
					// neighbours by degree, then by number
					let j = count++;
					for (; j > first && this.#comesAfter(trees[j - 1]!, other); j--) trees[j] = trees[j - 1]!;
					trees[j] = other;
				}
			}
		}
		this.count = count;
		for (let i = 0, j = count - 1; i < j; i++, j--) {
			const tree = trees[i]!;
			trees[i] = trees[j]!;
			trees[j] = tree;
		}
	}

	#comesAfter(a: number, b: number): boolean {
		const difference = this.#degree[a]! - this.#degree[b]!;
		return difference > 0 || (difference === 0 && a > b);
	}
}
