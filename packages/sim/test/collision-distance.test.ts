import { GeoType } from '@manyworlds/model';
import { describe, expect, it } from 'vitest';
import { BoxAxes } from '../src/collision/box-axes.ts';
import { ContactManifold } from '../src/collision/contact-manifold.ts';
import { ConvexShape } from '../src/collision/convex-shape.ts';
import { directionCell } from '../src/collision/hull-geometry.ts';
import { type PointDistance, pointDistance } from '../src/collision/point-distance.ts';
import { reducePoints } from '../src/collision/reduce-points.ts';
import { ShapeDistance } from '../src/collision/shape-distance.ts';
import { hullOfPoints } from '../src/internal.ts';
import {
	CLOUD,
	DIRECTIONS,
	dot,
	expectInside,
	farthest,
	HULLS,
	KINDS,
	type Kind,
	MORE,
	outside,
	randomOf,
	randomTurn,
	type Solid,
	solid,
	unit,
	type Vector,
	X,
	Y,
} from './solids.ts';

/**
 * A lower bound of the signed distance, which is the largest gap along any direction (the separating axis theorem, which gives the least depth
 * too): the best of many directions, the first of them improved by smaller and smaller steps. A distance that a direction shows, and that no
 * direction exceeds, is the right one.
 */
function largestGap(a: Solid, b: Solid): number {
	const gap = (n: Vector): number => -b.reach([-n[0], -n[1], -n[2]]) - a.reach(n);
	const starts = DIRECTIONS.map((n) => ({ n, value: gap(n) })).sort((one, two) => two.value - one.value);
	let best = Number.NEGATIVE_INFINITY;
	for (const start of starts.slice(0, 4)) {
		let { n, value } = start;
		for (let step = 0.1; step > 1e-4; ) {
			let isBetter = false;
			const across = unit(Math.abs(n[0]) < 0.6 ? [0, n[2], -n[1]] : [-n[2], 0, n[0]]);
			const third: Vector = [
				n[1] * across[2] - n[2] * across[1],
				n[2] * across[0] - n[0] * across[2],
				n[0] * across[1] - n[1] * across[0],
			];
			for (let k = 0; k < 6 && !isBetter; k++) {
				const [c, s] = [step * Math.cos(k * 1.0472 + step), step * Math.sin(k * 1.0472 + step)];
				const m = unit([0, 1, 2].map((i) => n[i]! + c * across[i]! + s * third[i]!) as unknown as Vector);
				const found = gap(m);
				if (found > value) {
					value = found;
					n = m;
					isBetter = true;
				}
			}
			if (!isBetter) step *= 0.5;
		}
		best = Math.max(best, value);
	}
	return best;
}

const A = new ConvexShape();
const B = new ConvexShape();

