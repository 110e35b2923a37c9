import { ActionServer, FoxgloveServer, GoalStatus, McapSink, ParameterServer, RosBus } from '@manyworlds/ros';
import { McapStreamReader } from '@mcap/core';
import { describe, expect, it } from 'vitest';

const TEXT = 'std_msgs/msg/String';

describe('MCAP', () => {
	async function record(isEnded: boolean): Promise<Uint8Array> {
		const bus = new RosBus();
		const parts: Uint8Array[] = [];
		const sink = new McapSink(
			{ write: async (bytes) => void parts.push(bytes) },
			{ types: bus.types, chunkSize: 4096, metadata: { seed: '1' } },
		);
		bus.attach(sink);
		const publisher = bus.advertise({ name: '/chatter', type: TEXT });
		for (let i = 0; i < 500; i++) {
			bus.time = BigInt(i) * 1_000_000n;
			publisher.publish({ data: `message ${i}` });
		}
		await (isEnded ? sink.close() : sink.flush());
		return Buffer.concat(parts);
	}

	it('writes the same bytes for the same run, and all messages', async () => {
		const bytes = await record(true);
		expect(Buffer.from(await record(true)).equals(bytes)).toBe(true);
		const reader = new McapStreamReader();
		reader.append(bytes);
		const times: bigint[] = [];
		const channels: string[] = [];
		for (let one = reader.nextRecord(); one !== undefined; one = reader.nextRecord()) {
			if (one.type === 'Message') times.push(one.logTime);
			if (one.type === 'Channel')
				channels.push(`${one.topic} ${one.messageEncoding} ${one.metadata.get('topic_type_hash')?.slice(0, 12)}`);
		}
		expect(times).toEqual(Array.from({ length: 500 }, (_, i) => BigInt(i) * 1_000_000n));
		expect(new Set(channels)).toEqual(new Set(['/chatter cdr RIHS01_df668']));
	});

	it('keeps every chunk that was full when the process is killed', async () => {
		const bytes = await record(false);
		const reader = new McapStreamReader();
		reader.append(bytes);
		let count = 0;
		for (let one = reader.nextRecord(); one !== undefined; one = reader.nextRecord())
			if (one.type === 'Message') count++;
		expect(count).toBeGreaterThan(400);
	});

	it('drops what a slow disk has no room for, and counts it', async () => {
		const bus = new RosBus();
		let release = (): void => {};
		const stuck = new Promise<void>((resolve) => {
			release = resolve;
		});
		const sink = new McapSink({ write: () => stuck }, { types: bus.types, mostWaiting: 1000 });
		bus.attach(sink);
		const publisher = bus.advertise({ name: '/chatter', type: TEXT });
		for (let i = 0; i < 100; i++) publisher.publish({ data: 'x'.repeat(92) });
		expect(sink.dropped).toBe(91);
		release();
		await sink.close();
		expect(sink.written).toBe(9);
	});
});

