import { type ChildProcess, fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { Reply, Request } from './messages.ts';

/** A process that answers one request at a time. */
export class BenchProcess {
	readonly #child: ChildProcess;
	#settle: ((reply: Reply) => void) | undefined;

	constructor() {
		this.#child = fork(fileURLToPath(new URL('child.ts', import.meta.url)), {
			execArgv: [...process.execArgv, '--expose-gc', '--max-old-space-size=6144'],
			// peers write to the console when they meet what they do not know
			stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
		});
		this.#child.on('message', (reply: Reply) => this.#finish(reply));
		this.#child.on('exit', (code, signal) =>
			this.#finish({ kind: 'failed', message: `its process ended with ${signal ?? `exit code ${code}`}` }),
		);
	}

	/** Sends a request. A time limit in seconds ends the process when the answer takes longer. */
	ask(request: Request, limit: number): Promise<Reply> {
		return new Promise((resolve) => {
			if (this.#child.exitCode !== null || this.#child.signalCode !== null) {
				resolve({ kind: 'failed', message: 'its process has ended' });
				return;
			}
			const timer = setTimeout(() => {
				this.#finish({ kind: 'failed', message: `took longer than ${limit} s` });
				this.close();
			}, limit * 1000);
			this.#settle = (reply) => {
				clearTimeout(timer);
				resolve(reply);
			};
			this.#child.send(request);
		});
	}

	close(): void {
		this.#child.kill('SIGKILL');
	}

	#finish(reply: Reply): void {
		const settle = this.#settle;
		this.#settle = undefined;
		settle?.(reply);
	}
}
