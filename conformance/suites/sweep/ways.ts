import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { FILE_EXCHANGE_DEFAULTS } from '@manyworlds/node/internal';
import type { Outcome, Suite, SuiteContext } from '../../src/suite.ts';
import { group, isLong, planText, referenceHash, writePlan } from './plan.ts';
import { kill, pause, ROOT, run, start, startWorker, tableHash, until } from './programs.ts';

/** A folder that `python3 -m venv` made, with pyarrow and duckdb. */
const PEERS = process.env['MANYWORLDS_SWEEP_PEERS'] ?? join(tmpdir(), 'manyworlds-sweep-peers');

/** How much of what takes minutes is done. */
const AMOUNT = isLong ? { kills: 20, replays: 20, files: 2000 } : { kills: 6, replays: 5, files: 200 };

/** The same plan in many ways: one table. */
export const sweepWays: Suite = {
	name: 'sweep/ways',
	description: 'one plan on threads, in shards, through a folder, killed and resumed: the same bytes of table.parquet',
	defaultDir: '.',
	groups: [
		group('ways', 'table.parquet is equal byte by byte', 600, function* (context, folder) {
			const compare = async (out: string): Promise<Outcome> => {
				const [expected, found] = [await referenceHash(folder), tableHash(out)];
				return found === expected ? undefined : `the table is ${found}, expected ${expected}`;
			};
			const plan = (): string => writePlan(folder, 'plan.yaml', planText());
			yield {
				name: 'two threads',
				run: async () => {
					const out = join(folder, 'two');
					const ended = await run(['sweep', plan(), '--out', out, '--jobs', '2']);
					return ended.code === 0 ? compare(out) : ended.stderr;
				},
			};
			yield {
				name: 'three shards',
				run: async () => {
					const out = join(folder, 'shards');
					for (const shard of [2, 0, 1]) {
						const ended = await run(['sweep', plan(), '--out', out, '--shard', `${shard}/3`, '--jobs', '1']);
						if (ended.code !== 0) return ended.stderr;
					}
					return compare(out);
				},
			};
			yield {
				name: 'a folder as queue, two workers, one killed',
				run: async () => {
					const [out, queue] = [join(folder, 'files'), pathToFileURL(join(folder, 'queue')).href];
					const coordinator = start(['sweep', plan(), '--out', out, '--queue', queue]);
					const workers = [0, 1].map((i) => startWorker(queue, folder, i, '2s'));
					await until(() => workers[0]!.output().split('"event":"run"').length > 3, 200);
					await kill(workers[0]!);
					workers.push(startWorker(queue, folder, 2, '2s'));
					const ended = await coordinator.ended;
					for (const worker of workers) worker.child.kill('SIGTERM');
					await Promise.all(workers.map((worker) => worker.ended));
					return ended.code === 0 ? compare(out) : ended.stderr;
				},
			};
			yield {
				name: `killed ${AMOUNT.kills} times while it commits, and run again`,
				run: async () => {
					const out = join(folder, 'killed');
					for (let i = 1; i <= AMOUNT.kills; i++) {
						const program = start(['sweep', plan(), '--out', out, '--jobs', '2']);
						let isOver = false;
						void program.ended.then(() => {
							isOver = true;
						});
						await until(() => isOver || committed(out) >= 2 * i, 120, 1);
						await kill(program);
					}
					const before = committed(out);
					const ended = await run(['sweep', plan(), '--out', out, '--jobs', '2']);
					context.log(`${before} runs were committed by programs that were killed; ${ended.stdout.split('\n')[0]}`);
					if (before < 2 * AMOUNT.kills) return `only ${before} runs were committed before the last program`;
					return ended.code === 0 ? compare(out) : ended.stderr;
				},
			};
			yield {
				name: 'run 17 alone is row 17',
				run: async () => {
					const alone = await run(['sweep', plan(), '--out', join(folder, 'alone'), '--run', '17']);
					const table = await run([
						'sweep',
						'query',
						'select * from runs where index = 17',
						join(folder, 'two'),
						'--json',
					]);
					const [a, b] = [JSON.parse(alone.stdout), (JSON.parse(table.stdout) as unknown[])[0]];
					return JSON.stringify(a) === JSON.stringify(b) ? undefined : `${alone.stdout} against ${table.stdout}`;
				},
			};
			yield {
				name: `${AMOUNT.replays} runs shown again come to their states`,
				run: async () => {
					const out = join(folder, 'two');
					const rows = await run(['sweep', 'query', 'select run_key from runs order by index', out, '--json']);
					const keys = (JSON.parse(rows.stdout) as { run_key: string }[])
						.filter((_, i, { length }) => i % Math.floor(length / AMOUNT.replays) === 0)
						.slice(0, AMOUNT.replays);
					for (const { run_key } of keys) {
						const shown = await run(['sweep', 'show', run_key, out]);
						if (shown.code !== 0) return `${run_key}: ${shown.stdout}${shown.stderr}`;
					}
					return keys.length === AMOUNT.replays ? undefined : `only ${keys.length} keys: ${rows.stderr}`;
				},
			};
			yield {
				name: 'a full disk is told, and the same command goes on once there is room',
				run: () => fullDisk(folder, plan(), compare),
			};
			yield {
				name: 'a plan of a million runs: little memory, few batches in the queue',
				run: () => millionRuns(folder, context),
			};
			yield {
				name: `${AMOUNT.files} files are checked as the command check does, in order`,
				run: () => checkFiles(folder),
			};
			yield {
				name: 'pyarrow and DuckDB read the table',
				run: () => {
					const python = join(PEERS, 'bin/python');
					if (!existsSync(python)) return { skipped: `there is no ${python}: see docs/testing.md, "Peers of sweeps"` };
					const table = join(folder, 'two/table.parquet');
					const { stdout, stderr } = spawnSync(python, [join(ROOT, 'conformance/suites/sweep/read_table.py'), table], {
						encoding: 'utf8',
					});
					if (stdout === '') return stderr.slice(-400);
					const { rows, groups, nulls, indices, energies, duckdb, columns } = JSON.parse(stdout) as Record<
						string,
						number[]
					>;
					const isRight =
						Number(rows) === 48 &&
						Number(groups) === 1 &&
						Number(nulls) === 0 &&
						columns!.length === 14 &&
						indices!.every((index, i) => index === i) &&
						energies!.every(Number.isFinite) &&
						duckdb!.join() === `48,48,${48 * 1000},0,47`;
					return isRight ? undefined : stdout;
				},
			};
		}),
	],
};

