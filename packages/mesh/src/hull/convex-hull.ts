import { type Report, UsageRangeError } from '@manyworlds/core';
import { createDiagnostic } from '../diagnostics.ts';
import { orient3d } from '../geometry/predicates.ts';
import { MeshDataError, type TriangleMesh } from '../triangle-mesh.ts';
import { findSimplex, type Simplex } from './find-simplex.ts';
import { planarHull } from './planar-hull.ts';
import { QuickHull } from './quick-hull.ts';

/** Options of {@link convexHull}. @public */
export interface ConvexHullOptions {
	/**
	 * Most vertices of the hull, 4 or more. The hull then grows by the point that is farthest outside until the budget is
	 * spent: it lies within the true hull, its vertices are points of the input, and `maxDistance` tells what is left out.
	 */
	readonly maxVertices?: number;
	/** Points within this share of their extent from one plane, line or point have a hull without volume. */
	readonly flatTolerance?: number;
	/** Receives a warning about a hull without volume and a note about points left out by the budget. */
	readonly report?: Report;
}

/** Values of {@link ConvexHullOptions} that are used when absent. @public */
export const CONVEX_HULL_DEFAULTS: { readonly maxVertices: number; readonly flatTolerance: number } = {
	maxVertices: Number.POSITIVE_INFINITY,
	flatTolerance: 1e-12,
};

/** A convex hull. @public */
export interface ConvexHull {
	/** Closed and outward; two-sided when the points lie in a plane; without triangles on a line or in one point. */
	readonly mesh: TriangleMesh;
	/** The point of the input at each vertex of the mesh, ascending. */
	readonly vertexIndices: Uint32Array;
	/** 3 for a solid, 2 for a polygon, 1 for a segment, 0 for a point, -1 without points. */
	readonly dimension: -1 | 0 | 1 | 2 | 3;
	/** Largest distance of a point of the input above a face: 0 without a vertex budget. */
	readonly maxDistance: number;
}

/**
 * The convex hull of points, three coordinates each: every vertex is an extreme point, once. Decisions are exact, so the set
 * of vertices does not depend on the order of the points; the same input gives the same triangles.
 *
 * ```ts
 * const { mesh } = convexHull(part.vertices, { maxVertices: 64 });
 * ```
 * @public
 */
export function convexHull(points: Float64Array, options: ConvexHullOptions = {}): ConvexHull {
	const { maxVertices = CONVEX_HULL_DEFAULTS.maxVertices, flatTolerance = CONVEX_HULL_DEFAULTS.flatTolerance } =
		options;
	if (!(maxVertices >= 4)) throw new UsageRangeError(`maxVertices is ${maxVertices}, expected 4 or more`);
	if (!(flatTolerance >= 0)) throw new UsageRangeError(`flatTolerance is ${flatTolerance}, expected 0 or more`);
	checkPoints(points);
	const simplex = findSimplex(points, flatTolerance);
	if (simplex.dimension < 3) return flatHull(points, simplex, options.report);
	const hull = solidHull(points, simplex, maxVertices);
	if (hull.maxDistance > 0) {
		const message = `the hull of ${maxVertices} vertices leaves points up to ${hull.maxDistance} outside`;
		options.report?.add(createDiagnostic('MESH022', message, { data: { maxDistance: hull.maxDistance } }));
	}
	return hull;
}

function solidHull(points: Float64Array, simplex: Simplex, maxVertices: number): ConvexHull {
	const [a, b, c, d] = simplex.points as readonly [number, number, number, number];
	const hull = new QuickHull(points, simplex.extent);
	hull.start(a, b, c, d);
	let maxDistance = 0;
	if (maxVertices >= points.length / 3) hull.finish();
	else maxDistance = hull.addHighest(maxVertices - 4);
	const redundant = markRedundant(points, hull);
	const vertexIndices = usedPoints(points.length / 3, hull, redundant);
	if (redundant !== undefined) {
		// points within faces and edges are known now: the hull of the others has the same shape
		const kept = gather(points, vertexIndices);
		const again = solidHull(kept, findSimplex(kept, 0), Number.POSITIVE_INFINITY);
		return { ...again, vertexIndices: again.vertexIndices.map((index) => vertexIndices[index]!), maxDistance };
	}
	const renumbered = new Uint32Array(points.length / 3);
	for (let i = 0; i < vertexIndices.length; i++) renumbered[vertexIndices[i]!] = i;
	const indices: number[] = [];
	for (let facet = 0; facet < hull.facetCount; facet++) {
		if (hull.alive[facet] !== 1) continue;
		for (let i = 0; i < 3; i++) indices.push(renumbered[hull.corners[facet * 3 + i]!]!);
	}
	const mesh = { vertices: gather(points, vertexIndices), indices: Uint32Array.from(indices) };
	return { mesh, vertexIndices, dimension: 3, maxDistance };
}

