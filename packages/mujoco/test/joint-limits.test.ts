import { type Model, ModelFlags } from '@manyworlds/model';
import { WorldFault } from '@manyworlds/worlds';
import { describe, expect, test } from 'vitest';
import { saveToMjcf } from '../src/index.ts';
import { doubleField, SolrefMode } from '../src/internal.ts';
import { compile, hinged, mujocoBuilder, run, withSolver } from './support.ts';

const DMAX = 0.95;

/** A body of inertia I about its hinge, with a limit at 0 that gravity does not touch. */
function limited(
	inertia: number,
	limit: Readonly<Record<string, number>>,
	attributes: Readonly<Record<string, number | readonly number[]>> = {},
): Model {
	const builder = mujocoBuilder({ gravity: [0, 0, 0] });
	hinged(
		builder,
		{ limitLower: -1, limitUpper: 0, ...limit, attributes },
		{ mass: inertia, inertia: [1, 0, 0, 0, inertia, 0, 0, 0, 1].map((x, i) => (i === 4 ? x : inertia * x)) },
	);
	return builder.finalize();
}

function expectPair(found: ArrayLike<number>, expected: readonly [number, number]): void {
	for (let i = 0; i < 2; i++) expect(found[i]! / expected[i]!).toBeCloseTo(1, 12);
}

/** The seed's conversion: the gains times the factor as a time constant and a damping ratio. */
function seedSolref(ke: number, kd: number, factor: number): [number, number] {
	const [k, b] = [ke * factor, kd * factor];
	return [2 / b, (b / 2) * Math.sqrt(1 / k)];
}

describe('joint limits in force space', () => {
	test.each([0.05, 0.5, 5])('solref follows from invweight0 (1 - dmax) with the gains (inertia %d)', (inertia) => {
		const model = limited(inertia, { limitKe: 5e4, limitKd: 500 });
		compile(model, ({ double }) => {
			expect(double('dof_invweight0')[0]! * inertia).toBeCloseTo(1, 12);
			expectPair(double('jnt_solref'), seedSolref(5e4, 500, (1 - DMAX) / inertia));
		});
	});

	test('the second number of solimplimit is the dmax of the factor', () => {
		const model = limited(2, { limitKe: 5e4, limitKd: 500 }, { 'mujoco:solimplimit': [0.8, 0.85, 0.001, 0.5, 2] });
		compile(model, ({ double }) => expectPair(double('jnt_solref'), seedSolref(5e4, 500, (1 - 0.85) / 2)));
	});

	test.each([
		['force space', {}],
		['raw', { 'mujoco:solreflimit_mode': SolrefMode.RAW, 'mujoco:solreflimit': [0.05, 0.7] }],
	])('every time constant that is written is positive (%s)', (_, attributes) => {
		compile(limited(1, { limitKe: 1e7, limitKd: 1e-3 }, attributes), ({ double }) => {
			expect(double('jnt_solref').every((value) => value > 0)).toBe(true);
		});
	});

	test.each([
		[0, 10],
		[1e4, 0],
		[-1, 10],
		[1e4, -1],
	])('ke %d and kd %d give MuJoCo its default', (limitKe, limitKd) => {
		compile(limited(1, { limitKe, limitKd }), ({ double }) => expect(double('jnt_solref')).toEqual([0.02, 1]));
	});

	test('one step from 0.1 rad beyond the limit gives the velocity of the configured stiffness', () => {
		const model = limited(0.5, { limitKe: 5e4, limitKd: 500 });
		withSolver(
			model,
			(solver) => {
				const state = model.createState();
				state.jointQ[0] = 0.1;
				const end = run(solver, 1, 1e-3, { state });
				// without the factor it is ten times as much
				expect(end.jointQd[0]).toBeGreaterThan(-0.8);
				expect(end.jointQd[0]).toBeLessThan(-0.2);
				expect(end.jointQd[0]).toBeCloseTo(-0.5, 3);
			},
			{ integrator: 'euler' },
		);
	});

	test.each([0.05, 0.5, 5])('a steady torque bends the limit by torque / ke (inertia %d)', (inertia) => {
		const model = limited(inertia, { limitKe: 1000, limitKd: 2 * Math.sqrt((1000 * inertia) / (1 - DMAX)) });
		withSolver(
			model,
			(solver) => {
				const control = model.createControl();
				control.jointF[0] = 5;
				const end = run(solver, 4000, 1e-3, { control });
				expect(end.jointQ[0]! / (5 / 1000)).toBeCloseTo(1, 4);
			},
			{ iterations: 200, tolerance: 0 },
		);
	});

	test('a limit too stiff for the step is softened, not thrown', () => {
		const model = limited(0.01, { limitKe: 1e9, limitKd: 1e5 });
		withSolver(model, (solver) => {
			const state = model.createState();
			state.jointQ[0] = 0.2;
			const end = run(solver, 500, 1 / 60, { state });
			expect(Math.abs(end.jointQd[0]!)).toBeLessThan(1);
			expect(solver.outcome.fault).not.toContain(WorldFault.DIVERGED);
		});
	});

	test('another inertia changes solref by the factor of the inverse weights', () => {
		const model = limited(1, { limitKe: 5e4, limitKd: 500 });
		withSolver(model, (solver) => {
			model.bodyInertia.set([4, 0, 0, 0, 4, 0, 0, 0, 4]);
			solver.notifyModelChanged(ModelFlags.BODY_INERTIAL_PROPERTIES);
			expectPair(doubleField(solver.compiled.mj, 'jnt_solref'), seedSolref(5e4, 500, (1 - DMAX) / 4));
		});
	});

	test('each axis of a D6 joint is scaled by its own inverse weight', () => {
		const builder = mujocoBuilder();
		const child = builder.addLink({ mass: 2, inertia: [3, 0, 0, 0, 4, 0, 0, 0, 5] });
		const axis = { limitLower: -1, limitUpper: 1, limitKe: 1e4, limitKd: 100 };
		const joint = builder.addJointD6({
			child,
			linearAxes: [{ axis: 'x', ...axis }],
			angularAxes: [{ axis: 'z', ...axis }],
		});
		builder.addArticulation([joint]);
		compile(builder.finalize(), ({ rows }) => {
			const [linear, angular] = rows('jnt_solref', 2);
			expectPair(linear!, seedSolref(1e4, 100, (1 - DMAX) / 2));
			expectPair(angular!, seedSolref(1e4, 100, (1 - DMAX) / 5));
		});
	});
});

