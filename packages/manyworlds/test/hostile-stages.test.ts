import { existsSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { type CliResult, runCli, temporaryFolder } from './run-cli.ts';

/** Writes files below a folder that is removed after the test. */
function folderWith(files: Readonly<Record<string, string>>): string {
	const folder = temporaryFolder();
	for (const [name, text] of Object.entries(files)) {
		mkdirSync(join(folder, name, '..'), { recursive: true });
		writeFileSync(join(folder, name), text);
	}
	return folder;
}

async function inspectStage(folder: string, ...args: string[]): Promise<CliResult> {
	return runCli(['inspect', 'root.usda', '--stage', ...args], { cwd: folder });
}

const layer = (text: string): string => `#usda 1.0\n${text}\n`;
const referring = (assetPath: string): string => layer(`def "a" (references = @${assetPath}@</x>)\n{\n}`);

test('reference cycles are located and end', async () => {
	const folder = folderWith({
		'root.usda': layer('def "a" (references = @./other.usda@</b>)\n{\n}'),
		'other.usda': layer('def "b" (\n    references = @./root.usda@</a>\n)\n{\n}'),
	});
	const { code, stdout, stderr } = await inspectStage(folder);
	expect(code).toBe(1);
	expect(stdout).toContain('def a');
	expect(stderr).toContain('error PCP001: the reference to </a> closes a cycle: root.usda</a> -> other.usda</b>');
	expect(stderr).toMatch(/^other\.usda:3:32: /);
});

test('a prim that refers to itself in many ways ends', async () => {
	const arcs = 'references = </a>, inherits = </a>, specializes = </a>'.split(', ').join('\n    ');
	const { code, stderr } = await inspectStage(folderWith({ 'root.usda': layer(`def "a" (\n    ${arcs}\n)\n{\n}`) }));
	expect(code).toBe(1);
	expect(stderr).toContain('PCP001');
});

test('a chain of 10,000 sublayers is composed, and one that bites its tail is reported', async () => {
	const depth = 10_000;
	const folder = temporaryFolder();
	const sublayer = (name: string): string => `(\n    subLayers = [@./${name}@]\n)`;
	for (let i = 0; i < depth; i++) {
		writeFileSync(join(folder, i === 0 ? 'root.usda' : `${i}.usda`), layer(sublayer(`${i + 1}.usda`)));
	}
	writeFileSync(join(folder, `${depth}.usda`), layer('def Xform "deep"\n{\n}'));
	const composed = await inspectStage(folder);
	expect(composed.stderr).toBe('');
	expect(composed.stdout).toContain('stage, 1 prim, 10001 layers');
	expect(composed.code).toBe(0);

	writeFileSync(join(folder, `${depth}.usda`), layer(`${sublayer('root.usda')}\ndef Xform "deep"\n{\n}`));
	const cyclic = await inspectStage(folder);
	expect(cyclic.stderr).toMatch(/^10000\.usda:3:19: error PCP002: the sublayer 'root\.usda' has this layer below it/);
	expect(cyclic.stdout).toContain('def Xform deep');
	expect(cyclic.code).toBe(1);
});

test('a layer that includes itself through a package is reported', async () => {
	const folder = folderWith({ 'loop.usda': layer('(\n    subLayers = [@./loop.usda@]\n)\ndef "a"\n{\n}') });
	// packing leaves the layer as it is, so the member includes itself
	expect((await runCli(['convert', 'loop.usda', 'loop.usdz'], { cwd: folder })).code).toBeLessThan(3);
	expect(existsSync(join(folder, 'loop.usdz'))).toBe(true);
	writeFileSync(join(folder, 'root.usda'), layer('(\n    subLayers = [@./loop.usdz@]\n)'));
	const { code, stdout, stderr } = await inspectStage(folder);
	expect(stderr).toContain('loop.usdz[loop.usda]:3:19: error PCP002: the layer is its own sublayer');
	expect(stdout).toContain('def a');
	expect(code).toBe(1);
});

test.each([
	['/etc/passwd', 'it lies outside of the folders that may be read'],
	['../../../../../../../../etc/passwd', 'it lies outside of the folders that may be read'],
	['./../outside.usda', 'it lies outside of the folders that may be read'],
	['https://example.com/robot.usd', 'it is an address (https:), and addresses are not read'],
	['file:///etc/passwd', 'it lies outside of the folders that may be read'],
	['package://nowhere/robot.usd', "no ROS package 'nowhere' is known"],
	['package://../etc/passwd', "no ROS package '..' is known"],
	['//etc/passwd', 'it lies outside of the folders that may be read'],
	['/dev/zero', 'it lies outside of the folders that may be read'],
	['./root.usda[x.usda]', 'there is no such file'],
	['./missing.usda', 'there is no such file'],
	['./folder', 'there is no such file'],
	['./note.txt', 'expected'],
])('a reference to %s is refused where it stands', async (path, reason) => {
	const parent = folderWith({
		'outside.usda': layer('def "x"\n{\n}'),
		'inside/root.usda': referring(path),
		'inside/note.txt': 'a\0b',
		'inside/folder/x.usda': layer(''),
	});
	const result = await inspectStage(join(parent, 'inside'));
	expect(result.code).toBe(1);
	expect(result.stderr).toContain(reason);
	expect(result.stderr).toMatch(/^root\.usda:2:24: error PCP003: the reference @/);
	expect(result.stdout).toContain('stage, 1 prim, 1 layer\n');
	expect(result.stdout + result.stderr).not.toContain('root:x:');
});

test('links that lead out of the folder are not followed', async () => {
	const parent = folderWith({ 'secret.usda': layer('def "x"\n{\n}'), 'inside/root.usda': referring('./link.usda') });
	symlinkSync('../secret.usda', join(parent, 'inside/link.usda'));
	const refused = await inspectStage(join(parent, 'inside'));
	expect(refused.stderr).toContain('it lies outside of the folders that may be read; --root DIR allows one more');
	const allowed = await inspectStage(join(parent, 'inside'), '--root', '..');
	expect(allowed.stderr).toBe('');
	expect(allowed.stdout).toContain('reference @./link.usda@</x>');
});

test('a package cannot name files outside of itself', async () => {
	const folder = folderWith({ 'member.usda': referring('../outside.usda'), 'outside.usda': layer('def "x"\n{\n}') });
	mkdirSync(join(folder, 'pack'));
	await runCli(['convert', 'member.usda', 'pack/member.usdz'], { cwd: folder });
	const { stderr, code } = await runCli(['inspect', 'pack/member.usdz', '--stage'], { cwd: folder });
	expect(stderr).toContain('the path leads out of the package');
	expect(code).toBe(1);
});

test('ROS packages are found by option and by environment', async () => {
	const folder = folderWith({
		'robot/root.usda': referring('package://my_robot/meshes/x.usda'),
		'install/share/my_robot/meshes/x.usda': layer('def Cube "x"\n{\n}'),
		'src/group/my_robot/meshes/x.usda': layer('def Sphere "x"\n{\n}'),
	});
	const cwd = join(folder, 'robot');
	const run = (env: Record<string, string>, ...args: string[]): Promise<CliResult> =>
		runCli(['inspect', 'root.usda', '--stage', ...args], { cwd, env });
	expect((await run({})).code).toBe(1);
	expect((await run({ AMENT_PREFIX_PATH: join(folder, 'install') })).stdout).toContain('def Cube a');
	expect((await run({ ROS_PACKAGE_PATH: join(folder, 'src') })).stdout).toContain('def Sphere a');
	expect((await run({}, '--package', 'my_robot=../install/share/my_robot')).stdout).toContain('def Cube a');
	const elsewhere = folderWith({ 'root.usda': referring('package://my_robot/../../secret.usda') });
	const escaped = await runCli(['inspect', 'root.usda', '--stage', '--package', `my_robot=${folder}/src`], {
		cwd: elsewhere,
	});
	expect(escaped.stderr).toContain("the path leads out of the package 'my_robot'");
	expect((await run({}, '--package', 'nonsense')).stderr).toContain("--package is 'nonsense', expected NAME=FOLDER");
});

test('a class whose content inherits it ends', async () => {
	const folder = folderWith({
		'root.usda': layer('class "C" (references = @./asset.usda@</A>)\n{\n}\ndef "p" (inherits = </C>)\n{\n}'),
		'asset.usda': layer('class "C"\n{\n}\ndef "A"\n{\n    def "B" (inherits = </C>)\n    {\n    }\n}'),
	});
	const { code, stdout, stderr } = await inspectStage(folder);
	expect(stderr).toBe('');
	expect(stdout).toContain('stage, 4 prims, 2 layers\n');
	expect(code).toBe(0);
});
