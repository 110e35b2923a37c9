import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import type { OutsideContender, OutsideRun } from '../harness/task.ts';
import { PEAK_MEGABYTES } from './peak-megabytes.ts';

/** Python with Pillow: MANYWORLDS_PILLOW_PYTHON, else the one of `~/pillow-oracle`, if there is one. */
function findPillowPython(): string | undefined {
	const named = process.env['MANYWORLDS_PILLOW_PYTHON'] ?? join(homedir(), 'pillow-oracle/bin/python');
	return existsSync(named) ? named : undefined;
}

/** Pillow (libjpeg-turbo with its vector instructions) decodes files: a process with one run before that is not timed. */
export function pillow(files: () => readonly string[]): OutsideContender {
	return {
		name: 'Pillow',
		unavailable: () => (findPillowPython() === undefined ? 'not installed' : undefined),
		run: () => {
			const output = execFileSync(findPillowPython()!, ['-c', DRIVER, ...files()], { encoding: 'utf8' });
			return JSON.parse(output) as OutsideRun;
		},
	};
}

const DRIVER = `
import json, sys, time
from PIL import Image

${PEAK_MEGABYTES}

def go():
    pixels = 0
    for path in sys.argv[1:]:
        with Image.open(path) as image:
            image.load()
            pixels += image.width * image.height
    return pixels

go()
cpu, start = time.process_time(), time.perf_counter()
pixels = go()
ms, cpu = (time.perf_counter() - start) * 1e3, (time.process_time() - cpu) * 1e3
print(json.dumps({'ms': ms, 'cpuMs': cpu, 'peakMegabytes': peak_megabytes(), 'facts': {'pixels': pixels}}))
`;
