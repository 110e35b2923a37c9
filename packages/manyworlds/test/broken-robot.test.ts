import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { runCli, temporaryFolder } from './run-cli.ts';

/** A box that falls, and a statement that breaks off. */
const BROKEN = `#usda 1.0
(
    defaultPrim = "Box"
    metersPerUnit = 1
    upAxis = "Z"
)

def Cube "Box" (
    prepend apiSchemas = ["PhysicsRigidBodyAPI", "PhysicsCollisionAPI"]
)
{
    double size = 0.5
    float physics:mass =
}
`;

const SCENE = `
assets: [{id: box, type: usd, source: robot.usda}]
simulation: {dt: 0.002}
`;

const RUN = ['--frames', '2'];
const COMMANDS: readonly (readonly string[])[] = [
	['check', 'robot.usda'],
	['fix', 'robot.usda', '--diff'],
	['inspect', 'robot.usda'],
	['inspect', 'robot.usda', '--stage'],
	['inspect', 'robot.usda', '--model'],
	['explain', 'robot.usda', '/Box.size'],
	['flatten', 'robot.usda'],
	['convert', 'robot.usda', 'robot.usdc'],
	['run', 'robot.usda', ...RUN],
	['run', 'scene.yaml', ...RUN],
	['bench', 'robot.usda', '--frames', '2', '--warmup', '0'],
	['bench', 'scene.yaml', '--frames', '2', '--warmup', '0'],
];

let cwd = '';

function place(robot: string): void {
	writeFileSync(join(cwd, 'robot.usda'), robot);
	writeFileSync(join(cwd, 'scene.yaml'), SCENE);
}

beforeEach(() => {
	cwd = temporaryFolder();
});

describe('a robot with a mistake in its layer', () => {
	it.each(COMMANDS)('%s %s %s: is used as far as it could be read, with the mistake as a finding', async (...args) => {
		place(BROKEN);
		const { code, stdout, stderr } = await runCli(args, { cwd });
		expect(stdout + stderr).toMatch(/robot\.usda:1[34]:\d+: error USDA\d+/);
		expect(code).toBe(1);
	});

	it('falls alike by itself and in a scene', async () => {
		place(BROKEN);
		for (const file of ['robot.usda', 'scene.yaml']) {
			const { stdout } = await runCli(['run', file, ...RUN, '--json'], { cwd });
			expect(JSON.parse(stdout)).toMatchObject({ version: 1 });
		}
	});

	it('is not converted, because the output would lack a part', async () => {
		place(BROKEN);
		const { stderr } = await runCli(['convert', 'robot.usda', 'robot.usdc'], { cwd });
		expect(stderr).toContain('error CLI011');
		expect(existsSync(join(cwd, 'robot.usdc'))).toBe(false);
	});

	it('keeps what could not be read when it is fixed', async () => {
		place(BROKEN);
		await runCli(['fix', 'robot.usda', '--unsafe'], { cwd });
		expect(readFileSync(join(cwd, 'robot.usda'), 'utf8')).toContain('    float physics:mass =\n');
	});
});

describe('a robot of which nothing can be read', () => {
	it.each(COMMANDS)('%s %s %s: is unusable', async (...args) => {
		place('#usda 1.0\ndef Cube');
		const { code } = await runCli(args, { cwd });
		expect(code).toBe(2);
	});
});
