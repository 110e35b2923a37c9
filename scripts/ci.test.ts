import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { parse } from 'yaml';
import { bundledFile } from '../packages/manyworlds/test/bundle-sources.ts';
import { ROOT } from './source-files.ts';

interface Step {
	readonly id?: string;
	readonly uses?: string;
	readonly run?: string;
	readonly shell?: string;
	readonly env?: Readonly<Record<string, string>>;
}

interface Action {
	readonly inputs: Readonly<Record<string, { readonly description: string; readonly default: string }>>;
	readonly outputs: Readonly<Record<string, { readonly value: string }>>;
	readonly runs: { readonly using: string; readonly steps: readonly Step[] };
}

function read(name: string): string {
	return readFileSync(join(ROOT, name), 'utf8');
}

describe('action.yml', () => {
	const action = parse(read('action.yml')) as Action;
	const scripts = action.runs.steps.filter(({ run }) => run !== undefined);

	it('puts nothing that somebody writes into a script', () => {
		expect(scripts.length).toBeGreaterThan(0);
		for (const { run, shell } of scripts) {
			expect(run).not.toContain('${' + '{');
			expect(shell).toBe('bash');
		}
	});

	it('uses every input that it declares, and declares those that it uses', () => {
		const used = new Set([...read('action.yml').matchAll(/inputs\.([\w-]+)/g)].map(([, name]) => name));
		expect([...used].sort()).toEqual(Object.keys(action.inputs).sort());
		for (const { uses } of action.runs.steps) if (uses !== undefined) expect(uses).toMatch(/^[\w-]+\/[\w/-]+@v\d+$/);
	});

	it('has outputs that its steps set', () => {
		const script = read('ci/action.sh');
		for (const [name, { value }] of Object.entries(action.outputs)) {
			expect(value).toBe(`\${{ steps.check.outputs.${name} }}`);
			expect(script).toContain(`${name}=`);
		}
		expect(action.runs.steps.some(({ id }) => id === 'check')).toBe(true);
	});

	it('does what it says when it is run', () => {
		const folder = mkdtempSync(join(tmpdir(), 'manyworlds action '));
		onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
		const asset = '#usda 1.0\n(\n    defaultPrim = "A"\n)\n\ndef Xform "A"\n{\n    float x = oops\n}\n';
		// names that a careless script would take for commands
		const name = 'a; echo $(touch pwned).usda';
		writeFileSync(join(folder, name), asset);
		const step = scripts.find(({ id }) => id === 'check')!;
		const inputs: Record<string, string> = {
			...Object.fromEntries(Object.entries(action.inputs).map(([key, one]) => [key, one.default])),
			paths: name,
			'fail-on': 'error',
		};
		const values = Object.entries(step.env!).map(([key, value]) => [
			key,
			value.replace(/\$\{\{ inputs\.([\w-]+) \}\}/, (_, one: string) => inputs[one]!),
		]);
		const output = join(folder, 'output');
		const { status, stdout } = spawnSync('bash', ['-c', step.run!], {
			cwd: folder,
			encoding: 'utf8',
			env: {
				...process.env,
				...Object.fromEntries(values),
				GITHUB_ACTION_PATH: ROOT,
				GITHUB_OUTPUT: output,
				MANYWORLDS_COMMAND: `${process.execPath} ${bundledFile('bin')}`,
			},
		});
		expect(status).toBe(1);
		expect(stdout).toMatch(/^::error file=.*line=8,/m);
		expect(existsSync(join(folder, 'pwned'))).toBe(false);
		const outputs = Object.fromEntries(
			readFileSync(output, 'utf8')
				.trim()
				.split('\n')
				.map((line) => line.split('=')),
		);
		const log = JSON.parse(readFileSync(join(folder, 'manyworlds.sarif'), 'utf8')) as {
			runs: [{ results: { level: string }[] }];
		};
		const errors = log.runs[0].results.filter(({ level }) => level === 'error').length;
		expect(outputs).toMatchObject({ errors: `${errors}`, sarif: 'manyworlds.sarif' });
		expect(errors).toBeGreaterThan(0);
	});
});

it('.pre-commit-hooks.yaml names commands that there are, for the files that they read', () => {
	const hooks = parse(read('.pre-commit-hooks.yaml')) as Record<string, unknown>[];
	expect(hooks.map(({ id }) => id)).toEqual(['manyworlds-check', 'manyworlds-format', 'manyworlds-fix']);
	for (const { entry, files, require_serial: isSerial, language, name } of hooks) {
		expect([isSerial, language, typeof name]).toEqual([true, 'system', 'string']);
		expect(existsSync(join(ROOT, `packages/manyworlds/src/command/commands/${String(entry).split(' ')[1]}.ts`))).toBe(
			true,
		);
		const pattern = new RegExp(String(files));
		expect(pattern.test('robots/arm.usda')).toBe(true);
		expect(pattern.test('pom.xml')).toBe(false);
	}
});

describe('the Dockerfile', () => {
	const lines = read('Dockerfile')
		.replaceAll('\\\n', ' ')
		.split('\n')
		.filter((line) => /^[A-Z]/.test(line));
	const of = (word: string): string[] => lines.filter((line) => line.startsWith(`${word} `));

	it('has two stages of a named version, no root at the end, and one entry', () => {
		expect(of('FROM')).toHaveLength(2);
		for (const line of of('FROM')) expect(line).toMatch(/^FROM node:\d+-slim( AS build)?$/);
		expect(lines.findLastIndex((line) => line.startsWith('USER '))).toBeGreaterThan(
			lines.findLastIndex((line) => line.startsWith('RUN ')),
		);
		expect(of('USER')).toEqual(['USER node']);
		expect(of('ENTRYPOINT')).toEqual(['ENTRYPOINT ["manyworlds"]']);
		expect(of('ADD')).toEqual([]);
		for (const line of of('RUN')) expect(line).not.toMatch(/curl|wget|sudo|apt-get/);
	});

	it('copies only what the build makes', () => {
		for (const line of of('COPY').filter((one) => one.includes('--from'))) {
			const path = /\/source\/(\S+)/.exec(line)![1]!;
			expect(existsSync(join(ROOT, path))).toBe(true);
		}
		expect(existsSync(join(ROOT, 'packages/manyworlds/bin/manyworlds.cjs'))).toBe(true);
	});
});

it('scripts of the shell hold to its grammar', () => {
	expect(() => execFileSync('bash', ['-n', join(ROOT, 'ci/action.sh')])).not.toThrow();
});
