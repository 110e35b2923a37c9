import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { FILE_EXCHANGE_DEFAULTS } from '@manyworlds/node/internal';
import type { Case, Group, Outcome, Suite, SuiteContext } from '../../src/suite.ts';
import { CREDENTIALS, kill, NatsServer, natsServers, ROOT, type Running, run, start, tableHash } from './programs.ts';

/** A folder that `python3 -m venv` made, with pyarrow and duckdb. */
const PEERS = process.env['MANYWORLDS_SWEEP_PEERS'] ?? join(tmpdir(), 'manyworlds-sweep-peers');
const CRANE = join(ROOT, 'examples/robots/crane/crane.xml');

/** A plan of 48 runs that take a tenth of a second each. */
export function planText(duration = 2, count = 48): string {
	return `version: 1
name: crane
asset: ${JSON.stringify(CRANE)}
seed: 3
runs: {sampler: {kind: lhs, count: ${count}}}
parameters:
  upper: {path: "model:body_mass[upper]", scale: {range: [0.5, 2]}}
  lower: {path: "model:body_mass[lower]", scale: {range: [0.5, 2]}}
  solver: {option: solver, choices: [sap, mujoco], weights: [9, 1]}
simulate: {duration: ${duration}, noise: {joint_q: 0.1, joint_qd: 0.5}}
outputs: {metrics: {reach: {max_abs: "joint_q:elbow"}, e: {last: energy}}, series: {every: 0.05, quantities: [joint_q]}}
`;
}

/** Table of the plan, computed in one thread once. */
let reference: Promise<string> | undefined;

export function referenceHash(folder: string): Promise<string> {
	reference ??= (async () => {
		const out = join(folder, 'reference.sweep');
		const ended = await run(['sweep', writePlan(folder, 'reference.yaml', planText()), '--out', out, '--jobs', '1']);
		if (ended.code !== 0) throw new Error(`the reference ended with ${ended.code}: ${ended.stderr}`);
		return tableHash(out);
	})();
	return reference;
}

export function writePlan(folder: string, name: string, text: string): string {
	mkdirSync(folder, { recursive: true });
	const file = join(folder, name);
	writeFileSync(file, text);
	return file;
}

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

const isLong = process.env['MANYWORLDS_LONG'] === '1';

/** Seconds of the long run, and of its lease. */
const LONG = isLong ? { run: 120, lease: 10 } : { run: 8, lease: 2 };

/** How much of what takes minutes is done. */
const AMOUNT = isLong ? { kills: 20, replays: 20, files: 2000 } : { kills: 6, replays: 5, files: 200 };

/** A real server, with workers, coordinator and server killed. */
export const sweepNats: Suite = {
	name: 'sweep/nats',
	description:
		'workers on a real nats-server, killed with -9 like the coordinator and the server: nothing lost, nothing twice',
	defaultDir: '.',
	groups: [
		group('kills', 'table.parquet is equal byte by byte', 600, function* (context, folder) {
			const servers = natsServers();
			if (servers.length === 0) {
				yield {
					name: 'nats-server',
					run: () => ({
						skipped: 'there is no nats-server: apt-get install nats-server, or MANYWORLDS_NATS_SERVER=PATH',
					}),
				};
				return;
			}
			for (const [i, server] of servers.entries()) {
				const own = join(folder, server.version);
				yield { name: `${server.version}: two workers`, run: () => twoWorkers(server, own, folder, context) };
				yield {
					name: `${server.version}: workers, coordinator and server killed`,
					run: () =>
						losesMessages(server.version)
							? {
									skipped: `${server.version} does not know sync_interval: a server that is killed loses what it has acknowledged`,
								}
							: withKills(server, own, folder, context),
				};
				if (i === 0) {
					yield { name: `${server.version}: a long run executes once`, run: () => longRun(server, own) };
					yield { name: `${server.version}: what cannot be used is refused`, run: () => refusals(server, own) };
				}
			}
		}),
	],
};

