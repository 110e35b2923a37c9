/**
 * One step of two sliders under every kind of actuator, spring and tendon, against the equations of that step solved by hand: a row with
 * velocity `J v`, regularisation R and target has the impulse `(target − J v) / R` within its bounds, and `M (v − v0) = dt f + Σ Jᵀ γ`.
 */
import { importMjcf } from '@manyworlds/import';
import { ArticulatedDynamics, BodyFlags, Control, type Model, State } from '@manyworlds/model';
import { SolverSap } from '@manyworlds/sim';
import { describe, expect, test } from 'vitest';
import { mujocoBuilder } from '../../../packages/mujoco/test/support.ts';
import { nearRigid, type Pair, type Row, solveRows } from '../../../packages/sim/test/solve-rows.ts';

const DT = 0.01;
const INFINITE = Number.POSITIVE_INFINITY;
const Q0 = [0.2, -0.1] as const;
const V0 = [0.3, -0.4] as const;
/** Forces on the two bodies along x [N], and on their joints. */
const GIVEN = [0.3, -0.2] as const;
const GIVEN_JOINT = [0.15, -0.25] as const;

/** A force along a length: `constant − kp L − kd L'`, taken at the end of the step, within a range. */
interface Law {
	readonly moments: Pair;
	readonly constant?: number;
	readonly kp?: number;
	readonly kd?: number;
	readonly range?: Pair;
	/** What the length has beyond its coordinates. */
	readonly rest?: number;
}

interface Case {
	/** Attributes of the joints and elements after the bodies. */
	readonly joints?: readonly [string, string];
	readonly rest?: string;
	readonly site?: string;
	readonly option?: string;
	readonly body?: string;
	readonly control?: number;
	readonly activation?: number;
	/** What acts: at the end of the step, and plain forces on the sliders. */
	readonly laws?: readonly Law[];
	readonly forces?: Pair;
	/** Force on the second body along x. */
	readonly push?: number;
	/** Velocity per impulse and target of rows that are no law. */
	readonly rows?: readonly { moments: Pair; R: number; target: number; bounds: Pair }[];
	readonly nextActivation?: number;
	/** Whether something takes energy that is no work of a drive. */
	readonly loses?: boolean;
}

/** Two sliders along x of 2 and 3 kg, each by itself or the second on the first. */
function textOf({ joints = ['', ''], rest = '', site = '', option = '', body = '' }: Case, isNested: boolean): string {
	const slider = (name: string, joint: string, mass: number, inner: string): string =>
		`<body name="b${name}" ${name === 'k' ? body : ''}><joint name="${name}" type="slide" axis="1 0 0" ${joint}/>
		<inertial pos="0 0 0" mass="${mass}" diaginertia=".1 .2 .3"/>${inner}</body>`;
	const second = slider('k', joints[1], 3, site);
	const first = slider('j', joints[0], 2, isNested ? second : '');
	return `<mujoco><compiler angle="radian"/><option gravity="0 0 0" ${option}/><worldbody>${first}${isNested ? '' : second}</worldbody>${rest}</mujoco>`;
}

function imported(text: string): Model {
	const builder = mujocoBuilder();
	importMjcf(new TextEncoder().encode(text), builder);
	return builder.finalize({ keepInertia: true });
}

const TENDON = (attributes: string): string =>
	`<tendon><fixed name="t" ${attributes}><joint joint="k" coef="-.5"/><joint joint="j" coef="2"/></fixed></tendon>`;
const PATH: Pair = [2, -0.5];
/** 2 · 0.2 + 0.5 · 0.1 and 2 · 0.3 + 0.5 · 0.4 */
const LENGTH = 0.45;
const RATE = 0.8;
const actuator = (text: string): string => `<actuator>${text}</actuator>`;
/** Inverse of the mass that a length feels, each slider by itself. */
const weightOf = (moments: Pair, masses: Pair): number => moments[0] ** 2 / masses[0] + moments[1] ** 2 / masses[1];

