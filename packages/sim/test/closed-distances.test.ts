import { describe, expect, it } from 'vitest';
import { BoxAxes } from '../src/collision/box-axes.ts';
import { ConvexShape } from '../src/collision/convex-shape.ts';
import { CylinderDistance } from '../src/collision/cylinder-distance.ts';
import { type PointDistance, pointDistance } from '../src/collision/point-distance.ts';
import { RimDistance } from '../src/collision/rim-distance.ts';
import { SegmentDistance } from '../src/collision/segment-distance.ts';
import { ShapeDistance } from '../src/collision/shape-distance.ts';
import {
	dot,
	expectInside,
	type Kind,
	moveBy,
	randomOf,
	randomTurn,
	type Solid,
	solid,
	unit,
	type Vector,
	X,
	Y,
	Z,
} from './solids.ts';

const A = new ConvexShape();
const B = new ConvexShape();
/** How far shapes are turned against each other: any way, by hairs, not at all. */
const TILTS = [1, 1e-2, 1e-4, 1e-6, 1e-9, 1e-12, 0] as const;
const PAIRS: readonly (readonly [Kind, Kind])[] = [
	['capsule', 'box'],
	['capsule', 'cylinder'],
	['cylinder', 'box'],
	['cylinder', 'cylinder'],
];

/** Two shapes near each other, the second turned by quarters and then by about the tilt. */
function place(kinds: readonly [Kind, Kind], tilt: number, random: () => number): [Solid, Solid] {
	const quarter = Math.floor(1.5 * random() + 1.5);
	const turn: Vector =
		tilt === 1
			? randomTurn(random)
			: [
					(quarter === 1 ? Math.SQRT1_2 : 0) + tilt * random(),
					(quarter === 2 ? Math.SQRT1_2 : 0) + tilt * random(),
					tilt * random(),
				];
	// beside, above and aslant, apart and overlapping
	const away = unit([random() ** 3, random() ** 3, random() ** 3]);
	const far = 0.65 + 0.35 * random();
	const shift = 0.1 * random();
	const at: Vector = [far * away[0] + shift, far * away[1], far * away[2]];
	// every other time the first one stands upright, and else both are turned
	isUpright = !isUpright;
	const from: readonly [Vector, Vector] = [[0.3, -0.2, 0.1], isUpright ? [0, 0, 0] : randomTurn(random)];
	return [solid(kinds[0], ...from), solid(kinds[1], ...moveBy(from, at, turn))];
}
let isUpright = false;

const gapAlong = (a: Solid, b: Solid, n: Vector): number => -b.reach([-n[0], -n[1], -n[2]]) - a.reach(n);

