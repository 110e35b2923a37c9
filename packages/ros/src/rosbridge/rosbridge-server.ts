import { GoalStatus } from '../bus/action-server.ts';
import type { BusSink, Publisher, RosBus, Service } from '../bus/ros-bus.ts';
import type { RosMessage } from '../msg/message-codec.ts';
import { toCbor } from './cbor.ts';
import { fromJsonMessage, toJsonMessage } from './json-message.ts';
import { OfferedActions } from './offered-actions.ts';
import { ROSAPI } from './rosapi.ts';

/** A client that is connected. @public */
export interface RosbridgeConnection {
	send(data: string | Uint8Array): void;
	/** Bytes that the client has not taken yet. */
	readonly bufferedAmount: number;
}

/** Options of {@link RosbridgeServer}. @public */
export interface RosbridgeServerOptions {
	/** Name of the node with its namespace. */
	readonly node: string;
	/** Milliseconds of a clock that only moves forward, for `throttle_rate`. */
	readonly now: () => number;
	/** Bytes that may wait for a client; beyond it messages are dropped for this client. */
	readonly mostWaiting?: number;
}

/** Values of {@link RosbridgeServerOptions} that are used when absent. @public */
export const ROSBRIDGE_DEFAULTS = { mostWaiting: 10_485_760 } as const;

/** How a message is written. */
type Compression = 'none' | 'cbor' | 'cbor-raw';

interface TopicWish {
	readonly id: string | undefined;
	readonly compression: Compression;
	/** [ms] */
	readonly throttle: number;
	/** Size of the pieces that messages are sent in [characters]; infinite: whole. */
	readonly fragmentSize: number;
	sentAt: number;
}

interface Client {
	readonly connection: RosbridgeConnection;
	/** By topic. */
	readonly wishes: Map<string, TopicWish[]>;
	/** Services that the client answers, by name. */
	readonly services: Map<string, Service>;
	/** Actions that it carries out. */
	readonly actions: OfferedActions;
	/** Calls that it has not answered yet, by their identifier. */
	readonly calls: Map<string, { resolve(values: RosMessage): void; reject(error: Error): void }>;
	/** Goals that it has sent: the identifier of the goal by that of the client. */
	readonly goals: Map<string, { readonly action: string; readonly uuid: Uint8Array; readonly wantsFeedback: boolean }>;
	/** Messages that come in pieces, by their identifier. */
	readonly pieces: Map<string, (string | undefined)[]>;
}

/** What a client has written, as far as it was understood. */
type Request = Readonly<Record<string, unknown>>;

const MOST_WISHES = 4096;
/** Messages in pieces that a client may have under way, and pieces of one. */
const MOST_PIECED = 16;
const MOST_PIECES = 65_536;

/** Shows the bus to roslib and its kin: rosbridge v2, with the services of rosapi. The sockets are the caller's. @public */
export class RosbridgeServer implements BusSink {
	readonly #bus: RosBus;
	readonly #options: RosbridgeServerOptions;
	readonly #mostWaiting: number;
	readonly #clients = new Set<Client>();
	#count = 0;

	constructor(bus: RosBus, options: RosbridgeServerOptions) {
		this.#bus = bus;
		this.#options = options;
		this.#mostWaiting = options.mostWaiting ?? ROSBRIDGE_DEFAULTS.mostWaiting;
	}

