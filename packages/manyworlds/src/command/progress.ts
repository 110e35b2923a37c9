import { formatBytes } from '@manyworlds/usd/internal';
import { type CliIo, wantsColour } from './io.ts';

/** Time after which silent work is explained, in milliseconds. */
const PATIENCE = 300;
/** Least time between two looks of {@link Progress.pulse} at what to say, in milliseconds. */
const PULSE_INTERVAL = 100;
/** Input from this size on is announced at once, because reading it takes longer than {@link PATIENCE}. */
const LARGE = 12_000_000;

/**
 * Says on stderr what a long command is doing, if that is a terminal: the line is overwritten by the next one and removed at
 * the end. Short work stays silent, and so does all in a log, where lines would stay.
 */
export class Progress {
	readonly #io: CliIo;
	readonly #start: number;
	#pulsed = Number.NEGATIVE_INFINITY;
	#isLineOpen = false;

	constructor(io: CliIo) {
		this.#io = io;
		this.#start = io.now();
	}

	/** Announces a step that works on `size` bytes. */
	step(what: string, size = 0): void {
		if (!this.#isTerminal()) return;
		const time = this.#io.now();
		if (size < LARGE && time - this.#start < PATIENCE) return;
		const text = size > 0 ? `${what} (${formatBytes(size)})` : what;
		this.#io.stderr.write(`\r\u001b[K${text} …`);
		this.#isLineOpen = true;
	}

	/** The same for steps that may be short and many: call it after each. */
	pulse(what: () => string): void {
		const time = this.#io.now();
		if (time - this.#pulsed < PULSE_INTERVAL) return;
		this.#pulsed = time;
		this.step(what());
	}

	/** Removes the line, so that other output can follow. */
	clear(): void {
		if (this.#isLineOpen) this.#io.stderr.write('\r\u001b[K');
		this.#isLineOpen = false;
	}

	#isTerminal(): boolean {
		return wantsColour(this.#io, this.#io.stderr);
	}
}