describe('the signed distance of two shapes', () => {
	const found = new ShapeDistance();
	const back = new ShapeDistance();
	const pairs = KINDS.flatMap((a, i) => KINDS.slice(i).map((b) => [a, b] as const));

	it.each(pairs)('%s and %s is the largest gap along any direction, with points and normal to it', (kindA, kindB) => {
		// two triangles have no inside to be in
		const depths = kindA === 'triangle' && kindB === 'triangle' ? [0.9, 0.6] : [0.9, 0.6, 0.35, 0.15];
		for (const [i, spread] of depths.entries()) {
			const random = randomOf(97 * KINDS.indexOf(kindA) + 13 * KINDS.indexOf(kindB) + i);
			const place = (): Vector => {
				const n = unit([random(), random(), random()]);
				return [spread * n[0], spread * n[1], spread * n[2]];
			};
			const a = solid(kindA, [7, -3, 2], randomTurn(random));
			const away = place();
			const b = solid(kindB, [7 + away[0], -3 + away[1], 2 + away[2]], randomTurn(random));
			found.limit = Number.POSITIVE_INFINITY;
			found.compute(a.place(A), b.place(B));
			const slow = largestGap(a, b);
			expect(slow).toBeLessThan(found.distance + 1e-8);
			const exact = found.distance;
			const n: Vector = [found.nx, found.ny, found.nz];
			expect(Math.hypot(...n)).toBeCloseTo(1, 12);
			const gap = -b.reach([-n[0], -n[1], -n[2]]) - a.reach(n);
			expect(Math.abs(gap - found.distance)).toBeLessThan(1e-8);
			for (let k = 0; k < 3; k++) {
				expect(found.pointB[k]! - found.pointA[k]!).toBeCloseTo(found.distance * n[k]!, 9);
			}
			expectInside(found.pointA, a, 1e-6);
			expectInside(found.pointB, b, 1e-6);
			back.compute(b.place(A), a.place(B));
			expect(Math.abs(back.distance - found.distance)).toBeLessThan(1e-8);
			// where shapes touch with one point only, the normal is one
			if (found.distance > 0) expect(dot(n, [back.nx, back.ny, back.nz])).toBeLessThan(-1 + 1e-6);
			// beyond its limit a distance may be a lower bound, but says so
			found.limit = found.distance - 0.05;
			found.compute(a.place(A), b.place(B));
			if (exact > 0.05) {
				expect(found.distance).toBeGreaterThan(found.limit);
				expect(found.distance).toBeLessThan(exact + 1e-9);
			}
		}
	});

	it.each(KINDS)(
		'of %s and any other is proved by its normal and points, to rounding where no surface is curved',
		(kindA) => {
			const isCurved = (kind: Kind): boolean => kind === 'cylinder' || kind === 'cone' || kind === 'ellipsoid';
			for (const kindB of KINDS) {
				const random = randomOf(1000 * KINDS.indexOf(kindA) + KINDS.indexOf(kindB));
				const hasCurved = isCurved(kindA) || isCurved(kindB);
				for (let i = 0; i < 8; i++) {
					const spread = 0.9 * Math.abs(random());
					const away = unit([random(), random(), random()]);
					const a = solid(kindA, [0.7, -0.3, 0.2], randomTurn(random));
					const p: Vector = [0.7 + spread * away[0], -0.3 + spread * away[1], 0.2 + spread * away[2]];
					const b = solid(kindB, p, randomTurn(random));
					found.limit = Number.POSITIVE_INFINITY;
					found.compute(a.place(A), b.place(B));
					const n: Vector = [found.nx, found.ny, found.nz];
					const gap = -b.reach([-n[0], -n[1], -n[2]]) - a.reach(n);
					const at = `${kindB} ${i}`;
					expect(Math.abs(gap - found.distance), at).toBeLessThan(hasCurved ? 1e-9 : 1e-14);
					for (let k = 0; k < 3; k++)
						expect(Math.abs(found.pointB[k]! - found.pointA[k]! - found.distance * n[k]!), at).toBeLessThan(1e-15);
					expectInside(found.pointA, a, hasCurved ? 1e-8 : 1e-14);
					expectInside(found.pointB, b, hasCurved ? 1e-8 : 1e-14);
				}
			}
		},
	);

	it('from a plane is that of the lowest point', () => {
		const random = randomOf(3);
		for (const kind of KINDS) {
			for (let i = 0; i < 4; i++) {
				const other = solid(kind, [random(), random(), random()], randomTurn(random));
				const plane = new ConvexShape();
				plane.setGeometry(GeoType.PLANE, 0, 0, 0, undefined);
				const turn = randomTurn(random);
				const w = Math.sqrt(1 - dot(turn, turn));
				plane.setPose(Float64Array.of(0.3, 0.2, 0.1, ...turn, w), 0);
				const n: Vector = [plane.rotation[6]!, plane.rotation[7]!, plane.rotation[8]!];
				const expected = -other.reach([-n[0], -n[1], -n[2]]) - dot(n, [0.3, 0.2, 0.1]);
				found.compute(plane, other.place(B));
				expect(found.distance).toBeCloseTo(expected, 12);
				expect(dot(n, [found.nx, found.ny, found.nz])).toBeCloseTo(1, 12);
				const onPlane: Vector = [found.pointA[0]! - 0.3, found.pointA[1]! - 0.2, found.pointA[2]! - 0.1];
				expect(dot(n, onPlane)).toBeCloseTo(0, 12);
				expectInside(found.pointB, other, 1e-12);
				back.compute(other.place(B), plane);
				expect([back.distance, back.nx, back.ny, back.nz]).toEqual([found.distance, -found.nx, -found.ny, -found.nz]);
				expect([...back.pointA, ...back.pointB]).toEqual([...found.pointB, ...found.pointA]);
			}
		}
	});

	it.each([
		['a corner', [0.4, 0.4, 0.4]],
		['another corner', [-0.4, 0.4, -0.4]],
		['part of an edge', [0.4, -0.4, 0.1]],
		['a whole edge', [0, 0.4, 0.4]],
		['part of a face', [0.1, -0.05, -0.4]],
	] as const)('of hulls that touch in %s is none, along a direction that shows it', (_, at) => {
		const corners = Float64Array.from({ length: 24 }, (_, i) => ((Math.floor(i / 3) >> (i % 3)) & 1 ? 0.2 : -0.2));
		const cube = hullOfPoints(corners);
		const found = new ShapeDistance();
		const random = randomOf(29);
		for (let i = 0; i < 30; i++) {
			// as they stand, and both turned together
			const q = i === 0 ? [0, 0, 0, 1] : [random(), random(), random(), random()];
			const turn = q.map((x) => x / Math.hypot(...q));
			A.setGeometry(GeoType.CONVEX_MESH, 1, 1, 1, cube);
			A.setPose(Float64Array.of(0, 0, 0, ...turn), 0);
			const axes = [0, 3, 6].map((row) => [...A.rotation.subarray(row, row + 3)] as unknown as Vector);
			const place = [0, 1, 2].map((k) => axes.reduce((sum, axis, j) => sum + at[j]! * axis[k]!, 0));
			B.setGeometry(GeoType.CONVEX_MESH, 1, 1, 1, cube);
			B.setPose(Float64Array.of(...place, ...turn), 0);
			found.compute(A, B);
			expect(Math.abs(found.distance)).toBeLessThan(1e-12);
			const own = (v: Vector): Vector => axes.map((axis) => dot(axis, v)) as unknown as Vector;
			const n = own([found.nx, found.ny, found.nz]);
			expect(Math.hypot(...n)).toBeCloseTo(1, 12);
			// a cube reaches as far as the sum of the sides of the direction says
			expect(dot(n, at) - 0.4 * n.reduce((sum, x) => sum + Math.abs(x), 0)).toBeGreaterThan(-1e-12);
			for (const point of [found.pointA, found.pointB]) {
				const p = own([point[0]!, point[1]!, point[2]!]);
				for (let k = 0; k < 3; k++) {
					expect(Math.abs(p[k]!)).toBeLessThan(0.2 + 1e-12);
					expect(Math.abs(p[k]! - at[k]!)).toBeLessThan(0.2 + 1e-12);
				}
			}
		}
	});

	it('of capsules that lie in line, side by side, across each other or in each other', () => {
		const capsule = (p: Vector, turn: Vector = [0, 0, 0]): Solid => solid('capsule', p, turn);
		const ACROSS: Vector = [Math.SQRT1_2, 0, 0];
		for (const [b, distance] of [
			[capsule([0, 0, 2]), 2 - 2 * Y - 2 * X],
			[capsule([0.7, 0, 0.1]), 0.7 - 2 * X],
			[capsule([0.7, 0, 0], ACROSS), 0.7 - 2 * X],
			[capsule([0, 0, 0], ACROSS), -2 * X],
			[capsule([0, 0, 0]), -2 * X],
			[capsule([0, 0, 0.1]), -2 * X],
		] as const) {
			found.limit = Number.POSITIVE_INFINITY;
			found.compute(capsule([0, 0, 0]).place(A), b.place(B));
			expect(found.distance).toBeCloseTo(distance, 12);
			expect(Math.hypot(found.nx, found.ny, found.nz)).toBeCloseTo(1, 12);
		}
	});
});

