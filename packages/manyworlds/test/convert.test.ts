import {
	chmodSync,
	existsSync,
	lstatSync,
	mkdirSync,
	readdirSync,
	readFileSync,
	symlinkSync,
	writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { compareLayers, type LayerData } from '@manyworlds/usd';
import { openFile } from '@manyworlds/usd/internal';
import { expect, test } from 'vitest';
import { HERON, ROOT, runCli, temporaryFolder } from './run-cli.ts';

const MESHES = join(ROOT, 'examples/robots/heron/layers/geometries.usda');

function layerOf(file: string): LayerData {
	return openFile(readFileSync(file), { file }).layer!.data;
}

function crateVersion(file: string): string {
	return readFileSync(file).subarray(8, 11).join('.');
}

test('usda to usdc and back keeps every value', async () => {
	const cwd = temporaryFolder();
	const there = await runCli(['convert', MESHES, 'meshes.usdc'], { cwd });
	expect(there).toMatchObject({ code: 0, stdout: '' });
	expect(there.stderr).toMatch(/^wrote meshes\.usdc \(usdc, \d+ kB\)\n$/);
	expect((await runCli(['convert', 'meshes.usdc', 'meshes.usda'], { cwd })).code).toBe(0);
	expect(compareLayers(layerOf(MESHES), layerOf(join(cwd, 'meshes.usdc')))).toEqual([]);
	expect(compareLayers(layerOf(MESHES), layerOf(join(cwd, 'meshes.usda')))).toEqual([]);
	expect(readdirSync(cwd).sort()).toEqual(['meshes.usda', 'meshes.usdc']);
});

test('.usd means crate unless --to says otherwise', async () => {
	const cwd = temporaryFolder();
	await runCli(['convert', MESHES, 'a.usd'], { cwd });
	await runCli(['convert', MESHES, 'b.usd', '--to', 'usda'], { cwd });
	expect(readFileSync(join(cwd, 'a.usd'), 'latin1').slice(0, 8)).toBe('PXR-USDC');
	expect(readFileSync(join(cwd, 'b.usd'), 'latin1').slice(0, 9)).toBe('#usda 1.0');
});

test('the crate version can be chosen', async () => {
	const cwd = temporaryFolder();
	await runCli(['convert', MESHES, 'a.usdc'], { cwd });
	await runCli(['convert', MESHES, 'b.usdc', '--usdc-version', '0.9.0'], { cwd });
	expect(crateVersion(join(cwd, 'a.usdc'))).toBe('0.8.0');
	expect(crateVersion(join(cwd, 'b.usdc'))).toBe('0.9.0');
});

test('a file can be converted onto itself', async () => {
	const cwd = temporaryFolder();
	writeFileSync(join(cwd, 'meshes.usd'), readFileSync(MESHES));
	expect((await runCli(['convert', 'meshes.usd', 'meshes.usd'], { cwd })).code).toBe(0);
	expect(readFileSync(join(cwd, 'meshes.usd'), 'latin1').slice(0, 8)).toBe('PXR-USDC');
	expect(compareLayers(layerOf(MESHES), layerOf(join(cwd, 'meshes.usd')))).toEqual([]);
});

test.skipIf(process.platform === 'win32')('a link stays a link and a file keeps its permissions', async () => {
	const cwd = temporaryFolder();
	writeFileSync(join(cwd, 'real.usda'), readFileSync(MESHES));
	chmodSync(join(cwd, 'real.usda'), 0o640);
	symlinkSync('real.usda', join(cwd, 'link.usda'));
	expect((await runCli(['convert', MESHES, 'link.usda', '--to', 'usdc'], { cwd })).code).toBe(0);
	expect(lstatSync(join(cwd, 'link.usda')).isSymbolicLink()).toBe(true);
	expect(readFileSync(join(cwd, 'real.usda'), 'latin1').slice(0, 8)).toBe('PXR-USDC');
	expect(lstatSync(join(cwd, 'real.usda')).mode & 0o777).toBe(0o640);
});

test('a package takes along everything the layer depends on, unchanged', async () => {
	const cwd = temporaryFolder();
	const result = await runCli(['convert', join(ROOT, HERON), 'robot.usdz'], { cwd });
	expect(result.code).toBe(0);
	const { package: container } = openFile(readFileSync(join(cwd, 'robot.usdz')), { file: 'robot.usdz' });
	const folder = join(ROOT, 'examples/robots/heron');
	const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
	expect(container?.entries.length).toBe(files.length);
	expect(container?.entries[0]?.name).toBe('heron.usda');
	for (const { name, bytes } of container!.entries) {
		expect(Buffer.compare(readFileSync(join(folder, name)), bytes), name).toBe(0);
	}
});

test('a package of the same files has the same bytes', async () => {
	const cwd = temporaryFolder();
	await runCli(['convert', join(ROOT, HERON), 'a.usdz'], { cwd });
	await runCli(['convert', 'a.usdz', 'b.usdz'], { cwd });
	expect(Buffer.compare(readFileSync(join(cwd, 'a.usdz')), readFileSync(join(cwd, 'b.usdz')))).toBe(0);
});

test('what a single layer cannot hold is named', async () => {
	const cwd = temporaryFolder();
	await runCli(['convert', join(ROOT, HERON), 'robot.usdz'], { cwd });
	const result = await runCli(['convert', 'robot.usdz', 'robot.usda'], { cwd });
	expect(result.code).toBe(1);
	expect(result.stderr).toContain('warning PKG003: the package holds 12 more files, which a single layer cannot');
	expect(result.stderr).toContain("'layers/textures/hazard.png'");
	expect(compareLayers(layerOf(join(ROOT, HERON)), layerOf(join(cwd, 'robot.usda')))).toEqual([]);
	const member = await runCli(['convert', 'robot.usdz[gripper/pincer.usda]', 'pincer.usda'], { cwd });
	expect(member.code).toBe(0);
	expect(member.stderr).toContain('info PKG003');
});

test('a missing dependency and one with a scheme are reported', async () => {
	const cwd = temporaryFolder();
	const expression = '@`"$' + '{NAME}.usda"`@';
	const arcs = `references = [@./gone.usda@, @https://example.com/a.usda@, ${expression}]`;
	writeFileSync(join(cwd, 'root.usda'), `#usda 1.0\ndef "a" (\n    ${arcs}\n)\n{\n}\n`);
	const { code, stderr } = await runCli(['convert', 'root.usda', 'root.usdz'], { cwd });
	expect(code).toBe(1);
	expect(stderr).toContain("warning PKG001: './gone.usda' names 'gone.usda', which does not exist");
	expect(stderr).toContain("warning PKG002: 'https://example.com/a.usda' is not a file path");
	expect(stderr).toContain('is an expression');
	expect(existsSync(join(cwd, 'root.usdz'))).toBe(true);
});

test('relative paths that break are named, and rewritten on demand', async () => {
	const cwd = temporaryFolder();
	mkdirSync(join(cwd, 'in/parts'), { recursive: true });
	writeFileSync(join(cwd, 'in/parts/part.usda'), '#usda 1.0\n');
	writeFileSync(join(cwd, 'in/root.usda'), '#usda 1.0\n(\n    subLayers = [@./parts/part.usda@]\n)\n');
	const broken = await runCli(['convert', 'in/root.usda', 'out/root.usda'], { cwd });
	expect(broken.code).toBe(1);
	expect(broken.stderr).toContain('warning PKG004: root.usda is written to another folder');
	expect(broken.stderr).toContain("'./parts/part.usda'");
	const fixed = await runCli(['convert', 'in/root.usda', 'out/root.usda', '--rewrite-paths'], { cwd });
	expect(fixed.code).toBe(0);
	expect(readFileSync(join(cwd, 'out/root.usda'), 'utf8')).toContain('@../in/parts/part.usda@');
	const beside = await runCli(['convert', 'in/root.usda', 'in/copy.usda'], { cwd });
	expect(beside.code).toBe(0);
});

test('comments that are left behind are mentioned', async () => {
	const cwd = temporaryFolder();
	writeFileSync(join(cwd, 'a.usda'), '#usda 1.0\n\n# the torso\ndef "torso"\n{\n}\n');
	const { code, stderr } = await runCli(['convert', 'a.usda', 'a.usdc'], { cwd });
	expect(code).toBe(0);
	expect(stderr).toContain('a.usda:3:1: info PKG006: the text has comments');
});

test('a machine-readable report goes to stdout', async () => {
	const cwd = temporaryFolder();
	const { code, stdout } = await runCli(['convert', 'none.usda', 'a.usdc', '--format', 'json'], { cwd });
	expect(code).toBe(2);
	expect(JSON.parse(stdout)).toMatchObject({ version: 1, diagnostics: [{ code: 'CLI001' }], summary: { errors: 1 } });
});
