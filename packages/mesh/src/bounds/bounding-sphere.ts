import { convexHull } from '../hull/convex-hull.ts';

/** A ball. @public */
export interface BoundingSphere {
	readonly center: Float64Array;
	readonly radius: number;
}

/**
 * The smallest ball around points, three coordinates each. Starts with one point and takes in the farthest one outside until
 * none is; each step finds the smallest ball of at most four points that determine it. Empty input gives radius 0 at the origin.
 * @public
 */
export function boundingSphere(points: Float64Array): BoundingSphere {
	if (points.length === 0) return { center: new Float64Array(3), radius: 0 };
	// only extreme points can be outermost
	const vertices = points.length > 3000 ? convexHull(points).mesh.vertices : points;
	let support = [0];
	let ball: Ball = { x: vertices[0]!, y: vertices[1]!, z: vertices[2]!, square: 0 };
	// every step makes the ball larger, so no set of points comes twice; the limit guards against rounding
	for (let step = 0; step < 1000; step++) {
		let farthest = -1;
		let most = ball.square * (1 + 1e-14);
		for (let i = 0; i < vertices.length; i += 3) {
			const square = (vertices[i]! - ball.x) ** 2 + (vertices[i + 1]! - ball.y) ** 2 + (vertices[i + 2]! - ball.z) ** 2;
			if (square > most) [most, farthest] = [square, i / 3];
		}
		if (farthest < 0) break;
		const next = smallestWith(vertices, support, farthest);
		if (next === undefined || next.ball.square <= ball.square) {
			// points so close that rounding hides the difference
			ball = { ...ball, square: most };
			break;
		}
		({ support, ball } = next);
	}
	let square = ball.square;
	for (let i = 0; i < vertices.length; i += 3) {
		square = Math.max(
			square,
			(vertices[i]! - ball.x) ** 2 + (vertices[i + 1]! - ball.y) ** 2 + (vertices[i + 2]! - ball.z) ** 2,
		);
	}
	return { center: Float64Array.of(ball.x, ball.y, ball.z), radius: Math.sqrt(square) };
}

interface Ball {
	readonly x: number;
	readonly y: number;
	readonly z: number;
	readonly square: number;
}

/** The smallest ball around some points and one more, which lies on it, with the points that determine it. */
function smallestWith(
	vertices: Float64Array,
	support: readonly number[],
	point: number,
): { support: number[]; ball: Ball } | undefined {
	let best: { support: number[]; ball: Ball } | undefined;
	for (let subset = 0; subset < 1 << support.length; subset++) {
		const chosen = [point, ...support.filter((_, i) => (subset >> i) & 1)];
		if (chosen.length > 4) continue;
		const ball = ballThrough(vertices, chosen);
		if (ball === undefined || (best !== undefined && ball.square >= best.ball.square)) continue;
		const holdsAll = support.every((p) => {
			const square =
				(vertices[p * 3]! - ball.x) ** 2 + (vertices[p * 3 + 1]! - ball.y) ** 2 + (vertices[p * 3 + 2]! - ball.z) ** 2;
			return square <= ball.square * (1 + 1e-12);
		});
		if (holdsAll) best = { support: chosen, ball };
	}
	return best;
}

/** The smallest ball with one to four points on its surface; undefined when they are dependent. */
function ballThrough(vertices: Float64Array, points: readonly number[]): Ball | undefined {
	const origin = points[0]! * 3;
	const edges = points.slice(1).map((p) => [0, 1, 2].map((k) => vertices[p * 3 + k]! - vertices[origin + k]!));
	// the centre is a sum of edges: G λ = diag(G) / 2 with the products G of the edges
	const size = edges.length;
	const rows = edges.map((e, i) => [...edges.map((f) => dot(e, f)), dot(edges[i]!, edges[i]!) / 2]);
	for (let column = 0; column < size; column++) {
		let pivot = column;
		for (let row = column + 1; row < size; row++) {
			if (Math.abs(rows[row]![column]!) > Math.abs(rows[pivot]![column]!)) pivot = row;
		}
		[rows[column], rows[pivot]] = [rows[pivot]!, rows[column]!];
		const lead = rows[column]![column]!;
		if (!(Math.abs(lead) > 1e-14 * dot(edges[column]!, edges[column]!))) return undefined;
		for (let row = 0; row < size; row++) {
			if (row === column) continue;
			const factor = rows[row]![column]! / lead;
			for (let k = column; k <= size; k++) rows[row]![k] = rows[row]![k]! - factor * rows[column]![k]!;
		}
	}
	const center = [0, 0, 0];
	for (let i = 0; i < size; i++) {
		const weight = rows[i]![size]! / rows[i]![i]!;
		for (let k = 0; k < 3; k++) center[k] = center[k]! + weight * edges[i]![k]!;
	}
	const [x, y, z] = [0, 1, 2].map((k) => vertices[origin + k]! + center[k]!) as [number, number, number];
	return { x, y, z, square: dot(center, center) };
}

function dot(a: readonly number[], b: readonly number[]): number {
	return a[0]! * b[0]! + a[1]! * b[1]! + a[2]! * b[2]!;
}
