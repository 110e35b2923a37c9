import { parentPort } from 'node:worker_threads';
import { Report } from '@manyworlds/core';
import { serveWorlds, WorldFault, type WorldSolver } from '@manyworlds/sim';

/** A solver whose third step does something it should not; the first world of a worker is given so that one of two fails. */
function faulty(first: number, fail: () => void): WorldSolver {
	let step = 0;
	return {
		report: new Report(),
		outcome: { contactCount: new Int32Array(64) },
		step: () => {
			if (++step === 3 && first > 0) fail();
		},
		faultOf: () => WorldFault.NONE,
		reset() {},
		notifyModelChanged() {},
		dispose() {},
	};
}

const FAULTS: Readonly<Record<string, () => void>> = {
	exit: () => process.exit(7),
	throw: () => {
		throw new Error('the solver lost its way');
	},
};

const port = parentPort!;
serveWorlds(
	{ postMessage: (message) => port.postMessage(message), onMessage: (listener) => port.on('message', listener) },
	Object.fromEntries(
		Object.entries(FAULTS).map(([name, fail]) => [
			name,
			async () => ({ create: ({ worlds }: { worlds: { start: number } }) => faulty(worlds.start, fail) }),
		]),
	),
);
