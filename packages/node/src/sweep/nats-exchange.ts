import {
	type Backend,
	type Batch,
	base32,
	type CommitKind,
	compareResults,
	decodeBatch,
	decodeResult,
	type Exchange,
	encodeBatch,
	encodeResults,
	hashOf,
	type Lease,
	nameOfResults,
	type QueueStats,
	type ResultStore,
	type RunOutcome,
	type SweepHeader,
	splitResults,
} from '@manyworlds/sweep/internal';
import {
	AckPolicy,
	type Consumer,
	DiscardPolicy,
	type JetStreamClient,
	type JetStreamManager,
	type JsMsg,
	jetstream,
	jetstreamManager,
	RetentionPolicy,
	StorageType,
} from '@nats-io/jetstream';
import { type KV, Kvm } from '@nats-io/kv';
import { type ObjectStore, Objm } from '@nats-io/obj';
import { connect, type NatsConnection } from '@nats-io/transport-node';
import { parseHeader } from './file-exchange.ts';

/** Options of {@link NatsExchange.connect}. */
export interface NatsExchangeOptions {
	/** How long a batch may be silent before somebody else gets it [s]. */
	readonly leaseTime?: number;
	/** Batches in the queue at most. */
	readonly capacity?: number;
	/** Environment with NATS_USER and NATS_PASSWORD, or NATS_TOKEN. */
	readonly env?: Readonly<Record<string, string | undefined>>;
	/** Told when the connection is lost and found again. */
	readonly onStatus?: (what: string) => void;
}

/** Values of {@link NatsExchangeOptions} that are used when absent. */
export const NATS_EXCHANGE_DEFAULTS: { readonly leaseTime: number; readonly capacity: number } = {
	leaseTime: 30,
	capacity: 64,
};

/** A server that cannot be used, with a reason for people. */
export class NatsRefusal extends Error {
	override readonly name: string = 'NatsRefusal';
}

const SECOND = 1_000_000_000;
/** Code of a stream that is full. */
const FULL = [10077, 10122];
/** How often and how long something is tried while a server restarts. */
const TRIES = 60;
const TRY_DELAY = 500;
const decoder = new TextDecoder();

/**
 * A sweep on a NATS server with JetStream: batches in a work queue, plan and asset in an object store, results in a bucket where the
 * first one wins. All of it is on the disk of the server before it counts.
 */
export class NatsExchange implements Exchange, Backend {
	readonly backend: Backend = this;
	readonly results: ResultStore;
	readonly #connection: NatsConnection;
	readonly #name: string;
	readonly #settings: { readonly leaseTime: number; readonly capacity: number };
	readonly #client: JetStreamClient;
	#manager: JetStreamManager | undefined;
	#bucket: KV | undefined;
	#objects: ObjectStore | undefined;
	#consumer: Consumer | undefined;
	#header: SweepHeader | undefined;
	#runCount = Number.MAX_SAFE_INTEGER;
	#revision = 0;
	#redelivered = 0;
	#refused = 0;
	#skewed = 0;

	/** Connects to `nats://[USER:PASSWORD@]HOST[:PORT]/NAME`. Rejects with a {@link NatsRefusal} where that cannot be done. */
	static async connect(url: string, options: NatsExchangeOptions = {}): Promise<NatsExchange> {
		const { address, name, user, pass } = parseNatsUrl(url, options.env ?? {});
		const token = options.env?.['NATS_TOKEN'];
		let connection: NatsConnection;
		try {
			connection = await connect({
				servers: address,
				name: `manyworlds ${name}`,
				timeout: 5000,
				maxReconnectAttempts: -1,
				reconnectTimeWait: 250,
				...(user !== undefined && { user, pass: pass ?? '' }),
				...(user === undefined && token !== undefined && { token }),
			});
		} catch (error) {
			throw new NatsRefusal(refusalText(error, address));
		}
		try {
			await jetstreamManager(connection, { checkAPI: true, timeout: 5000 });
		} catch (error) {
			await connection.close();
			throw new NatsRefusal(
				`the server at ${address} has no JetStream (${(error as Error).message}); start it with -js, or with the configuration of manyworlds sweep --print-nats-config`,
			);
		}
		return new NatsExchange(connection, name, options);
	}

