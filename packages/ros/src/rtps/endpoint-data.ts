import { EntityId, fromHex, guidBytes, toHex } from './guid.ts';
import { type Locator, readLocator } from './locator.ts';
import { type ParameterList, ParameterWriter, Pid } from './parameter-list.ts';

/** What counts when a writer and a reader meet. @public */
export interface EndpointQos {
	readonly isReliable: boolean;
	/** Whether late readers get what was sent before. */
	readonly isTransientLocal: boolean;
	/** Samples that are kept; 0: all. */
	readonly depth: number;
	/** How long samples are good for [s]; left out, for ever. */
	readonly lifespan?: number;
}

/** A writer or a reader, as discovery tells of it. */
export interface EndpointData extends EndpointQos {
	readonly prefix: string;
	readonly entity: number;
	readonly topic: string;
	readonly type: string;
	/** `RIHS01_…`, where it is told. */
	readonly typeHash: string | undefined;
	/** Where it listens, when that is not where its participant does. */
	readonly locators: readonly Locator[];
}

const RELIABLE = 2;
const BEST_EFFORT = 1;
const TRANSIENT_LOCAL = 1;
/** A duration without an end. */
const FOREVER = [0x7fffffff, 0xffffffff] as const;

/** The payload that tells others of an endpoint. */
export function writeEndpoint(data: EndpointData): Uint8Array<ArrayBuffer> {
	const list = new ParameterWriter()
		.header()
		.add(Pid.ENDPOINT_GUID, guidBytes(data.prefix, data.entity))
		.add(Pid.PARTICIPANT_GUID, guidBytes(data.prefix, EntityId.PARTICIPANT))
		.text(Pid.TOPIC_NAME, data.topic)
		.text(Pid.TYPE_NAME, data.type)
		// with the time that a write may wait: 100 ms
		.words(Pid.RELIABILITY, data.isReliable ? RELIABLE : BEST_EFFORT, 0, 429496730)
		.words(Pid.DURABILITY, data.isTransientLocal ? TRANSIENT_LOCAL : 0)
		.words(Pid.HISTORY, data.depth > 0 ? 0 : 1, data.depth)
		.words(Pid.LIVELINESS, 0, ...FOREVER)
		.words(Pid.DEADLINE, ...FOREVER);
	if (data.lifespan !== undefined) list.words(Pid.LIFESPAN, Math.floor(data.lifespan), 0);
	if (data.typeHash !== undefined) list.octets(Pid.USER_DATA, `typehash=${data.typeHash};`);
	return list.end();
}

/** Reads what others tell of an endpoint; undefined where the needed parts are missing. */
export function readEndpoint(list: ParameterList): EndpointData | undefined {
	const guid = list.bytes(Pid.ENDPOINT_GUID, 16) ?? list.bytes(Pid.KEY_HASH, 16);
	const topic = list.text(Pid.TOPIC_NAME);
	const type = list.text(Pid.TYPE_NAME);
	if (guid === undefined || topic === undefined || type === undefined) return undefined;
	const userData = list.bytes(Pid.USER_DATA);
	return {
		prefix: toHex(guid.subarray(0, 12)),
		entity: new DataView(guid.buffer, guid.byteOffset).getUint32(12),
		topic,
		type,
		isReliable: list.uint32(Pid.RELIABILITY) === RELIABLE,
		isTransientLocal: (list.uint32(Pid.DURABILITY) ?? 0) >= TRANSIENT_LOCAL,
		depth: 0,
		typeHash: userData && /typehash=(\w+);/.exec(new TextDecoder().decode(userData))?.[1],
		locators: list.all(Pid.UNICAST_LOCATOR).flatMap((bytes) => readLocator(bytes, list.isLittle) ?? []),
	};
}

/** The payload and the parameters that tell others that something is gone. */
export function writeGone(id: number, prefix: string, entity: number): { key: Uint8Array; inlineQos: Uint8Array } {
	const guid = guidBytes(prefix, entity);
	return {
		key: new ParameterWriter().header().add(id, guid).end(),
		// disposed and unregistered; readers find it by the hash of its key
		inlineQos: new ParameterWriter().add(Pid.KEY_HASH, guid).add(Pid.STATUS_INFO, [0, 0, 0, 3]).end(),
	};
}

/** Why a writer and a reader do not match; undefined when they do. */
export function qosConflict(offered: EndpointQos, requested: EndpointQos): string | undefined {
	if (requested.isReliable && !offered.isReliable) return 'the reader asks for reliable, the writer offers best effort';
	if (requested.isTransientLocal && !offered.isTransientLocal)
		return 'the reader asks for transient local, the writer offers volatile';
	return undefined;
}

/** The payload of a participant's announcement. */
export function writeParticipant(
	prefix: string,
	locators: readonly number[][],
	enclave: string,
): Uint8Array<ArrayBuffer> {
	const list = new ParameterWriter()
		.header()
		.add(Pid.PROTOCOL_VERSION, [2, 3])
		.add(Pid.VENDOR_ID, [...fromHex('017f')])
		.add(Pid.PARTICIPANT_GUID, guidBytes(prefix, EntityId.PARTICIPANT));
	for (const bytes of locators) list.add(Pid.METATRAFFIC_UNICAST_LOCATOR, bytes);
	for (const bytes of locators) list.add(Pid.DEFAULT_UNICAST_LOCATOR, bytes);
	return list
		.words(Pid.LEASE_DURATION, LEASE_SECONDS, 0)
		.words(Pid.BUILTIN_ENDPOINTS, BUILTIN_ENDPOINTS)
		.text(Pid.ENTITY_NAME, enclave)
		.octets(Pid.USER_DATA, `enclave=${enclave};`)
		.end();
}

/** How long others keep a participant that they do not hear of [s]. */
export const LEASE_SECONDS = 20;
/** Participants, publications, subscriptions and participant messages, writers and readers of each. */
const BUILTIN_ENDPOINTS = 0xc3f;