/** Marks corners that lie within a face or an edge of the hull: their facets have fewer than three planes. */
function markRedundant(points: Float64Array, hull: QuickHull): Uint8Array | undefined {
	const { corners, neighbours, alive, facetCount } = hull;
	const planes = new Uint32Array(facetCount);
	for (let facet = 0; facet < facetCount; facet++) planes[facet] = facet;
	let merges = 0;
	for (let facet = 0; facet < facetCount; facet++) {
		if (alive[facet] !== 1) continue;
		for (let i = 0; i < 3; i++) {
			const other = neighbours[facet * 3 + i]!;
			if (other < facet) continue;
			let slot = other * 3;
			while (neighbours[slot] !== facet) slot++;
			// the corner of the neighbour that is not on the common edge
			const apex = corners[other * 3 + ((slot - other * 3 + 2) % 3)]! * 3;
			const at = facet * 3;
			if (orient3d(points, corners[at]! * 3, corners[at + 1]! * 3, corners[at + 2]! * 3, apex) !== 0) continue;
			planes[findPlane(planes, other)] = findPlane(planes, facet);
			merges++;
		}
	}
	if (merges === 0) return undefined;
	const first = new Int32Array(points.length / 3).fill(-1);
	const second = new Int32Array(points.length / 3).fill(-1);
	const redundant = new Uint8Array(points.length / 3).fill(1);
	for (let facet = 0; facet < facetCount; facet++) {
		if (alive[facet] !== 1) continue;
		const plane = findPlane(planes, facet);
		for (let i = 0; i < 3; i++) {
			const corner = corners[facet * 3 + i]!;
			if (first[corner] === -1) first[corner] = plane;
			else if (first[corner] !== plane) {
				if (second[corner] === -1) second[corner] = plane;
				else if (second[corner] !== plane) redundant[corner] = 0;
			}
		}
	}
	for (let facet = 0; facet < facetCount; facet++) {
		if (alive[facet] !== 1) continue;
		for (let i = 0; i < 3; i++) if (redundant[corners[facet * 3 + i]!] === 1) return redundant;
	}
	return undefined;
}

/** The facet that stands for the plane of a facet. */
function findPlane(planes: Uint32Array, facet: number): number {
	let root = facet;
	while (planes[root] !== root) root = planes[root] = planes[planes[root]!]!;
	return root;
}

function usedPoints(count: number, hull: QuickHull, redundant: Uint8Array | undefined): Uint32Array {
	const isUsed = new Uint8Array(count);
	for (let facet = 0; facet < hull.facetCount; facet++) {
		if (hull.alive[facet] !== 1) continue;
		for (let i = 0; i < 3; i++) isUsed[hull.corners[facet * 3 + i]!] = 1;
	}
	const used: number[] = [];
	for (let i = 0; i < count; i++) if (isUsed[i] === 1 && redundant?.[i] !== 1) used.push(i);
	return Uint32Array.from(used);
}

const FLAT_NAMES = ['one point', 'one line', 'one plane'];

function flatHull(points: Float64Array, simplex: Simplex, report: Report | undefined): ConvexHull {
	const { dimension } = simplex;
	if (dimension === 3) throw new UsageRangeError('the points are not flat');
	const where = dimension < 0 ? 'there is no point' : `all ${points.length / 3} points lie in ${FLAT_NAMES[dimension]}`;
	report?.add(createDiagnostic('MESH020', `${where}, expected four that are not in one plane`));
	const { corners, indices } =
		dimension === 2 ? planarHull(points, simplex.points) : { corners: [...simplex.points], indices: [] };
	const order = [...corners].sort((a, b) => a - b);
	const vertexIndices = Uint32Array.from(order);
	const places = new Map(order.map((corner, i) => [corner, i]));
	const mesh = { vertices: gather(points, vertexIndices), indices: Uint32Array.from(indices, (i) => places.get(i)!) };
	return { mesh, vertexIndices, dimension, maxDistance: 0 };
}

function gather(points: Float64Array, which: Uint32Array): Float64Array {
	const out = new Float64Array(which.length * 3);
	for (let i = 0; i < which.length; i++) {
		for (let k = 0; k < 3; k++) out[i * 3 + k] = points[which[i]! * 3 + k]!;
	}
	return out;
}

function checkPoints(points: Float64Array): void {
	if (points.length % 3 !== 0) throw new MeshDataError(`points has ${points.length} numbers, expected a multiple of 3`);
	for (let i = 0; i < points.length; i++) {
		if (!Number.isFinite(points[i]!)) {
			throw new MeshDataError(`point ${Math.floor(i / 3)} has the coordinate ${points[i]}, expected a finite number`);
		}
	}
}
