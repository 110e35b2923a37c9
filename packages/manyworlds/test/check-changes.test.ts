import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { main } from 'manyworlds/internal';
import { expect, test } from 'vitest';
import { runCli, temporaryFolder } from './run-cli.ts';

const LAYER = (reference: string): string =>
	`#usda 1.0\n(\n    defaultPrim = "A"\n)\n\ndef Xform "A"${reference === '' ? '' : ` (\n    references = @${reference}@\n)`}\n{\n}\n`;

function repository(): string {
	const folder = temporaryFolder();
	mkdirSync(join(folder, 'parts'));
	writeFileSync(join(folder, 'one.usda'), LAYER('./parts/one.usda'));
	writeFileSync(join(folder, 'two.usda'), LAYER('./parts/two.usda'));
	writeFileSync(join(folder, 'parts/one.usda'), LAYER(''));
	writeFileSync(join(folder, 'parts/two.usda'), LAYER(''));
	const git = (...args: string[]): void =>
		void execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@example.org', ...args], {
			cwd: folder,
			stdio: 'ignore',
		});
	git('init', '-q');
	git('add', '.');
	git('commit', '-qm', 'first');
	return folder;
}

test('check --changed-since checks the assets that a changed file is part of, new files too', async () => {
	const cwd = repository();
	const assets = async (): Promise<string[]> => {
		const { stdout } = await runCli(['check', '.', '--changed-since', 'HEAD', '--format', 'json', '--no-fixes'], {
			cwd,
		});
		return (JSON.parse(stdout) as { summary: { assets: { asset: string }[] } }).summary.assets.map(
			({ asset }) => asset,
		);
	};
	expect(await assets()).toEqual([]);
	writeFileSync(join(cwd, 'parts/two.usda'), LAYER('').replace('{', '{\n    double x = 1'));
	expect(await assets()).toEqual(['two.usda']);
	writeFileSync(join(cwd, 'three.usda'), LAYER(''));
	expect(await assets()).toEqual(['three.usda', 'two.usda']);
});

test('check --changed-since refuses what is no revision, and options in its place', async () => {
	const cwd = repository();
	for (const revision of ['nowhere', '--output=x']) {
		const { code, stdout } = await runCli(['check', '.', `--changed-since=${revision}`], { cwd });
		expect(code).toBe(2);
		expect(stdout + revision).toContain(revision);
	}
	const { code } = await runCli(['check', '.', '--changed-since', 'HEAD'], { cwd: temporaryFolder() });
	expect(code).toBe(2);
});

test('check --watch checks again after a change, and ends when it is stopped', async () => {
	const cwd = temporaryFolder();
	const file = join(cwd, 'a.usda');
	writeFileSync(file, LAYER(''));
	let stop = (): void => {};
	const stopped = new Promise<void>((resolve) => {
		stop = resolve;
	});
	let printed = '';
	let wake = (): void => {};
	const stdout = { write: (text: string | Uint8Array) => void (printed += String(text)) };
	const stderr = {
		write: (text: string | Uint8Array) => {
			if (String(text).includes('waiting')) wake();
		},
	};
	const waits = (): Promise<void> =>
		new Promise((resolve) => {
			wake = resolve;
		});
	let waiting = waits();
	const running = main(['check', 'a.usda', '--watch', '--no-fixes'], {
		stdout,
		stderr,
		env: {},
		cwd,
		now: () => 0,
		stopped,
	});
	await waiting;
	expect(printed).not.toContain('oops');
	waiting = waits();
	writeFileSync(file, readFileSync(file, 'utf8').replace('{', '{\n    double x = oops'));
	await waiting;
	expect(printed).toContain('oops');
	stop();
	expect(await running).toBe(1);
});
