import { Report, UsageRangeError } from '@manyworlds/core';
import { type Model, ModelBuilder, type State } from '@manyworlds/model';
import { describe, expect, it } from 'vitest';
import { type FindOverlaps, type Overlap, startOf } from '../src/index.ts';
import { placeRobot } from '../src/internal.ts';

const RADIUS = 0.1;

/** What overlaps of balls with the plane at a height, and with each other. */
function ballOverlaps(model: Model): FindOverlaps {
	return (state: State): Overlap[] => {
		const found: Overlap[] = [];
		const plane = model.shapeLabels.indexOf('ground_plane');
		const balls = model.shapeLabels.flatMap((label, shape) => (label.startsWith('ball') ? [shape] : []));
		const centre = (shape: number, k: number): number => state.bodyQ[7 * model.shapeBody[shape]! + k]!;
		const worldOf = (shape: number): number => Math.max(0, model.shapeWorld[shape]!);
		for (const [i, ball] of balls.entries()) {
			const depth = RADIUS - (centre(ball, 2) - model.shapeTransform[7 * plane + 2]!);
			if (plane >= 0 && depth > -0.01)
				found.push({ world: worldOf(ball), shape0: plane, shape1: ball, depth, normal: [0, 0, 1] });
			for (const other of balls.slice(i + 1)) {
				if (worldOf(other) !== worldOf(ball)) continue;
				const gap = [0, 1, 2].map((k) => centre(other, k) - centre(ball, k));
				const distance = Math.hypot(...gap);
				if (2 * RADIUS - distance <= -0.01) continue;
				const normal = gap.map((part) => part / distance) as unknown as readonly [number, number, number];
				found.push({ world: worldOf(ball), shape0: ball, shape1: other, depth: 2 * RADIUS - distance, normal });
			}
		}
		return found;
	};
}

/** Balls that float at given places, each a body. */
function balls(...places: readonly (readonly [number, number, number])[]): ModelBuilder {
	const builder = new ModelBuilder();
	for (const [i, p] of places.entries()) {
		const body = builder.addBody({ label: `body${i}`, xform: { p } });
		builder.addShapeSphere(body, { radius: RADIUS, label: `ball${i}` });
	}
	return builder;
}

function startBalls(builder: ModelBuilder, options: Parameters<typeof startOf>[2] = {}, count = 1) {
	const placed = placeRobot(builder, { count });
	const model = placed.builder.finalize();
	const report = new Report();
	const start = startOf(model, report, {
		findOverlaps: ballOverlaps(model),
		...(placed.ground.kind === 'added' && { ground: placed.ground.shape }),
		...options,
	});
	return { model, ...start, messages: report.toArray().map(({ code, message }) => `${code} ${message}`) };
}

