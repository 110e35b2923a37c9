/** An edge that waits to be collapsed. */
export interface WaitingEdge {
	readonly cost: number;
	readonly a: number;
	readonly b: number;
	/** Sum of the versions of its ends when it was put on the heap. */
	readonly version: number;
}

/** A binary heap of edges: the cheapest first, those of one cost by their vertices. */
export class EdgeHeap {
	readonly #items: WaitingEdge[] = [];

	push(cost: number, a: number, b: number, version: number): void {
		const items = this.#items;
		const item = { cost, a, b, version };
		let at = items.length;
		items.push(item);
		while (at > 0) {
			const parent = (at - 1) >> 1;
			if (!isBefore(item, items[parent]!)) break;
			items[at] = items[parent]!;
			at = parent;
		}
		items[at] = item;
	}

	pop(): WaitingEdge | undefined {
		const items = this.#items;
		const first = items[0];
		const last = items.pop();
		if (last === undefined || items.length === 0) return first;
		let at = 0;
		for (;;) {
			let child = 2 * at + 1;
			if (child >= items.length) break;
			if (child + 1 < items.length && isBefore(items[child + 1]!, items[child]!)) child++;
			if (!isBefore(items[child]!, last)) break;
			items[at] = items[child]!;
			at = child;
		}
		items[at] = last;
		return first;
	}
}

function isBefore(p: WaitingEdge, q: WaitingEdge): boolean {
	return p.cost !== q.cost ? p.cost < q.cost : p.a !== q.a ? p.a < q.a : p.b < q.b;
}
