/**
 * Colours a graph so that neighbours differ: nodes are visited by maximum cardinality search, which is optimal for
 * chordal graphs (Pereira and Palsberg 2005), and each gets the smallest free colour.
 * @param count Number of nodes.
 * @param areNeighbours Symmetric.
 */
export function colourGraph(count: number, areNeighbours: (a: number, b: number) => boolean): Int32Array {
	const neighbours = Array.from({ length: count }, (_, a) => {
		const own: number[] = [];
		for (let b = 0; b < count; b++) if (a !== b && areNeighbours(a, b)) own.push(b);
		return own;
	});
	const colours = new Int32Array(count).fill(-1);
	const used = new Set<number>();
	for (const node of visitingOrder(neighbours)) {
		used.clear();
		for (const other of neighbours[node]!) used.add(colours[other]!);
		let colour = 0;
		while (used.has(colour)) colour++;
		colours[node] = colour;
	}
	return colours;
}

/** Nodes by how many of their neighbours were visited before them, the most first. */
function visitingOrder(neighbours: readonly (readonly number[])[]): number[] {
	const count = neighbours.length;
	const order: number[] = [];
	const queue = new WeightQueue(count);
	for (let first = 0; order.length < count; ) {
		if (queue.isEmpty) {
			while (queue.weightOf(first) < 0) first++;
			queue.add(first, 0);
		}
		const node = queue.takeHeaviest();
		order.push(node);
		for (const other of neighbours[node]!) {
			const weight = queue.weightOf(other);
			if (weight === 0) queue.add(other, 1);
			else if (weight > 0) queue.raise(other);
		}
	}
	return order;
}

/** Nodes in buckets by weight; within a bucket a leaving node is replaced by the last one. */
class WeightQueue {
	readonly #weights: Int32Array;
	readonly #places: Int32Array;
	readonly #buckets: number[][] = [[]];
	#heaviest = 0;

	constructor(count: number) {
		this.#weights = new Int32Array(count);
		this.#places = new Int32Array(count).fill(-1);
	}

	get isEmpty(): boolean {
		return this.#heaviest === 0 && this.#buckets[0]!.length === 0;
	}

	/** -1 once taken. */
	weightOf(node: number): number {
		return this.#weights[node]!;
	}

	add(node: number, weight: number): void {
		while (this.#buckets.length <= weight) this.#buckets.push([]);
		this.#places[node] = this.#buckets[weight]!.length;
		this.#weights[node] = weight;
		this.#buckets[weight]!.push(node);
		this.#heaviest = Math.max(this.#heaviest, weight);
	}

	raise(node: number): void {
		const weight = this.#weights[node]!;
		this.#remove(this.#places[node]!, weight);
		this.add(node, weight + 1);
	}

	takeHeaviest(): number {
		const node = this.#buckets[this.#heaviest]![0]!;
		this.#remove(0, this.#heaviest);
		this.#weights[node] = -1;
		while (this.#heaviest > 0 && this.#buckets[this.#heaviest]!.length === 0) this.#heaviest--;
		return node;
	}

	#remove(place: number, weight: number): void {
		const bucket = this.#buckets[weight]!;
		const last = bucket.pop()!;
		if (place === bucket.length) return;
		bucket[place] = last;
		this.#places[last] = place;
	}
}
