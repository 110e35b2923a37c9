import { hashState, type Model, ModelBuilder } from '@manyworlds/model';
import { type WorkerHost, WorldRunner } from '@manyworlds/worlds';
import { SOLVERS } from './world-solvers.ts';

/** What a run came to. */
export interface Outcome {
	readonly workers: number;
	readonly hash: string;
	/** Joint coordinates of all worlds. */
	readonly jointQ: readonly number[];
	readonly failedWorlds: readonly number[];
}

/** Drops a box beside a driven arm in each of five worlds and pushes one world out of all bounds. */
export async function runWorlds(solver: string, workers: number, host?: WorkerHost): Promise<Outcome> {
	const model = makeModel(5);
	const runner = await WorldRunner.create(model, { solver, workers, solvers: SOLVERS, ...(host && { host }) });
	await runner.step(0.002, { steps: 20 });
	runner.control.jointF[model.worlds.range('jointDof', 3).start] = Number.NaN;
	await runner.step(0.002, { steps: 15 });
	const outcome = {
		workers: runner.workerCount,
		hash: hashState(runner.state),
		jointQ: [...runner.state.jointQ],
		failedWorlds: runner.failures.map(({ world }) => world),
	};
	await runner.dispose();
	return outcome;
}

/** Runs in a page: with this thread, and with workers of the browser. */
export async function runInPage(solver: string): Promise<Outcome[]> {
	return [await runWorlds(solver, 0), await runWorlds(solver, 2, webWorkers())];
}

function makeModel(worlds: number): Model {
	const one = new ModelBuilder();
	const box = one.addBody({ mass: 1, inertia: [0.01, 0, 0, 0, 0.01, 0, 0, 0, 0.01], xform: { p: [0, 0, 0.12] } });
	one.addShapeBox(box, { halfExtents: [0.1, 0.1, 0.1] });
	const arm = one.addLink({ mass: 0.5, com: [0.1, 0, 0], inertia: [1e-3, 0, 0, 0, 2e-3, 0, 0, 0, 2e-3] });
	one.addArticulation([one.addJointRevolute({ child: arm, axis: 'y', targetKe: 5, targetKd: 0.2, armature: 0.01 })]);
	const all = new ModelBuilder();
	all.replicate(one, { count: worlds });
	all.addGroundPlane();
	const model = all.finalize();
	for (let world = 0; world < worlds; world++) {
		model.jointQd[model.worlds.range('jointDof', world).start] = 0.1 * world;
	}
	return model;
}

/** A worker of a browser, as far as it is used here. */
interface WebWorker {
	postMessage(message: unknown): void;
	terminate(): void;
	addEventListener(type: string, listener: (event: { data?: unknown; message?: string }) => void): void;
}

/** Starts workers of a browser. */
function webWorkers(): WorkerHost {
	const { Worker } = globalThis as unknown as { Worker: new (url: URL, options: { type: 'module' }) => WebWorker };
	return {
		start() {
			const worker = new Worker(new URL('./world-worker.ts', import.meta.url), { type: 'module' });
			return {
				postMessage: (message) => worker.postMessage(message),
				onMessage: (listener) => worker.addEventListener('message', ({ data }) => listener(data)),
				onEnd: (listener) => worker.addEventListener('error', ({ message }) => listener(message ?? 'no reason given')),
				terminate: async () => worker.terminate(),
			};
		},
	};
}
