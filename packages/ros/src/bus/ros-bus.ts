import { UsageRangeError, UsageStateError } from '@manyworlds/core';
import type { MessageCodec, RosMessage } from '../msg/message-codec.ts';
import { TypeRegistry } from '../msg/type-registry.ts';
import { QOS_DEFAULTS, type Qos } from './qos.ts';

/** A name, a type and how messages travel. @public */
export interface TopicOptions {
	/** With its namespace: `/robot_1/scan`. */
	readonly name: string;
	/** `sensor_msgs/msg/LaserScan`. */
	readonly type: string;
	readonly qos?: Partial<Qos>;
	/** Domain of ROS that it belongs to; that of the bus unless given. */
	readonly domain?: number;
}

/** A name and a type of a service. @public */
export interface ServiceOptions {
	readonly name: string;
	/** `std_srvs/srv/Trigger`. */
	readonly type: string;
	readonly domain?: number;
}

/** What carries messages between the bus and others. Nothing of it may wait or throw. @public */
export interface BusSink {
	addPublisher?(publisher: Publisher): void;
	removePublisher?(publisher: Publisher): void;
	addSubscription?(subscription: Subscription): void;
	/** A message came that the bus has listened to, whoever has carried it; `time` is simulated [ns]. */
	received?(subscription: Subscription, bytes: Uint8Array, time: bigint): void;
	removeSubscription?(subscription: Subscription): void;
	addService?(service: Service): void;
	removeService?(service: Service): void;
	/** Takes a message; `time` is the simulated time [ns]. */
	publish?(publisher: Publisher, bytes: Uint8Array, time: bigint): void;
}

/** Options of {@link RosBus}. @public */
export interface RosBusOptions {
	readonly types?: TypeRegistry;
	/** Domain of what names none; 0 unless given. */
	readonly domain?: number;
	/** Told of what went wrong with a message that came: a sentence. */
	readonly onProblem?: (message: string) => void;
}

/**
 * Topics and services of a robot, whatever carries them. Each message is encoded once for all sinks.
 *
 * ```ts
 * const bus = new RosBus();
 * const text = bus.advertise({ name: '/hello', type: 'std_msgs/msg/String' });
 * bus.attach(sink);
 * text.publish({ data: 'hello' });
 * ```
 * @public
 */
export class RosBus {
	readonly types: TypeRegistry;
	readonly domain: number;
	/** Simulated time [ns] that messages are sent at. */
	time = 0n;
	readonly #onProblem: (message: string) => void;
	readonly #sinks: BusSink[] = [];
	readonly #publishers = new Set<Publisher>();
	readonly #subscriptions = new Set<Subscription>();
	readonly #services = new Set<Service>();

	constructor(options: RosBusOptions = {}) {
		this.types = options.types ?? TypeRegistry.standard;
		this.domain = options.domain ?? 0;
		this.#onProblem = options.onProblem ?? (() => {});
	}

