import { quatRotate, transformInvert, transformMultiply } from '@manyworlds/core/internal';
import { type Model, ModelFlags, State } from '@manyworlds/model';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { MujocoError } from '../src/index.ts';
import { doubleField } from '../src/internal.ts';
import { hinged, link, mujoco, mujocoBuilder, run, UNIT_INERTIA, withSolver } from './support.ts';

const number = fc.double({ min: -2, max: 2, noNaN: true });
const quaternion = fc
	.tuple(number, number, number, number)
	.filter((q) => Math.hypot(...q) > 0.1)
	.map((q) => q.map((x) => x / Math.hypot(...q)));
const transform = fc.tuple(fc.tuple(number, number, number), quaternion).map(([p, q]) => [...p, ...q]);

/** A free, a ball, a D6 and a hinge joint with anchors of any pose and centres of mass of any place. */
const models = fc
	.record({
		anchors: fc.array(transform, { minLength: 8, maxLength: 8 }),
		com: fc.tuple(number, number, number),
		references: fc.tuple(number, number),
		q: fc.array(number, { minLength: 20, maxLength: 20 }),
		turns: fc.tuple(quaternion, quaternion),
	})
	.map(({ anchors, com, references, q, turns }) => {
		const builder = mujocoBuilder({ gravity: [0, 0, 0] });
		const anchor = (i: number) => ({ parentXform: anchors[2 * i]!, childXform: anchors[2 * i + 1]! });
		const bodies = [0, 1, 2, 3].map(() => link(builder, { com }));
		const joints = [
			builder.addJointFree({ child: bodies[0]!, ...anchor(0) }),
			builder.addJointBall({ parent: bodies[0]!, child: bodies[1]!, ...anchor(1) }),
			builder.addJointD6({
				parent: bodies[1]!,
				child: bodies[2]!,
				...anchor(2),
				linearAxes: [{ axis: 'x' }],
				angularAxes: [{ axis: 'z' }],
			}),
			builder.addJointRevolute({
				parent: bodies[2]!,
				child: bodies[3]!,
				axis: 'y',
				...anchor(3),
				attributes: { 'mujoco:dof_ref': references[0] },
			}),
		];
		builder.addArticulation(joints);
		const model = builder.finalize();
		const state = new State(model);
		state.jointQ.set([q[0]!, q[1]!, q[2]!, ...turns[0], ...turns[1], q[3]!, q[4]!, q[5]!]);
		state.jointQd.set(q.slice(6, 6 + model.jointDofCount));
		return { model, state };
	});

