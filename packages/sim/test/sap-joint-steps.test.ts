/** One step of two sliders under limits, friction, couplings and loops, against the equations of that step solved by hand. */
import { JointTargetMode, type ModelBuilder, registerMujocoAttributes, UNLIMITED } from '@manyworlds/model';
import { describe, expect, it } from 'vitest';
import type { SolverSapOptions } from '../src/index.ts';
import { boxInertia, describeEngines, makeBuilder, ofMaterial, Runner } from './make-scene.ts';
import { nearRigid, type Pair, type Row, solveRows } from './solve-rows.ts';

const DT = 0.01;
const INFINITE = Number.POSITIVE_INFINITY;
const [M0, M1] = [2, 3];
const TIGHT = { optimalityRelTol: 1e-14, optimalityAbsTol: 0, costRelTol: 0, costAbsTol: 0 };
const FREE: Pair = [-INFINITE, INFINITE];
const PUSH: Pair = [0, INFINITE];

interface Case {
	readonly first?: object;
	readonly second?: object;
	readonly close?: (builder: ModelBuilder, joints: Pair, bodies: Pair) => void;
	/** The same before there are joints. */
	readonly closeFirst?: (builder: ModelBuilder, bodies: Pair) => void;
	readonly options?: SolverSapOptions;
	readonly q?: Pair;
	readonly v?: Pair;
	readonly forces?: Pair;
	/** Feed-forward controls, and what they come to without a drive. */
	readonly act?: Pair;
	readonly pushes?: Pair;
	/** Targets of drives, and their rates. */
	readonly target?: Pair;
	readonly rate?: Pair;
	/** Imported actuators that became targets, by names of the `mujoco` namespace. */
	readonly actuators?: readonly Readonly<Record<string, number | readonly number[]>>[];
	readonly rows: readonly Row[];
	/** Beyond the masses, on the diagonal of A. */
	readonly extra?: Pair;
	/** Which slider has a given motion. */
	readonly given?: 0 | 1;
}

/** Two sliders along x. */
function run({
	first = {},
	second = {},
	close,
	closeFirst,
	options = {},
	q = [0, 0],
	v = [0, 0],
	forces = [0, 0],
	act = [0, 0],
	target = [0, 0],
	rate = [0, 0],
	actuators = [],
	given,
}: Case): Runner {
	const builder = makeBuilder([0, 0, 0]);
	registerMujocoAttributes(builder);
	for (const row of actuators) {
		const values = Object.entries({ ctrl_source: 0, ...row }).map(([name, value]) => [`mujoco:${name}`, value]);
		builder.addRow('mujoco:actuator', Object.fromEntries(values));
	}
	const bodies = [M0, M1].map((mass, i) =>
		builder.addLink({ mass, inertia: boxInertia(mass, 1, 1, 1), lockInertia: true, isKinematic: i === given }),
	) as unknown as Pair;
	closeFirst?.(builder, bodies);
	const joints = bodies.map((child, i) => {
		const joint = builder.addJointPrismatic({ child, axis: 'x', ...(i === 0 ? first : second) });
		builder.addArticulation([joint]);
		return joint;
	}) as unknown as Pair;
	close?.(builder, joints, bodies);
	const runner = new Runner(builder, { ...TIGHT, ...options });
	// coordinates of a distance come before those of the sliders
	runner.state.jointQ.set(q, closeFirst === undefined ? 0 : 7);
	runner.state.jointQd.set(v, closeFirst === undefined ? 0 : 6);
	runner.control.jointF.set(forces);
	runner.control.jointAct.set(act);
	runner.control.jointTargetQ.set(target);
	runner.control.jointTargetQd.set(rate);
	runner.place();
	runner.step(DT);
	return runner;
}

const limit = (ke: number, kd: number, gap: number, side: number, which: 0 | 1 = 0): Row => {
	const tau = kd / ke;
	const weight = 1 / (which === 0 ? M0 : M1);
	return {
		moments: which === 0 ? [side, 0] : [0, side],
		R: Math.max(nearRigid(weight), 1 / (DT * ke * (DT + tau))),
		target: -gap / (DT + tau),
		bounds: PUSH,
	};
};

/** A drive of a slider: a spring to where it is to be, a damper to its rate, within a force. */
const drive = (kp: number, kd: number, error: number, rate = 0, least = -INFINITE, most = INFINITE): Row => ({
	moments: [1, 0],
	R: 1 / (DT * (DT * kp + kd)),
	target: (kp * error + kd * rate) / (DT * kp + kd),
	bounds: [DT * least, DT * most],
});

/** A row that closes a gap within two steps, or within the step and a relaxation time. */
const closed = (moments: Pair, gap: number, weight: number, tau = 0): Row => ({
	moments,
	R: nearRigid(weight),
	target: -gap / (DT + Math.max(DT, tau)),
	bounds: FREE,
});

const LIMITS = { limitLower: -0.1, limitUpper: 0.2, limitKe: 500, limitKd: 5 };
/** A connection along x of the three that it has: the mean over its rows. */
const LINEAR = (1 / M0 + 1 / M1) / 3;