	/** Takes a new client; the functions take what it sends, and that it is gone. */
	connect(connection: RosbridgeConnection): { receive(data: string | Uint8Array): void; close(): void } {
		const client: Client = {
			connection,
			wishes: new Map(),
			services: new Map(),
			actions: new OfferedActions(this.#bus, (message) => connection.send(JSON.stringify(message))),
			calls: new Map(),
			goals: new Map(),
			pieces: new Map(),
		};
		this.#clients.add(client);
		return {
			receive: (data) => this.#take(client, data),
			close: () => {
				this.#clients.delete(client);
				client.actions.close();
				for (const service of client.services.values()) this.#bus.remove(service);
				for (const call of client.calls.values()) call.reject(new Error('the client that answers is gone'));
			},
		};
	}

	publish(publisher: Publisher, bytes: Uint8Array): void {
		const action = /^(.*)\/_action\/feedback$/.exec(publisher.name)?.[1];
		if (action !== undefined) this.#tellFeedback(action, publisher, bytes);
		for (const client of this.#clients) {
			for (const wish of client.wishes.get(publisher.name) ?? []) this.#deliver(client, wish, publisher, bytes);
		}
	}

	#deliver(client: Client, wish: TopicWish, publisher: Publisher, bytes: Uint8Array): void {
		const now = this.#options.now();
		if (now - wish.sentAt < wish.throttle || client.connection.bufferedAmount > this.#mostWaiting) return;
		wish.sentAt = now;
		const { name, type, codec } = publisher;
		if (wish.compression === 'cbor-raw') {
			const time = this.#bus.time;
			const stamp = { secs: Number(time / 1_000_000_000n), nsecs: Number(time % 1_000_000_000n), bytes };
			client.connection.send(toCbor({ op: 'publish', topic: name, msg: stamp }));
			return;
		}
		const decoded = codec.decode(bytes);
		if ('problem' in decoded) return;
		const { message } = decoded;
		if (wish.compression === 'cbor') client.connection.send(toCbor({ op: 'publish', topic: name, msg: message }));
		else {
			const text = JSON.stringify({ op: 'publish', topic: name, msg: toJsonMessage(this.#bus.types, type, message) });
			this.#sendPieces(client, text, wish.fragmentSize);
		}
	}

	/** A text whole, or in pieces of a size. */
	#sendPieces(client: Client, text: string, size: number): void {
		if (text.length <= size) {
			client.connection.send(text);
			return;
		}
		const total = Math.ceil(text.length / size);
		const id = String(++this.#count);
		for (let num = 0; num < total; num++)
			this.#send(client, { op: 'fragment', id, num, total, data: text.slice(num * size, (num + 1) * size) });
	}

	/** Puts the pieces of a message together; undefined until the last has come. */
	#joinPieces(client: Client, { id, num, total, data }: Request): string | undefined {
		const [index, count] = [Number(num), Number(total)];
		const isRight =
			typeof data === 'string' && Number.isInteger(index) && index >= 0 && index < count && count <= MOST_PIECES;
		if (!isRight) {
			this.#complain(client, id, 'a piece of a message makes no sense');
			return undefined;
		}
		const key = String(id);
		let pieces = client.pieces.get(key);
		if (pieces === undefined || pieces.length !== count) {
			pieces = new Array<string | undefined>(count).fill(undefined);
			client.pieces.set(key, pieces);
			// the oldest gives way
			if (client.pieces.size > MOST_PIECED) client.pieces.delete(client.pieces.keys().next().value!);
		}
		pieces[index] = data;
		if (pieces.includes(undefined)) return undefined;
		client.pieces.delete(key);
		return pieces.join('');
	}

	#take(client: Client, data: string | Uint8Array): void {
		let request: Request;
		try {
			request = JSON.parse(typeof data === 'string' ? data : new TextDecoder().decode(data)) as Request;
		} catch {
			this.#complain(client, undefined, 'a message that is no JSON was ignored');
			return;
		}
		if (typeof request !== 'object' || request === null) return;
		const id = request['id'];
		switch (request['op']) {
			case 'subscribe':
				this.#subscribe(client, request);
				break;
			case 'unsubscribe':
				this.#unsubscribe(client, request);
				break;
			case 'publish':
				this.#publish(client, request);
				break;
			case 'call_service':
				void this.#call(client, request);
				break;
			case 'fragment': {
				const whole = this.#joinPieces(client, request);
				if (whole !== undefined) this.#take(client, whole);
				break;
			}
			case 'advertise_service':
				this.#advertiseService(client, request);
				break;
			case 'unadvertise_service':
				this.#unadvertiseService(client, absolute(request['service']));
				break;
			case 'service_response':
				this.#takeResponse(client, request);
				break;
			case 'advertise_action':
				this.#complainOf(client, id, client.actions.advertise(absolute(request['action']), request));
				break;
			case 'unadvertise_action':
				client.actions.unadvertise(absolute(request['action']));
				break;
			case 'action_feedback':
				this.#complainOf(client, id, client.actions.takeFeedback(request));
				break;
			case 'action_result':
				this.#complainOf(client, id, client.actions.takeResult(request));
				break;
			case 'send_action_goal':
				void this.#sendGoal(client, request);
				break;
			case 'cancel_action_goal':
				void this.#cancelGoal(client, request);
				break;
			// nothing has to be known before messages come
			case 'advertise':
			case 'unadvertise':
			case 'set_level':
				break;
			default:
				this.#complain(client, id, `the operation '${String(request['op'])}' is not supported`);
		}
	}

	#subscribe(client: Client, request: Request): void {
		const topic = absolute(request['topic']);
		const publisher = this.#bus.publishers.find(({ name }) => name === topic);
		const compression = request['compression'] ?? 'none';
		if (compression !== 'none' && compression !== 'cbor' && compression !== 'cbor-raw') {
			this.#complain(
				client,
				request['id'],
				`the compression '${String(compression)}' is not supported, expected none, cbor or cbor-raw`,
			);
			return;
		}
		const wishes = client.wishes.get(topic) ?? [];
		if (wishes.length + client.wishes.size >= MOST_WISHES) return;
		const throttle = Number(request['throttle_rate'] ?? 0) || 0;
		const id = typeof request['id'] === 'string' ? request['id'] : undefined;
		const fragmentSize =
			Number(request['fragment_size']) >= 1 ? Number(request['fragment_size']) : Number.POSITIVE_INFINITY;
		const wish: TopicWish = { id, compression, throttle, fragmentSize, sentAt: Number.NEGATIVE_INFINITY };
		client.wishes.set(topic, [...wishes, wish]);
		if (publisher?.latched !== undefined) this.#deliver(client, wish, publisher, publisher.latched);
	}