describe('the distance of a round shape without a search', () => {
	const found = new ShapeDistance();
	const back = new ShapeDistance();
	const cylinder = new CylinderDistance();

	it.each(PAIRS)('%s and %s: a direction that shows it and points that are as far apart', (first, second) => {
		const random = randomOf(31);
		let closed = 0;
		for (const tilt of TILTS) {
			for (let i = 0; i < 400; i++) {
				const [a, b] = place([first, second], tilt, random);
				const at = `tilt ${tilt}, placing ${i}`;
				found.limit = Number.POSITIVE_INFINITY;
				found.compute(a.place(A), b.place(B));
				const n: Vector = [found.nx, found.ny, found.nz];
				expect(Math.abs(Math.hypot(...n) - 1), at).toBeLessThan(1e-12);
				// deep ones, and a few rims, are left to a search
				const isClosed = first === 'cylinder' ? cylinder.compute(A, B) : found.distance > 1e-5 - X;
				if (isClosed) closed++;
				expect(Math.abs(gapAlong(a, b, n) - found.distance), at).toBeLessThan(isClosed ? 1e-12 : 1e-8);
				for (let k = 0; k < 3; k++)
					expect(Math.abs(found.pointB[k]! - found.pointA[k]! - found.distance * n[k]!), at).toBeLessThan(1e-12);
				expectInside(found.pointA, a, isClosed ? 1e-12 : 1e-6);
				expectInside(found.pointB, b, isClosed ? 1e-12 : 1e-6);
				back.compute(b.place(A), a.place(B));
				if (isClosed) expect(Math.abs(back.distance - found.distance), at).toBeLessThan(1e-8);
				if (found.distance > 1e-3) expect(dot(n, [back.nx, back.ny, back.nz]), at).toBeLessThan(-1 + 1e-9);
			}
		}
		expect(closed).toBeGreaterThan(1000);
	});

	it.each(['box', 'cylinder'] as const)('cylinder and %s: nearly all that are apart', (kind) => {
		const random = randomOf(77);
		for (const tilt of TILTS) {
			let apart = 0;
			let answered = 0;
			for (let i = 0; i < 500; i++) {
				const [a, b] = place(['cylinder', kind], tilt, random);
				found.compute(a.place(A), b.place(B));
				const isAnswered = cylinder.compute(A, B);
				if (found.distance <= 0) expect(isAnswered).toBe(false);
				if (found.distance <= 1e-6) continue;
				apart++;
				if (isAnswered) answered++;
			}
			expect(apart).toBeGreaterThan(150);
			// all but for a few that are turned by no more than rounding shows
			expect(answered / apart, `tilt ${tilt}`).toBeGreaterThan(tilt > 1e-8 || tilt === 0 ? 0.99 : 0.95);
		}
	});

	it('is a lower bound beyond the limit, with a direction that shows it', () => {
		const random = randomOf(8);
		let beyond = 0;
		for (let i = 0; i < 1000; i++) {
			const [a, b] = place(i % 2 === 0 ? ['cylinder', 'box'] : ['cylinder', 'cylinder'], 1, random);
			found.limit = Number.POSITIVE_INFINITY;
			found.compute(a.place(A), b.place(B));
			const exact = found.distance;
			for (const isSwapped of [false, true]) {
				const [one, two] = isSwapped ? [b, a] : [a, b];
				found.limit = 0.5 * exact;
				found.compute(one.place(A), two.place(B));
				if (!(exact > 0.01)) continue;
				expect(found.distance).toBeGreaterThan(found.limit);
				expect(found.distance).toBeLessThan(exact + 1e-12);
				if (!found.isBeyond) continue;
				beyond++;
				const n = unit([-found.beyond[0]!, -found.beyond[1]!, -found.beyond[2]!]);
				expect(gapAlong(one, two, n)).toBeGreaterThan(found.limit);
			}
		}
		expect(beyond).toBeGreaterThan(500);
	});
});

