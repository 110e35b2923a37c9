import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { join } from 'node:path';
import { batchOf, type KeyedRun, type Lease, MemoryBackend, type RunResult } from '@manyworlds/sweep/internal';
import { describe, expect, test } from 'vitest';
import { commitFile } from '../src/sweep/commit-file.ts';
import { FileExchange, parseHeader } from '../src/sweep/file-exchange.ts';
import { NatsExchange, NatsRefusal, parseNatsUrl } from '../src/sweep/nats-exchange.ts';
import { ResultFolder } from '../src/sweep/result-folder.ts';
import { type Commit, workOn } from '../src/sweep/work-on.ts';
import { temporaryFolder } from './temporary-folder.ts';

const result = (key: string, more: Partial<RunResult> = {}): RunResult => ({
	version: 1,
	key,
	status: 'ok',
	steps: 3,
	state: 'abc',
	metrics: { 'last(energy)': 1.5 },
	...more,
});

describe('a folder of results', () => {
	test('keeps a result once, and says when another one is there', () => {
		const folder = new ResultFolder(temporaryFolder(), 'o', ['last(energy)'], false);
		folder.prepare();
		const series = new Uint8Array([1, 2, 3]);
		expect(folder.commitNow(result('aabb'), series)).toBe('new');
		expect(folder.commitNow(result('aabb'), series)).toBe('same');
		expect(folder.read('aabb')).toEqual(result('aabb'));
		expect(readFileSync(folder.seriesFile('aabb')!)).toEqual(Buffer.from(series));
		expect(folder.commitNow(result('aabb', { state: 'other' }))).toBe('different');
		expect(folder.conflicts()).toHaveLength(1);
		// the first one stays
		expect(folder.read('aabb')!.state).toBe('abc');
		expect(readdirSync(join(folder.path, 'tmp'))).toEqual([]);
	});

	test('what time or a crash ended says nothing against a result', () => {
		const folder = new ResultFolder(temporaryFolder(), 'o', [], false);
		folder.prepare();
		folder.commitNow(result('aabb', { status: 'timeout', state: '' }));
		expect(folder.commitNow(result('aabb'))).toBe('same');
		expect(folder.read('aabb')!.status).toBe('timeout');
		folder.remove('aabb');
		expect(folder.hasNow('aabb')).toBe(false);
		expect(folder.commitNow(result('aabb'))).toBe('new');
	});

	test('numbers that JSON does not have come back', () => {
		const folder = new ResultFolder(temporaryFolder(), 'o', [], false);
		folder.prepare();
		const metrics = { a: Number.NaN, b: Number.NEGATIVE_INFINITY, c: -0, d: 0.1 };
		folder.commitNow(result('aabb', { metrics }));
		expect(folder.read('aabb')!.metrics).toEqual(metrics);
	});

	test('half a file of a machine that lost its power is written anew', () => {
		const path = temporaryFolder();
		const folder = new ResultFolder(path, 'o', [], false);
		folder.prepare();
		mkdirSync(join(path, 'runs/aa'));
		writeFileSync(join(path, 'runs/aa/aabb.o.json'), '{"version":1,"ke');
		expect(folder.read('aabb')).toBeUndefined();
		expect(folder.commitNow(result('aabb'))).toBe('new');
		expect(folder.read('aabb')).toEqual(result('aabb'));
	});

	test('a changed metric finds what other outputs have, and nothing that they do not', () => {
		const path = temporaryFolder();
		const old = new ResultFolder(path, 'old', ['last(energy)', 'max(contacts)'], false);
		old.prepare();
		old.commitNow(result('aabb', { metrics: { 'last(energy)': 1.5, 'max(contacts)': 4 } }));
		// one metric less, or under another name: nothing to do
		expect(new ResultFolder(path, 'less', ['last(energy)'], false).hasNow('aabb')).toBe(true);
		const more = new ResultFolder(path, 'more', ['last(energy)', 'min(energy)'], false);
		expect(more.hasNow('aabb')).toBe(false);
		more.commitNow(result('aabb', { metrics: { 'min(energy)': 0.5 } }));
		expect(more.hasNow('aabb')).toBe(true);
		const joined = new ResultFolder(path, 'all', ['last(energy)', 'min(energy)', 'max(contacts)'], false);
		expect(joined.read('aabb')!.metrics).toEqual({ 'last(energy)': 1.5, 'max(contacts)': 4, 'min(energy)': 0.5 });
	});

	test('of many who write the same file one wins, and all see its bytes', () => {
		const folder = temporaryFolder();
		const written = [1, 2, 3].map((byte) =>
			commitFile(join(folder, 'a/b'), new Uint8Array([byte]), join(folder, 'tmp')),
		);
		expect(written.map((old) => old && [...old])).toEqual([undefined, [1], [1]]);
		expect([...readFileSync(join(folder, 'a/b'))]).toEqual([1]);
	});

	test('timings are those of the last time, and a cut line is no harm', () => {
		const path = temporaryFolder();
		const folder = new ResultFolder(path, 'o', [], false);
		folder.addTiming({ key: 'a', seconds: 1, worker: 'w', at: 1 });
		folder.addTiming({ key: 'a', seconds: 2, worker: 'w', at: 2 });
		writeFileSync(join(path, 'timing/x.jsonl'), '{"key":"b","seconds":3,"worker":"x","at":1}\n{"key":"c","sec');
		expect([...folder.timings()].map(([key, { seconds }]) => [key, seconds])).toEqual([
			['a', 2],
			['b', 3],
		]);
	});
});

