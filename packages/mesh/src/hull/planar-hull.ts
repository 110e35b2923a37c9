import { orient2d } from '../geometry/predicates.ts';

/** Convex polygon of points in a plane, as a surface with two sides. */
export interface PlanarHull {
	/** Extreme points, counterclockwise seen along the axis that was left out. */
	readonly corners: number[];
	/** Triangles of both sides over point numbers. */
	readonly indices: number[];
}

/** The hull of points that lie in the plane of three of them, by the monotone chain on two coordinates. */
export function planarHull(points: Float64Array, plane: readonly number[]): PlanarHull {
	const [a, b, c] = [plane[0]! * 3, plane[1]! * 3, plane[2]! * 3];
	const normal = [0, 1, 2].map((axis) => {
		const [u, v] = [(axis + 1) % 3, (axis + 2) % 3];
		const first = (points[b + u]! - points[a + u]!) * (points[c + v]! - points[a + v]!);
		return Math.abs(first - (points[b + v]! - points[a + v]!) * (points[c + u]! - points[a + u]!));
	});
	const dropped = normal.indexOf(Math.max(...normal));
	const [u, v] = [(dropped + 1) % 3, (dropped + 2) % 3];
	const order = Uint32Array.from({ length: points.length / 3 }, (_, i) => i);
	order.sort((p, q) => points[p * 3 + u]! - points[q * 3 + u]! || points[p * 3 + v]! - points[q * 3 + v]! || p - q);
	const turn = (p: number, q: number, r: number): number =>
		orient2d(
			points[p * 3 + u]!,
			points[p * 3 + v]!,
			points[q * 3 + u]!,
			points[q * 3 + v]!,
			points[r * 3 + u]!,
			points[r * 3 + v]!,
		);
	const chain = (list: Uint32Array): number[] => {
		const kept: number[] = [];
		for (const point of list) {
			while (kept.length >= 2 && turn(kept.at(-2)!, kept.at(-1)!, point) <= 0) kept.pop();
			kept.push(point);
		}
		kept.pop();
		return kept;
	};
	const corners = [...chain(order), ...chain(order.reverse())];
	const indices: number[] = [];
	for (let i = 1; i + 1 < corners.length; i++) {
		const [p, q, r] = [corners[0]!, corners[i]!, corners[i + 1]!];
		indices.push(p, q, r, p, r, q);
	}
	return { corners, indices };
}
