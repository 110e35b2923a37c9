import { parentPort } from 'node:worker_threads';
import { Report } from '@manyworlds/core';
import type { Model } from '@manyworlds/model';
import { serveWorlds, type WorldSolver, type WorldSolverSetup } from '@manyworlds/worlds';

/** A solver whose third step does something it should not; the first world of a worker is given so that one of two fails. */
function faulty(model: Model, first: number, fail: () => void): WorldSolver {
	let step = 0;
	const solver = {
		model,
		report: new Report(),
		outcome: { fault: new Uint8Array(64), contactCount: new Int32Array(64) },
		step: () => {
			if (++step === 3 && first > 0) fail();
		},
		reset() {},
		notifyModelChanged() {},
		dispose() {},
	};
	return { solver };
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
			async () => ({ create: ({ model, range }: WorldSolverSetup) => faulty(model, range.start, fail) }),
		]),
	),
);