describe('push and pull', () => {
	test('coordinates and velocities come back as they were, whatever the anchors and centres of mass', () => {
		fc.assert(
			fc.property(models, ({ model, state }) =>
				withSolver(model, (solver) => {
					const { mj, coordinates } = solver.compiled;
					const [qpos, qvel] = [new Float64Array(mj.nq), new Float64Array(mj.nv)];
					coordinates.push(0, state, qpos, qvel);
					const back = new State(model);
					coordinates.pull(0, qpos, qvel, state, back);
					for (let i = 0; i < state.jointQ.length; i++) expect(back.jointQ[i]).toBeCloseTo(state.jointQ[i]!, 12);
					for (let i = 0; i < state.jointQd.length; i++) expect(back.jointQd[i]).toBeCloseTo(state.jointQd[i]!, 12);
				}),
			),
			{ numRuns: 15 },
		);
	});

	test('bodies are where MuJoCo has them', () => {
		fc.assert(
			fc.property(models, ({ model, state }) =>
				withSolver(model, (solver) => {
					const next = new State(model);
					solver.step(state, next, model.createControl(), undefined, 1e-4);
					const { mj, data, maps } = solver.compiled;
					const position = doubleField(data, 'xpos');
					solver.compiled.coordinates.push(0, next, doubleField(data, 'qpos'), doubleField(data, 'qvel'));
					mujoco.mj_kinematics(mj, data);
					for (let id = 1; id < mj.nbody; id++) {
						for (let k = 0; k < 3; k++) {
							expect(next.bodyQ[7 * maps.body[id]! + k]).toBeCloseTo(position[3 * id + k]!, 10);
						}
					}
				}),
			),
			{ numRuns: 15 },
		);
	});

	test('the velocity of a free body is that of its centre of mass: without forces it goes straight', () => {
		const builder = mujocoBuilder({ gravity: [0, 0, 0] });
		builder.addBody({ mass: 2, inertia: [1, 0, 0, 0, 2, 0, 0, 0, 2.5], com: [0.4, -0.3, 0.2] });
		const model = builder.finalize();
		const state = new State(model);
		state.jointQd.set([1, 2, 3, 0.4, 0.5, 0.6]);
		withSolver(
			model,
			(solver) => {
				const centre = (now: State): Float64Array => {
					const arm = quatRotate(new Float64Array(3), now.jointQ, model.bodyCom, 0, 3);
					for (let k = 0; k < 3; k++) arm[k]! += now.jointQ[k]!;
					return arm;
				};
				const start = centre(state);
				const end = run(solver, 2000, 1e-4, { state });
				const moved = centre(end);
				for (let k = 0; k < 3; k++) expect(moved[k]! - start[k]!).toBeCloseTo((k + 1) * 0.2, 3);
			},
			{ integrator: 'rk4' },
		);
	});

	test('a ball with a turned anchor answers a torque in the axes of its parent anchor', () => {
		const turn = [0, 0, Math.SQRT1_2, Math.SQRT1_2];
		const builder = mujocoBuilder({ gravity: [0, 0, 0] });
		const joint = builder.addJointBall({ child: link(builder), childXform: [0, 0, 0, ...turn] });
		builder.addArticulation([joint]);
		const model = builder.finalize();
		withSolver(model, (solver) => {
			const control = model.createControl();
			control.jointF.set([0.3, 0.2, 0.1]);
			const end = run(solver, 1, 1e-3, { control });
			for (const [i, torque] of [0.3, 0.2, 0.1].entries()) expect(end.jointQd[i]).toBeCloseTo(torque * 1e-3, 12);
		});
	});

	test('poses follow the coordinates: X_p joint X_c⁻¹', () => {
		const builder = mujocoBuilder({ gravity: [0, 0, 0] });
		const parentXform = [0.1, 0.2, 0.3, 0, Math.SQRT1_2, 0, Math.SQRT1_2];
		const childXform = [0.4, 0, 0, 0, 0, Math.SQRT1_2, Math.SQRT1_2];
		hinged(builder, { axis: 'z', parentXform, childXform });
		const model = builder.finalize();
		const state = new State(model);
		state.jointQ[0] = 0.7;
		withSolver(model, (solver) => {
			const end = run(solver, 1, 1e-3, { state });
			const motion = Float64Array.of(0, 0, 0, 0, 0, Math.sin(0.35), Math.cos(0.35));
			const pose = new Float64Array(7);
			transformMultiply(pose, Float64Array.from(parentXform), motion);
			const inverse = transformInvert(new Float64Array(7), Float64Array.from(childXform));
			const expected = transformMultiply(new Float64Array(7), pose, inverse);
			for (let i = 0; i < 7; i++) expect(end.bodyQ[i]).toBeCloseTo(expected[i]!, 12);
		});
	});
});

describe('updateDataInterval', () => {
	const swing = (): Model => {
		const builder = mujocoBuilder();
		hinged(builder, {}, { com: [0.5, 0, 0] });
		return builder.finalize();
	};

	test.each([
		[0, 'never after the start'],
		[1, 'before every step'],
		[3, 'before every third step'],
	])('%d takes the state of the caller %s', (interval) => {
		const model = swing();
		withSolver(
			model,
			(solver) => {
				const [state, next] = [new State(model), new State(model)];
				const control = model.createControl();
				const taken: boolean[] = [];
				for (let step = 0; step < 6; step++) {
					// a caller that puts the joint elsewhere sees whether that counted
					state.jointQ[0] = step + 1;
					state.jointQd[0] = 0;
					solver.step(state, next, control, undefined, 1e-3);
					taken.push(Math.abs(next.jointQ[0]! - step - 1) < 1e-3);
				}
				expect(taken).toEqual([0, 1, 2, 3, 4, 5].map((step) => interval > 0 && step % interval === 0));
			},
			{ updateDataInterval: interval },
		);
	});

	test('substeps without pushing are those of the engine, bit for bit', () => {
		const model = swing();
		const pushed = withSolver(model, (solver) => run(solver, 200, 1e-3));
		const resident = withSolver(model, (solver) => run(solver, 200, 1e-3), { updateDataInterval: 0 });
		expect([...resident.jointQ]).toEqual([...pushed.jointQ]);
	});

	test.each([-1, 0.5, Number.NaN])('%d is refused', (updateDataInterval) => {
		expect(() => withSolver(swing(), () => undefined, { updateDataInterval })).toThrow(MujocoError);
	});
});