/** A distance is held as a limit is, with the stiffness and damping of limits by default. */
const distance = (moments: Pair, gap: number, bounds: Pair): Row => ({
	moments,
	R: 1 / (DT * 1e4 * (DT + 1e-3)),
	target: -gap / (DT + 1e-3),
	bounds,
});

const CASES: Readonly<Record<string, Case>> = {
	nothing: { v: [0.3, -0.4], forces: [1, 2], rows: [] },
	'damping and armature': {
		first: { damping: 5, armature: 0.7 },
		v: [0.3, -0.4],
		forces: [1, 2],
		extra: [0.7 + DT * 5, 0],
		rows: [],
	},
	'a lower limit': { first: LIMITS, q: [-0.15, 0], v: [-0.3, 0], rows: [limit(500, 5, -0.05, 1)] },
	'an upper limit': { first: LIMITS, q: [0.22, 0], v: [0.3, 0], rows: [limit(500, 5, -0.02, -1)] },
	'an upper limit alone': {
		first: { ...LIMITS, limitLower: -UNLIMITED },
		q: [0.22, 0],
		v: [0.3, 0],
		rows: [limit(500, 5, -0.02, -1)],
	},
	'a lower limit alone': {
		first: { ...LIMITS, limitUpper: UNLIMITED },
		q: [-0.15, 0],
		v: [-0.3, 0],
		rows: [limit(500, 5, -0.05, 1)],
	},
	'a limit without damping': {
		second: { ...LIMITS, limitKd: 0 },
		q: [0, 0.22],
		v: [0, 0.3],
		rows: [limit(500, 0, -0.02, -1, 1)],
	},
	'a lower limit above zero': {
		first: { ...LIMITS, limitLower: 0.1 },
		q: [0.05, 0],
		v: [-0.3, 0],
		rows: [limit(500, 5, -0.05, 1)],
	},
	'an upper limit below zero': {
		first: { ...LIMITS, limitLower: -0.5, limitUpper: -0.1 },
		q: [-0.05, 0],
		v: [0.3, 0],
		rows: [limit(500, 5, -0.05, -1)],
	},
	'a limit that comes near': { first: LIMITS, q: [0.19, 0], v: [2, 0], rows: [limit(500, 5, 0.01, -1)] },
	'a limit that could be reached in two steps': {
		first: { ...LIMITS, limitKd: 500 },
		q: [0.1605, 0],
		v: [2, 0],
		// pushes before it is reached: the relaxation time is one second
		rows: [limit(500, 500, 0.0395, -1)],
	},
	'a limit that could not': { first: { ...LIMITS, limitKd: 500 }, q: [0.1595, 0], v: [2, 0], rows: [] },
	'a limit as stiff as it may be': {
		first: { ...LIMITS, limitKe: 1e12, limitKd: 0 },
		q: [-0.15, 0],
		rows: [limit(1e12, 0, -0.05, 1)],
	},
	'a limit without stiffness': { first: { ...LIMITS, limitKe: 0 }, q: [-0.15, 0], rows: [] },
	'dry friction that slips': {
		first: { friction: 2 },
		v: [1, 0],
		forces: [3, 0],
		rows: [{ moments: [1, 0], R: 1e-3 / M0, target: 0, bounds: [-2 * DT, 2 * DT] }],
	},
	'dry friction that holds': {
		first: { friction: 2 },
		forces: [1.5, 0],
		rows: [{ moments: [1, 0], R: 1e-3 / M0, target: 0, bounds: [-2 * DT, 2 * DT] }],
	},
	'a speed that is too high': {
		first: { velocityLimit: 1 },
		v: [1.5, 0],
		options: { enforceVelocityLimits: true },
		rows: [
			{ moments: [1, 0], R: nearRigid(1 / M0), target: -1, bounds: PUSH },
			{ moments: [-1, 0], R: nearRigid(1 / M0), target: -1, bounds: PUSH },
		],
	},
	'a speed backwards that is too high': {
		first: { velocityLimit: 1 },
		v: [-1.5, 0],
		options: { enforceVelocityLimits: true },
		rows: [
			{ moments: [1, 0], R: nearRigid(1 / M0), target: -1, bounds: PUSH },
			{ moments: [-1, 0], R: nearRigid(1 / M0), target: -1, bounds: PUSH },
		],
	},
	'a speed that would be too high': {
		first: { velocityLimit: 0.25 },
		v: [0.2, 0],
		forces: [20, 0],
		options: { enforceVelocityLimits: true },
		rows: [{ moments: [-1, 0], R: nearRigid(1 / M0), target: -0.25, bounds: PUSH }],
	},
	'a speed beyond half of the limit that a coupling makes too high': {
		first: { velocityLimit: 1 },
		close: (builder, [joint0, joint1]) => builder.addConstraintMimic({ joint0, joint1, coef0: 0, coef1: 1 }),
		v: [0.55, 4],
		options: { enforceVelocityLimits: true },
		rows: [closed([1, -1], 0, 1 / M0 + 1 / M1), { moments: [-1, 0], R: nearRigid(1 / M0), target: -1, bounds: PUSH }],
	},
	'a speed below half of the limit, at which nobody looks': {
		first: { velocityLimit: 1 },
		close: (builder, [joint0, joint1]) => builder.addConstraintMimic({ joint0, joint1, coef0: 0, coef1: 1 }),
		v: [0.45, 4],
		options: { enforceVelocityLimits: true },
		rows: [closed([1, -1], 0, 1 / M0 + 1 / M1)],
	},
	'a speed that is too high, not asked for': { first: { velocityLimit: 1 }, v: [1.5, 0], rows: [] },
	'speed limits that are none': {
		first: { velocityLimit: 0 },
		second: { velocityLimit: 1e6 },
		v: [1.5, 2e6],
		options: { enforceVelocityLimits: true },
		rows: [],
	},
	'a drive stiffer than it may be': {
		first: { targetKe: 1e9, targetKd: 1e4 },
		q: [0.1, 0],
		rows: [
			// the gains keep their ratio
			{ moments: [1, 0], R: nearRigid(1 / M0), target: (-1e9 * 0.1) / (DT * 1e9 + 1e4), bounds: FREE },
		],
	},
	'a damper stiffer than it may be': {
		first: { targetKe: 10, targetKd: 1e9 },
		q: [0.1, 0],
		v: [1, 0],
		rows: [{ moments: [1, 0], R: nearRigid(1 / M0), target: (-10 * 0.1) / (DT * 10 + 1e9), bounds: FREE }],
	},
	'a weak drive': {
		first: { targetKe: 0.5, targetKd: 0.25 },
		second: { targetKd: 0.5 },
		q: [0.1, 0.2],
		v: [1, -2],
		rows: [
			{ moments: [1, 0], R: 1 / (DT * (DT * 0.5 + 0.25)), target: (-0.5 * 0.1) / (DT * 0.5 + 0.25), bounds: FREE },
			{ moments: [0, 1], R: 1 / (DT * 0.5), target: 0, bounds: FREE },
		],
	},
	'controls without a drive': { act: [1, -2.5], pushes: [1, -2.5], v: [0.3, -0.4], forces: [0.5, 2], rows: [] },
	'controls beyond the effort': {
		first: { effortLimit: 0.5 },
		second: { effortLimit: 2 },
		act: [3, -3],
		pushes: [0.5, -2],
		rows: [],
	},
	'controls of drives': {
		first: { targetKe: 10, targetKd: 2 },
		second: { targetKd: 0.5 },
		q: [0.1, 0],
		act: [3, -1],
		rows: [
			{ moments: [1, 0], R: 1 / (DT * (DT * 10 + 2)), target: (3 - 10 * 0.1) / (DT * 10 + 2), bounds: FREE },
			{ moments: [0, 1], R: 1 / (DT * 0.5), target: -1 / 0.5, bounds: FREE },
		],
	},
	'a weak drive within its effort': {
		first: { targetKe: 100, effortLimit: 3 },
		q: [0.1, 0],
		rows: [{ moments: [1, 0], R: 1 / (DT * DT * 100), target: -0.1 / DT, bounds: [-3 * DT, 3 * DT] }],
	},
	'a drive to a target at a rate': {
		first: { targetKe: 10, targetKd: 2 },
		q: [0.1, 0],
		v: [0.3, 0],
		target: [0.5, 0],
		rate: [0.7, 0],
		rows: [drive(10, 2, 0.4, 0.7)],
	},
	'a drive of velocity, which has no spring': {
		first: { targetKe: 10, targetKd: 2, actuatorMode: JointTargetMode.VELOCITY },
		q: [0.1, 0],
		target: [0.5, 0],
		rate: [0.7, 0],
		rows: [drive(0, 2, 0, 0.7)],
	},
	'a drive that counts from elsewhere': {
		first: { targetKe: 10, targetKd: 2, attributes: { 'mujoco:dof_ref': 0.25 } },
		q: [0.1, 0],
		target: [0.5, 0],
		rows: [drive(10, 2, 0.5 - 0.1 - 0.25)],
	},
	'limits that count from elsewhere, the lower one': {
		first: { ...LIMITS, attributes: { 'mujoco:dof_ref': 0.25 } },
		q: [-0.4, 0],
		v: [-0.3, 0],
		rows: [limit(500, 5, -0.05, 1)],
	},
	'limits that count from elsewhere, the upper one': {
		first: { ...LIMITS, attributes: { 'mujoco:dof_ref': 0.25 } },
		q: [-0.03, 0],
		v: [0.3, 0],
		rows: [limit(500, 5, -0.02, -1)],
	},
	'a target and a rate beyond the ranges of actuators': {
		first: { targetKe: 10, targetKd: 2 },
		q: [0.1, 0],
		target: [5, 0],
		rate: [-7, 0],
		actuators: [
			{ ctrl_type: 0, actuator_trnid: [0, -1], actuator_ctrlrange: [-1, 0.25], actuator_has_ctrlrange: 1 },
			{ ctrl_type: 1, actuator_trnid: [0, -1], actuator_ctrlrange: [-0.5, 1], actuator_has_ctrlrange: 1 },
		],
		rows: [drive(10, 2, 0.25 - 0.1, -0.5)],
	},
	'a target and a rate beyond the other ends of the ranges': {
		first: { targetKe: 10, targetKd: 2 },
		q: [0.1, 0],
		target: [-5, 0],
		rate: [7, 0],
		actuators: [
			{ ctrl_type: 0, actuator_trnid: [0, -1], actuator_ctrlrange: [-1, 0.25], actuator_has_ctrlrange: 1 },
			{ ctrl_type: 1, actuator_trnid: [0, -1], actuator_ctrlrange: [-0.5, 1], actuator_has_ctrlrange: 1 },
		],
		rows: [drive(10, 2, -1 - 0.1, 1)],
	},
	'a drive forwards beyond the force of its actuator': {
		first: { targetKe: 100, targetKd: 2, effortLimit: 3 },
		target: [1, 0],
		actuators: [{ actuator_trnid: [0, -1], actuator_forcerange: [-5, 2], actuator_has_forcerange: 1 }],
		rows: [drive(100, 2, 1, 0, -3, 2)],
	},
	'a drive backwards beyond its effort': {
		first: { targetKe: 100, targetKd: 2, effortLimit: 3 },
		target: [-1, 0],
		actuators: [{ actuator_trnid: [0, -1], actuator_forcerange: [-5, 2], actuator_has_forcerange: 1 }],
		rows: [drive(100, 2, -1, 0, -3, 2)],
	},
	'a drive backwards beyond the force of its actuator': {
		first: { targetKe: 100, targetKd: 2 },
		target: [-1, 0],
		actuators: [{ actuator_trnid: [0, -1], actuator_forcerange: [-0.5, 2], actuator_has_forcerange: 1 }],
		rows: [drive(100, 2, -1, 0, -0.5, 2)],
	},
	'a drive damped by a ratio': {
		first: { targetKe: 8 },
		v: [1, 0],
		target: [0.5, 0],
		actuators: [{ actuator_trnid: [0, -1], actuator_biasprm: [0, -8, 0.5, 0, 0, 0, 0, 0, 0, 0] }],
		// 2 ζ √(k m) with a mass of 2
		rows: [drive(8, 4, 0.5)],
	},
	'a mimic': {
		close: (builder, [joint0, joint1]) => builder.addConstraintMimic({ joint0, joint1, coef0: 0.1, coef1: -0.5 }),
		q: [0.3, 0.2],
		v: [0.5, -0.3],
		rows: [closed([1, 0.5], 0.3 - 0.1 + 0.5 * 0.2, 1 / M0 + 0.25 / M1)],
	},
	'a mimic the other way': {
		close: (builder, [joint1, joint0]) => builder.addConstraintMimic({ joint0, joint1, coef0: 0.1, coef1: -0.5 }),
		q: [0.3, 0.2],
		v: [0.5, -0.3],
		rows: [closed([0.5, 1], 0.2 - 0.1 + 0.5 * 0.3, 1 / M1 + 0.25 / M0)],
	},
	'a mimic with a relaxation time': {
		close: (builder, [joint0, joint1]) => builder.addConstraintMimic({ joint0, joint1, coef0: 0.1, coef1: -0.5 }),
		q: [0.3, 0.2],
		options: { loopTau: 0.3 },
		rows: [closed([1, 0.5], 0.3, 1 / M0 + 0.25 / M1, 0.3)],
	},
	'a mimic of a slider that is held where it is': {
		close: (builder, [joint0, joint1]) => builder.addConstraintMimic({ joint0, joint1, coef0: 0.1, coef1: -0.5 }),
		given: 1,
		q: [0.3, 0.2],
		v: [0.5, 0],
		rows: [closed([1, 0], 0.3, 1 / M0)],
	},
	'a slider that is held where it is, as the follower': {
		close: (builder, [joint0, joint1]) => builder.addConstraintMimic({ joint0, joint1, coef0: 0.1, coef1: -0.5 }),
		given: 0,
		q: [0.3, 0.2],
		v: [0, 0.5],
		rows: [closed([0, 0.5], 0.3, 0.25 / M1)],
	},
	'a connection to a slider of given motion': {
		close: (builder, _, [body1, body2]) =>
			builder.addEqualityConstraint({ type: 'connect', body1, body2, anchor: [0.1, 0.2, 0.3] }),
		given: 1,
		q: [0.3, 0.5],
		v: [0.5, -0.3],
		// −v + (−0.3) closes the gap
		rows: [{ ...closed([-1, 0], 0.2, 1 / M0 / 3), target: -0.2 / (2 * DT) + 0.3 }],
	},
	'a distance to a slider of given motion': {
		close: (builder, _, [parent, child]) =>
			builder.addJointDistance({ parent, child, minDistance: 0.15, maxDistance: 0.15 }),
		given: 0,
		q: [0.3, 0.5],
		v: [0.5, -0.3],
		rows: [{ ...distance([0, 1], 0.05, FREE), target: -0.05 / (DT + 1e-3) + 0.5 }],
	},
	'a distance to a slider of given motion that is too long': {
		close: (builder, _, [parent, child]) =>
			builder.addJointDistance({ parent, child, minDistance: -1, maxDistance: 0.15 }),
		given: 0,
		q: [0.3, 0.5],
		v: [0.5, -0.3],
		rows: [{ ...distance([0, -1], -0.05, PUSH), target: 0.05 / (DT + 1e-3) - 0.5 }],
	},
	'a distance that is the first joint': {
		closeFirst: (builder, [parent, child]) =>
			builder.addJointDistance({ parent, child, minDistance: 0.15, maxDistance: 0.15 }),
		q: [0.3, 0.5],
		v: [0.5, -0.3],
		rows: [distance([-1, 1], 0.05, FREE)],
	},
	'a distance of less than rounding, which is along x': {
		close: (builder, _, [parent, child]) =>
			builder.addJointDistance({ parent, child, minDistance: 0.15, maxDistance: 0.15 }),
		q: [0, -0.5e-12],
		v: [0.5, -0.3],
		rows: [distance([-1, 1], -0.15, FREE)],
	},
	'a distance of a little more than rounding, which has a direction': {
		close: (builder, _, [parent, child]) =>
			builder.addJointDistance({ parent, child, minDistance: 0.15, maxDistance: 0.15 }),
		q: [0, -1.5e-12],
		v: [0.5, -0.3],
		rows: [distance([1, -1], -0.15, FREE)],
	},
	'a mimic that is off': {
		close: (builder, [joint0, joint1]) =>
			builder.addConstraintMimic({ joint0, joint1, coef0: 0.1, coef1: -0.5, enabled: false }),
		q: [0.3, 0.2],
		rows: [],
	},
	'a polynomial': {
		close: (builder, [joint1, joint2]) =>
			builder.addEqualityConstraint({ type: 'joint', joint1, joint2, polycoef: [0.02, 0.3, 0.1, -0.2, 0.05] }),
		q: [0.3, 0.5],
		v: [0.5, -0.3],
		rows: [
			closed(
				[1, -(0.3 + 0.2 * 0.5 - 0.6 * 0.25 + 0.2 * 0.125)],
				0.3 - (0.02 + 0.3 * 0.5 + 0.1 * 0.25 - 0.2 * 0.125 + 0.05 * 0.0625),
				1 / M0 + (0.3 + 0.2 * 0.5 - 0.6 * 0.25 + 0.2 * 0.125) ** 2 / M1,
			),
		],
	},
	'a joint held at a place': {
		close: (builder, [, joint1]) =>
			builder.addEqualityConstraint({ type: 'joint', joint1, joint2: -1, polycoef: [0.07, 1, 1, 1, 1] }),
		q: [0.3, 0.5],
		v: [0.5, -0.3],
		rows: [closed([0, 1], 0.5 - 0.07, 1 / M1)],
	},
	'a connection': {
		close: (builder, _, [body1, body2]) =>
			builder.addEqualityConstraint({ type: 'connect', body1, body2, anchor: [0.1, 0.2, 0.3] }),
		q: [0.3, 0.5],
		v: [0.5, -0.3],
		rows: [closed([-1, 1], 0.2, LINEAR)],
	},
	'a connection to the world': {
		close: (builder, _, [body1]) =>
			builder.addEqualityConstraint({ type: 'connect', body1, body2: -1, anchor: [0.1, 0.2, 0.3] }),
		q: [0.3, 0],
		v: [0.5, -0.3],
		rows: [closed([-1, 0], -0.3, 1 / M0 / 3)],
	},
	'a connection of the world to what is not the first tree': {
		close: (builder, _, [, body2]) =>
			builder.addEqualityConstraint({ type: 'connect', body1: -1, body2, anchor: [0.1, 0.2, 0.3] }),
		q: [0.3, 0.5],
		v: [0.5, -0.3],
		rows: [closed([0, 1], 0.5, 1 / M1 / 3)],
	},
	'a connection of what is not the first tree to the world': {
		close: (builder, _, [, body1]) =>
			builder.addEqualityConstraint({ type: 'connect', body1, body2: -1, anchor: [0.1, 0.2, 0.3] }),
		q: [0.3, 0.5],
		v: [0.5, -0.3],
		rows: [closed([0, -1], -0.5, 1 / M1 / 3)],
	},
	'a connection that is off': {
		close: (builder, _, [body1, body2]) =>
			builder.addEqualityConstraint({ type: 'connect', body1, body2, anchor: [0.1, 0.2, 0.3], enabled: false }),
		q: [0.3, 0.5],
		rows: [],
	},
	'a weld': {
		close: (builder, _, [body1, body2]) =>
			builder.addEqualityConstraint({
				type: 'weld',
				body1,
				body2,
				anchor: [0, 0, 0],
				relpose: [0.1, 0, 0, 0, 0, 0, 1],
			}),
		q: [0.3, 0.5],
		v: [0.5, -0.3],
		// six rows, of which one can move
		rows: [closed([-1, 1], 0.1, (1 / M0 + 1 / M1) / 6)],
	},
	'a weld at the pose of the start': {
		close: (builder, _, [body1, body2]) =>
			builder.addEqualityConstraint({ type: 'weld', body1, body2, anchor: [0, 0, 0], relpose: [9, 9, 9, 0, 0, 0, 0] }),
		q: [0.3, 0.5],
		v: [0.5, -0.3],
		rows: [closed([-1, 1], 0.2, (1 / M0 + 1 / M1) / 6)],
	},
	'a fixed joint that closes a loop': {
		close: (builder, _, [parent, child]) => builder.addJointFixed({ parent, child, parentXform: { p: [0.1, 0, 0] } }),
		q: [0.3, 0.5],
		v: [0.5, -0.3],
		rows: [closed([-1, 1], 0.1, (1 / M0 + 1 / M1) / 6)],
	},
	'a ball joint that closes a loop': {
		close: (builder, _, [parent, child]) => builder.addJointBall({ parent, child, parentXform: { p: [0.1, 0, 0] } }),
		q: [0.3, 0.5],
		v: [0.5, -0.3],
		rows: [closed([-1, 1], 0.1, LINEAR)],
	},
	'a hinge that closes a loop': {
		close: (builder, _, [parent, child]) =>
			builder.addJointRevolute({ parent, child, axis: 'z', parentXform: { p: [0.1, 0, 0] } }),
		q: [0.3, 0.5],
		v: [0.5, -0.3],
		rows: [closed([-1, 1], 0.1, (1 / M0 + 1 / M1) / 5)],
	},
	'a slider that closes a loop along the way that is free': {
		close: (builder, _, [parent, child]) =>
			builder.addJointPrismatic({ parent, child, axis: 'x', parentXform: { p: [0.1, 0, 0] } }),
		q: [0.3, 0.5],
		v: [0.5, -0.3],
		rows: [],
	},
	'a slider that closes a loop across': {
		close: (builder, _, [parent, child]) =>
			builder.addJointPrismatic({ parent, child, axis: 'y', parentXform: { p: [0.1, 0, 0] } }),
		q: [0.3, 0.5],
		v: [0.5, -0.3],
		rows: [closed([-1, 1], 0.1, (1 / M0 + 1 / M1) / 5)],
	},
	'a slider that closes a loop askew': {
		close: (builder, _, [parent, child]) =>
			builder.addJointPrismatic({ parent, child, axis: [0.6, 0.8, 0], parentXform: { p: [0.1, 0, 0] } }),
		q: [0.3, 0.5],
		v: [0.5, -0.3],
		// held along (0.8, -0.6, 0) and z, and in rotation
		rows: [closed([-0.8, 0.8], 0.08, (0.64 * (1 / M0 + 1 / M1)) / 5)],
	},
	'a distance that is too long': {
		close: (builder, _, [parent, child]) =>
			builder.addJointDistance({ parent, child, minDistance: 0.1, maxDistance: 0.15 }),
		q: [0.3, 0.5],
		v: [0.5, -0.3],
		rows: [distance([1, -1], -0.05, PUSH), distance([-1, 1], 0.1, PUSH)],
	},
	'a distance that is too short, with its end at the other side': {
		close: (builder, _, [parent, child]) =>
			builder.addJointDistance({ parent, child, minDistance: 0.3, maxDistance: -1 }),
		q: [0.5, 0.3],
		v: [0.5, -0.3],
		rows: [distance([1, -1], -0.1, PUSH)],
	},
	'a distance that is one': {
		close: (builder, _, [parent, child]) =>
			builder.addJointDistance({ parent, child, minDistance: 0.15, maxDistance: 0.15 }),
		q: [0.3, 0.5],
		v: [0.5, -0.3],
		rows: [distance([-1, 1], 0.05, FREE)],
	},
	'a loop that is off': {
		close: (builder, _, [parent, child]) => builder.addJointFixed({ parent, child, enabled: false }),
		q: [0.3, 0.5],
		v: [0.5, -0.3],
		rows: [],
	},
};

