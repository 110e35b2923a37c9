import type { Locator } from './locator.ts';

/** Sends datagrams and calls back later. */
export interface LineHost {
	send(bytes: Uint8Array, to: Locator): void;
	/** Milliseconds of a clock that only moves forward. */
	now(): number;
	after(milliseconds: number, work: () => void): void;
}

/**
 * Rate [bytes/ms], bytes that may go at once, and bytes that may wait. A socket of Linux with a buffer of the usual 212,992 bytes
 * holds about 190,000 of ours: three times what goes at once.
 */
export const LINE_DEFAULTS = { rate: 65_536, burst: 65_536, most: 67_108_864 } as const;

/** Options of {@link PacedLine}. */
export type LineOptions = { readonly [name in keyof typeof LINE_DEFAULTS]?: number };

/** A datagram in line. */
export interface LineEntry {
	/** [bytes], about. */
	readonly size: number;
	readonly to: Locator;
	/** Makes it when its turn has come; undefined when nobody wants it any more. */
	build(): Uint8Array | undefined;
}

/** The slowest that lost datagrams make the line, as a share of its rate, and how fast it recovers [1/ms]. */
const SLOWEST = 0.25;
const RECOVERY = 1 / 2000;

/**
 * Sends large samples no faster than the buffers of readers take them. Nothing waits for it: what has no room in line is
 * dropped and counted; readers of reliable topics ask for it again.
 */
export class PacedLine {
	readonly #host: LineHost;
	readonly #settings: { readonly rate: number; readonly burst: number; readonly most: number };
	#line: LineEntry[] = [];
	#head = 0;
	#waiting = 0;
	#tokens: number;
	#filledAt: number;
	#isScheduled = false;
	/** Share of the rate that is used. */
	#share = 1;
	/** Datagrams that had no room. */
	dropped = 0;

	constructor(host: LineHost, options: LineOptions = {}) {
		this.#host = host;
		this.#settings = { ...LINE_DEFAULTS, ...options };
		this.#tokens = this.#settings.burst;
		this.#filledAt = host.now();
	}

	/** Bytes in line. */
	get waiting(): number {
		return this.#waiting;
	}

	/** Whether there was room. */
	push(entry: LineEntry): boolean {
		if (this.#waiting + entry.size > this.#settings.most) {
			this.dropped++;
			return false;
		}
		this.#line.push(entry);
		this.#waiting += entry.size;
		if (!this.#isScheduled) this.#drain();
		return true;
	}

	/** Something got lost: goes slower for a while. */
	slowDown(): void {
		this.#share = Math.max(SLOWEST, this.#share * 0.9);
	}

	#drain(): void {
		const { rate, burst } = this.#settings;
		const now = this.#host.now();
		const passed = now - this.#filledAt;
		this.#share = Math.min(1, this.#share + passed * RECOVERY);
		this.#tokens = Math.min(burst * this.#share, this.#tokens + passed * rate * this.#share);
		this.#filledAt = now;
		while (this.#head < this.#line.length && this.#tokens > 0) {
			const entry = this.#line[this.#head++]!;
			this.#waiting -= entry.size;
			const bytes = entry.build();
			if (bytes === undefined) continue;
			this.#tokens -= bytes.length;
			this.#host.send(bytes, entry.to);
		}
		if (this.#head === this.#line.length) {
			this.#line = [];
			this.#head = 0;
			this.#isScheduled = false;
			return;
		}
		if (this.#head > 1024) {
			this.#line = this.#line.slice(this.#head);
			this.#head = 0;
		}
		this.#isScheduled = true;
		this.#host.after(1, () => this.#drain());
	}
}
