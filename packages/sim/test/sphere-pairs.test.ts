import { GeoType, type Model } from '@manyworlds/model';
import { describe, expect, it } from 'vitest';
import { BodySpheres } from '../src/collision/body-spheres.ts';
import { isBallOnPlane } from '../src/collision/pair-kinds.ts';
import { ShapeFrames } from '../src/collision/shape-frames.ts';
import { boxInertia, makeBuilder } from './make-scene.ts';
import { randomOf } from './solids.ts';

type Point = readonly number[];

const plus = (a: Point, b: Point, s = 1): number[] => a.map((x, k) => x + s * b[k]!);
const cross = (a: Point, b: Point): number[] => [
	a[1]! * b[2]! - a[2]! * b[1]!,
	a[2]! * b[0]! - a[0]! * b[2]!,
	a[0]! * b[1]! - a[1]! * b[0]!,
];
const rotate = (q: Point, v: Point): number[] => {
	const c = cross(q, v);
	const d = cross(q, c);
	return v.map((x, k) => x + 2 * (q[3]! * c[k]! + d[k]!));
};

/** Eight bodies with up to three shapes each, and shapes of the world: planes and others. */
function makeModel(random: () => number): Model {
	const turn = (): number[] => {
		const q = [random(), random(), random(), random()];
		return q.map((x) => x / Math.hypot(...q));
	};
	const at = (size: number): { p: number[]; q: number[] } => ({ p: [0, 0, 0].map(() => size * random()), q: turn() });
	const config = (): { margin: number; gap: number; density: number } => ({
		margin: 0.02 + 0.02 * random(),
		gap: 0.03 + 0.03 * random(),
		density: 0,
	});
	const builder = makeBuilder();
	builder.addShapePlane({ xform: at(1), width: 0, length: 0, config: config() });
	builder.addShapeBox(-1, { halfExtents: [0.3, 0.1, 0.2], xform: at(1), config: config() });
	builder.addShapePlane({ xform: at(1), width: 0.5, length: 0.7, config: config() });
	for (let i = 0; i < 8; i++) {
		const body = builder.addBody({ mass: 1, inertia: boxInertia(1, 1, 1, 1), lockInertia: true });
		builder.addShapeSphere(body, { radius: 0.1, xform: at(0.3), config: config() });
		if (i % 3 > 0) builder.addShapeBox(body, { halfExtents: [0.1, 0.05, 0.2], xform: at(0.3), config: config() });
		if (i % 3 > 1) builder.addShapeCapsule(body, { radius: 0.05, halfHeight: 0.1, xform: at(0.3), config: config() });
	}
	return builder.finalize({ keepInertia: true });
}

