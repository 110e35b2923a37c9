import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import type { OutsideContender, OutsideRun } from '../harness/task.ts';
import { PEAK_MEGABYTES } from './peak-megabytes.ts';

/** Python with Newton: MANYWORLDS_NEWTON_PYTHON, else the one of `~/newton-oracle`, if there is one. */
export function findNewtonPython(): string | undefined {
	const named = process.env['MANYWORLDS_NEWTON_PYTHON'] ?? join(homedir(), 'newton-oracle/bin/python');
	return existsSync(named) ? named : undefined;
}

/**
 * Newton imports a file and finalizes the model, on the CPU: a process with one run before that is not timed. It finds the folder of a
 * ROS package by the names above the file only, so that the file is given to it through a link that has the name of its package.
 */
export function newton(
	file: () => string | undefined,
	packages: Readonly<Record<string, string>> = {},
): OutsideContender {
	return {
		name: 'Newton',
		unavailable: () => {
			if (findNewtonPython() === undefined) return 'not installed';
			return file() === undefined ? 'there is no such file' : undefined;
		},
		run: () => {
			const links = mkdtempSync(join(tmpdir(), 'newton-'));
			try {
				const output = execFileSync(findNewtonPython()!, ['-c', DRIVER, linked(file()!, packages, links)], {
					encoding: 'utf8',
					stdio: ['ignore', 'pipe', 'ignore'],
					env: { ...process.env, CUDA_VISIBLE_DEVICES: '', PXR_WORK_THREAD_LIMIT: '1' },
				});
				return JSON.parse(output.trim().split('\n').at(-1)!) as OutsideRun;
			} finally {
				rmSync(links, { recursive: true });
			}
		},
	};
}

/** The path of a file through a link to its package, or its own where it is in none. */
function linked(file: string, packages: Readonly<Record<string, string>>, links: string): string {
	for (const [name, folder] of Object.entries(packages)) {
		const inside = relative(folder, file);
		if (inside.startsWith('..')) continue;
		symlinkSync(folder, join(links, name));
		return join(links, name, inside);
	}
	return file;
}

const DRIVER = `
import json, sys, time, warnings
warnings.simplefilter('ignore')
# a model without its meshes is no peer of one with them
warnings.filterwarnings('error', message='.*could not resolve.*')
import warp as wp
wp.config.quiet = True
import newton

path = sys.argv[1]
method = {'urdf': 'add_urdf', 'xml': 'add_mjcf'}.get(path.rsplit('.', 1)[-1], 'add_usd')

def go():
    builder = newton.ModelBuilder()
    getattr(builder, method)(path)
    return builder.finalize(device='cpu')

${PEAK_MEGABYTES}

go()
cpu, start = time.process_time(), time.perf_counter()
model = go()
ms, cpu = (time.perf_counter() - start) * 1e3, (time.process_time() - cpu) * 1e3
facts = {'bodies': model.body_count, 'joints': model.joint_count, 'shapes': model.shape_count}
print(json.dumps({'ms': ms, 'cpuMs': cpu, 'peakMegabytes': peak_megabytes(), 'facts': facts}))
`;
