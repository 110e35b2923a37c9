import { BodyFlags, type Model, ModelBuilder, ModelFlags, State } from '@manyworlds/model';
import { describe, expect, test } from 'vitest';
import { doubleField } from '../src/internal.ts';
import { compile, hinged, link, mujocoBuilder, run, UNIT_INERTIA, withSolver } from './support.ts';

/** A kinematic hinge that carries a dynamic one. */
function arm(): Model {
	const builder = mujocoBuilder();
	const root = builder.addLink({ mass: 1, inertia: UNIT_INERTIA, isKinematic: true, label: 'root' });
	const child = link(builder, { com: [0.3, 0, 0] });
	const joints = [
		builder.addJointRevolute({ child: root, axis: 'z', armature: 0.25, label: 'turntable' }),
		builder.addJointRevolute({ parent: root, child, axis: 'y', armature: 0.25 }),
	];
	builder.addArticulation(joints);
	return builder.finalize();
}

describe('kinematic roots', () => {
	test('keep their joint with an armature of 1e10; descendants are as usual', () => {
		compile(arm(), ({ double, int, messages }) => {
			expect(int('jnt_type')).toEqual([3, 3]);
			expect(double('dof_armature')).toEqual([1e10, 0.25]);
			expect(messages.join()).toMatch(/armatures of 1 joint of kinematic bodies \('turntable'\)/);
		});
	});

	test.each(['free', 'ball', 'slide', 'd6'] as const)('a %s root is held in every degree of freedom', (kind) => {
		const builder = mujocoBuilder();
		const child = builder.addLink({ mass: 1, inertia: UNIT_INERTIA, isKinematic: true });
		const joint =
			kind === 'free'
				? builder.addJointFree({ child })
				: kind === 'ball'
					? builder.addJointBall({ child })
					: kind === 'slide'
						? builder.addJointPrismatic({ child, axis: 'z' })
						: builder.addJointD6({ child, linearAxes: [{ axis: 'x' }], angularAxes: [{ axis: 'z' }] });
		builder.addArticulation([joint]);
		compile(builder.finalize(), ({ double, sizes }) => {
			expect(double('dof_armature')).toEqual(new Array(sizes.nv).fill(1e10));
		});
	});

	test('the state that is given passes through, and moves what hangs on it', () => {
		const model = arm();
		withSolver(model, (solver) => {
			const control = model.createControl();
			let [state, next] = [new State(model), new State(model)];
			for (let step = 0; step < 200; step++) {
				state.jointQ[0] = 0.01 * step;
				state.jointQd[0] = 5;
				solver.step(state, next, control, undefined, 2e-3);
				expect(next.jointQ[0]).toBe(state.jointQ[0]);
				expect(next.jointQd[0]).toBe(5);
				[state, next] = [next, state];
			}
			expect(Math.abs(state.jointQd[1]!)).toBeGreaterThan(0.1);
		});
	});

	test('forces and wrenches on them count for nothing', () => {
		const builder = new ModelBuilder({ gravity: [0, 0, 0] });
		builder.addBody({ mass: 1, inertia: UNIT_INERTIA, isKinematic: true });
		const model = builder.finalize();
		withSolver(model, (solver) => {
			const state = new State(model);
			state.bodyF.set([1e12, 0, 0, 0, 0, 0]);
			const control = model.createControl();
			control.jointF.fill(1e12);
			solver.step(state, new State(model), control, undefined, 1e-2);
			const { data } = solver.compiled;
			expect([...doubleField(data, 'xfrc_applied')].every((force) => force === 0)).toBe(true);
			expect([...doubleField(data, 'qfrc_applied')].every((force) => force === 0)).toBe(true);
			expect([...doubleField(data, 'qvel')].every((speed) => speed === 0)).toBe(true);
		});
	});

	test('they are obstacles: a dynamic body rests on a kinematic one', () => {
		const builder = new ModelBuilder();
		const table = builder.addBody({ mass: 1, inertia: UNIT_INERTIA, isKinematic: true });
		builder.addShapeBox(table, { halfExtents: [1, 1, 0.1], config: { density: 0 } });
		const ball = builder.addBody({ mass: 1, inertia: UNIT_INERTIA, xform: [0, 0, 0.2, 0, 0, 0, 1] });
		builder.addShapeSphere(ball, { radius: 0.1, config: { density: 0 } });
		const model = builder.finalize();
		withSolver(model, (solver) => {
			const end = run(solver, 1000, 2e-3);
			// as deep as in a static box
			expect(end.bodyQ[7 * ball + 2]).toBeCloseTo(0.19963281816, 9);
			expect(end.bodyQ[7 * table + 2]).toBe(0);
		});
	});

	test('the mean inertia, which the tolerance of the solver is measured by, is without the large armature', () => {
		const model = arm();
		const mean = (own: Model): number => withSolver(own, (solver) => solver.compiled.mj.stat.meaninertia);
		const held = mean(model);
		model.bodyFlags[0] = BodyFlags.DYNAMIC;
		expect(held / mean(model)).toBeCloseTo(1, 9);
	});

	test('they can be let go and held again', () => {
		const model = arm();
		withSolver(model, (solver) => {
			const armature = (): number => doubleField(solver.compiled.mj, 'dof_armature')[0]!;
			model.bodyFlags[0] = BodyFlags.DYNAMIC;
			solver.notifyModelChanged(ModelFlags.BODY_PROPERTIES);
			expect(armature()).toBe(0.25);
			model.bodyFlags[0] = BodyFlags.KINEMATIC;
			solver.notifyModelChanged(ModelFlags.BODY_PROPERTIES);
			expect(armature()).toBe(1e10);
		});
	});

	test('only roots can be kinematic: the builder refuses others', () => {
		const builder = mujocoBuilder();
		const root = link(builder);
		const child = builder.addLink({ mass: 1, inertia: UNIT_INERTIA, isKinematic: true });
		const joints = [
			builder.addJointRevolute({ child: root, axis: 'x' }),
			builder.addJointRevolute({ parent: root, child, axis: 'x' }),
		];
		expect(() => {
			builder.addArticulation(joints);
			builder.finalize();
		}).toThrow(/kinematic/i);
	});
});