type Server = ReturnType<typeof natsServers>[number];

async function twoWorkers(server: Server, own: string, folder: string, context: SuiteContext): Promise<Outcome> {
	const nats = await NatsServer.create(server, join(own, 'nats-two'));
	const url = nats.url('two');
	const workers = [0, 1].map((i) => startWorker(url, own, i, '10s'));
	try {
		const out = join(own, 'two');
		const ended = await run(
			['sweep', writePlan(own, 'plan.yaml', planText()), '--out', out, '--queue', url],
			CREDENTIALS,
		);
		if (ended.code !== 0) return ended.stderr;
		context.log(ended.stdout.split('\n')[0]!);
		const [expected, found] = [await referenceHash(folder), tableHash(out)];
		if (found !== expected) return `the table is ${found}, expected ${expected}`;
		for (const worker of workers) worker.child.kill('SIGTERM');
		const codes = (await Promise.all(workers.map((worker) => worker.ended))).map(({ code }) => code);
		return codes.every((code) => code === 0) ? undefined : `workers ended with ${codes.join(', ')} after SIGTERM`;
	} finally {
		await Promise.all(workers.map(kill));
		await nats.kill();
	}
}

/** Every three seconds somebody dies. */
async function withKills(server: Server, own: string, folder: string, context: SuiteContext): Promise<Outcome> {
	const nats = await NatsServer.create(server, join(own, 'nats-kills'));
	const url = nats.url('kills');
	const out = join(own, 'kills');
	const plan = writePlan(own, 'plan.yaml', planText());
	const lease = '3s';
	const coordinate = (): Running => start(['sweep', plan, '--out', out, '--queue', url, '--lease', lease], CREDENTIALS);
	let coordinator = coordinate();
	let count = 0;
	const workers = [0, 1].map(() => startWorker(url, own, count++, lease));
	const everybody: Running[] = [...workers];
	let kills = 0;
	try {
		for (let round = 0; round < 12; round++) {
			const ended = await Promise.race([coordinator.ended, pause(3000)]);
			if (ended !== undefined) break;
			kills++;
			if (round === 4) {
				await nats.kill();
				await pause(500);
				await nats.start();
			} else if (round === 6) {
				await kill(coordinator);
				coordinator = coordinate();
			} else {
				const at = round % 2;
				await kill(workers[at]!);
				workers[at] = startWorker(url, own, count++, lease);
				everybody.push(workers[at]!);
			}
		}
		const ended = await coordinator.ended;
		if (ended.code !== 0) return `the coordinator ended with ${ended.code}: ${ended.stderr}`;
		const done = everybody.flatMap((worker) =>
			[...worker.output().matchAll(/"event":"run","run_key":"(\w+)"/g)].map((match) => match[1]!),
		);
		context.log(
			`${kills} kills, ${new Set(done).size} runs seen committed, ${done.length - new Set(done).size} computed again`,
		);
		const [expected, found] = [await referenceHash(folder), tableHash(out)];
		if (found !== expected) return `the table is ${found}, expected ${expected}`;
		const status = JSON.parse((await run(['sweep', 'status', out, '--json'])).stdout) as {
			runs: number;
			committed: number;
			conflicts: number;
		};
		return status.runs === 48 && status.committed === 48 && status.conflicts === 0 ? undefined : JSON.stringify(status);
	} finally {
		await Promise.all([coordinator, ...everybody].map(kill));
		await nats.kill();
	}
}