/** Runs into a file system that has no room left. */
async function fullDisk(folder: string, plan: string, compare: (out: string) => Promise<Outcome>): Promise<Outcome> {
	const disk = join(folder, 'disk');
	mkdirSync(disk);
	const mount = (size: string, ...more: string[]): boolean =>
		spawnSync('mount', ['-t', 'tmpfs', '-o', [`size=${size}`, ...more].join(), 'tmpfs', disk]).status === 0;
	if (!mount('128k')) return { skipped: 'no file system of a given size can be mounted here' };
	try {
		const out = join(disk, 'out');
		const ended = await run(['sweep', plan, '--out', out, '--jobs', '1']);
		if (ended.code !== 2 || !/SWP040: results cannot be written to .*the disk is full/.test(ended.stderr))
			return `ended with ${ended.code}: ${ended.stderr}`;
		if (!mount('64m', 'remount')) return 'the file system cannot be enlarged';
		const before = committed(out);
		const again = await run(['sweep', plan, '--out', out, '--jobs', '1']);
		if (again.code !== 0) return again.stderr;
		return before > 0 ? await compare(out) : 'nothing was committed before the disk was full';
	} finally {
		spawnSync('umount', [disk]);
	}
}

/** Megabytes that a coordinator may take, whatever the size of its plan. */
const MOST_MEGABYTES = 300;

