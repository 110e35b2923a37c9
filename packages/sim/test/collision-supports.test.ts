import { GeoType } from '@manyworlds/model';
import { describe, expect, it } from 'vitest';
import { ConvexShape } from '../src/collision/convex-shape.ts';
import { type Direction, measureWidth, polishAcrossEdge, polishDirection } from '../src/collision/polish-direction.ts';
import { reducePoints } from '../src/collision/reduce-points.ts';
import { SeparatingAxes } from '../src/collision/separating-axes.ts';
import { ShapeDistance } from '../src/collision/shape-distance.ts';
import {
	DIRECTIONS,
	dot,
	HULLS,
	KINDS,
	type Kind,
	outside,
	randomOf,
	randomTurn,
	solid,
	unit,
	type Vector,
	X,
	Y,
	Z,
} from './solids.ts';

const isRound = (kind: Kind): boolean => kind === 'sphere' || kind === 'capsule';
const AXES: readonly Vector[] = [
	[1, 0, 0],
	[-1, 0, 0],
	[0, 1, 0],
	[0, -1, 0],
	[0, 0, 1],
	[0, 0, -1],
];

describe('the support of a shape', () => {
	it.each(KINDS)('of the kind %s is a point of its core that is farthest along a direction of any length', (kind) => {
		const random = randomOf(41);
		const shape = new ConvexShape();
		const origin = new ConvexShape();
		const out = new Float64Array(5);
		for (let i = 0; i < 40; i++) {
			// every other one along the axes of the world
			const turn: Vector = i % 2 === 0 ? [0, 0, 0] : randomTurn(random);
			const own = solid(kind, [random(), random(), random()], turn);
			own.place(shape);
			const from: Vector = i % 3 === 0 ? [0, 0, 0] : [random(), random(), random()];
			origin.setPose(Float64Array.of(...from, 0, 0, 0, 1), 0);
			shape.relativeTo(origin);
			const radius = isRound(kind) ? X : 0;
			for (const n of [...AXES, ...DIRECTIONS.slice(0, 30)]) {
				const length = 10 ** (3 * random());
				shape.aim(length * n[0], length * n[1], length * n[2]);
				shape.support(out, 1);
				const p: Vector = [out[1]! + from[0], out[2]! + from[1], out[3]! + from[2]];
				expect(dot(p, n)).toBeCloseTo(own.reach(n) - radius, 12);
				expect(outside(p, own.reach)).toBeLessThan(1e-12);
			}
			// no direction at all: some point of the shape
			shape.aim(0, 0, 0);
			shape.support(out, 1);
			expect(outside([out[1]! + from[0], out[2]! + from[1], out[3]! + from[2]], own.reach)).toBeLessThan(1e-12);
			expect([out[0], out[4]]).toEqual([0, 0]);
			shape.centre(out, 1);
			expect(outside([out[1]!, out[2]!, out[3]!], own.reach)).toBeLessThan(1e-12);
			out[0] = 0;
			out[4] = 0;
		}
	});

	it('starts anew with another geometry', () => {
		const shape = new ConvexShape();
		shape.setGeometry(GeoType.CONVEX_MESH, 1, 1, 1, HULLS.more);
		shape.lastVertex = 7;
		shape.setGeometry(GeoType.CONVEX_MESH, 1, 1, 1, HULLS.cloud);
		expect(shape.lastVertex).toBe(0);
		expect(shape.radius).toBe(0);
		shape.setGeometry(GeoType.CAPSULE, 0.3, 0.4, 0, undefined);
		expect(shape.radius).toBe(0.3);
	});
});

