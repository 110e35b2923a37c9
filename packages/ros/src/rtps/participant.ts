import {
	type EndpointData,
	type EndpointQos,
	LEASE_SECONDS,
	qosConflict,
	readEndpoint,
	writeEndpoint,
	writeGone,
	writeParticipant,
} from './endpoint-data.ts';
import { EntityId, guidKey, toHex, USER_READER, USER_WRITER, Vendor } from './guid.ts';
import { chooseLocator, type Locator, locatorBytes, readLocator } from './locator.ts';
import { MessageBuilder } from './message-builder.ts';
import { Outbox, type OutboxHost } from './outbox.ts';
import { type LineHost, type LineOptions, PacedLine } from './paced-line.ts';
import { type ParameterList, Pid, readParameterPayload } from './parameter-list.ts';
import {
	type MessageHandler,
	type ReceivedData,
	type ReceivedFragments,
	type ReceivedHeartbeat,
	type ReceivedRequest,
	type ReceivedSet,
	readMessage,
} from './read-message.ts';
import { RtpsReader, type Sample } from './rtps-reader.ts';
import { RtpsWriter, type WriterPort } from './rtps-writer.ts';

/** The group that participants find each other in. */
export const MULTICAST_ADDRESS = '239.255.0.1';

/** The port of a domain that all its participants listen to. */
export function discoveryPort(domain: number): number {
	return 7400 + 250 * domain;
}

/** The port of its own that the participant with an index listens to. */
export function unicastPort(domain: number, index: number): number {
	return discoveryPort(domain) + 10 + 2 * index;
}

/** What a participant needs of the machine. */
export interface RtpsHost extends LineHost, OutboxHost {
	/** Addresses that others reach this machine at; one of 127.0.0.1 as well. */
	readonly addresses: readonly string[];
	/** The port that it listens to. */
	readonly port: number;
	/** [ms since 1970] */
	wallTime(): number;
}

/** Options of {@link RtpsParticipant}. */
export interface ParticipantOptions {
	readonly domain: number;
	/** 12 bytes that no other participant has, as hexadecimal text. */
	readonly prefix: string;
	/** Addresses of machines that are told of the participant where multicast does not reach. */
	readonly peers?: readonly string[];
	/** Whether it is announced by multicast; true unless given. */
	readonly multicast?: boolean;
	readonly line?: LineOptions;
	/** Told when a writer and a reader of one topic do not match. */
	readonly onConflict?: (topic: string, reason: string) => void;
	/** Told when something of another participant is found or gone. */
	readonly onEndpoint?: (endpoint: EndpointData, kind: 'writer' | 'reader', isGone: boolean) => void;
}

/** Ports of a machine that are tried when a peer is given. */
const PEER_PORTS = 10;
/** Announcements: often at first, then seldom [ms]. */
const EAGER_MS = 1000;
const EAGER_UNTIL_MS = 10_000;
const CALM_MS = 3000;
/** Time between heartbeats [ms]. */
const HEARTBEAT_MS = 100;

interface Peer {
	readonly prefix: string;
	readonly vendor: number;
	readonly meta: Locator;
	readonly user: Locator;
	readonly leaseMs: number;
	heardAt: number;
	/** What it has, by key. */
	readonly writers: Map<string, EndpointData>;
	readonly readers: Map<string, EndpointData>;
	/** What is to be said to it, by place. */
	readonly outboxes: Map<string, Outbox>;
}

interface OwnEndpoint {
	readonly data: EndpointData;
	/** Number of the sample that tells of it. */
	readonly told: number;
}