async function millionRuns(folder: string, context: SuiteContext): Promise<Outcome> {
	const status = (pid: number): string => readFileSync(`/proc/${pid}/status`, 'utf8');
	if (!existsSync('/proc/self/status')) return { skipped: 'memory of processes is told by /proc only' };
	const queue = join(folder, 'million');
	const plan = writePlan(folder, 'million.yaml', planText(2, 1_000_000));
	const out = join(folder, 'million-out');
	const coordinator = start(['sweep', plan, '--out', out, '--queue', pathToFileURL(queue).href]);
	try {
		const batches = (): number => (existsSync(join(queue, 'batches')) ? readdirSync(join(queue, 'batches')).length : 0);
		await until(() => batches() > 0, 60);
		let most = 0;
		for (let i = 0; i < 100; i++) {
			most = Math.max(most, batches());
			await pause(100);
		}
		const peak = Number(/VmHWM:\s+(\d+) kB/.exec(status(coordinator.child.pid!))?.[1]) / 1024;
		context.log(`${peak.toFixed(0)} MB at most, ${most} batches in the queue`);
		if (!(peak < MOST_MEGABYTES)) return `the coordinator took ${peak} MB, expected less than ${MOST_MEGABYTES}`;
		return most <= FILE_EXCHANGE_DEFAULTS.capacity ? undefined : `${most} batches are in the queue`;
	} finally {
		await kill(coordinator);
	}
}

async function checkFiles(folder: string): Promise<Outcome> {
	const count = AMOUNT.files;
	const assets = join(folder, 'assets');
	mkdirSync(assets);
	for (let i = 0; i < count; i++) {
		// every third lacks a unit, every fifth a default prim, every seventh ends too early
		const unit = i % 3 === 0 ? '' : 'metersPerUnit = 1\n';
		const prim = i % 5 === 0 ? '' : 'defaultPrim = "a"\n';
		writeFileSync(
			join(assets, `part-${String(i).padStart(4, '0')}.usda`),
			`#usda 1.0\n(\n${unit}${prim}upAxis = "Z"\n)\ndef Xform "a"\n{\n${i % 7 === 0 ? '' : '}\n'}`,
		);
	}
	const text = 'version: 1\nname: parts\ntask: check\nassets: [assets]\n';
	const out = join(folder, 'checked');
	const swept = await run(['sweep', writePlan(folder, 'check.yaml', text), '--out', out, '--jobs', '2']);
	if (swept.code !== 0) return `ended with ${swept.code}: ${swept.stderr.slice(-400)}`;
	const direct = await run(['check', assets, '--format', 'json', '--no-config', '--no-fixes']);
	const line = ({ code, message, file, at }: { code: string; message: string; file: string; at: unknown }): string =>
		`${code} ${file.split('/').at(-1)} ${at}: ${message}`;
	const expected = (
		JSON.parse(direct.stdout) as { diagnostics: { code: string; message: string; file: string; line: number }[] }
	).diagnostics.map((found) => line({ ...found, at: found.line }));
	const { diagnostics } = JSON.parse(readFileSync(join(out, 'findings.json'), 'utf8')) as {
		diagnostics: { code: string; message: string; file: string; range?: { start: { line: number } } }[];
	};
	const found = diagnostics.map((one) => line({ ...one, at: one.range?.start.line }));
	const different = expected.findIndex((one, i) => one !== found[i]);
	if (different >= 0) return `finding ${different} is ${found[different]}, expected ${expected[different]}`;
	if (found.length !== expected.length) return `${found.length} findings, expected ${expected.length}`;
	const files = new Set(diagnostics.map(({ file }) => file));
	return files.size > count / 2 ? undefined : `only ${files.size} files have findings`;
}

/** Results in a folder. */
function committed(out: string): number {
	const runs = join(out, 'runs');
	return existsSync(runs)
		? readdirSync(runs, { recursive: true }).filter((name) => String(name).endsWith('.json')).length
		: 0;
}
