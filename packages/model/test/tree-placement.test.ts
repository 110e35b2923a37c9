import { quatMultiply, quatRotate, transformMultiply } from '@manyworlds/core/internal';
import { describe, expect, it } from 'vitest';
import { ArticulatedDynamics, type Model, ModelBuilder, TreePlacement } from '../src/index.ts';

const UNIT = { mass: 1, inertia: [1, 0, 0, 0, 1, 0, 0, 0, 1] } as const;
const TURN = [0, Math.sin(0.2), 0, Math.cos(0.2)];

/** Worlds with a floating base that carries a hinge, a slide and a ball, in odd frames. */
function makeModel(worlds: number): Model {
	const one = new ModelBuilder();
	const bodies = [0, 1, 2, 3].map((i) => one.addLink({ ...UNIT, com: [0.1 * i, 0.02, -0.05] }));
	const [base, arm, hand, ball] = bodies as [number, number, number, number];
	const frames = { parentXform: { p: [0.3, 0.1, 0.2], q: TURN }, childXform: { p: [-0.1, 0.05, 0], q: TURN } };
	one.addArticulation([
		one.addJointFree({ child: base }),
		one.addJointRevolute({ parent: base, child: arm, axis: [0.6, 0, 0.8], ...frames }),
		one.addJointPrismatic({ parent: arm, child: hand, axis: 'y', ...frames }),
		one.addJointBall({ parent: base, child: ball, ...frames }),
	]);
	const all = new ModelBuilder();
	all.replicate(one, { count: worlds, spacing: [2, 0, 0] });
	return all.finalize();
}

/** Coordinates and velocities away from zero, the same in every world. */
function disturb(model: Model): ReturnType<Model['createState']> {
	const state = model.createState();
	const perWorld = model.jointCoordCount / model.worldCount;
	for (let world = 0; world < model.worldCount; world++) {
		const q = world * perWorld;
		state.jointQ.set(
			[0.1, 0.2, 0.3, 0, 0, Math.sin(0.3), Math.cos(0.3), 0.7, 0.25, Math.sin(0.4), 0, 0, Math.cos(0.4)],
			q,
		);
	}
	state.jointQd.forEach((_, dof) => {
		state.jointQd[dof] = Math.sin(1 + (dof % (model.jointDofCount / model.worldCount)));
	});
	return state;
}

function trees(model: Model): Int32Array[] {
	return Array.from({ length: model.articulationCount }, (_, a) =>
		Int32Array.from(
			{ length: model.articulationEnd[a]! - model.articulationStart[a]! },
			(__, i) => i + model.articulationStart[a]!,
		),
	);
}

