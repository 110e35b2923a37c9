/**
 * Keeps at most `most` contacts of a set that shares one normal, moved to the front in their old order: the deepest, the one
 * farthest from it, then those that span the largest area. Ties go to the smaller index. Gives the number kept.
 */
export function reducePoints(
	pointA: Float64Array,
	pointB: Float64Array,
	distance: Float64Array,
	count: number,
	most: number,
): number {
	if (count <= most) return count;
	chosen.fill(0, 0, count);
	let first = 0;
	for (let i = 1; i < count; i++) if (distance[i]! < distance[first]! - 1e-9) first = i;
	chosen[first] = 1;
	// each further point is the one farthest from all that are kept
	for (let kept = 1; kept < most; kept++) {
		let best = -1;
		let farthest = -1;
		for (let i = 0; i < count; i++) {
			if (chosen[i] === 1) continue;
			let near = Number.POSITIVE_INFINITY;
			for (let j = 0; j < count; j++) {
				if (chosen[j] === 0) continue;
				const x = pointA[3 * i]! - pointA[3 * j]!;
				const y = pointA[3 * i + 1]! - pointA[3 * j + 1]!;
				const z = pointA[3 * i + 2]! - pointA[3 * j + 2]!;
				near = Math.min(near, x * x + y * y + z * z);
			}
			if (near > farthest * (1 + 1e-9)) {
				farthest = near;
				best = i;
			}
		}
		chosen[best] = 1;
	}
	let to = 0;
	for (let i = 0; i < count; i++) {
		if (chosen[i] === 0) continue;
		for (let k = 0; k < 3; k++) {
			pointA[3 * to + k] = pointA[3 * i + k]!;
			pointB[3 * to + k] = pointB[3 * i + k]!;
		}
		distance[to++] = distance[i]!;
	}
	return to;
}

const chosen = new Uint8Array(1024);
