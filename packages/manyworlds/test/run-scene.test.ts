import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ROOT, runCli, temporaryFolder } from './run-cli.ts';

const BOX = 'examples/scenes/single-box.yaml';
const GRIP = 'examples/scenes/grip.yaml';

function lastOf(stdout: string, name: string): number {
	const [{ columns, last }] = JSON.parse(stdout).runs;
	return last[columns.indexOf(name)];
}

describe('manyworlds run SCENE', () => {
	it('takes time step, worlds and solver from the scene, and options before them', async () => {
		const own = JSON.parse((await runCli(['run', BOX, '--frames', '2', '--json'])).stdout);
		expect([own.worlds, own.runs[0].dt, own.runs[0].settings]).toEqual([1, 0.003, 'approx32, monotone_decay']);
		const args = ['run', BOX, '--duration', '0.01', '--dt', '0.004', '--num-worlds', '3', '--json'];
		const given = JSON.parse((await runCli(args)).stdout);
		// 0.01 s take three steps of 0.004 s
		expect([given.worlds, given.runs[0].dt, given.runs[0].steps]).toEqual([3, 0.004, 3]);
	});

	it('comes to the same bits twice', async () => {
		const hashes: string[] = [];
		for (let i = 0; i < 2; i++) {
			const { stdout } = await runCli(['run', 'examples/scenes/shapes.yaml', '--frames', '80', '--json']);
			hashes.push(JSON.parse(stdout).runs[0].stateHash);
		}
		expect(hashes[0]).toMatch(/^[0-9a-f]{16,}$/);
		expect(hashes[1]).toBe(hashes[0]);
	});

	it('says on a terminal how far it is when that takes long, and never in a log', async () => {
		const run = ['run', BOX, '--frames', '10', '--json'];
		const { stdout, stderr } = await runCli(run, { tick: 200, isTTY: true });
		expect(stderr).toMatch(/sap: step \d+ of 10/);
		expect(JSON.parse(stdout).version).toBe(1);
		expect((await runCli(run, { tick: 200 })).stderr).toBe('');
	});

	it('lets the box of the minimal scene fall and come to rest on the plane', async () => {
		const { stdout } = await runCli(['run', BOX, '--duration', '1.5', '--json']);
		// half a metre high; 1001 kg on four contacts of 5e5 N/m
		expect(lastOf(stdout, 'height of box')).toBeGreaterThan(0.495);
		expect(lastOf(stdout, 'height of box')).toBeLessThan(0.5001);
	});

	it('runs a scene with MuJoCo too, whose contacts damp as those of SAP do', async () => {
		const { code, stdout } = await runCli(['run', BOX, '--duration', '1', '--compare', 'sap,mujoco', '--json']);
		expect(code).toBe(0);
		const [sap, mujoco] = JSON.parse(stdout).runs;
		expect([sap.solver, mujoco.solver]).toEqual(['sap', 'mujoco']);
		const height = sap.columns.indexOf('height of box');
		// without damping the box would still jump
		expect(Math.abs(mujoco.last[height] - sap.last[height])).toBeLessThan(0.01);
	});

	it('plays a control sequence: the fingers open in every world', async () => {
		const args = ['run', GRIP, '--duration', '0.4', '--json', '--quantities', 'position'];
		for (const world of ['0', '1']) {
			const { stdout } = await runCli([...args, '--watch', world]);
			expect(lastOf(stdout, 'plover/left_slide')).toBeCloseTo(0.03, 3);
			expect(lastOf(stdout, 'plover/right_slide')).toBeCloseTo(0.03, 3);
		}
	});

	it('finds assets beside the scene, and from the working directory', async () => {
		const folder = temporaryFolder();
		mkdirSync(join(folder, 'scenes'));
		mkdirSync(join(folder, 'assets'));
		const urdf =
			'<robot name="r"><link name="a"><inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial></link></robot>';
		writeFileSync(join(folder, 'assets/robot.urdf'), urdf);
		const scene = (source: string): string =>
			`schema_version: 1\nassets: [{id: a, type: urdf, floating: true, source: ${source}}]\n`;
		writeFileSync(join(folder, 'scenes/beside.yaml'), scene('../assets/robot.urdf'));
		writeFileSync(join(folder, 'scenes/from-here.yml'), scene('assets/robot.urdf'));
		for (const name of ['beside.yaml', 'from-here.yml']) {
			const { code, stderr } = await runCli(['run', `scenes/${name}`, '--frames', '1'], { cwd: folder });
			expect(code, stderr).toBe(0);
		}
		const outside = await runCli(['run', 'beside.yaml', '--frames', '1'], { cwd: join(folder, 'scenes') });
		expect(outside.code).toBe(2);
		expect(outside.stderr).toMatch(/beside\.yaml:2:\d+: error SCN031: .*--root DIR allows one more/);
	});

	it.each([
		['bodies: [{id: 7}]', /^scene\.yaml:1:\d+: error SCN/],
		['simulation: {dt: -1}', /^scene\.yaml:1:18: error SCN/],
		['control: {source: nothing.json}\nbodies: [{id: a, shapes: [{}]}]', /nothing\.json: error CTL001/],
		['control: {source: ../../../../../etc/passwd}\nbodies: [{id: a, shapes: [{}]}]', /error SCN031: .*outside/],
		['assets: [{type: urdf, source: {git: {repo: --upload-pack=x, rev: a, path: b}}}]', /error SCN03[23]/],
	])('says where a scene is wrong: %s', async (text, message) => {
		const folder = temporaryFolder();
		writeFileSync(join(folder, 'scene.yaml'), text);
		const { code, stdout, stderr } = await runCli(['run', 'scene.yaml'], { cwd: folder });
		expect([code, stdout]).toEqual([2, '']);
		expect(stderr).toMatch(message);
	});

	it.each([
		[['--floating'], 'are about robots'],
		[['--no-ground'], 'are about robots'],
		[['--worlds', '2', '--num-worlds', '3'], 'which mean the same'],
	])('refuses %j', async (more, message) => {
		const { code, stderr } = await runCli(['run', BOX, ...more]);
		expect([code, stderr]).toEqual([2, expect.stringContaining(message)]);
	});

	it('runs the rest of a scene whose features are not all supported when asked to', async () => {
		const folder = temporaryFolder();
		const text = readFileSync(join(ROOT, BOX), 'utf8').concat('\npost_build: [{op: fly}]\n');
		writeFileSync(join(folder, 'scene.yaml'), text);
		const strict = await runCli(['run', 'scene.yaml', '--frames', '1'], { cwd: folder });
		expect([strict.code, strict.stderr]).toEqual([2, expect.stringContaining('post_build op=fly')]);
		const lenient = await runCli(['run', 'scene.yaml', '--frames', '1', '--no-strict'], { cwd: folder });
		expect([lenient.code, lenient.stderr]).toEqual([1, expect.stringContaining('post_build op=fly')]);
	});
});

