import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';

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
	const folder = mkdtempSync(join(tmpdir(), 'manyworlds-mujoco-'));
	try {
		const place = (name: string): string => join(folder, name);
		writeFileSync(place('driver.py'), DRIVER);
		writeFileSync(place('robot.xml'), input.xml);
		const states = { q: input.q.map((row) => [...row]), qd: input.qd.map((row) => [...row]), work, rounds };
		writeFileSync(place('input.json'), JSON.stringify(states));
		execFileSync(python, [place('driver.py'), folder], { stdio: ['ignore', 'ignore', 'pipe'] });
		return JSON.parse(readFileSync(place('result.json'), 'utf8')) as MujocoResult;
	} finally {
		rmSync(folder, { recursive: true, force: true });
	}
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

# not ru_maxrss: on Linux it starts with the size of the process that started this one
def peak_megabytes():
    with open('/proc/self/status') as file:
        return next(int(line.split()[1]) for line in file if line.startswith('VmHWM')) / 1024

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
