import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { MCAP_DEFAULTS, McapSink, RosBus, type RosMessage } from '@manyworlds/ros';
import { MCAP_DECOMPRESSORS } from '@manyworlds/ros/internal';
import { afterAll, describe, expect, it } from 'vitest';
import { CommandContext } from '../src/command/command-context.ts';
import { record } from '../src/command/commands/record.ts';
import { recordTo } from '../src/command/serve/record-file.ts';
import { openServedRobot, type ServedRobot } from '../src/command/serve/served-robot.ts';
import { bundledFile } from './bundle-sources.ts';

const ROOT = new URL('../../../', import.meta.url).pathname;
const EGRET = join(ROOT, 'examples/robots/egret/egret.usda');
const folder = mkdtempSync(join(tmpdir(), 'manyworlds-record-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const OPTIONS = { solver: 'sap', ground: true, seed: 3, lidarNoise: 0.02 } as const;

function newContext(): CommandContext {
	const stream = { write: () => true };
	return new CommandContext({ stdout: stream, stderr: stream, env: {}, cwd: '/', now: () => 0 });
}

async function serve(
	context: CommandContext,
	more: { play?: string; param?: string[] } = {},
): Promise<ServedRobot | undefined> {
	return await openServedRobot(context, EGRET, { ...OPTIONS, ...more, domain: 0, nodeName: 'manyworlds' }, () => {});
}

function send({ bus }: ServedRobot, name: string, message: RosMessage): void {
	const subscription = bus.subscriptions.find((one) => one.name === name)!;
	subscription.receive(subscription.codec.encode(message));
}

const Op = { CHANNEL: 4, MESSAGE: 5, CHUNK: 6 } as const;

/** Messages by topic, as far as the records of the file are whole. */
function topicsOf(file: Uint8Array): Map<string, number> {
	const names = new Map<number, string>();
	const counts = new Map<string, number>();
	const read = (bytes: Uint8Array, start: number): void => {
		const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
		for (let at = start; at + 9 <= bytes.length; ) {
			const body = at + 9;
			const end = body + Number(view.getBigUint64(at + 1, true));
			if (end > bytes.length) return;
			if (bytes[at] === Op.CHANNEL) {
				const length = view.getUint32(body + 4, true);
				names.set(view.getUint16(body, true), Buffer.from(bytes.subarray(body + 8, body + 8 + length)).toString());
			} else if (bytes[at] === Op.MESSAGE) {
				const name = names.get(view.getUint16(body, true))!;
				counts.set(name, (counts.get(name) ?? 0) + 1);
			} else if (bytes[at] === Op.CHUNK) {
				// times, the size, a checksum, the name of the compression, and the length of the records
				const length = view.getUint32(body + 28, true);
				const kind = Buffer.from(bytes.subarray(body + 32, body + 32 + length)).toString();
				const records = bytes.subarray(body + 40 + length, end);
				const size = view.getBigUint64(body + 16, true);
				read(kind === '' ? records : MCAP_DECOMPRESSORS[kind]!(records, size), 0);
			}
			at = end;
		}
	};
	read(file, 8);
	return counts;
}

describe('recordings', () => {
	it('hold the commands too; played again with the same seed they give the same bytes', async () => {
		const first = join(folder, 'first.mcap');
		const context = newContext();
		const robot = (await serve(context))!;
		const recording = await recordTo(context, first, robot, OPTIONS);
		robot.runtime.publish();
		for (let i = 0; i < 500; i++) {
			if (i === 100 || i === 300)
				send(robot, '/egret/cmd_vel', { linear: { x: 0.3 }, angular: { z: 0.2 * (i - 200) } });
			await robot.runtime.step();
			if (i % 50 === 0) await recording.sink.flush();
		}
		await recording.close();
		await robot.live.dispose();
		expect(topicsOf(readFileSync(first)).get('/egret/cmd_vel')).toBe(2);
		// what computed the steps is named
		expect(readFileSync(first, 'latin1')).toMatch(/engine.{4}wasm/s);
		const again = join(folder, 'again.mcap');
		await record(newContext(), EGRET, { ...OPTIONS, output: again, duration: 1, play: first });
		expect(readFileSync(again).equals(readFileSync(first))).toBe(true);
		const still = join(folder, 'still.mcap');
		await record(newContext(), EGRET, { ...OPTIONS, output: still, duration: 1 });
		expect(readFileSync(still).equals(readFileSync(first))).toBe(false);
	});

	it('of a wall clock count from their first message', async () => {
		const file = join(folder, 'wall.mcap');
		const bus = new RosBus();
		const parts: Uint8Array[] = [];
		const sink = new McapSink({ write: async (bytes) => void parts.push(bytes) }, { types: bus.types });
		bus.attach(sink);
		bus.time = 1_700_000_000_000_000_000n;
		const twist = bus.advertise({ name: '/egret/cmd_vel', type: 'geometry_msgs/msg/Twist' });
		twist.publish({ linear: { x: 0.1 } });
		bus.time += 200_000_000n;
		twist.publish({ linear: { x: 0.2 } });
		await sink.close();
		writeFileSync(file, Buffer.concat(parts));
		const robot = (await serve(newContext(), { play: file }))!;
		const listener = robot.bus.subscriptions.find(({ name }) => name === '/egret/cmd_vel')!;
		robot.runtime.publish();
		expect(listener.count).toBe(1);
		for (let i = 0; i < 99; i++) await robot.runtime.step();
		expect(listener.count).toBe(1);
		await robot.runtime.step();
		expect(listener.count).toBe(2);
		await robot.live.dispose();
	});

	it('that are none are refused, and so are parameters that there are not', async () => {
		const file = join(folder, 'none.mcap');
		writeFileSync(file, 'hello');
		const context = newContext();
		expect(await serve(context, { play: file })).toBeUndefined();
		expect(await serve(context, { play: join(folder, 'nothing.mcap') })).toBeUndefined();
		expect(await serve(context, { param: ['speed=1'] })).toBeUndefined();
		expect(
			context.report
				.toArray()
				.map(({ code }) => code)
				.sort(),
		).toEqual(['ROS006', 'ROS006', 'ROS007']);
		const robot = (await serve(newContext(), { param: ['rate=0.5'] }))!;
		expect(robot.parameters.get('rate')).toBe(0.5);
		await robot.live.dispose();
	});

	it('in a folder have a description whose profiles are those of the file', async () => {
		const bag = join(folder, 'bag');
		await record(newContext(), EGRET, { ...OPTIONS, output: `${bag}/`, duration: 0.2 });
		const text = readFileSync(join(bag, 'metadata.yaml'), 'utf8');
		const counts = topicsOf(readFileSync(join(bag, 'bag_0.mcap')));
		const found = [...text.matchAll(/name: (\S+)[\s\S]*?message_count: (\d+)/g)].map(([, name, n]) => [
			name,
			Number(n),
		]);
		expect(Object.fromEntries(found)).toEqual(Object.fromEntries(counts));
		expect(text).toContain('version: 9');
	});

	it('are readable up to the last chunk when the process is killed', async () => {
		const file = join(folder, 'killed.mcap');
		const child = spawn(process.execPath, [bundledFile('bin'), 'record', EGRET, '-o', file, '--duration', '600'], {
			cwd: ROOT,
			stdio: 'ignore',
		});
		const ended = new Promise((done) => child.once('exit', done));
		const end = Date.now() + 100_000;
		// two chunks are on the disk, a quarter of their size each
		while (Date.now() < end && !(existsSync(file) && statSync(file).size > 0.6 * MCAP_DEFAULTS.chunkSize))
			await new Promise((done) => setTimeout(done, 50));
		child.kill('SIGKILL');
		await ended;
		const bytes = readFileSync(file);
		const counts = topicsOf(bytes);
		const total = [...counts.values()].reduce((a, b) => a + b, 0);
		expect(counts.get('/egret/imu')).toBeGreaterThan(100);
		// what can be read is all but the last chunk; messages have some 200 bytes
		expect(total * 100).toBeGreaterThan(MCAP_DEFAULTS.chunkSize);
	}, 120_000);
});