describe('forces on request', () => {
	test('the parent of a hanging body carries its weight; accelerations are those of the centre of mass', () => {
		const builder = mujocoBuilder();
		builder.addArticulation([builder.addJointFixed({ child: link(builder, { mass: 3 }) })]);
		const arm = hinged(builder, {}, { mass: 2, com: [0, 0, -0.5] });
		const free = builder.addBody({ mass: 1, inertia: UNIT_INERTIA, xform: [5, 0, 0, 0, 0, 0, 1] });
		const model = builder.finalize();
		withSolver(model, (solver) => {
			const [state, next] = [new State(model), new State(model, { include: ['bodyQdd', 'bodyParentF'] })];
			solver.step(state, next, model.createControl(), undefined, 1e-3);
			expect(next.bodyParentF![6 * arm.body + 2]).toBeCloseTo(2 * 9.81, 9);
			expect(next.bodyQdd![6 * free + 2]).toBeCloseTo(-9.81, 9);
			expect(next.bodyQdd![6 * arm.body + 2]).toBeCloseTo(0, 9);
		});
	});
});

describe('notifyModelChanged', () => {
	/** A model with something of everything, and the arrays that each flag takes over. */
	const edits: readonly [
		name: keyof typeof ModelFlags,
		field: string,
		edit: (model: Model) => void,
		at: number,
		expected: number,
	][] = [
		['JOINT_DOF_PROPERTIES', 'dof_damping', (model) => void (model.jointDamping[0] = 0.7), 0, 0.7],
		['JOINT_DOF_PROPERTIES', 'dof_frictionloss', (model) => void (model.jointFriction[0] = 0.3), 0, 0.3],
		['JOINT_DOF_PROPERTIES', 'dof_armature', (model) => void (model.jointArmature[0] = 0.2), 0, 0.2],
		['JOINT_DOF_PROPERTIES', 'jnt_range', (model) => void (model.jointLimitUpper[0] = 0.4), 1, 0.4],
		['JOINT_DOF_PROPERTIES', 'jnt_actfrcrange', (model) => void (model.jointEffortLimit[0] = 8), 1, 8],
		['JOINT_DOF_PROPERTIES', 'actuator_gainprm', (model) => void (model.jointTargetKe[0] = 55), 0, 55],
		['JOINT_DOF_PROPERTIES', 'qpos0', (model) => model.attributes.get('mujoco:dof_ref').fill(0.1 as never), 0, 0.1],
		['JOINT_PROPERTIES', 'jnt_pos', (model) => model.jointXC.set([0.1, 0.2, 0.3]), 2, 0.3],
		['BODY_INERTIAL_PROPERTIES', 'body_mass', (model) => void (model.bodyMass[0] = 6), 1, 6],
		['SHAPE_PROPERTIES', 'geom_friction', (model) => void (model.shapeMaterialMu[0] = 0.6), 0, 0.6],
		['SHAPE_PROPERTIES', 'geom_size', (model) => void (model.shapeScale[0] = 0.15), 0, 0.15],
		['SHAPE_PROPERTIES', 'geom_pos', (model) => void (model.shapeTransform[0] = 0.25), 0, 0.25],
	];
	test.each(edits)('%s takes over %s', (flag, field, edit, at, expected) => {
		const builder = mujocoBuilder();
		const { body } = hinged(builder, { targetKe: 1, targetKd: 1, limitLower: -1, limitUpper: 1 });
		builder.addShapeSphere(body, { radius: 0.1, config: { density: 0 } });
		const model = builder.finalize();
		withSolver(model, (solver) => {
			edit(model);
			expect(doubleField(solver.compiled.mj, field)[at]).not.toBe(expected);
			solver.notifyModelChanged(ModelFlags[flag]);
			expect(doubleField(solver.compiled.mj, field)[at]).toBe(expected);
		});
	});

	test('MODEL_PROPERTIES takes over gravity', () => {
		const builder = mujocoBuilder();
		builder.addBody({ mass: 1, inertia: UNIT_INERTIA });
		const model = builder.finalize();
		withSolver(model, (solver) => {
			model.gravity.set([0, 0, -2]);
			solver.notifyModelChanged(ModelFlags.MODEL_PROPERTIES);
			expect(run(solver, 1, 1e-2).bodyQd[2]).toBeCloseTo(-0.02, 12);
		});
	});
});
