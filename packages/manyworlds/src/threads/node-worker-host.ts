import { moduleBeside, startThread } from '@manyworlds/node/internal';
import type { WorkerHost, WorkerPort } from '@manyworlds/worlds';

/** Starts worker threads of Node that step worlds. */
export class NodeWorkerHost implements WorkerHost {
	readonly #module: URL;

	/** The module must call `serveWorlds`; left out, it is one that knows the solvers of this package. */
	constructor(module: URL = moduleBeside(import.meta.url, 'world-worker')) {
		this.#module = module;
	}

	start(): WorkerPort {
		const worker = startThread(this.#module);
		let isAsked = false;
		return {
			postMessage: (message) => worker.postMessage(message),
			onMessage: (listener) => worker.on('message', listener),
			onEnd: (listener) => {
				let reason: string | undefined;
				worker.on('error', (error) => {
					reason = error.message;
				});
				// comes after an error too
				worker.on('exit', (code) => {
					if (!isAsked) listener(reason ?? `exit code ${code}`);
				});
			},
			terminate: async () => {
				isAsked = true;
				await worker.terminate();
			},
		};
	}
}
