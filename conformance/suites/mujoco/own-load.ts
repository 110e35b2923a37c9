import { readdirSync, readFileSync, statSync } from 'node:fs';
import { basename, dirname, extname, join } from 'node:path';
import { Control, type Model, State } from '@manyworlds/model';
import type { MjData, MjModel } from '@manyworlds/mujoco';
import { type MujocoModule, SolverMujoco } from '@manyworlds/mujoco';
import { boolField, doubleField, loadMujoco } from '@manyworlds/mujoco/internal';
import type { Outcome } from '../../src/suite.ts';

/** Steps of the comparison. */
const STEPS = 1000;
/** How far start velocities are moved to measure what a rounding error grows to. */
const START_CHANGE = 1e-10;
/** Parameters of the two models agree to rounding; so do the runs while nothing amplifies it. */
const ROUNDING = 1e-12;
/** Beyond this growth of a moved start nothing is compared: contacts are chaotic by then. */
const MEANINGFUL = 1e-6;

/** MuJoCo's names of integrators by number. */
const INTEGRATORS = ['euler', 'rk4', 'implicit', 'implicitfast'] as const;

/**
 * Steps a robot that was imported and converted beside MuJoCo's own load of the file, both in WebAssembly, with the same
 * controls. Coordinates and velocities must agree to {@link ROUNDING}, and where the motion amplifies errors, to what a
 * start moved by ten times that much has grown by.
 */
export async function ownLoadDifference(path: string, model: Model, options: object): Promise<Outcome> {
	const module = await loadMujoco();
	let own: MjModel;
	try {
		own = loadFile(module, path);
	} catch (error) {
		return { skipped: `MuJoCo cannot load ${basename(path)}: ${String(error).replace(/\s+/g, ' ').slice(0, 120)}` };
	}
	const moved = new module.MjData(own);
	const data = new module.MjData(own);
	const solver = new SolverMujoco(module, model, {
		...options,
		integrator: INTEGRATORS[own.opt.integrator]!,
		updateBodies: false,
	});
	try {
		if (solver.compiled.mj.nq !== own.nq || solver.compiled.mj.nu !== own.nu) {
			return `nq and nu are ${solver.compiled.mj.nq} and ${solver.compiled.mj.nu}, expected ${own.nq} and ${own.nu}`;
		}
		return compareSteps(module, solver, own, data, moved);
	} finally {
		solver.dispose();
		moved.delete();
		data.delete();
		own.delete();
	}
}

function compareSteps(module: MujocoModule, solver: SolverMujoco, own: MjModel, data: MjData, moved: MjData): Outcome {
	const { model } = solver;
	const dt = own.opt.timestep;
	const velocities = doubleField(moved, 'qvel');
	for (let i = 0; i < velocities.length; i++) velocities[i]! += START_CHANGE;
	let [now, next] = [new State(model), new State(model)];
	solver.compiled.coordinates.pull(0, doubleField(data, 'qpos'), doubleField(data, 'qvel'), now, now);
	const control = new Control(model);
	const ctrl = control.attributes.has('mujoco:ctrl')
		? (control.attributes.get('mujoco:ctrl') as Float64Array)
		: new Float64Array(0);
	const [ranges, limited] = [doubleField(own, 'actuator_ctrlrange'), boolField(own, 'actuator_ctrllimited')];
	const [qpos, qvel] = [new Float64Array(own.nq), new Float64Array(own.nv)];
	let growth = 0;
	for (let step = 1; step <= STEPS; step++) {
		for (let i = 0; i < ctrl.length; i++) {
			const [low, high] = limited[i] === 1 ? [ranges[2 * i]!, ranges[2 * i + 1]!] : [-1, 1];
			ctrl[i] = (low + high) / 2 + 0.125 * (high - low) * Math.sin(2 * Math.PI * (step - 1) * dt + i);
		}
		for (const one of [data, moved]) {
			doubleField(one, 'ctrl').set(ctrl.subarray(0, own.nu));
			module.mj_step(own, one);
		}
		solver.step(now, next, control, undefined, dt);
		[now, next] = [next, now];
		solver.compiled.coordinates.push(0, now, qpos, qvel);
		for (const [name, values] of [
			['qpos', qpos],
			['qvel', qvel],
		] as const) {
			const [expected, shifted] = [doubleField(data, name), doubleField(moved, name)];
			for (let i = 0; i < values.length; i++) growth = Math.max(growth, Math.abs(shifted[i]! - expected[i]!));
			if (growth > MEANINGFUL) return undefined;
			const allowed = ROUNDING * Math.max(1, 10 * (growth / START_CHANGE - 1));
			const at = values.findIndex((value, i) => !(Math.abs(value - expected[i]!) <= allowed));
			if (at >= 0) {
				return `${name}[${at}] after ${step} steps is ${values[at]}, expected ${expected[at]} to ${allowed.toExponential(1)}`;
			}
		}
	}
	return undefined;
}

let folders = 0;

/** MuJoCo's own load of a file with everything beside it. */
function loadFile(module: MujocoModule, path: string): MjModel {
	const files = (module as unknown as { FS: EmscriptenFiles }).FS;
	const root = `/own-${folders++}`;
	const copied: string[] = [];
	const copy = (from: string, to: string): void => {
		files.mkdirTree(to);
		for (const name of readdirSync(from)) {
			const file = join(from, name);
			if (statSync(file).isDirectory()) copy(file, `${to}/${name}`);
			else if (ASSETS.has(extname(name).toLowerCase())) {
				files.writeFile(`${to}/${name}`, readFileSync(file));
				copied.push(`${to}/${name}`);
			}
		}
	};
	copy(dirname(path), root);
	try {
		return module.MjModel.from_xml_path(`${root}/${basename(path)}`);
	} finally {
		for (const file of copied) files.unlink(file);
	}
}

const ASSETS: ReadonlySet<string> = new Set(['.xml', '.obj', '.stl', '.msh', '.png', '.bin', '.skn']);

interface EmscriptenFiles {
	mkdirTree(path: string): void;
	writeFile(path: string, bytes: Uint8Array): void;
	unlink(path: string): void;
}
