import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { ROOT, runCli, temporaryFolder } from './run-cli.ts';

const ROBOT = join(ROOT, 'examples/robots/egret/egret.usda');

/** Arguments of a short run; the watched world is the last one. */
function argumentsOf(solver: string, jobs: number, record: string): string[] {
	const quantities = 'energy,contacts,position,velocity,iterations,residual';
	const run = ['run', ROBOT, '--worlds', '4', '--frames', '12', '--solver', solver, '--watch', '3'];
	return [...run, '--quantities', quantities, '--jobs', `${jobs}`, '--record', record];
}

describe('manyworlds run --jobs', () => {
	test('records the same with one thread and with two, from source', async () => {
		const [one, two] = ['one.csv', 'two.csv'].map((name) => join(temporaryFolder(), name)) as [string, string];
		const single = await runCli(argumentsOf('sap', 1, one));
		const double = await runCli(argumentsOf('sap', 2, two));
		expect([single.code, double.code]).toEqual([0, 0]);
		expect(single.stdout).not.toContain('threads');
		expect(double.stdout).toContain(' on 2 threads');
		expect(readFileSync(two, 'utf8')).toBe(readFileSync(one, 'utf8'));
	});

	test.for(['dist', 'bundle'])('does so from %s (needs npm run build)', (name, { skip }) => {
		const bin = join(ROOT, 'packages/manyworlds', name, 'bin.js');
		const worker = join(ROOT, 'packages/manyworlds', name, name === 'dist' ? 'run/world-worker.js' : 'world-worker.js');
		skip(!existsSync(bin) || !existsSync(worker), `${worker} is not built`);
		const [one, two] = ['one.csv', 'two.csv'].map((file) => join(temporaryFolder(), file)) as [string, string];
		const spawn = (jobs: number, record: string) =>
			spawnSync(process.execPath, [bin, ...argumentsOf('mujoco', jobs, record)], {
				cwd: temporaryFolder(),
				encoding: 'utf8',
			});
		expect(spawn(1, one).status).toBe(0);
		expect(spawn(2, two)).toMatchObject({ status: 0, stdout: expect.stringContaining(' on 2 threads') });
		expect(readFileSync(two, 'utf8')).toBe(readFileSync(one, 'utf8'));
	});

	test('refuses a number of threads that is none', async () => {
		const { code, stderr } = await runCli(['run', ROBOT, '--jobs', '0']);
		expect([code, stderr]).toEqual([2, expect.stringContaining('--jobs')]);
	});
});
