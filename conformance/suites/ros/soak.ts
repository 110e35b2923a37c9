import { fork } from 'node:child_process';
import { connect } from 'node:net';
import { fileURLToPath } from 'node:url';
import { openRtps, openWebSockets } from '@manyworlds/node';
import { FoxgloveServer, RosBus, RtpsSink, TypeRegistry } from '@manyworlds/ros';
import { FOXGLOVE_PROTOCOLS } from '@manyworlds/ros/internal';
import { CommandContext } from '../../../packages/manyworlds/src/command/command-context.ts';
import { openServedRobot } from '../../../packages/manyworlds/src/command/serve/served-robot.ts';

/**
 * Runs for long: `topics SECONDS` sends 50 reliable topics at 100 Hz to a participant of another process, and looks for missing
 * messages and memory that grows; `slow` measures what a client that never reads costs a served egret. Prints one JSON object.
 */
const [mode = 'topics', seconds = '20', hertz = '100'] = process.argv.slice(2);
const sleep = (milliseconds: number): Promise<void> => new Promise((done) => setTimeout(done, milliseconds));
const TOPICS = Array.from({ length: 50 }, (_, i) => ({
	name: `/topic_${i}`,
	type: 'std_msgs/msg/UInt64',
	// all are kept until they have arrived
	qos: { depth: 0 },
}));

/** What a listener has got, and its memory [bytes]. */
interface Heard {
	readonly received: number;
	readonly wrong: number;
	readonly memory: number;
}

if (mode === 'listen') await listen();
else {
	const result = mode === 'slow' ? await slow() : await talk(Number(seconds), Number(hertz));
	process.stdout.write(`${JSON.stringify(result)}\n`);
	process.exit(0);
}

async function join(nodeName: string): Promise<{ bus: RosBus; sink: RtpsSink }> {
	const types = TypeRegistry.standard;
	const opened = await openRtps({ domain: 95 });
	const bus = new RosBus({ types, domain: 95 });
	const sink = new RtpsSink(opened.participant, { types, nodeName, nodeNamespace: '/' });
	bus.attach(sink);
	setInterval(() => sink.tick(), 20);
	return { bus, sink };
}

function memory(): number {
	(globalThis as { gc?: () => void }).gc?.();
	return process.memoryUsage().rss;
}

/** Counts messages, and those out of order, and answers each question with what it has. */
async function listen(): Promise<void> {
	const { bus } = await join('listener');
	let [received, wrong] = [0, 0];
	for (const topic of TOPICS) {
		let next = 0;
		bus.subscribe<{ data: bigint }>(topic, ({ data }) => {
			received++;
			if (Number(data) !== next) wrong++;
			next = Number(data) + 1;
		});
	}
	process.on('message', () => process.send?.({ received, wrong, memory: memory() } satisfies Heard));
	process.on('disconnect', () => process.exit(0));
}

async function talk(duration: number, rate: number): Promise<object> {
	const { bus, sink } = await join('talker');
	const publishers = TOPICS.map((topic) => bus.advertise(topic));
	const listener = fork(fileURLToPath(import.meta.url), ['listen'], { execArgv: process.execArgv });
	const ask = async (): Promise<Heard> => {
		const answer = new Promise<Heard>((done) => listener.once('message', (heard) => done(heard as Heard)));
		listener.send('what');
		return await answer;
	};
	await ask();
	// they find each other
	await sleep(3000);
	const [start, before] = [performance.now(), process.cpuUsage()];
	const elapsed = (): number => (performance.now() - start) / 1000;
	let [sent, early, earlyHeard] = [0, 0, 0];
	for (let round = 0; elapsed() < duration; round++) {
		for (const publisher of publishers) publisher.publish({ data: BigInt(round) });
		sent += TOPICS.length;
		if (early === 0 && elapsed() > 0.2 * duration) [early, earlyHeard] = [memory(), (await ask()).memory];
		await sleep(Math.max(0, 1000 * ((round + 1) / rate - elapsed())));
	}
	const { user, system } = process.cpuUsage(before);
	const processorShare = (user + system) / 1e6 / elapsed();
	let heard = await ask();
	// a busy machine takes its time
	for (let i = 0; i < 600 && heard.received < sent; i++) {
		await sleep(100);
		heard = await ask();
	}
	const { received, wrong } = heard;
	const lost = [...sink.lost.values()].reduce((sum, count) => sum + count, 0);
	const growth = {
		growthMegabytes: megabytes(memory() - early),
		listenerGrowthMegabytes: megabytes(heard.memory - earlyHeard),
	};
	return { sent, received, wrong, lost, ...growth, processorShare: Math.round(1e3 * processorShare) / 1e3 };
}

function megabytes(bytes: number): number {
	return Math.round((bytes / 2 ** 20) * 100) / 100;
}

async function slow(): Promise<object> {
	const stream = { write: () => true };
	const context = new CommandContext({ stdout: stream, stderr: stream, env: {}, cwd: process.cwd(), now: () => 0 });
	const options = { solver: 'sap', domain: 0, nodeName: 'manyworlds', ground: true, seed: 0 } as const;
	const robot = (await openServedRobot(context, 'examples/robots/egret/egret.usda', options, () => {}))!;
	const server = new FoxgloveServer(robot.bus, { name: 'soak', sessionId: 'soak' });
	const clients: { receive(data: string | Uint8Array): void }[] = [];
	const opened = await openWebSockets({
		port: 0,
		host: '127.0.0.1',
		protocols: FOXGLOVE_PROTOCOLS,
		connect: (connection) => {
			const client = server.connect(connection);
			clients.push(client);
			return client;
		},
	});
	robot.bus.attach(server);
	/** Processor time of a step [µs]. */
	const measure = async (): Promise<number> => {
		const before = process.cpuUsage();
		const STEPS = 300;
		for (let i = 0; i < STEPS; i++) {
			await robot.runtime.step();
			if (i % 10 === 0) await sleep(0);
		}
		const { user, system } = process.cpuUsage(before);
		return (user + system) / STEPS;
	};
	await measure();
	const [alone, slowed]: [number[], number[]] = [[], []];
	for (let round = 0; round < 6; round++) {
		alone.push(await measure());
		const socket = connect(opened.port, '127.0.0.1');
		socket.on('error', () => {});
		socket.pause();
		socket.write(
			`GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\nSec-WebSocket-Protocol: ${FOXGLOVE_PROTOCOLS[0]}\r\n\r\n`,
		);
		while (server.clientCount === 0) await sleep(5);
		const subscriptions = robot.bus.publishers.map((_, id) => ({ id: id + 1, channelId: id + 1 }));
		clients.at(-1)!.receive(JSON.stringify({ op: 'subscribe', subscriptions }));
		slowed.push(await measure());
		socket.destroy();
		while (server.clientCount > 0) await sleep(5);
	}
	await opened.close();
	await robot.live.dispose();
	const [a, b] = [Math.min(...alone), Math.min(...slowed)];
	// as a share of the time that a step has when the simulation keeps up with the clock
	const cost = (b - a) / (1e6 * robot.simulation.dt);
	return { aloneMicroseconds: Math.round(a), slowedMicroseconds: Math.round(b), cost: Math.round(cost * 1e4) / 1e4 };
}
