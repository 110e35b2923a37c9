import { quatFromAxisAngle, quatMultiply, quatRotate } from '@manyworlds/core/internal';
import { ArticulatedDynamics, ModelBuilder } from '@manyworlds/model';
import { expect, it } from 'vitest';
import { LoopGaps } from '../src/internal.ts';

/** Gaps of a model with other coordinates than it starts with. */
function gapsOf(builder: ModelBuilder, jointQ: readonly number[] = []): number[] {
	const model = builder.finalize({ keepInertia: true });
	const state = model.createState();
	state.jointQ.set(jointQ);
	new ArticulatedDynamics(model).forwardKinematics(state);
	const gaps = new LoopGaps(model);
	return [...gaps.write(new Float64Array(gaps.count), state.bodyQ, state.jointQ)];
}

function twoHinges(): { readonly builder: ModelBuilder; readonly joints: number[]; readonly bodies: number[] } {
	const builder = new ModelBuilder();
	const bodies = [0, 1].map(() => builder.addLink({ mass: 1, inertia: [1, 0, 0, 0, 1, 0, 0, 0, 1] }));
	const joints = bodies.map((child) => builder.addJointRevolute({ child, axis: 'z' }));
	for (const joint of joints) builder.addArticulation([joint]);
	return { builder, joints, bodies };
}

it('the gap of a follower is how far it is from the line of its leader', () => {
	const { builder, joints } = twoHinges();
	builder.addConstraintMimic({ joint0: joints[1]!, joint1: joints[0]!, coef0: 0.25, coef1: -3 });
	const [gap, ...others] = gapsOf(builder, [0.2, 0.7]);
	expect(gap).toBeCloseTo(0.7 - (0.25 - 3 * 0.2), 12);
	expect(others).toEqual([]);
});

it('a constraint that is switched off has no gap', () => {
	const { builder, joints } = twoHinges();
	builder.addConstraintMimic({ joint0: joints[1]!, joint1: joints[0]!, coef0: 0.25, coef1: -3, enabled: false });
	expect(gapsOf(builder, [0.2, 0.7])).toEqual([]);
});

it.each([
	// points that are (2, 4, 4) thirds apart while the hinges agree: 2 m
	['within its bounds', { minDistance: 1.5, maxDistance: 2.5 }, 0],
	['that is too long', { minDistance: 0.5, maxDistance: 1.75 }, 0.25],
	['that is too short', { minDistance: 2.75, maxDistance: 3 }, -0.75],
	['without bounds', { minDistance: -1, maxDistance: -1 }, 0],
])('the gap of a distance %s is what is beyond them', (_, bounds, expected) => {
	const { builder, bodies } = twoHinges();
	builder.addJointDistance({
		parent: bodies[0]!,
		child: bodies[1]!,
		parentXform: { p: [1, 0.5, 0.25], q: [0.5, 0.5, 0.5, 0.5] },
		childXform: { p: [5 / 3, 4 / 3 + 0.5, 4 / 3 + 0.25], q: [0.5, -0.5, 0.5, 0.5] },
		...bounds,
	});
	const [gap, ...others] = gapsOf(builder, [0.4, 0.4]);
	expect(gap).toBeCloseTo(expected, 12);
	expect(others).toEqual([]);
});

it('the gap of a distance that is the first joint is one number too', () => {
	const builder = new ModelBuilder();
	const bodies = [0, 1].map(() => builder.addLink({ mass: 1, inertia: [1, 0, 0, 0, 1, 0, 0, 0, 1] }));
	builder.addJointDistance({ parent: bodies[0]!, child: bodies[1]!, maxDistance: 2 });
	for (const child of bodies) builder.addArticulation([builder.addJointPrismatic({ child, axis: 'x' })]);
	const coordinates = new Array<number>(7).fill(0);
	const gaps = gapsOf(builder, [...coordinates, -1, 1.5]);
	expect(gaps).toEqual([expect.closeTo(0.5, 12)]);
});

