import { ArticulatedDynamics, JointType, type Model, ModelBuilder, State } from '@manyworlds/model';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { convertModel } from '../src/convert/convert-model.ts';
import { CompiledModel, loadMujoco } from '../src/internal.ts';
import { BodyPoses } from '../src/solver/body-poses.ts';

const module = await loadMujoco();

const number = fc.integer({ min: -2000, max: 2000 }).map((n) => n / 1000);
const vector = fc.tuple(number, number, number);
const turn = fc
	.tuple(number, number, number, number)
	.map((q) => (Math.hypot(...q) < 0.1 ? [0, 0, 0, 1] : q.map((x) => x / Math.hypot(...q))));
const frame = fc.record({ p: vector, q: turn });
const JOINTS = ['revolute', 'prismatic', 'fixed', 'ball', 'd6'] as const;
const link = fc.record({
	kind: fc.constantFrom(...JOINTS),
	parent: fc.nat(),
	parentXform: frame,
	childXform: frame,
	com: vector,
	axes: fc.tuple(vector, vector, vector),
	linear: fc.nat(2),
	angular: fc.nat(3),
});
type Link = typeof link extends fc.Arbitrary<infer T> ? T : never;

/** A tree on a free, fixed or hinged root; joints of several axes take as many as they are given. */
function build(root: Link, isFree: boolean, links: readonly Link[], worlds: number): Model {
	const one = new ModelBuilder();
	const joints: number[] = [];
	const add = ({ kind, parentXform, childXform, com, axes, linear, angular }: Link, parent: number): void => {
		const child = one.addLink({ mass: 1, com: [...com], inertia: [1, 0, 0, 0, 1, 0, 0, 0, 1] });
		const common = { parent, child, parentXform, childXform };
		const axis = normalized(axes[0]);
		if (parent < 0 && isFree) joints.push(one.addJointFree(common));
		else if (kind === 'revolute') joints.push(one.addJointRevolute({ ...common, axis }));
		else if (kind === 'prismatic') joints.push(one.addJointPrismatic({ ...common, axis }));
		else if (kind === 'fixed') joints.push(one.addJointFixed(common));
		else if (kind === 'ball') joints.push(one.addJointBall(common));
		else {
			const axisOf = (i: number) => ({ axis: normalized(axes[i]!) });
			joints.push(
				one.addJointD6({
					...common,
					linearAxes: [0, 1].slice(0, linear).map(axisOf),
					angularAxes: [0, 1, 2].slice(0, angular).map(axisOf),
				}),
			);
		}
	};
	add(root, -1);
	for (const [i, own] of links.entries()) add(own, own.parent % (i + 1));
	one.addArticulation(joints);
	const scene = new ModelBuilder();
	scene.replicate(one, { count: worlds });
	return scene.finalize({ skipValidation: true });
}

function normalized(v: readonly number[]): number[] {
	const length = Math.hypot(...v);
	return length < 0.1 ? [0, 0, 1] : v.map((x) => x / length);
}

function fill(model: Model, state: State, seed: number): void {
	const wave = (i: number): number => Math.sin(1 + seed + 12.9898 * i);
	for (let i = 0; i < state.jointQ.length; i++) state.jointQ[i] = wave(i);
	for (let i = 0; i < state.jointQd.length; i++) state.jointQd[i] = wave(1000 + i);
	for (let joint = 0; joint < model.jointCount; joint++) {
		const type = model.jointType[joint];
		if (type !== JointType.FREE && type !== JointType.BALL) continue;
		const at = model.jointQStart[joint]! + (type === JointType.FREE ? 3 : 0);
		const q = state.jointQ.subarray(at, at + 4);
		const length = Math.hypot(...q);
		for (let c = 0; c < 4; c++) q[c]! /= length;
	}
}

test('poses and velocities of any tree are those of forward kinematics, also in worlds with other frames', () => {
	const check = (root: Link, isFree: boolean, links: Link[], seed: number): void => {
		const model = build(root, isFree, links, 2);
		const compiled = new CompiledModel(module, convertModel(model));
		try {
			// the second world has other frames and centres of mass
			for (let i = model.jointXP.length / 2; i < model.jointXP.length; i += 7) model.jointXP[i]! += 0.25;
			for (let i = model.bodyCom.length / 2; i < model.bodyCom.length; i++) model.bodyCom[i]! -= 0.5;
			const poses = new BodyPoses(compiled, { start: 0, end: 2 });
			const own = new State(model);
			fill(model, own, seed);
			const expected = new State(model);
			expected.assign(own);
			new ArticulatedDynamics(model).forwardKinematics(expected);
			for (const array of [own.bodyQ, own.bodyQd]) array.fill(Number.NaN);
			for (let world = 0; world < 2; world++) poses.update(world, own);
			for (const name of ['bodyQ', 'bodyQd'] as const) {
				for (let i = 0; i < own[name].length; i++) {
					const bound = 1e-12 * (1 + Math.abs(expected[name][i]!));
					expect(Math.abs(own[name][i]! - expected[name][i]!), `${name}[${i}]`).toBeLessThanOrEqual(bound);
				}
			}
		} finally {
			compiled.dispose();
		}
	};
	fc.assert(fc.property(link, fc.boolean(), fc.array(link, { maxLength: 7 }), fc.nat(1000), check), { numRuns: 30 });
});

test('edited frames count from the next refresh on', () => {
	const builder = new ModelBuilder();
	const child = builder.addLink({ mass: 1, inertia: [1, 0, 0, 0, 1, 0, 0, 0, 1] });
	builder.addArticulation([builder.addJointRevolute({ parent: -1, child, axis: 'z' })]);
	const model = builder.finalize();
	const compiled = new CompiledModel(module, convertModel(model));
	const poses = new BodyPoses(compiled, { start: 0, end: 1 });
	const state = new State(model);
	model.jointXP.set([1, 2, 3]);
	poses.refresh();
	poses.update(0, state);
	expect([...state.bodyQ]).toEqual([1, 2, 3, 0, 0, 0, 1]);
	compiled.dispose();
});