describe('the placement of trees', () => {
	it('puts a child at parent · X_p · motion · X_c⁻¹', () => {
		const model = makeModel(1);
		const state = disturb(model);
		new TreePlacement(model, trees(model)).place(0, state.jointQ, undefined, state);
		const joint = 1;
		const motion = Float64Array.of(0, 0, 0, 0.6 * Math.sin(0.35), 0, 0.8 * Math.sin(0.35), Math.cos(0.35));
		const expected = transformMultiply(new Float64Array(7), state.bodyQ, model.jointXP, 0, 0, 7 * joint);
		transformMultiply(expected, expected, motion);
		// child · X_c is where the motion ends
		const reached = transformMultiply(new Float64Array(7), state.bodyQ, model.jointXC, 0, 7, 7 * joint);
		for (let i = 0; i < 7; i++) expect(reached[i]).toBeCloseTo(expected[i]!, 13);
	});

	it('moves bodies as the difference of two placements says', () => {
		const model = makeModel(1);
		const state = disturb(model);
		const placement = new TreePlacement(model, trees(model), { withMotion: true });
		placement.place(0, state.jointQ, state.jointQd, state);
		const before = placement.com.slice();
		const h = 1e-6;
		// hinge and slide only: their coordinates change by their velocities
		const still = state.jointQd.map((v, dof) => (dof === 6 || dof === 7 ? v : 0));
		placement.place(0, state.jointQ, still, state);
		const speeds = state.bodyQd.slice();
		const later = state.jointQ.slice();
		later[7] = later[7]! + h * still[6]!;
		later[8] = later[8]! + h * still[7]!;
		placement.place(0, later, undefined, { bodyQ: state.bodyQ });
		for (let body = 0; body < 4; body++) {
			for (let c = 0; c < 3; c++) {
				const rate = (placement.com[3 * body + c]! - before[3 * body + c]!) / h;
				expect(rate).toBeCloseTo(speeds[6 * body + c]!, 5);
			}
		}
	});

	it('has twists that make up the velocities of bodies', () => {
		const model = makeModel(1);
		const state = disturb(model);
		state.jointQd.fill(0, 0, 6);
		const placement = new TreePlacement(model, trees(model), { withMotion: true });
		placement.place(0, state.jointQ, state.jointQd, state);
		// the hand hangs on hinge and slide
		const sum = new Float64Array(6);
		for (const dof of [6, 7])
			for (let i = 0; i < 6; i++) sum[i]! += placement.twist[6 * dof + i]! * state.jointQd[dof]!;
		const r = [0, 1, 2].map((c) => placement.com[6 + c]! - placement.origin[c]!);
		const [wx, wy, wz, ux, uy, uz] = sum as unknown as [number, number, number, number, number, number];
		const expected = [
			ux + wy * r[2]! - wz * r[1]!,
			uy + wz * r[0]! - wx * r[2]!,
			uz + wx * r[1]! - wy * r[0]!,
			wx,
			wy,
			wz,
		];
		for (let i = 0; i < 6; i++) expect(state.bodyQd[12 + i]).toBeCloseTo(expected[i]!, 13);
	});

	it('gives every world the same bits about its own place, and takes edits of one world', () => {
		const model = makeModel(3);
		const state = disturb(model);
		const placement = new TreePlacement(model, trees(model));
		const place = (): void => {
			for (let tree = 0; tree < 3; tree++) placement.place(tree, state.jointQ, state.jointQd, state);
		};
		const world = (i: number): Float64Array => state.bodyQ.slice(28 * i, 28 * i + 28);
		place();
		expect(world(1)).toEqual(world(0));
		const old = world(1);
		model.jointXP[7 * 5] = 0.9;
		place();
		expect(world(1)).toEqual(old);
		placement.refresh((tree) => tree === 1);
		place();
		expect(world(1)).not.toEqual(old);
		expect([world(0), world(2)]).toEqual([old, old]);
		model.jointXP[7 * 5] = model.jointXP[7]!;
		placement.refresh((tree) => tree === 1);
		place();
		expect(world(1)).toEqual(old);
	});

	it('hangs a tree on a body that it does not place', () => {
		const model = makeModel(1);
		const state = disturb(model);
		new TreePlacement(model, trees(model)).place(0, state.jointQ, state.jointQd, state);
		const [bodyQ, bodyQd] = [state.bodyQ.slice(), state.bodyQd.slice()];
		state.bodyQ.fill(0, 7);
		state.bodyQd.fill(0, 6);
		const rest = new TreePlacement(model, [[1, 2], [3]]);
		rest.place(0, state.jointQ, state.jointQd, state);
		rest.place(1, state.jointQ, state.jointQd, state);
		for (const [i, value] of bodyQ.entries()) expect(state.bodyQ[i]).toBeCloseTo(value, 13);
		for (const [i, value] of bodyQd.entries()) expect(state.bodyQd[i]).toBeCloseTo(value, 13);
	});

	it('turns a ball by its quaternion', () => {
		const model = makeModel(1);
		const state = disturb(model);
		new TreePlacement(model, trees(model)).place(0, state.jointQ, undefined, state);
		const q = quatMultiply(new Float64Array(4), state.bodyQ, model.jointXP, 0, 3, 7 * 3 + 3);
		quatMultiply(q, q, state.jointQ, 0, 0, 9);
		const axis = quatRotate(new Float64Array(3), q, Float64Array.of(0, 0, 1));
		const child = quatMultiply(new Float64Array(4), state.bodyQ, model.jointXC, 0, 24, 7 * 3 + 3);
		const reached = quatRotate(new Float64Array(3), child, Float64Array.of(0, 0, 1));
		for (let i = 0; i < 3; i++) expect(reached[i]).toBeCloseTo(axis[i]!, 13);
	});
});

describe('articulated dynamics', () => {
	it('takes over edits of frames when it is told', () => {
		const model = makeModel(1);
		const state = disturb(model);
		const dynamics = new ArticulatedDynamics(model);
		dynamics.forwardKinematics(state);
		const x = state.bodyQ[7]!;
		model.jointXP[7] = model.jointXP[7]! + 1;
		dynamics.notifyModelChanged();
		dynamics.forwardKinematics(state);
		expect(state.bodyQ[7]).not.toBeCloseTo(x, 3);
	});
});
