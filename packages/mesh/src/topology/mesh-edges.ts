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
	const keys = new Float64Array(indices.length);
	const size = joined.length;
	let used = 0;
	const uses = new Uint32Array(indices.length);
	for (let t = 0; t < indices.length; t += 3) {
		const a = joined[indices[t]!]!;
		const b = joined[indices[t + 1]!]!;
		const c = joined[indices[t + 2]!]!;
		if (a === b || b === c || c === a) continue;
		keys[t] = Math.min(a, b) * size + Math.max(a, b);
		keys[t + 1] = Math.min(b, c) * size + Math.max(b, c);
		keys[t + 2] = Math.min(c, a) * size + Math.max(c, a);
		uses[used++] = t;
		uses[used++] = t + 1;
		uses[used++] = t + 2;
	}
	const sorted = uses.subarray(0, used).sort((p, q) => keys[p]! - keys[q]! || p - q);
	const ends = new Uint32Array(used * 2);
	const starts = new Uint32Array(used + 1);
	const triangles = new Uint32Array(used);
	const isForward = new Uint8Array(used);
	let count = 0;
	for (let i = 0; i < used; i++) {
		const use = sorted[i]!;
		if (i === 0 || keys[use] !== keys[sorted[i - 1]!]) {
			const low = Math.floor(keys[use]! / size);
			ends[count * 2] = low;
			ends[count * 2 + 1] = keys[use]! - low * size;
			starts[count++] = i;
		}
		triangles[i] = Math.floor(use / 3);
		isForward[i] = joined[indices[use]!] === ends[count * 2 - 2] ? 1 : 0;
	}
	starts[count] = used;
	return { count, ends: ends.slice(0, count * 2), starts: starts.slice(0, count + 1), triangles, isForward };
}
