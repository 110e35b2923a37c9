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
	[['inspect'], "missing required argument 'file'"],
	[['inspect', HERON, '--no-such-option'], 'unknown option'],
	[['inspect', HERON, '--depth', 'many'], 'Expected a number of levels'],
	[['inspect', HERON, '--format', 'yaml'], 'Allowed choices are text, json, sarif, github'],
	[['convert', HERON, 'out.usdc', '--usdc-version', '8'], 'Expected a version from 0.4.0 to 0.16.0'],
])('wrong use %j is explained', async (args, message) => {
	const result = await runCli(args);
	expect(result.stderr).toContain('error CLI006');
	expect(result.stderr).toContain(message);
	expect(result.code).toBe(2);
});

test('an extension that names no format is refused', async () => {
	const result = await runCli(['convert', HERON, 'robot.fbx']);
	expect(result.stderr).toContain("error CLI005: the extension of 'robot.fbx' names no format");
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