const CASES: Readonly<Record<string, Case | ((masses: Pair) => Case)>> = {
	'a motor': { rest: actuator('<motor joint="k" gear="3"/>'), forces: [0, 2.1] },
	'a motor that does not push': { rest: actuator('<motor joint="k" gear="3"/>'), control: 0, forces: [0, 0] },
	'a motor with a range of control': {
		rest: actuator('<motor joint="k" gear="3" ctrlrange="-.5 .4"/>'),
		forces: [0, 1.2],
	},
	'a motor below its range of control': {
		rest: actuator('<motor joint="k" gear="3" ctrlrange="-.5 .4"/>'),
		control: -0.7,
		forces: [0, -1.5],
	},
	'a motor with ranges that count': {
		rest: actuator(
			'<motor joint="k" gear="3" ctrllimited="true" ctrlrange="-.5 .4" forcelimited="true" forcerange="-1 .3"/>',
		),
		forces: [0, 0.9],
	},
	'a motor with a range that does not count': {
		rest: actuator('<motor joint="k" gear="3" ctrllimited="false" ctrlrange="-.5 .4"/>'),
		forces: [0, 2.1],
	},
	'a motor with a range of force': {
		rest: actuator('<motor joint="k" gear="3" forcerange="-.1 .2"/>'),
		forces: [0, 0.6],
	},
	'motors of a joint that takes no more': {
		joints: ['', 'actuatorfrcrange="-2 2"'],
		rest: actuator('<motor joint="k" gear="2"/><motor joint="k" gear="2"/>'),
		forces: [0, 2],
	},
	'a force with an offset': {
		rest: actuator('<general joint="j" gainprm="5" biastype="affine" biasprm="1 0 0"/>'),
		forces: [4.5, 0],
	},
	'a force that follows length and rate': {
		rest: actuator('<general joint="j" gear="2" gainprm="5" biastype="affine" biasprm="1 -50 -3"/>'),
		laws: [{ moments: [2, 0], constant: 4.5, kp: 50, kd: 3 }],
	},
	'a force that follows its length, within a range': {
		rest: actuator('<general joint="j" gear="2" gainprm="5" biastype="affine" biasprm="1 -50 0" forcerange="-3 4"/>'),
		laws: [{ moments: [2, 0], constant: 4.5, kp: 50, range: [-3, 4] }],
	},
	'a force that follows its rate, of a joint that takes no more': {
		joints: ['actuatorfrcrange="-3 3"', ''],
		rest: actuator('<general joint="j" gear="2" gainprm="50" biastype="affine" biasprm="1 0 -9"/>'),
		laws: [{ moments: [2, 0], constant: 36, kd: 9, range: [-1.5, 1.5] }],
	},
	'a bias of no type': { rest: actuator('<general joint="j" gainprm="5" biasprm="1 -50 -3"/>'), forces: [3.5, 0] },
	'a gain of no type': { rest: actuator('<general joint="j" gainprm="5 -50 -3"/>'), forces: [3.5, 0] },
	'a gain that follows length and rate': {
		rest: actuator('<general joint="k" gaintype="affine" gainprm="2 -30 -4"/>'),
		laws: [{ moments: [0, 1], constant: 1.4, kp: 21, kd: 2.8 }],
	},
	'a spring that is fed by its rate, which acts at the start': {
		rest: actuator('<general joint="j" gear="2" gainprm="5" biastype="affine" biasprm="1 -50 3"/>'),
		// 2 (0.7 · 5 + 1 − 50 · 0.4 + 3 · 0.6)
		forces: [-27.4, 0],
	},
	'a damper that is fed by its length, which acts at the start': {
		rest: actuator('<general joint="j" gear="2" gainprm="5" biastype="affine" biasprm="1 50 -3"/>'),
		// 2 (0.7 · 5 + 1 + 50 · 0.4 − 3 · 0.6)
		forces: [45.4, 0],
	},
	'a spring of a tendon that runs over one joint twice': {
		rest: '<tendon><fixed stiffness="40"><joint joint="j" coef="1.5"/><joint joint="k" coef="-.5"/><joint joint="j" coef=".5"/></fixed></tendon>',
		laws: [{ moments: PATH, kp: 40 }],
	},
	'a gain that pushes away': {
		rest: actuator('<general joint="k" gaintype="affine" gainprm="2 -30 -4"/>'),
		control: -0.5,
		// −1 + 15 L + 2 L' at the start
		forces: [0, -1 - 1.5 - 0.8],
	},
	'a spring that pushes away, within a range': {
		rest: actuator('<general joint="k" gainprm="1" biastype="affine" biasprm="0 30 -4" forcerange="-2 1"/>'),
		control: 0,
		forces: [0, Math.max(-2, -3 + 1.6)],
	},
	'a position': {
		rest: actuator('<position joint="j" kp="40" kv="6"/>'),
		laws: [{ moments: [1, 0], constant: 28, kp: 40, kd: 6 }],
	},
	'a position with ranges': {
		rest: actuator('<position joint="j" kp="40" kv="6" ctrlrange="-.4 .4" forcerange="-3 5"/>'),
		laws: [{ moments: [1, 0], constant: 16, kp: 40, kd: 6, range: [-3, 5] }],
	},
	'a position with a ratio of damping': (masses) => ({
		rest: actuator('<position joint="j" kp="40" dampratio=".7"/>'),
		laws: [{ moments: [1, 0], constant: 28, kp: 40, kd: 1.4 * Math.sqrt(40 * masses[0]) }],
	}),
	'a position of a tendon with a ratio of damping': (masses) => ({
		rest: TENDON('') + actuator('<position tendon="t" kp="40" dampratio=".7"/>'),
		laws: [{ moments: PATH, constant: 28, kp: 40, kd: 1.4 * Math.sqrt(40 * (masses[0] / 4 + masses[1] / 0.25)) }],
	}),
	'two positions of a joint, whose forces add up': {
		rest: actuator('<position joint="j" kp="40" forcerange="-3 2"/><position joint="j" kp="40" forcerange="-1 1.5"/>'),
		laws: [{ moments: [1, 0], constant: 28, kp: 40, range: [-4, 3.5] }],
	},
	'two positions of a joint, whose forces add up below as well': {
		rest: actuator('<position joint="j" kp="40" forcerange="-3 2"/><position joint="j" kp="40" forcerange="-1 1.5"/>'),
		control: -0.7,
		laws: [{ moments: [1, 0], constant: -28, kp: 40, range: [-4, 3.5] }],
	},
	'a position and a velocity that end at the least force': {
		rest: actuator(
			'<position joint="j" kp="40" kv="6" forcerange="-3 5"/><velocity joint="k" kv="6" forcerange="-1.5 9"/>',
		),
		control: -0.7,
		laws: [
			{ moments: [1, 0], constant: -28, kp: 40, kd: 6, range: [-3, 5] },
			{ moments: [0, 1], constant: -4.2, kd: 6, range: [-1.5, 9] },
		],
	},
	'forces that follow length and rate, at the least force of actuator and joint': {
		joints: ['', 'actuatorfrcrange="-2 2"'],
		rest: actuator(
			`<general joint="j" gear="2" gainprm="5" biastype="affine" biasprm="1 -50 0" forcerange="-3 4"/>
			<general joint="k" gear="2" gainprm="50" biastype="affine" biasprm="1 0 -9"/>`,
		),
		control: -0.7,
		laws: [
			{ moments: [2, 0], constant: -2.5, kp: 50, range: [-3, 4] },
			{ moments: [0, 2], constant: -34, kd: 9, range: [-1, 1] },
		],
	},
	'a motor at its least force': {
		rest: actuator('<motor joint="k" gear="3" forcerange="-.1 .2"/>'),
		control: -0.7,
		forces: [0, -0.3],
	},
	'a velocity': { rest: actuator('<velocity joint="k" kv="6"/>'), laws: [{ moments: [0, 1], constant: 4.2, kd: 6 }] },
	'a velocity with ranges': {
		rest: actuator('<velocity joint="k" kv="6" ctrlrange="-.2 .1" forcerange="-9 2"/>'),
		laws: [{ moments: [0, 1], constant: 0.6, kd: 6, range: [-9, 2] }],
	},
	'a velocity and a position below their ranges': {
		rest: actuator('<velocity joint="k" kv="6" ctrlrange="-.2 .1"/><position joint="j" kp="40" ctrlrange="-.3 .4"/>'),
		control: -0.7,
		laws: [
			{ moments: [0, 1], constant: -1.2, kd: 6 },
			{ moments: [1, 0], constant: -12, kp: 40 },
		],
	},
	'a ratio of damping beside a drive with its own': (masses) => ({
		rest: actuator('<position joint="j" kp="40" dampratio=".7"/><position joint="k" kp="30" kv="5"/>'),
		laws: [
			{ moments: [1, 0], constant: 28, kp: 40, kd: 1.4 * Math.sqrt(40 * masses[0]) },
			{ moments: [0, 1], constant: 21, kp: 30, kd: 5 },
		],
	}),
	'a damper': {
		rest: actuator('<damper joint="j" kv="3" ctrlrange="0 1"/>'),
		laws: [{ moments: [1, 0], kd: 2.1 }],
	},
	'a motor of a tendon': { rest: TENDON('') + actuator('<motor tendon="t" gear="3"/>'), forces: [4.2, -1.05] },
	'a motor of a tendon that takes no more': {
		rest: TENDON('actuatorfrcrange="-1 1.2"') + actuator('<motor tendon="t" gear="3"/>'),
		forces: [2 * 1.2, -0.5 * 1.2],
	},
	'a motor that pulls a tendon the other way': {
		rest: TENDON('actuatorfrcrange="-1 1.2"') + actuator('<motor tendon="t" gear="-3"/>'),
		forces: [-2, 0.5],
	},
	'a force that follows the length of a tendon': {
		rest: TENDON('') + actuator('<general tendon="t" gear="2" gainprm="5" biastype="affine" biasprm="1 -10 -2"/>'),
		laws: [{ moments: [4, -1], constant: 4.5, kp: 10, kd: 2 }],
	},
	'a spring and a damper of a tendon': {
		rest: TENDON('stiffness="30" damping="2" springlength=".2"'),
		laws: [{ moments: PATH, constant: 6, kp: 30, kd: 2 }],
	},
	'a spring of a tendon at its length of reference': {
		joints: ['ref=".1"', 'ref="-.3"'],
		rest: TENDON('stiffness="30"'),
		// lengths count the reference of joints, springs too
		laws: [{ moments: PATH, constant: 30 * 0.35, kp: 30, rest: 0.35 }],
	},
	'a spring of a tendon that is too short': {
		rest: TENDON('stiffness="30" springlength="0 .4"'),
		laws: [{ moments: PATH, constant: 12, kp: 30 }],
	},
	'a spring of a tendon that is too long': {
		rest: TENDON('stiffness="30" springlength=".5 .7"'),
		laws: [{ moments: PATH, constant: 15, kp: 30 }],
	},
	'a slack spring of a tendon': {
		rest: TENDON('stiffness="30" damping="2" springlength=".2 .7"'),
		laws: [{ moments: PATH, kd: 2 }],
	},
	'friction of a tendon': {
		rest: TENDON('frictionloss=".5"'),
		forces: [-0.5 * PATH[0], -0.5 * PATH[1]],
		loses: true,
	},
	'friction of a tendon that holds': (masses) => ({
		rest: TENDON('frictionloss="500"'),
		rows: [{ moments: PATH, R: 1e-3 * weightOf(PATH, masses), target: 0, bounds: [-5, 5] }],
		loses: true,
	}),
	'a tendon beyond its limit': (masses) => ({
		rest: TENDON('range="-1 .4"'),
		rows: [
			{
				moments: [-PATH[0], -PATH[1]],
				R: nearRigid(weightOf(PATH, masses)),
				target: (LENGTH - 0.4) / (2 * DT),
				bounds: [0, INFINITE],
			},
		],
		loses: true,
	}),
	'a tendon that comes to its limit': (masses) => ({
		rest: TENDON(`range="-1 ${LENGTH + 1.5 * DT * RATE}"`),
		rows: [
			{
				moments: [-PATH[0], -PATH[1]],
				R: nearRigid(weightOf(PATH, masses)),
				target: -0.75 * RATE,
				bounds: [0, INFINITE],
			},
		],
		loses: true,
	}),
	'a tendon below its limit': (masses) => ({
		rest: TENDON('range=".5 2"'),
		rows: [
			{
				moments: PATH,
				R: nearRigid(weightOf(PATH, masses)),
				target: (0.5 - LENGTH) / (2 * DT),
				bounds: [0, INFINITE],
			},
		],
		loses: true,
	}),
	'a tendon whose range does not count': { rest: TENDON('limited="false" range="-1 .4"') },
	'a spring of a joint': {
		joints: ['stiffness="20" springref=".5" ref=".2"', ''],
		laws: [{ moments: [1, 0], constant: 10, kp: 20, rest: 0.2 }],
	},
	'an integrator': {
		rest: actuator('<general joint="j" dyntype="integrator" gainprm="5" actrange="-1 1"/>'),
		activation: 0.6,
		forces: [3, 0],
		nextActivation: 0.607,
	},
	'an integrator at the end of its range': {
		rest: actuator('<general joint="j" dyntype="integrator" gainprm="5" actlimited="true" actrange="-1 .605"/>'),
		activation: 0.6,
		forces: [3, 0],
		nextActivation: 0.605,
	},
	'a filter': {
		rest: actuator('<general joint="j" dyntype="filter" dynprm=".05" gainprm="5" ctrlrange="0 .5"/>'),
		activation: 0.2,
		forces: [1, 0],
		nextActivation: 0.2 + 0.2 * 0.3,
	},
	'an exact filter': {
		rest: actuator('<general joint="j" dyntype="filterexact" dynprm=".05" gainprm="5"/>'),
		activation: 0.2,
		forces: [1, 0],
		nextActivation: 0.2 + (1 - Math.exp(-0.2)) * 0.5,
	},
	'a force at a site': {
		site: '<site name="s" pos=".1 .2 .3"/>',
		rest: actuator('<motor site="s" gear="3 4 5 6 7 8"/>'),
		push: 2.1,
	},
	'a force at a site that is turned': {
		// its z axis is x of the world
		site: '<site name="s" quat=".5 .5 .5 .5" pos=".1 .2 .3"/>',
		rest: actuator('<general site="s" gainprm="2" biastype="affine" biasprm=".5" gear="5 4 3 0 0 0"/>'),
		push: 5.7,
	},
	'a force along the last axis of a site that is turned': {
		site: '<site name="s" quat=".7071067811865476 0 .7071067811865476 0"/>',
		rest: actuator(
			'<general site="s" gainprm="2" biastype="affine" biasprm=".5" gear="0 0 3 0 0 0" forcerange="-1 1.5"/>',
		),
		push: 4.5,
	},
};