describe('work', () => {
	const runOf = (index: number): KeyedRun => ({ index, key: `key${index}`, values: [], repeat: 0, seed: 0 });
	const backendOf = (): MemoryBackend =>
		new MemoryBackend({
			capacity: 100,
			leaseTime: 60_000,
			now: () => performance.now(),
			later: (call, delay) => setTimeout(call, delay),
		});

	/** Works until everything is committed. */
	async function work(
		backend: MemoryBackend,
		folder: ResultFolder,
		total: number,
		compute: Parameters<typeof workOn>[0]['compute'],
		worker = 'w',
	): Promise<Commit[]> {
		const commits: Commit[] = [];
		const keys = (): number =>
			Array.from({ length: total }, (_, i) => runOf(i)).filter(({ key }) => folder.hasNow(key)).length;
		await workOn({
			backend,
			results: folder,
			runOf,
			compute,
			concurrency: 2,
			heartbeat: 1000,
			worker,
			isStopping: () => keys() === total,
			onCommit: (commit) => commits.push(commit),
			patience: 20,
		});
		return commits;
	}

	test('every batch delivered twice is committed once, and its equality is checked', async () => {
		const folder = new ResultFolder(temporaryFolder(), 'o', [], false);
		folder.prepare();
		const backend = backendOf();
		// acknowledgements are lost the first time
		const twice = Object.create(backend) as MemoryBackend;
		const lost = new Set<string>();
		twice.lease = async (wait: number): Promise<Lease | undefined> => {
			const lease = await backend.lease(wait);
			if (lease === undefined || lost.has(lease.batch.id)) return lease;
			lost.add(lease.batch.id);
			return { ...lease, ack: () => lease.nak(0) };
		};
		for (let i = 0; i < 6; i++) await backend.submit(batchOf('s', [2 * i, 2 * i + 1]));
		let computed = 0;
		const commits = await work(twice, folder, 12, (runs) => {
			computed += runs.length;
			return Promise.resolve(runs.map(({ key }) => ({ result: result(key), seconds: 0 })));
		});
		expect(computed).toBe(12);
		expect(commits.filter(({ kind }) => kind === 'new')).toHaveLength(12);
	});

	test('two that compute the same run commit it once; different results are told', async () => {
		const folder = new ResultFolder(temporaryFolder(), 'o', [], false);
		folder.prepare();
		const backend = backendOf();
		await backend.submit(batchOf('s', [0]));
		await backend.submit(batchOf('t', [0]));
		const waiting: (() => void)[] = [];
		let count = 0;
		const commits = await work(backend, folder, 1, async ([run]) => {
			const own = count++;
			// both begin before one ends
			await new Promise<void>((resolve) => {
				waiting.push(resolve);
				if (waiting.length === 2) for (const wake of waiting) wake();
			});
			return [{ result: result(run!.key, { state: `state ${own}` }), seconds: 0 }];
		});
		expect(commits.map(({ kind }) => kind).sort()).toEqual(['different', 'new']);
		expect(folder.conflicts()).toHaveLength(1);
	});

	test('a batch is given back when its computation fails in itself', async () => {
		const folder = new ResultFolder(temporaryFolder(), 'o', [], false);
		folder.prepare();
		const backend = backendOf();
		await backend.submit(batchOf('s', [0]));
		await expect(work(backend, folder, 1, () => Promise.reject(new Error('fault')))).rejects.toThrow('fault');
		const { leased, pending } = await backend.stats();
		expect(leased + pending).toBe(1);
		expect((await backend.lease(0))!.attempt).toBeGreaterThan(1);
	});

	test('a run that kills its workers is given up and the others of its batch are not', async () => {
		const folder = new ResultFolder(temporaryFolder(), 'o', [], false);
		folder.prepare();
		const backend = backendOf();
		await backend.submit(batchOf('s', [0, 1, 2]));
		// six workers die on run 1: nobody acknowledges or commits
		for (let i = 0; i < 6; i++) {
			const lease = (await backend.lease(0))!;
			if (lease.attempt >= 3) {
				await folder.mark('key0', `w${i}`);
				folder.commitNow(result('key0'));
				await folder.mark('key1', `w${i}`);
			}
			await lease.nak(0);
		}
		const commits = await work(
			backend,
			folder,
			3,
			(runs) => Promise.resolve(runs.map(({ key }) => ({ result: result(key), seconds: 0 }))),
			'last',
		);
		expect(commits.map(({ result: { key, status } }) => [key, status])).toEqual([
			['key1', 'crashed'],
			['key2', 'ok'],
		]);
		expect(commits[0]!.result.reason).toMatch(/4 workers ended while they computed it: w2, w3, w4, w5/);
	});
});

