import type { JointOptions, ModelBuilder } from '@manyworlds/model';
import { describe, expect, test } from 'vitest';
import { compile, hinged, link, mujoco, mujocoBuilder, run, withSolver } from './support.ts';

/** Two hinged bodies and a joint between them that belongs to no articulation. */
function closed(add: (builder: ModelBuilder, joint: JointOptions) => number): ReturnType<ModelBuilder['finalize']> {
	const builder = mujocoBuilder({ gravity: [0, 0, 0] });
	const a = hinged(builder);
	const b = hinged(builder, { parentXform: [1, 0, 0, 0, 0, 0, 1] });
	add(builder, {
		parent: a.body,
		child: b.body,
		label: 'loop',
		parentXform: [0.5, 0, 0.2, 0, 0, 0, 1],
		childXform: [-0.5, 0, 0.2, 0, 0, 0, 1],
	});
	return builder.finalize();
}

const { mjtEq } = mujoco;
/** Rows of constraints that one step has. */
function constraintRows(model: ReturnType<ModelBuilder['finalize']>): number {
	return withSolver(model, (solver) => {
		run(solver, 1, 1e-3);
		return solver.compiled.data.ne;
	});
}

describe('loop closures', () => {
	test('a fixed joint is a weld of six rows whose pose MuJoCo takes from the start', () => {
		const model = closed((builder, joint) => builder.addJointFixed(joint));
		compile(model, ({ int, sizes, rows }) => {
			expect(int('eq_type')).toEqual([mjtEq.mjEQ_WELD.value]);
			expect([sizes.nq, sizes.nv]).toEqual([2, 2]);
			const data = rows('eq_data', 11)[0]!;
			expect(Math.hypot(...data.slice(6, 10))).toBeCloseTo(1, 12);
			// body 2 stands 1 m along x of body 1
			expect(data.slice(3, 6).map((x) => Math.round(x * 1e9) / 1e9)).not.toEqual([0, 0, 0]);
		});
		expect(constraintRows(model)).toBe(6);
	});

	test('a revolute joint is two connects: the anchor, and a point 0.1 m along the axis', () => {
		const model = closed((builder, joint) => builder.addJointRevolute({ ...joint, axis: 'y' }));
		compile(model, ({ int, rows, sizes }) => {
			expect(int('eq_type')).toEqual([mjtEq.mjEQ_CONNECT.value, mjtEq.mjEQ_CONNECT.value]);
			expect(rows('eq_data', 11).map((data) => data.slice(0, 3))).toEqual([
				[0.5, 0, 0.2],
				[0.5, 0.1, 0.2],
			]);
			expect([sizes.nq, sizes.nv]).toEqual([2, 2]);
		});
	});

	test('a ball joint is one connect of three rows', () => {
		const model = closed((builder, joint) => builder.addJointBall(joint));
		compile(model, ({ int }) => expect(int('eq_type')).toEqual([mjtEq.mjEQ_CONNECT.value]));
		expect(constraintRows(model)).toBe(3);
	});

	test.each([
		[1, 2],
		[3, 1],
		[2, 0],
	])('a D6 joint with %d rotations makes %d connects', (axes, connects) => {
		const angularAxes = (['x', 'y', 'z'] as const).slice(0, axes).map((axis) => ({ axis }));
		const model = closed((builder, joint) => builder.addJointD6({ ...joint, angularAxes }));
		compile(model, ({ sizes, codes }) => {
			expect(sizes.neq).toBe(connects);
			expect(codes.includes('MJC012')).toBe(connects === 0);
		});
	});

	test('a D6 joint with a linear axis too is left open', () => {
		const model = closed((builder, joint) =>
			builder.addJointD6({ ...joint, linearAxes: [{ axis: 'x' }], angularAxes: [{ axis: 'y' }] }),
		);
		compile(model, ({ sizes, codes }) => {
			expect(sizes.neq).toBe(0);
			expect(codes).toContain('MJC012');
		});
	});

	test.each(['prismatic', 'free', 'distance'] as const)('a %s joint is left open with a warning', (kind) => {
		const model = closed((builder, joint) =>
			kind === 'prismatic'
				? builder.addJointPrismatic({ ...joint, axis: 'x' })
				: kind === 'free'
					? builder.addJointFree(joint)
					: builder.addJointDistance(joint),
		);
		compile(model, ({ sizes, codes, messages }) => {
			expect(sizes.neq).toBe(0);
			expect(sizes.nv).toBe(2);
			expect(codes).toContain('MJC012');
			expect(messages.join()).toMatch(new RegExp(`'loop' \\(${kind.toUpperCase()}`));
		});
	});

	test('drive, limits, armature, friction and effort of a loop joint are left out, and told', () => {
		const model = closed((builder, joint) =>
			builder.addJointRevolute({
				...joint,
				axis: 'y',
				targetKe: 10,
				targetKd: 1,
				limitLower: -0.1,
				limitUpper: 0.1,
				armature: 0.3,
				friction: 0.2,
				damping: 0.4,
				effortLimit: 5,
				velocityLimit: 3,
			}),
		);
		compile(model, ({ sizes, double, messages }) => {
			expect([sizes.nu, sizes.njnt]).toEqual([0, 2]);
			expect(double('dof_armature')).toEqual([0, 0]);
			expect(double('dof_frictionloss')).toEqual([0, 0]);
			expect(messages.join()).toContain(
				"drive, limits, armature, friction, damping, effort limit, velocity limit of loop joint 'loop' are left out",
			);
		});
	});

	test('coordinates of joints behind a loop joint keep their places', () => {
		const builder = mujocoBuilder({ gravity: [0, 0, 0] });
		const a = hinged(builder);
		const b = hinged(builder, { parentXform: [1, 0, 0, 0, 0, 0, 1] });
		builder.addJointBall({ parent: a.body, child: b.body, enabled: true });
		const child = link(builder);
		const last = builder.addJointPrismatic({ parent: -1, child, axis: 'z' });
		builder.addArticulation([last]);
		const model = builder.finalize();
		expect([model.jointCoordCount, model.jointDofCount]).toEqual([7, 6]);
		withSolver(model, (solver) => {
			expect([solver.compiled.mj.nq, solver.compiled.mj.nv]).toEqual([3, 3]);
			const state = model.createState();
			state.jointQ[6] = 0.25;
			state.jointQd[5] = 2;
			const end = run(solver, 10, 1e-3, { state });
			expect(end.jointQ[6]).toBeCloseTo(0.27, 12);
			// the loop joint's own coordinates are those of the input
			expect([...end.jointQ.subarray(2, 6)]).toEqual([...state.jointQ.subarray(2, 6)]);
		});
	});
});