const ENGINES = ['wasm', 'reference'] as const;

describe.each([
	['each by itself', false, 'wasm'],
	['the second on the first', true, 'wasm'],
	['each by itself', false, 'reference'],
	['the second on the first', true, 'reference'],
] as const)('two sliders, %s, under', (_, isNested, engine) => {
	const masses: Pair = isNested ? [5, 3] : [2, 3];
	const mass: readonly Pair[] = isNested
		? [
				[5, 3],
				[3, 3],
			]
		: [
				[2, 0],
				[0, 3],
			];
	test.each(Object.entries(CASES))('%s', (_name, given) => {
		const one = typeof given === 'function' ? given(masses) : given;
		const model = imported(textOf(one, isNested));
		const solver = new SolverSap(model, {
			engine,
			optimalityRelTol: 1e-14,
			optimalityAbsTol: 0,
			costRelTol: 0,
			costAbsTol: 0,
		});
		const control = new Control(model);
		const u = one.control ?? 0.7;
		control.jointTargetQ.fill(u);
		control.jointTargetQd.fill(0);
		if ((one.rest ?? '').includes('<velocity')) control.jointTargetQd.fill(u);
		if (control.attributes.has('mujoco:ctrl')) (control.attributes.get('mujoco:ctrl') as Float64Array).fill(u);
		const [from, to] = [new State(model), new State(model)];
		from.jointQ.set(Q0);
		from.jointQd.set(V0);
		new ArticulatedDynamics(model).forwardKinematics(from);
		// given forces stay, beside those of actuators
		from.bodyF[0] = GIVEN[0];
		from.bodyF[6] = GIVEN[1];
		const ACT = 'mujoco:actuator_act';
		if (one.activation !== undefined) (from.attributes.get(ACT) as Float64Array).fill(one.activation);
		control.jointF.set(GIVEN_JOINT);
		// a step before, under other controls and forces, of which nothing is left in the next one
		const other = new Control(model);
		other.jointF.fill(0.8);
		if (other.attributes.has('mujoco:ctrl')) (other.attributes.get('mujoco:ctrl') as Float64Array).fill(0.1 - u);
		solver.step(from, to, other, undefined, DT);
		const work = new Float64Array(1);
		solver.step(from, to, control, undefined, DT, { work });
		const rows: Row[] = (one.laws ?? []).map(({ moments, constant = 0, kp = 0, kd = 0, range, rest = 0 }) => {
			const gain = DT * kp + kd;
			const length = rest + moments[0] * Q0[0] + moments[1] * Q0[1];
			const [low, high] = range ?? [-INFINITE, INFINITE];
			return { moments, R: 1 / (DT * gain), target: (constant - kp * length) / gain, bounds: [DT * low, DT * high] };
		});
		const push = one.push ?? 0;
		const own: Pair = one.forces ?? [isNested ? push : 0, push];
		const bodies: Pair = [GIVEN[0] + (isNested ? GIVEN[1] : 0), GIVEN[1]];
		const forces = [0, 1].map((i) => own[i]! + bodies[i]! + GIVEN_JOINT[i]!);
		const momentum = mass.map((row, i) => row[0] * V0[0] + row[1] * V0[1] + DT * forces[i]!) as unknown as Pair;
		const expected = solveRows(mass, momentum, [...rows, ...(one.rows ?? [])]);
		for (let i = 0; i < 2; i++) {
			expect(to.jointQd[i]).toBeCloseTo(expected[i]!, 10);
			expect(to.jointQ[i]).toBeCloseTo(Q0[i]! + DT * expected[i]!, 10);
		}
		if (one.nextActivation !== undefined) {
			expect((to.attributes.get(ACT) as Float64Array)[0]).toBeCloseTo(one.nextActivation, 12);
		}
		const energy = (v: ArrayLike<number>): number =>
			0.5 * (mass[0]![0] * v[0]! ** 2 + 2 * mass[0]![1] * v[0]! * v[1]! + mass[1]![1] * v[1]! ** 2);
		if (one.loses !== true) expect(work[0]).toBeCloseTo(energy(to.jointQd) - energy(from.jointQd), 10);
	});
});

