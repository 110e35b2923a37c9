import { type Model, type ModelBuilder, ModelFlags } from '@manyworlds/model';
import { describe, expect, test } from 'vitest';
import { doubleField } from '../src/internal.ts';
import { compile, hinged, link, mujoco, mujocoBuilder, run, withSolver } from './support.ts';

/** Two hinged bodies beside each other. */
function pair(): { builder: ModelBuilder; bodies: [number, number]; joints: [number, number] } {
	const builder = mujocoBuilder({ gravity: [0, 0, 0] });
	const a = hinged(builder);
	const b = hinged(builder, { parentXform: [1, 0, 0, 0, 0, 0, 1] });
	return { builder, bodies: [a.body, b.body], joints: [a.joint, b.joint] };
}

const { mjtEq } = mujoco;

describe('equality constraints', () => {
	test('connect: the anchor in 0 to 2, the same point of body 2 in 3 to 5', () => {
		const { builder, bodies } = pair();
		builder.addEqualityConstraint({ type: 'connect', body1: bodies[0], body2: bodies[1], anchor: [0.1, 0.2, 0.3] });
		compile(builder.finalize(), ({ rows, int }) => {
			expect(int('eq_type')).toEqual([mjtEq.mjEQ_CONNECT.value]);
			const data = rows('eq_data', 11)[0]!;
			expect(data.slice(0, 3)).toEqual([0.1, 0.2, 0.3]);
			for (const [i, expected] of [-0.9, 0.2, 0.3].entries()) expect(data[3 + i]).toBeCloseTo(expected, 15);
		});
	});

	test('weld: the anchor in 0 to 2, the pose in 3 to 9 with w first, the torque scale in 10', () => {
		const { builder, bodies } = pair();
		const turn = [0, 0, Math.SQRT1_2, Math.SQRT1_2];
		builder.addEqualityConstraint({
			type: 'weld',
			body1: bodies[0],
			body2: bodies[1],
			anchor: [0.1, 0.2, 0.3],
			relpose: [4, 5, 6, ...turn],
			torquescale: 0.7,
		});
		compile(builder.finalize(), ({ rows, int }) => {
			expect(int('eq_type')).toEqual([mjtEq.mjEQ_WELD.value]);
			const data = rows('eq_data', 11)[0]!;
			const expected = [0.1, 0.2, 0.3, 4, 5, 6, Math.SQRT1_2, 0, 0, Math.SQRT1_2, 0.7];
			for (const [i, number] of expected.entries()) expect(data[i]).toBeCloseTo(number, 12);
		});
	});

	test('joint: the coefficients of the polynomial in 0 to 4', () => {
		const { builder, joints } = pair();
		builder.addEqualityConstraint({ type: 'joint', joint1: joints[0], joint2: joints[1], polycoef: [1, 2, 3, 4, 5] });
		compile(builder.finalize(), ({ rows, int }) => {
			expect(int('eq_type')).toEqual([mjtEq.mjEQ_JOINT.value]);
			expect(rows('eq_data', 11)[0]!.slice(0, 5)).toEqual([1, 2, 3, 4, 5]);
			expect([int('eq_obj1id')[0], int('eq_obj2id')[0]]).toEqual([0, 1]);
		});
	});

	test('mimic: a joint equality with two coefficients that the follower keeps', () => {
		const { builder, joints } = pair();
		builder.addConstraintMimic({ joint0: joints[0], joint1: joints[1], coef0: 0.1, coef1: 2 });
		const model = builder.finalize();
		compile(model, ({ rows, int }) => {
			expect(int('eq_type')).toEqual([mjtEq.mjEQ_JOINT.value]);
			expect(rows('eq_data', 11)[0]!.slice(0, 5)).toEqual([0.1, 2, 0, 0, 0]);
		});
		withSolver(model, (solver) => {
			const control = model.createControl();
			control.jointF[1] = 1;
			const end = run(solver, 500, 2e-3, { control });
			expect(end.jointQ[1]).toBeGreaterThan(0.05);
			expect(end.jointQ[0]! / (0.1 + 2 * end.jointQ[1]!)).toBeCloseTo(1, 2);
		});
	});

	test('a mimic of other joints than revolute and prismatic is left out by name', () => {
		const builder = mujocoBuilder();
		const { joint } = hinged(builder);
		const ball = builder.addJointBall({ child: link(builder), label: 'shoulder' });
		builder.addArticulation([ball]);
		builder.addConstraintMimic({ joint0: ball, joint1: joint });
		compile(builder.finalize(), ({ sizes, codes, messages }) => {
			expect(sizes.neq).toBe(0);
			expect(codes).toContain('MJC013');
			expect(messages.join()).toMatch(/'shoulder' is of type BALL/);
		});
	});

	test('enabled, solref and solimp are those of the row, also after an edit', () => {
		const { builder, bodies } = pair();
		builder.addEqualityConstraint({
			type: 'connect',
			body1: bodies[0],
			body2: bodies[1],
			anchor: [0.5, 0, 0],
			enabled: false,
			attributes: { 'mujoco:eq_solref': [0.03, 0.9], 'mujoco:eq_solimp': [0.8, 0.85, 0.01, 0.4, 3] },
		});
		const model = builder.finalize();
		withSolver(model, (solver) => {
			const { mj } = solver.compiled;
			expect([...doubleField(mj, 'eq_solref')]).toEqual([0.03, 0.9]);
			expect([...doubleField(mj, 'eq_solimp')]).toEqual([0.8, 0.85, 0.01, 0.4, 3]);
			const gap = (): number => {
				const end = run(solver, 200, 2e-3, { state: opened(model) });
				return end.jointQ[0]! - end.jointQ[1]!;
			};
			const free = gap();
			model.equalityConstraintEnabled[0] = 1;
			solver.notifyModelChanged(ModelFlags.CONSTRAINT_PROPERTIES);
			expect(Math.abs(gap())).not.toBe(Math.abs(free));
			(model.attributes.get('mujoco:eq_solref') as Float64Array).set([0.05, 1]);
			model.equalityConstraintAnchor.set([1, 2, 3]);
			solver.notifyModelChanged(ModelFlags.CONSTRAINT_PROPERTIES);
			expect([...doubleField(mj, 'eq_solref')]).toEqual([0.05, 1]);
			expect([...doubleField(mj, 'eq_data').subarray(0, 3)]).toEqual([1, 2, 3]);
		});
	});
});

/** The first joint turned away. */
function opened(model: Model): ReturnType<Model['createState']> {
	const state = model.createState();
	state.jointQ[0] = 0.3;
	return state;
}
