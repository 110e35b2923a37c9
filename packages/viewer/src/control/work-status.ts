/** What is going on and what went wrong last, in a few words. */
export class WorkStatus {
	busy: string | undefined;
	problem: string | undefined;
	readonly #tell: () => void;

	/** `tell` is called when something changed. */
	constructor(tell: () => void) {
		this.#tell = tell;
	}

	begin(what: string): void {
		this.busy = what;
		this.#tell();
	}

	/** All went well. */
	end(): void {
		this.busy = undefined;
		this.problem = undefined;
		this.#tell();
	}

	fail(error: unknown): void {
		this.busy = undefined;
		// the sentence of an error, without the name of its class
		this.problem = error instanceof Error ? error.message : String(error);
		this.#tell();
	}

	dismiss(): void {
		this.problem = undefined;
		this.#tell();
	}

	/** Does some work and tells how it went. */
	async try(what: string, work: () => Promise<void>): Promise<void> {
		this.begin(what);
		try {
			await work();
			this.end();
		} catch (error) {
			this.fail(error);
		}
	}
}
