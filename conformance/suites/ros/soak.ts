import { connect } from 'node:net';
import { openRtps, openWebSockets } from '@manyworlds/node';
import { FOXGLOVE_PROTOCOLS, FoxgloveServer, RosBus, RtpsSink, TypeRegistry } from '@manyworlds/ros';
import { CommandContext } from '../../../packages/manyworlds/src/command/command-context.ts';
import { openServedRobot } from '../../../packages/manyworlds/src/command/serve/served-robot.ts';

/**
 * Runs for long: `topics SECONDS` sends 50 reliable topics at 100 Hz from one participant to another, and looks for missing messages
 * and memory that grows; `slow` measures what a client that never reads costs a served egret. Prints one JSON object.
 */
const [mode = 'topics', seconds = '20', hertz = '100'] = process.argv.slice(2);
const sleep = (milliseconds: number): Promise<void> => new Promise((done) => setTimeout(done, milliseconds));
const result = mode === 'slow' ? await slow() : await topics(Number(seconds));
process.stdout.write(`${JSON.stringify(result)}\n`);
process.exit(0);

async function topics(duration: number): Promise<object> {
	const TOPICS = 50;
	const RATE = Number(hertz);
	const types = TypeRegistry.standard;
	const join = async (nodeName: string): Promise<{ bus: RosBus; tick: NodeJS.Timeout }> => {
		const opened = await openRtps({ domain: 95 });
		const bus = new RosBus({ types, domain: 95 });
		const sink = new RtpsSink(opened.participant, { types, nodeName, nodeNamespace: '/' });
		bus.attach(sink);
		return { bus, tick: setInterval(() => sink.tick(), 20) };
	};
	const [talker, listener] = [await join('talker'), await join('listener')];
	const names = Array.from({ length: TOPICS }, (_, i) => `/topic_${i}`);
	const type = 'std_msgs/msg/UInt64';
	const publishers = names.map((name) => talker.bus.advertise({ name, type, qos: { depth: 1000 } }));
	const next = names.map(() => -1);
	let [sent, received, wrong] = [0, 0, 0];
	for (const [i, name] of names.entries()) {
		listener.bus.subscribe<{ data: bigint }>({ name, type, qos: { depth: 1000 } }, ({ data }) => {
			received++;
			if (next[i]! >= 0 && Number(data) !== next[i]) wrong++;
			next[i] = Number(data) + 1;
		});
	}
	await sleep(3000);
	const start = performance.now();
	const memory = (): number => {
		(globalThis as { gc?: () => void }).gc?.();
		return process.memoryUsage().rss;
	};
	let early = 0;
	for (let round = 0; performance.now() - start < 1000 * duration; round++) {
		for (const publisher of publishers) publisher.publish({ data: BigInt(round) });
		sent += TOPICS;
		if (early === 0 && performance.now() - start > 200 * duration) early = memory();
		const due = start + ((round + 1) * 1000) / RATE;
		if (due > performance.now()) await sleep(due - performance.now());
		else await sleep(0);
	}
	// a busy machine takes its time
	for (let i = 0; i < 600 && received < sent; i++) await sleep(100);
	const growth = (memory() - early) / 2 ** 20;
	return { sent, received, wrong, growthMegabytes: Math.round(growth * 100) / 100 };
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
