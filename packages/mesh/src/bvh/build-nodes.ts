import type { TriangleMesh } from '../triangle-mesh.ts';

/** Arrays of a tree of boxes; see `TriangleBvh`. */
export interface BvhNodes {
	readonly bounds: Float64Array;
	readonly offsets: Uint32Array;
	readonly counts: Uint32Array;
	readonly order: Uint32Array;
	readonly depth: number;
}

const LEAF_SIZE = 4;
const BINS = 12;
/** Sets up to this size are halved along their longest side: bins cost more than they save. */
const SMALL = 32;

/** Builds the tree from the top: each set is split where the surface area heuristic over a few bins costs least. */
export function buildNodes({ vertices, indices }: TriangleMesh): BvhNodes {
	const count = indices.length / 3;
	const boxes = new Float64Array(count * 6);
	for (let t = 0; t < count; t++) {
		for (let axis = 0; axis < 3; axis++) {
			const a = vertices[indices[t * 3]! * 3 + axis]!;
			const b = vertices[indices[t * 3 + 1]! * 3 + axis]!;
			const c = vertices[indices[t * 3 + 2]! * 3 + axis]!;
			boxes[t * 6 + axis] = Math.min(a, b, c);
			boxes[t * 6 + 3 + axis] = Math.max(a, b, c);
		}
	}
	const order = Uint32Array.from({ length: count }, (_, i) => i);
	const capacity = Math.max(2 * count, 1);
	const bounds = new Float64Array(capacity * 6);
	const offsets = new Uint32Array(capacity);
	const counts = new Uint32Array(capacity);
	let nodes = 0;
	let depth = 1;
	// first, end, parent that waits for its second child (or -1), depth
	const stack = count === 0 ? [] : [0, count, -1, 1];
	const splitter = new BinSplitter(boxes, order);
	while (stack.length > 0) {
		const level = stack.pop()!;
		const parent = stack.pop()!;
		const end = stack.pop()!;
		const first = stack.pop()!;
		const node = nodes++;
		depth = Math.max(depth, level);
		if (parent >= 0) offsets[parent] = node;
		enclose(bounds, node * 6, boxes, order, first, end);
		const middle = end - first <= LEAF_SIZE ? -1 : splitter.split(first, end);
		if (middle < 0) {
			offsets[node] = first;
			counts[node] = end - first;
			continue;
		}
		stack.push(middle, end, node, level + 1);
		stack.push(first, middle, -1, level + 1);
	}
	return {
		bounds: bounds.slice(0, nodes * 6),
		offsets: offsets.slice(0, nodes),
		counts: counts.slice(0, nodes),
		order,
		depth: depth + 1,
	};
}

function enclose(
	out: Float64Array,
	at: number,
	boxes: Float64Array,
	order: Uint32Array,
	first: number,
	end: number,
): void {
	out.fill(Number.POSITIVE_INFINITY, at, at + 3);
	out.fill(Number.NEGATIVE_INFINITY, at + 3, at + 6);
	for (let i = first; i < end; i++) {
		const box = order[i]! * 6;
		for (let axis = 0; axis < 3; axis++) {
			if (boxes[box + axis]! < out[at + axis]!) out[at + axis] = boxes[box + axis]!;
			if (boxes[box + 3 + axis]! > out[at + 3 + axis]!) out[at + 3 + axis] = boxes[box + 3 + axis]!;
		}
	}
}

/** Splits ranges of the order of triangles in two. */
class BinSplitter {
	readonly #boxes: Float64Array;
	readonly #order: Uint32Array;
	readonly #binBounds = new Float64Array(BINS * 6);
	readonly #binCounts = new Uint32Array(BINS);
	readonly #rightAreas = new Float64Array(BINS);
	readonly #growing = new Float64Array(6);
	readonly #scratch: Uint32Array;

	constructor(boxes: Float64Array, order: Uint32Array) {
		this.#boxes = boxes;
		this.#order = order;
		this.#scratch = new Uint32Array(order.length);
	}

	/** Reorders a range and gives where its second half starts. */
	split(first: number, end: number): number {
		return end - first <= SMALL ? this.#halve(first, end) : this.#splitByBins(first, end);
	}