describe('Foxglove', () => {
	function connected(options: { bufferedAmount?: number } = {}) {
		const bus = new RosBus();
		const parameters = new ParameterServer(bus, '/node', [
			{ name: 'rate', value: 1, set: (value) => (Number(value) < 0 ? 'too slow' : undefined) },
			{ name: 'fixed', value: true },
		]);
		const server = new FoxgloveServer(bus, { name: 'test', sessionId: 'a', parameters });
		bus.attach(server);
		const texts: Record<string, unknown>[] = [];
		const binary: Uint8Array[] = [];
		const client = server.connect({
			bufferedAmount: options.bufferedAmount ?? 0,
			send: (data) => (typeof data === 'string' ? texts.push(JSON.parse(data)) : binary.push(data)),
		});
		return { bus, server, client, texts, binary };
	}

	it('tells a client of topics, and sends those that it subscribes to', () => {
		const { bus, client, texts, binary } = connected();
		const publisher = bus.advertise({ name: '/chatter', type: TEXT });
		const channel = (texts.at(-1)!['channels'] as { id: number; topic: string; schema: string }[])[0]!;
		expect(channel).toMatchObject({ topic: '/chatter', schema: 'string data\n' });
		publisher.publish({ data: 'before' });
		client.receive(JSON.stringify({ op: 'subscribe', subscriptions: [{ id: 5, channelId: channel.id }] }));
		bus.time = 7n;
		publisher.publish({ data: 'hi' });
		expect(Buffer.from(binary[0]!).toString('hex')).toBe(
			'0105000000' + '0700000000000000' + '00010000' + '03000000' + '686900',
		);
		expect(binary.length).toBe(1);
	});

	it('takes messages as CDR and as JSON', () => {
		const { bus, client } = connected();
		const got: string[] = [];
		bus.subscribe<{ data: string }>({ name: '/in', type: TEXT }, ({ data }) => got.push(data));
		for (const [id, encoding, payload] of [
			[1, 'cdr', bus.types.codec(TEXT).encode({ data: 'a' })],
			[2, 'json', new TextEncoder().encode('{"data":"b"}')],
		] as const) {
			client.receive(JSON.stringify({ op: 'advertise', channels: [{ id, topic: '/in', encoding, schemaName: TEXT }] }));
			client.receive(Uint8Array.from([1, id, 0, 0, 0, ...payload]));
		}
		expect(got).toEqual(['a', 'b']);
	});

	it('refuses parameters that are fixed or wrong, and tells of those that change', () => {
		const { client, texts } = connected();
		client.receive(JSON.stringify({ op: 'subscribeParameterUpdates', parameterNames: ['rate'] }));
		client.receive(JSON.stringify({ op: 'setParameters', parameters: [{ name: 'fixed', value: false }] }));
		expect(texts.at(-1)).toMatchObject({ op: 'status', message: "a parameter was refused: 'fixed' is read-only" });
		client.receive(JSON.stringify({ op: 'setParameters', parameters: [{ name: 'rate', value: 2 }] }));
		expect(texts.at(-1)).toMatchObject({ op: 'parameterValues', parameters: [{ name: 'rate', value: 2 }] });
	});

	it('drops messages for a client that is too slow, and says so once', () => {
		const { bus, client, texts, binary } = connected({ bufferedAmount: 20_000_000 });
		const publisher = bus.advertise({ name: '/chatter', type: TEXT });
		const [{ id }] = texts.at(-1)!['channels'] as [{ id: number }];
		client.receive(JSON.stringify({ op: 'subscribe', subscriptions: [{ id: 1, channelId: id }] }));
		for (let i = 0; i < 10; i++) publisher.publish({ data: 'x' });
		expect(binary.length).toBe(0);
		expect(texts.filter(({ op }) => op === 'status').length).toBe(1);
	});

	it('gives files, tells who publishes what, and lets clients stop and restart time', async () => {
		const bus = new RosBus();
		let [isPaused, speed, restarts] = [false, 1, 0];
		const server = new FoxgloveServer(bus, {
			name: 'test',
			sessionId: 'a',
			node: '/robot',
			fetchAsset: async (uri) => {
				if (uri !== 'package://robot/a.stl') throw new Error('no such file');
				return Uint8Array.of(7, 8);
			},
			playback: {
				get isPaused() {
					return isPaused;
				},
				get speed() {
					return speed;
				},
				setPaused: (value) => void (isPaused = value),
				setSpeed: (value) => {
					if (value > 0) speed = value;
					return value > 0;
				},
				restart: async () => void restarts++,
			},
		});
		bus.attach(server);
		const texts: Record<string, unknown>[] = [];
		const binary: Uint8Array[] = [];
		const client = server.connect({
			bufferedAmount: 0,
			send: (data) => (typeof data === 'string' ? texts.push(JSON.parse(data)) : binary.push(data)),
		});
		expect(texts[0]!['capabilities']).toEqual([
			'clientPublish',
			'time',
			'services',
			'connectionGraph',
			'assets',
			'playbackControl',
		]);
		const settled = (): Promise<void> => new Promise((done) => setTimeout(done, 0));
		for (const [requestId, uri] of [
			[5, 'package://robot/a.stl'],
			[6, 'file:///etc/passwd'],
		])
			client.receive(JSON.stringify({ op: 'fetchAsset', uri, requestId }));
		await settled();
		expect(binary.map((bytes) => Buffer.from(bytes).toString('hex'))).toEqual([
			'04' + '05000000' + '00' + '00000000' + '0708',
			`04${'06000000'}01${'0c000000'}${Buffer.from('no such file').toString('hex')}`,
		]);
		client.receive(JSON.stringify({ op: 'subscribeConnectionGraph' }));
		bus.advertise({ name: '/chatter', type: TEXT });
		expect(texts.at(-1)).toMatchObject({
			op: 'connectionGraphUpdate',
			publishedTopics: [{ name: '/chatter', publisherIds: ['/robot'] }],
		});
		const request = (command: number, rate: number, seek?: bigint): Uint8Array => {
			const bytes = new Uint8Array(20);
			const view = new DataView(bytes.buffer);
			view.setUint8(0, 3);
			view.setUint8(1, command);
			view.setFloat32(2, rate, true);
			view.setUint8(6, seek === undefined ? 0 : 1);
			view.setBigUint64(7, seek ?? 0n, true);
			view.setUint32(15, 1, true);
			view.setUint8(19, 0x78);
			return bytes;
		};
		binary.length = 0;
		client.receive(request(1, 0.5, 0n));
		await settled();
		expect([isPaused, speed, restarts]).toEqual([true, 0.5, 1]);
		expect(Buffer.from(binary[0]!).toString('hex')).toBe(
			`05${'01'}${'0000000000000000'}${'0000003f'}${'01'}${'01000000'}78`,
		);
		client.receive(request(0, -1, 5n));
		await settled();
		expect([isPaused, speed, restarts]).toEqual([false, 0.5, 1]);
		expect(texts.slice(-2).map(({ message }) => message)).toEqual([
			'the speed -1 was refused',
			'a live run can only go back to its start',
		]);
	});

	it('survives frames that make no sense', () => {
		const { client, bus } = connected();
		bus.serve({ name: '/s', type: 'std_srvs/srv/SetBool' }, () => ({ success: true }));
		let state = 1;
		const random = (): number => {
			state = (Math.imul(state, 1664525) + 1013904223) | 0;
			return (state >>> 0) / 2 ** 32;
		};
		const texts = [
			'null',
			'[]',
			'{"op":"subscribe","subscriptions":[null,3]}',
			'{"op":"advertise","channels":[null]}',
			'{"op":"setParameters","parameters":[null]}',
			'{"op":3}',
			'{',
		];
		for (const text of texts) client.receive(text);
		for (let i = 0; i < 100_000; i++) {
			const bytes = Uint8Array.from({ length: Math.floor(random() * 40) }, () => random() * 256);
			if (bytes.length > 0) bytes[0] = 1 + (i % 4);
			client.receive(bytes);
		}
		expect(bus.publishers.length).toBe(1);
	});
});

