import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { PEAK_MEGABYTES } from './peak-megabytes.ts';

/** A model, where it starts, and how far native MuJoCo is to go. */
export interface MujocoSteps {
	/** MJCF text and the files that it names. */
	readonly xml: string;
	readonly files: ReadonlyMap<string, Uint8Array>;
	readonly qpos: ArrayLike<number>;
	readonly qvel: ArrayLike<number>;
	readonly ctrl: ArrayLike<number>;
	/** Time step [s]. */
	readonly dt: number;
	readonly steps: number;
}

/** What the driver measured and found. */
export interface MujocoStepsResult {
	readonly version: string;
	readonly ms: number;
	readonly cpuMs: number;
	readonly peakMegabytes: number;
	/** Coordinates at the end. */
	readonly qpos: readonly number[];
}

/** Has native MuJoCo take the steps on one thread, in one call from Python, with one warm-up before. */
export function runMujocoSteps(python: string, job: MujocoSteps): MujocoStepsResult {
	const folder = mkdtempSync(join(tmpdir(), 'manyworlds-mujoco-'));
	try {
		const place = (name: string): string => join(folder, name);
		for (const [name, bytes] of job.files) {
			mkdirSync(dirname(place(name)), { recursive: true });
			writeFileSync(place(name), bytes);
		}
		writeFileSync(place('driver.py'), DRIVER);
		writeFileSync(place('model.xml'), job.xml);
		const { dt, steps } = job;
		const input = {
			qpos: [...Array.from(job.qpos)],
			qvel: Array.from(job.qvel),
			ctrl: Array.from(job.ctrl),
			dt,
			steps,
		};
		writeFileSync(place('input.json'), JSON.stringify(input));
		execFileSync(python, [place('driver.py'), folder], { cwd: folder, stdio: ['ignore', 'ignore', 'pipe'] });
		return JSON.parse(readFileSync(place('result.json'), 'utf8')) as MujocoStepsResult;
	} finally {
		rmSync(folder, { recursive: true, force: true });
	}
}

const DRIVER = `
import json, os, sys, time
import mujoco

folder = sys.argv[1]
with open(os.path.join(folder, 'input.json')) as file:
    job = json.load(file)
model = mujoco.MjModel.from_xml_path(os.path.join(folder, 'model.xml'))
model.opt.timestep = job['dt']
data = mujoco.MjData(model)

def go():
    mujoco.mj_resetData(model, data)
    data.qpos[:] = job['qpos']
    data.qvel[:] = job['qvel']
    data.ctrl[:] = job['ctrl']
    mujoco.mj_step(model, data, job['steps'])

${PEAK_MEGABYTES}

go()
cpu, start = time.process_time(), time.perf_counter()
go()
ms, cpu = (time.perf_counter() - start) * 1e3, (time.process_time() - cpu) * 1e3
with open(os.path.join(folder, 'result.json'), 'w') as file:
    json.dump({
        'version': mujoco.__version__, 'ms': ms, 'cpuMs': cpu,
        'peakMegabytes': peak_megabytes(), 'qpos': data.qpos.tolist(),
    }, file)
`;
