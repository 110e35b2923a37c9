import { parentPort } from 'node:worker_threads';
import { serveWorlds } from '@manyworlds/worlds';
import { WORLD_SOLVERS } from './world-solvers.ts';

const port = parentPort;
if (port !== null) {
	serveWorlds(
		{ postMessage: (message) => port.postMessage(message), onMessage: (listener) => port.on('message', listener) },
		WORLD_SOLVERS,
	);
}
