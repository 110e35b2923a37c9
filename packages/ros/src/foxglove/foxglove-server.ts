import type { ParameterServer, ParameterValue } from '../bus/parameter-server.ts';
import type { BusSink, Publisher, RosBus, Service } from '../bus/ros-bus.ts';
import type { RosMessage } from '../msg/message-codec.ts';

/** Subprotocols of WebSockets that are spoken, the preferred one first. */
export const FOXGLOVE_PROTOCOLS: readonly string[] = ['foxglove.sdk.v1', 'foxglove.websocket.v1'];

/** A client that is connected. @public */
export interface FoxgloveConnection {
	send(data: string | Uint8Array): void;
	/** Bytes that the client has not taken yet. */
	readonly bufferedAmount: number;
}

/** Options of {@link FoxgloveServer}. @public */
export interface FoxgloveServerOptions {
	readonly name: string;
	/** A text that differs from run to run. */
	readonly sessionId: string;
	readonly parameters?: ParameterServer;
	/** Gives the bytes of a file, such as a mesh that a `robot_description` names; rejects with the reason where it cannot. */
	readonly fetchAsset?: (uri: string) => Promise<Uint8Array>;
	/** The time of the simulation, where clients may stop and start it. */
	readonly playback?: FoxglovePlayback;
	/** Name of the node, for the graph of who publishes what. */
	readonly node?: string;
	/** Bytes that may wait for a client; beyond it messages are dropped for this client. */
	readonly mostWaiting?: number;
}

/** What clients may do with time. @public */
export interface FoxglovePlayback {
	readonly isPaused: boolean;
	/** Simulated seconds per second. */
	readonly speed: number;
	setPaused(isPaused: boolean): void;
	/** Whether the speed was taken. */
	setSpeed(speed: number): boolean;
	/** Goes back to the start. */
	restart(): Promise<void>;
}

/** Values of {@link FoxgloveServerOptions} that are used when absent. @public */
export const FOXGLOVE_DEFAULTS = { mostWaiting: 10_485_760 } as const;

const ServerOp = { MESSAGE: 1, TIME: 2, SERVICE_RESPONSE: 3, ASSET: 4, PLAYBACK: 5 } as const;
const ClientOp = { MESSAGE: 1, SERVICE_REQUEST: 2, PLAYBACK: 3 } as const;
const StatusLevel = { WARNING: 1, ERROR: 2 } as const;
/** Subscriptions and channels that one client may have. */
const MOST_ENTRIES = 4096;

interface Client {
	readonly connection: FoxgloveConnection;
	/** Channels by subscription, and back. */
	readonly subscriptions: Map<number, number>;
	/** What the client publishes, by its number. */
	readonly channels: Map<number, { readonly topic: string; readonly encoding: string }>;
	readonly parameters: Set<string>;
	/** Topics that it was told of losing. */
	readonly told: Set<number>;
	dropped: number;
	/** Whether it wants to know who publishes what. */
	watchesGraph: boolean;
}

/** Shows the bus to Foxglove and its kin over WebSockets. The sockets are the caller's. @public */
export class FoxgloveServer implements BusSink {
	readonly #bus: RosBus;
	readonly #options: FoxgloveServerOptions;
	readonly #mostWaiting: number;
	readonly #clients = new Set<Client>();
	readonly #publishers = new Map<number, Publisher>();
	readonly #channels = new Map<Publisher, number>();
	readonly #services = new Map<number, Service>();
	#next = 1;

	constructor(bus: RosBus, options: FoxgloveServerOptions) {
		this.#bus = bus;
		this.#options = options;
		this.#mostWaiting = options.mostWaiting ?? FOXGLOVE_DEFAULTS.mostWaiting;
	}

	get clientCount(): number {
		return this.#clients.size;
	}