describe('the distance of a point', () => {
	const out: PointDistance = { distance: 0, nx: 0, ny: 0, nz: 0, x: 0, y: 0, z: 0 };
	const round: readonly Kind[] = ['sphere', 'capsule', 'box', 'cylinder', 'cone', 'ellipsoid'];

	it.each(round)('from a %s: the nearest point is on its surface, along the normal, and no other is nearer', (kind) => {
		const random = randomOf(17);
		const shape = solid(kind, [0, 0, 0], [0, 0, 0]);
		const at: Vector[] = [];
		for (let i = 0; i < 60; i++) {
			const spread = i % 2 === 0 ? 0.7 : 0.25;
			at.push([spread * random(), spread * random(), spread * random()]);
		}
		// on axes and middle planes, and at the middle
		for (const r of [0, 0.01, 0.1, 0.5]) {
			at.push([r, 0, 0], [0, r, 0], [0, 0, r], [-r, 0, 0], [0, -r, 0], [0, 0, -r], [r, -r, 0], [0, r, -r], [-r, 0, r]);
		}
		for (const p of at) {
			expect(pointDistance(shape.place(A), p[0], p[1], p[2], out)).toBe(true);
			const n: Vector = [out.nx, out.ny, out.nz];
			expect(Math.hypot(...n)).toBeCloseTo(1, 9);
			const q: Vector = [out.x, out.y, out.z];
			for (let k = 0; k < 3; k++) expect(p[k]! - q[k]!).toBeCloseTo(out.distance * n[k]!, 7);
			// on the surface, whose farthest point along the normal it is
			expect(dot(q, n)).toBeCloseTo(shape.reach(n), 7);
			expectInside(Float64Array.of(...q), shape, 1e-9);
			// no direction shows a larger gap
			expect(outside(p, shape.reach)).toBeLessThan(out.distance + 1e-9);
		}
	});

	it('has no closed form for others', () => {
		for (const kind of ['cloud', 'triangle'] as const) {
			expect(pointDistance(solid(kind, [0, 0, 0], [0, 0, 0]).place(A), 1, 2, 3, out)).toBe(false);
		}
	});

	it('from ellipsoids of any order of radii', () => {
		for (const radii of [
			[0.1, 0.2, 0.3],
			[0.3, 0.1, 0.2],
			[0.2, 0.3, 0.1],
			[0.1, 0.1, 0.3],
			[0.3, 0.1, 0.1],
			[0.2, 0.2, 0.2],
		] as const) {
			A.setGeometry(GeoType.ELLIPSOID, radii[0], radii[1], radii[2], undefined);
			for (const p of [
				[0, 0, 0],
				[0.02, 0, 0],
				[0, 0.02, 0],
				[0, 0, 0.02],
				[0.02, 0.01, 0],
				[0, 0.02, 0.01],
				[0.01, 0, -0.02],
				[0.4, -0.3, 0.2],
				[0.05, -0.05, 0.05],
			] as const) {
				pointDistance(A, p[0], p[1], p[2], out);
				const inside = (out.x / radii[0]) ** 2 + (out.y / radii[1]) ** 2 + (out.z / radii[2]) ** 2;
				expect(inside).toBeCloseTo(1, 9);
				const reach = (n: Vector): number => Math.hypot(radii[0] * n[0], radii[1] * n[1], radii[2] * n[2]);
				expect(outside(p, reach)).toBeLessThan(out.distance + 1e-9);
				expect(Math.hypot(p[0] - out.x, p[1] - out.y, p[2] - out.z)).toBeCloseTo(Math.abs(out.distance), 9);
			}
		}
	});
});