describe('a tendon over twenty sliders', () => {
	test.each(ENGINES)('pulls at all of them as one spring does, by %s', (engine) => {
		const [count, stiffness] = [20, 40];
		const names = Array.from({ length: count }, (_, i) => i);
		const coefficients = names.map((i) => 0.1 * (i % 7) - 0.25);
		const bodies = names.map(
			(i) =>
				`<body><joint name="j${i}" type="slide" axis="1 0 0"/><inertial pos="0 0 0" mass="${1 + i}" diaginertia="1 1 1"/></body>`,
		);
		const path = names.map((i) => `<joint joint="j${i}" coef="${coefficients[i]}"/>`);
		// from the last joint to the first: a row has its columns in the order of the problem
		const model = imported(
			`<mujoco><option gravity="0 0 0"/><worldbody>${bodies.join('')}</worldbody><tendon><fixed stiffness="${stiffness}" springlength=".3">${path.reverse().join('')}</fixed></tendon></mujoco>`,
		);
		const [from, to] = [new State(model), new State(model)];
		for (const i of names) {
			from.jointQ[i] = 0.1 + 0.05 * i;
			from.jointQd[i] = 0.2 - 0.03 * i;
		}
		new ArticulatedDynamics(model).forwardKinematics(from);
		new SolverSap(model, { engine, optimalityRelTol: 1e-13 }).step(from, to, undefined, undefined, DT);
		const sum = (term: (i: number) => number): number => names.reduce((total, i) => total + term(i), 0);
		const length = sum((i) => coefficients[i]! * from.jointQ[i]!);
		// λ = dt k (0.3 − L − dt L'), with the rate at the end of the step
		const R = 1 / (DT * DT * stiffness);
		const rate = sum((i) => coefficients[i]! * from.jointQd[i]!);
		const impulse = ((0.3 - length) / DT - rate) / (R + sum((i) => coefficients[i]! ** 2 / (1 + i)));
		for (const i of names) {
			expect(to.jointQd[i]).toBeCloseTo(from.jointQd[i]! + (coefficients[i]! * impulse) / (1 + i), 10);
		}
	});
});

