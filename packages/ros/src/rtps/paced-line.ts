import type { Locator } from './locator.ts';

/** Sends datagrams and calls back later. */
export interface LineHost {
	send(bytes: Uint8Array, to: Locator): void;
	/** Milliseconds of a clock that only moves forward. */
	now(): number;
	after(milliseconds: number, work: () => void): void;
}

/** Rate [bytes/ms] that buffers of usual size take, bytes that may go at once, and bytes that may wait. */
export const LINE_DEFAULTS = { rate: 65_536, burst: 98_304, most: 33_554_432 } as const;

/** Options of {@link PacedLine}. */
export type LineOptions = { readonly [name in keyof typeof LINE_DEFAULTS]?: number };

/**
 * Sends large samples no faster than the buffers of readers take them. Nothing waits for it: what has no room in line is
 * dropped and counted; readers of reliable topics ask for it again.
 */
export class PacedLine {
	readonly #host: LineHost;
	readonly #settings: { readonly rate: number; readonly burst: number; readonly most: number };
	#line: { readonly bytes: Uint8Array; readonly to: Locator }[] = [];
	#head = 0;
	#waiting = 0;
	#tokens: number;
	#filledAt: number;
	#isScheduled = false;
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

	push(bytes: Uint8Array, to: Locator): void {
		if (this.#waiting + bytes.length > this.#settings.most) {
			this.dropped++;
			return;
		}
		this.#line.push({ bytes, to });
		this.#waiting += bytes.length;
		if (!this.#isScheduled) this.#drain();
	}

	#drain(): void {
		const { rate, burst } = this.#settings;
		const now = this.#host.now();
		this.#tokens = Math.min(burst, this.#tokens + (now - this.#filledAt) * rate);
		this.#filledAt = now;
		while (this.#head < this.#line.length && this.#tokens > 0) {
			const { bytes, to } = this.#line[this.#head++]!;
			this.#tokens -= bytes.length;
			this.#waiting -= bytes.length;
			this.#host.send(bytes, to);
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