describe('the rim of a cap', () => {
	it.each(['box', 'cylinder'] as const)('is nearest to a %s where the way is across it', (kind) => {
		const random = randomOf(67);
		const rim = new RimDistance();
		const shape = solid(kind, [0, 0, 0], [0, 0, 0]).place(A);
		/** The way to a point from the nearest one of the shape. */
		const wayTo = (p: Vector): Vector => {
			const beyond = (x: number, half: number): number => x - Math.max(-half, Math.min(half, x));
			if (kind === 'box') return [beyond(p[0], X), beyond(p[1], Y), beyond(p[2], Z)];
			const across = Math.hypot(p[0], p[1]);
			const outside = across > X ? 1 - X / across : 0;
			return [outside * p[0], outside * p[1], beyond(p[2], Y)];
		};
		const squared = (v: Vector): number => dot(v, v);
		let found = 0;
		for (let i = 0; i < 1500; i++) {
			// every third along the axes, where the slope has bends
			const axis =
				i % 3 === 0
					? (
							[
								[1, 0, 0],
								[0, 1, 0],
								[0, 0, 1],
							] as const
						)[(i / 3) % 3]!
					: unit([random(), random(), random()]);
			const side = unit(Math.abs(axis[0]) < 0.6 ? [0, axis[2], -axis[1]] : [-axis[2], 0, axis[0]]);
			const other: Vector = [
				axis[1] * side[2] - axis[2] * side[1],
				axis[2] * side[0] - axis[0] * side[2],
				axis[0] * side[1] - axis[1] * side[0],
			];
			const radius = 0.3 + 0.2 * random();
			const c: Vector = [0.8 * random(), 0.8 * random(), 0.8 * random()];
			const at = (angle: number): Vector =>
				c.map((x, k) => x + radius * (Math.cos(angle) * side[k]! + Math.sin(angle) * other[k]!)) as unknown as Vector;
			[rim.cx, rim.cy, rim.cz] = c;
			[rim.ux, rim.uy, rim.uz] = side.map((x) => radius * x) as unknown as Vector;
			[rim.vx, rim.vy, rim.vz] = other.map((x) => radius * x) as unknown as Vector;
			rim.beginNearest(shape);
			const eighths = Array.from({ length: 8 }, (_, k) => squared(wayTo(at((k * Math.PI) / 4))));
			const begin: Vector = [c[0] + rim.ux, c[1] + rim.uy, c[2] + rim.uz];
			expect(squared(wayTo(begin))).toBeCloseTo(Math.min(...eighths), 14);
			// the second axis is a quarter farther on
			const start = Math.atan2(dot([rim.ux, rim.uy, rim.uz], other), dot([rim.ux, rim.uy, rim.uz], side));
			const quarter = at(start + Math.PI / 2);
			for (const [k, v] of [rim.vx, rim.vy, rim.vz].entries()) expect(v).toBeCloseTo(quarter[k]! - c[k]!, 14);
			if (!rim.compute(shape)) continue;
			found++;
			const p: Vector = [rim.x, rim.y, rim.z];
			const e = wayTo(p);
			for (const [k, v] of [rim.ex, rim.ey, rim.ez].entries()) expect(v).toBeCloseTo(e[k]!, 14);
			const out = p.map((x, k) => x - c[k]!) as unknown as Vector;
			expect(Math.hypot(...out)).toBeCloseTo(radius, 14);
			expect(Math.abs(dot(out, axis))).toBeLessThan(1e-15);
			const along: Vector = [
				axis[1] * out[2] - axis[2] * out[1],
				axis[2] * out[0] - axis[0] * out[2],
				axis[0] * out[1] - axis[1] * out[0],
			];
			expect(Math.abs(dot(e, along)), `placing ${i}`).toBeLessThan(1e-14 * (Math.hypot(...e) + 1e-2));
			const place = Math.atan2(dot(out, other), dot(out, side));
			// places beside it are no nearer, unless it began where both sides are alike
			if (Math.abs(Math.sin(place - start)) < 1e-9) continue;
			for (const by of [-1e-3, -1e-5, 1e-5, 1e-3])
				expect(squared(wayTo(at(place + by)))).toBeGreaterThan(squared(e) - 1e-14);
		}
		expect(found).toBeGreaterThan(1200);
	});
});

