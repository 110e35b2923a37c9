import type { EndpointData, EndpointQos } from './endpoint-data.ts';
import type { Locator } from './locator.ts';
import type { MessageBuilder } from './message-builder.ts';
import type { ReceivedSet } from './read-message.ts';

/** Where a writer sends to, and with what. */
export interface WriterPort {
	readonly builder: MessageBuilder;
	/** [ms since 1970] */
	wallTime(): number;
	/** Sends now, or after what is in line; `isBulk` waits its turn and may be dropped when the line is full. */
	send(bytes: Uint8Array, to: Locator, isBulk: boolean): void;
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
	readonly locator: Locator;
	/** The first number that it is to get. */
	readonly first: number;
	/** All numbers below have arrived. */
	acknowledged: number;
	/** Heartbeats since it last said something. */
	silence: number;
}

/** What a sample comes with. */
export interface WriteOptions {
	readonly inlineQos?: Uint8Array;
	readonly isKey?: boolean;
	/** The only participant that is to get it. */
	readonly target?: string;
}

/** Size of a fragment [bytes]; samples up to it are sent whole. */
export const FRAGMENT_SIZE = 8192;
/** Samples that a writer without a depth keeps. */
const MOST_KEPT = 5000;
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
	#last = 0;

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
			for (const sequence of this.#changes.keys()) {
				if (this.#changes.size <= this.#depth) break;
				this.#changes.delete(sequence);
			}
		}
		const change = { payload, inlineQos, isKey, target };
		for (const reader of this.#readers.values()) this.#sendChange(reader, this.#last, change);
	}

	/** Forgets a kept sample, so that late readers do not get it. */
	forget(sequence: number): void {
		this.#changes.delete(sequence);
	}

	/** Sends to a reader from now on; one that asks for it gets what was kept. */
	match(
		key: string,
		data: Pick<EndpointData, 'prefix' | 'entity' | 'isReliable' | 'isTransientLocal'>,
		locator: Locator,
	): void {
		if (this.#readers.has(key)) return;
		const isLate = this.qos.isTransientLocal && data.isTransientLocal;
		const reader: ReaderProxy = {
			prefix: data.prefix,
			entity: data.entity,
			isReliable: data.isReliable && this.qos.isReliable,
			locator,
			first: isLate ? 1 : this.#last + 1,
			acknowledged: 0,
			silence: 0,
		};
		this.#readers.set(key, reader);
		if (isLate) for (const [sequence, change] of this.#changes) this.#sendChange(reader, sequence, change);
		if (reader.isReliable) this.#sendHeartbeat(reader);
	}

	unmatch(matches: (key: string) => boolean): void {
		for (const key of this.#readers.keys()) if (matches(key)) this.#readers.delete(key);
	}

	/** Tells readers that lack something what there is. */
	heartbeat(): void {
		for (const reader of this.#readers.values()) {
			if (!reader.isReliable || reader.acknowledged > this.#last) continue;
			reader.silence++;
			// one that never answers is asked less and less often
			if (reader.silence > 20 && reader.silence % 10 !== 0) continue;
			this.#sendHeartbeat(reader);
		}
	}

	acknack(key: string, missing: ReceivedSet): void {
		const reader = this.#readers.get(key);
		if (reader === undefined) return;
		reader.silence = 0;
		reader.acknowledged = Math.max(reader.acknowledged, Math.min(missing.base, this.#last + 1));
		let sent = 0;
		for (const sequence of missing.numbers) {
			if (sequence > this.#last || sent >= MOST_RESENT) break;
			const change = this.#changes.get(sequence);
			if (change === undefined || sequence < reader.first) this.#sendGap(reader, sequence, sequence + 1);
			else this.#sendChange(reader, sequence, change);
			sent++;
		}
		// an answer to one that asks for a sign of life
		if (missing.numbers.length === 0 && missing.base <= this.#last) this.#sendHeartbeat(reader);
	}

	nackFragments(key: string, sequence: number, missing: ReceivedSet): void {
		const reader = this.#readers.get(key);
		const change = this.#changes.get(sequence);
		if (reader === undefined) return;
		if (change === undefined) this.#sendGap(reader, sequence, sequence + 1);
		else
			for (const number of missing.numbers) {
				if (number >= 1 && (number - 1) * FRAGMENT_SIZE < change.payload.length)
					this.#sendFragment(reader, sequence, change, number, false);
			}
	}

	#sendChange(reader: ReaderProxy, sequence: number, change: Change): void {
		if (change.target !== undefined && change.target !== reader.prefix) {
			if (reader.isReliable) this.#sendGap(reader, sequence, sequence + 1);
			return;
		}
		const { payload, inlineQos, isKey } = change;
		if (payload.length > FRAGMENT_SIZE) {
			const count = Math.ceil(payload.length / FRAGMENT_SIZE);
			for (let number = 1; number <= count; number++)
				this.#sendFragment(reader, sequence, change, number, number === count);
			return;
		}
		const { builder } = this.#port;
		builder
			.begin(reader.prefix)
			.timestamp(this.#port.wallTime())
			.data({ reader: reader.entity, writer: this.entity, sequence, inlineQos, isKey }, payload);
		if (reader.isReliable) this.#addHeartbeat(reader);
		this.#port.send(builder.end(), reader.locator, false);
	}

	#sendFragment(reader: ReaderProxy, sequence: number, change: Change, number: number, isLast: boolean): void {
		const { builder } = this.#port;
		const fields = { reader: reader.entity, writer: this.entity, sequence, inlineQos: change.inlineQos };
		builder
			.begin(reader.prefix)
			.timestamp(this.#port.wallTime())
			.fragment(fields, change.payload, number, FRAGMENT_SIZE);
		if (isLast && reader.isReliable) this.#addHeartbeat(reader);
		this.#port.send(builder.end(), reader.locator, true);
	}

	#sendHeartbeat(reader: ReaderProxy): void {
		this.#port.builder.begin(reader.prefix);
		this.#addHeartbeat(reader);
		this.#port.send(this.#port.builder.end(), reader.locator, false);
	}

	#addHeartbeat(reader: ReaderProxy): void {
		let first = this.#last + 1;
		for (const sequence of this.#changes.keys()) {
			first = sequence;
			break;
		}
		this.#port.builder.heartbeat(
			reader.entity,
			this.entity,
			Math.max(1, Math.min(Math.max(first, reader.first), this.#last + 1)),
			this.#last,
			this.#port.nextCount(),
		);
	}

	#sendGap(reader: ReaderProxy, first: number, end: number): void {
		this.#port.send(
			this.#port.builder.begin(reader.prefix).gap(reader.entity, this.entity, first, end).end(),
			reader.locator,
			false,
		);
	}
}
