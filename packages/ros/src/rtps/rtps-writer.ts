import type { EndpointData, EndpointQos } from './endpoint-data.ts';
import type { MessageBuilder } from './message-builder.ts';
import type { Outbox } from './outbox.ts';
import type { LineEntry } from './paced-line.ts';
import type { ReceivedRequest } from './read-message.ts';

/** Where a writer sends to, and with what. */
export interface WriterPort {
	/** For datagrams that go in line. */
	readonly builder: MessageBuilder;
	/** [ms since 1970] */
	wallTime(): number;
	/** Milliseconds of a clock that only moves forward. */
	now(): number;
	/** Puts a datagram of a large sample in line; false when there is no room. */
	line(entry: LineEntry): boolean;
	/** Told that datagrams of large samples got lost. */
	lost(): void;
	nextCount(): number;
}

/** A sample that is kept. */
interface Change {
	readonly payload: Uint8Array;
	readonly inlineQos: Uint8Array | undefined;
	readonly isKey: boolean;
	/** The only participant that it is for. */
	readonly target: string | undefined;
}

/** A reader of another participant that a writer sends to. */
interface ReaderProxy {
	readonly prefix: string;
	readonly entity: number;
	readonly isReliable: boolean;
	readonly outbox: Outbox;
	/** The first number that it is to get. */
	readonly first: number;
	/** All numbers below have arrived. */
	acknowledged: number;
	/** Heartbeats since it last said something. */
	silence: number;
	/** Counts of its last requests: for samples, and for fragments. */
	asked: number | undefined;
	askedFragments: number | undefined;
	/** Fragments that are in line, by sample. */
	readonly queued: Map<number, Set<number>>;
	/** When samples were last sent again [ms]; they are given some time to arrive. */
	readonly resentAt: Map<number, number>;
	/** Large samples that are on their way; the next ones follow when they have arrived. They are kept until then. */
	readonly flying: Map<number, Change>;
	/** Large samples that wait for them. */
	waiting: number[];
}

/** What a sample comes with. */
export interface WriteOptions {
	readonly inlineQos?: Uint8Array;
	readonly isKey?: boolean;
	/** The only participant that is to get it. */
	readonly target?: string;
}

/**
 * Size of a fragment [bytes]; samples up to it are sent whole. With what Linux and RTPS put around it, a datagram stays below 8192 bytes:
 * one byte more would take twice as much of the buffer of a socket.
 */
export const FRAGMENT_SIZE = 7424;
/** Samples, and bytes of them, that a writer without a depth keeps for readers that have not got them. */
const MOST_KEPT = 5000;
const MOST_KEPT_BYTES = 64 << 20;
/** Time that a sample which was sent again has to arrive [ms]. */
const RESEND_MS = 20;
/** Heartbeats without an answer after which a reader is asked less often. */
const MOST_SILENCE = 20;
/** Bytes of large samples that are sent to a reader before it has said what arrived. */
const MOST_FLYING = 1 << 20;
/** Samples that are sent again for one request, so that a reader far behind does not flood the line. */
const MOST_RESENT = 64;

/** A writer of this participant: keeps samples and sends them to readers until they have them. */
export class RtpsWriter {
	readonly entity: number;
	readonly qos: EndpointQos;
	readonly #port: WriterPort;
	readonly #changes = new Map<number, Change>();
	readonly #readers = new Map<string, ReaderProxy>();
	readonly #depth: number;
	#keptBytes = 0;
	#last = 0;
	/** Samples that a reader wanted and that were no longer kept. */
	lost = 0;

	constructor(entity: number, qos: EndpointQos, port: WriterPort) {
		this.entity = entity;
		this.qos = qos;
		this.#port = port;
		this.#depth = qos.depth > 0 ? qos.depth : MOST_KEPT;
	}

	/** Readers that it sends to. */
	get readerCount(): number {
		return this.#readers.size;
	}

	get lastSequence(): number {
		return this.#last;
	}

