import type { Backend, Batch, Lease, QueueStats } from './backend.ts';

/** Options of a {@link MemoryBackend}. */
export interface MemoryBackendOptions {
	/** Batches that wait and are leased at most. */
	readonly capacity: number;
	/** How long a lease lasts [ms]. */
	readonly leaseTime: number;
	/** Milliseconds of a clock that only moves forward. */
	readonly now: () => number;
	/** Calls a function after a time [ms]. */
	readonly later: (call: () => void, delay: number) => void;
}

interface Entry {
	readonly batch: Batch;
	attempt: number;
	/** When it may be taken (again). */
	free: number;
	/** Which lease counts; 0 when there is none. */
	lease: number;
}

/** A queue within a process: that of a sweep on one machine, and of tests. */
export class MemoryBackend implements Backend {
	readonly #options: MemoryBackendOptions;
	readonly #entries = new Map<string, Entry>();
	/** Entries that may be taken at once, in their order. */
	readonly #ready: Set<Entry> = new Set();
	/** Entries that somebody has, or that wait for their time. */
	readonly #held: Set<Entry> = new Set();
	/** No held entry is free before that: leases only ever grow. */
	#soonest = Number.POSITIVE_INFINITY;
	readonly #waiting: Set<() => void> = new Set();
	#leases = 0;
	#redelivered = 0;
	#isClosed = false;

	constructor(options: MemoryBackendOptions) {
		this.#options = options;
	}

	submit(batch: Batch): Promise<boolean> {
		if (this.#entries.has(batch.id)) return Promise.resolve(true);
		if (this.#entries.size >= this.#options.capacity) return Promise.resolve(false);
		const entry: Entry = { batch, attempt: 0, free: 0, lease: 0 };
		this.#entries.set(batch.id, entry);
		this.#ready.add(entry);
		this.#wakeOne();
		return Promise.resolve(true);
	}

	async lease(wait: number): Promise<Lease | undefined> {
		const until = this.#options.now() + wait;
		for (;;) {
			const lease = this.#take();
			const now = this.#options.now();
			if (lease !== undefined || now >= until || this.#isClosed) return lease;
			await new Promise<void>((resolve) => {
				const wake = (): void => {
					this.#waiting.delete(wake);
					resolve();
				};
				this.#waiting.add(wake);
				this.#options.later(wake, Math.max(1, Math.min(until, this.#soonest) - now));
			});
		}
	}

	#take(): Lease | undefined {
		const now = this.#options.now();
		if (this.#ready.size === 0 && this.#soonest <= now) this.#release(now);
		const [entry] = this.#ready;
		if (entry === undefined) return undefined;
		this.#ready.delete(entry);
		if (entry.attempt > 0) this.#redelivered++;
		entry.attempt++;
		entry.lease = ++this.#leases;
		this.#hold(entry, now + this.#options.leaseTime);
		return this.#leaseOf(entry, entry.lease);
	}

	#hold(entry: Entry, until: number): void {
		entry.free = until;
		this.#held.add(entry);
		this.#soonest = Math.min(this.#soonest, until);
	}

	/** Makes entries ready whose time has come. */
	#release(now: number): void {
		this.#soonest = Number.POSITIVE_INFINITY;
		for (const entry of this.#held) {
			if (entry.free > now) {
				this.#soonest = Math.min(this.#soonest, entry.free);
				continue;
			}
			this.#held.delete(entry);
			this.#ready.add(entry);
		}
	}

	#leaseOf(entry: Entry, lease: number): Lease {
		// a lease that ran out and was taken by somebody else has no say any more, except that the work is done
		const isOurs = (): boolean => entry.lease === lease && this.#held.has(entry);
		return {
			batch: entry.batch,
			attempt: entry.attempt,
			extend: () => {
				if (isOurs()) entry.free = this.#options.now() + this.#options.leaseTime;
				return Promise.resolve();
			},
			ack: () => {
				if (this.#entries.get(entry.batch.id) === entry) {
					this.#entries.delete(entry.batch.id);
					this.#held.delete(entry);
					this.#ready.delete(entry);
				}
				return Promise.resolve();
			},
			nak: (delay) => {
				if (isOurs()) {
					entry.lease = 0;
					this.#hold(entry, this.#options.now() + 1000 * delay);
					this.#wakeOne();
				}
				return Promise.resolve();
			},
		};
	}

	#wakeOne(): void {
		const [wake] = this.#waiting;
		wake?.();
	}

	stats(): Promise<QueueStats> {
		return Promise.resolve({
			pending: this.#ready.size,
			leased: this.#held.size,
			redelivered: this.#redelivered,
			refused: 0,
		});
	}

	close(): Promise<void> {
		this.#isClosed = true;
		for (const wake of [...this.#waiting]) wake();
		return Promise.resolve();
	}
}