describe('spheres that are looked at in place of boxes', () => {
	const random = randomOf(41);
	const model = makeModel(random);
	const { shapeBody, shapeTransform, shapeMargin, shapeGap } = model;
	const shapes = Array.from({ length: model.shapeCount }, (_, shape) => shape);
	const isPlane = (shape: number): boolean => model.shapeType[shape] === GeoType.PLANE;
	const near = (shape: number): number => shapeMargin[shape]! + shapeGap[shape]!;
	/** Corners of the bounds of a shape in the frame of its body. */
	const cornersOf = (shape: number): number[][] => {
		const pose = shapeTransform.subarray(7 * shape, 7 * shape + 7);
		return Array.from({ length: 8 }, (_, corner) => {
			const own = [0, 1, 2].map((k) => {
				const bounds = (corner >> k) & 1 ? model.shapeCollisionAabbUpper : model.shapeCollisionAabbLower;
				return bounds[3 * shape + k]!;
			});
			return plus([...pose.subarray(0, 3)], rotate([...pose.subarray(3)], own));
		});
	};
	const middleOf = (corners: readonly Point[]): number[] =>
		[0, 1, 2].map((k) => {
			const along = corners.map((corner) => corner[k]!);
			return 0.5 * (Math.min(...along) + Math.max(...along));
		});
	const radiusOf = (corners: readonly Point[], middle: Point): number =>
		Math.max(...corners.map((corner) => Math.hypot(...plus(corner, middle, -1))));
	/** The sphere around some shapes of one body: in its frame, the middle between the outermost corners and what reaches farthest. */
	const sphereOf = (own: readonly number[]): { middle: number[]; radius: number } => {
		if (isPlane(own[0]!))
			return { middle: [...shapeTransform.subarray(7 * own[0]!, 7 * own[0]! + 3)], radius: near(own[0]!) };
		const corners = own.flatMap(cornersOf);
		// the middle of one box is its own, however it is turned
		const middle = own.length === 1 ? corners[0]!.map((x, k) => 0.5 * (x + corners[7]![k]!)) : middleOf(corners);
		return { middle, radius: radiusOf(corners, middle) + Math.max(...own.map(near)) };
	};
	const together = (shape: number): number[] =>
		shapeBody[shape]! < 0 ? [shape] : shapes.filter((other) => shapeBody[other] === shapeBody[shape]);
	const list: number[] = [];
	for (const a of shapes) {
		for (const b of shapes) if (a < b && shapeBody[a] !== shapeBody[b]) list.push(a, b);
	}
	const pairs = Int32Array.from(list);
	const count = pairs.length / 2;
	const isBall = Uint8Array.from({ length: count }, (_, i) =>
		isBallOnPlane(model, pairs[2 * i]!, pairs[2 * i + 1]!) ? 1 : 0,
	);
	/** Two runs of pairs, whose numbers go on. */
	const start = Int32Array.of(0, Math.floor(count / 3), count);
	const most = 0.4;
	const frames = new ShapeFrames(model, most);
	const spheres = new BodySpheres(frames, pairs, start, isBall);

	it('reach as far as a spin may carry what a body has far from its middle', () => {
		const builder = makeBuilder();
		const still = builder.addBody({ mass: 1 });
		builder.addShapeSphere(still, { radius: 0.1 });
		const turning = builder.addBody({ mass: 1 });
		builder.addShapeSphere(turning, { radius: 0.1, xform: { p: [0.5, 0, 0] } });
		const own = new ShapeFrames(builder.finalize({ keepInertia: true }), 5);
		const pair = new BodySpheres(own, Int32Array.of(0, 1), Int32Array.of(0, 1), Uint8Array.of(0));
		// half a turn takes the ball from one side of its body to the other, 1 m away
		const bodyQ = Float64Array.of(0, 0, 0, 0, 0, 0, 1, 0.7, 0, 0, 0, 0, 0, 1);
		for (const [spin, count] of [
			[0, 0],
			[1e-3, 0],
			[Math.PI / 0.5, 1],
		] as const) {
			own.horizon = 0.5;
			own.begin(bodyQ, Float64Array.of(0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, spin));
			pair.place(0);
			expect(pair.nearCount).toBe(count);
		}
	});

	it.each([0, 0.1, 10])(
		'leave exactly the pairs whose spheres, around bodies and around shapes, may meet within %d s',
		(horizon) => {
			const bodyQ = new Float64Array(7 * model.bodyCount);
			const bodyQd = new Float64Array(6 * model.bodyCount);
			let [kept, left] = [0, 0];
			for (let round = 0; round < 12; round++) {
				for (let body = 0; body < model.bodyCount; body++) {
					const q = [random(), random(), random(), random()];
					bodyQ.set([random(), random(), random(), ...q.map((x) => x / Math.hypot(...q))], 7 * body);
					bodyQd.set([random(), random(), random(), 0, 0, 0], 6 * body);
				}
				frames.horizon = horizon;
				frames.begin(bodyQ, bodyQd);
				const worldOf = (shape: number, point: Point): number[] => {
					const body = shapeBody[shape]!;
					if (body < 0) return [...point];
					return plus(
						[...bodyQ.subarray(7 * body, 7 * body + 3)],
						rotate([...bodyQ.subarray(7 * body + 3, 7 * body + 7)], point),
					);
				};
				const speedOf = (shape: number): number => {
					const body = shapeBody[shape]!;
					return body < 0 ? 0 : Math.hypot(...bodyQd.subarray(6 * body, 6 * body + 3));
				};
				const mayMeet = (a: number, b: number, ownA: readonly number[], ownB: readonly number[]): number => {
					const [one, two] = [sphereOf(ownA), sphereOf(ownB)];
					const way = Math.min(most, horizon * (speedOf(a) + speedOf(b)));
					const between = plus(worldOf(b, two.middle), worldOf(a, one.middle), -1);
					let gap = Math.hypot(...between);
					for (const [plane, sign] of [
						[a, 1],
						[b, -1],
					] as const) {
						if (!isPlane(plane)) continue;
						const normal = rotate([...shapeTransform.subarray(7 * plane + 3, 7 * plane + 7)], [0, 0, 1]);
						gap = sign * normal.reduce((sum, x, k) => sum + x * between[k]!, 0);
					}
					return one.radius + two.radius + way - gap;
				};
				for (let run = 0; run < 2; run++) {
					spheres.place(run);
					const expected: number[] = [];
					for (let i = start[run]!; i < start[run + 1]!; i++) {
						const [a, b] = [pairs[2 * i]!, pairs[2 * i + 1]!];
						if (isPlane(a) && isPlane(b)) continue;
						const ofParts = mayMeet(a, b, together(a), together(b));
						const ofShapes = mayMeet(a, b, [a], [b]);
						if (ofParts >= 0 && (isBall[i] === 1 || ofShapes >= 0)) expected.push(i);
					}
					const isOfPlanes = (i: number): boolean => isPlane(pairs[2 * i]!) && isPlane(pairs[2 * i + 1]!);
					const found = [...spheres.near.subarray(0, spheres.nearCount)].filter((i) => !isOfPlanes(i));
					expect(found, `round ${round}, run ${run}`).toEqual(expected);
					kept += expected.length;
					left += start[run + 1]! - start[run]! - expected.length;
				}
			}
			expect(Math.min(kept, left)).toBeGreaterThan(200);
		},
	);
});
