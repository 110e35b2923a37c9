import { type ActionGoal, ActionServer, RosBus, RosbridgeServer } from '@manyworlds/ros';
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

	it('takes and sends messages in pieces', () => {
		const { bus, send, texts } = connected();
		const got: string[] = [];
		bus.subscribe<{ data: string }>({ name: '/in', type: 'std_msgs/msg/String' }, ({ data }) => got.push(data));
		const text = JSON.stringify({ op: 'publish', topic: '/in', msg: { data: 'x'.repeat(50) } });
		const pieces = [text.slice(0, 30), text.slice(30)].map((data, num) => ({
			op: 'fragment',
			id: 'a',
			num,
			total: 2,
			data,
		}));
		send(pieces[1]);
		expect(got).toEqual([]);
		send(pieces[0]);
		expect(got).toEqual(['x'.repeat(50)]);
		send({ op: 'fragment', id: 'b', num: 3, total: 2, data: '' });
		expect(texts.at(-1)).toMatchObject({ op: 'status', msg: 'a piece of a message makes no sense' });
		texts.length = 0;
		const publisher = bus.advertise({ name: '/out', type: 'std_msgs/msg/String' });
		send({ op: 'subscribe', topic: '/out', fragment_size: 40 });
		publisher.publish({ data: 'y'.repeat(100) });
		expect(texts.every(({ op, data }) => op === 'fragment' && (data as string).length <= 40)).toBe(true);
		expect(JSON.parse(texts.map(({ data }) => data).join(''))).toMatchObject({ msg: { data: 'y'.repeat(100) } });
	});

	it('lets a client answer a service, until it is gone', async () => {
		const { bus, send, client, texts } = connected();
		send({ op: 'advertise_service', service: '/lamp', type: 'std_srvs/SetBool' });
		const service = bus.services.find(({ name }) => name === '/lamp')!;
		const answer = service.ask({ data: true });
		const { id, args } = texts.at(-1)! as { id: string; args: unknown };
		expect(args).toEqual({ data: true });
		send({ op: 'service_response', id, service: '/lamp', values: { success: true, message: 'on' }, result: true });
		expect(await answer).toMatchObject({ success: true, message: 'on' });
		send({ op: 'advertise_service', service: '/other', type: 'a/B' });
		expect(texts.at(-1)).toMatchObject({ op: 'status', msg: "the type 'a/srv/B' of /other is unknown" });
		const open = service.ask({ data: false });
		client.close();
		await expect(open).rejects.toThrow('the client that answers is gone');
		expect(bus.services).toEqual([]);
	});

	it('sends goals of actions, with feedback, result and cancel', async () => {
		const { bus, send, texts } = connected();
		let last: ActionGoal | undefined;
		new ActionServer(
			bus,
			{ name: '/follow', type: 'control_msgs/action/FollowJointTrajectory' },
			{
				accepts: (goal) => (goal['trajectory'] as { joint_names: string[] }).joint_names.length > 0,
				start: (goal) => {
					last = goal;
				},
				cancel: (goal) => {
					goal.canceled({ error_code: 0, error_string: 'stopped' });
					return true;
				},
			},
		);
		const settled = (): Promise<void> => new Promise((done) => setTimeout(done, 0));
		const goal = (id: string, joints: readonly string[]): void =>
			send({
				op: 'send_action_goal',
				id,
				action: '/follow',
				action_type: 'control_msgs/action/FollowJointTrajectory',
				args: { trajectory: { joint_names: joints } },
				feedback: true,
			});
		goal('a', ['j']);
		await settled();
		last!.feedback({ joint_names: ['j'] });
		expect(texts.at(-1)).toMatchObject({ op: 'action_feedback', id: 'a', values: { joint_names: ['j'] } });
		last!.succeed({ error_code: 0, error_string: 'done' });
		await settled();
		expect(texts.at(-1)).toMatchObject({
			op: 'action_result',
			id: 'a',
			status: 4,
			result: true,
			values: { error_string: 'done' },
		});
		goal('b', ['j']);
		await settled();
		send({ op: 'cancel_action_goal', id: 'b', action: '/follow' });
		await settled();
		expect(texts.at(-1)).toMatchObject({ op: 'action_result', id: 'b', status: 5, result: false });
		goal('c', []);
		await settled();
		expect(texts.at(-1)).toMatchObject({ op: 'action_result', id: 'c', values: 'the goal was refused', result: false });
		send({ op: 'send_action_goal', id: 'd', action: '/nothing' });
		await settled();
		expect(texts.at(-1)).toMatchObject({ id: 'd', values: 'there is no action /nothing' });
	});

	it('lets a client carry out an action: goal, feedback, result, cancel, and its end', async () => {
		const { bus, send, client, texts } = connected();
		const action = '/lift';
		const type = 'control_msgs/action/FollowJointTrajectory';
		send({ op: 'advertise_action', action: 'lift', type });
		const ask = (name: string, request: object) =>
			bus.services.find((service) => service.name === `${action}/_action/${name}`)!.ask(request as never);
		const uuid = (last: number) => ({ uuid: Uint8Array.from({ length: 16 }, (_, i) => (i === 15 ? last : 0)) });
		const feedback: Uint8Array[] = [];
		bus.attach({ publish: ({ name }, bytes) => void (name.endsWith('/feedback') && feedback.push(bytes)) });

		const goal = { trajectory: { joint_names: ['a'] } };
		expect(await ask('send_goal', { goal_id: uuid(1), goal })).toMatchObject({ accepted: true });
		const sent = texts.at(-1)!;
		expect(sent).toMatchObject({ op: 'send_action_goal', action, action_type: type, args: goal });
		send({ op: 'action_feedback', action, id: sent['id'], values: { joint_names: ['a'] } });
		expect(feedback.length).toBe(1);
		send({ op: 'action_feedback', action, id: sent['id'], values: { nothing: 1 } });
		expect(texts.at(-1)).toMatchObject({ op: 'status', level: 'error' });
		send({ op: 'action_result', action, id: sent['id'], values: { error_string: 'fine' }, status: 4, result: true });
		expect(await ask('get_result', { goal_id: uuid(1) })).toMatchObject({
			status: 4,
			result: { error_string: 'fine' },
		});

		await ask('send_goal', { goal_id: uuid(2), goal });
		const second = texts.at(-1)!;
		expect(await ask('cancel_goal', { goal_info: { goal_id: uuid(2) } })).toMatchObject({ return_code: 0 });
		expect(texts.at(-1)).toMatchObject({ op: 'cancel_action_goal', id: second['id'] });
		send({ op: 'action_result', action, id: second['id'], values: {}, status: 5, result: true });
		expect(await ask('get_result', { goal_id: uuid(2) })).toMatchObject({ status: 5 });

		await ask('send_goal', { goal_id: uuid(3), goal });
		const result = ask('get_result', { goal_id: uuid(3) });
		send({ op: 'advertise_action', action, type });
		expect(texts.at(-1)).toMatchObject({ op: 'status', msg: `there is an action ${action} already` });
		send({ op: 'advertise_action', action: '/other', type: 'no_msgs/action/None' });
		expect(texts.at(-1)).toMatchObject({ op: 'status', level: 'error' });
		client.close();
		expect(await result).toMatchObject({ status: 6 });
		expect(bus.services.length).toBe(0);
	});

	it('survives 100,000 frames that make no sense', () => {
		const { bus, client, send } = connected();
		bus.advertise({ name: '/chatter', type: 'std_msgs/msg/String' });
		let state = 5;
		const random = (): number => {
			state = (Math.imul(state, 1664525) + 1013904223) | 0;
			return (state >>> 0) / 2 ** 32;
		};
		const ops = [
			'subscribe',
			'unsubscribe',
			'publish',
			'call_service',
			'fragment',
			'service_response',
			'cancel_action_goal',
		];
		const names = [
			'topic',
			'service',
			'id',
			'num',
			'total',
			'data',
			'msg',
			'args',
			'type',
			'compression',
			'throttle_rate',
		];
		const values: unknown[] = ['/chatter', 'x', -1, 3, null, true, [], {}, [1], { a: 1 }, 'cbor', 1e300, ''];
		const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)]!;
		for (let i = 0; i < 100_000; i++) {
			const message: Record<string, unknown> = { op: pick(ops) };
			for (let k = 0; k < 4; k++) message[pick(names)] = pick(values);
			if (i % 3 !== 0) send(message);
			else {
				const text = JSON.stringify(message);
				const at = Math.floor(random() * text.length);
				client.receive(text.slice(0, at) + String.fromCharCode(random() * 128) + text.slice(at + 1));
			}
		}
		expect(bus.publishers.length).toBe(1);
		expect(bus.services.length).toBe(0);
	});
});
