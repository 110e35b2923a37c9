import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { writeUsdc } from '@manyworlds/usd';
import { openFile } from '@manyworlds/usd/internal';
import { describe, expect, test } from 'vitest';
import { HERON, ROOT, runCli, temporaryFolder } from './run-cli.ts';

const PNG = Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0, 0, 13, 0x49, 0x48, 0x44, 0x52);

function crate(): Uint8Array {
	const { layer } = openFile(readFileSync(join(ROOT, HERON)), { file: HERON });
	return writeUsdc(layer!.data);
}

/** Name of the case, name of the file, its content or a maker of it, what the message must say. */
const CASES: readonly (readonly [string, string, () => Uint8Array | string, RegExp])[] = [
	['an empty file', 'empty.usda', () => '', /PKG005: the file holds nothing \(0 bytes\)/],
	['a PNG named .usda', 'image.usda', () => PNG, /PKG005: the file holds a PNG image/],
	['text without a header', 'notes.usda', () => 'hello\n', /:1:1: error USDA002: file begins with /],
	['a truncated crate', 'cut.usdc', () => crate().slice(0, 300), /error USDC\d+/],
	['a crate of 8 bytes', 'tiny.usdc', () => 'PXR-USDC', /error USDC\d+/],
	['a truncated package', 'cut.usdz', () => 'PK\u0003\u0004 and no more', /error USDZ\d+/],
	['a 10 MB single line', 'line.usda', () => 'x'.repeat(10_000_000), /:1:1: error USDA002: file begins with /],
	['a 10 MB word after the header', 'word.usda', () => `#usda 1.0\n${'x'.repeat(10_000_000)}`, /error USDA\d+/],
	['a 10 MB line of junk after the header', 'junk.usda', () => `#usda 1.0\n${'(]'.repeat(5_000_000)}`, /error USDA\d+/],
];

/** The same for files of which a part can be read. */
const BROKEN_CASES: typeof CASES = [
	['100,000 nested braces', 'deep.usda', () => `#usda 1.0\ndef "a" ${'{'.repeat(100_000)}`, /error USDA\d+/],
	[
		'100,000 nested prims',
		'prims.usda',
		() => `#usda 1.0\n${'def "a" {'.repeat(100_000)}${'}'.repeat(99_999)}`,
		/error USDA\d+/,
	],
	[
		'a syntax error',
		'error.usda',
		() => '#usda 1.0\ndef Xform "a"\n{\n    double x = \n}\n',
		/error.usda:\d+:\d+: error USDA/,
	],
];

describe.each([...CASES.map((one) => [...one, 2] as const), ...BROKEN_CASES.map((one) => [...one, 1] as const)])(
	'%s',
	(_, name, content, message, status) => {
		const bytes = content();
		// both commands read alike, so the large files are read once
		const commands = bytes.length > 1_000_000 ? ['inspect'] : ['inspect', 'convert'];
		test.each(commands)(`gives %s a coded message and status ${status}`, async (command) => {
			const cwd = temporaryFolder();
			writeFileSync(join(cwd, name), bytes);
			const result = await runCli(command === 'convert' ? [command, name, 'output.usda'] : [command, name], { cwd });
			expect(result.stderr).toMatch(message);
			expect(result.stderr.length).toBeLessThan(200_000);
			expect(result.code).toBe(status);
			expect(existsSync(join(cwd, 'output.usda'))).toBe(false);
		});
	},
);

test('a missing file is named', async () => {
	const result = await runCli(['inspect', 'nowhere/robot.usda']);
	expect(result.stderr).toContain("error CLI001: there is no file 'nowhere/robot.usda'");
	expect(result.stdout).toBe('');
	expect(result.code).toBe(2);
});

test('a folder is not a file', async () => {
	const result = await runCli(['inspect', 'examples']);
	expect(result.stderr).toContain("error CLI002: 'examples' is a folder, expected a file");
	expect(result.code).toBe(2);
});