/** A participant of a domain: finds others, and connects its writers and readers with theirs. */
export class RtpsParticipant implements MessageHandler {
	readonly prefix: string;
	readonly domain: number;
	readonly #host: RtpsHost;
	readonly #options: ParticipantOptions;
	readonly #line: PacedLine;
	readonly #port: WriterPort;
	readonly #peers = new Map<string, Peer>();
	readonly #writers = new Map<number, RtpsWriter>();
	readonly #readers = new Map<number, RtpsReader>();
	readonly #ownWriters = new Map<number, OwnEndpoint>();
	readonly #ownReaders = new Map<number, OwnEndpoint>();
	readonly #publications: RtpsWriter;
	readonly #subscriptions: RtpsWriter;
	readonly #startedAt: number;
	#announcement: Uint8Array;
	#announcedAt = Number.NEGATIVE_INFINITY;
	#heartbeatAt = Number.NEGATIVE_INFINITY;
	#announcements = 0;
	#count = 0;
	#nextEntity = 1;
	#isClosed = false;

	constructor(host: RtpsHost, options: ParticipantOptions) {
		this.#host = host;
		this.#options = options;
		this.prefix = options.prefix;
		this.domain = options.domain;
		this.#line = new PacedLine(host, options.line);
		this.#startedAt = host.now();
		this.#port = {
			builder: new MessageBuilder(options.prefix),
			wallTime: () => host.wallTime(),
			now: () => host.now(),
			line: (entry) => this.#line.push(entry),
			lost: () => this.#line.slowDown(),
			nextCount: () => ++this.#count,
		};
		const locators = host.addresses.map((address) => locatorBytes({ address, port: host.port }));
		this.#announcement = writeParticipant(options.prefix, locators, '/');
		const builtin: EndpointQos = { isReliable: true, isTransientLocal: true, depth: 0 };
		this.#publications = this.#addWriter(EntityId.PUBLICATIONS_WRITER, builtin);
		this.#subscriptions = this.#addWriter(EntityId.SUBSCRIPTIONS_WRITER, builtin);
		this.#addReader(EntityId.PUBLICATIONS_READER, builtin, (sample) => this.#takeEndpoint(sample, 'writer'));
		this.#addReader(EntityId.SUBSCRIPTIONS_READER, builtin, (sample) => this.#takeEndpoint(sample, 'reader'));
		// liveliness is automatic here: what others assert is acknowledged and not used
		this.#addReader(EntityId.MESSAGE_READER, builtin, () => {});
	}

	/** Participants that are known. */
	get peerCount(): number {
		return this.#peers.size;
	}

	/** Datagrams of large samples that had no room in line. */
	get droppedCount(): number {
		return this.#line.dropped;
	}

	/** The vendor of a participant; 0 when it is unknown. */
	vendorOf(prefix: string): number {
		return this.#peers.get(prefix)?.vendor ?? 0;
	}

	/** Adds a writer and tells others of it. */
	createWriter(topic: string, type: string, qos: EndpointQos, typeHash?: string): RtpsWriter {
		const writer = this.#addWriter(((this.#nextEntity++ << 8) | USER_WRITER) >>> 0, qos);
		const data = this.#describe(writer.entity, topic, type, qos, typeHash);
		this.#publications.write(writeEndpoint(data));
		this.#ownWriters.set(writer.entity, { data, told: this.#publications.lastSequence });
		for (const peer of this.#peers.values())
			for (const reader of peer.readers.values()) this.#connect(data, reader, peer);
		return writer;
	}

	/** Adds a reader and tells others of it. */
	createReader(
		topic: string,
		type: string,
		qos: EndpointQos,
		take: (sample: Sample) => void,
		typeHash?: string,
	): RtpsReader {
		const reader = this.#addReader(((this.#nextEntity++ << 8) | USER_READER) >>> 0, qos, take);
		const data = this.#describe(reader.entity, topic, type, qos, typeHash);
		this.#subscriptions.write(writeEndpoint(data));
		this.#ownReaders.set(reader.entity, { data, told: this.#subscriptions.lastSequence });
		for (const peer of this.#peers.values())
			for (const writer of peer.writers.values()) this.#connect(writer, data, peer);
		return reader;
	}

	removeWriter(writer: RtpsWriter): void {
		this.#writers.delete(writer.entity);
		this.#tellGone(this.#publications, this.#ownWriters, writer.entity);
	}

	removeReader(reader: RtpsReader): void {
		this.#readers.delete(reader.entity);
		this.#tellGone(this.#subscriptions, this.#ownReaders, reader.entity);
	}

	/** Reads a datagram that came to one of the sockets. */
	receive(bytes: Uint8Array): void {
		if (!this.#isClosed) readMessage(bytes, this.prefix, this);
	}

	/** Does what is due; to be called at least every 50 ms. */
	tick(): void {
		if (this.#isClosed) return;
		const now = this.#host.now();
		const pause = now - this.#startedAt < EAGER_UNTIL_MS ? EAGER_MS : CALM_MS;
		if (now - this.#announcedAt >= pause) this.#announce();
		const isDue = now - this.#heartbeatAt >= HEARTBEAT_MS;
		if (isDue) this.#heartbeatAt = now;
		for (const writer of this.#writers.values()) {
			if (isDue) writer.heartbeat();
			else writer.nudge();
		}
		for (const peer of this.#peers.values()) if (now - peer.heardAt > peer.leaseMs) this.#forget(peer.prefix);
	}

	/** Tells all that it is gone; nothing is sent afterwards. */
	close(): void {
		if (this.#isClosed) return;
		for (const { outboxes } of this.#peers.values()) for (const outbox of outboxes.values()) outbox.flush();
		const { key, inlineQos } = writeGone(Pid.PARTICIPANT_GUID, this.prefix, EntityId.PARTICIPANT);
		this.#sendToAll(key, inlineQos);
		this.#isClosed = true;
	}

	data(source: string, data: ReceivedData): void {
		if (data.writer === EntityId.SPDP_WRITER) {
			this.#takeParticipant(source, data);
			return;
		}
		const key = guidKey(source, data.writer);
		for (const reader of this.#listeners(data.reader, key)) reader.data(key, data);
	}

	fragments(source: string, data: ReceivedFragments): void {
		const key = guidKey(source, data.writer);
		for (const reader of this.#listeners(data.reader, key)) reader.fragmentsOf(key, data);
	}

	heartbeat(source: string, heartbeat: ReceivedHeartbeat): void {
		const key = guidKey(source, heartbeat.writer);
		for (const reader of this.#listeners(heartbeat.reader, key)) reader.heartbeat(key, heartbeat);
	}

	acknack(source: string, reader: number, writer: number, missing: ReceivedRequest): void {
		this.#writers.get(writer)?.acknack(guidKey(source, reader), missing);
	}

	nackFragments(source: string, reader: number, writer: number, sequence: number, missing: ReceivedRequest): void {
		this.#writers.get(writer)?.nackFragments(guidKey(source, reader), sequence, missing);
	}

	gap(source: string, reader: number, writer: number, start: number, list: ReceivedSet): void {
		const key = guidKey(source, writer);
		for (const own of this.#listeners(reader, key)) own.gap(key, start, list);
	}

	/** The reader that is meant, or all that listen to the writer. */
	#listeners(entity: number, key: string): RtpsReader[] {
		if (entity !== EntityId.UNKNOWN) {
			const reader = this.#readers.get(entity);
			return reader === undefined ? [] : [reader];
		}
		return [...this.#readers.values()].filter((reader) => reader.hasWriter(key));
	}

	#addWriter(entity: number, qos: EndpointQos): RtpsWriter {
		const writer = new RtpsWriter(entity, qos, this.#port);
		this.#writers.set(entity, writer);
		return writer;
	}

	#addReader(entity: number, qos: EndpointQos, take: (sample: Sample) => void): RtpsReader {
		const reader = new RtpsReader(entity, qos, this.#port, take);
		this.#readers.set(entity, reader);
		return reader;
	}

	#describe(entity: number, topic: string, type: string, qos: EndpointQos, typeHash: string | undefined): EndpointData {
		return { ...qos, prefix: this.prefix, entity, topic, type, typeHash, locators: [] };
	}

	#tellGone(writer: RtpsWriter, own: Map<number, OwnEndpoint>, entity: number): void {
		const endpoint = own.get(entity);
		if (endpoint === undefined) return;
		own.delete(entity);
		writer.forget(endpoint.told);
		const { key, inlineQos } = writeGone(Pid.ENDPOINT_GUID, this.prefix, entity);
		writer.write(key, { inlineQos, isKey: true });
	}

	#announce(): void {
		this.#announcedAt = this.#host.now();
		this.#sendToAll(this.#announcement);
	}

	#sendToAll(payload: Uint8Array, inlineQos?: Uint8Array): void {
		const sequence = ++this.#announcements;
		const isKey = inlineQos !== undefined;
		const { builder } = this.#port;
		builder
			.begin()
			.timestamp(this.#host.wallTime())
			.data({ reader: EntityId.SPDP_READER, writer: EntityId.SPDP_WRITER, sequence, inlineQos, isKey }, payload);
		const bytes = builder.end();
		const { domain, peers = [], multicast = true } = this.#options;
		if (multicast) this.#host.send(bytes, { address: MULTICAST_ADDRESS, port: discoveryPort(domain) });
		for (const address of peers) {
			for (let index = 0; index < PEER_PORTS; index++)
				this.#host.send(bytes, { address, port: unicastPort(domain, index) });
		}
		for (const peer of this.#peers.values()) this.#host.send(bytes, peer.meta);
	}

	#takeParticipant(source: string, data: ReceivedData): void {
		if (data.isKey) {
			this.#forget(source);
			return;
		}
		const list = readParameterPayload(data.payload);
		const guid = list?.bytes(Pid.PARTICIPANT_GUID, 16);
		if (list === undefined || guid === undefined || toHex(guid.subarray(0, 12)) !== source) return;
		const known = this.#peers.get(source);
		if (known !== undefined) {
			known.heardAt = this.#host.now();
			return;
		}
		const peer = this.#readPeer(source, list);
		if (peer === undefined || this.#peers.size >= MOST_PEERS) return;
		this.#peers.set(source, peer);
		// tells the new one at once
		this.#announce();
		this.#connectBuiltin(peer);
	}

	#readPeer(prefix: string, list: ParameterList): Peer | undefined {
		const locators = (id: number): Locator[] =>
			list.all(id).flatMap((bytes) => readLocator(bytes, list.isLittle) ?? []);
		const meta = chooseLocator(locators(Pid.METATRAFFIC_UNICAST_LOCATOR), this.#host.addresses);
		const user = chooseLocator(locators(Pid.DEFAULT_UNICAST_LOCATOR), this.#host.addresses) ?? meta;
		if (meta === undefined || user === undefined) return undefined;
		const vendor = list.bytes(Pid.VENDOR_ID, 2);
		const seconds = list.uint32(Pid.LEASE_DURATION) ?? 5 * LEASE_SECONDS;
		return {
			prefix,
			vendor: vendor === undefined ? 0 : (vendor[0]! << 8) | vendor[1]!,
			meta,
			user,
			leaseMs: 1000 * Math.min(seconds + 1, 1e6),
			heardAt: this.#host.now(),
			writers: new Map(),
			readers: new Map(),
			outboxes: new Map(),
		};
	}

	#outbox({ outboxes }: Peer, locator: Locator): Outbox {
		const key = `${locator.address}:${locator.port}`;
		let outbox = outboxes.get(key);
		if (outbox === undefined) {
			outbox = new Outbox(this.prefix, locator, this.#host);
			outboxes.set(key, outbox);
		}
		return outbox;
	}

	#connectBuiltin(peer: Peer): void {
		const { prefix, vendor } = peer;
		const outbox = this.#outbox(peer, peer.meta);
		const pairs = [
			[EntityId.PUBLICATIONS_WRITER, EntityId.PUBLICATIONS_READER],
			[EntityId.SUBSCRIPTIONS_WRITER, EntityId.SUBSCRIPTIONS_READER],
			[EntityId.MESSAGE_WRITER, EntityId.MESSAGE_READER],
		] as const;
		for (const [writer, reader] of pairs) {
			const remote = { prefix, entity: reader, isReliable: true, isTransientLocal: true };
			this.#writers.get(writer)?.match(guidKey(prefix, reader), remote, outbox);
			this.#readers.get(reader)?.match(guidKey(prefix, writer), prefix, writer, true, outbox, helloOf(vendor));
		}
	}

	#takeEndpoint(sample: Sample, kind: 'writer' | 'reader'): void {
		const peer = this.#peers.get(sample.source);
		if (peer === undefined) return;
		const known = kind === 'writer' ? peer.writers : peer.readers;
		const hash = sample.inlineQos.find(({ id }) => id === Pid.KEY_HASH)?.value;
		const list = readParameterPayload(sample.payload);
		if (sample.isKey) {
			const guid = hash ?? list?.bytes(Pid.ENDPOINT_GUID, 16);
			if (guid !== undefined && guid.length >= 16) this.#loseEndpoint(known, toHex(guid.subarray(0, 16)), kind);
			return;
		}
		const data = list === undefined ? undefined : readEndpoint(list);
		if (data === undefined || data.prefix !== sample.source || known.size >= MOST_ENDPOINTS) return;
		const key = guidKey(data.prefix, data.entity);
		if (known.has(key)) return;
		known.set(key, data);
		this.#options.onEndpoint?.(data, kind, false);
		const own = kind === 'writer' ? this.#ownReaders : this.#ownWriters;
		for (const { data: mine } of own.values()) {
			if (kind === 'writer') this.#connect(data, mine, peer);
			else this.#connect(mine, data, peer);
		}
	}

	#loseEndpoint(known: Map<string, EndpointData>, key: string, kind: 'writer' | 'reader'): void {
		const data = known.get(key);
		if (data === undefined) return;
		known.delete(key);
		const isIt = (other: string): boolean => other === key;
		if (kind === 'writer') for (const reader of this.#readers.values()) reader.unmatch(isIt);
		else for (const writer of this.#writers.values()) writer.unmatch(isIt);
		this.#options.onEndpoint?.(data, kind, true);
	}

	/** Connects a writer with a reader, one of which is ours, where topic, type and quality of service agree. */
	#connect(writer: EndpointData, reader: EndpointData, peer: Peer): void {
		if (writer.topic !== reader.topic || writer.type !== reader.type) return;
		const conflict = qosConflict(writer, reader);
		if (conflict !== undefined) {
			this.#options.onConflict?.(writer.topic, conflict);
			return;
		}
		if (writer.prefix === this.prefix) {
			const locator = chooseLocator(reader.locators, this.#host.addresses) ?? peer.user;
			this.#writers
				.get(writer.entity)
				?.match(guidKey(reader.prefix, reader.entity), reader, this.#outbox(peer, locator));
		} else {
			const locator = chooseLocator(writer.locators, this.#host.addresses) ?? peer.user;
			const key = guidKey(writer.prefix, writer.entity);
			this.#readers
				.get(reader.entity)
				?.match(
					key,
					writer.prefix,
					writer.entity,
					writer.isReliable,
					this.#outbox(peer, locator),
					helloOf(peer.vendor),
				);
		}
	}

	#forget(prefix: string): void {
		const peer = this.#peers.get(prefix);
		if (peer === undefined) return;
		this.#peers.delete(prefix);
		const isOf = (key: string): boolean => key.startsWith(prefix);
		for (const writer of this.#writers.values()) writer.unmatch(isOf);
		for (const reader of this.#readers.values()) reader.unmatch(isOf);
		for (const data of peer.writers.values()) this.#options.onEndpoint?.(data, 'writer', true);
		for (const data of peer.readers.values()) this.#options.onEndpoint?.(data, 'reader', true);
	}
}

/** How a reader greets a writer: Fast DDS answers a base of 0 at once, Cyclone takes it for a malformed packet. */
function helloOf(vendor: number): 0 | 1 {
	return vendor === Vendor.FAST_DDS ? 0 : 1;
}

/** Participants, and endpoints of each, that are remembered: a hostile sender must not fill the memory. */
const MOST_PEERS = 256;
const MOST_ENDPOINTS = 4096;
