import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { importMjcf, importUrdf, importUsd } from '@manyworlds/import';
import { ArticulatedDynamics, type Model, ModelBuilder } from '@manyworlds/model';
import { FileStore } from '@manyworlds/node';
import { type Layer, Stage } from '@manyworlds/usd';
import { describe, expect, test } from 'vitest';
import { ROOT, runCli, temporaryFolder } from './run-cli.ts';

const PLOVER = join(ROOT, 'examples/robots/plover/urdf/plover.urdf');
const EGRET = join(ROOT, 'examples/robots/egret/egret.usda');
const HERON = join(ROOT, 'examples/robots/heron/heron.usda');

describe('robots of other formats', () => {
	test('a robot is written with its meshes and images, and the same weight', async () => {
		const cwd = temporaryFolder();
		const { code, stderr } = await runCli(['convert', EGRET, 'egret.urdf'], { cwd });
		expect(code).toBe(0);
		expect(stderr).toContain('4 links, 3 joints (3 move), 9.400 kg');
		expect(readdirSync(cwd).sort()).toEqual(['egret.urdf', 'meshes', 'textures']);
		const urdf = readFileSync(join(cwd, 'egret.urdf'), 'utf8');
		for (const [, file] of urdf.matchAll(/filename="([^"]+)"/g)) expect(existsSync(join(cwd, file!))).toBe(true);
	});

	test('meshes are packed when asked, and SDF runs', async () => {
		const cwd = temporaryFolder();
		expect((await runCli(['convert', EGRET, 'plain.glb'], { cwd })).code).toBe(0);
		expect((await runCli(['convert', EGRET, 'packed.glb', '--compress', 'meshopt'], { cwd })).code).toBe(0);
		const [plain, packed] = ['plain.glb', 'packed.glb'].map((file) => readFileSync(join(cwd, file)));
		expect(packed!.length).toBeLessThan(plain!.length);
		expect(packed!.toString('latin1')).toContain('EXT_meshopt_compression');
		expect((await runCli(['convert', PLOVER, 'plover/plover.sdf'], { cwd })).code).toBe(0);
		const run = await runCli(['run', 'plover/plover.sdf', '--frames', '5'], { cwd });
		expect(run.stderr + run.stdout).toContain('5 steps');
	});

	test('mass matrices of a USD robot are the same as URDF and as MJCF', async () => {
		const cwd = temporaryFolder();
		for (const file of ['egret.urdf', 'egret.xml'])
			expect((await runCli(['convert', EGRET, file], { cwd })).code).toBe(0);
		const read = (file: string): Uint8Array => new Uint8Array(readFileSync(join(cwd, file)));
		const store = new FileStore({ roots: [cwd, join(ROOT, 'examples')] });
		const models = [
			modelOf((builder) => importUsd(Stage.open(store.layer(EGRET) as Layer, { store }), builder)),
			modelOf((builder) => importUrdf(read('egret.urdf'), builder, { floating: true, parseVisuals: false })),
			modelOf((builder) => importMjcf(read('egret.xml'), builder, { parseVisuals: false })),
		];
		for (let i = 0; i < 20; i++) {
			const [usd, ...others] = models.map((model) => matrixAt(model, i));
			for (const other of others) {
				expect(other).toHaveLength(usd!.length);
				// the schema of USD holds single precision
				for (const [k, value] of usd!.entries()) expect(other[k]).toBeCloseTo(value, 5);
			}
		}
	});

	test('what the target cannot hold is told, and an error when asked', async () => {
		const cwd = temporaryFolder();
		const told = await runCli(['convert', HERON, 'heron.sdf'], { cwd });
		expect(told.code).toBe(0);
		expect(told.stderr).toContain('info CNV006: drive:');
		const strict = await runCli(['convert', HERON, 'strict.sdf', '--strict'], { cwd });
		expect(strict.code).toBe(1);
		expect(strict.stderr).toContain('error CNV006: drive:');
	});

	test('the report lists every part once', async () => {
		const cwd = temporaryFolder();
		const { stdout } = await runCli(['convert', PLOVER, 'plover.xml', '--report', 'json'], { cwd });
		const { version, items } = JSON.parse(stdout) as { version: number; items: { kind: string; name: string }[] };
		expect(version).toBe(1);
		const links = items.filter(({ kind }) => kind === 'body').map(({ name }) => name);
		const own = [...readFileSync(PLOVER, 'utf8').matchAll(/<link name="([^"]+)"/g)].map(([, name]) => name!);
		expect(links.sort()).toEqual(own.sort());
	});

	test('packages are found below a folder that holds them', async () => {
		const cwd = temporaryFolder();
		mkdirSync(join(cwd, 'src/arm_description/meshes'), { recursive: true });
		mkdirSync(join(cwd, 'robots'));
		const corners = ['0 0 0', '1 0 0', '0 1 0', '0 0 1'];
		const facets = [
			[0, 2, 1],
			[0, 1, 3],
			[0, 3, 2],
			[1, 2, 3],
		].map(
			(face) =>
				`facet normal 0 0 0\nouter loop\n${face.map((i) => `vertex ${corners[i]}`).join('\n')}\nendloop\nendfacet`,
		);
		writeFileSync(join(cwd, 'src/arm_description/meshes/a.stl'), `solid a\n${facets.join('\n')}\nendsolid a\n`);
		const mesh = '<visual><geometry><mesh filename="package://arm_description/meshes/a.stl"/></geometry></visual>';
		writeFileSync(join(cwd, 'robots/arm.urdf'), `<robot name="arm"><link name="l">${mesh}</link></robot>`);
		const without = await runCli(['convert', 'robots/arm.urdf', 'a/arm.sdf'], { cwd });
		expect(existsSync(join(cwd, 'a/meshes'))).toBe(false);
		expect(without.stderr).toContain('arm_description');
		const { code } = await runCli(['convert', 'robots/arm.urdf', 'b/arm.sdf', '--packages', 'src'], { cwd });
		expect(code).toBe(0);
		expect(readdirSync(join(cwd, 'b/meshes'))).toHaveLength(1);
	});

	test('the entry of a USD robot loads its layers as payloads when asked, which its check allows', async () => {
		const cwd = temporaryFolder();
		const args = ['convert', PLOVER, 'plover.usda', '--to', 'rep', '--payload-policy', 'entry'];
		expect((await runCli(args, { cwd })).code).toBe(0);
		const entry = readFileSync(join(cwd, 'plover.usda'), 'utf8');
		expect(entry).toMatch(/payload = \[\s*@\.\/ros\.usda@/);
		expect(entry).not.toContain('references');
		const findings = async (policy: string): Promise<string[]> => {
			const { stdout } = await runCli(['check', 'plover.usda', '--payload-policy', policy, '--format', 'json'], {
				cwd,
			});
			return [...stdout.matchAll(/"code": ?"([^"]+)"/g)].map(([, code]) => code!);
		};
		const [allowed, refused] = [await findings('entry'), await findings('kinematics-visible')];
		expect(allowed).not.toContain('R1.2.3.6');
		expect(refused.length).toBeGreaterThan(allowed.length);
	});

	test('nothing is written without a robot', async () => {
		const cwd = temporaryFolder();
		writeFileSync(join(cwd, 'empty.urdf'), '<robot name="empty"/>');
		const { code, stderr } = await runCli(['convert', 'empty.urdf', 'empty.sdf'], { cwd });
		expect(code).toBe(2);
		expect(stderr).toContain('CNV003');
		expect(readdirSync(cwd)).toEqual(['empty.urdf']);
	});
});

function modelOf(fill: (builder: ModelBuilder) => unknown): Model {
	const builder = new ModelBuilder();
	fill(builder);
	return builder.finalize();
}

/** The mass matrix at values of the joints that are given by their names, without the floating base. */
function matrixAt(model: Model, seed: number): number[] {
	const state = model.createState();
	const names = model.jointLabels.map((label) => label.split('/').at(-1)!);
	const order = names.map((_, joint) => joint).sort((a, b) => (names[a]! < names[b]! ? -1 : 1));
	const scalar = order.filter((joint) => model.jointQdStart[joint + 1]! - model.jointQdStart[joint]! === 1);
	for (const [k, joint] of scalar.entries()) state.jointQ[model.jointQStart[joint]!] = Math.sin(3 * seed + 5 * k + 1);
	const dynamics = new ArticulatedDynamics(model);
	dynamics.forwardKinematics(state);
	const matrix = dynamics.massMatrix(state);
	const dofs = scalar.map((joint) => model.jointQdStart[joint]!);
	return dofs.flatMap((row) => dofs.map((column) => matrix[row * dynamics.maxDofs + column]!));
}