it('the gaps of a hinge that closes a loop are along and about the axes that it holds', () => {
	const { builder, bodies } = twoHinges();
	builder.addJointRevolute({
		parent: bodies[0]!,
		child: bodies[1]!,
		axis: 'z',
		parentXform: { p: [1, 0, 0] },
		childXform: { p: [3, 0, 0.5] },
	});
	const closed = gapsOf(builder, [0.4, 0.4]);
	// two turns that are held, and three lengths
	expect(closed).toHaveLength(5);
	expect(Math.hypot(...closed)).toBeCloseTo(Math.hypot(2, 0.5), 12);
	// 1 m and 3 m from the middle, a right angle apart
	expect(Math.hypot(...gapsOf(builder, [0.4, 0.4 + Math.PI / 2]))).toBeCloseTo(Math.hypot(1, 3, 0.5), 12);
});

/** Two floating bodies, each in its world. */
function twoFloating(worlds: readonly number[] = [0, 0]): { builder: ModelBuilder; bodies: number[] } {
	const builder = new ModelBuilder();
	const inertia = [1, 0, 0, 0, 1, 0, 0, 0, 1];
	const bodies: number[] = [];
	for (let world = 0; world <= Math.max(...worlds); world++) {
		builder.beginWorld();
		for (const own of worlds) if (own === world) bodies.push(builder.addBody({ mass: 1, inertia }));
		builder.endWorld();
	}
	return { builder, bodies };
}

const Q0 = quatFromAxisAngle(new Float64Array(4), Float64Array.of(2 / 3, -2 / 3, 1 / 3), 0.9);

it('the gaps of a weld are its turn and its way in the axes of the first frame, not its turn twice', () => {
	const turn = [0.3, -0.5, 0.2];
	const way = [0.7, 0.4, -0.6];
	const { builder, bodies } = twoFloating();
	builder.addEqualityConstraint({
		type: 'weld',
		body1: bodies[0]!,
		body2: bodies[1]!,
		anchor: [0, 0, 0],
		relpose: [0, 0, 0, 0, 0, 0, 1],
	});
	const angle = Math.hypot(...turn);
	const relative = quatFromAxisAngle(
		new Float64Array(4),
		Float64Array.from(turn, (x) => x / angle),
		angle,
	);
	const q1 = quatMultiply(new Float64Array(4), Q0, relative);
	const p1 = quatRotate(new Float64Array(3), Q0, Float64Array.from(way)).map((x, k) => x + [1, 2, 3][k]!);
	const gaps = gapsOf(builder, [1, 2, 3, ...Q0, ...p1, ...q1]);
	for (const [i, expected] of [...turn, ...way].entries()) expect(gaps[i]).toBeCloseTo(expected, 12);
	expect(gaps).toHaveLength(6);
});

it('the gap of a coordinate that is held at a place is how far it is from it, whatever the other ones are', () => {
	const { builder, joints } = twoHinges();
	builder.addEqualityConstraint({ type: 'joint', joint1: joints[1]!, joint2: -1, polycoef: [0.25, 5, 5, 5, 5] });
	const [gap] = gapsOf(builder, [0.2, 0.7]);
	expect(gap).toBeCloseTo(0.45, 12);
});

it('gaps are those of one world and of what belongs to none', () => {
	const { builder, bodies } = twoFloating([0, 1]);
	for (const [i, body1] of bodies.entries()) {
		builder.addEqualityConstraint({ type: 'connect', body1, body2: -1, anchor: [0, 0, i] });
	}
	const model = builder.finalize({ keepInertia: true });
	const worldOf = (world?: number): number[] => {
		const gaps = new LoopGaps(model, world);
		const bodyQ = model.bodyQ.map((value, i) => value + (i % 7 < 3 ? 10 * Math.floor(i / 7) + (i % 7) + 1 : 0));
		return [...gaps.write(new Float64Array(gaps.count), bodyQ, model.jointQ)];
	};
	expect(Array.from(model.equalityConstraintWorld)).toEqual([-1, -1]);
	expect(worldOf(0)).toEqual([-1, -2, -3, -11, -12, -13]);
	model.equalityConstraintWorld.set([0, 1]);
	expect(worldOf(0)).toEqual([-1, -2, -3]);
	expect(worldOf()).toEqual([-1, -2, -3]);
	expect(worldOf(1)).toEqual([-11, -12, -13]);
});
