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
	/** When it may be taken. */
	free: number;
	/** Which lease counts; 0 when there is none. */
	lease: number;
}

/** A queue within a process: that of a sweep on one machine, and of tests. */
export class MemoryBackend implements Backend {
	readonly #options: MemoryBackendOptions;
	readonly #entries = new Map<string, Entry>();
	readonly #waiting: (() => void)[] = [];
	#leases = 0;
	#redelivered = 0;
	#isClosed = false;

	constructor(options: MemoryBackendOptions) {
		this.#options = options;
	}

	submit(batch: Batch): Promise<boolean> {
		if (this.#entries.has(batch.id)) return Promise.resolve(true);
		if (this.#entries.size >= this.#options.capacity) return Promise.resolve(false);
		this.#entries.set(batch.id, { batch, attempt: 0, free: 0, lease: 0 });
		this.#wake();
		return Promise.resolve(true);
	}

	async lease(wait: number): Promise<Lease | undefined> {
		const until = this.#options.now() + wait;
		for (;;) {
			const lease = this.#take();
			const now = this.#options.now();
			if (lease !== undefined || now >= until || this.#isClosed) return lease;
			const free = Math.min(until, ...[...this.#entries.values()].map((entry) => entry.free));
			await new Promise<void>((resolve) => {
				this.#waiting.push(resolve);
				this.#options.later(resolve, Math.max(1, Math.max(free, now) - now));
			});
		}
	}

	#take(): Lease | undefined {
		const now = this.#options.now();
		for (const entry of this.#entries.values()) {
			if (entry.free > now) continue;
			if (entry.attempt > 0) this.#redelivered++;
			entry.attempt++;
			entry.lease = ++this.#leases;
			entry.free = now + this.#options.leaseTime;
			return this.#leaseOf(entry, entry.lease);
		}
		return undefined;
	}

	#leaseOf(entry: Entry, lease: number): Lease {
		// a lease that ran out and was taken by somebody else has no say any more, except that the work is done
		const isOurs = (): boolean => entry.lease === lease && this.#entries.get(entry.batch.id) === entry;
		return {
			batch: entry.batch,
			attempt: entry.attempt,
			extend: () => {
				if (isOurs()) entry.free = this.#options.now() + this.#options.leaseTime;
				return Promise.resolve();
			},
			ack: () => {
				if (this.#entries.get(entry.batch.id) === entry) this.#entries.delete(entry.batch.id);
				return Promise.resolve();
			},
			nak: (delay) => {
				if (isOurs()) {
					entry.free = this.#options.now() + 1000 * delay;
					entry.lease = 0;
					this.#wake();
				}
				return Promise.resolve();
			},
		};
	}

	#wake(): void {
		for (const resolve of this.#waiting.splice(0)) resolve();
	}

	stats(): Promise<QueueStats> {
		const now = this.#options.now();
		const entries = [...this.#entries.values()];
		const leased = entries.filter(({ lease, free }) => lease > 0 && free > now).length;
		return Promise.resolve({ pending: entries.length - leased, leased, redelivered: this.#redelivered, refused: 0 });
	}

	close(): Promise<void> {
		this.#isClosed = true;
		this.#wake();
		return Promise.resolve();
	}
}
