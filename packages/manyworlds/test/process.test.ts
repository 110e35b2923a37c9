import { spawnSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { bundledFile } from './bundle-sources.ts';
import { HERON, ROOT } from './run-cli.ts';

function spawn(...args: string[]) {
	return spawnSync(process.execPath, [bundledFile('bin'), ...args], { cwd: ROOT, encoding: 'utf8' });
}

test('the program prints to stdout and exits 0', () => {
	const result = spawn('inspect', HERON, '--json');
	// progress is shown where the machine is slow
	expect(result.stderr).not.toMatch(/error|warning|info/);
	expect(JSON.parse(result.stdout)).toMatchObject({ version: 1, file: HERON });
	expect(result.status).toBe(0);
});

test('the program exits 2 for a missing file', () => {
	const result = spawn('inspect', 'nowhere.usda');
	expect(result.stdout).toBe('');
	expect(result.stderr).toContain('CLI001');
	expect(result.status).toBe(2);
});
