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
		parentXform: { p: [1, 0, 0] },
		childXform: { p: [5 / 3, 4 / 3, 4 / 3] },
		...bounds,
	});
	const [gap, ...others] = gapsOf(builder, [0.4, 0.4]);
	expect(gap).toBeCloseTo(expected, 12);
	expect(others).toEqual([]);
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
