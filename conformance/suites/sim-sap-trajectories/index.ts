import { existsSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { ArticulatedDynamics, JointType, type Model, type State } from '@manyworlds/model';
import { CollisionPipeline, SolverSap } from '@manyworlds/sim';
import { caseName, readJson, walkFiles } from '../../src/files.ts';
import { isObject } from '../../src/json.ts';
import { type Case, engineOptions, type Outcome, type Suite, type SuiteContext } from '../../src/suite.ts';
import { Findings } from '../model-dynamics/findings.ts';
import { checkKeys } from '../sim-sap-problems/problem-file.ts';
import { alignSigns, buildModel, type LoadedCollision, type LoadedModel } from '../sim-sap-steps/loaded-model.ts';

/** Trajectories of SAP Warp from its own load results. */
export const simSapTrajectories: Suite = {
	name: 'sim/sap-trajectories',
	description: 'trajectory files of SAP Warp, stepped by our collision and solver from the arrays of its load results',
	defaultDir: 'oracle/golden/sap-warp',
	groups: [
		{
			name: 'trajectory',
			description: 'coordinates, joint velocities and contact counts over 200 steps, where the reference is right',
			tolerance: 'coordinates 2e-6 or 10 times the sensitivity of the scene, velocities 100 times that',
			timeLimit: 60,
			*cases(context: SuiteContext): Generator<Case> {
				for (const path of walkFiles(context.dir)) {
					if (!/\.json(\.gz)?$/.test(path)) continue;
					const json = readJson(path);
					if (!isObject(json) || !('newton_iterations' in json)) continue;
					yield {
						name: caseName(context.dir, path),
						run: () => checkTrajectory(path, json as unknown as Trajectory, context),
					};
				}
			},
		},
	],
};

interface Trajectory {
	readonly preset: 'drake' | 'approx64' | 'approx32';
	readonly dt: number;
	readonly step: readonly number[];
	readonly joint_q: readonly (readonly number[])[];
	readonly joint_qd: readonly (readonly number[])[];
	readonly body_q: readonly (readonly (readonly number[])[])[];
	readonly contacts: readonly (readonly number[])[];
}

interface Load {
	readonly model: LoadedModel;
	readonly collision: LoadedCollision;
	readonly meshes: readonly unknown[];
	readonly control: Readonly<
		Record<'joint_f' | 'joint_act' | 'joint_target_pos' | 'joint_target_vel', readonly number[]>
	>;
}

interface SceneInfo {
	readonly deviations: readonly string[];
	readonly contact_pairs: number;
	readonly sensitivity: Readonly<Record<string, number>>;
}

/** Faults of the reference that change its motion; others concern its loader or only what it prints. */
const WRONG_MOTION = ['core-points', 'no-fk', 'monotone'];

function checkTrajectory(path: string, golden: Trajectory, context: SuiteContext): Outcome {
	checkKeys(
		golden,
		'the file',
		'body_q contacts dt joint_q joint_qd joint_qd_override? line_search newton_iterations preset scene solver step',
	);
	const scene = basename(path).split('.')[0]!;
	const root = dirname(dirname(path));
	const indexPath = join(root, 'INDEX.json');
	const loadPath = join(root, 'load', `${scene}.json.gz`);
	if (!existsSync(indexPath) || !existsSync(loadPath)) return { skipped: `there is no ${indexPath} or ${loadPath}` };
	const info = (readJson(indexPath) as { readonly scenes: Readonly<Record<string, SceneInfo>> }).scenes[scene]!;
	const wrong = info.deviations.find((text) => WRONG_MOTION.some((kind) => text.startsWith(kind)));
	if (wrong !== undefined) return { excluded: wrong };
	if (golden.preset === 'approx32') return { excluded: 'the preset computes in 32 bits' };
	const load = readJson(loadPath) as Load;
	if (info.contact_pairs > 0 && load.meshes.some((mesh) => mesh !== null))
		return { excluded: 'meshes are not in the file' };
	return run(golden, load, info, context);
}

function run(golden: Trajectory, load: Load, info: SceneInfo, context: SuiteContext): Outcome {
	const findings = new Findings();
	const model = buildModel(load.model, load.collision);
	let state = model.createState();
	let next = model.createState();
	state.jointQ.set(golden.joint_q[0]!);
	state.jointQd.set(golden.joint_qd[0]!);
	const control = controlOf(model, load);
	new ArticulatedDynamics(model).forwardKinematics(state);
	const pipeline = new CollisionPipeline(model);
	const contacts = pipeline.createContacts({ perWorld: 1024 });
	const solver = new SolverSap(model, {
		...engineOptions(context),
		contactPresetVariant: golden.preset,
		gyroscopicTerms: 'explicit',
		// the reference stops at a residual of 1e-6: where that is depends on its Newton steps
		frictionDirection: 'slip',
	});
	const last = golden.step.at(-1)!;
	for (let n = 1; n <= last; n++) {
		pipeline.collide(state, contacts);
		const expected = golden.contacts[n - 1]!.reduce((sum, count) => sum + count, 0);
		if (contacts.rigidCount !== expected)
			findings.add(`step ${n}: ${contacts.rigidCount} contacts, expected ${expected}`);
		solver.step(state, next, control, contacts, golden.dt);
		[state, next] = [next, state];
		const row = golden.step.indexOf(n);
		if (row >= 0) checkRow(golden, model, state, row, n, boundAt(info, n), findings);
	}
	return findings.outcome();
}

/** The reference rounds its state to 32 bits after every step. */
function boundAt(info: SceneInfo, step: number): number {
	let sensitivity = 0;
	for (const [at, value] of Object.entries(info.sensitivity)) {
		if (Number(at) <= 2 * step) sensitivity = Math.max(sensitivity, value);
	}
	return Math.max(2e-6, 10 * sensitivity);
}

function checkRow(
	golden: Trajectory,
	model: Model,
	state: State,
	row: number,
	step: number,
	bound: number,
	findings: Findings,
): void {
	const q = golden.joint_q[row]!;
	findings.close(
		`step ${step}: coordinates`,
		alignSigns(model, state.jointQ, q),
		q,
		bound * Math.max(1, ...q.map(Math.abs)),
	);
	const qd = golden.joint_qd[row]!;
	findings.close(`step ${step}: velocities`, state.jointQd, qd, 100 * bound * Math.max(1, ...qd.map(Math.abs)));
	golden.body_q[row]!.forEach((pose, body) => {
		const own = state.bodyQ.subarray(7 * body, 7 * body + 7);
		const place = own.subarray(0, 3);
		findings.close(`step ${step}: position of body ${body}`, place, pose.slice(0, 3), 10 * bound);
	});
}

function controlOf(model: Model, load: Load): ReturnType<Model['createControl']> {
	const control = model.createControl();
	control.jointF.set(load.control.joint_f);
	control.jointAct.set(load.control.joint_act);
	control.jointTargetQd.set(load.control.joint_target_vel);
	for (let joint = 0; joint < model.jointCount; joint++) {
		const type = model.jointType[joint]!;
		if (type === JointType.FREE || type === JointType.BALL) continue;
		const dof = model.jointQdStart[joint]!;
		for (let k = 0; dof + k < model.jointQdStart[joint + 1]!; k++) {
			control.jointTargetQ[model.jointQStart[joint]! + k] = load.control.joint_target_pos[dof + k]!;
		}
	}
	return control;
}