	private constructor(connection: NatsConnection, name: string, options: NatsExchangeOptions) {
		this.#connection = connection;
		this.#name = name.replaceAll(/[^A-Za-z0-9_-]/g, '_');
		this.#settings = { ...NATS_EXCHANGE_DEFAULTS, ...options };
		this.#client = jetstream(connection, { timeout: 10_000 });
		this.results = {
			missing: (keys, attempt) => this.#missing(keys, attempt),
			commit: (outcomes) => this.#commit(outcomes),
			mark: (key, worker) => this.#mark(key, worker),
			// the server answers when it has it
			flush: () => Promise.resolve(),
		};
		void this.#watch(options.onStatus);
	}

	async #watch(onStatus: ((what: string) => void) | undefined): Promise<void> {
		for await (const { type } of this.#connection.status())
			if (type === 'disconnect' || type === 'reconnect') onStatus?.(type);
	}

	get #stream(): string {
		return `MW_${this.#name}`;
	}

	get #subject(): string {
		return `mw.${this.#name}.batch`;
	}

	async announce(header: SweepHeader, read: (path: string) => Uint8Array): Promise<void> {
		await this.#patiently(async () => {
			const manager = await this.#getManager();
			const old = await this.header();
			if (old !== undefined && old.sweep !== header.sweep) await this.#removeAll(manager);
			const settings = {
				name: this.#stream,
				subjects: [this.#subject],
				retention: RetentionPolicy.Workqueue,
				storage: StorageType.File,
				discard: DiscardPolicy.New,
				max_msgs: this.#settings.capacity,
				max_msg_size: 65_536,
				duplicate_window: 120 * SECOND,
			};
			try {
				await manager.streams.info(this.#stream);
			} catch {
				await manager.streams.add(settings);
			}
			await manager.consumers.add(this.#stream, {
				durable_name: 'workers',
				ack_policy: AckPolicy.Explicit,
				ack_wait: this.#settings.leaseTime * SECOND,
				max_deliver: -1,
				max_ack_pending: 100_000,
			});
			const objects = await this.#getObjects(true);
			for (const { path, hash } of header.files)
				if ((await objects!.info(hash)) === null) await objects!.putBlob({ name: hash }, read(path));
			await this.#getBucket(true);
			await objects!.putBlob({ name: 'header' }, new TextEncoder().encode(JSON.stringify(header)));
		});
		this.#header = header;
	}

	async header(): Promise<SweepHeader | undefined> {
		const objects = await this.#getObjects(false);
		const bytes = objects === undefined ? null : await objects.getBlob('header').catch(() => null);
		this.#header = bytes === null ? undefined : parseHeader(bytes);
		return this.#header;
	}

	get refused(): number {
		return this.#refused;
	}

	setRunCount(count: number): void {
		this.#runCount = count;
	}

	async file(hash: string): Promise<Uint8Array | undefined> {
		return await this.#patiently(async () => (await (await this.#getObjects(false))?.getBlob(hash)) ?? undefined);
	}

	async submit(batch: Batch): Promise<boolean> {
		try {
			await this.#patiently(() =>
				this.#client.publish(this.#subject, encodeBatch(batch, this.#header!), { msgID: batch.id, timeout: 10_000 }),
			);
			return true;
		} catch (error) {
			if (FULL.includes((error as { code?: number }).code ?? 0)) return false;
			throw error;
		}
	}

	async lease(wait: number): Promise<Lease | undefined> {
		if (this.#header === undefined) return undefined;
		try {
			this.#consumer ??= await this.#client.consumers.get(this.#stream, 'workers');
			const message = await this.#consumer.next({ expires: Math.max(1000, wait) });
			return message === null ? undefined : this.#leaseOf(message);
		} catch {
			// the server restarts, or the sweep is over
			this.#consumer = undefined;
			await new Promise((resolve) => setTimeout(resolve, Math.min(TRY_DELAY, wait)));
			return undefined;
		}
	}

	#leaseOf(message: JsMsg): Lease | undefined {
		const batch = decodeBatch(message.data, this.#header!, this.#runCount);
		if (batch === 'version') {
			// somebody of that version may come
			this.#skewed++;
			message.nak(5000);
			return undefined;
		}
		if (batch === 'malformed' || batch === 'foreign') {
			this.#refused++;
			message.term();
			return undefined;
		}
		const attempt = message.info.deliveryCount;
		if (attempt > 1) this.#redelivered++;
		return {
			batch,
			attempt,
			extend: () => {
				message.working();
				return Promise.resolve();
			},
			ack: async () => {
				// an answer that is lost means that the batch comes again, and is found done
				await message.ackAck({ timeout: 5000 }).catch(() => false);
			},
			nak: (delay) => {
				message.nak(1000 * delay);
				return Promise.resolve();
			},
		};
	}

	/** Batches of other versions of the program that were left to others. */
	get skewed(): number {
		return this.#skewed;
	}

	async collect(visit: (result: Uint8Array, series: Uint8Array | undefined) => void): Promise<number> {
		const bucket = await this.#getBucket(false);
		if (bucket === undefined) return 0;
		// a watch is a consumer of the server: none is made for nothing
		if ((await this.#lastRevision()) <= this.#revision) return 0;
		let count = 0;
		const entries = await bucket.watch({ resumeFromRevision: this.#revision + 1 });
		try {
			for await (const entry of entries) {
				if (entry.operation === 'PUT') {
					for (const line of splitResults(entry.value)) {
						const result = decodeResult(line);
						const series =
							result?.series === true
								? ((await (await this.#getObjects(false))?.getBlob(`series-${result.key}`)) ?? undefined)
								: undefined;
						visit(line, series);
						count++;
					}
				}
				this.#revision = Math.max(this.#revision, entry.revision);
				if ((entry.delta ?? 0) === 0) break;
			}
		} finally {
			entries.stop();
		}
		return count;
	}

	async #lastRevision(): Promise<number> {
		return (await (await this.#getManager()).streams.info(`KV_${this.#resultBucket}`)).state.last_seq;
	}

	async stats(): Promise<QueueStats> {
		const { num_pending: pending, num_ack_pending: leased } = await (await this.#getManager()).consumers.info(
			this.#stream,
			'workers',
		);
		return { pending, leased, redelivered: this.#redelivered, refused: this.#refused };
	}

	async remove(): Promise<void> {
		await this.#removeAll(await this.#getManager());
	}

	async close(): Promise<void> {
		await this.#connection.close();
	}

	async #missing(keys: readonly string[], attempt: number): Promise<readonly string[]> {
		const bucket = await this.#getBucket(false);
		if (bucket === undefined) return keys;
		const has = async (some: readonly string[]): Promise<boolean> =>
			(await bucket.get(nameOfResults(some)).catch(() => null)) !== null;
		if (await has(keys)) return [];
		// runs are only committed one by one when a batch killed workers before
		if (attempt === 1 || keys.length === 1) return keys;
		const found = await Promise.all(keys.map((key) => has([key])));
		return keys.filter((_, i) => !found[i]);
	}

	/** One message for the results of a batch: what a server can take is counted in messages. */
	async #commit(outcomes: readonly RunOutcome[]): Promise<CommitKind[]> {
		const kinds: CommitKind[] = [];
		for (const { name, bytes, outcomes: own } of encodeResults(outcomes)) {
			const found = await this.#patiently(async (): Promise<CommitKind[]> => {
				const bucket = (await this.#getBucket(true))!;
				for (const { result, series } of own)
					if (series !== undefined)
						await (await this.#getObjects(true))!.putBlob({ name: `series-${result.key}` }, series);
				const known = await bucket.get(name);
				if (known === null) {
					// refused where somebody else was quicker, or the answer to an earlier try was lost: then it is looked at again
					await bucket.create(name, bytes);
					return own.map(() => 'new');
				}
				const compared = compareResults(own, known.value);
				// whoever collects finds both
				if (compared.includes('different'))
					await bucket.put(`${name}-${base32(hashOf(decoder.decode(bytes)), 8)}`, bytes);
				return compared;
			});
			kinds.push(...found);
		}
		return kinds;
	}

	async #mark(key: string, worker: string): Promise<readonly string[]> {
		return await this.#patiently(async () => {
			const objects = (await this.#getObjects(true))!;
			const old = await objects.getBlob(`attempts-${key}`);
			const workers = [...(old === null ? [] : new TextDecoder().decode(old).split('\n')), worker];
			await objects.putBlob({ name: `attempts-${key}` }, new TextEncoder().encode(workers.join('\n')));
			return workers;
		});
	}

	/** Tries something again while the server is away; the last error goes to the caller. */
	async #patiently<T>(work: () => Promise<T>): Promise<T> {
		for (let attempt = 1; ; attempt++) {
			try {
				return await work();
			} catch (error) {
				if (FULL.includes((error as { code?: number }).code ?? 0) || attempt >= TRIES || this.#connection.isClosed())
					throw error;
				this.#bucket = undefined;
				this.#objects = undefined;
				this.#manager = undefined;
				await new Promise((resolve) => setTimeout(resolve, TRY_DELAY));
			}
		}
	}

	get #resultBucket(): string {
		return `MW_${this.#name}_results`;
	}

	async #getManager(): Promise<JetStreamManager> {
		this.#manager ??= await jetstreamManager(this.#connection, { timeout: 10_000 });
		return this.#manager;
	}

	async #getBucket(make: boolean): Promise<KV | undefined> {
		if (this.#bucket !== undefined) return this.#bucket;
		const buckets = new Kvm(this.#connection);
		if (make) this.#bucket = await buckets.create(this.#resultBucket, { storage: StorageType.File, history: 1 });
		else {
			const manager = await this.#getManager();
			const isThere = await manager.streams.info(`KV_${this.#resultBucket}`).then(
				() => true,
				() => false,
			);
			if (isThere) this.#bucket = await buckets.open(this.#resultBucket);
		}
		return this.#bucket;
	}

	async #getObjects(make: boolean): Promise<ObjectStore | undefined> {
		if (this.#objects !== undefined) return this.#objects;
		const stores = new Objm(this.#connection);
		const name = `MW_${this.#name}_files`;
		if (make) this.#objects = await stores.create(name, { storage: StorageType.File });
		else {
			const manager = await this.#getManager();
			const isThere = await manager.streams.info(`OBJ_${name}`).then(
				() => true,
				() => false,
			);
			if (isThere) this.#objects = await stores.open(name);
		}
		return this.#objects;
	}

	async #removeAll(manager: JetStreamManager): Promise<void> {
		for (const stream of [this.#stream, `KV_${this.#resultBucket}`, `OBJ_MW_${this.#name}_files`])
			await manager.streams.delete(stream).catch(() => false);
		this.#bucket = undefined;
		this.#objects = undefined;
		this.#consumer = undefined;
		this.#revision = 0;
	}
}

/** The parts of the address of a queue; throws a {@link NatsRefusal} for one that is none. */
export function parseNatsUrl(
	url: string,
	env: Readonly<Record<string, string | undefined>>,
): { readonly address: string; readonly name: string; readonly user?: string; readonly pass?: string } {
	const parsed = URL.canParse(url) ? new URL(url) : undefined;
	const name = parsed?.pathname.replace(/^\//, '') ?? '';
	if (parsed === undefined || parsed.protocol !== 'nats:' || parsed.hostname === '' || !/^[\w.-]{1,64}$/.test(name))
		throw new NatsRefusal(`'${url}' is not the address of a queue, expected nats://HOST:PORT/NAME`);
	const user = decodeURIComponent(parsed.username) || env['NATS_USER'];
	const pass = decodeURIComponent(parsed.password) || env['NATS_PASSWORD'];
	return {
		address: `${parsed.hostname}:${parsed.port || '4222'}`,
		name,
		...(user !== undefined && { user }),
		...(pass !== undefined && { pass }),
	};
}

function refusalText(error: unknown, address: string): string {
	const { message, name } = error as Error;
	const text = `${name} ${message}`.toLowerCase();
	if (text.includes('authorization') || text.includes('authentication'))
		return `the server at ${address} refuses the user or password; give them in the address or in NATS_USER and NATS_PASSWORD`;
	return `the server at ${address} does not answer: ${message}`;
}