describe('the distance of a segment', () => {
	const segment = new SegmentDistance();
	const out: PointDistance = { distance: 0, nx: 0, ny: 0, nz: 0, x: 0, y: 0, z: 0 };

	it.each(['box', 'cylinder'] as const)('from a %s is the least of its points', (kind) => {
		const random = randomOf(19);
		const shape = solid(kind, [0, 0, 0], [0, 0, 0]).place(A);
		let inside = 0;
		for (let i = 0; i < 3000; i++) {
			// every third along an axis or plane, some of no length
			const along = i % 3;
			const c: Vector = [0.6 * random(), 0.6 * random(), 0.6 * random()];
			const u: Vector =
				i % 50 === 0 ? [0, 0, 0] : [along === 1 ? 0 : random(), along === 1 ? 0 : random(), along === 2 ? 0 : random()];
			[segment.cx, segment.cy, segment.cz] = c;
			[segment.ux, segment.uy, segment.uz] = u;
			expect(segment.compute(shape)).toBe(true);
			const distanceAt = (t: number): number => {
				pointDistance(shape, c[0] + t * u[0], c[1] + t * u[1], c[2] + t * u[2], out);
				return Math.max(0, out.distance);
			};
			expect(Math.abs(segment.t)).toBeLessThanOrEqual(1);
			expect(Math.abs(distanceAt(segment.t) - segment.distance), `placing ${i}`).toBeLessThan(1e-14);
			let least = Number.POSITIVE_INFINITY;
			for (let k = -50; k <= 50; k++) least = Math.min(least, distanceAt(k / 50));
			for (const by of [-1e-3, -1e-6, 1e-6, 1e-3])
				least = Math.min(least, distanceAt(Math.max(-1, Math.min(1, segment.t + by))));
			expect(least, `placing ${i}`).toBeGreaterThan(segment.distance - 1e-14);
			if (segment.distance === 0) inside++;
		}
		expect(inside).toBeGreaterThan(300);
		expect(segment.compute(solid('cone', [0, 0, 0], [0, 0, 0]).place(B))).toBe(false);
	});

	it('that lies along a face is from its middle', () => {
		[segment.cx, segment.cy, segment.cz] = [0.05, 0, 1];
		[segment.ux, segment.uy, segment.uz] = [0.1, 0, 0];
		segment.compute(solid('box', [0, 0, 0], [0, 0, 0]).place(A));
		expect([segment.t, segment.distance]).toEqual([0, 0.85]);
		// only a part of it is above the face
		segment.cx = X;
		segment.compute(A);
		expect(segment.t).toBeCloseTo(-0.5, 12);
		[segment.cx, segment.cy, segment.cz] = [1, 0, Y];
		[segment.ux, segment.uy, segment.uz] = [0, 0, 0.2];
		segment.compute(solid('cylinder', [0, 0, 0], [0, 0, 0]).place(A));
		expect(segment.t).toBeCloseTo(-0.5, 12);
		expect(segment.distance).toBeCloseTo(1 - X, 12);
	});
});

describe('boxes whose edges are nearest', () => {
	it('have the distance, normal and points that a search finds', () => {
		const axes = new BoxAxes();
		const found = new ShapeDistance();
		const a = new Float64Array(3);
		const b = new Float64Array(3);
		const random = randomOf(3);
		const counts = { apart: 0, deep: 0, elsewhere: 0 };
		for (const tilt of [1, 0.1, 1e-3]) {
			for (let i = 0; i < 2000; i++) {
				const turn = randomTurn(random);
				const from: readonly [Vector, Vector] = [[0, 0, 0], i % 2 === 0 ? [0, 0, 0] : randomTurn(random)];
				const one = solid('box', ...from);
				const at: Vector = [0.7 * random(), 0.8 * random(), 0.6 * random()];
				const two = solid('box', ...moveBy(from, at, [tilt * turn[0], tilt * turn[1], tilt * turn[2]]));
				axes.compute(one.place(A), two.place(B));
				if (axes.isFace) continue;
				const isOnEdges = axes.writePoints(A, B, a, b);
				found.compute(A, B);
				if (!isOnEdges) {
					counts.elsewhere++;
					expect(axes.separation).toBeGreaterThan(0);
					expect(found.distance).toBeGreaterThan(axes.separation);
					continue;
				}
				counts[axes.separation > 0 ? 'apart' : 'deep']++;
				expect(Math.abs(found.distance - axes.separation)).toBeLessThan(1e-12);
				const n: Vector = [axes.nx, axes.ny, axes.nz];
				for (let k = 0; k < 3; k++) expect(Math.abs(b[k]! - a[k]! - axes.separation * n[k]!)).toBeLessThan(1e-9);
				if (axes.separation > 1e-3) expect(dot(n, [found.nx, found.ny, found.nz])).toBeGreaterThan(1 - 1e-12);
				expectInside(a, one, 1e-12);
				expectInside(b, two, 1e-12);
			}
		}
		expect(Math.min(counts.apart, counts.deep, counts.elsewhere)).toBeGreaterThan(20);
	});
});