describe('the distance of a point in the middle plane of an ellipsoid', () => {
	const out: PointDistance = { distance: 0, nx: 0, ny: 0, nz: 0, x: 0, y: 0, z: 0 };

	it.each([
		[0.1, 0.2, 0.3],
		[0.3, 0.1, 0.2],
		[0.2, 0.3, 0.1],
	])('with radii of %d, %d and %d is that from the nearest point of its surface', (...radii) => {
		A.setGeometry(GeoType.ELLIPSOID, radii[0]!, radii[1]!, radii[2]!, undefined);
		const flat = radii.indexOf(0.1);
		for (const share of [0.2, 0.5, 0.7, 0.8, 0.9, 0.97, 1.01, 1.3]) {
			for (const angle of [0, 0.4, 0.9, Math.PI / 2]) {
				const p = [0, 0, 0];
				p[(flat + 1) % 3] = share * radii[(flat + 1) % 3]! * Math.cos(angle);
				p[(flat + 2) % 3] = share * radii[(flat + 2) % 3]! * Math.sin(angle);
				pointDistance(A, p[0]!, p[1]!, p[2]!, out);
				const q: Vector = [out.x, out.y, out.z];
				expect(Math.hypot(...q.map((x, k) => x / radii[k]!))).toBeCloseTo(1, 12);
				for (let k = 0; k < 3; k++) expect(p[k]! - q[k]!).toBeCloseTo(out.distance * [out.nx, out.ny, out.nz][k]!, 9);
				const reach = (n: Vector): number => Math.hypot(...n.map((x, k) => x * radii[k]!));
				expect(outside([p[0]!, p[1]!, p[2]!], reach)).toBeLessThan(out.distance + 1e-12);
			}
		}
	});
});