describe('authored solreflimit', () => {
	test.each([
		[
			[0.05, 0.7],
			[0.05, 0.7],
		],
		[
			[-300, -20],
			[-300, -20],
		],
		// all zero is a value too
		[
			[0, 0],
			[0, 0],
		],
	])('raw numbers %j are kept whatever the gains and the mass', (authored, expected) => {
		const model = limited(
			1,
			{ limitKe: 123, limitKd: 4 },
			{ 'mujoco:solreflimit_mode': SolrefMode.RAW, 'mujoco:solreflimit': authored },
		);
		withSolver(model, (solver) => {
			const solref = (): number[] => [...doubleField(solver.compiled.mj, 'jnt_solref')];
			expect(solref()).toEqual(expected);
			model.bodyMass[0] = 3;
			model.jointLimitKe[0] = 77;
			solver.notifyModelChanged(ModelFlags.BODY_INERTIAL_PROPERTIES | ModelFlags.JOINT_DOF_PROPERTIES);
			expect(solref()).toEqual(expected);
		});
	});

	test("MuJoCo's default stays until a gain is edited, then force space counts for good", () => {
		const model = limited(1, {}, { 'mujoco:solreflimit_mode': SolrefMode.MJCF_DEFAULT });
		withSolver(model, (solver) => {
			const solref = (): number[] => [...doubleField(solver.compiled.mj, 'jnt_solref')];
			expect(solref()).toEqual([0.02, 1]);
			const kept = model.jointLimitKd[0]!;
			model.jointLimitKd[0] = 20;
			solver.notifyModelChanged(ModelFlags.JOINT_DOF_PROPERTIES);
			expectPair(solref(), seedSolref(model.jointLimitKe[0]!, 20, 1 - DMAX));
			model.jointLimitKd[0] = kept;
			solver.notifyModelChanged(ModelFlags.JOINT_DOF_PROPERTIES);
			expectPair(solref(), seedSolref(model.jointLimitKe[0]!, kept, 1 - DMAX));
		});
	});

	test('the mode decides, not the numbers: force space passes over an authored value', () => {
		const model = limited(
			1,
			{ limitKe: 5e4, limitKd: 500 },
			{ 'mujoco:solreflimit_mode': SolrefMode.FORCE_SPACE, 'mujoco:solreflimit': [0.05, 0.7] },
		);
		compile(model, ({ double }) => expectPair(double('jnt_solref'), seedSolref(5e4, 500, 1 - DMAX)));
	});

	test('numbers of different signs are told', () => {
		const model = limited(1, {}, { 'mujoco:solreflimit_mode': SolrefMode.RAW, 'mujoco:solreflimit': [0.02, -1] });
		compile(model, ({ codes, messages }) => {
			expect(codes).toContain('MJC015');
			expect(messages.join()).toContain('(0.02, -1)');
		});
	});

	test('a saved file has solreflimit of raw limits only, and the lost gains are told', () => {
		const raw = limited(1, {}, { 'mujoco:solreflimit_mode': SolrefMode.RAW, 'mujoco:solreflimit': [0.05, 0.7] });
		expect(saveToMjcf(raw).text).toContain('solreflimit="0.05 0.7"');
		expect(saveToMjcf(raw).report.toArray()).toEqual([]);
		for (const mode of [SolrefMode.FORCE_SPACE, SolrefMode.MJCF_DEFAULT]) {
			const model = limited(1, { limitKe: 5e4, limitKd: 500 }, { 'mujoco:solreflimit_mode': mode });
			const saved = saveToMjcf(model);
			expect(saved.text).not.toContain('solreflimit');
			expect(saved.report.toArray().map(({ code }) => code)).toEqual(['MJC021']);
		}
	});

	test('limits that are off get no solreflimit in the file', () => {
		const builder = mujocoBuilder();
		hinged(builder, { attributes: { 'mujoco:solreflimit_mode': SolrefMode.RAW, 'mujoco:solreflimit': [0.05, 0.7] } });
		expect(saveToMjcf(builder.finalize()).text).not.toContain('solreflimit');
	});
});
