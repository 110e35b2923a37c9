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

function runOpenUsd(context: BenchContext, task: string): OutsideRun {
	if (context.openUsdPython === undefined) throw new Error('OpenUSD is not installed');
	const output = execFileSync(
		context.openUsdPython,
		[SCRIPT, '--files', context.folder, '--task', task, '--repeat', '1'],
		{ encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] },
	);
	const row: Facts = JSON.parse(output.trim().split('\n').at(-1)!);
	const facts: Record<string, number> = {};
	for (const name of ['megabytes', 'specs', 'values', 'prims']) {
		const fact = row[name];
		if (fact !== undefined && fact > 0) facts[name] = fact;
	}
	return { ms: row['ms']!, peakMegabytes: row['peakMB']!, facts };
}