describe('a force at a site', () => {
	test.each(ENGINES)('acts in the axes of the site on its turned body, about the centre of mass, by %s', (engine) => {
		const site = '<site name="s" pos=".1 .2 .3" quat=".7 .1 .5 -.5"/>';
		const model =
			imported(`<mujoco><option gravity="0 0 0"/><worldbody><body pos="1 2 3" quat=".5 .5 .1 .7"><freejoint/>
			<inertial pos=".05 -.1 .02" mass="2" diaginertia=".5 .5 .5"/>${site}</body></worldbody>
			${actuator('<motor site="s" gear="1 2 3 4 5 6"/>')}</mujoco>`);
		const control = new Control(model);
		(control.attributes.get('mujoco:ctrl') as Float64Array).fill(0.5);
		const [from, to] = [new State(model), new State(model)];
		new ArticulatedDynamics(model).forwardKinematics(from);
		new SolverSap(model, { engine }).step(from, to, control, undefined, DT);
		type Vector = readonly [number, number, number];
		const cross = (a: Vector, b: Vector): Vector => [
			a[1] * b[2] - a[2] * b[1],
			a[2] * b[0] - a[0] * b[2],
			a[0] * b[1] - a[1] * b[0],
		];
		const turn = (w: number, u: Vector, v: Vector): Vector => {
			const c = cross(u, v);
			const d = cross(u, c);
			return v.map((x, k) => x + 2 * (w * c[k]! + d[k]!)) as unknown as Vector;
		};
		const toWorld = (v: Vector): Vector => turn(0.5, [0.5, 0.1, 0.7], v);
		const fromSite = (v: Vector): Vector => toWorld(turn(0.7, [0.1, 0.5, -0.5], v));
		const force = fromSite([0.5, 1, 1.5]);
		const arm = toWorld([0.05, 0.3, 0.28]);
		const torque = cross(arm, force).map((x, k) => x + fromSite([2, 2.5, 3])[k]!);
		for (let k = 0; k < 3; k++) {
			expect(to.bodyQd[k]).toBeCloseTo((DT * force[k]!) / 2, 4);
			expect(to.bodyQd[3 + k]).toBeCloseTo((DT * torque[k]!) / 0.5, 4);
		}
	});
});

