import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { BenchContext, Facts, OutsideContender, OutsideRun } from '../harness/task.ts';

const SCRIPT = fileURLToPath(new URL('../../../shared/oracle/usd/usd_bench.py', import.meta.url));

/** Python with OpenUSD: MANYWORLDS_USD_PYTHON, else the one of `~/usd-oracle`, if there is one that works with the script. */
export function findOpenUsdPython(): string | undefined {
	const named = process.env['MANYWORLDS_USD_PYTHON'] ?? join(homedir(), 'usd-oracle/bin/python');
	return existsSync(named) && existsSync(SCRIPT) ? named : undefined;
}

/** Version of OpenUSD behind `python`. */
export function openUsdVersion(python: string): string {
	const program = 'from pxr import Usd; print(".".join(str(part) for part in Usd.GetVersion()[1:]))';
	return execFileSync(python, ['-c', program], { encoding: 'utf8' }).trim();
}

/** Has OpenUSD's bench script make its files in `folder`. */
export function generateWithOpenUsd(python: string, folder: string, arraysMegabytes: number, prims: number): void {
	const sizes = ['--arrays-mb', String(arraysMegabytes), '--prims', String(prims)];
	execFileSync(python, [SCRIPT, '--files', folder, '--generate-only', ...sizes], { stdio: 'ignore' });
}

/** OpenUSD on one thread, through a task of `usd_bench.py`. Each run is one process with one run before that is not timed. */
export function openUsd(task: string): OutsideContender {
	return {
		name: 'OpenUSD',
		unavailable: ({ openUsdPython }) => (openUsdPython === undefined ? 'not installed' : undefined),
		run: (context) => runOpenUsd(context, task),
	};
}

/** Runs the script with a clock that also notes processor time, and prints that of the last pair of calls, the timed run. */
const BOTH_CLOCKS = `
import runpy, sys, time
clock, used = time.perf_counter, []
def both():
    used.append(time.process_time())
    return clock()
time.perf_counter = both
sys.argv = sys.argv[1:]
runpy.run_path(sys.argv[0], run_name='__main__')
print(used[-1] - used[-2])
`;

function runOpenUsd(context: BenchContext, task: string): OutsideRun {
	if (context.openUsdPython === undefined) throw new Error('OpenUSD is not installed');
	const output = execFileSync(
		context.openUsdPython,
		['-c', BOTH_CLOCKS, SCRIPT, '--files', context.folder, '--task', task, '--repeat', '1'],
		{ encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] },
	);
	const [row, cpuSeconds] = output
		.trim()
		.split('\n')
		.slice(-2)
		.map((line): Facts & number => JSON.parse(line));
	if (row === undefined || cpuSeconds === undefined) throw new Error('usd_bench.py printed no result');
	const facts: Record<string, number> = {};
	for (const name of ['megabytes', 'specs', 'values', 'prims']) {
		const fact = row[name];
		if (fact !== undefined && fact > 0) facts[name] = fact;
	}
	return { ms: row['ms']!, cpuMs: cpuSeconds * 1000, peakMegabytes: row['peakMB']!, facts };
}
