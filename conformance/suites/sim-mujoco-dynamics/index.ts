import { dirname } from 'node:path';
import { quatRotate, quatRotateInverse } from '@manyworlds/core/internal';
import { ArticulatedDynamics, type Model, type State } from '@manyworlds/model';
import { SolverSap } from '@manyworlds/sim';
import { caseName, readJson, walkFiles } from '../../src/files.ts';
import type { Json, JsonObject } from '../../src/json.ts';
import { type Case, engineOptions, type Outcome, type Suite, type SuiteContext } from '../../src/suite.ts';
import { type MujocoDump, numbersOf, parseDump } from '../import-mujoco/mujoco-dump.ts';
import { importRobot, type Robot, setCoordinates } from '../import-mujoco/robot.ts';

/** Share of the largest acceleration that ours may be off. */
const TOLERANCE = 1e-8;

/** Contact-free dynamics of SolverSap next to MuJoCo's. */
export const simMujocoDynamics: Suite = {
	name: 'sim/mujoco-dynamics',
	description: 'dump_NAME.json.gz dumps (mujoco-dump/1) of MJCF files that they name',
	defaultDir: 'oracle/golden/mujoco',
	groups: [
		{
			name: 'accelerations',
			description: 'what a step adds to velocities under the recorded forces, as qacc_smooth, in every state',
			tolerance: `${TOLERANCE} of the largest acceleration`,
			timeLimit: 120,
			*cases(context: SuiteContext): Generator<Case> {
				for (const path of walkFiles(context.dir)) {
					if (!/^dump_.*\.json(\.gz)?$/.test(path.slice(path.lastIndexOf('/') + 1))) continue;
					const name = caseName(context.dir, path).replace(/\.json(\.gz)?$/, '');
					yield { name, run: () => run(path, context) };
				}
			},
		},
	],
};

function run(path: string, context: SuiteContext): Outcome {
	const dump = parseDump(readJson(path) as Json);
	if (!dump.model.endsWith('.xml')) return { skipped: `${dump.model} is no MJCF file` };
	const input = context.inputs.find(dump.model, dirname(path));
	if ('problem' in input) throw new Error(input.problem);
	const robot = importRobot(input.path);
	const problems: string[] = [];
	leaveOnlyInertia(robot.model, dump);
	for (const [index, state] of dump.states.entries()) {
		const problem = compare(robot, state, context);
		if (problem !== undefined) problems.push(`state ${index}: ${problem}`);
	}
	return problems.length > 0 ? problems.slice(0, 3).join('; ') : undefined;
}

/** Attributes of MuJoCo that make forces. */
const FORCES = [
	...['actuator_gainprm', 'actuator_biasprm', 'dof_passive_stiffness', 'gravcomp'],
	...['tendon_stiffness', 'tendon_damping', 'tendon_frictionloss', 'tendon_limited'],
] as const;

/** Takes everything away but masses, armature and gravity: the other forces are those of the dump. */
function leaveOnlyInertia(model: Model, dump: MujocoDump): void {
	model.jointTargetMode.fill(0);
	model.jointDamping.fill(0);
	model.jointFriction.fill(0);
	for (const name of FORCES) (model.attributes.get(`mujoco:${name}`) as Float64Array).fill(0);
	model.jointLimitKe.fill(0);
	model.equalityConstraintEnabled.fill(0);
	model.constraintMimicEnabled.fill(0);
	// only joints that close loops can be off
	model.jointEnabled.fill(0);
	model.setGravity(numbersOf(dump.option.gravity) as [number, number, number]);
}

/** What is read here; the rest of a state is what other suites compare. */
const READ = ['qpos', 'qvel', 'qfrc_passive', 'qfrc_actuator', 'qacc_smooth'] as const;
const ELSEWHERE = new Set([
	...[
		'actuator_force',
		'actuator_length',
		'actuator_velocity',
		'body_velocity',
		'constraints',
		'contacts',
		'ctrl',
		'cvel',
	],
	...['energy', 'geom_xmat', 'geom_xpos', 'jacobian_angular', 'jacobian_linear', 'mass_matrix', 'qacc', 'qfrc_bias'],
	...['qfrc_constraint', 'sensordata', 'site_xmat', 'site_xpos', 'subtree_com', 'ten_length', 'ten_velocity', 'ximat'],
	...['xipos', 'xpos', 'xquat'],
]);

