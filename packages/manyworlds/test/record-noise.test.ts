import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { ROOT, runCli, temporaryFolder } from './run-cli.ts';

const EGRET = join(ROOT, 'examples/robots/egret/egret.usda');

it('the same seed gives the same bytes, another seed other ranges, and no noise none', async () => {
	const cwd = temporaryFolder();
	const record = async (name: string, ...args: string[]): Promise<Buffer> => {
		const { code, stderr } = await runCli(['record', EGRET, '-o', name, '--duration', '0.3', ...args], { cwd });
		expect(code, stderr).toBeLessThan(2);
		return readFileSync(join(cwd, name));
	};
	const first = await record('a.mcap', '--lidar-noise', '0.01', '--seed', '1');
	expect(await record('b.mcap', '--lidar-noise', '0.01', '--seed', '1')).toEqual(first);
	expect((await record('c.mcap', '--lidar-noise', '0.01', '--seed', '2')).equals(first)).toBe(false);
	expect((await record('d.mcap', '--seed', '1')).equals(first)).toBe(false);
});
