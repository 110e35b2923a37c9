import { RosBus, RosbridgeServer } from '@manyworlds/ros';
import { describe, expect, it } from 'vitest';

const IMAGE = 'sensor_msgs/msg/CompressedImage';

function connected() {
	const bus = new RosBus();
	let now = 0;
	const server = new RosbridgeServer(bus, { node: '/robot', now: () => now });
	bus.attach(server);
	const texts: Record<string, unknown>[] = [];
	const binary: Uint8Array[] = [];
	const client = server.connect({
		bufferedAmount: 0,
		send: (data) => (typeof data === 'string' ? texts.push(JSON.parse(data)) : binary.push(data)),
	});
	const send = (message: unknown): void => client.receive(JSON.stringify(message));
	return { bus, send, client, texts, binary, wait: (milliseconds: number) => void (now += milliseconds) };
}

describe('rosbridge', () => {
	it('writes bytes as base64 and numbers that JSON lacks as null', () => {
		const { bus, send, texts } = connected();
		const image = bus.advertise({ name: '/image', type: IMAGE });
		const range = bus.advertise({ name: '/range', type: 'sensor_msgs/msg/Range' });
		for (const topic of ['/image', 'range']) send({ op: 'subscribe', topic });
		for (const length of [1, 2, 3, 4])
			image.publish({ format: 'x', data: Uint8Array.from({ length }, (_, i) => 250 + i) });
		range.publish({ range: Number.POSITIVE_INFINITY });
		const data = texts.slice(0, 4).map(({ msg }) => (msg as { data: string }).data);
		expect(data).toEqual(
			[1, 2, 3, 4].map((length) => Buffer.from(Array.from({ length }, (_, i) => 250 + i)).toString('base64')),
		);
		expect(texts[4]).toMatchObject({ topic: '/range', msg: { range: null } });
	});

	it('reads what it writes', () => {
		const { bus, send } = connected();
		const got: unknown[] = [];
		bus.subscribe<{ data: Uint8Array }>({ name: '/image', type: IMAGE }, ({ data }) => got.push([...data]));
		for (const length of [0, 1, 2, 3, 4, 5]) {
			const bytes = Array.from({ length }, (_, i) => 3 * i + 200);
			send({ op: 'publish', topic: '/image', msg: { data: Buffer.from(bytes).toString('base64') } });
			expect(got.at(-1)).toEqual(bytes);
		}
	});

	it('sends no more often than throttle_rate says', () => {
		const { bus, send, texts, wait } = connected();
		const publisher = bus.advertise({ name: '/chatter', type: 'std_msgs/msg/String' });
		send({ op: 'subscribe', topic: '/chatter', throttle_rate: 100 });
		for (let i = 0; i < 100; i++) {
			publisher.publish({ data: String(i) });
			wait(10);
		}
		expect(texts.length).toBe(10);
	});

	it('refuses messages with unknown fields or wrong kinds, with the reason', () => {
		const { bus, send, texts } = connected();
		bus.subscribe({ name: '/in', type: 'std_msgs/msg/String' }, () => {});
		send({ op: 'publish', topic: '/in', msg: { dta: 'x' }, id: '7' });
		expect(texts.at(-1)).toEqual({
			op: 'status',
			level: 'error',
			id: '7',
			msg: "a message to /in was ignored: std_msgs/msg/String has no field 'dta'",
		});
		send({ op: 'publish', topic: '/in', msg: { data: 3 } });
		expect(texts.at(-1)).toMatchObject({
			msg: "a message to /in was ignored: 'data' of std_msgs/msg/String is a string",
		});
	});

	it('answers services of the robot and of rosapi, and says what there is not', async () => {
		const { bus, send, texts } = connected();
		bus.serve<{ data: boolean }>({ name: '/lamp', type: 'std_srvs/srv/SetBool' }, ({ data }) => ({
			success: data,
			message: 'on',
		}));
		send({ op: 'call_service', service: '/lamp', args: { data: true }, id: 'a' });
		send({ op: 'call_service', service: 'rosapi/service_type', args: { service: '/lamp' }, id: 'b' });
		send({ op: 'call_service', service: '/gone', id: 'c' });
		await new Promise((done) => setTimeout(done, 5));
		const byId = new Map(texts.map((text) => [text['id'], text]));
		expect(byId.get('a')).toMatchObject({ result: true, values: { success: true, message: 'on' } });
		expect(byId.get('b')).toMatchObject({ result: true, values: { type: 'std_srvs/srv/SetBool' } });
		expect(byId.get('c')).toMatchObject({ result: false, values: 'there is no service /gone' });
	});

	it('survives what makes no sense', () => {
		const { client, texts } = connected();
		for (const text of ['', 'null', '3', '[]', '{"op":"publish"}', '{"op":"subscribe","topic":3}', '{"op":"fragment"}'])
			client.receive(text);
		client.receive(new Uint8Array([255, 0, 1]));
		expect(texts.every(({ op }) => op === 'status')).toBe(true);
	});
});