describe('the axes of two boxes', () => {
	it('give the least depth of an overlap, and a gap that is no larger than the distance', () => {
		const axes = new BoxAxes();
		const random = randomOf(23);
		let edges = 0;
		for (let i = 0; i < 60; i++) {
			const spread = 0.3 + 0.3 * (i % 3);
			const a = solid('box', [1, 2, 3], randomTurn(random));
			const b = solid('box', [1 + spread * random(), 2 + spread * random(), 3 + spread * random()], randomTurn(random));
			axes.limit = Number.POSITIVE_INFINITY;
			axes.compute(a.place(A), b.place(B));
			const n: Vector = [axes.nx, axes.ny, axes.nz];
			expect(-b.reach([-n[0], -n[1], -n[2]]) - a.reach(n)).toBeCloseTo(axes.separation, 12);
			const slow = largestGap(a, b);
			// apart, boxes may be farther from each other than any of these axes shows
			if (axes.separation < 0) expect(slow).toBeLessThan(axes.separation + 1e-8);
			const rows = [0, 3, 6].flatMap((r) => [A, B].map((shape) => shape.rotation.subarray(r, r + 3)));
			const isFace = rows.some((row) => Math.abs(dot(n, [row[0]!, row[1]!, row[2]!])) > 1 - 1e-12);
			expect(axes.isFace).toBe(isFace);
			if (!isFace) edges++;
			axes.limit = -1;
			axes.compute(A, B);
			expect(axes.separation).toBeGreaterThan(-1);
		}
		expect(edges).toBeGreaterThan(5);
	});
});

describe('contacts of two shapes', () => {
	it.each(KINDS.filter((kind) => kind !== 'triangle'))(
		'a %s with every other lie on both, as deep as the shapes are',
		(kindA) => {
			const manifold = new ContactManifold();
			const exact = new ShapeDistance();
			for (const kindB of KINDS) {
				if (kindB === 'triangle') continue;
				for (let i = 0; i < 4; i++) {
					const random = randomOf(31 * KINDS.indexOf(kindA) + 7 * KINDS.indexOf(kindB) + i);
					const a = solid(kindA, [0, 0, 0], randomTurn(random));
					const n = unit([random(), random(), random()]);
					const far = solid(kindB, [0.5 * n[0], 0.5 * n[1], 0.5 * n[2]], randomTurn(random));
					exact.compute(a.place(A), far.place(B));
					manifold.limit = 0.02;
					const count = manifold.find(a.place(A), far.place(B));
					if (exact.distance > 0.02) {
						expect(count).toBe(0);
						continue;
					}
					expect(count).toBeGreaterThan(0);
					expect(count).toBeLessThanOrEqual(4);
					const m: Vector = [manifold.nx, manifold.ny, manifold.nz];
					expect(Math.hypot(...m)).toBeCloseTo(1, 9);
					let least = Number.POSITIVE_INFINITY;
					for (let c = 0; c < count; c++) {
						const p = manifold.pointA.subarray(3 * c, 3 * c + 3);
						const q = manifold.pointB.subarray(3 * c, 3 * c + 3);
						const apart = dot([q[0]! - p[0]!, q[1]! - p[1]!, q[2]! - p[2]!], m);
						expect(apart).toBeCloseTo(manifold.distance[c]!, 9);
						expect(manifold.distance[c]!).toBeLessThanOrEqual(0.02);
						least = Math.min(least, apart);
						expectInside(p, a, 2e-3);
						expectInside(q, far, 2e-3);
					}
					// a face within a degree of the normal stands for it
					expect(Math.abs(least - exact.distance)).toBeLessThan(2e-3);
				}
			}
		},
	);

	it('are the deepest, then each time the farthest from those that are kept', () => {
		const random = randomOf(41);
		for (let turn = 0; turn < 20; turn++) {
			const count = 5 + turn;
			const a = Float64Array.from({ length: 3 * count }, random);
			const b = a.map((value) => value + 1);
			const distance = Float64Array.from({ length: count }, random);
			const points = Array.from({ length: count }, (_, i): Vector => [a[3 * i]!, a[3 * i + 1]!, a[3 * i + 2]!]);
			const kept = [distance.indexOf(Math.min(...distance))];
			while (kept.length < 4) {
				const apart = points.map((p) =>
					Math.min(...kept.map((k) => Math.hypot(...p.map((x, i) => x - points[k]![i]!)))),
				);
				kept.push(apart.indexOf(Math.max(...apart)));
			}
			kept.sort((x, y) => x - y);
			const [expectedA, expectedD] = [kept.flatMap((k) => [...points[k]!]), kept.map((k) => distance[k]!)];
			expect(reducePoints(a, b, distance, count, 4)).toBe(4);
			expect([...a.subarray(0, 12)]).toEqual(expectedA);
			expect([...b.subarray(0, 12)]).toEqual(expectedA.map((value) => value + 1));
			expect([...distance.subarray(0, 4)]).toEqual(expectedD);
			expect(reducePoints(a, b, distance, 3, 4)).toBe(3);
		}
	});
});

