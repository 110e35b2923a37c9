import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Outcome, Suite, SuiteContext } from '../../src/suite.ts';
import { group, isLong, planText, referenceHash, writePlan } from './plan.ts';
import {
	CREDENTIALS,
	kill,
	NatsServer,
	natsServers,
	pause,
	type Running,
	run,
	start,
	startWorker,
	tableHash,
	until,
} from './programs.ts';

/** Seconds of the long run, and of its lease. */
const LONG = isLong ? { run: 120, lease: 10 } : { run: 8, lease: 2 };

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