	#unsubscribe(client: Client, request: Request): void {
		const topic = absolute(request['topic']);
		const id = request['id'];
		const left = id === undefined ? [] : (client.wishes.get(topic) ?? []).filter((wish) => wish.id !== id);
		if (left.length === 0) client.wishes.delete(topic);
		else client.wishes.set(topic, left);
	}

	#publish(client: Client, request: Request): void {
		const topic = absolute(request['topic']);
		const listeners = this.#bus.subscriptions.filter(({ name }) => name === topic);
		if (listeners.length === 0) {
			this.#complain(client, request['id'], `nobody listens to ${topic}`);
			return;
		}
		for (const listener of listeners) {
			try {
				listener.receive(listener.codec.encode(fromJsonMessage(this.#bus.types, listener.type, request['msg'] ?? {})));
			} catch (error) {
				this.#complain(client, request['id'], `a message to ${topic} was ignored: ${textOf(error)}`);
			}
		}
	}

	async #call(client: Client, request: Request): Promise<void> {
		const name = absolute(request['service']);
		const id = request['id'];
		const answer = (result: boolean, values: unknown): void =>
			this.#send(client, {
				op: 'service_response',
				service: request['service'],
				...(id !== undefined && { id }),
				values,
				result,
			});
		const args = (request['args'] ?? {}) as Readonly<Record<string, unknown>>;
		try {
			const api = name.startsWith('/rosapi/') ? ROSAPI[name.slice('/rosapi/'.length)] : undefined;
			if (api !== undefined) {
				answer(true, api(this.#bus, args, this.#options.node));
				return;
			}
			const service = this.#bus.services.find((one) => one.name === name);
			if (service === undefined) {
				answer(false, `there is no service ${name}`);
				return;
			}
			const { types } = this.#bus;
			const given: RosMessage = fromJsonMessage(types, `${service.type}_Request`, Array.isArray(args) ? {} : args);
			const response = await service.ask(given);
			const whole = service.response.decode(service.response.encode(response));
			answer(true, 'message' in whole ? toJsonMessage(types, `${service.type}_Response`, whole.message) : {});
		} catch (error) {
			answer(false, textOf(error));
		}
	}

	/** Offers a service that the client answers, to all that the bus reaches. */
	#advertiseService(client: Client, request: Request): void {
		const name = absolute(request['service']);
		const type = String(request['type']).replace(/^([^/]+)\/([^/]+)$/, '$1/srv/$2');
		if (!this.#bus.types.has(type)) {
			this.#complain(client, request['id'], `the type '${type}' of ${name} is unknown`);
			return;
		}
		if (this.#bus.services.some((one) => one.name === name) || client.services.size >= MOST_WISHES) {
			this.#complain(client, request['id'], `there is a service ${name} already`);
			return;
		}
		const { types } = this.#bus;
		const service = this.#bus.serve({ name, type }, async (args) => {
			const id = `call_service:${name}:${++this.#count}`;
			const answer = new Promise<RosMessage>((resolve, reject) => {
				client.calls.set(id, { resolve, reject });
			});
			this.#send(client, {
				op: 'call_service',
				id,
				service: name,
				args: toJsonMessage(types, `${type}_Request`, args),
			});
			return fromJsonMessage(types, `${type}_Response`, await answer);
		});
		client.services.set(name, service);
	}

	#unadvertiseService(client: Client, name: string): void {
		const service = client.services.get(name);
		if (service === undefined) return;
		client.services.delete(name);
		this.#bus.remove(service);
	}

	#takeResponse(client: Client, request: Request): void {
		const call = client.calls.get(String(request['id']));
		if (call === undefined) return;
		client.calls.delete(String(request['id']));
		if (request['result'] === false) call.reject(new Error(String(request['values'] ?? 'the client has refused')));
		else call.resolve((request['values'] ?? {}) as RosMessage);
	}

	/** Sends a goal to an action of the bus, and its result to the client in the end. */
	async #sendGoal(client: Client, request: Request): Promise<void> {
		const action = absolute(request['action']);
		const id = String(request['id'] ?? '');
		const fail = (status: number, values: unknown): void =>
			this.#send(client, { op: 'action_result', action: request['action'], id, values, status, result: false });
		const service = (name: string): Service | undefined =>
			this.#bus.services.find((one) => one.name === `${action}/_action/${name}`);
		const [send, results] = [service('send_goal'), service('get_result')];
		if (send === undefined || results === undefined) {
			fail(0, `there is no action ${action}`);
			return;
		}
		const type = send.type.replace(/_SendGoal$/, '');
		const uuid = new Uint8Array(16);
		new DataView(uuid.buffer).setUint32(12, ++this.#count);
		// others may send goals too
		uuid.set([0x72, 0x62]);
		try {
			const goal = fromJsonMessage(this.#bus.types, `${type}_Goal`, request['args'] ?? {});
			client.goals.set(id, { action, uuid, wantsFeedback: request['feedback'] === true });
			const { accepted } = await send.ask({ goal_id: { uuid }, goal });
			if (accepted !== true) {
				fail(GoalStatus.ABORTED, 'the goal was refused');
				return;
			}
			const { status, result } = await results.ask({ goal_id: { uuid } });
			const codec = this.#bus.types.codec(`${type}_Result`);
			const whole = codec.decode(codec.encode((result ?? {}) as RosMessage));
			this.#send(client, {
				op: 'action_result',
				action: request['action'],
				id,
				values: 'message' in whole ? toJsonMessage(this.#bus.types, `${type}_Result`, whole.message) : {},
				status,
				result: status === GoalStatus.SUCCEEDED,
			});
		} catch (error) {
			fail(GoalStatus.ABORTED, textOf(error));
		} finally {
			client.goals.delete(id);
		}
	}

	async #cancelGoal(client: Client, request: Request): Promise<void> {
		const goal = client.goals.get(String(request['id'] ?? ''));
		const cancel = this.#bus.services.find(({ name }) => name === `${goal?.action}/_action/cancel_goal`);
		if (goal === undefined || cancel === undefined) this.#complain(client, request['id'], 'there is no such goal');
		else await cancel.ask({ goal_info: { goal_id: { uuid: goal.uuid } } });
	}

	#tellFeedback(action: string, publisher: Publisher, bytes: Uint8Array): void {
		for (const client of this.#clients) {
			for (const [id, goal] of client.goals) {
				if (goal.action !== action || !goal.wantsFeedback) continue;
				const decoded = publisher.codec.decode(bytes);
				if ('problem' in decoded) return;
				const { goal_id: of, feedback } = decoded.message as { goal_id: { uuid: Uint8Array }; feedback: RosMessage };
				if (!goal.uuid.every((byte, i) => byte === of.uuid[i])) continue;
				const type = publisher.type.replace(/_FeedbackMessage$/, '_Feedback');
				const values = toJsonMessage(this.#bus.types, type, feedback);
				this.#send(client, { op: 'action_feedback', action, id, values });
			}
		}
	}

	#send(client: Client, message: object): void {
		client.connection.send(JSON.stringify(message));
	}

	#complainOf(client: Client, id: unknown, problem: string | undefined): void {
		if (problem !== undefined) this.#complain(client, id, problem);
	}

	#complain(client: Client, id: unknown, message: string): void {
		this.#send(client, { op: 'status', level: 'error', msg: message, ...(id !== undefined && { id }) });
	}
}

/** roslib leaves the leading slash out. */
function absolute(name: unknown): string {
	const text = String(name ?? '');
	return text.startsWith('/') ? text : `/${text}`;
}

function textOf(error: unknown): string {
	return error instanceof Error ? error.message : String(error);
}
