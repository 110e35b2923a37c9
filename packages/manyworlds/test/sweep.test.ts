import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { Worker } from 'node:worker_threads';
import { FileExchange } from '@manyworlds/node/internal';
import { batchOf } from '@manyworlds/sweep/internal';
import { describe, expect, test } from 'vitest';
import { ComputePool } from '../src/command/sweep/compute-pool.ts';
import { SweepMetrics } from '../src/command/sweep/sweep-metrics.ts';
import { SweepProgress } from '../src/command/sweep/sweep-progress.ts';
import type { ThreadRun, ThreadSetup } from '../src/command/sweep/thread-setup.ts';
import { ROOT, runCli, temporaryFolder } from './run-cli.ts';

const CRANE = join(ROOT, 'examples/robots/crane/crane.xml');
const PLAN = `version: 1
name: crane
asset: ${JSON.stringify(CRANE)}
runs: {sampler: {kind: lhs, count: 12}}
parameters: {m: {path: "model:body_mass[lower]", scale: {range: [0.5, 2]}}}
simulate: {duration: 0.1}
outputs: {metrics: {e: {last: energy}, q: {max_abs: "joint_q:elbow"}}}
`;

const write = (folder: string, text: string): string => {
	const file = join(folder, 'plan.yaml');
	writeFileSync(file, text);
	return file;
};

