import { JointType, type Model, ModelBuilder, ModelFlags } from '@manyworlds/model';
import { describe, expect, test } from 'vitest';
import { MujocoError, saveToMjcf } from '../src/index.ts';
import { doubleField } from '../src/internal.ts';
import { compile, hinged, link, mujocoBuilder, run, withSolver } from './support.ts';

/** Numbers of `mjtJoint`. */
const [FREE, BALL, SLIDE, HINGE] = [0, 1, 2, 3];

/** A model of one link on a joint. */
function single(add: (builder: ModelBuilder, child: number) => number, body = {}): Model {
	const builder = mujocoBuilder();
	const joint = add(builder, link(builder, body));
	builder.addArticulation([joint]);
	return builder.finalize();
}

describe('joint types', () => {
	test('a free joint starts at the pose of its body', () => {
		const builder = new ModelBuilder();
		builder.addBody({
			mass: 1,
			inertia: [1, 0, 0, 0, 1, 0, 0, 0, 1],
			xform: [1, 2, 3, 0, 0, Math.SQRT1_2, Math.SQRT1_2],
		});
		compile(builder.finalize(), ({ int, double, sizes }) => {
			expect(int('jnt_type')).toEqual([FREE]);
			expect([sizes.nq, sizes.nv]).toEqual([7, 6]);
			expect(double('qpos0')).toEqual([1, 2, 3, Math.SQRT1_2, 0, 0, Math.SQRT1_2]);
			expect(double('qpos_spring')).toEqual(double('qpos0'));
		});
	});

	test('a ball joint is a ball without limits; an actuator for each axis pulls by its gear', () => {
		const builder = mujocoBuilder();
		const joint = builder.addJointBall({ child: link(builder), actuatorMode: 1 });
		builder.addArticulation([joint]);
		const model = builder.finalize();
		model.jointTargetKe.set([5, 6, 7]);
		model.jointEffortLimit.set([2, 3, 4]);
		compile(model, ({ int, rows, sizes, text }) => {
			expect(int('jnt_type')).toEqual([BALL]);
			expect([sizes.nq, sizes.nv, sizes.nu]).toEqual([4, 3, 3]);
			expect(text).toMatch(/type="ball"[^>]*limited="false"/);
			expect(rows('actuator_gear', 6).map((gear) => gear.indexOf(1))).toEqual([0, 1, 2]);
			expect(rows('actuator_gainprm', 10).map((gain) => gain[0])).toEqual([5, 6, 7]);
			expect(rows('actuator_forcerange', 2)).toEqual([
				[-2, 2],
				[-3, 3],
				[-4, 4],
			]);
		});
	});

	test('a revolute joint is a hinge and a prismatic joint a slide, in the frame of the child', () => {
		const turned = [0.1, 0.2, 0.3, 0, 0, Math.SQRT1_2, Math.SQRT1_2];
		const revolute = single((builder, child) =>
			builder.addJointRevolute({ child, axis: 'x', limitLower: -0.5, limitUpper: 1, childXform: turned }),
		);
		compile(revolute, ({ int, double }) => {
			expect(int('jnt_type')).toEqual([HINGE]);
			expect(double('jnt_range')).toEqual([-0.5, 1]);
			expect(double('jnt_pos')).toEqual([0.1, 0.2, 0.3]);
			// a quarter turn about z takes x to y
			for (const [i, expected] of [0, 1, 0].entries()) expect(double('jnt_axis')[i]).toBeCloseTo(expected, 15);
		});
		const prismatic = single((builder, child) => builder.addJointPrismatic({ child, axis: 'z' }));
		compile(prismatic, ({ int, double }) => {
			expect(int('jnt_type')).toEqual([SLIDE]);
			expect(double('jnt_axis')).toEqual([0, 0, 1]);
		});
	});

	test('a hinge is written with its friction, damping and armature', () => {
		const builder = mujocoBuilder();
		hinged(builder, { friction: 0.3, armature: 0.02 });
		const model = builder.finalize();
		model.jointDamping[0] = 0.125;
		const [, joint] = /<joint ([^>]*)>/.exec(saveToMjcf(model).text) ?? [];
		for (const written of ['frictionloss="0.3"', 'damping="0.125"', 'armature="0.02"'])
			expect(joint).toContain(written);
	});

	test('each axis of a D6 joint is a joint of its own with an ending, linear ones first', () => {
		const model = single((builder, child) =>
			builder.addJointD6({
				child,
				label: 'arm',
				linearAxes: [{ axis: 'x' }, { axis: 'y' }],
				angularAxes: [{ axis: 'z', limitLower: -1, limitUpper: 2 }],
			}),
		);
		compile(model, ({ int, name, rows }) => {
			expect(int('jnt_type')).toEqual([SLIDE, SLIDE, HINGE]);
			expect([0, 1, 2].map((id) => name('JOINT', id))).toEqual(['arm_lin0', 'arm_lin1', 'arm_ang']);
			expect(rows('jnt_axis', 3)).toEqual([
				[1, 0, 0],
				[0, 1, 0],
				[0, 0, 1],
			]);
			expect(rows('jnt_range', 2)[2]).toEqual([-1, 2]);
		});
		const full = single((builder, child) =>
			builder.addJointD6({
				child,
				label: 'six',
				linearAxes: ['x', 'y', 'z'].map((axis) => ({ axis: axis as 'x' })),
				angularAxes: ['x', 'y', 'z'].map((axis) => ({ axis: axis as 'x' })),
			}),
		);
		compile(full, ({ int, sizes }) => {
			expect(int('jnt_type')).toEqual([SLIDE, SLIDE, SLIDE, HINGE, HINGE, HINGE]);
			expect([sizes.nq, sizes.nv]).toEqual([6, 6]);
		});
	});

	test('a fixed joint nests the child in its parent without a joint', () => {
		const builder = mujocoBuilder();
		const { body, joint } = hinged(builder);
		const child = link(builder, { label: 'tip' });
		const fixed = builder.addJointFixed({ parent: body, child, parentXform: [0, 0, 0.5, 0, 0, 0, 1] });
		const model = builder.finalize({ skipValidation: true });
		expect([joint, fixed]).toEqual([0, 1]);
		model.jointArticulation[fixed] = 0;
		compile(model, ({ sizes, int, rows }) => {
			expect([sizes.njnt, sizes.nmocap, sizes.nbody]).toEqual([1, 0, 3]);
			expect(int('body_parentid')).toEqual([0, 0, 1]);
			expect(rows('body_pos', 3)[2]).toEqual([0, 0, 0.5]);
		});
	});

	test('a fixed joint to the world gives a mocap body that its pose can be set of', () => {
		const model = single((builder, child) =>
			builder.addJointFixed({ child, parentXform: [0, 0, 1, 0, 0, 0, 1], childXform: [0, 0, 0.25, 0, 0, 0, 1] }),
		);
		withSolver(model, (solver) => {
			expect(solver.compiled.mj.nmocap).toBe(1);
			expect([...doubleField(solver.compiled.data, 'mocap_pos')]).toEqual([0, 0, 0.75]);
			model.jointXP.set([1, 2, 3], 0);
			solver.notifyModelChanged(ModelFlags.JOINT_PROPERTIES);
			expect([...doubleField(solver.compiled.data, 'mocap_pos')]).toEqual([1, 2, 2.75]);
		});
	});

	test('a distance joint gives a free body, and the lost distance is told', () => {
		const model = single((builder, child) => builder.addJointDistance({ child, label: 'rope', maxDistance: 0.5 }));
		compile(model, ({ sizes, int, codes, messages }) => {
			expect([sizes.nq, sizes.nv]).toEqual([7, 6]);
			expect(int('jnt_type')).toEqual([FREE]);
			expect(codes).toContain('MJC019');
			expect(messages.join()).toContain("'rope'");
		});
		withSolver(model, (solver) => {
			// it falls as a free body does: semi-implicit steps give g dt² n (n + 1) / 2
			const end = run(solver, 100, 1e-3);
			expect(end.bodyQ[2]).toBeCloseTo((-9.81 * 1e-6 * 100 * 101) / 2, 12);
		});
		// Newton 1.6.1 has no conversion for it
		expect(() => compile(model, () => undefined, { newtonCompat: true })).toThrow(/'rope' is of type DISTANCE/);
	});

	test('a joint type that is not known is refused by name', () => {
		const model = single((builder, child) => builder.addJointRevolute({ child, label: 'cable', axis: 'x' }));
		// CABLE of Newton
		model.jointType[0] = 7;
		const attempt = (): unknown => compile(model, () => undefined);
		expect(attempt).toThrow(MujocoError);
		expect(attempt).toThrow(/joint 'cable' is of type 7/);
	});

	test('a free joint below a body is refused by name', () => {
		const builder = mujocoBuilder();
		const { body, joint } = hinged(builder);
		const child = link(builder);
		const free = builder.addJointFree({ parent: body, child, label: 'loose' });
		const model = builder.finalize({ skipValidation: true });
		model.jointArticulation[free] = model.jointArticulation[joint]!;
		expect(model.jointType[free]).toBe(JointType.FREE);
		expect(() => compile(model, () => undefined)).toThrow(/free joint 'loose' has body/);
	});
});