	/** Takes a new client; the functions take what it sends, and that it is gone. */
	connect(connection: FoxgloveConnection): { receive(data: string | Uint8Array): void; close(): void } {
		const client: Client = {
			connection,
			subscriptions: new Map(),
			channels: new Map(),
			parameters: new Set(),
			told: new Set(),
			dropped: 0,
			watchesGraph: false,
		};
		this.#clients.add(client);
		const { parameters, fetchAsset, playback } = this.#options;
		const more = [
			...(parameters === undefined ? [] : ['parameters', 'parametersSubscribe']),
			...(fetchAsset === undefined ? [] : ['assets']),
			...(playback === undefined ? [] : ['playbackControl']),
		];
		send(client, {
			op: 'serverInfo',
			name: this.#options.name,
			capabilities: ['clientPublish', 'time', 'services', 'connectionGraph', ...more],
			supportedEncodings: ['cdr', 'json'],
			metadata: { ROS_DISTRO: 'jazzy' },
			sessionId: this.#options.sessionId,
			// a live run has no end; controls of time are shown where there is one
			...(playback !== undefined && { dataStartTime: timeOf(0n), dataEndTime: timeOf(END_OF_TIME) }),
		});
		send(client, {
			op: 'advertise',
			channels: [...this.#publishers].map(([id, publisher]) => this.#describe(id, publisher)),
		});
		send(client, {
			op: 'advertiseServices',
			services: [...this.#services].map(([id, service]) => this.#describeService(id, service)),
		});
		return {
			receive: (data) => (typeof data === 'string' ? this.#takeText(client, data) : this.#takeBytes(client, data)),
			close: () => void this.#clients.delete(client),
		};
	}

	addPublisher(publisher: Publisher): void {
		const id = this.#next++;
		this.#publishers.set(id, publisher);
		this.#channels.set(publisher, id);
		for (const client of this.#clients) send(client, { op: 'advertise', channels: [this.#describe(id, publisher)] });
		this.#tellGraph();
	}

	removePublisher(publisher: Publisher): void {
		const id = this.#channels.get(publisher);
		if (id === undefined) return;
		this.#channels.delete(publisher);
		this.#publishers.delete(id);
		for (const client of this.#clients) send(client, { op: 'unadvertise', channelIds: [id] });
		this.#tellGraph();
	}

	addService(service: Service): void {
		const id = this.#next++;
		this.#services.set(id, service);
		for (const client of this.#clients)
			send(client, { op: 'advertiseServices', services: [this.#describeService(id, service)] });
	}

	removeService(service: Service): void {
		for (const [id, own] of this.#services) {
			if (own !== service) continue;
			this.#services.delete(id);
			for (const client of this.#clients) send(client, { op: 'unadvertiseServices', serviceIds: [id] });
		}
	}

	publish(publisher: Publisher, bytes: Uint8Array, time: bigint): void {
		if (this.#clients.size === 0) return;
		const channel = this.#channels.get(publisher);
		if (channel === undefined) return;
		const isClock = publisher.name === '/clock';
		for (const client of this.#clients) {
			if (isClock) this.#sendTime(client, time);
			for (const [subscription, own] of client.subscriptions) {
				if (own === channel) this.#sendMessage(client, subscription, publisher, channel, bytes, time);
			}
		}
	}

	/** Tells clients of a parameter that has changed. */
	parameterChanged(name: string): void {
		for (const client of this.#clients)
			if (client.parameters.has(name))
				send(client, { op: 'parameterValues', parameters: this.#parameterValues([name]) });
	}

	#describe(id: number, { name, type }: Publisher): object {
		return {
			id,
			topic: name,
			encoding: 'cdr',
			schemaName: type,
			schemaEncoding: 'ros2msg',
			schema: this.#bus.types.schemaText(type),
		};
	}

	#describeService(id: number, { name, type }: Service): object {
		const { types } = this.#bus;
		const half = (part: string): object => ({
			encoding: 'cdr',
			schemaName: `${type}_${part}`,
			schemaEncoding: 'ros2msg',
			schema: types.schemaText(`${type}_${part}`),
		});
		return {
			id,
			name,
			type,
			request: half('Request'),
			response: half('Response'),
			requestSchema: types.schemaText(`${type}_Request`),
			responseSchema: types.schemaText(`${type}_Response`),
		};
	}

	#sendTime(client: Client, time: bigint): void {
		const view = new DataView(new ArrayBuffer(9));
		view.setUint8(0, ServerOp.TIME);
		view.setBigUint64(1, time, true);
		if (client.connection.bufferedAmount < this.#mostWaiting) client.connection.send(new Uint8Array(view.buffer));
	}

	#sendMessage(
		client: Client,
		subscription: number,
		publisher: Publisher,
		channel: number,
		bytes: Uint8Array,
		time: bigint,
	): void {
		const { connection } = client;
		// topics that may lose messages lose them first
		const most = publisher.qos.reliability === 'best_effort' ? this.#mostWaiting / 2 : this.#mostWaiting;
		if (connection.bufferedAmount + bytes.length > most) {
			client.dropped++;
			if (client.told.has(channel)) return;
			client.told.add(channel);
			send(client, {
				op: 'status',
				level: StatusLevel.WARNING,
				message: `the connection is too slow: messages of ${publisher.name} are dropped`,
			});
			return;
		}
		const data = new Uint8Array(13 + bytes.length);
		const view = new DataView(data.buffer);
		view.setUint8(0, ServerOp.MESSAGE);
		view.setUint32(1, subscription, true);
		view.setBigUint64(5, time, true);
		data.set(bytes, 13);
		connection.send(data);
	}

	#takeText(client: Client, text: string): void {
		let message: Record<string, unknown>;
		try {
			message = JSON.parse(text) as Record<string, unknown>;
		} catch {
			complain(client, 'a message that is no JSON was ignored');
			return;
		}
		const list = (name: string): Record<string, unknown>[] =>
			Array.isArray(message?.[name]) ? (message[name] as Record<string, unknown>[]) : [];
		switch (message?.['op']) {
			case 'subscribe':
				for (const one of list('subscriptions')) this.#subscribe(client, one?.['id'], one?.['channelId']);
				break;
			case 'unsubscribe':
				for (const id of list('subscriptionIds')) client.subscriptions.delete(Number(id));
				break;
			case 'advertise':
				for (const one of list('channels')) {
					if (client.channels.size >= MOST_ENTRIES) break;
					client.channels.set(Number(one?.['id']), {
						topic: String(one?.['topic']),
						encoding: String(one?.['encoding']),
					});
				}
				break;
			case 'unadvertise':
				for (const id of list('channelIds')) client.channels.delete(Number(id));
				break;
			case 'fetchAsset':
				void this.#sendAsset(client, message['uri'], message['requestId']);
				break;
			case 'subscribeConnectionGraph':
				client.watchesGraph = true;
				this.#sendGraph(client);
				break;
			case 'unsubscribeConnectionGraph':
				client.watchesGraph = false;
				break;
			case 'getParameters':
			case 'setParameters':
			case 'subscribeParameterUpdates':
			case 'unsubscribeParameterUpdates':
				this.#takeParameters(client, message, list);
				break;
			default:
				complain(client, `the operation '${String(message?.['op'])}' is unknown`);
		}
	}

	async #sendAsset(client: Client, uri: unknown, request: unknown): Promise<void> {
		const { fetchAsset } = this.#options;
		const answer = (status: number, error: string, data: Uint8Array): void => {
			const text = new TextEncoder().encode(error);
			const bytes = new Uint8Array(10 + text.length + data.length);
			const view = new DataView(bytes.buffer);
			view.setUint8(0, ServerOp.ASSET);
			view.setUint32(1, Number(request) >>> 0, true);
			view.setUint8(5, status);
			view.setUint32(6, text.length, true);
			bytes.set(text, 10);
			bytes.set(data, 10 + text.length);
			client.connection.send(bytes);
		};
		if (fetchAsset === undefined || typeof uri !== 'string') {
			answer(1, 'there are no assets', new Uint8Array());
			return;
		}
		try {
			answer(0, '', await fetchAsset(uri));
		} catch (error) {
			answer(1, error instanceof Error ? error.message : String(error), new Uint8Array());
		}
	}

	/** Tells who publishes, listens and serves: the node, and clients that have channels. */
	#sendGraph(client: Client): void {
		const { node = this.#options.name } = this.#options;
		const publishers = new Map<string, Set<string>>();
		const add = (name: string, id: string): void =>
			void publishers.set(name, (publishers.get(name) ?? new Set()).add(id));
		for (const { name } of this.#publishers.values()) add(name, node);
		for (const [index, one] of [...this.#clients].entries())
			for (const { topic } of one.channels.values()) add(topic, `client ${index + 1}`);
		const subscribed = new Set(this.#bus.subscriptions.map(({ name }) => name));
		send(client, {
			op: 'connectionGraphUpdate',
			publishedTopics: [...publishers].map(([name, ids]) => ({ name, publisherIds: [...ids] })),
			subscribedTopics: [...subscribed].map((name) => ({ name, subscriberIds: [node] })),
			advertisedServices: [...this.#services.values()].map(({ name }) => ({ name, providerIds: [node] })),
			removedTopics: [],
			removedServices: [],
		});
	}

	#tellGraph(): void {
		for (const client of this.#clients) if (client.watchesGraph) this.#sendGraph(client);
	}

	/** Stops, starts, changes the speed, or goes back to the start: the only moment that a live run can go to. */
	async #takePlayback(client: Client, bytes: Uint8Array, view: DataView): Promise<void> {
		const { playback } = this.#options;
		if (playback === undefined || bytes.length < 19) return;
		const length = view.getUint32(15, true);
		if (19 + length > bytes.length) return;
		const id = bytes.slice(19, 19 + length);
		const speed = view.getFloat32(2, true);
		const isSeek = view.getUint8(6) !== 0;
		const isBack = isSeek && view.getBigUint64(7, true) === 0n;
		playback.setPaused(view.getUint8(1) !== PlaybackCommand.PLAY);
		if (!playback.setSpeed(speed)) complain(client, `the speed ${speed} was refused`);
		if (isBack) await playback.restart();
		else if (isSeek) complain(client, 'a live run can only go back to its start');
		const data = new Uint8Array(19 + id.length);
		const out = new DataView(data.buffer);
		out.setUint8(0, ServerOp.PLAYBACK);
		out.setUint8(1, playback.isPaused ? PlaybackStatus.PAUSED : PlaybackStatus.PLAYING);
		out.setBigUint64(2, this.#bus.time, true);
		out.setFloat32(10, playback.speed, true);
		out.setUint8(14, isBack ? 1 : 0);
		out.setUint32(15, id.length, true);
		data.set(id, 19);
		for (const one of this.#clients) one.connection.send(data);
	}

	#subscribe(client: Client, id: unknown, channelId: unknown): void {
		const publisher = this.#publishers.get(channelId as number);
		if (typeof id !== 'number' || publisher === undefined || client.subscriptions.size >= MOST_ENTRIES) {
			complain(client, `there is no channel ${String(channelId)}`);
			return;
		}
		client.subscriptions.set(id, channelId as number);
		const { latched, latchedTime } = publisher;
		if (latched !== undefined) this.#sendMessage(client, id, publisher, channelId as number, latched, latchedTime);
	}

	#takeParameters(
		client: Client,
		message: Record<string, unknown>,
		list: (name: string) => Record<string, unknown>[],
	): void {
		const { parameters } = this.#options;
		if (parameters === undefined) return;
		const names = (list('parameterNames') as unknown[]).map(String);
		const id = typeof message['id'] === 'string' ? { id: message['id'] } : {};
		switch (message['op']) {
			case 'getParameters': {
				const wanted = names.length > 0 ? names : parameters.names;
				send(client, { op: 'parameterValues', parameters: this.#parameterValues(wanted), ...id });
				break;
			}
			case 'setParameters': {
				const given = list('parameters');
				for (const one of given) {
					const name = String(one?.['name']);
					const reason = parameters.set(name, sameKind(parameters.get(name), one?.['value']));
					if (reason === undefined) this.parameterChanged(name);
					else complain(client, `a parameter was refused: ${reason}`);
				}
				const set = given.map((one) => String(one?.['name']));
				if (message['id'] !== undefined)
					send(client, { op: 'parameterValues', parameters: this.#parameterValues(set), ...id });
				break;
			}
			case 'subscribeParameterUpdates':
				for (const name of names) if (client.parameters.size < MOST_ENTRIES) client.parameters.add(name);
				break;
			default:
				for (const name of names) client.parameters.delete(name);
		}
	}

	#parameterValues(names: readonly string[]): object[] {
		const { parameters } = this.#options;
		return names.flatMap((name) => {
			const value = parameters?.get(name);
			if (value === undefined) return [];
			return [
				{
					name,
					value: typeof value === 'bigint' ? Number(value) : value,
					...(typeof value === 'number' && { type: 'float64' }),
				},
			];
		});
	}

	#takeBytes(client: Client, bytes: Uint8Array): void {
		if (bytes.length < 5) return;
		const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
		if (bytes[0] === ClientOp.MESSAGE) this.#takeMessage(client, view.getUint32(1, true), bytes.subarray(5));
		else if (bytes[0] === ClientOp.SERVICE_REQUEST) this.#takeRequest(client, bytes, view);
		else if (bytes[0] === ClientOp.PLAYBACK) void this.#takePlayback(client, bytes, view);
		else complain(client, `the operation ${bytes[0]} is unknown`);
	}

	#takeMessage(client: Client, id: number, payload: Uint8Array): void {
		const channel = client.channels.get(id);
		const listeners = this.#bus.subscriptions.filter(({ name }) => name === channel?.topic);
		if (channel === undefined || listeners.length === 0) {
			complain(client, channel === undefined ? `there is no channel ${id}` : `nobody listens to ${channel.topic}`);
			return;
		}
		for (const listener of listeners) {
			if (channel.encoding === 'cdr') listener.receive(payload);
			else {
				const message = fromJson(payload, (value) => listener.codec.encode(value));
				if (message === undefined)
					complain(client, `a message to ${channel.topic} was ignored: it does not fit ${listener.type}`);
				else listener.receive(message);
			}
		}
	}

	#takeRequest(client: Client, bytes: Uint8Array, view: DataView): void {
		if (bytes.length < 13) return;
		const id = view.getUint32(1, true);
		const call = view.getUint32(5, true);
		const length = view.getUint32(9, true);
		if (13 + length > bytes.length) return;
		const encoding = new TextDecoder().decode(bytes.subarray(13, 13 + length));
		const payload = bytes.subarray(13 + length);
		const service = this.#services.get(id);
		const fail = (message: string): void =>
			send(client, { op: 'serviceCallFailure', serviceId: id, callId: call, message });
		if (service === undefined) {
			fail(`there is no service ${id}`);
			return;
		}
		const request = encoding === 'cdr' ? payload : fromJson(payload, (value) => service.request.encode(value));
		if (request === undefined) {
			fail(`the request does not fit ${service.type}`);
			return;
		}
		const decoded = service.request.decode(request);
		if ('problem' in decoded) {
			fail(decoded.problem);
			return;
		}
		service.call(request, (answer) => {
			const name = new TextEncoder().encode('cdr');
			const data = new Uint8Array(13 + name.length + answer.length);
			const out = new DataView(data.buffer);
			out.setUint8(0, ServerOp.SERVICE_RESPONSE);
			out.setUint32(1, id, true);
			out.setUint32(5, call, true);
			out.setUint32(9, name.length, true);
			data.set(name, 13);
			data.set(answer, 13 + name.length);
			client.connection.send(data);
		});
	}
}

const PlaybackCommand = { PLAY: 0 } as const;
const PlaybackStatus = { PLAYING: 0, PAUSED: 1 } as const;
/** A day [ns]. */
const END_OF_TIME = 86_400_000_000_000n;

function timeOf(time: bigint): object {
	return { sec: Number(time / 1_000_000_000n), nsec: Number(time % 1_000_000_000n) };
}

function send(client: Client, message: object): void {
	client.connection.send(JSON.stringify(message));
}

function complain(client: Client, message: string): void {
	send(client, { op: 'status', level: StatusLevel.ERROR, message });
}

/** The bytes of a message that is given as JSON; undefined where it does not fit its type. */
function fromJson(payload: Uint8Array, encode: (value: RosMessage) => Uint8Array): Uint8Array | undefined {
	try {
		return encode(JSON.parse(new TextDecoder().decode(payload)) as RosMessage);
	} catch {
		return undefined;
	}
}

/** A value of JSON as the kind that a parameter has; whole numbers of ROS are bigints. */
function sameKind(current: ParameterValue | undefined, value: unknown): ParameterValue {
	return typeof current === 'bigint' && Number.isInteger(value) ? BigInt(value as number) : (value as ParameterValue);
}