describe('manyworlds sweep', () => {
	test('runs a plan, resumes it, and computes only what a changed plan adds', async () => {
		const folder = temporaryFolder();
		const out = join(folder, 'out');
		const sweep = async (text: string, ...more: string[]): Promise<Record<string, unknown>> => {
			const ended = await runCli(['sweep', write(folder, text), '--out', out, '--jobs', '1', '--json', ...more]);
			expect(ended.code, ended.stderr).toBe(0);
			return JSON.parse(ended.stdout.trim().split('\n').at(-1)!) as Record<string, unknown>;
		};
		expect(await sweep(PLAN)).toMatchObject({ event: 'end', done: 12, failed: 0, rows: 12, status: { ok: 12 } });
		const table = readFileSync(join(out, 'table.parquet'));
		// the same command again has nothing to do, and writes the same table
		expect(await sweep(PLAN)).toMatchObject({ done: 12, status: { ok: 0 } });
		expect(readFileSync(join(out, 'table.parquet')).equals(table)).toBe(true);
		// a metric less, under another name: nothing to do
		expect(
			await sweep(PLAN.replace('q: {max_abs: "joint_q:elbow"}', '').replace('e: {last', 'energy: {last')),
		).toMatchObject({ status: { ok: 0 }, rows: 12 });
		// a run alone is its row, and gives the same bytes
		const row = await runCli(['sweep', 'query', 'select * from runs where index = 7', out, '--json']);
		await sweep(PLAN);
		const whole = await runCli(['sweep', 'query', 'select * from runs where index = 7', out, '--json']);
		const [{ run_key: key }] = JSON.parse(whole.stdout) as [{ run_key: string }];
		rmSync(join(out, 'runs', key.slice(0, 2)), { recursive: true });
		const alone = await runCli(['sweep', write(folder, PLAN), '--out', out, '--run', '7']);
		expect(JSON.parse(alone.stdout)).toEqual((JSON.parse(whole.stdout) as unknown[])[0]);
		expect(Object.keys((JSON.parse(row.stdout) as object[])[0]!)).toContain('m_energy');
		expect(await sweep(PLAN)).toMatchObject({ status: { ok: 0 } });
		expect(readFileSync(join(out, 'table.parquet')).equals(table)).toBe(true);
		const html = readFileSync(join(out, 'report.html'), 'utf8');
		expect(html).toContain('12 of 12');
		const status = await runCli(['sweep', 'status', out]);
		expect(status.stdout).toBe('crane: 12 of 12 runs are committed (12 ok)\n');
		const shown = await runCli(['sweep', 'show', key.slice(0, 10), out]);
		expect(JSON.parse(shown.stdout)).toMatchObject({ run_key: key, index: 7, equal: true });
	});

	test('failures are rows with their reasons, and are run again when asked to', async () => {
		const folder = temporaryFolder();
		const out = join(folder, 'out');
		const text = `${PLAN.replace(/^runs.*\n/m, '').replace(/^parameters.*$/m, 'parameters: {v: {path: "model:joint_qd[elbow]", choices: [0, 5000000, 6000000, 7000000]}}')}`;
		const ended = await runCli(['sweep', write(folder, text), '--out', out, '--jobs', '1']);
		expect(ended.code, ended.stderr).toBe(0);
		expect(ended.stdout).toMatch(/4 runs .*\n {2}3 diverged/);
		const table = await runCli(['sweep', 'query', 'select status, reason from runs order by index', out, '--json']);
		const rows = JSON.parse(table.stdout) as { status: string; reason: string | null }[];
		expect(rows).toHaveLength(4);
		expect(rows[0]).toEqual({ status: 'ok', reason: null });
		expect(rows.find(({ status }) => status === 'diverged')!.reason).toMatch(/step 1/);
		const stopped = await runCli([
			'sweep',
			write(folder, `${text}stop: {max_failures: 1}\n`),
			'--out',
			out,
			'--jobs',
			'1',
			'--retry',
			'failed',
		]);
		expect(stopped.code).toBe(1);
		expect(stopped.stderr).toMatch(/SWP050: [23] runs failed/);
	});

	test('checks files as the command check does', async () => {
		const folder = temporaryFolder();
		mkdirSync(join(folder, 'assets'));
		for (let i = 0; i < 6; i++)
			writeFileSync(
				join(folder, `assets/part${i}.usda`),
				`#usda 1.0\n(\n    defaultPrim = "Part"\n${i % 2 === 0 ? '    upAxis = "Y"\n' : '    upAxis = "Z"\n    metersPerUnit = 1\n'})\n\ndef Xform "Part"\n{\n${i === 2 ? '' : '}\n'}`,
			);
		write(folder, 'version: 1\nname: parts\ntask: check\nassets: [assets]\n');
		const ended = await runCli(['sweep', 'plan.yaml', '--jobs', '1', '--json'], { cwd: folder });
		expect(ended.code, ended.stderr).toBe(0);
		const checked = await runCli(['check', 'assets', '--format', 'json', '--no-config', '--no-fixes'], { cwd: folder });
		const { diagnostics } = JSON.parse(readFileSync(join(folder, 'parts.sweep/findings.json'), 'utf8')) as {
			diagnostics: { code: string; message: string; file: string; range: { start: { line: number } } }[];
		};
		const expected = (
			JSON.parse(checked.stdout) as { diagnostics: { code: string; message: string; file: string; line: number }[] }
		).diagnostics;
		expect(diagnostics.length).toBeGreaterThan(6);
		expect(diagnostics.map(({ code, message, file, range }) => [code, message, file, range?.start.line])).toEqual(
			expected.map(({ code, message, file, line }) => [code, message, file, line]),
		);
		const table = await runCli([
			'sweep',
			'query',
			'select file, n_error, n_warning, codes from runs',
			join(folder, 'parts.sweep'),
			'--json',
		]);
		const rows = JSON.parse(table.stdout) as { file: string; n_error: number; n_warning: number; codes: string }[];
		expect(rows.map(({ file }) => file)).toEqual(Array.from({ length: 6 }, (_, i) => `assets/part${i}.usda`));
		expect(rows.reduce((sum, { n_error, n_warning }) => sum + n_error + n_warning, 0)).toBe(
			expected.filter(({ code: _, ...rest }) =>
				['error', 'warning'].includes((rest as unknown as { severity: string }).severity),
			).length,
		);
	});

	test.each([
		['nowhere.yaml', /CLI001/],
		['bad path', /plan.yaml:5:\d+: error SWP020: parameters.m: body_mass\[lowr\].*did you mean/],
		['bad asset', /plan.yaml:3:\d+: error SWP025/],
		[
			'full disk',
			/SWP040: results cannot be written to .*(it is a folder|not a directory|file already exists|EEXIST|ENOTDIR)/i,
		],
		['bad queue', /SWP043: --queue: 'redis:\/\/x\/y' cannot be used/],
		['no server', /SWP042: --queue: the server at 127.0.0.1:1 does not answer/],
		['no run', /SWP032: there is no run 99: there are 12/],
	])('%s is told before anything is run', async (what, expected) => {
		const folder = temporaryFolder();
		const plan = write(
			folder,
			what === 'bad path'
				? PLAN.replace('[lower]', '[lowr]')
				: what === 'bad asset'
					? PLAN.replace('crane.xml', 'heron.xml')
					: PLAN,
		);
		writeFileSync(join(folder, 'file'), '');
		const options: Record<string, string[]> = {
			'nowhere.yaml': [join(folder, 'nowhere.yaml')],
			'full disk': [plan, '--out', join(folder, 'file/below')],
			'bad queue': [plan, '--queue', 'redis://x/y'],
			'no server': [plan, '--queue', 'nats://127.0.0.1:1/x'],
			'no run': [plan, '--run', '99'],
		};
		const ended = await runCli(['sweep', ...(options[what] ?? [plan])], { cwd: folder });
		expect(ended.code).toBe(2);
		expect(ended.stderr).toMatch(expected);
	});

	test('a folder as queue: a worker does what the coordinator announced, and the table is that of threads', async () => {
		const folder = temporaryFolder();
		const plan = write(folder, PLAN.replace('count: 12', 'count: 6'));
		const queue = pathToFileURL(join(folder, 'queue')).href;
		const [worker, sweep] = await Promise.all([
			runCli(['worker', '--queue', queue, '--threads', '1', '--idle-exit', '2s', '--cache', join(folder, 'cache')]),
			runCli(['sweep', plan, '--out', join(folder, 'queued'), '--queue', queue]),
		]);
		expect(sweep.code, sweep.stderr).toBe(0);
		expect(worker.code, worker.stderr).toBe(0);
		expect(worker.stderr.match(/"event":"run"/g)).toHaveLength(6);
		const direct = await runCli(['sweep', plan, '--out', join(folder, 'direct'), '--jobs', '1']);
		expect(direct.code).toBe(0);
		expect(
			readFileSync(join(folder, 'queued/table.parquet')).equals(readFileSync(join(folder, 'direct/table.parquet'))),
		).toBe(true);
	});
});

