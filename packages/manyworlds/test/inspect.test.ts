import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Inspection } from '@manyworlds/usd';
import { expect, test } from 'vitest';
import { HERON, ROOT, runCli, temporaryFolder } from './run-cli.ts';

const PHYSICS = 'examples/robots/heron/layers/physics.usda';

async function inspectJson(...args: string[]): Promise<Inspection> {
	const result = await runCli(['inspect', '--json', ...args]);
	expect(result.stderr).toBe('');
	return JSON.parse(result.stdout) as Inspection;
}

test('lists metadata, sublayers, tree and counts', async () => {
	const { code, stdout, stderr } = await runCli(['inspect', HERON]);
	expect(code).toBe(0);
	expect(stderr).toBe('');
	expect(stdout).toContain('examples/robots/heron/heron.usda  usda, ');
	expect(stdout).toContain('  metersPerUnit = 1\n');
	expect(stdout).toContain('  @./layers/physics.usda@\n  @./layers/materials.usda@\n');
	expect(stdout).toContain('  def Xform heron  (component)  [PhysicsArticulationRootAPI]  +assetInfo +customData\n');
	expect(stdout).toContain('    variantSet gripper = pincer\n      {none}\n      {pincer}\n');
	expect(stdout).toContain('[-PhysicsArticulationRootAPI]  ref @./gripper/pincer.usda@');
	expect(stdout).toMatch(/specifiers +over 6, def 3/);
	expect(stdout).not.toContain('\u001b');
});

test('depth cuts the tree but not the counts', async () => {
	const { stdout } = await runCli(['inspect', PHYSICS, '--depth', '2']);
	expect(stdout).toContain('    over base_link');
	expect(stdout).not.toContain('left_wheel_link');
	expect(stdout).toMatch(/… \d+ prims below the depth asked for/);
	expect(stdout).toContain('PhysicsRevoluteJoint 11');
});

test('values are shown as short as they can be', async () => {
	const { stdout } = await runCli(['inspect', PHYSICS, '--values']);
	expect(stdout).toContain('point3f physics:localPos0 = [0.12, 0.17, 0]\n');
	expect(stdout).toContain('float physics:lowerLimit = -inf\n');
	expect(stdout).toContain('rel physics:body0 = /heron/base_link\n');
	expect(stdout).toContain('uniform token physics:axis = "Y"\n');
});

test('JSON has every spec, with values when asked for', async () => {
	const plain = await inspectJson(PHYSICS);
	expect(plain).toMatchObject({ version: 1, file: PHYSICS, format: 'usda', hasValues: false });
	expect(plain.layer?.specs.length).toBe((plain.layer?.counts.specs ?? 0) - 1);
	expect(plain.layer?.specs[1]).toEqual({
		path: '/heron/base_link',
		spec: 'prim',
		name: 'base_link',
		depth: 1,
		specifier: 'over',
		metadata: { apiSchemas: { prepended: ['PhysicsRigidBodyAPI', 'PhysicsMassAPI'] } },
	});
	const full = await inspectJson(PHYSICS, '--values');
	const mass = full.layer?.specs.find((spec) => spec.path === '/heron/base_link.physics:mass');
	expect(mass).toMatchObject({ spec: 'attribute', typeName: 'float', variability: 'varying', value: 14 });
	expect(full.report.summary.total).toBe(0);
});

test('packages and crates say what they are', async () => {
	const cwd = temporaryFolder();
	const robot = join(ROOT, HERON);
	expect((await runCli(['convert', robot, 'robot.usdz'], { cwd })).code).toBe(0);
	const { stdout } = await runCli(['inspect', 'robot.usdz'], { cwd });
	expect(stdout).toContain('usdz, ');
	expect(stdout).toContain('layer heron.usda');
	expect(stdout).toContain('  layers/textures/hazard.png  3.2 kB\n');
	const member = await runCli(['inspect', 'robot.usdz[gripper/pincer.usda]'], { cwd });
	expect(member.stdout).toContain('def Xform pincer');

	expect((await runCli(['convert', 'robot.usdz[layers/base.usda]', 'base.usdc'], { cwd })).code).toBe(0);
	expect((await runCli(['inspect', 'base.usdc'], { cwd })).stdout).toMatch(/^base\.usdc {2}usdc 0\.8\.0, /);
});

test('a member that is not there is named', async () => {
	const cwd = temporaryFolder();
	await runCli(['convert', join(ROOT, HERON), 'robot.usdz'], { cwd });
	const result = await runCli(['inspect', 'robot.usdz[nothing.usda]'], { cwd });
	expect(result.stderr).toContain("error USDZ017: there is no member 'nothing.usda' in the package");
	expect(result.code).toBe(2);
});

test('the extension plays no part', async () => {
	const cwd = temporaryFolder();
	writeFileSync(join(cwd, 'robot.txt'), readFileSync(join(ROOT, HERON)));
	expect((await runCli(['inspect', 'robot.txt'], { cwd })).stdout).toContain('robot.txt  usda, ');
});

test('colours are for terminals only, and NO_COLOR turns them off', async () => {
	expect((await runCli(['inspect', HERON], { isTTY: true })).stdout).toContain('\u001b[1mTree');
	expect((await runCli(['inspect', HERON], { isTTY: true, env: { NO_COLOR: '1' } })).stdout).not.toContain('\u001b');
});

test('long work is explained on a terminal, where it leaves no trace, and never in a log', async () => {
	const piped = await runCli(['inspect', HERON], { tick: 400 });
	expect(piped.stderr).toBe('');
	expect(piped.stdout).toBe((await runCli(['inspect', HERON])).stdout);
	const terminal = await runCli(['inspect', HERON], { tick: 400, isTTY: true });
	expect(terminal.stderr).toContain('reading examples/robots/heron/heron.usda (3.2 kB)');
	expect(terminal.stderr.endsWith('\r\u001b[K')).toBe(true);
});

test.each(['json', 'sarif', 'github'])('a broken file is reported as %s', async (format) => {
	const cwd = temporaryFolder();
	writeFileSync(join(cwd, 'bad.usda'), '#usda 1.0\ndef Xform "a"\n{\n    double x = \n}\n');
	const { code, stderr, stdout } = await runCli(['inspect', 'bad.usda', '--format', format], { cwd });
	expect(code).toBe(1);
	expect(stdout).toContain('bad.usda  usda');
	expect(stderr).toContain('bad.usda');
	if (format === 'github') expect(stderr).toMatch(/^::error file=bad\.usda,line=4,/);
	else expect(() => JSON.parse(stderr)).not.toThrow();
});
