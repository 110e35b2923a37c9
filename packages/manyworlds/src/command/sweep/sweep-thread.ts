import { parentPort, workerData } from 'node:worker_threads';
import { computeRuns } from './compute-runs.ts';
import type { ThreadRequest, ThreadSetup } from './thread-setup.ts';

const port = parentPort;
if (port !== null) {
	const compute = computeRuns(workerData as ThreadSetup);
	port.on('message', (request: ThreadRequest) => {
		void compute(request.runs).then(
			(outcomes) => port.postMessage({ id: request.id, outcomes, heap: process.memoryUsage().heapUsed }),
			(error: unknown) => {
				const failure = error instanceof Error ? (error.stack ?? error.message) : String(error);
				port.postMessage({ id: request.id, failure, heap: process.memoryUsage().heapUsed });
			},
		);
	});
	port.postMessage('ready');
}