describe('fixed roots', () => {
	function fixed(isKinematic: boolean): Model {
		const builder = mujocoBuilder();
		const root = builder.addLink({ mass: 1, inertia: UNIT_INERTIA, isKinematic });
		const child = link(builder, { com: [0.3, 0, 0] });
		builder.addArticulation([
			builder.addJointFixed({ child: root, parentXform: [0, 0, 1, 0, 0, 0, 1] }),
			builder.addJointRevolute({ parent: root, child, axis: 'y' }),
		]);
		builder.addShapeBox(-1, { halfExtents: [0.1, 0.1, 0.1] });
		return builder.finalize();
	}

	test.each([false, true])('are mocap bodies, whether kinematic (%s) or not', (isKinematic) => {
		compile(fixed(isKinematic), ({ sizes, int }) => {
			expect([sizes.nmocap, sizes.njnt]).toEqual([1, 1]);
			expect(int('body_mocapid')).toEqual([-1, 0, -1]);
		});
	});

	test('shapes of the world outside articulations stay static', () => {
		compile(fixed(false), ({ int }) => {
			expect(int('geom_bodyid')).toEqual([0]);
			expect(int('body_mocapid')[0]).toBe(-1);
		});
	});

	test('a changed anchor moves the mocap pose of its world when it is told, and what hangs on it', () => {
		const scene = new ModelBuilder();
		const own = mujocoBuilder({ gravity: [0, 0, 0] });
		const root = link(own);
		own.addArticulation([own.addJointFixed({ child: root })]);
		scene.replicate(own, { count: 2 });
		const model = scene.finalize();
		withSolver(model, (solver) => {
			const poses = (): number[] => [...run(solver, 1, 1e-3).bodyQ];
			expect(poses()).toEqual([0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 1]);
			model.jointXP.set([1, 2, 3], 7);
			model.jointXC.set([0, 0, 0.5], 7);
			solver.notifyModelChanged(ModelFlags.JOINT_PROPERTIES);
			expect(poses().slice(7, 10)).toEqual([1, 2, 2.5]);
			expect(poses().slice(0, 3)).toEqual([0, 0, 0]);
		});
	});

	test('a fixed joint outside articulations gives a static body, and that is told', () => {
		const builder = mujocoBuilder();
		hinged(builder);
		builder.addJointFixed({ child: link(builder), label: 'post' });
		const model = builder.finalize({ skipValidation: true });
		compile(model, ({ sizes, codes, messages }) => {
			expect([sizes.nbody, sizes.nmocap]).toEqual([3, 0]);
			expect(codes).toContain('MJC010');
			expect(messages.join()).toContain("'post'");
		});
	});
});