describe('a direction that is remembered of a pair', () => {
	it('tells shapes apart as far as they are along it, and turns with the first one', () => {
		const random = randomOf(17);
		const [a, b] = [new ConvexShape(), new ConvexShape()];
		const axes = new SeparatingAxes(10);
		const counts = { apart: 0, near: 0 };
		for (let i = 0; i < 600; i++) {
			const kinds = [KINDS[i % KINDS.length]!, KINDS[(i * 7 + 3) % KINDS.length]!] as const;
			const n = unit([random(), random(), random()]);
			const first = solid(kinds[0], [random(), random(), random()], randomTurn(random)).place(a);
			const before = [...a.rotation];
			axes.keep(3, 5, first, Float64Array.of(3 * n[0], 3 * n[1], 3 * n[2]));
			// the first one elsewhere and turned: the direction in its frame is the same
			const one = solid(kinds[0], [random(), random(), random()], randomTurn(random));
			one.place(a);
			const local = [0, 1, 2].map((k) => before[3 * k]! * n[0] + before[3 * k + 1]! * n[1] + before[3 * k + 2]! * n[2]);
			const turned = [0, 1, 2].map(
				(k) => a.rotation[k]! * local[0]! + a.rotation[3 + k]! * local[1]! + a.rotation[6 + k]! * local[2]!,
			) as unknown as Vector;
			const two = solid(kinds[1], [a.px - turned[0], a.py - turned[1], a.pz - turned[2]], randomTurn(random));
			two.place(b);
			const cores = (isRound(kinds[0]) ? X : 0) + (isRound(kinds[1]) ? X : 0);
			const back: Vector = [-turned[0], -turned[1], -turned[2]];
			const along = cores - one.reach(back) - two.reach(turned);
			const [cornerA, cornerB] = [a.lastVertex, b.lastVertex];
			// directions are kept in 32 bits
			for (const by of [-1e-5, 1e-5]) {
				axes.distance = along + by;
				if (axes.distance < 0) continue;
				expect(axes.areApart(3, 5, a, b), `pair ${i}`).toBe(by < 0);
				counts[by < 0 ? 'apart' : 'near']++;
			}
			axes.distance = 0;
			for (const [x, y] of [
				[5, 3],
				[3, 6],
				[4, 5],
			] as const)
				expect(axes.areApart(x, y, a, b)).toBe(false);
			// whatever falls on the same place of the table is another pair
			for (let other = 0; other < 200 && i < 3; other++) {
				if (other !== 5) expect(axes.areApart(3, other, a, b)).toBe(false);
				if (other !== 3) expect(axes.areApart(other, 5, a, b)).toBe(false);
			}
			// a search begins where it ended, not where this looked
			expect([a.lastVertex, b.lastVertex]).toEqual([cornerA, cornerB]);
		}
		expect(Math.min(counts.apart, counts.near)).toBeGreaterThan(300);
	});
});