test.skipIf(process.getuid?.() === 0)('a file without permission says so', async () => {
	const cwd = temporaryFolder();
	writeFileSync(join(cwd, 'secret.usda'), '#usda 1.0\n');
	chmodSync(join(cwd, 'secret.usda'), 0);
	const result = await runCli(['inspect', 'secret.usda'], { cwd });
	expect(result.stderr).toContain('CLI003');
	expect(result.code).toBe(2);
});

test('an output that is a folder is refused and nothing is left behind', async () => {
	const cwd = temporaryFolder();
	mkdirSync(join(cwd, 'out.usda'));
	const result = await runCli(['convert', join(ROOT, HERON), 'out.usda', '--rewrite-paths'], { cwd });
	expect(result.stderr).toContain('error CLI004');
	expect(result.code).toBe(2);
});

test.each([
	[['no-such-command'], 'unknown command'],
	[['inspect'], "missing argument 'file'"],
	[['inspect', HERON, '--no-such-option'], "unknown option '--no-such-option'"],
	[['inspect', HERON, HERON, HERON, HERON], 'too many arguments: '],
	[['inspect', HERON, '--depth', 'many'], "--depth is 'many', expected a number of levels, 0 or more"],
	[['inspect', HERON, '--depth'], '--depth has no value, expected <'],
	[['inspect', HERON, '--format', 'yaml'], "unknown format 'yaml', expected text, json, sarif or github"],
	[['convert', HERON, 'out.usdc', '--usdc-version', '8'], "'8', expected a version from 0.4.0 to 0.16.0"],
	[['convert', HERON, 'out.usdc', '--to', 'foo'], "--to: unknown format 'foo', expected urdf, sdf, mjcf, glb,"],
	[['convert', HERON], "missing argument 'output'"],
	[['run', HERON, '--solver', 'foo'], "unknown solver 'foo', expected sap or mujoco (see manyworlds help)"],
	[['bench', HERON, '--solver', 'foo'], "unknown solver 'foo', expected sap or mujoco"],
	[['serve', HERON, '--solver', 'foo'], "unknown solver 'foo', expected sap or mujoco"],
	[['record', HERON, '--solver', 'foo'], "unknown solver 'foo', expected sap or mujoco"],
	[['run', HERON, '--compare', 'sap,foo'], "--compare: unknown solver 'foo', expected two of sap, mujoco"],
	[['run', HERON, '--contacts', 'foo'], "--contacts: unknown name 'foo', expected newton or firm"],
	[['run', HERON, '--dt', 'abc'], "--dt is 'abc', expected a positive number"],
	[['run', HERON, '--worlds', '1.5'], "--worlds is '1.5', expected a whole number, 1 or more"],
	[['run', HERON, '--quantities', 'speed'], "unknown quantity 'speed', expected energy, kinetic"],
	[['check', HERON, '--fail-on', 'foo'], "--fail-on: unknown severity 'foo', expected "],
	[['check', HERON, '--select', 'R0'], "unknown rule 'R0', expected an identifier such as R1.1.7"],
	[['serve', HERON, '--rate', 'x'], "--rate is 'x', expected a number of 0 or more, or max"],
	[['completion', 'foo'], "unknown shell 'foo', expected bash, zsh or fish"],
	[['explain', 'NOPE'], "unknown rule or code 'NOPE', expected one such as R1.1.7, or a file and a path"],
	[['worker'], '--queue is missing'],
])('wrong use %j is explained', async (args, message) => {
	const result = await runCli(args);
	expect(result.stderr).toContain('error CLI006');
	expect(result.stderr).toContain(message);
	expect(result.code).toBe(2);
});

test('an extension that is unknown is refused', async () => {
	const result = await runCli(['convert', HERON, 'robot.fbx']);
	expect(result.stderr).toContain("error CLI005: unknown extension of 'robot.fbx', expected .urdf");
	expect(result.code).toBe(2);
});

test('no arguments show the help with status 2, a question for help has status 0', async () => {
	const none = await runCli([]);
	expect(none.code).toBe(2);
	expect(none.stderr).toContain('Usage: manyworlds');
	const help = await runCli(['--help']);
	expect(help.code).toBe(0);
	expect(help.stdout).toContain('Exit status: 0 clean');
});
