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
		const { code, stdout } = await runCli([...args, '--record', record]);
		expect(code).toBe(0);
		expect(stdout).toContain('4 bodies, 9 degrees of freedom, 16 shapes, 2 worlds');
		expect(stdout).toMatch(/sap: 20 steps of 0.002 s/);
		expect(stdout).toMatch(/mujoco: 20 steps of 0.002 s/);
		expect(stdout).toContain('sap against mujoco:');
		expect(readFileSync(plot, 'utf8')).toMatch(/^<svg [\s\S]*<polyline/);
		const rows = readFileSync(join(folder, 'out-sap.csv'), 'utf8').trim().split('\n');
		expect(rows).toHaveLength(22);
		expect(rows[0]).toMatch(/^time,energy,contacts,height of \/egret\/base_link,/);
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

	it('refuses a solver that it does not know, and a file that is no robot', async () => {
		const unknown = await runCli(['run', ROBOT, '--compare', 'sap,bullet']);
		expect([unknown.code, unknown.stderr]).toEqual([2, expect.stringContaining("'bullet' is no solver")]);
		const missing = await runCli(['run', 'nothing.urdf']);
		expect([missing.code, missing.stderr]).toEqual([2, expect.stringContaining('CLI001')]);
	});
});