describe('a folder as a queue', () => {
	const header = {
		version: 1 as const,
		sweep: 's',
		tool: 't',
		planFile: 'p.yaml',
		planText: 'x',
		entry: 'a.usda',
		files: [{ path: 'a.usda', hash: 'e'.repeat(64), size: 1 }],
	};

	test('hands out each batch once until its lease runs out', async () => {
		const folder = temporaryFolder();
		const [coordinator, a, b] = [0, 1, 2].map(() => new FileExchange(folder, { leaseTime: 0.3, capacity: 2 }));
		await coordinator!.announce(header, () => new Uint8Array([7]));
		expect(await a!.header()).toEqual(header);
		await b!.header();
		expect([...(await a!.file('e'.repeat(64)))!]).toEqual([7]);
		expect(await a!.file('../../etc/passwd')).toBeUndefined();
		expect(await coordinator!.submit(batchOf('s', [1, 2]))).toBe(true);
		expect(await coordinator!.submit(batchOf('s', [3]))).toBe(true);
		expect(await coordinator!.submit(batchOf('s', [4]))).toBe(false);
		const first = (await a!.lease(0))!;
		const second = (await b!.lease(0))!;
		expect([first.batch.indices, second.batch.indices].sort()).toEqual([[1, 2], [3]].sort());
		expect(await a!.lease(0)).toBeUndefined();
		await second.ack();
		// nobody keeps the first one alive
		const again = (await b!.lease(5000))!;
		expect(again.batch).toEqual(first.batch);
		expect(again.attempt).toBe(2);
		await again.ack();
		expect(await b!.stats()).toEqual({ pending: 0, leased: 0, redelivered: 1, refused: 0 });
	});

	test('refuses what is no batch, and collects results once', async () => {
		const folder = temporaryFolder();
		const exchange = new FileExchange(folder);
		await exchange.announce(header, () => new Uint8Array([7]));
		exchange.setRunCount(10);
		writeFileSync(join(folder, 'batches', 'a'.repeat(24)), '{"version":1,"sweep":"s","tool":"t","runs":["/etc"]}');
		writeFileSync(join(folder, 'batches', '..hidden'), 'x');
		expect(await exchange.lease(0)).toBeUndefined();
		expect(await exchange.stats()).toMatchObject({ refused: 1 });
		await exchange.results.commit([{ result: result('aabb'), series: new Uint8Array([9]) }]);
		const seen: unknown[] = [];
		const visit = (bytes: Uint8Array, series: Uint8Array | undefined): void =>
			void seen.push([bytes.length > 10, series && [...series]]);
		expect([await exchange.collect(visit), await exchange.collect(visit)]).toEqual([1, 0]);
		expect(seen).toEqual([[true, [9]]]);
		await exchange.remove();
		expect(existsSync(join(folder, 'header.json'))).toBe(false);
	});

	test('headers with paths that lead out are none', () => {
		const encode = (data: unknown): Uint8Array => new TextEncoder().encode(JSON.stringify(data));
		expect(parseHeader(encode(header))).toEqual(header);
		for (const bad of [
			{ ...header, entry: '../a' },
			{ ...header, entry: '/etc/passwd' },
			{ ...header, control: 'a/../../b' },
			{ ...header, files: [{ path: 'a\\..\\b', hash: 'e'.repeat(64), size: 1 }] },
			{ ...header, files: [{ path: 'a', hash: 'zz', size: 1 }] },
			{ ...header, version: 2 },
			[],
			null,
		])
			expect(parseHeader(encode(bad))).toBeUndefined();
	});
});

