import { McapWriter } from '@mcap/core';
import type { BusSink, Publisher, Subscription } from '../bus/ros-bus.ts';
import type { TypeRegistry } from '../msg/type-registry.ts';
import { type BagContent, qosProfile } from './bag-metadata.ts';

/** Where the bytes of a recording go, one write after the other. @public */
export interface McapTarget {
	write(bytes: Uint8Array): Promise<void>;
}

/** How chunks are compressed. @public */
export interface McapCompressor {
	/** As MCAP calls it: `zstd` or `lz4`. */
	readonly name: string;
	compress(bytes: Uint8Array): Uint8Array;
}

/** Options of {@link McapSink}. @public */
export interface McapSinkOptions {
	readonly types: TypeRegistry;
	/** What is said of the run: texts by name. */
	readonly metadata?: Readonly<Record<string, string>>;
	/** Size of a chunk [bytes]; what is in an unfinished one is lost when the process is killed. */
	readonly chunkSize?: number;
	/** Compresses chunks; they are written as they are unless given. */
	readonly compressor?: McapCompressor;
	/** Messages that may wait for the disk [bytes]. */
	readonly mostWaiting?: number;
}

/** Values of {@link McapSinkOptions} that are used when absent. @public */
export const MCAP_DEFAULTS = { chunkSize: 1_048_576, mostWaiting: 67_108_864 } as const;

type Topic = Publisher | Subscription;

interface Entry {
	readonly topic: Topic;
	readonly bytes: Uint8Array;
	readonly time: bigint;
}

/**
 * Records all topics as MCAP with the profile `ros2`. Log and publish times are simulated time, so that the same run gives the
 * same bytes. The simulation does not wait: what has no room is dropped and counted.
 * @public
 */
export class McapSink implements BusSink {
	readonly #writer: McapWriter;
	readonly #options: McapSinkOptions;
	readonly #mostWaiting: number;
	readonly #schemas = new Map<string, number>();
	readonly #channels = new Map<Topic, number>();
	readonly #sequences = new Map<Topic, number>();
	#line: Entry[] = [];
	#waiting = 0;
	#work: Promise<void>;
	#isBusy = false;
	#failure: unknown;
	/** Times of the first and the last message [ns]. */
	#first: bigint | undefined;
	#last = 0n;
	/** Messages that had no room. */
	dropped = 0;
	/** Messages that were written. */
	written = 0;

	constructor(target: McapTarget, options: McapSinkOptions) {
		const { chunkSize, mostWaiting, compressor } = { ...MCAP_DEFAULTS, ...options };
		this.#options = options;
		this.#mostWaiting = mostWaiting;
		let position = 0n;
		this.#writer = new McapWriter({
			chunkSize,
			...(compressor !== undefined && {
				compressChunk: (bytes: Uint8Array) => ({
					compression: compressor.name,
					compressedData: compressor.compress(bytes),
				}),
			}),
			writable: {
				write: async (bytes) => {
					// the writer uses its memory again
					await target.write(bytes.slice());
					position += BigInt(bytes.byteLength);
				},
				position: () => position,
			},
		});
		this.#work = this.#start();
		this.#work.catch(() => {});
	}

	publish(publisher: Publisher, bytes: Uint8Array, time: bigint): void {
		this.#take(publisher, bytes, time);
	}

	/** Commands that came are recorded too, so that they can be played again. */
	received(subscription: Subscription, bytes: Uint8Array, time: bigint): void {
		this.#take(subscription, bytes.slice(), time);
	}

	/** What was written so far. */
	get content(): BagContent {
		const topics = [...this.#channels.keys()].map((topic) => {
			const { name, type, qos } = topic;
			return { name, type, qos, hash: this.#options.types.hash(type), count: this.#sequences.get(topic) ?? 0 };
		});
		return { topics, first: this.#first ?? 0n, last: this.#last };
	}

	#take(topic: Topic, bytes: Uint8Array, time: bigint): void {
		if (this.#waiting + bytes.length > this.#mostWaiting) {
			this.dropped++;
			return;
		}
		this.#line.push({ topic, bytes, time });
		this.#waiting += bytes.length;
		this.#drain();
	}

	/** Settles when all that was published so far is written. Rejects when the target has failed. */
	async flush(): Promise<void> {
		while (this.#isBusy) await this.#work;
		await this.#work;
		if (this.#failure !== undefined) throw this.#failure;
	}

	/** Ends the file: writes the last chunk, indices and statistics. */
	async close(): Promise<void> {
		await this.flush();
		await this.#writer.end();
	}

	async #start(): Promise<void> {
		await this.#writer.start({ profile: 'ros2', library: 'manyworlds' });
		const { metadata } = this.#options;
		if (metadata !== undefined)
			await this.#writer.addMetadata({ name: 'manyworlds', metadata: new Map(Object.entries(metadata)) });
	}

	#drain(): void {
		if (this.#isBusy) return;
		this.#isBusy = true;
		this.#work = this.#work.then(() => this.#writeAll());
		this.#work.catch(() => {});
	}

	async #writeAll(): Promise<void> {
		try {
			while (this.#line.length > 0) {
				const entries = this.#line;
				this.#line = [];
				for (const entry of entries) await this.#write(entry);
			}
		} catch (error) {
			this.#failure ??= error;
			this.#line = [];
			this.#waiting = 0;
		} finally {
			this.#isBusy = false;
		}
	}

	async #write({ topic, bytes, time }: Entry): Promise<void> {
		const channelId = this.#channels.get(topic) ?? (await this.#register(topic));
		const sequence = (this.#sequences.get(topic) ?? 0) + 1;
		this.#sequences.set(topic, sequence);
		if (this.#first === undefined || time < this.#first) this.#first = time;
		if (time > this.#last) this.#last = time;
		await this.#writer.addMessage({ channelId, sequence, logTime: time, publishTime: time, data: bytes });
		this.#waiting -= bytes.length;
		this.written++;
	}

	async #register(own: Topic): Promise<number> {
		const { name, type, qos, domain } = own;
		const { types } = this.#options;
		let schemaId = this.#schemas.get(type);
		if (schemaId === undefined) {
			const data = new TextEncoder().encode(types.schemaText(type));
			schemaId = await this.#writer.registerSchema({ name: type, encoding: 'ros2msg', data });
			this.#schemas.set(type, schemaId);
		}
		const id = await this.#writer.registerChannel({
			schemaId,
			topic: name,
			messageEncoding: 'cdr',
			metadata: new Map([
				['offered_qos_profiles', qosProfile(qos)],
				['topic_type_hash', types.hash(type)],
				['domain', String(domain)],
			]),
		});
		this.#channels.set(own, id);
		return id;
	}
}
