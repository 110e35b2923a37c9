import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import type { OutsideContender, OutsideRun } from '../harness/task.ts';
import { PEAK_MEGABYTES } from './peak-megabytes.ts';

/** Python with Blender (`bpy` 4.5): MANYWORLDS_BLENDER_PYTHON, else the one of `~/bpy-oracle`, if there is one. */
export function findBlenderPython(): string | undefined {
	const named = process.env['MANYWORLDS_BLENDER_PYTHON'] ?? join(homedir(), 'bpy-oracle/bin/python');
	return existsSync(named) ? named : undefined;
}

/** Blender reads a stage and writes it as GLB: a process with one run before that is not timed. */
export function blender(file: string): OutsideContender {
	return {
		name: 'Blender',
		unavailable: () => {
			if (findBlenderPython() === undefined) return 'not installed';
			return existsSync(file) ? undefined : 'there is no such file';
		},
		run: () => {
			const output = execFileSync(findBlenderPython()!, ['-c', DRIVER, file], {
				encoding: 'utf8',
				stdio: ['ignore', 'pipe', 'ignore'],
				maxBuffer: 1 << 28,
			});
			return JSON.parse(output.trim().split('\n').at(-1)!) as OutsideRun;
		},
	};
}

const DRIVER = `
import json, os, sys, tempfile, time
import bpy

path, out = sys.argv[1], os.path.join(tempfile.mkdtemp(), 'out.glb')

def go():
    bpy.ops.wm.read_factory_settings(use_empty=True)
    bpy.ops.wm.usd_import(filepath=path)
    bpy.ops.export_scene.gltf(filepath=out, export_format='GLB')

${PEAK_MEGABYTES}

go()
cpu, start = time.process_time(), time.perf_counter()
go()
ms, cpu = (time.perf_counter() - start) * 1e3, (time.process_time() - cpu) * 1e3
print()
print(json.dumps({'ms': ms, 'cpuMs': cpu, 'peakMegabytes': peak_megabytes(), 'facts': {'bytes': os.path.getsize(out)}}))
`;
