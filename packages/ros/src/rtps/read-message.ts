import { toHex } from './guid.ts';
import { Flag, MOST_SET_BITS, Submessage } from './message-builder.ts';
import { type Parameter, readParameters } from './parameter-list.ts';

/** A sample, or a piece of one, that came. */
export interface ReceivedData {
	readonly reader: number;
	readonly writer: number;
	readonly sequence: number;
	readonly inlineQos: readonly Parameter[];
	readonly payload: Uint8Array;
	/** Whether the payload is a key: the entity is gone. */
	readonly isKey: boolean;
}

/** A run of fragments that came. */
export interface ReceivedFragments extends ReceivedData {
	/** The first, counted from 1. */
	readonly first: number;
	readonly count: number;
	/** Size of each [bytes]. */
	readonly size: number;
	/** Size of the whole sample [bytes]. */
	readonly total: number;
}

/** Numbers that were listed. */
export interface ReceivedSet {
	readonly base: number;
	readonly numbers: readonly number[];
}

/** Numbers that a reader lacks. */
export interface ReceivedRequest extends ReceivedSet {
	/** Counts the requests of a reader: the same one may come on several ways. */
	readonly count: number;
}

/** What a message can say to a participant; `source` is the prefix of the sender. */
export interface MessageHandler {
	data(source: string, data: ReceivedData): void;
	fragments(source: string, data: ReceivedFragments): void;
	heartbeat(source: string, heartbeat: ReceivedHeartbeat): void;
	acknack(source: string, reader: number, writer: number, missing: ReceivedRequest): void;
	nackFragments(source: string, reader: number, writer: number, sequence: number, missing: ReceivedRequest): void;
	gap(source: string, reader: number, writer: number, start: number, list: ReceivedSet): void;
}

/** What a writer has. */
export interface ReceivedHeartbeat {
	readonly reader: number;
	readonly writer: number;
	readonly first: number;
	readonly last: number;
	readonly isFinal: boolean;
}

const HEADER_SIZE = 20;
const NO_PREFIX = '00'.repeat(12);

/** Reads a datagram and tells the handler what is meant for the participant. Bytes that make no sense end the reading. */
export function readMessage(bytes: Uint8Array, own: string, handler: MessageHandler): void {
	if (bytes.length < HEADER_SIZE || bytes[0] !== 0x52 || bytes[1] !== 0x54 || bytes[2] !== 0x50 || bytes[3] !== 0x53)
		return;
	// the major version
	if (bytes[4] !== 2) return;
	const source = toHex(bytes.subarray(8, 20));
	if (source === own) return;
	let at = HEADER_SIZE;
	let isForUs = true;
	while (at + 4 <= bytes.length) {
		const kind = bytes[at]!;
		const flags = bytes[at + 1]!;
		const isLittle = (flags & Flag.LITTLE) !== 0;
		const stated = isLittle ? bytes[at + 2]! | (bytes[at + 3]! << 8) : (bytes[at + 2]! << 8) | bytes[at + 3]!;
		// zero: up to the end of the message
		const end = stated === 0 && kind !== Submessage.INFO_TS ? bytes.length : at + 4 + stated;
		if (end > bytes.length) return;
		const body = new Body(bytes.subarray(at + 4, end), isLittle);
		at = end;
		if (kind === Submessage.INFO_DST) {
			if (body.length < 12) return;
			const destination = toHex(body.bytes.subarray(0, 12));
			isForUs = destination === own || destination === NO_PREFIX;
		} else if (isForUs) readSubmessage(kind, flags, body, source, handler);
	}
}

function readSubmessage(kind: number, flags: number, body: Body, source: string, handler: MessageHandler): void {
	switch (kind) {
		case Submessage.DATA:
			readData(flags, body, source, handler);
			break;
		case Submessage.DATA_FRAG:
			readFragments(flags, body, source, handler);
			break;
		case Submessage.HEARTBEAT: {
			if (body.length < 28) return;
			const first = body.sequence(8);
			const last = body.sequence(16);
			const isFinal = (flags & Flag.FINAL) !== 0;
			if (first >= 1 && last >= first - 1)
				handler.heartbeat(source, { reader: body.entity(0), writer: body.entity(4), first, last, isFinal });
			break;
		}
		case Submessage.ACKNACK: {
			if (body.length < 24) return;
			const missing = body.request(body.sequence(8), 16);
			if (missing !== undefined) handler.acknack(source, body.entity(0), body.entity(4), missing);
			break;
		}
		case Submessage.NACK_FRAG: {
			if (body.length < 28) return;
			const missing = body.request(body.uint32(16), 20);
			if (missing !== undefined)
				handler.nackFragments(source, body.entity(0), body.entity(4), body.sequence(8), missing);
			break;
		}
		case Submessage.GAP: {
			if (body.length < 28) return;
			const list = body.set(body.sequence(16), 24);
			const start = body.sequence(8);
			if (list !== undefined && start >= 1) handler.gap(source, body.entity(0), body.entity(4), start, list);
			break;
		}
	}
}