describe('a direction of least depth', () => {
	const [A, B] = [new ConvexShape(), new ConvexShape()];
	const found = new ShapeDistance();

	/** Overlapping shapes, and a direction off the best one by a few degrees with the least depth. */
	function* overlaps(
		kinds: readonly [Kind, Kind],
	): Generator<{ direction: Direction; least: number; width: () => number }> {
		const random = randomOf(77);
		for (let i = 0; i < 25; i++) {
			const spread = 0.3 * Math.abs(random());
			const away = unit([random(), random(), random()]);
			const a = solid(kinds[0], [0.7, -0.3, 0.2], randomTurn(random));
			const p: Vector = [0.7 + spread * away[0], -0.3 + spread * away[1], 0.2 + spread * away[2]];
			const b = solid(kinds[1], p, randomTurn(random));
			found.limit = Number.POSITIVE_INFINITY;
			found.compute(a.place(A), b.place(B));
			if (found.distance > -0.01) continue;
			A.relativeTo(A);
			B.relativeTo(A);
			const [x, y, z] = unit([found.nx + 0.05 * random(), found.ny + 0.05 * random(), found.nz + 0.05 * random()]);
			const direction = { nx: x, ny: y, nz: z, depth: 0 };
			const width = (): number => {
				const n: Vector = [direction.nx, direction.ny, direction.nz];
				return a.reach(n) + b.reach([-n[0], -n[1], -n[2]]);
			};
			yield { direction, least: -found.distance, width };
		}
	}

	it('of smooth shapes is found to rounding, wherever near it the search begins', () => {
		let count = 0;
		for (const { direction, least, width } of overlaps(['ellipsoid', 'ellipsoid'])) {
			polishDirection(A, B, direction, 0.05);
			expect(Math.abs(direction.depth - least)).toBeLessThan(1e-12);
			expect(Math.abs(direction.depth - width())).toBeLessThan(1e-14);
			expect(Math.abs(Math.hypot(direction.nx, direction.ny, direction.nz) - 1)).toBeLessThan(1e-14);
			count++;
		}
		expect(count).toBeGreaterThan(15);
	});

	/** Counts the supports of the first shape that a search takes. */
	const supportsOf = (search: () => void): number => {
		let count = 0;
		const support = A.support;
		A.support = (out, at) => {
			count++;
			support.call(A, out, at);
		};
		search();
		A.support = support;
		return count;
	};

	it('of smooth shapes takes a few steps of Newton, of three widths each', () => {
		// angles of 0.05, whose squares are nothing after four more steps
		for (const { direction } of overlaps(['ellipsoid', 'ellipsoid']))
			expect(supportsOf(() => polishDirection(A, B, direction, 0.05))).toBeLessThanOrEqual(1 + 3 * 5);
	});

	it('is found from an axis of the world too', () => {
		for (const axis of [0, 1, 2]) {
			// least along an axis where the shapes stand straight beside each other, so that it is a little off when they do not
			const half = [X, Y, Z][axis]!;
			const p = [0.03, 0.02, -0.01].map((x, k) => (k === axis ? 1.9 * half : x)) as unknown as Vector;
			const [a, b] = [solid('ellipsoid', [0, 0, 0], [0, 0, 0]), solid('ellipsoid', p, [0, 0, 0])];
			a.place(A);
			b.place(B);
			A.relativeTo(A);
			B.relativeTo(A);
			const n = [0, 0, 0];
			n[axis] = 1;
			const direction = { nx: n[0]!, ny: n[1]!, nz: n[2]!, depth: 0 };
			polishDirection(A, B, direction, 0.05);
			// equal ellipsoids overlap as one of twice the size does with a point: the nearest of its surface is where the way is normal
			const w = [direction.nx, direction.ny, direction.nz] as const;
			const along = 2 * Math.hypot(X * w[0], Y * w[1], Z * w[2]);
			const surface = [X, Y, Z].map((r, k) => (4 * r * r * w[k]!) / along);
			const way = surface.map((x, k) => x - p[k]!);
			const depth = Math.hypot(...way);
			expect(direction.depth).toBeCloseTo(depth, 12);
			for (let k = 0; k < 3; k++) expect(way[k]).toBeCloseTo(depth * w[k]!, 6);
			expect(Math.abs(w[axis]!)).toBeLessThan(1 - 1e-6);
		}
	});

	it('across an edge is found to rounding from up to a hundredth beside it, and kept from farther away', () => {
		const random = randomOf(91);
		let counts = 0;
		const steps: number[] = [];
		for (let i = 0; i < 200; i++) {
			// a capsule's core is an edge
			const p: Vector = [0.2 * random(), 0.2 * random(), 0.2 * random()];
			const kind = (['ellipsoid', 'sphere', 'cylinder'] as const)[i % 3]!;
			const [a, b] = [solid('capsule', p, randomTurn(random)), solid(kind, [0, 0, 0], randomTurn(random))];
			a.place(A);
			b.place(B);
			A.relativeTo(A);
			B.relativeTo(A);
			const edge = [A.rotation[6]!, A.rotation[7]!, A.rotation[8]!] as const;
			const side = unit([edge[1] - edge[2], edge[2] - edge[0], edge[0] - edge[1]]);
			const other: Vector = [
				edge[1] * side[2] - edge[2] * side[1],
				edge[2] * side[0] - edge[0] * side[2],
				edge[0] * side[1] - edge[1] * side[0],
			];
			const around = (angle: number): Vector =>
				[0, 1, 2].map((k) => Math.cos(angle) * side[k]! + Math.sin(angle) * other[k]!) as unknown as Vector;
			const ball = kind === 'sphere' ? X : 0;
			const width = (n: Vector): number => a.reach(n) - X + b.reach([-n[0], -n[1], -n[2]]) - ball;
			// where the width is least around the edge, by thirds
			let best = 0;
			for (let k = 1; k < 360; k++)
				if (width(around((k * Math.PI) / 180)) < width(around((best * Math.PI) / 180))) best = k;
			let [low, high] = [((best - 1) * Math.PI) / 180, ((best + 1) * Math.PI) / 180];
			for (let k = 0; k < 100; k++) {
				const [one, two] = [low + (high - low) / 3, high - (high - low) / 3];
				if (width(around(one)) < width(around(two))) high = two;
				else low = one;
			}
			const least = width(around(low));
			const by = [0.01, -0.01, 0.003, 0.2][i % 4]!;
			const from = around(low + by);
			const tilted = unit([0, 1, 2].map((k) => from[k]! + 1e-4 * edge[k]!) as unknown as Vector);
			const direction = { nx: tilted[0], ny: tilted[1], nz: tilted[2], depth: 0 };
			const supports = supportsOf(() => polishAcrossEdge(A, B, direction, ...edge));
			if (kind === 'ellipsoid') steps.push(supports);
			const n: Vector = [direction.nx, direction.ny, direction.nz];
			if (Math.abs(by) > 0.1) expect(n).toEqual(tilted);
			else if (kind === 'sphere') {
				// along a straight edge a ball's middle has no width of its own
				expect(direction.depth).toBeLessThan(width(tilted) + 1e-15);
			} else {
				expect(direction.depth - least, `placing ${i}`).toBeLessThan(kind === 'ellipsoid' ? 1e-14 : 1e-12);
				if (width(tilted) > least + 1e-7) expect(Math.abs(dot(n, edge))).toBeLessThan(1e-12);
				counts++;
			}
			expect(Math.abs(direction.depth - width(n))).toBeLessThan(1e-14);
		}
		expect(counts).toBeGreaterThan(50);
		// halving 0.04 rad to rounding would take 50
		expect(Math.max(...steps)).toBeLessThan(20);
	});

	it.each([
		['cone', 'box', 1e-9],
		['cylinder', 'box', 1e-6],
		['cylinder', 'cone', 2e-4],
		['ellipsoid', 'cloud', 2e-4],
	] as const)('of a %s and a %s is improved by a pattern, and is never worse', (kindA, kindB, by) => {
		for (const { direction, least, width } of overlaps([kindA, kindB])) {
			measureWidth(A, B, direction);
			expect(Math.abs(direction.depth - width())).toBeLessThan(1e-14);
			const before = direction.depth;
			polishDirection(A, B, direction, 0.05);
			expect(direction.depth).toBeLessThanOrEqual(before);
			expect(Math.abs(direction.depth - width())).toBeLessThan(1e-14);
			expect(direction.depth - least).toBeLessThan(by);
		}
	});
});

