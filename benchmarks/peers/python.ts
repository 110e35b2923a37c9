import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Python of an environment with our wheel: MANYWORLDS_WHEEL_PYTHON, or `manyworlds-wheel` in the folder for temporary files. */
export function findWheelPython(): string | undefined {
	const python = process.env['MANYWORLDS_WHEEL_PYTHON'] ?? join(tmpdir(), 'manyworlds-wheel/bin/python');
	return existsSync(python) ? python : undefined;
}

/** What the driver measured and found. */
export interface PythonSteps {
	readonly ms: number;
	readonly cpuMs: number;
	readonly peakMegabytes: number;
	readonly hash: string;
}

/** Steps worlds of a robot from Python: so many calls of so many steps, with the joint coordinates read after each. */
export function runPythonSteps(
	python: string,
	robot: string,
	worlds: number,
	calls: number,
	steps: number,
): PythonSteps {
	const args = [robot, worlds, calls, steps].map(String);
	return JSON.parse(execFileSync(python, ['-c', DRIVER, ...args], { encoding: 'utf8' })) as PythonSteps;
}

const DRIVER = `
import json, os, resource, sys, time
import manyworlds

robot, worlds, calls, steps = sys.argv[1], *map(int, sys.argv[2:])
with manyworlds.Simulation(robot, worlds=worlds, threads=1, accountsEnergy=False, keyframe="standing") as simulation:
    clock = f"/proc/{simulation._host._process.pid}/stat"
    tick = os.sysconf("SC_CLK_TCK")
    def cpu():
        fields = open(clock).read().rsplit(")", 1)[1].split()
        return time.process_time() + (int(fields[11]) + int(fields[12])) / tick
    def go():
        simulation.reset()
        for _ in range(calls):
            simulation.step(steps, read=["joint_positions"])
    go(); go()
    start, busy = time.perf_counter(), cpu()
    go()
    ms, busy = (time.perf_counter() - start) * 1e3, (cpu() - busy) * 1e3
    found = simulation.hash()
peak = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024
print(json.dumps({"ms": ms, "cpuMs": busy, "peakMegabytes": peak, "hash": found}))
`;