function readData(flags: number, body: Body, source: string, handler: MessageHandler): void {
	if (body.length < 20) return;
	const content = contentAt(flags, body, 4 + body.uint16(2));
	if (content === undefined) return;
	const sequence = body.sequence(12);
	if (sequence < 1) return;
	const isKey = (flags & Flag.KEY) !== 0;
	// nothing but a status: what the key hash names is gone
	const isBare = (flags & (Flag.DATA | Flag.KEY)) === 0;
	handler.data(source, {
		reader: body.entity(4),
		writer: body.entity(8),
		sequence,
		inlineQos: content.inlineQos,
		payload: content.payload,
		isKey: isKey || isBare,
	});
}

function readFragments(flags: number, body: Body, source: string, handler: MessageHandler): void {
	if (body.length < 32) return;
	const content = contentAt(flags, body, 4 + body.uint16(2));
	const sequence = body.sequence(12);
	const first = body.uint32(20);
	const count = body.uint16(24);
	const size = body.uint16(26);
	const total = body.uint32(28);
	if (content === undefined || sequence < 1 || first < 1 || count < 1 || size < 1) return;
	if ((first - 1 + count - 1) * size >= total) return;
	handler.fragments(source, {
		reader: body.entity(4),
		writer: body.entity(8),
		sequence,
		first,
		count,
		size,
		total,
		inlineQos: content.inlineQos,
		payload: content.payload,
		isKey: (flags & Flag.FRAGMENT_KEY) !== 0,
	});
}

function contentAt(
	flags: number,
	body: Body,
	start: number,
): { inlineQos: readonly Parameter[]; payload: Uint8Array } | undefined {
	if (start > body.length) return undefined;
	if ((flags & Flag.INLINE_QOS) === 0) return { inlineQos: [], payload: body.bytes.subarray(start) };
	const list = readParameters(body.bytes, start, body.isLittle);
	return list === undefined ? undefined : { inlineQos: list.parameters, payload: body.bytes.subarray(list.end) };
}

/** The bytes of a submessage. */
class Body {
	readonly bytes: Uint8Array;
	readonly isLittle: boolean;
	readonly #view: DataView;

	constructor(bytes: Uint8Array, isLittle: boolean) {
		this.bytes = bytes;
		this.isLittle = isLittle;
		this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
	}

	get length(): number {
		return this.bytes.length;
	}

	uint16(at: number): number {
		return this.#view.getUint16(at, this.isLittle);
	}

	uint32(at: number): number {
		return this.#view.getUint32(at, this.isLittle);
	}

	/** Identifiers of entities have one order always. */
	entity(at: number): number {
		return this.#view.getUint32(at);
	}

	sequence(at: number): number {
		return this.#view.getInt32(at, this.isLittle) * 2 ** 32 + this.#view.getUint32(at + 4, this.isLittle);
	}

	/** A set of numbers whose base is known and whose count stands at `at`; undefined for one that makes no sense. */
	set(base: number, at: number): ReceivedSet | undefined {
		const count = this.uint32(at);
		if (base < 0 || count > MOST_SET_BITS || at + 4 + 4 * Math.ceil(count / 32) > this.length) return undefined;
		const numbers: number[] = [];
		for (let i = 0; i < count; i++) {
			if ((this.uint32(at + 4 + 4 * (i >> 5)) >>> (31 - (i & 31))) & 1) numbers.push(base + i);
		}
		return { base, numbers };
	}

	/** A set with the count of the request behind it. */
	request(base: number, at: number): ReceivedRequest | undefined {
		const set = this.set(base, at);
		const end = at + 4 + 4 * Math.ceil(this.uint32(at) / 32);
		if (set === undefined || end + 4 > this.length) return undefined;
		return { ...set, count: this.uint32(end) };
	}
}
