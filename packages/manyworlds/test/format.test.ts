import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { runCli, temporaryFolder } from './run-cli.ts';

const ROUGH = '#usda 1.0\n(upAxis="Z"\n metersPerUnit = 1.0)\ndef   Xform "a" { double x=1.50; }\n';
const CANONICAL = `#usda 1.0
(
    metersPerUnit = 1
    upAxis = "Z"
)

def Xform "a"
{
    double x = 1.5
}

`;

function folderWith(files: Readonly<Record<string, string>>): string {
	const cwd = temporaryFolder();
	for (const [name, text] of Object.entries(files)) {
		mkdirSync(join(cwd, name, '..'), { recursive: true });
		writeFileSync(join(cwd, name), text);
	}
	return cwd;
}

test('rewrites a file in canonical form, once', async () => {
	const cwd = folderWith({ 'a.usda': ROUGH });
	const first = await runCli(['format', 'a.usda'], { cwd });
	expect(first).toEqual({ code: 0, stdout: '', stderr: '1 file, 1 changed\n' });
	expect(readFileSync(join(cwd, 'a.usda'), 'utf8')).toBe(CANONICAL);
	expect((await runCli(['format', 'a.usda'], { cwd })).stderr).toBe('1 file, 0 changed\n');
});

test('--check changes nothing and exits 1', async () => {
	const cwd = folderWith({ 'a.usda': ROUGH, 'b.usda': CANONICAL });
	const result = await runCli(['format', '--check', 'a.usda', 'b.usda'], { cwd });
	expect(result.code).toBe(1);
	expect(result.stderr).toContain('a.usda: warning CLI007');
	expect(result.stderr).not.toContain('b.usda');
	expect(readFileSync(join(cwd, 'a.usda'), 'utf8')).toBe(ROUGH);
	expect((await runCli(['format', '--check', 'b.usda'], { cwd })).code).toBe(0);
});

test('--stdout prints the result', async () => {
	const cwd = folderWith({ 'a.usda': ROUGH });
	expect(await runCli(['format', '--stdout', 'a.usda'], { cwd })).toEqual({ code: 0, stdout: CANONICAL, stderr: '' });
	expect(readFileSync(join(cwd, 'a.usda'), 'utf8')).toBe(ROUGH);
});

test('a file with comments is left alone unless forced', async () => {
	const text = `${ROUGH}# the end\n`;
	const cwd = folderWith({ 'a.usda': text });
	const careful = await runCli(['format', 'a.usda'], { cwd });
	expect(careful.code).toBe(1);
	expect(careful.stderr).toContain('a.usda:5:1: warning PKG007');
	expect(readFileSync(join(cwd, 'a.usda'), 'utf8')).toBe(text);
	const check = await runCli(['format', '--check', 'a.usda'], { cwd });
	expect(check.code).toBe(0);
	expect(check.stderr).toContain('info PKG007');
	expect((await runCli(['format', '--force', 'a.usda'], { cwd })).code).toBe(0);
	expect(readFileSync(join(cwd, 'a.usda'), 'utf8')).toBe(CANONICAL);
});

test('folders and patterns stand for the text layers in them', async () => {
	const cwd = folderWith({ 'x/a.usda': ROUGH, 'x/y/b.usda': ROUGH, 'x/y/notes.txt': 'no', '.hidden/c.usda': ROUGH });
	expect((await runCli(['format', '--check', '.'], { cwd })).stderr).toContain('2 files, 2 would change');
	expect((await runCli(['format', '--check', 'x/*.usda'], { cwd })).stderr).toContain('1 file, 1 would change');
	expect((await runCli(['format', '--check', 'x/**/*.usda'], { cwd })).stderr).toContain('2 files, 2 would change');
	const none = await runCli(['format', 'z/*.usda'], { cwd });
	expect(none.code).toBe(2);
	expect(none.stderr).toContain("error CLI009: no file matches 'z/*.usda'");
});

test('one bad file does not keep the others from being formatted', async () => {
	const cwd = folderWith({ 'a.usda': '#usda 1.0\ndef "a" {\n', 'b.usda': ROUGH, 'c.usda': 'PXR-USDC' });
	const result = await runCli(['format', 'a.usda', 'b.usda', 'c.usda'], { cwd });
	expect(result.code).toBe(2);
	expect(result.stderr).toMatch(/a\.usda:\d+:\d+: error USDA/);
	expect(result.stderr).toContain('c.usda: error CLI010: the file holds usdc, expected usda text');
	expect(readFileSync(join(cwd, 'b.usda'), 'utf8')).toBe(CANONICAL);
});