describe('actions', () => {
	it('latch their status, end goals once, and answer for results that are asked for later', async () => {
		const bus = new RosBus();
		const base = '/follow/_action';
		const server = new ActionServer(
			bus,
			{ name: '/follow', type: 'control_msgs/action/FollowJointTrajectory' },
			{
				accepts: () => true,
				start: (goal) => {
					goal.succeed({ error_code: 0 });
					goal.abort({ error_code: -1 });
				},
				cancel: () => true,
			},
		);
		const ask = (name: string, request: Record<string, unknown>) =>
			bus.services.find((one) => one.name === `${base}/${name}`)!.ask(request);
		const goal_id = { uuid: new Uint8Array(16).fill(3) };
		expect(await ask('send_goal', { goal_id })).toMatchObject({ accepted: true });
		expect(await ask('send_goal', { goal_id })).toMatchObject({ accepted: false });
		expect(await ask('get_result', { goal_id })).toMatchObject({
			status: GoalStatus.SUCCEEDED,
			result: { error_code: 0 },
		});
		expect(await ask('cancel_goal', { goal_info: { goal_id } })).toMatchObject({ return_code: 3 });
		expect(await ask('cancel_goal', { goal_info: { goal_id: { uuid: new Uint8Array(16).fill(9) } } })).toMatchObject({
			return_code: 2,
		});
		expect(bus.publishers.find(({ name }) => name === `${base}/status`)?.latched).toBeDefined();
		server.close();
		expect(bus.services).toEqual([]);
	});
});