describe('the start of a robot', () => {
	it('inside of the ground is lifted in every world until its lowest collider touches', () => {
		const { state, lift, messages } = startBalls(balls([0, 0, -0.5]), {}, 3);
		expect(lift).toBeCloseTo(0.6, 12);
		for (let world = 0; world < 3; world++) expect(state.bodyQ[7 * world + 2]).toBeCloseTo(RADIUS, 12);
		expect(messages).toEqual(["WLD002 'body0' was lifted by 0.6 m in 3 worlds, until 'ball0' touched 'ground_plane'"]);
	});

	it('on or above the ground stays where the file puts it', () => {
		for (const height of [RADIUS, RADIUS - 5e-4, 2]) {
			const { state, lift, messages } = startBalls(balls([0, 0, height]));
			expect([state.bodyQ[2], lift, messages]).toEqual([height, 0, []]);
		}
	});

	it('keeps bodies that touch together, and leaves others alone', () => {
		const { state } = startBalls(balls([0, 0, 0], [0, 0, 0.2], [5, 0, 0.5]));
		const heights = [0, 1, 2].map((body) => Number(state.bodyQ[7 * body + 2]!.toFixed(9)));
		expect(heights).toEqual([0.1, 0.3, 0.5]);
	});

	it('where it is told to, is not lifted, and what overlaps is a finding', () => {
		const { state, messages, overlaps } = startBalls(balls([0, 0, 1]), { height: 0.05 }, 2);
		expect(state.bodyQ[2]).toBeCloseTo(0.05, 12);
		expect(overlaps).toHaveLength(2);
		expect(messages).toEqual([
			"WLD004 'ground_plane' and 'ball0' of 'body0' overlap by 50 mm at the start, in world 0 and 1 other",
		]);
	});

	it('is at a pose in its own world', () => {
		const builder = balls([0, 0, 1]);
		const placed = placeRobot(builder, { count: 2, spacing: [4, 0, 0] });
		const model = placed.builder.finalize();
		const pose = [0.5, 0.25, 3, 0, 0, Math.SQRT1_2, Math.SQRT1_2];
		const { state } = startOf(model, new Report(), { pose, worldOffsets: [-2, 0, 0, 2, 0, 0] });
		expect([...state.bodyQ.subarray(0, 7)]).toEqual([-1.5, ...pose.slice(1)]);
		expect(state.bodyQ[7]).toBe(2.5);
	});

	it('on a fixed base lets the plane down that was added for it, not the robot up', () => {
		const builder = new ModelBuilder();
		const body = builder.addLink({ label: 'arm', mass: 1 });
		builder.addShapeSphere(body, { radius: RADIUS, label: 'ball0' });
		const joint = builder.addJointRevolute({ parent: -1, child: body, axis: 'y', parentXform: { p: [0, 0, -0.3] } });
		builder.addArticulation([joint]);
		const { model, state, lowered, messages } = startBalls(builder);
		expect(state.bodyQ[2]).toBeCloseTo(-0.3, 12);
		expect(lowered).toBeCloseTo(0.4, 12);
		expect(model.shapeTransform[7 * model.shapeLabels.indexOf('ground_plane') + 2]).toBeCloseTo(-0.4, 12);
		expect(messages).toEqual([
			"WLD003 the ground plane was lowered by 0.4 m: 'ball0' of a robot on a fixed base reaches down there",
		]);
	});

	it('has joints where they are put by name, before limits count', () => {
		const builder = new ModelBuilder();
		const body = builder.addLink({ label: 'arm', mass: 1 });
		const joint = builder.addJointRevolute({
			parent: -1,
			child: body,
			axis: 'y',
			label: 'robot/elbow',
			limitLower: -0.5,
			limitUpper: 0.5,
		});
		builder.addArticulation([joint]);
		const model = builder.finalize();
		const q = (joints: Record<string, number>): number => startOf(model, new Report(), { joints }).state.jointQ[0]!;
		expect(q({ elbow: 0.3 })).toBe(0.3);
		expect(q({ 'robot/elbow': 2 })).toBe(0.5);
		expect(() => q({ knee: 1 })).toThrow(UsageRangeError);
		expect(() => startOf(model, new Report(), { height: 1 })).toThrow(/nothing floats/);
	});

	it('does not count overlaps of bodies that fixed joints hold together, or that cannot move', () => {
		const builder = balls([0, 0, 5]);
		const second = builder.addLink({ label: 'second', mass: 1, xform: { p: [0, 0, 5] } });
		builder.addShapeSphere(second, { radius: RADIUS, label: 'ball1' });
		const held = builder.addJointFixed({ parent: 0, child: second, collisionFilterParent: false });
		builder.addArticulation([held]);
		const model = builder.finalize();
		const overlap = { world: 0, shape0: 0, shape1: 1, depth: 0.2, normal: [0, 0, 1] } as const;
		const { overlaps } = startOf(model, new Report(), { findOverlaps: () => [overlap] });
		expect(overlaps).toEqual([]);
	});
});