describe('a hull', () => {
	it('has flat faces with outward normals, each corner on three, edges from both ends', () => {
		for (const [points, hull] of [
			[CLOUD, HULLS.cloud],
			[MORE, HULLS.more],
		] as const) {
			const corner = (i: number): Vector => [
				hull.vertices[3 * i]!,
				hull.vertices[3 * i + 1]!,
				hull.vertices[3 * i + 2]!,
			];
			const count = hull.vertices.length / 3;
			const edges = new Set<string>();
			for (let f = 0; f + 1 < hull.faceStart.length; f++) {
				const n: Vector = [hull.faceNormals[3 * f]!, hull.faceNormals[3 * f + 1]!, hull.faceNormals[3 * f + 2]!];
				const own = [...hull.faceVertices.subarray(hull.faceStart[f]!, hull.faceStart[f + 1]!)];
				expect(own.length).toBeGreaterThan(2);
				for (const i of own) expect(dot(corner(i), n)).toBeCloseTo(farthest(points, n), 9);
				for (const [k, i] of own.entries()) edges.add(`${i} ${own[(k + 1) % own.length]}`);
				for (const i of own) {
					const faces = hull.cornerFaces.subarray(hull.cornerFaceStart[i]!, hull.cornerFaceStart[i + 1]!);
					expect([...faces]).toContain(f);
					expect([...faces]).toEqual([...new Set(faces)].sort((a, b) => a - b));
				}
			}
			const neighbours = new Set<string>();
			for (let i = 0; i < count; i++) {
				for (const j of hull.neighbours.subarray(hull.neighbourStart[i]!, hull.neighbourStart[i + 1]!)) {
					neighbours.add(`${i} ${j}`);
				}
			}
			expect([...neighbours].sort()).toEqual([...edges].sort());
			// Euler: corners − edges + faces = 2
			expect(count - edges.size / 2 + hull.faceStart.length - 1).toBe(2);
			const mean = [0, 1, 2].map((k) => hull.vertices.filter((_, i) => i % 3 === k).reduce((x, y) => x + y, 0) / count);
			for (let k = 0; k < 3; k++) expect(hull.center[k]).toBeCloseTo(mean[k]!, 12);
		}
	});

	it('sorts directions by the cells of a cube', () => {
		const cells = 14;
		const seen = new Set<number>();
		for (let axis = 0; axis < 3; axis++) {
			for (const sign of [1, -1]) {
				for (let i = 0; i < cells; i++) {
					for (let j = 0; j < cells; j++) {
						const d = [0, 0, 0];
						d[axis] = sign;
						d[axis === 0 ? 1 : 0] = (2 * i + 1) / cells - 1;
						d[axis === 2 ? 1 : 2] = (2 * j + 1) / cells - 1;
						const cell = directionCell(Float64Array.from(d), 0);
						seen.add(cell);
						expect(
							directionCell(
								Float64Array.from(d, (x) => 3 * x),
								0,
							),
						).toBe(cell);
						// the corner that a search begins with is the best for the middle of the cell
						const own = HULLS.more;
						const at = (k: number): number =>
							dot([own.vertices[3 * k]!, own.vertices[3 * k + 1]!, own.vertices[3 * k + 2]!], d as unknown as Vector);
						expect(at(own.seeds[cell]!)).toBeCloseTo(farthest(own.vertices, d as unknown as Vector), 12);
					}
				}
			}
		}
		expect(seen.size).toBe(6 * cells * cells);
		expect(directionCell(new Float64Array(3), 0)).toBe(0);
		expect(directionCell(Float64Array.of(1, 1, 1), 0)).toBeLessThan(6 * cells * cells);
	});
});
