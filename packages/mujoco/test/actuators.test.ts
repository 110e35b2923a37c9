import { JointTargetMode, type ModelBuilder } from '@manyworlds/model';
import { describe, expect, test } from 'vitest';
import { MujocoError } from '../src/index.ts';
import { type CompiledArrays, compile, hinged, link, mujoco, mujocoBuilder, run, withSolver } from './support.ts';

const [KP, KD] = [20, 3];

function driven(mode: number | undefined, options: Readonly<Record<string, number>> = {}): ModelBuilder {
	const builder = mujocoBuilder({ gravity: [0, 0, 0] });
	hinged(builder, {
		targetKe: KP,
		targetKd: KD,
		...options,
		...(mode === undefined ? {} : { actuatorMode: mode as JointTargetMode }),
	});
	return builder;
}

/** Gain and bias numbers of each actuator. */
function laws({ rows, int }: CompiledArrays): { gain: number | undefined; bias: number[] }[] {
	const bias = rows('actuator_biasprm', 10);
	expect(int('actuator_dyntype').every((type) => type === mujoco.mjtDyn.mjDYN_NONE.value)).toBe(true);
	expect(int('actuator_gaintype').every((type) => type === mujoco.mjtGain.mjGAIN_FIXED.value)).toBe(true);
	expect(int('actuator_biastype').every((type) => type === mujoco.mjtBias.mjBIAS_AFFINE.value)).toBe(true);
	return rows('actuator_gainprm', 10).map((gain, i) => ({ gain: gain[0], bias: bias[i]!.slice(0, 3) }));
}

describe('actuators of joint targets', () => {
	test('a position target is one actuator: gain kp, bias 0 -kp -kd', () => {
		compile(driven(JointTargetMode.POSITION).finalize(), (arrays) => {
			expect(laws(arrays)).toEqual([{ gain: KP, bias: [0, -KP, -KD] }]);
		});
	});

	test('a velocity target is one actuator: gain kd, bias 0 0 -kd', () => {
		compile(driven(JointTargetMode.VELOCITY).finalize(), (arrays) => {
			expect(laws(arrays)).toEqual([{ gain: KD, bias: [0, 0, -KD] }]);
		});
	});

	test('position and velocity are two actuators, the position first', () => {
		compile(driven(JointTargetMode.POSITION_VELOCITY).finalize(), (arrays) => {
			expect(laws(arrays)).toEqual([
				{ gain: KP, bias: [0, -KP, 0] },
				{ gain: KD, bias: [0, 0, -KD] },
			]);
		});
	});

	test.each([JointTargetMode.NONE, JointTargetMode.EFFORT])('mode %d makes no actuator', (mode) => {
		compile(driven(mode).finalize(), ({ sizes }) => expect(sizes.nu).toBe(0));
	});

	test('targets reach the actuators: a position is held, a velocity kept', () => {
		const hold = driven(JointTargetMode.POSITION, { targetPos: 0.4, targetKd: 10 }).finalize();
		withSolver(hold, (solver) => expect(run(solver, 8000, 2e-3).jointQ[0]).toBeCloseTo(0.4, 6));
		const turn = driven(JointTargetMode.VELOCITY, { targetVel: 1.5 }).finalize();
		withSolver(turn, (solver) => expect(run(solver, 4000, 2e-3).jointQd[0]).toBeCloseTo(1.5, 6));
	});
});

describe('effort limits', () => {
	test.each(['revolute', 'prismatic', 'd6'] as const)('are the range of actuator forces of a %s joint', (kind) => {
		const builder = mujocoBuilder();
		const child = link(builder);
		const joint =
			kind === 'revolute'
				? builder.addJointRevolute({ child, axis: 'x', effortLimit: 7 })
				: kind === 'prismatic'
					? builder.addJointPrismatic({ child, axis: 'x', effortLimit: 7 })
					: builder.addJointD6({ child, angularAxes: [{ axis: 'x', effortLimit: 7 }] });
		builder.addArticulation([joint]);
		compile(builder.finalize(), ({ double }) => expect(double('jnt_actfrcrange')).toEqual([-7, 7]));
	});

	test('are the force range of the actuators of a ball joint', () => {
		const builder = mujocoBuilder();
		builder.addArticulation([builder.addJointBall({ child: link(builder), actuatorMode: JointTargetMode.VELOCITY })]);
		const model = builder.finalize();
		model.jointEffortLimit.fill(9);
		compile(model, ({ rows }) =>
			expect(rows('actuator_forcerange', 2)).toEqual([
				[-9, 9],
				[-9, 9],
				[-9, 9],
			]),
		);
	});

	test('clamp what a drive does', () => {
		// 100 N·m/rad at 1 rad would be 100 N·m; 5 N·m on 1 kg·m² give 5 rad/s² for 0.1 s
		const model = driven(JointTargetMode.POSITION, {
			targetKe: 100,
			targetKd: 0,
			targetPos: 1,
			effortLimit: 5,
		}).finalize();
		withSolver(model, (solver) => expect(run(solver, 100, 1e-3).jointQd[0]).toBeCloseTo(0.5, 9));
	});
});