describe('workers', () => {
	test('of another version leave a sweep to others and say so', async () => {
		const folder = temporaryFolder();
		const exchange = new FileExchange(join(folder, 'queue'));
		await exchange.announce(
			{ version: 1, sweep: 's', tool: 'manyworlds 9.9.9', planFile: 'p.yaml', planText: PLAN, entry: 'x', files: [] },
			() => new Uint8Array(),
		);
		await exchange.submit(batchOf('s', [0]));
		const queue = pathToFileURL(join(folder, 'queue')).href;
		const ended = await runCli(['worker', '--queue', queue, '--once', '--cache', join(folder, 'cache')]);
		expect(ended.stderr).toMatch(/SWP044.*'manyworlds 9\.9\.9'.*left to others/);
		expect((await exchange.stats()).pending).toBe(1);
		await exchange.close();
	});
});

describe('threads', () => {
	const setup: ThreadSetup = { planText: '', planFile: '', asset: '', roots: [], cwd: '/', env: {} };
	const runs = [0, 1, 2].map((index): ThreadRun => ({ index, key: `k${index}`, values: [], repeat: 0, seed: 0 }));
	/** A thread that ends, hangs or answers, by the index of a run. */
	const start = (program: string): Worker =>
		new Worker(
			`const { parentPort } = require('node:worker_threads');
			parentPort.postMessage('ready'); parentPort.on('message', ({ id, runs }) => { for (const { index, key } of runs) { ${program} } parentPort.postMessage({ id, heap: 0, outcomes: runs.map(({ key }) => ({ result: { version: 1, key, status: 'ok', steps: 1, state: 's', metrics: {} } })) }); });`,
			{ eval: true },
		);

	test('a run that ends its thread is a crash of its own, after three tries', async () => {
		let started = 0;
		const pool = new ComputePool(setup, {
			timePerRun: 60,
			start: () => {
				started++;
				return start('if (index === 1) process.exit(7);');
			},
		});
		const outcomes = await pool.compute(runs);
		await pool.close();
		expect(outcomes.map(({ result }) => result.status)).toEqual(['ok', 'crashed', 'ok']);
		expect(outcomes[1]!.result.reason).toMatch(/its thread ended 3 times: exit code 7/);
		expect(started).toBe(5);
	});

	test('a program that does not start is no fault of a run', async () => {
		const pool = new ComputePool(setup, {
			timePerRun: 60,
			start: () => new Worker('throw new Error("no such module")', { eval: true }),
		});
		await expect(pool.compute(runs)).rejects.toThrow(/a thread could not be started: .*no such module/s);
		await pool.close();
	});

	test('a run that takes too long is a timeout of its own', async () => {
		const pool = new ComputePool(setup, { timePerRun: 0.2, start: () => start('if (index === 2) for (;;) {}') });
		// once warm a thread has no time to start
		await pool.compute([runs[0]!]);
		const outcomes = await pool.compute([runs[1]!, runs[2]!]);
		await pool.close();
		expect(outcomes.map(({ result }) => result.status)).toEqual(['ok', 'timeout']);
		expect(outcomes[1]!.result.reason).toBe('it took more than 0.2 s');
	});
});