describe('gravity compensation', () => {
	test.each(ENGINES)('holds a body up by its part of its weight, by %s', (engine) => {
		const one = { body: 'gravcomp=".7"', option: '' };
		const model = imported(textOf(one, false).replace('gravity="0 0 0"', 'gravity="-5 0 0"'));
		const [from, to] = [new State(model), new State(model)];
		new SolverSap(model, { engine }).step(from, to, undefined, undefined, DT);
		expect(to.jointQd[0]).toBeCloseTo(-5 * DT, 12);
		expect(to.jointQd[1]).toBeCloseTo(-5 * 0.3 * DT, 12);
	});
});

describe('what SolverSap leaves out of a file is named with its label:', () => {
	const BALL =
		'<body name="c"><joint name="c" type="ball" SPRING/><inertial pos="0 0 0" mass="1" diaginertia="1 1 1"/></body>';
	const withBall = (text: string, spring = ''): string =>
		text.replace('</worldbody>', `${BALL.replace('SPRING', spring)}</worldbody>`);
	const OVER_SITES = '<tendon><spatial name="w" ATTRIBUTES><site site="s"/><site site="top"/></spatial></tendon>';
	const withSites = (text: string): string =>
		text.replace('</worldbody>', '<site name="top" pos="0 0 1"/></worldbody>');
	const site = '<site name="s"/>';
	const text = (one: Case): string => textOf(one, false);
	test.each([
		[
			'actuators of balls',
			withBall(text({ rest: actuator('<motor name="m" joint="c"/>') })),
			'actuators of ball and free joints',
			'm',
		],
		['springs of balls', withBall(text({}), 'stiffness="3"'), 'springs of ball and free joints', 'worldbody/c/c'],
		[
			'springs of tendons over sites',
			withSites(text({ site, rest: OVER_SITES.replace('ATTRIBUTES', 'stiffness="3"') })),
			'springs, friction and limits of tendons that run over sites and shapes',
			'w',
		],
		[
			'limits of tendons over sites',
			withSites(text({ site, rest: OVER_SITES.replace('ATTRIBUTES', 'range="0 3"') })),
			'springs, friction and limits of tendons that run over sites and shapes',
			'w',
		],
		['armatures of tendons', text({ rest: TENDON('armature=".1"') }), 'armatures of tendons', 't'],
		[
			'sites that feel a rate',
			text({ site, rest: actuator('<general name="m" site="s" biastype="affine" biasprm="0 0 -1"/>') }),
			'actuators of sites that feel a length',
			'm',
		],
		[
			'sites whose gain feels a length',
			text({ site, rest: actuator('<general name="m" site="s" gaintype="affine" gainprm="1 2 0"/>') }),
			'actuators of sites that feel a length',
			'm',
		],
		[
			'sites beside a site',
			withSites(text({ site, rest: actuator('<motor name="m" site="s" refsite="top"/>') })),
			'actuators of sites that feel a length',
			'm',
		],
		[
			'sites with an activation',
			text({ site, rest: actuator('<general name="m" site="s" dyntype="integrator"/>') }),
			'actuators of sites that feel a length',
			'm',
		],
		[
			'gains of muscles',
			text({ rest: actuator('<general name="m" joint="j" gaintype="muscle" lengthrange="0 1"/>') }),
			'actuators that are no linear functions (muscles, functions of the user)',
			'm',
		],
		[
			'biases of muscles',
			text({ rest: actuator('<general name="m" joint="j" biastype="muscle" lengthrange="0 1"/>') }),
			'actuators that are no linear functions (muscles, functions of the user)',
			'm',
		],
	])('%s', (_, file, what, label) => {
		const model = imported(file);
		const solver = new SolverSap(model);
		const { report } = solver;
		// it does nothing, whatever its control
		const control = new Control(model);
		if (control.attributes.has('mujoco:ctrl')) (control.attributes.get('mujoco:ctrl') as Float64Array).fill(1);
		const [from, to] = [new State(model), new State(model)];
		solver.step(from, to, control, undefined, DT);
		expect([...to.jointQd].some((v) => v !== 0)).toBe(false);
		const expected = `SolverSap does not simulate ${what}: 1 in this model ('${label}')`;
		expect(report.toArray().map(({ code, message }) => [code, message])).toEqual([['SIM001', expected]]);
	});

	test('not controls of its own, where none are given, but those of the model', () => {
		const model = imported(text({ rest: actuator('<motor name="m" joint="j"/>') }));
		const solver = new SolverSap(model);
		(model.attributesOf('control').get('mujoco:ctrl') as Float64Array).fill(0.5);
		const [from, own, given] = [new State(model), new State(model), new State(model)];
		solver.step(from, own, undefined, undefined, DT);
		solver.step(from, given, new Control(model), undefined, DT);
		expect([...own.jointQd].some((v) => v !== 0)).toBe(true);
		expect(own.jointQd).toEqual(given.jointQd);
	});

	test('the first three of many, by their number where they have no name', () => {
		const file = withBall(text({ rest: actuator('<motor joint="c"/>'.repeat(4)) }));
		const found = new SolverSap(imported(file)).report.toArray().map(({ message }) => message);
		expect(found).toHaveLength(1);
		expect(found[0]).toMatch(
			/^SolverSap does not simulate actuators of ball and free joints: 4 in this model \('[^']+', '[^']+', '[^']+', …\)$/,
		);
		const three = new SolverSap(imported(withBall(text({ rest: actuator('<motor joint="c"/>'.repeat(3)) }))));
		expect(three.report.toArray()[0]!.message).toMatch(/: 3 in this model \('[^']+', '[^']+', '[^']+'\)$/);
	});

	test('actuators that push away from where they are', () => {
		const away = (bias: string): string =>
			`<general name="a" joint="j" gainprm="1" biastype="affine" biasprm="${bias}"/>`;
		const messages = (bias: string): string[] =>
			new SolverSap(imported(text({ rest: actuator(away(bias)) }))).report.toArray().map(({ code }) => code);
		expect(messages('0 1 0')).toEqual(['SIM004']);
		expect(messages('0 0 1')).toEqual(['SIM004']);
		expect(messages('0 -1 -1')).toEqual([]);
		expect(messages('1 0 0')).toEqual([]);
		// a ratio of damping beside a spring of the same gain is none
		expect(messages('0 -1 1')).toEqual([]);
	});

	test.each([
		['a site with gains that are none', { site, rest: actuator('<general site="s" gaintype="affine" gainprm="2"/>') }],
		['a site with a bias that is none', { site, rest: actuator('<general site="s" biastype="affine" biasprm="2"/>') }],
		['a tendon with nothing of its own', { rest: TENDON('') }],
	])('not %s', (_, one) => {
		expect(new SolverSap(imported(text(one))).report.toArray()).toEqual([]);
	});
});

describe.each(['wasm', 'reference'] as const)(
	'a tendon over a slider whose motion is given, stepped by %s',
	(engine) => {
		const tendon = (attributes: string): string =>
			`<tendon><fixed name="t" ${attributes}><joint joint="j" coef="1"/><joint joint="k" coef="2"/></fixed></tendon>`;

		test.each([
			['dry friction', tendon('frictionloss="500"')],
			['a limit that it stands at', tendon('limited="true" range="0 1"')],
			[
				'a stiff damper',
				`${tendon('')}<actuator><general tendon="t" biastype="affine" biasprm="0 0 -1e6"/></actuator>`,
			],
		])('is held by %s at the rate that the other one gives', (_name, rest) => {
			const builder = mujocoBuilder();
			importMjcf(textOf({ rest }, false), builder, { file: 'robot.xml' });
			const model = builder.finalize();
			model.bodyFlags[0] = BodyFlags.KINEMATIC;
			const [from, to] = [new State(model), new State(model)];
			from.jointQd[0] = -0.6;
			new ArticulatedDynamics(model).forwardKinematics(from);
			const solver = new SolverSap(model, { engine, optimalityRelTol: 1e-13 });
			solver.step(from, to, new Control(model), undefined, DT);
			expect(to.jointQd[0]).toBe(-0.6);
			// the length is j + 2 k
			expect(to.jointQd[1]).toBeCloseTo(0.3, 2);
		});
	},
);