/** A run that takes several times its lease is computed by one worker, although another one is idle. */
async function longRun(server: Server, own: string): Promise<Outcome> {
	const nats = await NatsServer.create(server, join(own, 'nats-long'));
	const url = nats.url('long');
	// long enough on a fast machine; ended by the clock of the suite, not by its own
	const speed = await secondsOfTenSeconds(own);
	const duration = Math.ceil((10 * LONG.run) / speed);
	const plan = writePlan(
		own,
		'long.yaml',
		planText(duration, 1).replace('weights: [9, 1]', 'weights: [1, 0]').replace('every: 0.05', 'every: 10'),
	);
	const lease = `${LONG.lease}s`;
	const workers = [0, 1].map((i) => startWorker(url, own, 10 + i, lease));
	try {
		const begun = performance.now();
		const ended = await run(['sweep', plan, '--out', join(own, 'long'), '--queue', url, '--lease', lease], CREDENTIALS);
		const seconds = (performance.now() - begun) / 1000;
		if (ended.code !== 0) return ended.stderr;
		if (seconds < 2 * LONG.lease) return `the run took ${seconds} s, which is no test of a lease of ${lease}`;
		await pause(1000 * LONG.lease);
		const runs = workers.flatMap((worker) => [...worker.output().matchAll(/"event":"run"/g)]).length;
		return runs === 1 ? undefined : `the run was computed ${runs} times`;
	} finally {
		await Promise.all(workers.map(kill));
		await nats.kill();
	}
}

/** Seconds that this machine takes for ten simulated ones. */
async function secondsOfTenSeconds(own: string): Promise<number> {
	const plan = writePlan(own, 'speed.yaml', planText(10, 1).replace('weights: [9, 1]', 'weights: [1, 0]'));
	const ended = await run(['sweep', plan, '--dry-run', '--json']);
	return (JSON.parse(ended.stdout) as { seconds_per_run: number }).seconds_per_run;
}

async function refusals(server: Server, own: string): Promise<Outcome> {
	const nats = await NatsServer.create(server, join(own, 'nats-bad'));
	const plan = writePlan(own, 'plan.yaml', planText());
	const out = join(own, 'bad');
	const expect = async (
		what: string,
		args: readonly string[],
		env: Readonly<Record<string, string>>,
		code: RegExp,
	): Promise<string | undefined> => {
		const ended = await run(args, env);
		return ended.code === 2 && code.test(ended.stderr)
			? undefined
			: `${what}: ended with ${ended.code}: ${ended.stderr}`;
	};
	try {
		const wrong = { ...CREDENTIALS, NATS_PASSWORD: 'guess' };
		const found = [
			await expect(
				'wrong password',
				['sweep', plan, '--out', out, '--queue', nats.url('bad')],
				wrong,
				/SWP042.*refuses the user or password/,
			),
			await expect(
				'wrong password of a worker',
				['worker', '--queue', nats.url('bad'), '--once'],
				wrong,
				/SWP042.*refuses the user or password/,
			),
			await expect(
				'no server',
				['sweep', plan, '--out', out, '--queue', 'nats://127.0.0.1:1/bad'],
				CREDENTIALS,
				/SWP042.*does not answer/,
			),
			await expect('no name', ['sweep', plan, '--out', out, '--queue', 'nats://127.0.0.1:4222'], CREDENTIALS, /SWP043/),
			await foreignMessages(nats, own, plan),
		];
		return found.find((reason) => reason !== undefined);
	} finally {
		await nats.kill();
	}
}

/** Whether a server flushes to the disk every now and then only; `sync_interval: always` came with 2.10. */
function losesMessages(version: string): boolean {
	const [major = 0, minor = 0] = version.split('.').map(Number);
	return major < 2 || (major === 2 && minor < 10);
}