describeEngines('two sliders in one step', () => {
	it('take part where a row is theirs', () => {
		const dofs = (one: Omit<Case, 'rows'>): number => run({ ...one, rows: [] }).solver.outcome.dofCount[0]!;
		const drive = { targetKe: 10 };
		expect(dofs({})).toBe(0);
		expect(dofs({ second: drive })).toBe(1);
		expect(dofs({ first: drive, second: drive })).toBe(2);
		expect(dofs({ first: { friction: 1 } })).toBe(1);
		expect(dofs({ first: LIMITS, q: [0.3, 0] })).toBe(1);
		expect(dofs({ first: LIMITS, q: [0.1, 0] })).toBe(0);
		// what moves as given has rows of nothing
		expect(dofs({ first: { ...drive, friction: 1 }, second: drive, given: 0 })).toBe(1);
		expect(dofs({ first: { ...LIMITS, ...drive }, q: [0.3, 0], given: 0 })).toBe(0);
	});
});

describeEngines('two sliders in one step under', () => {
	it.each(Object.entries(CASES))('%s', (_, one) => {
		const { state } = run(one);
		const [q, v, extra] = [one.q ?? [0, 0], one.v ?? [0, 0], one.extra ?? [0, 0]];
		const forces = [0, 1].map((i) => (one.forces?.[i] ?? 0) + (one.pushes?.[i] ?? 0)) as unknown as Pair;
		const mass: readonly Pair[] = [
			[M0 + extra[0], 0],
			[0, M1 + extra[1]],
		];
		const damping = 'damping' in (one.first ?? {}) ? 5 : 0;
		const momentum: Pair = [
			mass[0]![0] * v[0] + DT * (forces[0] - damping * v[0]),
			mass[1]![1] * v[1] + DT * forces[1],
		];
		const expected = solveRows(mass, momentum, one.rows);
		for (let i = 0; i < 2; i++) {
			if (i === one.given) expect(expected[i]).toBe(v[i]);
			const [at, from] = one.closeFirst === undefined ? [0, 0] : [6, 7];
			expect(state.jointQd[at + i]).toBeCloseTo(expected[i]!, 9);
			expect(state.jointQ[from + i]).toBeCloseTo(q[i]! + DT * expected[i]!, 9);
		}
	});
});

