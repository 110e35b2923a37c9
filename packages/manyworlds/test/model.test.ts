import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { HERON, ROOT, runCli, temporaryFolder } from './run-cli.ts';

const PLOVER = 'examples/robots/plover/urdf/plover.urdf';
const GUIDE = readFileSync(join(ROOT, 'docs/guide/import.md'), 'utf8');

describe('manyworlds inspect --model', () => {
	it('prints what the guide shows', async () => {
		const { code, stdout, stderr } = await runCli(['inspect', PLOVER, '--model']);
		expect(code).toBe(0);
		expect(GUIDE).toContain(`$ manyworlds inspect ${PLOVER} --model\n${stdout}`);
		expect(stderr).toContain('plover.urdf:38:5: info URDF008: <safety_controller> in <joint> is not imported');
	});

	it('prints JSON with bodies, joints, shapes and the ledger', async () => {
		const { stdout } = await runCli(['inspect', PLOVER, '--model', '--json']);
		const inspection = JSON.parse(stdout);
		expect(inspection).toMatchObject({
			version: 1,
			file: PLOVER,
			format: 'urdf',
			counts: { bodies: 4, joints: 4, shapes: 6 },
		});
		expect(inspection.mass).toBeCloseTo(0.75);
		expect(inspection.ledger.totals).toEqual({ used: 53, converted: 29, kept: 0, ignored: 3, total: 85 });
		expect(inspection.ledger.ignored[0]).toMatchObject({
			file: PLOVER,
			name: 'k_velocity',
			reason: 'a model has no soft limits',
		});
	});

	it('makes attributes without effect errors with --strict', async () => {
		const { code, stderr } = await runCli(['inspect', PLOVER, '--model', '--strict']);
		expect(code).toBe(1);
		expect(stderr).toContain(
			"plover.urdf:38:24: error IMP101: 'robot/joint[roll]/safety_controller@k_velocity' has no effect",
		);
	});

	it('imports a stage with the resolvers that are named', async () => {
		const { code, stdout } = await runCli(['inspect', HERON, '--model', '--resolvers', 'physx,newton', '--json']);
		const inspection = JSON.parse(stdout);
		expect(inspection.format).toBe('usd');
		expect(inspection.counts.bodies).toBeGreaterThan(3);
		const { used, converted, kept, ignored, total } = inspection.ledger.totals;
		expect(used + converted + kept + ignored).toBe(total);
		expect(code).toBeLessThan(2);
	});

	it('imports MJCF by its content', async () => {
		const folder = temporaryFolder();
		writeFileSync(
			join(folder, 'a.txt'),
			'<mujoco model="ball"><worldbody><body name="b"><freejoint/><geom size="1"/></body></worldbody></mujoco>',
		);
		const { code, stdout } = await runCli(['inspect', 'a.txt', '--model'], { cwd: folder });
		expect(code).toBe(0);
		expect(stdout).toContain('a.txt  MJCF, z up');
	});

	it.each([
		[['inspect', HERON, '--strict'], 'CLI006', '--resolvers, --strict and --newton-compat are about the model'],
		[['inspect', PLOVER, '--model', '--resolvers', 'bullet'], 'CLI006', 'expected names out of newton, physx, mjc'],
		[['inspect', 'package.json', '--model'], 'IMP100', "'package.json' is neither USD nor URDF nor MJCF"],
		[['inspect', 'none.urdf', '--model'], 'CLI001', 'none.urdf'],
	])('reports wrong use: %j', async (args, code, message) => {
		const result = await runCli(args);
		expect(result.code).toBe(2);
		expect(result.stderr).toContain(code);
		expect(result.stderr).toContain(message);
	});

	it('reads meshes of the package and of --package, and nothing outside', async () => {
		const folder = temporaryFolder();
		const mesh = readFileSync(join(ROOT, 'examples/robots/plover/meshes/finger.stl'));
		const place = (file: string): string => {
			mkdirSync(join(folder, file, '..'), { recursive: true });
			return join(folder, file);
		};
		writeFileSync(place('arm/meshes/a.stl'), mesh);
		writeFileSync(place('other/a.stl'), mesh);
		const visual = (file: string) => `<visual><geometry><mesh filename="${file}"/></geometry></visual>`;
		const files = ['package://arm/meshes/a.stl', '../meshes/a.stl', 'package://far/a.stl', '../../other/a.stl'];
		writeFileSync(
			place('arm/urdf/arm.urdf'),
			`<robot name="arm"><link name="a">${files.map(visual).join('')}</link></robot>`,
		);
		const plain = await runCli(['inspect', 'arm/urdf/arm.urdf', '--model', '--json'], { cwd: folder });
		expect(JSON.parse(plain.stdout).counts.shapes).toBe(2);
		expect(plain.code).toBe(1);
		expect(plain.stderr).toContain("no ROS package 'far' is known; name its folder with --package far=DIR");
		expect(plain.stderr).toContain('it lies outside of the folders that may be read; --root DIR allows one more');
		const args = ['inspect', 'arm/urdf/arm.urdf', '--model', '--json', '--package', 'far=other', '--root', '.'];
		expect(JSON.parse((await runCli(args, { cwd: folder })).stdout).counts.shapes).toBe(4);
	});
});

describe('manyworlds explain of the model', () => {
	it.each(['joint_velocity_limit[roll]', 'joint_target_ke[0]'])(
		'tells what gave %s, as the guide shows',
		async (query) => {
			const { code, stdout } = await runCli(['explain', PLOVER, query]);
			expect(code).toBe(0);
			expect(GUIDE).toContain(`$ manyworlds explain ${PLOVER} '${query}'\n${stdout}`);
		},
	);

	it('says what is wrong with a query', async () => {
		const { code, stderr } = await runCli(['explain', PLOVER, 'joint_gain[0]']);
		expect(code).toBe(2);
		expect(stderr).toContain("error IMP102: a model has no array 'joint_gain'");
	});
});