	/** Sends a sample to all readers and keeps it. */
	write(payload: Uint8Array, options: WriteOptions = {}): void {
		const { inlineQos, isKey = false, target } = options;
		this.#last++;
		// what nobody can ask for is not kept
		if (this.qos.isTransientLocal || (this.qos.isReliable && this.#readers.size > 0)) {
			this.#changes.set(this.#last, { payload, inlineQos, isKey, target });
			this.#keptBytes += payload.length;
			this.#evict();
		}
		const change = { payload, inlineQos, isKey, target };
		for (const reader of this.#readers.values()) this.#sendChange(reader, this.#last, change);
	}

	/** Forgets a kept sample, so that late readers do not get it. */
	forget(sequence: number): void {
		this.#keptBytes -= this.#changes.get(sequence)?.payload.length ?? 0;
		this.#changes.delete(sequence);
	}

	/** Makes room. */
	#evict(): void {
		const keepsAll = this.qos.depth === 0;
		for (const sequence of this.#changes.keys()) {
			const isWithin = this.#changes.size <= this.#depth && !(keepsAll && this.#keptBytes > MOST_KEPT_BYTES);
			if (isWithin || sequence === this.#last) break;
			this.#countLost(sequence);
			this.forget(sequence);
		}
	}

	/**
	 * Without a depth nothing is to get lost: what a reader that answers has not acknowledged counts. With one, readers acknowledge
	 * later than new samples take the place of old ones: what they have asked for counts.
	 */
	#countLost(sequence: number): void {
		const keepsAll = this.qos.depth === 0;
		for (const reader of this.#readers.values()) {
			if (!reader.isReliable || reader.silence >= MOST_SILENCE) continue;
			const isWanted = sequence >= Math.max(reader.first, reader.acknowledged);
			if (isWanted && (keepsAll || reader.resentAt.has(sequence))) this.lost++;
		}
	}

	/** Forgets what all readers have; late ones do not ask for it. */
	#release(): void {
		if (this.qos.isTransientLocal) return;
		let end = this.#last + 1;
		for (const { isReliable, first, acknowledged } of this.#readers.values())
			if (isReliable) end = Math.min(end, Math.max(first, acknowledged));
		for (const sequence of this.#changes.keys()) {
			if (sequence >= end) break;
			this.forget(sequence);
		}
	}

	/** Sends to a reader from now on; one that asks for it gets what was kept. */
	match(
		key: string,
		data: Pick<EndpointData, 'prefix' | 'entity' | 'isReliable' | 'isTransientLocal'>,
		outbox: Outbox,
	): void {
		if (this.#readers.has(key)) return;
		const isLate = this.qos.isTransientLocal && data.isTransientLocal;
		const reader: ReaderProxy = {
			prefix: data.prefix,
			entity: data.entity,
			isReliable: data.isReliable && this.qos.isReliable,
			outbox,
			first: isLate ? 1 : this.#last + 1,
			acknowledged: 0,
			silence: 0,
			asked: undefined,
			askedFragments: undefined,
			queued: new Map(),
			resentAt: new Map(),
			flying: new Map(),
			waiting: [],
		};
		this.#readers.set(key, reader);
		if (isLate) for (const [sequence, change] of this.#changes) this.#sendChange(reader, sequence, change);
		if (reader.isReliable) this.#sendHeartbeat(reader);
	}

	unmatch(matches: (key: string) => boolean): void {
		for (const [key, reader] of this.#readers) {
			if (!matches(key)) continue;
			this.#readers.delete(key);
			// what is in line for it is not sent
			reader.queued.clear();
			reader.flying.clear();
			reader.waiting = [];
		}
		this.#release();
	}

	/** Asks readers for what they lack of a large sample that has been sent. */
	nudge(): void {
		for (const reader of this.#readers.values())
			if (reader.flying.size > 0 && reader.queued.size === 0 && reader.silence < MOST_SILENCE)
				this.#sendHeartbeat(reader);
	}

	/** Tells readers that lack something what there is. */
	heartbeat(): void {
		for (const reader of this.#readers.values()) {
			// one would ask for what is on its way
			if (!reader.isReliable || reader.acknowledged > this.#last || reader.queued.size > 0) continue;
			reader.silence++;
			// it has given up, or is gone
			if (reader.silence === MOST_SILENCE) reader.flying.clear();
			// one that never answers is asked less and less often
			if (reader.silence > MOST_SILENCE && reader.silence % 10 !== 0) continue;
			this.#sendHeartbeat(reader);
		}
	}

	acknack(key: string, missing: ReceivedRequest): void {
		const reader = this.#readers.get(key);
		if (reader === undefined || !isLater(missing.count, reader.asked)) return;
		reader.asked = missing.count;
		reader.silence = 0;
		reader.acknowledged = Math.max(reader.acknowledged, Math.min(missing.base, this.#last + 1));
		for (const sequence of reader.flying.keys()) if (sequence < reader.acknowledged) reader.flying.delete(sequence);
		this.#release();
		this.#advance(reader);
		for (const sequence of reader.resentAt.keys()) if (sequence < missing.base) reader.resentAt.delete(sequence);
		const now = this.#port.now();
		let sent = 0;
		for (const sequence of missing.numbers) {
			if (sequence > this.#last || sent >= MOST_RESENT) break;
			const change = this.#kept(reader, sequence);
			if (reader.queued.has(sequence) || reader.waiting.includes(sequence)) continue;
			if (now - (reader.resentAt.get(sequence) ?? Number.NEGATIVE_INFINITY) < RESEND_MS) continue;
			const isFirst = !reader.resentAt.has(sequence);
			reader.resentAt.set(sequence, now);
			if (change === undefined || sequence < reader.first) {
				if (sequence >= reader.first && isFirst) this.lost++;
				this.#sendGap(reader, sequence, sequence + 1);
			} else this.#sendChange(reader, sequence, change, false);
			sent++;
		}
		if (sent > 0 && reader.queued.size === 0) this.#sendHeartbeat(reader);
		// an answer to one that asks for a sign of life
		if (missing.numbers.length === 0 && missing.base <= this.#last && reader.queued.size === 0)
			this.#sendHeartbeat(reader);
	}

	nackFragments(key: string, sequence: number, missing: ReceivedRequest): void {
		const reader = this.#readers.get(key);
		if (reader === undefined || !isLater(missing.count, reader.askedFragments)) return;
		reader.askedFragments = missing.count;
		reader.silence = 0;
		const change = this.#kept(reader, sequence);
		this.#port.lost();
		if (change === undefined) {
			this.#sendGap(reader, sequence, sequence + 1);
			return;
		}
		const count = fragmentCount(change);
		const wanted = missing.numbers.filter((number) => number >= 1 && number <= count);
		for (const number of wanted) this.#queueFragment(reader, sequence, change, number, number === wanted.at(-1));
	}

	/** Sends a sample; those that are sent again come without a heartbeat each, which would make the reader ask each time. */
	#sendChange(reader: ReaderProxy, sequence: number, change: Change, isNew = true): void {
		if (change.target !== undefined && change.target !== reader.prefix) {
			if (reader.isReliable) this.#sendGap(reader, sequence, sequence + 1);
			return;
		}
		const { payload, inlineQos, isKey } = change;
		if (payload.length > FRAGMENT_SIZE) {
			if (!reader.isReliable || reader.flying.has(sequence)) this.#queueSample(reader, sequence, change);
			else {
				reader.waiting.push(sequence);
				this.#advance(reader);
			}
			return;
		}
		const message = reader.outbox.to(reader.prefix, payload.length + (inlineQos?.length ?? 0));
		message
			.timestamp(this.#port.wallTime())
			.data({ reader: reader.entity, writer: this.entity, sequence, inlineQos, isKey }, payload);
		// the reader speaks up only where something is missing
		if (isNew && reader.isReliable) this.#addHeartbeat(message, reader, true);
	}

	/** Sends large samples that are still kept, as many as may fly; those that are not are lost for a reader that is too slow. */
	#advance(reader: ReaderProxy): void {
		const { flying, waiting } = reader;
		let bytes = 0;
		for (const { payload } of flying.values()) bytes += payload.length;
		waiting.sort((a, b) => a - b);
		while (waiting.length > 0 && bytes < MOST_FLYING) {
			const sequence = waiting.shift()!;
			const change = this.#changes.get(sequence);
			if (change === undefined || sequence < reader.acknowledged) continue;
			flying.set(sequence, change);
			bytes += change.payload.length;
			this.#queueSample(reader, sequence, change);
		}
	}

	/** A sample that a reader can ask for. */
	#kept({ flying }: ReaderProxy, sequence: number): Change | undefined {
		return this.#changes.get(sequence) ?? flying.get(sequence);
	}

	#queueSample(reader: ReaderProxy, sequence: number, change: Change): void {
		const count = fragmentCount(change);
		for (let number = 1; number <= count; number++)
			this.#queueFragment(reader, sequence, change, number, number === count);
	}

	/** Puts a fragment in line unless it is there; it is made when its turn comes, if it is wanted then. */
	#queueFragment(reader: ReaderProxy, sequence: number, change: Change, number: number, isLast: boolean): void {
		const { queued } = reader;
		let numbers = queued.get(sequence);
		if (numbers?.has(number)) return;
		if (numbers === undefined) {
			numbers = new Set();
			queued.set(sequence, numbers);
		}
		numbers.add(number);
		const leave = (): boolean => {
			const isWanted = queued.get(sequence) === numbers;
			numbers.delete(number);
			if (isWanted && numbers.size === 0) queued.delete(sequence);
			return isWanted && (!reader.isReliable || this.#kept(reader, sequence) !== undefined);
		};
		const size = Math.min(FRAGMENT_SIZE, change.payload.length - (number - 1) * FRAGMENT_SIZE);
		const build = (): Uint8Array | undefined =>
			leave() ? this.#fragment(reader, sequence, change, number, isLast) : undefined;
		if (!this.#port.line({ size, to: reader.outbox.locator, build })) leave();
	}

	#fragment(reader: ReaderProxy, sequence: number, change: Change, number: number, isLast: boolean): Uint8Array {
		const { builder } = this.#port;
		const fields = { reader: reader.entity, writer: this.entity, sequence, inlineQos: change.inlineQos };
		builder
			.begin()
			.destination(reader.prefix)
			.timestamp(this.#port.wallTime())
			.fragment(fields, change.payload, number, FRAGMENT_SIZE);
		if (isLast && reader.isReliable) this.#addHeartbeat(builder, reader);
		return builder.end();
	}

	#sendHeartbeat(reader: ReaderProxy): void {
		this.#addHeartbeat(reader.outbox.to(reader.prefix), reader);
	}

	#addHeartbeat(message: MessageBuilder, reader: ReaderProxy, isFinal = false): void {
		let first = this.#last + 1;
		for (const sequence of this.#changes.keys()) {
			first = sequence;
			break;
		}
		for (const sequence of reader.flying.keys()) first = Math.min(first, sequence);
		message.heartbeat(
			reader.entity,
			this.entity,
			Math.max(1, Math.min(Math.max(first, reader.first), this.#last + 1)),
			this.#last,
			this.#port.nextCount(),
			isFinal,
		);
	}

	#sendGap(reader: ReaderProxy, first: number, end: number): void {
		reader.outbox.to(reader.prefix).gap(reader.entity, this.entity, first, end);
	}
}

function fragmentCount({ payload }: Change): number {
	return Math.ceil(payload.length / FRAGMENT_SIZE);
}

/** Whether a request is not one that came before; counts may wrap around. */
function isLater(count: number, last: number | undefined): boolean {
	return last === undefined || ((count - last) | 0) > 0;
}