describe('contacts of a set', () => {
	it('that are as deep or as far but for rounding are taken by their number', () => {
		const square = Float64Array.of(1, 1, 0, -1, 1, 0, -1, -1, 0, 1, -1, 0);
		const distance = Float64Array.of(-0.1, -0.1 - 5e-10, -0.1, -0.1);
		const points = Float64Array.from(square);
		expect(reducePoints(points, Float64Array.from(square), Float64Array.from(distance), 4, 3)).toBe(3);
		// the first, the one across, and of the other two the one that comes first
		expect([...points.subarray(0, 9)]).toEqual([...square.subarray(0, 9)]);
		// farther by more than rounding, by 1.5 parts of 1e-9 of the square of the way
		const far = Float64Array.of(1, 1, 0, -1, -1, 0, -1 - 3e-9, -1, 0, 0, 0, 0);
		expect(reducePoints(far, Float64Array.from(far), Float64Array.of(-1, 0, 0, 0), 4, 2)).toBe(2);
		expect(far[3]).toBe(-1 - 3e-9);
		// points in one place are points all the same
		const same = new Float64Array(12).fill(0.5);
		expect(reducePoints(same, same, Float64Array.of(-1, -2, -3, -4), 4, 3)).toBe(3);
		const deeper = Float64Array.of(-0.1, -0.1 - 2e-9, -0.1, -0.1);
		const others = Float64Array.from(square);
		expect(reducePoints(others, Float64Array.from(square), deeper, 4, 2)).toBe(2);
		expect([...others.subarray(0, 6)]).toEqual([-1, 1, 0, 1, -1, 0]);
	});
});
