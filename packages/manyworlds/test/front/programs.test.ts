import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { expect, test } from 'vitest';
import { bundledFile } from '../bundle-sources.ts';

const ROOT = join(import.meta.dirname, '../../../..');
const FOLDER = join(ROOT, 'examples/programs');

/** Arguments of programs that would take long without. */
const ARGUMENTS: Readonly<Record<string, readonly string[]>> = {
	'learn-cart-pole.ts': ['2'],
	'learn-standing-up.ts': ['1'],
	'learn-to-hold.ts': ['1'],
};

/** What each program prints, at the least. */
const PRINTED: Readonly<Record<string, readonly string[]>> = {
	'cart-pole-task.ts': [],
	'check.ts': ['variant selections, 1 errors', 'heron.usda:', 'R1.2.1.9'],
	'convert.ts': ['usdz: written, mjcf: <mujoco'],
	'fix.ts': ['( # the units are missing', 'kilogramsPerUnit = 1'],
	'learn-cart-pole.ts': ['generation 1: upright for', 'generation 2:'],
	'learn-standing-up.ts': ['generation 1:'],
	'learn-to-hold.ts': ['generation 1: held for'],
	// it says hello in JSON, then hears that nobody is there
	'serve-cart-pole.ts': ['"position of hinge"'],
	'simulate.ts': ['100 worlds at 0.5 s', 'lower arm of world 99 at 8.8'],
};

test('every program has its output here', () => {
	expect(readdirSync(FOLDER).filter((file) => file.endsWith('.ts'))).toEqual(Object.keys(PRINTED));
});

test.each(Object.entries(PRINTED))('%s runs', (file, texts) => {
	const program = bundledFile(`program-${basename(file, '.ts')}`);
	const { status, stdout, stderr } = spawnSync(process.execPath, [program, ...(ARGUMENTS[file] ?? [])], {
		cwd: ROOT,
		encoding: 'utf8',
	});
	expect(stderr).toBe('');
	expect(status).toBe(0);
	for (const text of texts) expect(stdout).toContain(text);
});

test('a robot is loaded, driven in 100 worlds and read in at most 12 lines', () => {
	const lines = readFileSync(join(FOLDER, 'simulate.ts'), 'utf8').split('\n');
	expect(lines.filter((line) => line.trim() !== '' && !line.startsWith('//')).length).toBeLessThanOrEqual(12);
});
