import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { createServer, type IncomingMessage, request, type Server } from 'node:http';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Outcome, Suite } from '../../src/suite.ts';
import { group, planText, referenceHash, writePlan } from './plan.ts';
import { freePort, kill, type Running, run, start, startWorker, tableHash, until } from './programs.ts';

/** `moto_server` of PyPI, which serves the S3 interface. */
const MOTO = process.env['MANYWORLDS_MOTO_SERVER'] ?? join(homedir(), 'moto-oracle/bin/moto_server');
const KEYS = { AWS_ACCESS_KEY_ID: 'suite', AWS_SECRET_ACCESS_KEY: 'secret-of-the-suite', AWS_REGION: 'us-east-1' };

/** Results in a bucket of a real S3 server. */
export const sweepS3: Suite = {
	name: 'sweep/s3',
	description:
		'one plan by machines that share a bucket only, with answers that are lost: the same bytes of table.parquet',
	defaultDir: '.',
	groups: [
		group('bucket', 'table.parquet is equal byte by byte', 600, function* (_, folder) {
			if (!existsSync(MOTO)) {
				yield {
					name: 'moto_server',
					run: () => ({ skipped: `there is no ${MOTO}: see docs/testing.md, "Peers of sweeps"` }),
				};
				return;
			}
			const plan = (): string => writePlan(folder, 'plan.yaml', planText());
			const compare = async (out: string): Promise<Outcome> => {
				const [expected, found] = [await referenceHash(folder), tableHash(out)];
				return found === expected ? undefined : `the table is ${found}, expected ${expected}`;
			};
			yield {
				name: 'two shards with folders of their own',
				run: () =>
					withMoto(async (env) => {
						for (const shard of [0, 1]) {
							const out = join(folder, `shard-${shard}`);
							const ended = await run(
								['sweep', plan(), '--out', out, '--shard', `${shard}/2`, '--store', 's3://sweeps/shards'],
								env,
							);
							if (ended.code !== 0) return ended.stderr;
						}
						return compare(join(folder, 'shard-1'));
					}),
			};
			yield {
				name: 'two workers, one killed, every third answer to a put lost',
				run: () =>
					withMoto(async (env) => {
						const proxy = await FaultyProxy.create(env['AWS_ENDPOINT_URL']!, { loses: 3 });
						const own = { ...env, AWS_ENDPOINT_URL: proxy.url };
						const [out, queue] = [join(folder, 'workers'), pathToFileURL(join(folder, 'queue')).href];
						const store = ['--store', 's3://sweeps/workers'];
						const coordinator = start(['sweep', plan(), '--out', out, '--queue', queue, ...store], env);
						const workers: Running[] = [0, 1].map((i) =>
							startWorker(queue, folder, i, '2s', { args: store, env: own }),
						);
						try {
							await until(() => workers[0]!.output().includes('"event":"run"'), 200);
							await kill(workers[0]!);
							workers.push(startWorker(queue, folder, 2, '2s', { args: store, env: own }));
							const ended = await coordinator.ended;
							if (ended.code !== 0) return ended.stderr;
							if (proxy.lost === 0) return 'no answer was lost, which is no test';
							return await compare(out);
						} finally {
							await Promise.all([coordinator, ...workers].map(kill));
							proxy.close();
						}
					}),
			};
			yield {
				name: 'a store without conditional puts, a bucket that is not there: refused before any run',
				run: () =>
					withMoto(async (env) => {
						const proxy = await FaultyProxy.create(env['AWS_ENDPOINT_URL']!, { isUnconditional: true });
						try {
							const out = join(folder, 'refused');
							const args = ['sweep', plan(), '--out', out, '--store'];
							const forgetful = await run([...args, 's3://sweeps/x'], { ...env, AWS_ENDPOINT_URL: proxy.url });
							if (forgetful.code !== 2 || !/SWP042.*replaces objects/.test(forgetful.stderr))
								return `without conditional puts: ${forgetful.code} ${forgetful.stderr}`;
							const missing = await run([...args, 's3://nowhere/x'], env);
							if (missing.code !== 2 || !/SWP042.*'nowhere'/.test(missing.stderr))
								return `no bucket: ${missing.code} ${missing.stderr}`;
							return existsSync(join(out, 'table.parquet')) ? 'it ran nevertheless' : undefined;
						} finally {
							proxy.close();
						}
					}),
			};
		}),
	],
};

/** Does something with a server that has an empty bucket `sweeps`. */
async function withMoto(work: (env: Readonly<Record<string, string>>) => Promise<Outcome>): Promise<Outcome> {
	const port = await freePort();
	const server: ChildProcess = spawn(MOTO, ['-H', '127.0.0.1', '-p', String(port)], { stdio: 'ignore' });
	const endpoint = `http://127.0.0.1:${port}`;
	try {
		await until(async () => {
			try {
				return (await fetch(`${endpoint}/sweeps`, { method: 'PUT' })).ok;
			} catch {
				return false;
			}
		}, 120);
		return await work({ ...KEYS, AWS_ENDPOINT_URL: endpoint });
	} finally {
		server.kill('SIGKILL');
	}
}

/** Passes requests on, and is as bad as a network or a store can be. */
class FaultyProxy {
	lost = 0;
	readonly url: string;
	readonly #server: Server;

	/** Loses one of `loses` answers to puts; `isUnconditional` forgets the condition. */
	static async create(
		target: string,
		{ loses = 0, isUnconditional = false }: { readonly loses?: number; readonly isUnconditional?: boolean },
	): Promise<FaultyProxy> {
		const port = await freePort();
		let puts = 0;
		const server = createServer((incoming: IncomingMessage, outgoing) => {
			const headers = { ...incoming.headers };
			if (isUnconditional) delete headers['if-none-match'];
			const passed = request(`${target}${incoming.url}`, { method: incoming.method!, headers }, (answer) => {
				const isLost = incoming.method === 'PUT' && loses > 0 && ++puts % loses === 0;
				if (isLost) {
					// the service has it, the client never hears of it
					answer.resume().on('end', () => incoming.socket.destroy());
					proxy.lost++;
					return;
				}
				outgoing.writeHead(answer.statusCode!, answer.headers);
				answer.pipe(outgoing);
			});
			passed.on('error', () => incoming.socket.destroy());
			incoming.pipe(passed);
		});
		const proxy = new FaultyProxy(`http://127.0.0.1:${port}`, server);
		await new Promise<void>((done) => server.listen(port, '127.0.0.1', done));
		return proxy;
	}

	private constructor(url: string, server: Server) {
		this.url = url;
		this.#server = server;
	}

	close(): void {
		this.#server.closeAllConnections();
		this.#server.close();
	}
}