/** What keeps a state from being compared. */
function oddity(entry: JsonObject, dofs: number): string | undefined {
	const missing = READ.find((key) => !(key in entry));
	if (missing !== undefined) return `the state has no '${missing}'`;
	const odd = Object.keys(entry).find((key) => !ELSEWHERE.has(key) && !(READ as readonly string[]).includes(key));
	if (odd !== undefined) return `the state has '${odd}', which is not known`;
	for (const key of READ.slice(1)) {
		const count = numbersOf(entry[key]).length;
		if (count !== dofs) return `${key} has ${count} numbers, expected ${dofs}`;
	}
	return undefined;
}

function compare(robot: Robot, entry: JsonObject, context: SuiteContext): string | undefined {
	const { model, result } = robot;
	const dofs = result.jointOrder.reduce((sum, { type }) => sum + (type === 'free' ? 6 : type === 'ball' ? 3 : 1), 0);
	const problem = oddity(entry, dofs);
	if (problem !== undefined) return problem;
	const dynamics = new ArticulatedDynamics(model);
	const state = model.createState();
	const control = model.createControl();
	const qvel = numbersOf(entry.qvel);
	const passive = numbersOf(entry.qfrc_passive);
	const forces = numbersOf(entry.qfrc_actuator).map((force, i) => force + passive[i]!);
	setCoordinates(robot, numbersOf(entry.qpos), state);
	dynamics.forwardKinematics(state);
	let at = 0;
	for (const { type, coordinate, dof } of result.jointOrder) {
		const width = type === 'free' ? 6 : type === 'ball' ? 3 : 1;
		const rates = Float64Array.from(qvel.slice(at, at + width));
		const force = Float64Array.from(forces.slice(at, at + width));
		// rotations of MuJoCo are about the axes of the body
		if (width > 1) {
			const q = coordinate + width - 3;
			const w = width - 3;
			quatRotate(rates, state.jointQ, rates, w, q, w);
			quatRotate(force, state.jointQ, force, w, q, w);
		}
		if (type === 'free') {
			const [x, y, z] = arm(model, state, bodyOf(model, dof));
			rates[0]! += rates[4]! * z - rates[5]! * y;
			rates[1]! += rates[5]! * x - rates[3]! * z;
			rates[2]! += rates[3]! * y - rates[4]! * x;
			force[3]! -= y * force[2]! - z * force[1]!;
			force[4]! -= z * force[0]! - x * force[2]!;
			force[5]! -= x * force[1]! - y * force[0]!;
		}
		state.jointQd.set(rates, dof);
		control.jointF.set(force, dof);
		at += width;
	}
	// a step of one second adds the acceleration itself
	const next = model.createState();
	const solver = new SolverSap(model, { ...engineOptions(context), gyroscopicTerms: 'explicit' });
	solver.step(state, next, control, undefined, 1);
	const expected = numbersOf(entry.qacc_smooth);
	const largest = Math.max(1, ...expected.map(Math.abs));
	at = 0;
	for (const { type, coordinate, dof } of result.jointOrder) {
		const width = type === 'free' ? 6 : type === 'ball' ? 3 : 1;
		const found = Float64Array.from({ length: width }, (_, i) => next.jointQd[dof + i]! - state.jointQd[dof + i]!);
		if (type === 'free') {
			// from velocities of the centre of mass to those of the frame, each where it was
			const body = bodyOf(model, dof);
			for (const [of, sign] of [
				[next, -1],
				[state, 1],
			] as const) {
				const [x, y, z] = arm(model, of, body);
				const [wx, wy, wz] = [3, 4, 5].map((k) => sign * of.jointQd[dof + k]!) as [number, number, number];
				found[0]! += wy * z - wz * y;
				found[1]! += wz * x - wx * z;
				found[2]! += wx * y - wy * x;
			}
		}
		if (width > 1) quatRotateInverse(found, state.jointQ, found, width - 3, coordinate + width - 3, width - 3);
		for (let i = 0; i < width; i++) {
			const off = Math.abs(found[i]! - expected[at + i]!);
			if (!(off <= TOLERANCE * largest)) {
				return `qacc_smooth[${at + i}] is ${found[i]}, expected ${expected[at + i]} (largest ${largest})`;
			}
		}
		at += width;
	}
	return undefined;
}

function bodyOf(model: Model, dof: number): number {
	for (let joint = 0; joint < model.jointCount; joint++) {
		if (model.jointQdStart[joint] === dof && model.jointQdStart[joint + 1]! > dof) return model.jointChild[joint]!;
	}
	throw new Error(`no joint begins with degree of freedom ${dof}`);
}

/** From the frame of a body to its centre of mass, in the world. */
function arm(model: Model, state: State, body: number): [number, number, number] {
	const out = new Float64Array(3);
	quatRotate(out, state.bodyQ, model.bodyCom, 0, 7 * body + 3, 3 * body);
	return [out[0]!, out[1]!, out[2]!];
}
