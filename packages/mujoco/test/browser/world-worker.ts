import { serveWorlds } from '@manyworlds/worlds';
import { SOLVERS } from './world-solvers.ts';

/** What a worker of a browser has. */
interface WorkerScope {
	postMessage(message: unknown): void;
	onmessage: ((event: { readonly data: unknown }) => void) | null;
}

const scope = globalThis as unknown as WorkerScope;
serveWorlds(
	{
		postMessage: (message) => scope.postMessage(message),
		onMessage: (listener) => {
			scope.onmessage = ({ data }) => listener(data);
		},
	},
	SOLVERS,
);
