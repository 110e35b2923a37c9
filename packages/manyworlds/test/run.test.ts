import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { runCli } from './run-cli.ts';

const ROBOT = 'examples/robots/egret/egret.usda';
const folder = mkdtempSync(join(tmpdir(), 'manyworlds-run-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe('manyworlds run', () => {
	it('runs both solvers in several worlds and shows where they part', async () => {
		const plot = join(folder, 'out.svg');
		const record = join(folder, 'out.csv');
		const args = ['run', ROBOT, '--worlds', '2', '--frames', '20', '--compare', 'sap,mujoco', '--plot', plot];
		const { code, stdout, stderr } = await runCli([...args, '--record', record]);
		expect(code).toBe(0);
		expect(stdout).toContain('4 bodies, 9 degrees of freedom, 16 shapes, 2 worlds');
		expect(stdout).toMatch(/sap \(drake, exact_root\): 20 steps of 0.002 s/);
		expect(stdout).toMatch(/mujoco \(its own contacts\): 20 steps of 0.002 s/);
		expect(stdout).toContain('sap against mujoco, largest differences:');
		// each with its kind and unit: metres, radians and quaternions are not compared with each other
		expect(stdout).toMatch(
			/at 0\.04 s: energy \S+ J, position \S+ m \(\S+\), position \S+ of a quaternion \(\S+\), position \S+ rad \(\S+\)/,
		);
		expect(readFileSync(plot, 'utf8')).toMatch(/^<svg [\s\S]*<polyline/);
		const rows = readFileSync(join(folder, 'out-sap.csv'), 'utf8').trim().split('\n');
		expect(rows).toHaveLength(22);
		expect(rows[0]).toMatch(/^time \[s\],energy \[J\],contacts,height of \/egret\/base_link \[m\],/);
		// the names are not those that were given
		for (const name of ['out-sap.csv', 'out-mujoco.csv', 'out.svg'])
			expect(stderr).toMatch(new RegExp(`^wrote .*${name} \\(`, 'm'));
		expect(existsSync(join(folder, 'out-mujoco.csv'))).toBe(true);
	});

	it('keeps a robot on its wheels: it neither sinks nor jumps', async () => {
		for (const solver of ['sap', 'mujoco']) {
			const { stdout } = await runCli(['run', ROBOT, '--frames', '100', '--solver', solver, '--json']);
			const [{ columns, first, last }] = JSON.parse(stdout).runs;
			const height = columns.indexOf('height of /egret/base_link');
			expect(Math.abs(last[height] - first[height])).toBeLessThan(2e-3);
		}
	});

	it('records what it is asked for, of the world that it is asked for', async () => {
		const record = join(folder, 'chosen.json');
		const plot = join(folder, 'chosen.svg');
		const args = [
			'run',
			ROBOT,
			'--num-worlds',
			'2',
			'--frames',
			'5',
			'--watch',
			'1',
			'--record',
			record,
			'--plot',
			plot,
		];
		expect((await runCli([...args, '--quantities', 'residual, velocity:head,body:base_link'])).code).toBe(0);
		const { columns, rows, solver } = JSON.parse(readFileSync(record, 'utf8'));
		expect(solver).toBe('sap (wasm)');
		expect(columns.slice(0, 3)).toEqual(['time', 'residual', 'velocity of /egret/base_link/head_joint']);
		// the worlds stand two metres apart
		expect(rows[0][columns.indexOf('x of /egret/base_link')]).toBeCloseTo(1, 6);
		expect(readFileSync(plot, 'utf8')).toContain('joint velocities [rad/s]');
	});

	it.each([
		[['--quantities', 'speed'], "unknown quantity 'speed', expected energy, kinetic"],
		[['--quantities', 'position:tail'], "no quantity of kind position has 'tail' in its name"],
		[['--record', 'out.txt'], "'out.txt' is no .csv or .json file"],
		[['--plot', 'out.png'], "'out.png' is no .svg file"],
		[['--watch', '1'], 'there is no world 1, expected 0 to 0'],
	])('refuses %j', async (more, message) => {
		const { code, stderr } = await runCli(['run', ROBOT, '--frames', '1', ...more]);
		expect([code, stderr]).toEqual([2, expect.stringContaining(message)]);
	});

	it('refuses a solver that it does not know, and a file that is no robot', async () => {
		const unknown = await runCli(['run', ROBOT, '--compare', 'sap,bullet']);
		expect([unknown.code, unknown.stderr]).toEqual([2, expect.stringContaining("unknown solver 'bullet'")]);
		const missing = await runCli(['run', 'nothing.urdf']);
		expect([missing.code, missing.stderr]).toEqual([2, expect.stringContaining('CLI001')]);
	});
});