	get publishers(): readonly Publisher[] {
		return [...this.#publishers];
	}

	get subscriptions(): readonly Subscription[] {
		return [...this.#subscriptions];
	}

	get services(): readonly Service[] {
		return [...this.#services];
	}

	/** Connects something that carries messages; it is told of all there is. */
	attach(sink: BusSink): void {
		this.#sinks.push(sink);
		for (const publisher of this.#publishers) {
			sink.addPublisher?.(publisher);
			if (publisher.latched !== undefined) sink.publish?.(publisher, publisher.latched, publisher.latchedTime);
		}
		for (const subscription of this.#subscriptions) sink.addSubscription?.(subscription);
		for (const service of this.#services) sink.addService?.(service);
	}

	detach(sink: BusSink): void {
		const index = this.#sinks.indexOf(sink);
		if (index >= 0) this.#sinks.splice(index, 1);
	}

	/** Offers a topic. Throws where the type is unknown. */
	advertise<T extends object = RosMessage>(options: TopicOptions): Publisher<T> {
		const publisher = new Publisher<T>(options, this.types.codec(options.type), this, (bytes) => {
			for (const sink of this.#sinks) sink.publish?.(publisher as unknown as Publisher, bytes, this.time);
		});
		const plain = publisher as unknown as Publisher;
		this.#publishers.add(plain);
		for (const sink of this.#sinks) sink.addPublisher?.(plain);
		return publisher;
	}

	/** Listens to a topic. The handler is called when a message comes, between two steps of the simulation. */
	subscribe<T extends object = RosMessage>(options: TopicOptions, handler: (message: T) => void): Subscription {
		const take = (message: RosMessage): void => handler(message as unknown as T);
		const tell = (bytes: Uint8Array): void => {
			for (const sink of this.#sinks) sink.received?.(subscription, bytes, this.time);
		};
		const codec = this.types.codec(options.type);
		const subscription = new Subscription(options, codec, this, take, tell, this.#onProblem);
		this.#subscriptions.add(subscription);
		for (const sink of this.#sinks) sink.addSubscription?.(subscription);
		return subscription;
	}

	/** Offers a service. */
	serve<Q extends object = RosMessage, R extends object = RosMessage>(
		options: ServiceOptions,
		handler: (request: Q) => R | Promise<R>,
	): Service {
		const answer = handler as unknown as (request: RosMessage) => RosMessage | Promise<RosMessage>;
		const service = new Service(options, this, answer, this.#onProblem);
		this.#services.add(service);
		for (const sink of this.#sinks) sink.addService?.(service);
		return service;
	}

	/** Takes a topic, a subscription or a service back. */
	remove(entity: Publisher<never> | Publisher | Subscription | Service): void {
		if (this.#publishers.delete(entity as Publisher))
			for (const sink of this.#sinks) sink.removePublisher?.(entity as Publisher);
		if (this.#subscriptions.delete(entity as Subscription))
			for (const sink of this.#sinks) sink.removeSubscription?.(entity as Subscription);
		if (this.#services.delete(entity as Service))
			for (const sink of this.#sinks) sink.removeService?.(entity as Service);
	}
}

/** What is offered or listened to. */
class TopicEnd {
	readonly name: string;
	readonly type: string;
	readonly qos: Qos;
	readonly domain: number;
	readonly codec: MessageCodec;

	constructor({ name, type, qos, domain }: TopicOptions, codec: MessageCodec, bus: RosBus) {
		if (!name.startsWith('/')) throw new UsageRangeError(`the topic '${name}' has no leading slash`);
		this.name = name;
		this.type = type;
		this.qos = { ...QOS_DEFAULTS, ...qos };
		this.domain = domain ?? bus.domain;
		this.codec = codec;
	}
}

/** A topic that is offered. @public */
export class Publisher<T extends object = RosMessage> extends TopicEnd {
	readonly #send: (bytes: Uint8Array) => void;
	readonly #bus: RosBus;
	/** The last message of a topic that keeps it for those who come late, and its time [ns]. */
	latched: Uint8Array | undefined;
	latchedTime = 0n;
	/** Messages that were sent. */
	count = 0;

	constructor(options: TopicOptions, codec: MessageCodec, bus: RosBus, send: (bytes: Uint8Array) => void) {
		super(options, codec, bus);
		this.#bus = bus;
		this.#send = send;
	}

	publish(message: T): void {
		this.publishBytes(this.codec.encode(message as unknown as RosMessage));
	}

	/** Sends a message that is encoded already (CDR with its header). */
	publishBytes(bytes: Uint8Array): void {
		this.count++;
		if (this.qos.durability === 'transient_local') {
			this.latched = bytes;
			this.latchedTime = this.#bus.time;
		}
		this.#send(bytes);
	}
}

/** A topic that is listened to. @public */
export class Subscription extends TopicEnd {
	readonly #handler: (message: RosMessage) => void;
	readonly #tell: (bytes: Uint8Array) => void;
	readonly #onProblem: (message: string) => void;
	/** Messages that came. */
	count = 0;

	constructor(
		options: TopicOptions,
		codec: MessageCodec,
		bus: RosBus,
		handler: (message: RosMessage) => void,
		tell: (bytes: Uint8Array) => void,
		onProblem: (message: string) => void,
	) {
		super(options, codec, bus);
		this.#handler = handler;
		this.#tell = tell;
		this.#onProblem = onProblem;
	}

	/** Takes the bytes of a message (CDR with its header). */
	receive(bytes: Uint8Array): void {
		const decoded = this.codec.decode(bytes);
		if ('problem' in decoded) this.#onProblem(`a message to ${this.name} was ignored: ${decoded.problem}`);
		else {
			this.count++;
			this.#tell(bytes);
			this.#handler(decoded.message);
		}
	}
}

/** A service that is offered. @public */
export class Service {
	readonly name: string;
	readonly type: string;
	readonly domain: number;
	readonly request: MessageCodec;
	readonly response: MessageCodec;
	readonly #handler: (request: RosMessage) => RosMessage | Promise<RosMessage>;
	readonly #onProblem: (message: string) => void;

	constructor(
		{ name, type, domain }: ServiceOptions,
		bus: RosBus,
		handler: (request: RosMessage) => RosMessage | Promise<RosMessage>,
		onProblem: (message: string) => void,
	) {
		if (!name.startsWith('/')) throw new UsageRangeError(`the service '${name}' has no leading slash`);
		this.name = name;
		this.type = type;
		this.domain = domain ?? bus.domain;
		this.request = bus.types.codec(`${type}_Request`);
		this.response = bus.types.codec(`${type}_Response`);
		this.#handler = handler;
		this.#onProblem = onProblem;
	}

	/** Answers a request that is given as bytes; one that makes no sense gets no answer. */
	call(bytes: Uint8Array, reply: (bytes: Uint8Array) => void): void {
		const decoded = this.request.decode(bytes);
		if ('problem' in decoded) {
			this.#onProblem(`a request to ${this.name} was ignored: ${decoded.problem}`);
			return;
		}
		void this.#answer(decoded.message, (response) => reply(this.response.encode(response)));
	}

	/** Answers a request. */
	async ask(request: RosMessage): Promise<RosMessage> {
		const whole = this.request.decode(this.request.encode(request));
		if ('problem' in whole) throw new UsageStateError(whole.problem);
		return await this.#handler(whole.message);
	}

	async #answer(request: RosMessage, reply: (response: RosMessage) => void): Promise<void> {
		try {
			reply(await this.#handler(request));
		} catch (error) {
			this.#onProblem(`${this.name} failed: ${error instanceof Error ? error.message : String(error)}`);
		}
	}
}