/** Messages that are no batches are removed and told; a sweep of another version is left to others. */
async function foreignMessages(nats: NatsServer, own: string, plan: string): Promise<string | undefined> {
	const { connect } = await import('@nats-io/transport-node');
	const { jetstream } = await import('@nats-io/jetstream');
	const { Objm } = await import('@nats-io/obj');
	const url = nats.url('foreign');
	const coordinator = start(['sweep', plan, '--out', join(own, 'foreign'), '--queue', url], CREDENTIALS);
	const connection = await connect({
		servers: `127.0.0.1:${nats.port}`,
		user: CREDENTIALS['NATS_USER']!,
		pass: CREDENTIALS['NATS_PASSWORD']!,
	});
	let worker: Running | undefined;
	try {
		const client = jetstream(connection);
		await until(async () => {
			try {
				await client.publish('mw.foreign.batch', 'rm -rf /');
				return true;
			} catch {
				return false;
			}
		}, 60);
		for (const text of [
			'{"version":1,"sweep":"x","tool":"y","runs":[0]}',
			'{"version":1,"runs":["../../etc/passwd"]}',
			'[]',
		])
			await client.publish('mw.foreign.batch', text);
		worker = startWorker(url, own, 20, '5s');
		const ended = await coordinator.ended;
		if (ended.code !== 0) return `with foreign messages the sweep ended with ${ended.code}: ${ended.stderr}`;
		worker.child.kill('SIGTERM');
		const said = await worker.ended;
		if (!/SWP051: 3 messages|SWP051: 4 messages/.test(said.stderr))
			return `the worker did not tell of foreign messages: ${said.stderr.slice(-300)}`;
		// a header of another version
		const header = JSON.parse(readFileSync(join(own, 'foreign/plan.json'), 'utf8')) as { planText: string };
		const store = await new Objm(connection).create('MW_skew_files');
		await store.putBlob(
			{ name: 'header' },
			new TextEncoder().encode(
				JSON.stringify({
					version: 1,
					sweep: 's',
					tool: 'manyworlds 9.9.9',
					planFile: 'p.yaml',
					planText: header.planText,
					entry: 'x',
					files: [],
				}),
			),
		);
		const skewed = await run(
			['worker', '--queue', nats.url('skew'), '--once', '--cache', join(own, 'cache')],
			CREDENTIALS,
		);
		return skewed.stderr.includes('SWP044') && skewed.stderr.includes('9.9.9')
			? undefined
			: `a worker of another version said: ${skewed.stderr}`;
	} finally {
		await connection.close();
		await kill(coordinator);
		if (worker !== undefined) await kill(worker);
	}
}

/** Results in a folder. */
function committed(out: string): number {
	const runs = join(out, 'runs');
	return existsSync(runs)
		? readdirSync(runs, { recursive: true }).filter((name) => String(name).endsWith('.json')).length
		: 0;
}

export function startWorker(
	url: string,
	folder: string,
	index: number,
	lease: string,
	more: { readonly args?: readonly string[]; readonly env?: Readonly<Record<string, string>> } = {},
): Running {
	const cache = join(folder, `cache-${index % 4}`);
	return start(
		['worker', '--queue', url, '--threads', '1', '--lease', lease, '--cache', cache, ...(more.args ?? [])],
		more.env ?? CREDENTIALS,
	);
}

function pause(delay: number): Promise<undefined> {
	return new Promise((done) => setTimeout(() => done(undefined), delay));
}

export async function until(isTrue: () => boolean | Promise<boolean>, seconds: number, interval = 50): Promise<void> {
	const end = performance.now() + 1000 * seconds;
	while (!(await isTrue())) {
		if (performance.now() > end) throw new Error(`nothing happened for ${seconds} s`);
		await pause(interval);
	}
}

/** A group whose cases share a folder, which is removed after the last one. */
export function group(
	name: string,
	tolerance: string,
	timeLimit: number,
	cases: (context: SuiteContext, folder: string) => Iterable<Case>,
): Group {
	return {
		name,
		description: 'as the names of the cases say',
		tolerance,
		timeLimit,
		*cases(context) {
			const folder = mkdtempSync(join(tmpdir(), 'manyworlds-sweep-'));
			reference = undefined;
			const all = [...cases(context, folder)];
			for (const [i, one] of all.entries()) {
				yield {
					name: one.name,
					run: async () => {
						try {
							return await one.run();
						} finally {
							if (i === all.length - 1) rmSync(folder, { recursive: true, force: true });
						}
					},
				};
			}
		},
	};
}
