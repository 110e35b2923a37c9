import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { ROOT, runCli, temporaryFolder } from './run-cli.ts';

/** Egret with a wall behind it, where its own head does not hide it from the lidar. */
const WALL = `#usda 1.0
(
    defaultPrim = "egret"
    metersPerUnit = 1
    kilogramsPerUnit = 1
    upAxis = "Z"
    subLayers = [@./egret.usda@]
)

def Cube "wall" (
    prepend apiSchemas = ["PhysicsCollisionAPI"]
)
{
    double size = 1
    double3 xformOp:translate = (-2, 0, 0.5)
    uniform token[] xformOpOrder = ["xformOp:translate"]
}
`;

it('the same seed gives the same bytes, another seed other ranges, and no noise none', async () => {
	const cwd = temporaryFolder();
	cpSync(join(ROOT, 'examples/robots/egret'), cwd, { recursive: true });
	writeFileSync(join(cwd, 'wall.usda'), WALL);
	const record = async (name: string, ...args: string[]): Promise<Buffer> => {
		const { code, stderr } = await runCli(['record', 'wall.usda', '-o', name, '--duration', '0.3', ...args], { cwd });
		expect(code, stderr).toBeLessThan(2);
		return readFileSync(join(cwd, name));
	};
	const first = await record('a.mcap', '--lidar-noise', '0.01', '--seed', '1');
	expect(await record('b.mcap', '--lidar-noise', '0.01', '--seed', '1')).toEqual(first);
	const second = await record('c.mcap', '--lidar-noise', '0.01', '--seed', '2');
	// the seed itself is in the file: messages differ in more than that
	expect(differences(first, second)).toBeGreaterThan(100);
	expect(differences(first, await record('d.mcap', '--seed', '1'))).toBeGreaterThan(100);
});

function differences(a: Buffer, b: Buffer): number {
	let count = Math.abs(a.length - b.length);
	for (let i = 0; i < Math.min(a.length, b.length); i++) if (a[i] !== b[i]) count++;
	return count;
}
