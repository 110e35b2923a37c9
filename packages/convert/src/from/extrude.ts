import type { TriangleMesh } from '@manyworlds/mesh';
import { triangulatePolygon } from '@manyworlds/mesh/internal';

/** The solid over an outline of x y pairs, from z = 0 up; undefined when the outline has no area. */
export function extrude(outline: readonly number[], height: number): TriangleMesh | undefined {
	const points = withoutRepeats(outline);
	const count = points.length / 2;
	let area = 0;
	for (let i = 0; i < count; i++) {
		const j = (i + 1) % count;
		area += points[2 * i]! * points[2 * j + 1]! - points[2 * j]! * points[2 * i + 1]!;
	}
	if (count < 3 || !(Math.abs(area) > 0)) return undefined;
	// counterclockwise seen from above
	const order = Array.from({ length: count }, (_, i) => (area > 0 ? i : count - 1 - i));
	const vertices = new Float64Array(6 * count);
	for (const [k, i] of order.entries()) {
		vertices.set([points[2 * i]!, points[2 * i + 1]!, 0], 3 * k);
		vertices.set([points[2 * i]!, points[2 * i + 1]!, height], 3 * (count + k));
	}
	const indices: number[] = [];
	const { triangles: faces } = triangulatePolygon(vertices, [Array.from({ length: count }, (_, k) => k)]);
	for (let t = 0; t + 2 < faces.length; t += 3) {
		const [a, b, c] = [faces[t]!, faces[t + 1]!, faces[t + 2]!];
		indices.push(c, b, a, count + a, count + b, count + c);
	}
	for (let k = 0; k < count; k++) {
		const next = (k + 1) % count;
		indices.push(k, next, count + next, k, count + next, count + k);
	}
	return { vertices, indices: Uint32Array.from(indices) };
}

/** Outlines often end where they begin. */
function withoutRepeats(outline: readonly number[]): number[] {
	const points: number[] = [];
	for (let i = 0; i + 1 < outline.length; i += 2) {
		const [x, y] = [outline[i]!, outline[i + 1]!];
		if (points.at(-2) !== x || points.at(-1) !== y) points.push(x, y);
	}
	if (points.length > 2 && points[0] === points.at(-2) && points[1] === points.at(-1)) points.length -= 2;
	return points;
}
