import { GeoType } from '@manyworlds/model';
import { expect } from 'vitest';
import { type ConvexShape, TRIANGLE } from '../src/collision/convex-shape.ts';
import { hullOfPoints } from '../src/internal.ts';

export type Vector = readonly [number, number, number];

export const dot = (a: Vector, b: Vector): number => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
export const unit = (a: Vector): Vector => {
	const length = Math.hypot(...a);
	return [a[0] / length, a[1] / length, a[2] / length];
};

/** A shape with the closed form of its support: how far it reaches along a unit direction. */
export interface Solid {
	readonly name: string;
	readonly reach: (n: Vector) => number;
	readonly place: (out: ConvexShape) => ConvexShape;
}

/** Numbers between -1 and 1 from a seed. */
export function randomOf(seed: number): () => number {
	let state = seed;
	return () => {
		state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
		return state / 2 ** 31 - 1;
	};
}

export const CLOUD = Float64Array.from(
	{ length: 30 },
	(
		(random) => () =>
			0.3 * random()
	)(randomOf(5)),
);
/** So many corners that they are looked for along edges. */
export const MANY = Float64Array.from({ length: 90 }, (_, i) => {
	const at = Math.floor(i / 3);
	const height = 1 - (2 * at + 1) / 30;
	const turn = 2.4 * at;
	const wide = Math.sqrt(1 - height * height);
	return [0.3 * wide * Math.cos(turn), 0.2 * wide * Math.sin(turn), 0.25 * height][i % 3]!;
});
export const MORE = Float64Array.from({ length: 180 }, (_, i) => {
	const at = Math.floor(i / 3);
	const height = 1 - (2 * at + 1) / 60;
	const turn = 2.4 * at;
	const wide = Math.sqrt(1 - height * height);
	return [0.3 * wide * Math.cos(turn), 0.2 * wide * Math.sin(turn), 0.25 * height][i % 3]!;
});

export const KINDS = [
	'sphere',
	'capsule',
	'box',
	'cylinder',
	'cone',
	'ellipsoid',
	'cloud',
	'many',
	'more',
	'triangle',
] as const;
export type Kind = (typeof KINDS)[number];
export const [X, Y, Z] = [0.25, 0.35, 0.15];
export const CORNERS = [-0.3, -0.1, 0.02, 0.25, -0.2, -0.03, 0.05, 0.3, 0.01];

/** The closed forms in the frame of a shape. */
const REACH: Readonly<Record<Kind, (n: Vector) => number>> = {
	sphere: () => X,
	capsule: (n) => X + Y * Math.abs(n[2]),
	box: (n) => X * Math.abs(n[0]) + Y * Math.abs(n[1]) + Z * Math.abs(n[2]),
	cylinder: (n) => X * Math.hypot(n[0], n[1]) + Y * Math.abs(n[2]),
	cone: (n) => Math.max(Y * n[2], X * Math.hypot(n[0], n[1]) - Y * n[2]),
	ellipsoid: (n) => Math.hypot(X * n[0], Y * n[1], Z * n[2]),
	cloud: (n) => farthest(CLOUD, n),
	many: (n) => farthest(MANY, n),
	more: (n) => farthest(MORE, n),
	triangle: (n) => farthest(CORNERS, n),
};

export function farthest(points: ArrayLike<number>, n: Vector): number {
	let best = Number.NEGATIVE_INFINITY;
	for (let i = 0; i < points.length; i += 3)
		best = Math.max(best, dot([points[i]!, points[i + 1]!, points[i + 2]!], n));
	return best;
}

const TYPES: Readonly<Record<Kind, number>> = {
	sphere: GeoType.SPHERE,
	capsule: GeoType.CAPSULE,
	box: GeoType.BOX,
	cylinder: GeoType.CYLINDER,
	cone: GeoType.CONE,
	ellipsoid: GeoType.ELLIPSOID,
	cloud: GeoType.CONVEX_MESH,
	many: GeoType.CONVEX_MESH,
	more: GeoType.CONVEX_MESH,
	triangle: TRIANGLE,
};

export const HULLS = { cloud: hullOfPoints(CLOUD), many: hullOfPoints(MANY), more: hullOfPoints(MORE) };

export function solid(kind: Kind, p: Vector, turn: Vector): Solid {
	const w = Math.sqrt(Math.max(0, 1 - dot(turn, turn)));
	const [x, y, z] = turn;
	const columns: readonly Vector[] = [
		[1 - 2 * (y * y + z * z), 2 * (x * y + w * z), 2 * (x * z - w * y)],
		[2 * (x * y - w * z), 1 - 2 * (x * x + z * z), 2 * (y * z + w * x)],
		[2 * (x * z + w * y), 2 * (y * z - w * x), 1 - 2 * (x * x + y * y)],
	];
	return {
		name: kind,
		reach: (n) => dot(p, n) + REACH[kind]([dot(columns[0]!, n), dot(columns[1]!, n), dot(columns[2]!, n)]),
		place: (out) => {
			out.setGeometry(TYPES[kind], X, Y, Z, HULLS[kind as keyof typeof HULLS]);
			if (kind === 'triangle') out.corners.set(CORNERS);
			out.setPose(Float64Array.of(...p, x, y, z, w), 0);
			return out;
		},
	};
}

export const DIRECTIONS: readonly Vector[] = Array.from({ length: 250 }, (_, i) => {
	const height = 1 - (2 * i + 1) / 250;
	const wide = Math.sqrt(1 - height * height);
	return [wide * Math.cos(2.399963 * i), wide * Math.sin(2.399963 * i), height];
});

/** A unit quaternion's vector part. */
export function randomTurn(random: () => number): Vector {
	const q = unit([random(), random(), random()]);
	const size = Math.sin(1.5 * random());
	return [q[0] * size, q[1] * size, q[2] * size];
}

/** A place and a turn as they are seen from elsewhere: both moved by a place and a turn. */
export function moveBy(by: readonly [Vector, Vector], p: Vector, turn: Vector): [Vector, Vector] {
	const wOf = (v: Vector): number => Math.sqrt(Math.max(0, 1 - dot(v, v)));
	const cross = (a: Vector, b: Vector): Vector => [
		a[1] * b[2] - a[2] * b[1],
		a[2] * b[0] - a[0] * b[2],
		a[0] * b[1] - a[1] * b[0],
	];
	const [q, w] = [by[1], wOf(by[1])];
	const c = cross(q, p);
	const d = cross(q, c);
	const moved = [0, 1, 2].map((k) => by[0][k]! + p[k]! + 2 * (w * c[k]! + d[k]!)) as unknown as Vector;
	const own = wOf(turn);
	const e = cross(q, turn);
	const sign = w * own - dot(q, turn) < 0 ? -1 : 1;
	return [moved, [0, 1, 2].map((k) => sign * (w * turn[k]! + own * q[k]! + e[k]!)) as unknown as Vector];
}

export function expectInside(point: Float64Array, shape: Solid, by: number): void {
	const p: Vector = [point[0]!, point[1]!, point[2]!];
	expect(outside(p, shape.reach)).toBeLessThan(by);
}

/** The largest gap between a point and a shape along any of the directions. */
export function outside(p: Vector, reach: (n: Vector) => number): number {
	let most = Number.NEGATIVE_INFINITY;
	for (const n of DIRECTIONS) most = Math.max(most, dot(p, n) - reach(n));
	return most;
}
