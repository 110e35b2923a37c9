import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { PEAK_MEGABYTES } from './peak-megabytes.ts';

/** What MuJoCo is asked to do with a robot again and again. */
export type MujocoWork = 'kinematics' | 'massMatrix';

/** A robot and the states that it is put into. */
export interface MujocoInput {
	/** MJCF text. */
	readonly xml: string;
	/** Joint positions, one row for each state. */
	readonly q: readonly Float64Array[];
	readonly qd: readonly Float64Array[];
}

/** What the driver measured and found. */
export interface MujocoResult {
	readonly version: string;
	readonly ms: number;
	readonly cpuMs: number;
	readonly peakMegabytes: number;
	readonly evaluations: number;
	/** Dense mass matrices of the first states, row by row. */
	readonly massMatrices: readonly (readonly number[])[];
	/** Body positions and centre-of-mass velocities (linear, angular) of the first states. */
	readonly positions: readonly (readonly number[])[];
	readonly velocities: readonly (readonly number[])[];
}

/** Python with MuJoCo: MANYWORLDS_MUJOCO_PYTHON, else the one of `~/mujoco-oracle`, if there is one. */
export function findMujocoPython(): string | undefined {
	const named = process.env['MANYWORLDS_MUJOCO_PYTHON'] ?? join(homedir(), 'mujoco-oracle/bin/python');
	return existsSync(named) ? named : undefined;
}

/** Has native MuJoCo go through all states `rounds` times, on one thread, with one warm-up before. */
export function runMujoco(python: string, input: MujocoInput, work: MujocoWork, rounds: number): MujocoResult {
	const states = { q: input.q.map((row) => [...row]), qd: input.qd.map((row) => [...row]), work, rounds };
	return drive(python, DRIVER, input.xml, states) as MujocoResult;
}

/** Runs a driver on a robot and gives what it wrote. */
function drive(python: string, program: string, xml: string, job: object): unknown {
	const folder = mkdtempSync(join(tmpdir(), 'manyworlds-mujoco-'));
	try {
		const place = (name: string): string => join(folder, name);
		writeFileSync(place('driver.py'), program);
		writeFileSync(place('robot.xml'), xml);
		writeFileSync(place('input.json'), JSON.stringify(job));
		execFileSync(python, [place('driver.py'), folder], { cwd: folder, stdio: ['ignore', 'ignore', 'pipe'] });
		return JSON.parse(readFileSync(place('result.json'), 'utf8'));
	} finally {
		rmSync(folder, { recursive: true, force: true });
	}
}

/** Stepping that MuJoCo is asked for: the same in each of several worlds. */
export interface MujocoStepping {
	/** MJCF text. */
	readonly xml: string;
	/** Where each world starts, and its controls. */
	readonly qpos: Float64Array;
	readonly qvel: Float64Array;
	readonly ctrl: Float64Array;
	/** Time step [s]. */
	readonly dt: number;
	readonly steps: number;
	readonly worlds: number;
}

/** What the stepping driver measured and found. */
export interface MujocoStepped {
	readonly ms: number;
	readonly cpuMs: number;
	readonly peakMegabytes: number;
	/** Positions and contacts of the last world. */
	readonly qpos: readonly number[];
	readonly contacts: number;
}

/** Has native MuJoCo step a state for each world, one step of each in turn, on one thread, with a warm-up before. */
export function stepMujoco(python: string, input: MujocoStepping): MujocoStepped {
	const numbers = { qpos: [...input.qpos], qvel: [...input.qvel], ctrl: [...input.ctrl] };
	return drive(python, STEPPER, input.xml, { ...input, ...numbers, xml: undefined }) as MujocoStepped;
}

/** Each evaluation is a few calls from Python, which take about a tenth of a microsecond each by themselves. */
const DRIVER = `
import json, os, sys, time
import numpy as np
import mujoco

folder = sys.argv[1]
with open(os.path.join(folder, 'input.json')) as file:
    job = json.load(file)
model = mujoco.MjModel.from_xml_path(os.path.join(folder, 'robot.xml'))
data = mujoco.MjData(model)
q = [np.array(row) for row in job['q']]
qd = [np.array(row) for row in job['qd']]

def kinematics(m, d):
    mujoco.mj_kinematics(m, d)
    mujoco.mj_comPos(m, d)
    mujoco.mj_comVel(m, d)

def mass_matrix(m, d):
    mujoco.mj_kinematics(m, d)
    mujoco.mj_comPos(m, d)
    mujoco.mj_crb(m, d)

${PEAK_MEGABYTES}

work = kinematics if job['work'] == 'kinematics' else mass_matrix

def go(rounds):
    qpos, qvel, states = data.qpos, data.qvel, list(zip(q, qd))
    for _ in range(rounds):
        for position, velocity in states:
            qpos[:] = position
            qvel[:] = velocity
            work(model, data)

go(max(1, job['rounds'] // 10))
cpu, start = time.process_time(), time.perf_counter()
go(job['rounds'])
ms, cpu = (time.perf_counter() - start) * 1e3, (time.process_time() - cpu) * 1e3

matrices, positions, velocities = [], [], []
velocity = np.zeros(6)
for position, speed in list(zip(q, qd))[:4]:
    data.qpos[:] = position
    data.qvel[:] = speed
    mass_matrix(model, data)
    mujoco.mj_comVel(model, data)
    dense = np.zeros((model.nv, model.nv))
    mujoco.mj_fullM(model, data, dense)
    matrices.append(dense.ravel().tolist())
    positions.append(data.xpos[1:].ravel().tolist())
    row = []
    for body in range(1, model.nbody):
        mujoco.mj_objectVelocity(model, data, mujoco.mjtObj.mjOBJ_BODY, body, velocity, 0)
        row += velocity[3:].tolist() + velocity[:3].tolist()
    velocities.append(row)

with open(os.path.join(folder, 'result.json'), 'w') as file:
    json.dump({
        'version': mujoco.__version__, 'ms': ms, 'cpuMs': cpu,
        'peakMegabytes': peak_megabytes(),
        'evaluations': job['rounds'] * len(q),
        'massMatrices': matrices, 'positions': positions, 'velocities': velocities,
    }, file)
`;

/** With one world all steps are one call; with several each call from Python adds a few tenths of a microsecond. */
const STEPPER = `
import json, os, sys, time
import numpy as np
import mujoco

folder = sys.argv[1]
with open(os.path.join(folder, 'input.json')) as file:
    job = json.load(file)
model = mujoco.MjModel.from_xml_path(os.path.join(folder, 'robot.xml'))
model.opt.timestep = job['dt']
states = [mujoco.MjData(model) for _ in range(job['worlds'])]

def start():
    for data in states:
        mujoco.mj_resetData(model, data)
        data.qpos[:] = job['qpos']
        data.qvel[:] = job['qvel']
        data.ctrl[:] = job['ctrl']

def go(steps):
    if len(states) == 1:
        mujoco.mj_step(model, states[0], nstep=steps)
        return
    for _ in range(steps):
        for data in states:
            mujoco.mj_step(model, data)

${PEAK_MEGABYTES}

start()
go(max(1, job['steps'] // 10))
start()
cpu, begin = time.process_time(), time.perf_counter()
go(job['steps'])
ms, cpu = (time.perf_counter() - begin) * 1e3, (time.process_time() - cpu) * 1e3
with open(os.path.join(folder, 'result.json'), 'w') as file:
    json.dump({
        'ms': ms, 'cpuMs': cpu, 'peakMegabytes': peak_megabytes(),
        'qpos': states[-1].qpos.tolist(), 'contacts': int(states[-1].ncon),
    }, file)
`;
