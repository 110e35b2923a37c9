import type { EndpointQos } from './endpoint-data.ts';
import { FragmentStore } from './fragment-store.ts';
import { MOST_SET_BITS } from './message-builder.ts';
import type { Outbox } from './outbox.ts';
import type { Parameter } from './parameter-list.ts';
import type { ReceivedData, ReceivedFragments, ReceivedHeartbeat, ReceivedSet } from './read-message.ts';
import type { WriterPort } from './rtps-writer.ts';

/** A sample that a reader hands on. */
export interface Sample {
	readonly payload: Uint8Array;
	readonly inlineQos: readonly Parameter[];
	/** The participant and the writer that it is from. */
	readonly source: string;
	readonly writer: number;
	readonly sequence: number;
	/** Whether the payload is a key: the entity is gone. */
	readonly isKey: boolean;
}

/** A writer of another participant that a reader listens to. */
interface WriterProxy {
	readonly source: string;
	readonly writer: number;
	readonly isReliable: boolean;
	readonly outbox: Outbox;
	/** The next number in order. */
	next: number;
	/** When it was last asked for what is missing [ms], and what was next then. */
	askedAt: number;
	askedNext: number;
	/** Samples that came out of order; null for numbers that will never come. */
	readonly early: Map<number, ReceivedData | null>;
	readonly fragments: FragmentStore;
}

/** Time between two requests for what is missing [ms]. */
const ASK_MS = 5;

/** A reader of this participant: asks again for what got lost, and hands samples on in order. */
export class RtpsReader {
	readonly entity: number;
	readonly qos: EndpointQos;
	readonly #port: WriterPort;
	readonly #take: (sample: Sample) => void;
	readonly #writers = new Map<string, WriterProxy>();

	constructor(entity: number, qos: EndpointQos, port: WriterPort, take: (sample: Sample) => void) {
		this.entity = entity;
		this.qos = qos;
		this.#port = port;
		this.#take = take;
	}

	get writerCount(): number {
		return this.#writers.size;
	}

	hasWriter(key: string): boolean {
		return this.#writers.has(key);
	}

