/**
 * Rates of what a sweep waits for: commits to a folder, and on a nats-server that is started for it (`NATS_SERVER=PATH`). Prints one
 * JSON object. `node --import tsx --conditions=@manyworlds/source benchmarks/peers/sweep-queue.ts`
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { NatsExchange, ResultFolder } from '@manyworlds/node/internal';
import { batchOf, type RunResult } from '@manyworlds/sweep/internal';
import { CREDENTIALS, NatsServer, natsServers } from '../../conformance/suites/sweep/programs.ts';

const COUNT = 300;
const folder = mkdtempSync(join(tmpdir(), 'manyworlds-queue-'));
const result = (i: number): RunResult => ({
	version: 1,
	key: `key${String(i).padStart(8, 'a')}`,
	status: 'ok',
	steps: 1000,
	state: 'abc',
	metrics: { 'last(energy)': i },
});

async function rateOf(count: number, work: () => Promise<void>): Promise<number> {
	const start = performance.now();
	await work();
	return Math.round((1000 * count) / (performance.now() - start));
}

const results = new ResultFolder(folder, 'o', [], false);
results.prepare();
const rates: Record<string, unknown> = { load: loadavg()[0]!.toFixed(1) };
rates['folder commits/s'] = await rateOf(COUNT, async () => {
	for (let i = 0; i < COUNT; i++) results.commitNow(result(i));
});
for (const server of natsServers()) {
	const nats = await NatsServer.create(server, join(folder, server.version));
	const exchange = await NatsExchange.connect(nats.url('bench'), { env: CREDENTIALS, capacity: 2 * COUNT });
	await exchange.announce(
		{ version: 1, sweep: 's', tool: 't', planFile: 'p', planText: '', entry: '', files: [] },
		() => new Uint8Array(),
	);
	const publish = await rateOf(COUNT, async () => {
		for (let i = 0; i < COUNT; i++) await exchange.submit(batchOf('s', [i]));
	});
	const take = await rateOf(COUNT, async () => {
		for (let i = 0; i < COUNT; i++) await (await exchange.lease(1000))!.ack();
	});
	const commit = await rateOf(COUNT, async () => {
		for (let i = 0; i < COUNT; i++) await exchange.results.commit([{ result: result(i) }]);
	});
	rates[`nats-server ${server.version}`] = {
		'batches published/s': publish,
		'batches taken and acknowledged/s': take,
		'results committed/s': commit,
	};
	await exchange.remove();
	await exchange.close();
	await nats.kill();
}
console.log(JSON.stringify(rates, null, 2));
rmSync(folder, { recursive: true, force: true });