describe('addresses of NATS', () => {
	test('have a host, a name, and user and password from the address or the environment', () => {
		expect(parseNatsUrl('nats://u:p%40ss@host:4333/friction', {})).toEqual({
			address: 'host:4333',
			name: 'friction',
			user: 'u',
			pass: 'p@ss',
		});
		expect(parseNatsUrl('nats://host/x', { NATS_USER: 'a', NATS_PASSWORD: 'b' })).toEqual({
			address: 'host:4222',
			name: 'x',
			user: 'a',
			pass: 'b',
		});
		for (const bad of ['nats://host', 'http://host/x', 'nats:///x', 'host', 'nats://host/a/b'])
			expect(() => parseNatsUrl(bad, {})).toThrow(NatsRefusal);
	});

	test('a server that refuses the password is a refusal that says so', async () => {
		// a server as far as the first words of the protocol
		const server = createServer((socket) => {
			socket.on('error', () => {});
			socket.write(
				`INFO ${JSON.stringify({ server_id: 'x', version: '2.15.2', proto: 1, auth_required: true, headers: true, max_payload: 1048576 })}\r\n`,
			);
			socket.once('data', () => socket.end("-ERR 'Authorization Violation'\r\n"));
		});
		await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
		try {
			const { port } = server.address() as AddressInfo;
			await expect(NatsExchange.connect(`nats://sweep:guess@127.0.0.1:${port}/x`)).rejects.toThrow(
				/refuses the user or password/,
			);
		} finally {
			server.close();
		}
	});

	test('a server that does not answer is a refusal with its address', async () => {
		await expect(NatsExchange.connect('nats://127.0.0.1:1/x')).rejects.toThrow(
			/the server at 127.0.0.1:1 does not answer/,
		);
	});
});
