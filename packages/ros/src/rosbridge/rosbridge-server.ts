import type { BusSink, Publisher, RosBus } from '../bus/ros-bus.ts';
import type { RosMessage } from '../msg/message-codec.ts';
import { toCbor } from './cbor.ts';
import { fromJsonMessage, toJsonMessage } from './json-message.ts';
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
	sentAt: number;
}

interface Client {
	readonly connection: RosbridgeConnection;
	/** By topic. */
	readonly wishes: Map<string, TopicWish[]>;
}

/** What a client has written, as far as it was understood. */
type Request = Readonly<Record<string, unknown>>;

const MOST_WISHES = 4096;

/** Shows the bus to roslib and its kin: rosbridge v2, with the services of rosapi. The sockets are the caller's. @public */
export class RosbridgeServer implements BusSink {
	readonly #bus: RosBus;
	readonly #options: RosbridgeServerOptions;
	readonly #mostWaiting: number;
	readonly #clients = new Set<Client>();

	constructor(bus: RosBus, options: RosbridgeServerOptions) {
		this.#bus = bus;
		this.#options = options;
		this.#mostWaiting = options.mostWaiting ?? ROSBRIDGE_DEFAULTS.mostWaiting;
	}

	/** Takes a new client; the functions take what it sends, and that it is gone. */
	connect(connection: RosbridgeConnection): { receive(data: string | Uint8Array): void; close(): void } {
		const client: Client = { connection, wishes: new Map() };
		this.#clients.add(client);
		return {
			receive: (data) => this.#take(client, data),
			close: () => void this.#clients.delete(client),
		};
	}

	publish(publisher: Publisher, bytes: Uint8Array): void {
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
		else this.#send(client, { op: 'publish', topic: name, msg: toJsonMessage(this.#bus.types, type, message) });
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
		const wish: TopicWish = { id, compression, throttle, sentAt: Number.NEGATIVE_INFINITY };
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

	#send(client: Client, message: object): void {
		client.connection.send(JSON.stringify(message));
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