	/** Listens to a writer; `hello` is the base of the empty request that tells it so. */
	match(key: string, source: string, writer: number, isReliable: boolean, outbox: Outbox, hello: 0 | 1): void {
		if (this.#writers.has(key)) return;
		const proxy: WriterProxy = {
			source,
			writer,
			isReliable: isReliable && this.qos.isReliable,
			outbox,
			next: 1,
			askedAt: Number.NEGATIVE_INFINITY,
			askedNext: 0,
			early: new Map(),
			fragments: new FragmentStore(),
		};
		this.#writers.set(key, proxy);
		// says that it is there, so that the writer tells at once what it has
		if (proxy.isReliable) this.#sendMissing(proxy, { base: hello, count: 0, has: () => false }, false);
	}

	unmatch(matches: (key: string) => boolean): void {
		for (const key of this.#writers.keys()) if (matches(key)) this.#writers.delete(key);
	}

	data(key: string, data: ReceivedData): void {
		const proxy = this.#writers.get(key);
		if (proxy === undefined || data.sequence < proxy.next) return;
		if (!proxy.isReliable) {
			proxy.next = data.sequence + 1;
			this.#hand(proxy, data);
			return;
		}
		// beyond the window it comes again
		if (data.sequence >= proxy.next + MOST_SET_BITS) return;
		if (data.sequence === proxy.next) {
			proxy.next++;
			this.#hand(proxy, data);
			this.#handEarly(proxy);
		} else if (!proxy.early.has(data.sequence)) {
			// the bytes belong to the datagram
			proxy.early.set(data.sequence, { ...data, payload: data.payload.slice() });
		}
	}

	fragmentsOf(key: string, data: ReceivedFragments): void {
		const proxy = this.#writers.get(key);
		if (proxy === undefined || data.sequence < proxy.next || proxy.early.has(data.sequence)) return;
		if (proxy.isReliable && data.sequence >= proxy.next + MOST_SET_BITS) return;
		const payload = proxy.fragments.add(data);
		if (payload !== undefined) this.data(key, { ...data, payload });
	}

	heartbeat(key: string, { first, last, isFinal }: ReceivedHeartbeat): void {
		const proxy = this.#writers.get(key);
		if (proxy === undefined || !proxy.isReliable) return;
		if (first > proxy.next) {
			// what lies before is lost for good
			for (const [sequence, data] of [...proxy.early].sort((a, b) => a[0] - b[0])) {
				if (sequence >= first) break;
				proxy.early.delete(sequence);
				if (data !== null) this.#hand(proxy, data);
			}
			proxy.next = first;
			proxy.fragments.dropBelow(first);
			this.#handEarly(proxy);
		}
		const count = Math.min(MOST_SET_BITS, Math.max(0, last - proxy.next + 1));
		const { next, early, fragments } = proxy;
		let isMissing = false;
		const has = (i: number): boolean => !early.has(next + i) && !fragments.has(next + i);
		for (let i = 0; i < count && !isMissing; i++) isMissing = has(i);
		if (isMissing || fragments.sequences().length > 0) {
			// what was asked for is on its way, unless some of it is here: then it is time for the next ones
			if (this.#port.now() - proxy.askedAt < ASK_MS && proxy.next === proxy.askedNext) return;
			proxy.askedAt = this.#port.now();
			proxy.askedNext = proxy.next;
		}
		for (const sequence of fragments.sequences()) this.#nackFragments(proxy, sequence);
		if (isMissing) this.#sendMissing(proxy, { base: next, count, has }, true);
		else if (!isFinal && count === 0) this.#sendMissing(proxy, { base: next, count: 0, has: () => false }, true);
	}

	gap(key: string, start: number, list: ReceivedSet): void {
		const proxy = this.#writers.get(key);
		if (proxy === undefined || !proxy.isReliable) return;
		if (start <= proxy.next && list.base > proxy.next) {
			for (const sequence of proxy.early.keys()) if (sequence < list.base) proxy.early.delete(sequence);
			proxy.next = list.base;
		} else {
			const end = Math.min(list.base, proxy.next + MOST_SET_BITS);
			for (let sequence = Math.max(start, proxy.next); sequence < end; sequence++) proxy.early.set(sequence, null);
		}
		for (const sequence of list.numbers)
			if (sequence >= proxy.next && sequence < proxy.next + MOST_SET_BITS) proxy.early.set(sequence, null);
		this.#handEarly(proxy);
		proxy.fragments.dropBelow(proxy.next);
	}

	#handEarly(proxy: WriterProxy): void {
		for (let data = proxy.early.get(proxy.next); data !== undefined; data = proxy.early.get(proxy.next)) {
			proxy.early.delete(proxy.next);
			proxy.next++;
			if (data !== null) this.#hand(proxy, data);
		}
	}

	#hand(proxy: WriterProxy, { payload, inlineQos, sequence, isKey }: ReceivedData): void {
		this.#take({ payload, inlineQos, source: proxy.source, writer: proxy.writer, sequence, isKey });
	}

	#sendMissing(
		proxy: WriterProxy,
		missing: { base: number; count: number; has: (i: number) => boolean },
		isFinal: boolean,
	): void {
		const message = proxy.outbox.to(proxy.source);
		message.acknack(this.entity, proxy.writer, missing, this.#port.nextCount(), isFinal);
	}

	#nackFragments(proxy: WriterProxy, sequence: number): void {
		const missing = proxy.fragments.missing(sequence);
		if (missing === undefined) return;
		const message = proxy.outbox.to(proxy.source);
		message.nackFragments(this.entity, proxy.writer, sequence, missing, this.#port.nextCount());
	}
}