/** Parameters of a muscle: lengths from 0.75 to 1.05, a force of 1 N. */
const MUSCLE = [0.75, 1.05, 1, 200, 0.5, 1.6, 1.5, 1.3, 1.2, 0];

describe('actuators of the mujoco namespace', () => {
	/** A hinge with a target drive, a site and a fixed tendon. */
	function base(): { builder: ModelBuilder; body: number; site: number } {
		// a muscle needs limits, to know how long it can get
		const builder = driven(JointTargetMode.POSITION, { limitLower: -1, limitUpper: 1 });
		const site = builder.addSite(0, { label: 'tip', xform: [1, 0, 0, 0, 0, 0, 1] });
		builder.addRow('mujoco:tendon_joint', { 'mujoco:tendon_joint': 0, 'mujoco:tendon_coef': 2 });
		builder.addRow('mujoco:tendon', {
			'mujoco:tendon_label': 'cord',
			'mujoco:tendon_joint_adr': 0,
			'mujoco:tendon_joint_num': 1,
		});
		return { builder, body: 0, site };
	}

	test('come after those of joint targets, with every parameter', () => {
		const { builder } = base();
		builder.addRow('mujoco:actuator', {
			'mujoco:actuator_trnid': [0, -1],
			'mujoco:actuator_gainprm': [11, 0, 0, 0, 0, 0, 0, 0, 0, 0],
			'mujoco:actuator_gear': [4, 0, 0, 0, 0, 0],
			'mujoco:actuator_ctrlrange': [-2, 3],
			'mujoco:actuator_has_ctrlrange': 1,
			'mujoco:actuator_forcerange': [-5, 6],
			'mujoco:actuator_has_forcerange': 1,
			'mujoco:actuator_dyntype': 2,
			'mujoco:actuator_dynprm': [0.5, 0, 0, 0, 0, 0, 0, 0, 0, 0],
		});
		compile(builder.finalize(), ({ rows, int, sizes }) => {
			expect(sizes.nu).toBe(2);
			expect(rows('actuator_gainprm', 10).map((gain) => gain[0])).toEqual([KP, 11]);
			expect(rows('actuator_gear', 6)[1]![0]).toBe(4);
			expect(rows('actuator_ctrlrange', 2)[1]).toEqual([-2, 3]);
			expect(rows('actuator_forcerange', 2)[1]).toEqual([-5, 6]);
			expect(int('actuator_dyntype')[1]).toBe(mujoco.mjtDyn.mjDYN_FILTER.value);
			expect(rows('actuator_dynprm', 10)[1]![0]).toBe(0.5);
		});
	});

	test.each([
		['joint', 0, [0, -1], 'mjTRN_JOINT'],
		['joint in parent', 1, [0, -1], 'mjTRN_JOINTINPARENT'],
		['tendon', 2, [0, -1], 'mjTRN_TENDON'],
		['site', 3, [0, -1], 'mjTRN_SITE'],
		['body', 4, [0, -1], 'mjTRN_BODY'],
	] as const)('can act on a %s', (_, type, trnid, expected) => {
		const { builder } = base();
		builder.addRow('mujoco:actuator', { 'mujoco:actuator_trntype': type, 'mujoco:actuator_trnid': [...trnid] });
		compile(builder.finalize(), ({ int, codes }) => {
			expect(int('actuator_trntype')[1]).toBe(mujoco.mjtTrn[expected].value);
			expect(codes).not.toContain('MJC013');
		});
	});

	test('a slider-crank needs two sites and a length', () => {
		const { builder, site } = base();
		const slider = builder.addSite(0, { label: 'slider', xform: [2, 0, 0, 0, 0, 0, 1] });
		builder.addRow('mujoco:actuator', {
			'mujoco:actuator_trntype': 5,
			'mujoco:actuator_trnid': [site, slider],
			'mujoco:actuator_cranklength': 0.3,
		});
		compile(builder.finalize(), ({ int, double }) => {
			expect(int('actuator_trntype')[1]).toBe(mujoco.mjtTrn.mjTRN_SLIDERCRANK.value);
			expect(double('actuator_cranklength')[1]).toBe(0.3);
		});
	});

	test.each([
		[
			'a transmission that is not known',
			{ 'mujoco:actuator_trntype': 9, 'mujoco:actuator_trnid': [0, -1] },
			/transmission type 9/,
		],
		['a tendon that does not exist', { 'mujoco:actuator_trntype': 2, 'mujoco:actuator_trnid': [5, -1] }, /tendon 5/],
		[
			'a target that does not exist',
			{ 'mujoco:actuator_target_label': '/no/where' },
			/'\/no\/where' is not in the model/,
		],
		['a slider-crank without sites', { 'mujoco:actuator_trntype': 5, 'mujoco:actuator_trnid': [0, 1] }, /slider-crank/],
	])('%s leaves the actuator out, by name', (_, row, message) => {
		const { builder } = base();
		builder.addRow('mujoco:actuator', { 'mujoco:actuator_label': 'servo', ...row });
		compile(builder.finalize(), ({ sizes, codes, messages }) => {
			expect(sizes.nu).toBe(1);
			expect(codes).toContain('MJC013');
			expect(messages.join()).toMatch(message);
			expect(messages.join()).toContain("'servo'");
		});
	});

	test('numbers of dynamics, gain and bias are taken by name, those of user functions included', () => {
		const { builder } = base();
		for (const [dynamics, gain, bias] of [
			[1, 1, 1],
			[3, 2, 2],
			[7, 6, 5],
		]) {
			builder.addRow('mujoco:actuator', {
				'mujoco:actuator_trnid': [0, -1],
				'mujoco:actuator_dyntype': dynamics!,
				'mujoco:actuator_gaintype': gain!,
				'mujoco:actuator_biastype': bias!,
				'mujoco:actuator_actdim': dynamics === 7 ? 1 : -1,
				...(gain === 2 ? { 'mujoco:actuator_gainprm': MUSCLE, 'mujoco:actuator_biasprm': MUSCLE } : {}),
			});
		}
		compile(builder.finalize(), ({ int }) => {
			const { mjtDyn, mjtGain, mjtBias } = mujoco;
			expect(int('actuator_dyntype').slice(1)).toEqual([
				mjtDyn.mjDYN_INTEGRATOR.value,
				mjtDyn.mjDYN_FILTEREXACT.value,
				mjtDyn.mjDYN_USER.value,
			]);
			expect(int('actuator_gaintype').slice(1)).toEqual([
				mjtGain.mjGAIN_AFFINE.value,
				mjtGain.mjGAIN_MUSCLE.value,
				mjtGain.mjGAIN_USER.value,
			]);
			expect(int('actuator_biastype').slice(1)).toEqual([
				mjtBias.mjBIAS_AFFINE.value,
				mjtBias.mjBIAS_MUSCLE.value,
				mjtBias.mjBIAS_USER.value,
			]);
		});
	});

	test('a number that stands for no kind of dynamics is refused with the actuator', () => {
		const { builder } = base();
		builder.addRow('mujoco:actuator', { 'mujoco:actuator_trnid': [0, -1], 'mujoco:actuator_gaintype': 44 });
		const model = builder.finalize();
		expect(() => compile(model, () => undefined)).toThrow(MujocoError);
		expect(() => compile(model, () => undefined)).toThrow(/actuator 0.*44/);
	});

	test('direct controls drive them', () => {
		const builder = mujocoBuilder({ gravity: [0, 0, 0] });
		hinged(builder);
		builder.addRow('mujoco:actuator', {
			'mujoco:actuator_trnid': [0, -1],
			'mujoco:actuator_gainprm': [2, 0, 0, 0, 0, 0, 0, 0, 0, 0],
		});
		const model = builder.finalize();
		withSolver(model, (solver) => {
			const control = model.createControl();
			(control.attributes.get('mujoco:ctrl') as Float64Array)[0] = 3;
			// 6 N·m on 1 kg·m² for 0.1 s
			expect(run(solver, 100, 1e-3, { control }).jointQd[0]).toBeCloseTo(0.6, 9);
		});
	});
});
