import type { Locator } from './locator.ts';
import { MessageBuilder } from './message-builder.ts';

/** Sends datagrams, and calls back when the work at hand is done. */
export interface OutboxHost {
	send(bytes: Uint8Array, to: Locator): void;
	/** Calls back after what runs now, before anything that waits for time or the network. */
	soon(work: () => void): void;
}

/** Size that datagrams with several submessages stay below [bytes]: see `FRAGMENT_SIZE`. */
const MOST_GATHERED = 7600;
/** What a submessage may need beside its payload: destination, time, header, entities, and a heartbeat behind it [bytes]. */
const OVERHEAD = 128;

/**
 * Gathers what is said to one place. A robot that publishes fifty topics in a step sends a handful of datagrams, not fifty: a call of
 * the system for each would cost more than all the rest.
 */
export class Outbox {
	readonly locator: Locator;
	readonly #host: OutboxHost;
	readonly #builder: MessageBuilder;
	#isOpen = false;
	#isScheduled = false;

	constructor(own: string, locator: Locator, host: OutboxHost) {
		this.locator = locator;
		this.#host = host;
		this.#builder = new MessageBuilder(own);
	}

	/** The message that what is said to a participant goes into; `size` is that of its payload [bytes]. */
	to(destination: string, size = 0): MessageBuilder {
		if (this.#isOpen && this.#builder.length + size + OVERHEAD > MOST_GATHERED) this.flush();
		if (!this.#isOpen) {
			this.#isOpen = true;
			this.#builder.begin();
			if (!this.#isScheduled) {
				this.#isScheduled = true;
				this.#host.soon(() => {
					this.#isScheduled = false;
					this.flush();
				});
			}
		}
		return this.#builder.destination(destination);
	}

	/** Sends what was gathered. */
	flush(): void {
		if (!this.#isOpen) return;
		this.#isOpen = false;
		this.#host.send(this.#builder.end(), this.locator);
	}
}
