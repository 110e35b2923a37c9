import { findSimplex } from '../hull/find-simplex.ts';
import { QuickHull } from '../hull/quick-hull.ts';

/** Volume of the convex hull of points, three coordinates each; 0 when they are flat. */
export function hullVolume(points: Float64Array): number {
	const { dimension, points: corners, extent } = findSimplex(points, 1e-12);
	if (dimension < 3) return 0;
	const hull = new QuickHull(points, extent);
	hull.start(corners[0]!, corners[1]!, corners[2]!, corners[3]!);
	hull.finish();
	const o = corners[0]! * 3;
	const [ox, oy, oz] = [points[o]!, points[o + 1]!, points[o + 2]!];
	let volume = 0;
	for (let facet = 0; facet < hull.facetCount; facet++) {
		if (hull.alive[facet] !== 1) continue;
		const a = hull.corners[facet * 3]! * 3;
		const b = hull.corners[facet * 3 + 1]! * 3;
		const c = hull.corners[facet * 3 + 2]! * 3;
		const ax = points[a]! - ox;
		const ay = points[a + 1]! - oy;
		const az = points[a + 2]! - oz;
		const bx = points[b]! - ox;
		const by = points[b + 1]! - oy;
		const bz = points[b + 2]! - oz;
		const cx = points[c]! - ox;
		const cy = points[c + 1]! - oy;
		const cz = points[c + 2]! - oz;
		volume += ax * (by * cz - bz * cy) + ay * (bz * cx - bx * cz) + az * (bx * cy - by * cx);
	}
	return volume / 6;
}