	/** Splits a range in the middle of the longest side of the box of its centres. */
	#halve(first: number, end: number): number {
		const boxes = this.#boxes;
		const order = this.#order;
		let longest = 0;
		let bestAxis = -1;
		let middle = 0;
		for (let axis = 0; axis < 3; axis++) {
			let low = Number.POSITIVE_INFINITY;
			let high = Number.NEGATIVE_INFINITY;
			for (let i = first; i < end; i++) {
				const at = order[i]! * 6 + axis;
				const centre = boxes[at]! + boxes[at + 3]!;
				if (centre < low) low = centre;
				if (centre > high) high = centre;
			}
			if (!(high - low > longest)) continue;
			longest = high - low;
			bestAxis = axis;
			middle = low + longest / 2;
		}
		// all centres in one place, or none that is a number: halves of the order
		if (bestAxis < 0) return (first + end) >>> 1;
		let left = first;
		let right = 0;
		for (let i = first; i < end; i++) {
			const triangle = order[i]!;
			const at = triangle * 6 + bestAxis;
			if (boxes[at]! + boxes[at + 3]! <= middle) order[left++] = triangle;
			else this.#scratch[right++] = triangle;
		}
		for (let i = 0; i < right; i++) order[left + i] = this.#scratch[i]!;
		return left === first || left === end ? (first + end) >>> 1 : left;
	}

	#splitByBins(first: number, end: number): number {
		const boxes = this.#boxes;
		const order = this.#order;
		let best = Number.POSITIVE_INFINITY;
		let bestAxis = -1;
		let bestBin = 0;
		let bestLow = 0;
		let bestScale = 0;
		for (let axis = 0; axis < 3; axis++) {
			let low = Number.POSITIVE_INFINITY;
			let high = Number.NEGATIVE_INFINITY;
			for (let i = first; i < end; i++) {
				const centre = boxes[order[i]! * 6 + axis]! + boxes[order[i]! * 6 + 3 + axis]!;
				if (centre < low) low = centre;
				if (centre > high) high = centre;
			}
			if (!(high > low)) continue;
			const scale = BINS / (high - low);
			if (!Number.isFinite(scale)) continue;
			this.#fillBins(first, end, axis, low, scale);
			const [bin, cost] = this.#cheapest();
			if (cost < best) [best, bestAxis, bestBin, bestLow, bestScale] = [cost, axis, bin, low, scale];
		}
		// all centres in one place: halves of the order
		if (bestAxis < 0) return (first + end) >>> 1;
		let left = first;
		let right = 0;
		for (let i = first; i < end; i++) {
			const triangle = order[i]!;
			if (this.#bin(triangle, bestAxis, bestLow, bestScale) <= bestBin) order[left++] = triangle;
			else this.#scratch[right++] = triangle;
		}
		order.set(this.#scratch.subarray(0, right), left);
		return left === first || left === end ? (first + end) >>> 1 : left;
	}

	#bin(triangle: number, axis: number, low: number, scale: number): number {
		const centre = this.#boxes[triangle * 6 + axis]! + this.#boxes[triangle * 6 + 3 + axis]!;
		return Math.min(Math.floor((centre - low) * scale), BINS - 1);
	}

	#fillBins(first: number, end: number, axis: number, low: number, scale: number): void {
		const bins = this.#binBounds;
		this.#binCounts.fill(0);
		for (let bin = 0; bin < BINS; bin++) {
			bins.fill(Number.POSITIVE_INFINITY, bin * 6, bin * 6 + 3);
			bins.fill(Number.NEGATIVE_INFINITY, bin * 6 + 3, bin * 6 + 6);
		}
		for (let i = first; i < end; i++) {
			const triangle = this.#order[i]!;
			const bin = this.#bin(triangle, axis, low, scale);
			this.#binCounts[bin] = this.#binCounts[bin]! + 1;
			grow(bins, bin * 6, this.#boxes, triangle * 6);
		}
	}

	/** The last bin of the left side with the least cost. */
	#cheapest(): [number, number] {
		const growing = this.#growing;
		const reset = (): void => {
			growing.fill(Number.POSITIVE_INFINITY, 0, 3);
			growing.fill(Number.NEGATIVE_INFINITY, 3, 6);
		};
		reset();
		let count = 0;
		for (let bin = BINS - 1; bin > 0; bin--) {
			if (this.#binCounts[bin]! > 0) grow(growing, 0, this.#binBounds, bin * 6);
			count += this.#binCounts[bin]!;
			this.#rightAreas[bin] = count === 0 ? 0 : area(growing) * count;
		}
		reset();
		count = 0;
		let best: [number, number] = [0, Number.POSITIVE_INFINITY];
		for (let bin = 0; bin + 1 < BINS; bin++) {
			if (this.#binCounts[bin]! > 0) grow(growing, 0, this.#binBounds, bin * 6);
			count += this.#binCounts[bin]!;
			const cost = (count === 0 ? 0 : area(growing) * count) + this.#rightAreas[bin + 1]!;
			if (cost < best[1]) best = [bin, cost];
		}
		return best;
	}
}

function grow(out: Float64Array, at: number, box: Float64Array, from: number): void {
	for (let axis = 0; axis < 3; axis++) {
		if (box[from + axis]! < out[at + axis]!) out[at + axis] = box[from + axis]!;
		if (box[from + 3 + axis]! > out[at + 3 + axis]!) out[at + 3 + axis] = box[from + 3 + axis]!;
	}
}

function area(box: Float64Array): number {
	const [x, y, z] = [box[3]! - box[0]!, box[4]! - box[1]!, box[5]! - box[2]!];
	return x * y + y * z + z * x;
}
