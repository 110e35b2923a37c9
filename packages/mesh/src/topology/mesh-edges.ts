/** Edges of triangles with the triangles at each. */
export interface MeshEdges {
	readonly count: number;
	/** Two vertices of each edge, the smaller first. */
	readonly ends: Uint32Array;
	/** `triangles[starts[e]]` is the first triangle of edge e; one entry more than edges. */
	readonly starts: Uint32Array;
	/** Ascending for each edge. */
	readonly triangles: Uint32Array;
	/** 1 where the triangle runs from the smaller to the larger vertex. */
	readonly isForward: Uint8Array;
}

/** Collects the edges of triangles over joined vertices, sorted by their vertices. Collapsed triangles have none. */
export function buildEdges(indices: Uint32Array, joined: Uint32Array): MeshEdges {
	const size = joined.length;
	const lows = new Uint32Array(indices.length);
	const highs = new Uint32Array(indices.length);
	const uses = new Uint32Array(indices.length);
	let used = 0;
	for (let t = 0; t < indices.length; t += 3) {
		const a = joined[indices[t]!]!;
		const b = joined[indices[t + 1]!]!;
		const c = joined[indices[t + 2]!]!;
		if (a === b || b === c || c === a) continue;
		lows[t] = Math.min(a, b);
		highs[t] = Math.max(a, b);
		lows[t + 1] = Math.min(b, c);
		highs[t + 1] = Math.max(b, c);
		lows[t + 2] = Math.min(c, a);
		highs[t + 2] = Math.max(c, a);
		uses[used++] = t;
		uses[used++] = t + 1;
		uses[used++] = t + 2;
	}
	// each pass keeps the order of the one before where its keys are equal
	const sorted = sortBy(lows, size, sortBy(highs, size, uses.subarray(0, used)));
	const ends = new Uint32Array(used * 2);
	const starts = new Uint32Array(used + 1);
	const triangles = new Uint32Array(used);
	const isForward = new Uint8Array(used);
	let count = 0;
	for (let i = 0; i < used; i++) {
		const use = sorted[i]!;
		const before = i === 0 ? use : sorted[i - 1]!;
		if (i === 0 || lows[use] !== lows[before] || highs[use] !== highs[before]) {
			ends[count * 2] = lows[use]!;
			ends[count * 2 + 1] = highs[use]!;
			starts[count++] = i;
		}
		triangles[i] = Math.floor(use / 3);
		isForward[i] = joined[indices[use]!] === ends[count * 2 - 2] ? 1 : 0;
	}
	starts[count] = used;
	return { count, ends: ends.slice(0, count * 2), starts: starts.slice(0, count + 1), triangles, isForward };
}

/** Items in the order of their keys, which are below `size`; those with one key stay in the order that they have. */
function sortBy(keys: Uint32Array, size: number, items: Uint32Array): Uint32Array {
	const next = new Uint32Array(size + 1);
	for (let i = 0; i < items.length; i++) {
		const key = keys[items[i]!]! + 1;
		next[key] = next[key]! + 1;
	}
	for (let key = 0; key < size; key++) next[key + 1] = next[key + 1]! + next[key]!;
	const sorted = new Uint32Array(items.length);
	for (let i = 0; i < items.length; i++) {
		const key = keys[items[i]!]!;
		const place = next[key]!;
		next[key] = place + 1;
		sorted[place] = items[i]!;
	}
	return sorted;
}