describe('what a solver does not simulate is named', () => {
	const messages = (add: (builder: ModelBuilder, bodies: Pair) => void, options: SolverSapOptions = {}): string[] =>
		run({ close: (builder, _, bodies) => add(builder, bodies), options, rows: [] })
			.solver.report.toArray()
			.map(({ code, message }) => `${code} ${message}`);
	const none = 'SIM001 SolverSap does not simulate';

	it.each([
		['restitution', { restitution: 0.5 }, 'restitution of shapes'],
		['torsional friction', { muTorsional: 0.3 }, 'torsional friction of shapes other than the default'],
		['rolling friction', { muRolling: 0.3 }, 'rolling friction of shapes other than the default'],
		['hydroelastic contact', { isHydroelastic: true }, 'hydroelastic contact (point contact takes its place)'],
	] as const)('%s', (_, config, what) => {
		const found = messages((builder, [body]) => {
			builder.addShapeSphere(body, { radius: 0.1, config });
			builder.addShapeSphere(body, { radius: 0.1 });
		});
		expect(found).toEqual([`${none} ${what}: 1 in this model`]);
	});

	it('torque scales, driven loops and disabled joints', () => {
		const scaled = messages((builder, [body1, body2]) => {
			builder.addEqualityConstraint({ type: 'weld', body1, body2, torquescale: 2 });
			builder.addEqualityConstraint({ type: 'weld', body1, body2 });
			builder.addEqualityConstraint({ type: 'connect', body1, body2, torquescale: 3 });
		});
		expect(scaled).toEqual([`${none} the torque scale of weld constraints other than 1: 1 in this model`]);
		for (const [drive, count] of [
			[{}, 0],
			[{ targetKe: 0.5 }, 1],
			[{ targetKd: 0.5 }, 1],
			[{ damping: 0.5 }, 1],
			[{ friction: 0.5 }, 1],
		] as const) {
			const found = messages((builder, [parent, child]) =>
				builder.addJointRevolute({ parent, child, axis: 'z', ...drive }),
			);
			const what = 'drives, damping and friction of joints that close loops';
			expect(found).toEqual(count === 0 ? [] : [`${none} ${what}: 1 in this model`]);
		}
		// a slide that is free beside a turn that is damped, and a joint of a tree that is
		const second = messages((builder, [parent, child]) => {
			builder.addJointD6({ parent, child, linearAxes: [{ axis: 'x' }], angularAxes: [{ axis: 'z', damping: 1 }] });
			builder.addJointD6({ parent, child, linearAxes: [{ axis: 'x' }] });
			const link = builder.addLink({ mass: 1, inertia: boxInertia(1, 1, 1, 1), lockInertia: true });
			builder.addArticulation([builder.addJointRevolute({ child: link, axis: 'z', damping: 1 })]);
		});
		expect(second).toEqual([`${none} drives, damping and friction of joints that close loops: 1 in this model`]);
		const disabled = run({ first: { enabled: false }, rows: [] }).solver.report.toArray();
		expect(disabled.map(({ message }) => message)).toEqual([
			'SolverSap does not simulate disabled joints of articulations (they stay enabled): 1 in this model',
		]);
	});

	it('no motion of a massless base that carries something', () => {
		const builder = makeBuilder([0, 0, 0]);
		const base = builder.addLink({ mass: 0, inertia: [0, 0, 0, 0, 0, 0, 0, 0, 0], lockInertia: true });
		const load = builder.addLink({ mass: 1, com: [0.1, 0, 0], inertia: boxInertia(1, 1, 1, 1), lockInertia: true });
		builder.addArticulation([
			builder.addJointRevolute({ child: base, axis: 'z' }),
			builder.addJointFixed({ parent: base, child: load }),
		]);
		expect(new Runner(builder).solver.report.toArray()).toEqual([]);
	});

	it('velocity limits, unless they are enforced', () => {
		const limited = (enforceVelocityLimits: boolean, velocityLimit: number): string[] =>
			run({ first: { velocityLimit }, options: { enforceVelocityLimits }, rows: [] })
				.solver.report.toArray()
				.map(({ code }) => code);
		expect(limited(false, 3)).toEqual(['SIM003']);
		expect(limited(false, 0.5)).toEqual(['SIM003']);
		expect(limited(true, 3)).toEqual([]);
		expect(limited(false, 1e6)).toEqual([]);
		expect(limited(false, 0)).toEqual([]);
	});

	it('joints that move no mass, by what hangs on them too', () => {
		const nothing = { mass: 0, inertia: [0, 0, 0, 0, 0, 0, 0, 0, 0], lockInertia: true };
		const chain = (masses: readonly number[], options: object = {}, inertia = nothing.inertia): string[] =>
			messages((builder) => {
				let parent = -1;
				const joints = masses.map((mass, i) => {
					const child = builder.addLink({ ...nothing, mass, inertia });
					const joint = builder.addJointRevolute({ parent, child, axis: 'z', label: `j${i}`, ...options });
					parent = child;
					return joint;
				});
				builder.addArticulation(joints);
			}).map((text) => text.replace(' moves nothing that has mass and stays at rest', ''));
		expect(chain([0, 0])).toEqual(["SIM002 'j0'", "SIM002 'j1'"]);
		expect(chain([0, 1])).toEqual([]);
		expect(chain([1, 0])).toEqual(["SIM002 'j1'"]);
		expect(chain([0, 0], { armature: 0.1 })).toEqual([]);
		// once for a joint, however many ways it moves
		const turning = messages((builder) =>
			builder.addArticulation([builder.addJointBall({ child: builder.addLink(nothing), label: 'ball' })]),
		);
		expect(turning).toEqual(["SIM002 'ball' moves nothing that has mass and stays at rest"]);
		// armature of one axis carries no other
		const half = messages((builder) => {
			const angularAxes = [{ axis: 'x' as const, armature: 0.1 }, { axis: 'y' as const }];
			builder.addArticulation([builder.addJointD6({ child: builder.addLink(nothing), angularAxes, label: 'half' })]);
		});
		expect(half).toEqual(["SIM002 'half' moves nothing that has mass and stays at rest"]);
		expect(chain([0], {}, [0, 0, 0, 0, 0, 0, 0, 0, 0.1])).toEqual([]);
		expect(chain([0], {}, [0, 0, 0, 0, 0.1, 0, 0, 0, 0])).toEqual([]);
		expect(chain([0], {}, [0.1, 0, 0, 0, 0, 0, 0, 0, 0])).toEqual([]);
		// numbers of the body that comes next are its own
		const followed = messages((builder) => {
			const child = builder.addLink(nothing);
			builder.addArticulation([builder.addJointRevolute({ child, axis: 'z', label: 'j' })]);
			builder.addBody({ mass: 1, inertia: boxInertia(1, 1, 1, 1), lockInertia: true });
		});
		expect(followed).toEqual(["SIM002 'j' moves nothing that has mass and stays at rest"]);
	});
});

describeEngines('a body that lies on the ground', () => {
	const material = { ke: 1e4, tau: 0.05, mu: 0.5 };

	/** Heights of the lying ball over some steps, while another one, of lower number but with a later shape, falls or not. */
	function heights(falls: boolean): number[] {
		const builder = makeBuilder();
		builder.addShapePlane({ width: 0, length: 0, ...ofMaterial(material) });
		const ball = (p: readonly number[]): number =>
			builder.addBody({ mass: 1, inertia: [0.1, 0, 0, 0, 0.1, 0, 0, 0, 0.1], xform: { p }, lockInertia: true });
		const falling = ball([3, 0, falls ? 0.51 : 100]);
		const lying = ball([0, 0, 0.499]);
		for (const body of [lying, falling]) builder.addShapeSphere(body, { radius: 0.5, ...ofMaterial(material) });
		const runner = new Runner(builder);
		return Array.from({ length: 60 }, () => {
			runner.step(0.002);
			return runner.state.bodyQ[7 * lying + 2]!;
		});
	}

	it('stays there when one that comes before it touches down', () => {
		const alone = heights(false);
		for (const [step, height] of heights(true).entries()) expect(height).toBeCloseTo(alone[step]!, 7);
	});
});
