import { createSocket, type Socket } from 'node:dgram';
import { RosBus, type RtpsHost, RtpsParticipant, RtpsSink, TypeRegistry } from '@manyworlds/ros';
import type { BenchSuite, BenchTask, Prepared } from '../harness/task.ts';

const MESSAGES = 10_000;
const JOINTS = 30;
const TOPICS = 100;

/** Messages: encoding, and the way to the socket. */
export const suite: BenchSuite = {
	name: 'ros',
	prepare: async () =>
		`JointState of ${JOINTS} joints; ${TOPICS} topics with a reader each, through a socket to one that nobody reads`,
	tasks: [
		task('encodeJointState', `encode ${MESSAGES} JointState messages of ${JOINTS} joints`, () => {
			const codec = TypeRegistry.standard.codec('sensor_msgs/msg/JointState');
			return {
				run: () => {
					let bytes = 0;
					for (let i = 0; i < MESSAGES; i++) bytes += codec.encode(jointState(i)).length;
					return bytes;
				},
				check: (bytes) => expectBytes(bytes as number),
			};
		}),
		task('decodeJointState', `decode ${MESSAGES} JointState messages of ${JOINTS} joints`, () => {
			const codec = TypeRegistry.standard.codec('sensor_msgs/msg/JointState');
			const bytes = codec.encode(jointState(1));
			return {
				run: () => {
					let names = 0;
					for (let i = 0; i < MESSAGES; i++) {
						const decoded = codec.decode(bytes);
						if ('message' in decoded) names += (decoded.message['name'] as string[]).length;
					}
					return names;
				},
				check: (names) => {
					if (names !== MESSAGES * JOINTS) throw new Error(`${String(names)} names`);
					return { messages: MESSAGES };
				},
			};
		}),
		task('publishTopics', `one second of ${TOPICS} topics at 100 Hz to a reader each, as datagrams`, publishTopics),
	],
};

const JOINT_NAMES = Array.from({ length: JOINTS }, (_, i) => `joint_with_a_name_${i}`);
const VALUES = Float64Array.from({ length: JOINTS }, (_, i) => Math.sin(i));

function jointState(i: number): Record<string, unknown> {
	const header = { stamp: { sec: i, nanosec: 0 }, frame_id: '' };
	return { header, name: JOINT_NAMES, position: VALUES, velocity: VALUES, effort: VALUES };
}

function expectBytes(bytes: number): Record<string, number> {
	const each = bytes / MESSAGES;
	if (each < 3 * 8 * JOINTS) throw new Error(`${each} bytes in a message`);
	return { messages: MESSAGES };
}

async function publishTopics(): Promise<Prepared> {
	const [from, to] = [await openSocket(), await openSocket()];
	let isLive = false;
	let sent = 0;
	const soon: (() => void)[] = [];
	const flush = (): void => {
		for (const work of soon.splice(0)) work();
	};
	const receivers: ((bytes: Uint8Array) => void)[] = [];
	let now = 0;
	const host = (port: number): RtpsHost => ({
		addresses: ['127.0.0.1'],
		port,
		now: () => now,
		wallTime: () => now,
		soon: (work) => void soon.push(work),
		after: () => {},
		send: (bytes, locator) => {
			sent += bytes.length;
			if (isLive) from.send(bytes, to.address().port, '127.0.0.1', () => undefined);
			if (receivers.length > 0)
				for (const [index, receive] of receivers.entries())
					if (locator.port === 7400 || locator.port === 7410 + index) receive(bytes);
		},
	});
	const [a, b] = [0, 1].map((index) => {
		const participant = new RtpsParticipant(host(7410 + index), {
			domain: 0,
			prefix: `017f0000000000000000000${index}`,
		});
		return { participant, bus: new RosBus() };
	}) as [{ participant: RtpsParticipant; bus: RosBus }, { participant: RtpsParticipant; bus: RosBus }];
	receivers.push(
		(bytes) => a.participant.receive(bytes),
		(bytes) => b.participant.receive(bytes),
	);
	for (const { participant, bus } of [a, b])
		bus.attach(new RtpsSink(participant, { types: bus.types, nodeName: 'n', nodeNamespace: '/' }));
	const type = 'sensor_msgs/msg/JointState';
	const publishers = Array.from({ length: TOPICS }, (_, i) => {
		b.bus.subscribe({ name: `/joints_${i}`, type }, () => {});
		return a.bus.advertise({ name: `/joints_${i}`, type });
	});
	for (let i = 0; i < 20; i++) {
		now += 500;
		a.participant.tick();
		b.participant.tick();
		while (soon.length > 0) flush();
	}
	// from here on datagrams are counted, and go through a socket
	receivers.length = 0;
	isLive = true;
	return {
		run: async () => {
			sent = 0;
			for (let round = 0; round < 100; round++) {
				const message = jointState(round);
				for (const publisher of publishers) publisher.publish(message);
				flush();
				// as the steps of a simulation do
				await new Promise((done) => setImmediate(done));
			}
			return sent;
		},
		check: (bytes) => {
			const least = 100 * TOPICS * 3 * 8 * JOINTS;
			if ((bytes as number) < least) throw new Error(`${String(bytes)} bytes, expected more than ${least}`);
			return { messages: 100 * TOPICS };
		},
	};
}

/** A socket that is bound, and keeps nothing alive. */
async function openSocket(): Promise<Socket> {
	const socket = createSocket({ type: 'udp4', lookup: (name, _, done) => done(null, name, 4) });
	await new Promise<void>((done) => socket.bind(0, '127.0.0.1', done));
	return socket.unref();
}

function task(name: string, title: string, prepare: () => Prepared | Promise<Prepared>): BenchTask {
	return {
		kind: 'task',
		name,
		title,
		rates: [{ fact: 'messages', unit: 'messages/s' }],
		contenders: [{ name: 'manyworlds', prepare }],
		outside: [],
	};
}