describe('counts', () => {
	test('are Prometheus text on request', async () => {
		const metrics = new SweepMetrics();
		metrics.add('runs_total{status="ok"}', 3);
		metrics.add('runs_total{status="diverged"}');
		metrics.set('queue_pending', 4);
		const served = await metrics.serve(':0');
		const response = await fetch(`http://127.0.0.1:${served.port}/metrics`);
		served.close();
		expect(await response.text()).toBe(
			'# HELP manyworlds_sweep_queue_pending Batches that wait.\n# TYPE manyworlds_sweep_queue_pending gauge\nmanyworlds_sweep_queue_pending 4\n# HELP manyworlds_sweep_runs_total Runs that were committed, by status.\n# TYPE manyworlds_sweep_runs_total counter\nmanyworlds_sweep_runs_total{status="diverged"} 1\nmanyworlds_sweep_runs_total{status="ok"} 3\n',
		);
		await expect(metrics.serve('nowhere')).rejects.toThrow("'nowhere' is no [HOST]:PORT");
	});

	test('progress tells rate, time left with a margin, and failures', () => {
		let time = 0;
		const progress = new SweepProgress(110, () => time);
		progress.before = 10;
		for (let i = 0; i < 50; i++) {
			time += 100;
			progress.add(i === 7 ? 'diverged' : 'ok', 5);
		}
		expect(progress.rate).toBeCloseTo(10, 9);
		expect(progress.line).toBe('60 of 110 runs, 10/s, 5 s ± 1 s left, 1 diverged');
		expect(progress.json).toMatchObject({ event: 'progress', done: 60, total: 110, failed: 1, rate: 10, left_s: 5 });
	});
});

describe('examples', () => {
	test.each([
		['crane', { total: 61 }],
		['egret', { total: 32 }],
		['box-drop', { total: 16 }],
		['heron-grippers', { total: 8 }],
		['check-robots', { total: 2 }],
	])('%s runs to its end', async (name, expected) => {
		const out = join(temporaryFolder(), 'out');
		const ended = await runCli(['sweep', `examples/sweeps/${name}.yaml`, '--out', out, '--jobs', '1', '--json']);
		expect(ended.code, ended.stderr).toBe(0);
		expect(JSON.parse(ended.stdout.trim().split('\n').at(-1)!)).toMatchObject({
			...expected,
			done: expected.total,
			failed: 0,
		});
	});

	test('recipes for clusters use options that there are', async () => {
		const help = (await runCli(['sweep', '--help'])).stdout + (await runCli(['worker', '--help'])).stdout;
		for (const name of ['slurm.sh', 'kubernetes-job.yaml', 'kubernetes-workers.yaml', 'compose.yaml']) {
			const text = readFileSync(join(ROOT, 'examples/sweeps', name), 'utf8');
			const options = [...text.matchAll(/(?<=[\s[",])--([a-z-]+)/g)].map((match) => match[0]);
			const own = options.filter(
				(option) => !['--export', '--job-name', '--array', '--cpus-per-task', '--requeue', '--scale'].includes(option),
			);
			expect(own.length, name).toBeGreaterThan(0);
			for (const option of own) expect(help, `${name}: ${option}`).toContain(option);
		}
	});

	test('the Slurm array counts its parts from 0, whatever the array begins with', () => {
		const folder = temporaryFolder();
		writeFileSync(join(folder, 'manyworlds'), '#!/bin/sh\necho "$@"\n', { mode: 0o755 });
		const env = {
			PATH: `${folder}:${process.env['PATH']}`,
			PLAN: 'p.yaml',
			OUT: 'o',
			SLURM_ARRAY_TASK_ID: '4',
			SLURM_ARRAY_TASK_MIN: '2',
			SLURM_ARRAY_TASK_COUNT: '6',
			SLURM_CPUS_PER_TASK: '3',
		};
		const { stdout, stderr } = spawnSync('bash', [join(ROOT, 'examples/sweeps/slurm.sh')], { env, encoding: 'utf8' });
		expect(stdout, stderr).toBe('sweep p.yaml --out o --jobs 3 --shard 2/6\n');
	});
});