const hasGit = ((): boolean => {
	try {
		execFileSync('git', ['--version']);
		return true;
	} catch {
		return false;
	}
})();
if (!hasGit) console.log('skipped: the program git is not installed');

it.skipIf(!hasGit)('runs a scene with an asset from git, then from the cache alone', async () => {
	const folder = temporaryFolder();
	const repo = join(folder, 'robots');
	mkdirSync(join(repo, 'crane'), { recursive: true });
	writeFileSync(join(repo, 'crane/crane.xml'), readFileSync(join(ROOT, 'examples/robots/crane/crane.xml')));
	const git = (...args: string[]): string =>
		execFileSync('git', ['-C', repo, '-c', 'user.name=t', '-c', 'user.email=t@example.org', ...args], {
			encoding: 'utf8',
		}).trim();
	git('init', '--quiet');
	git('add', '--all');
	git('commit', '--quiet', '--message', 'crane');
	const source = { git: { repo, rev: git('rev-parse', 'HEAD'), path: 'crane/crane.xml' } };
	writeFileSync(join(folder, 'scene.json'), JSON.stringify({ assets: [{ id: 'crane', type: 'mjcf', source }] }));
	const env = { PATH: process.env['PATH'] ?? '', HOME: folder, SAP_WARP_ASSET_CACHE: 'cache' };
	const args = ['run', 'scene.json', '--frames', '2'];
	const offline = { ...env, SAP_WARP_ASSET_OFFLINE: '1' };
	const empty = await runCli(args, { cwd: folder, env: offline });
	expect([empty.code, empty.stderr]).toEqual([2, expect.stringMatching(/SCN033: .*crane\.xml.*GIT003/)]);
	expect((await runCli(args, { cwd: folder, env })).code).toBe(0);
	expect((await runCli(args, { cwd: folder, env: offline })).code).toBe(0);
});
