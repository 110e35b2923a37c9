import { RosBus, type RosMessage, type RtpsHost, RtpsParticipant, RtpsSink, TypeRegistry } from '@manyworlds/ros';
import { describe, expect, it } from 'vitest';

/** A network in memory with a clock of its own; loses what its rule says. */
class Network {
	now = 0;
	readonly #ends = new Map<string, (bytes: Uint8Array) => void>();
	readonly #due: { at: number; work: () => void }[] = [];
	loses: () => boolean = () => false;
	readonly sent: Uint8Array[] = [];
	#ports = 7410;

	host(): { host: RtpsHost; listen(receive: (bytes: Uint8Array) => void): void } {
		const port = this.#ports++;
		const host: RtpsHost = {
			addresses: ['127.0.0.1'],
			port,
			now: () => this.now,
			wallTime: () => 1e12 + this.now,
			soon: (work) => void this.#due.push({ at: this.now, work }),
			after: (milliseconds, work) => void this.#due.push({ at: this.now + milliseconds, work }),
			send: (bytes, to) => {
				this.sent.push(bytes);
				if (this.loses()) return;
				const isMulticast = to.address.startsWith('239.');
				for (const [key, receive] of this.#ends)
					if (isMulticast ? key !== String(port) : key === String(to.port))
						this.#due.push({ at: this.now + 0.1, work: () => receive(bytes) });
			},
		};
		return { host, listen: (receive) => this.#ends.set(String(port), receive) };
	}

	/** Lets time go by, with ticks as a program would give them. */
	run(milliseconds: number, ticks: readonly (() => void)[]): void {
		const end = this.now + milliseconds;
		while (this.now < end) {
			this.now++;
			for (const tick of ticks) tick();
			for (;;) {
				const index = this.#due.findIndex(({ at }) => at <= this.now);
				if (index < 0) break;
				this.#due.splice(index, 1)[0]!.work();
			}
		}
	}
}

/** Numbers that look random, the same every time. */
function randomNumbers(seed: number): () => number {
	let state = seed;
	return () => {
		state = (Math.imul(state, 1664525) + 1013904223) | 0;
		return (state >>> 0) / 2 ** 32;
	};
}

let prefixes = 0;
function join(network: Network, name: string): { bus: RosBus; sink: RtpsSink; participant: RtpsParticipant } {
	const { host, listen } = network.host();
	const prefix = `017f${(++prefixes).toString(16).padStart(20, '0')}`;
	const participant = new RtpsParticipant(host, { domain: 0, prefix });
	listen((bytes) => participant.receive(bytes));
	const bus = new RosBus();
	const sink = new RtpsSink(participant, { types: TypeRegistry.standard, nodeName: name, nodeNamespace: '/' });
	bus.attach(sink);
	return { bus, sink, participant };
}

/** Kinds of the submessages of a message. */
function submessages(bytes: Uint8Array): number[] {
	const kinds: number[] = [];
	for (let at = 20; at < bytes.length; at += 4 + bytes[at + 2]! + 256 * bytes[at + 3]!) kinds.push(bytes[at]!);
	return kinds;
}

const TEXT = 'std_msgs/msg/String';

describe('RTPS between two participants', () => {
	it.each([true, false])('connects whoever comes first (talker first: %s)', (isTalkerFirst) => {
		const network = new Network();
		const first = join(network, 'first');
		network.run(500, [() => first.sink.tick()]);
		const second = join(network, 'second');
		const [talker, listener] = isTalkerFirst ? [first, second] : [second, first];
		const got: string[] = [];
		const publisher = talker.bus.advertise({ name: '/chatter', type: TEXT });
		listener.bus.subscribe<{ data: string }>({ name: '/chatter', type: TEXT }, ({ data }) => got.push(data));
		const ticks = [first, second].map(
			({ sink }) =>
				() =>
					sink.tick(),
		);
		network.run(2000, ticks);
		publisher.publish({ data: 'hello' });
		network.run(100, ticks);
		expect(got).toEqual(['hello']);
	});

	it('loses nothing of a reliable topic, and keeps its order, when a fifth of all datagrams is lost', () => {
		const network = new Network();
		const random = randomNumbers(7);
		network.loses = () => random() < 0.2;
		const [talker, listener] = [join(network, 'talker'), join(network, 'listener')];
		const publisher = talker.bus.advertise({ name: '/chatter', type: TEXT, qos: { depth: 0 } });
		const got: string[] = [];
		listener.bus.subscribe<{ data: string }>({ name: '/chatter', type: TEXT }, ({ data }) => got.push(data));
		const ticks = [talker, listener].map(
			({ sink }) =>
				() =>
					sink.tick(),
		);
		network.run(5000, ticks);
		const expected: string[] = [];
		for (let i = 0; i < 500; i++) {
			expected.push(String(i));
			publisher.publish({ data: String(i) });
			network.run(2, ticks);
		}
		network.run(5000, ticks);
		expect(got).toEqual(expected);
	});

	it('carries samples of 4 MB whole while a fifth of all datagrams is lost', () => {
		const network = new Network();
		const random = randomNumbers(3);
		const [talker, listener] = [join(network, 'talker'), join(network, 'listener')];
		const publisher = talker.bus.advertise({ name: '/image', type: 'sensor_msgs/msg/Image' });
		const got: Uint8Array[] = [];
		listener.bus.subscribe<{ data: Uint8Array }>({ name: '/image', type: 'sensor_msgs/msg/Image' }, ({ data }) =>
			got.push(data),
		);
		const ticks = [talker, listener].map(
			({ sink }) =>
				() =>
					sink.tick(),
		);
		network.run(2000, ticks);
		network.loses = () => random() < 0.2;
		const data = Uint8Array.from({ length: 4_000_000 }, (_, i) => (i * 31) & 0xff);
		publisher.publish({ data });
		network.run(5000, ticks);
		expect(got.length).toBe(1);
		expect(Buffer.from(got[0]!).equals(Buffer.from(data))).toBe(true);
	});

	it('gives a slow listener fewer samples, each of them whole, in order, and the last one in the end', () => {
		const network = new Network();
		const [talker, listener] = [join(network, 'talker'), join(network, 'listener')];
		const type = 'sensor_msgs/msg/Image';
		const publisher = talker.bus.advertise({ name: '/image', type, qos: { depth: 1 } });
		const got: number[] = [];
		listener.bus.subscribe<{ height: number; data: Uint8Array }>({ name: '/image', type }, ({ height, data }) => {
			expect(data.every((byte) => byte === (height & 0xff))).toBe(true);
			got.push(height);
		});
		const ticks = [talker, listener].map(
			({ sink }) =>
				() =>
					sink.tick(),
		);
		network.run(2000, ticks);
		// 8 MB each 20 ms is six times what the line takes
		for (let height = 1; height <= 20; height++) {
			publisher.publish({ height, data: new Uint8Array(8_000_000).fill(height) });
			network.run(20, ticks);
		}
		network.run(2000, ticks);
		expect(got.length).toBeGreaterThan(1);
		expect(got.length).toBeLessThan(20);
		expect(got).toEqual([...got].sort((a, b) => a - b));
		expect(got.at(-1)).toBe(20);
	});

	it('answers a request once, also when it comes on two ways', () => {
		const network = new Network();
		const [talker, listener] = [join(network, 'talker'), join(network, 'listener')];
		const publisher = talker.bus.advertise({ name: '/chatter', type: TEXT, qos: { depth: 100 } });
		listener.bus.subscribe({ name: '/chatter', type: TEXT }, () => {});
		const ticks = [talker, listener].map(
			({ sink }) =>
				() =>
					sink.tick(),
		);
		network.run(2000, ticks);
		network.loses = () => true;
		for (let i = 0; i < 50; i++) publisher.publish({ data: String(i) });
		network.run(1, []);
		const requests: Uint8Array[] = [];
		const receive = talker.participant.receive.bind(talker.participant);
		talker.participant.receive = (bytes) => void requests.push(bytes.slice());
		network.loses = () => false;
		network.run(250, ticks);
		const request = requests.at(-1)!;
		const before = network.sent.length;
		const sentSamples = (): number =>
			network.sent
				.slice(before)
				.reduce((sum, bytes) => sum + submessages(bytes).filter((kind) => kind === 0x15).length, 0);
		receive(request);
		network.run(2, []);
		expect(sentSamples()).toBe(50);
		receive(request);
		network.run(2, []);
		expect(sentSamples()).toBe(50);
	});

	it('gives a late listener exactly the one sample that is kept', () => {
		const network = new Network();
		const talker = join(network, 'talker');
		const qos = { durability: 'transient_local', depth: 1 } as const;
		const publisher = talker.bus.advertise({ name: '/map', type: TEXT, qos });
		for (const data of ['a', 'b', 'c']) publisher.publish({ data });
		network.run(30_000, [() => talker.sink.tick()]);
		const listener = join(network, 'listener');
		const got: string[] = [];
		listener.bus.subscribe<{ data: string }>({ name: '/map', type: TEXT, qos }, ({ data }) => got.push(data));
		network.run(
			5000,
			[talker, listener].map(
				({ sink }) =>
					() =>
						sink.tick(),
			),
		);
		expect(got).toEqual(['c']);
	});

	it('says what is published at once in few datagrams', () => {
		const network = new Network();
		const [talker, listener] = [join(network, 'talker'), join(network, 'listener')];
		const got: string[] = [];
		const publishers = Array.from({ length: 50 }, (_, i) => {
			listener.bus.subscribe<{ data: string }>({ name: `/t${i}`, type: TEXT }, ({ data }) => got.push(data));
			return talker.bus.advertise({ name: `/t${i}`, type: TEXT });
		});
		const ticks = [() => talker.sink.tick(), () => listener.sink.tick()];
		network.run(2000, ticks);
		const before = network.sent.length;
		for (const [i, publisher] of publishers.entries()) publisher.publish({ data: `message ${i}` });
		network.run(2, []);
		expect(got).toEqual(publishers.map((_, i) => `message ${i}`));
		expect(network.sent.length - before).toBeLessThanOrEqual(2);
	});

	it('forgets what all listeners of a topic have, and counts what one that keeps nothing back could not get', () => {
		const network = new Network();
		const [talker, listener] = [join(network, 'talker'), join(network, 'listener')];
		const publisher = talker.bus.advertise({ name: '/chatter', type: TEXT, qos: { depth: 0 } });
		let count = 0;
		listener.bus.subscribe({ name: '/chatter', type: TEXT }, () => count++);
		const ticks = [() => talker.sink.tick(), () => listener.sink.tick()];
		network.run(2000, ticks);
		// ten times what is kept
		for (let i = 0; i < 50_000; i++) {
			publisher.publish({ data: 'x' });
			if (i % 100 === 99) network.run(10, ticks);
		}
		network.run(1000, ticks);
		expect(count).toBe(50_000);
		expect(talker.sink.lost).toEqual(new Map());
		// nothing gets through for a second
		network.loses = () => true;
		for (let i = 0; i < 6000; i++) publisher.publish({ data: 'x' });
		network.run(1000, ticks);
		network.loses = () => false;
		// a reader that is behind gets the next samples as soon as it has the last ones
		network.run(1000, ticks);
		expect(count).toBe(55_000);
		expect(talker.sink.lost).toEqual(new Map([['/chatter', 1000]]));
	});

	it('sends nothing of a topic that nobody listens to', () => {
		const network = new Network();
		const talker = join(network, 'talker');
		const publisher = talker.bus.advertise({ name: '/chatter', type: TEXT });
		network.run(100, [() => talker.sink.tick()]);
		const before = network.sent.length;
		for (let i = 0; i < 100; i++) publisher.publish({ data: 'x' });
		expect(network.sent.length).toBe(before);
	});

	it('does not connect where the listener asks for more than is offered', () => {
		const network = new Network();
		const conflicts: string[] = [];
		const { host, listen } = network.host();
		const prefix = `017f${(++prefixes).toString(16).padStart(20, '0')}`;
		const participant = new RtpsParticipant(host, {
			domain: 0,
			prefix,
			onConflict: (topic, reason) => conflicts.push(`${topic}: ${reason}`),
		});
		listen((bytes) => participant.receive(bytes));
		participant.createWriter('rt/scan', 'a::msg::dds_::B_', { isReliable: false, isTransientLocal: false, depth: 1 });
		const other = join(network, 'other');
		const more = new RosBus({ types: TypeRegistry.standard.with([{ type: 'a/msg/B', text: 'bool b' }]) });
		more.attach(new RtpsSink(other.participant, { types: more.types, nodeName: 'n', nodeNamespace: '/' }));
		more.subscribe({ name: '/scan', type: 'a/msg/B' }, () => {});
		network.run(1500, [() => participant.tick(), () => other.participant.tick()]);
		expect(conflicts).toEqual(['rt/scan: the reader asks for reliable, the writer offers best effort']);
	});

	it('forgets a participant that says goodbye, and one that is not heard of', () => {
		const network = new Network();
		const [one, two, three] = [join(network, 'one'), join(network, 'two'), join(network, 'three')];
		network.run(
			1500,
			[one, two, three].map(
				({ sink }) =>
					() =>
						sink.tick(),
			),
		);
		expect(one.participant.peerCount).toBe(2);
		two.sink.close();
		network.run(
			10,
			[one, three].map(
				({ sink }) =>
					() =>
						sink.tick(),
			),
		);
		expect(one.participant.peerCount).toBe(1);
		network.run(25_000, [() => one.sink.tick()]);
		expect(one.participant.peerCount).toBe(0);
	});
});

describe('hostile datagrams', () => {
	it('100,000 random and mutated ones do not throw, and few of them become peers', () => {
		const network = new Network();
		const random = randomNumbers(11);
		const [talker, listener] = [join(network, 'talker'), join(network, 'listener')];
		const got: RosMessage[] = [];
		const publisher = talker.bus.advertise({ name: '/chatter', type: TEXT });
		listener.bus.subscribe({ name: '/chatter', type: TEXT }, (message) => got.push(message));
		const ticks = [talker, listener].map(
			({ sink }) =>
				() =>
					sink.tick(),
		);
		network.run(2000, ticks);
		publisher.publish({ data: 'x'.repeat(20_000) });
		network.run(100, ticks);
		const samples = network.sent.slice();
		got.length = 0;
		for (let i = 0; i < 100_000; i++) {
			const source = samples[Math.floor(random() * samples.length)]!;
			const isRandom = i % 4 === 0;
			const bytes = isRandom
				? new Uint8Array(Math.floor(random() * 200))
				: source.slice(0, Math.ceil(random() * source.length));
			if (isRandom) {
				for (let k = 0; k < bytes.length; k++) bytes[k] = random() * 256;
				bytes.set([0x52, 0x54, 0x50, 0x53, 2].slice(0, bytes.length));
			} else for (let k = 0; k < 3; k++) bytes[Math.floor(random() * bytes.length)] = random() * 256;
			listener.participant.receive(bytes);
		}
		expect(listener.participant.peerCount).toBeLessThanOrEqual(256);
	});
});

describe('recorded bytes', () => {
	it('an announcement has the layout that Fast DDS and Cyclone DDS take', () => {
		const sent: Uint8Array[] = [];
		const host: RtpsHost = {
			addresses: ['192.0.2.7'],
			port: 7410,
			now: () => 0,
			wallTime: () => 0,
			soon: (work) => work(),
			after: () => {},
			send: (bytes) => sent.push(bytes),
		};
		new RtpsParticipant(host, { domain: 0, prefix: '017f00112233445566778899' }).tick();
		expect(Buffer.from(sent[0]!).toString('hex')).toBe(ANNOUNCEMENT);
	});
});

/** Seen by rclpy 7.1.6 (Fast DDS 2.14.5) and cyclonedds 11.0.1. */
const ANNOUNCEMENT =
	'525450530203017f017f001122334455667788990901080000000000000000001505ac0000001000000100c7000100c200000000010000000003000015000400' +
	'0203000016000400017f000050001000017f00112233445566778899000001c13200180001000000f21c0000000000000000000000000000c000020731001800' +
	'01000000f21c0000000000000000000000000000c0000207020008001400000000000000580004003f0c000062000800020000002f0000002c0010000a000000' +
	'656e636c6176653d2f3b000001000000';
