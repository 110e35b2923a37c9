import { readFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { importMjcf } from '@manyworlds/import';
import { Control, type Model, ModelBuilder, registerMujocoAttributes, State } from '@manyworlds/model';
import { SolverMujoco } from '@manyworlds/mujoco';
import {
	BOOLEAN_FIELD_NAMES,
	boolField,
	CompiledModel,
	convertModel,
	doubleField,
	loadMujoco,
	numberField,
} from '@manyworlds/mujoco/internal';
import { DiskStore } from '../../src/disk-store.ts';
import { caseName, readJson, walkFiles } from '../../src/files.ts';
import type { Json, JsonObject } from '../../src/json.ts';
import type { Case, Group, Outcome, Suite, SuiteContext } from '../../src/suite.ts';
import { join as joinProblems } from '../model-builders/program-case.ts';
import { flatten, valueDifference } from './mj-differences.ts';
import { ownLoadDifference } from './own-load.ts';

/** Robots that were imported from MJCF and converted back, against MuJoCo's own load of the file. */
export const mujocoRobots: Suite = {
	name: 'mujoco/robots',
	description: 'dump_NAME and trajectory_NAME of MuJoCo 3.14.0 for MJCF files that they name',
	defaultDir: 'oracle/golden/mujoco',
	groups: [
		group(
			'parameters',
			/^dump_/,
			'masses, inverse weights, joints, actuators, tendons and constraints of the compiled model',
			'1e-9 relative plus 1e-12',
			checkParameters,
		),
		group(
			'dynamics',
			/^dump_/,
			'mass matrix, forces and accelerations in several states',
			'1e-9 of the largest entry',
			checkDynamics,
		),
		group(
			'trajectories',
			/^trajectory_/,
			'states of 1,000 steps',
			'the larger of 1e-9 and ten times the recorded sensitivity, as far as that is below 1e-6',
			checkTrajectory,
		),
		group(
			'own-load',
			/^dump_/,
			"1,000 steps beside MuJoCo's own load of the file, in the same engine",
			'1e-12, or what a start moved by 1e-11 grows by, as far as one moved by 1e-10 stays within 1e-6',
			(_, robot, path) => ownLoadDifference(path, robot, OPTIONS),
		),
	],
};

type Check = (golden: JsonObject, robot: Model, path: string) => Promise<Outcome>;

function group(name: string, files: RegExp, description: string, tolerance: string, check: Check): Group {
	return {
		name,
		description,
		tolerance,
		timeLimit: 240,
		*cases(context: SuiteContext): Generator<Case> {
			for (const path of walkFiles(context.dir)) {
				const label = caseName(context.dir, path).replace(/\.json(\.gz)?$/, '');
				if (!files.test(label.slice(label.lastIndexOf('/') + 1))) continue;
				yield {
					name: label,
					run: async () => {
						const golden = readJson(path) as JsonObject;
						const file = String(golden.model);
						if (!file.endsWith('.xml')) return { skipped: `${file} is no MJCF file` };
						const input = context.inputs.find(file, dirname(path));
						if ('problem' in input) throw new Error(input.problem);
						return check(golden, importRobot(input.path), input.path);
					},
				};
			}
		},
	};
}

const robots = new Map<string, Model>();

function importRobot(path: string): Model {
	const known = robots.get(path);
	if (known !== undefined) return known;
	// files of MuJoCo have no gap unless they say so
	const builder = new ModelBuilder({ rigidGap: 0 });
	registerMujocoAttributes(builder);
	importMjcf(new Uint8Array(readFileSync(path)), builder, {
		store: new DiskStore(),
		file: path,
		ctrlDirect: true,
		convertMjcEqualityConstraints: false,
		importGravity: true,
		// MuJoCo's hulls have as many vertices as they need
		meshMaxhullvert: -1,
	});
	const model = builder.finalize();
	robots.set(path, model);
	return model;
}

async function compile(model: Model): Promise<CompiledModel> {
	return new CompiledModel(await loadMujoco(), convertModel(model, OPTIONS));
}

/** Everything of the file: gaps, also those of contacts that are found several at a time. */
const OPTIONS = { forwardGap: true, enableMulticcd: true } as const;

/** Arrays of the compiled model that say how a robot moves. */
const PARAMETERS =
	/^(body_(mass|subtreemass|invweight0|gravcomp|parentid)|jnt_(type|axis|pos|range|limited|solref|solimp|stiffness|margin|actfrcrange|actfrclimited)|dof_(armature|damping|frictionloss|solref|solimp|invweight0|M0)|qpos0|qpos_spring|actuator_(acc0|actrange|actlimited|biasprm|biastype|ctrlrange|ctrllimited|dynprm|dyntype|forcerange|forcelimited|gainprm|gaintype|gear|lengthrange|trntype|length0)|tendon_(range|limited|solref_lim|solimp_lim|stiffness|damping|frictionloss|armature|length0|invweight0|lengthspring)|eq_(type|data|solref|solimp|active0)|pair_(dim|solref|solimp|friction|margin|gap))$/;

async function checkParameters(golden: JsonObject, model: Model): Promise<Outcome> {
	const compiled = await compile(model);
	const { mj } = compiled;
	const problems: string[] = [];
	try {
		for (const size of ['nq', 'nv', 'nu', 'nbody', 'njnt', 'neq', 'ntendon', 'npair', 'na']) {
			const expected = (golden.sizes as JsonObject)[size];
			if (Number(Reflect.get(mj, size)) !== expected)
				problems.push(`${size} is ${String(Reflect.get(mj, size))}, expected ${String(expected)}`);
		}
		if (problems.length > 0) return joinProblems(problems);
		for (const [name, rows] of Object.entries(golden.arrays as JsonObject)) {
			if (!PARAMETERS.test(name)) continue;
			const own = BOOLEAN_FIELD_NAMES.has(name) ? boolField(mj, name) : numberField(mj, name);
			if (own === undefined) {
				problems.push(`${name} is not known`);
				continue;
			}
			const expected = rowsOf(name, golden, flatten(rows));
			const values = rowsOf(name, golden, Array.from(own).slice(0, flatten(rows).length));
			const problem = valueDifference(name, values, expected, { relative: 1e-9, absolute: 1e-12 });
			if (problem !== undefined) problems.push(problem);
		}
		return joinProblems(problems);
	} finally {
		compiled.dispose();
	}
}

/** Numbers of joints that have no limit are not compared. */
function rowsOf(name: string, golden: JsonObject, numbers: number[]): number[] {
	const arrays = golden.arrays as JsonObject;
	const limits: Readonly<Record<string, string>> = {
		jnt_range: 'jnt_limited',
		jnt_solref: 'jnt_limited',
		jnt_solimp: 'jnt_limited',
		jnt_margin: 'jnt_limited',
		jnt_actfrcrange: 'jnt_actfrclimited',
		tendon_range: 'tendon_limited',
		actuator_ctrlrange: 'actuator_ctrllimited',
		actuator_forcerange: 'actuator_forcelimited',
		actuator_actrange: 'actuator_actlimited',
	};
	const limited = limits[name] === undefined ? undefined : flatten(arrays[limits[name]!] ?? []);
	if (limited === undefined || limited.length === 0) return name === 'jnt_actfrclimited' ? [] : numbers;
	const width = numbers.length / limited.length;
	return numbers.filter((_, i) => limited[Math.floor(i / width)] === 1);
}

const STATE_FIELDS = [
	'mass_matrix',
	'qfrc_bias',
	'qfrc_passive',
	'qfrc_actuator',
	'qacc_smooth',
	'actuator_length',
	'actuator_velocity',
	'actuator_force',
	'ten_length',
] as const;

async function checkDynamics(golden: JsonObject, model: Model): Promise<Outcome> {
	const compiled = await compile(model);
	const { mj, data, module } = compiled;
	const problems: string[] = [];
	const full = new module.DoubleBuffer(mj.nv * mj.nv);
	try {
		for (const [i, json] of (golden.states as Json[]).entries()) {
			const state = json as JsonObject;
			for (const name of ['qpos', 'qvel', 'ctrl']) doubleField(data, name).set(flatten(state[name] ?? []));
			module.mj_forward(mj, data);
			for (const name of STATE_FIELDS) {
				if (state[name] === undefined) continue;
				const expected = flatten(state[name]!);
				let own = numberField(data, name);
				if (name === 'mass_matrix') {
					module.mj_fullM(mj, data, full);
					own = full.GetView() as Float64Array;
				}
				const largest = Math.max(1e-6, ...expected.map(Math.abs));
				const problem = valueDifference(`state ${i}: ${name}`, Array.from(own ?? []), expected, {
					relative: 0,
					absolute: 1e-9 * largest,
				});
				if (problem !== undefined) problems.push(problem);
			}
			if (problems.length > 0) break;
		}
		return joinProblems(problems);
	} finally {
		full.delete();
		compiled.dispose();
	}
}

/** Names of MuJoCo's integrators by number. */
const INTEGRATORS = ['euler', 'rk4', 'implicit', 'implicitfast'] as const;

async function checkTrajectory(golden: JsonObject, model: Model): Promise<Outcome> {
	const isFree = (golden.disable as string[]).includes('contact');
	const solver = new SolverMujoco(await loadMujoco(), model, {
		...OPTIONS,
		integrator: INTEGRATORS[Number(golden.integrator)]!,
		disableContacts: isFree,
		updateBodies: false,
	});
	const snapshots = golden.snapshots as readonly JsonObject[];
	const rows = (golden.sensitivity as JsonObject).rows as readonly Json[];
	try {
		return compareSnapshots(solver, golden, snapshots, rows);
	} finally {
		solver.dispose();
	}
}

function compareSnapshots(
	solver: SolverMujoco,
	golden: JsonObject,
	snapshots: readonly JsonObject[],
	rows: readonly Json[],
): Outcome {
	const { mj } = solver.compiled;
	const { model } = solver;
	const control = new Control(model);
	let [state, next] = [new State(model), new State(model)];
	const first = snapshots[0]!;
	const qpos = Float64Array.from(flatten(first.qpos!));
	const qvel = Float64Array.from(flatten(first.qvel!));
	solver.compiled.coordinates.pull(0, qpos, qvel, state, state);
	const ctrl = control.attributes.has('mujoco:ctrl')
		? (control.attributes.get('mujoco:ctrl') as Float64Array)
		: new Float64Array(0);
	const rule = String(golden.ctrl_rule);
	const ranges = doubleField(mj, 'actuator_ctrlrange');
	const limited = boolField(mj, 'actuator_ctrllimited');
	const dt = Number(golden.timestep);
	let at = 0;
	for (let step = 0; at < snapshots.length; step++) {
		const snapshot = snapshots[at]!;
		if (Number(snapshot.step) === step) {
			const sensitivity = Math.max(0, ...['qpos', 'qvel'].map((name) => Number((rows[at] as JsonObject)[name] ?? 0)));
			if (sensitivity > 1e-6) return undefined;
			const own = { qpos: new Float64Array(mj.nq), qvel: new Float64Array(mj.nv) };
			solver.compiled.coordinates.push(0, state, own.qpos, own.qvel);
			const allowed = Math.max(1e-9, 10 * sensitivity);
			for (const name of ['qpos', 'qvel'] as const) {
				const problem = valueDifference(`${name} after ${step} steps`, Array.from(own[name]), snapshot[name]!, {
					relative: allowed,
					absolute: allowed,
				});
				if (problem !== undefined) return problem;
			}
			at++;
		}
		for (let i = 0; i < ctrl.length; i++) {
			const [low, high] = limited[i] === 1 ? [ranges[2 * i]!, ranges[2 * i + 1]!] : [-1, 1];
			const time = step * dt;
			if (rule === 'sin') ctrl[i] = (low + high) / 2 + (0.25 * (high - low) * Math.sin(2 * Math.PI * time + i)) / 2;
			else ctrl[i] = rule === 'home' ? (flatten(snapshots[Math.min(1, snapshots.length - 1)]!.ctrl ?? [])[i] ?? 0) : 0;
		}
		solver.step(state, next, control, undefined, dt);
		[state, next] = [next, state];
	}
	return undefined;
}
