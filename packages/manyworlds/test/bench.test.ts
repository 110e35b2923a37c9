import { describe, expect, it } from 'vitest';
import { BENCH_FIELDS } from '../src/command/run/bench-fields.ts';
import { runCli } from './run-cli.ts';

const ROBOT = 'examples/robots/egret/egret.usda';

describe('manyworlds bench', () => {
	it('reports every field that its help explains, as JSON', async () => {
		const args = ['bench', '--scene', ROBOT, '--num-worlds', '2', '--frames', '8', '--warmup', '2', '--json'];
		const { code, stdout } = await runCli(args, { tick: 1 });
		expect(code).toBe(0);
		const { version, ...result } = JSON.parse(stdout);
		expect(version).toBe(1);
		expect(Object.keys(result)).toEqual(Object.keys(BENCH_FIELDS));
		expect(result).toMatchObject({
			scene: ROBOT,
			device: 'cpu',
			dt: 0.002,
			frames: 8,
			num_worlds: 2,
			warmup_frames: 2,
		});
		// the clock of this test moves on by a millisecond at each look
		expect(result.elapsed).toBeCloseTo(0.008, 12);
		expect([result.step_ms_median, result.step_ms_p95]).toEqual([1, 1]);
		expect(result.fps).toBeCloseTo(1000, 6);
		expect(result.world_steps_per_second).toBeCloseTo(2000, 6);
		expect(result.realtime_ratio).toBeCloseTo(2, 9);
		expect(result.rigid_contact_capacity).toBe(2 * result.max_rigid_contact_per_env);
	});

	it('prints one field on a line for people, and takes the file as an argument', async () => {
		const { stdout } = await runCli(['bench', ROBOT, '--duration', '0.005', '--warmup', '0'], { tick: 1 });
		const names = stdout
			.trim()
			.split('\n')
			.map((line) => line.split(/\s+/)[0]);
		expect(names).toEqual(Object.keys(BENCH_FIELDS));
		// 0.005 s take three steps of 0.002 s
		expect(stdout).toMatch(/^frames +3$/m);
	});

	it('explains its fields', async () => {
		const { stdout } = await runCli(['bench', '--help']);
		for (const [name, meaning] of Object.entries(BENCH_FIELDS))
			expect(stdout).toContain(`${name.padEnd(27)}${meaning}`);
	});

	it.each([
		[[], 'name one scene or robot'],
		[[ROBOT, '--scene', ROBOT], 'name one scene or robot'],
		[[ROBOT, '--device', 'cuda:0'], "--device is 'cuda:0', expected cpu"],
	])('refuses %j', async (args, message) => {
		const { code, stderr } = await runCli(['bench', ...args]);
		expect([code, stderr]).toEqual([2, expect.stringContaining(message)]);
	});
});
