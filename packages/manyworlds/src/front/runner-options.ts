import type { EngineImport } from '@manyworlds/mujoco';
import { loadMujoco } from '@manyworlds/mujoco/internal';
import type { SolverSapOptions } from '@manyworlds/sim';
import type { WorkerHost, WorldRunnerOptions } from '@manyworlds/worlds';
import { processorCount, threadHost } from '#platform';
import { WORLD_SOLVERS } from '../threads/world-solvers.ts';
import type { OpenedModel } from './model-of.ts';

/** Which solver steps worlds, and in how many threads. @public */
export interface RunnerSettings {
	readonly solver?: 'sap' | 'mujoco';
	/** Settings of the SAP solver over those of the asset. */
	readonly sap?: SolverSapOptions;
	/** Room for contacts of each world. */
	readonly contactsPerWorld?: number;
	/** Threads to step with; the result does not depend on it. One for few worlds, else up to 8, unless given. */
	readonly threads?: number;
	/** What starts threads; needed for more than one thread in a page. */
	readonly host?: WorkerHost;
	/** Imports MuJoCo for its solver, `() => import('@mujoco/mujoco')`; needed in a page. */
	readonly mujoco?: EngineImport;
}

/** Values of {@link RunnerSettings} that are used when absent. */
export const RUNNER_DEFAULTS = { solver: 'sap', contactsPerWorld: 512 } as const;

/** Worlds from which threads pay, when nobody says how many, and most that are started then. */
const MANY_WORLDS = 64;
const MOST_THREADS = 8;

/** Settings of a `WorldRunner` for a model; loads MuJoCo where its solver is asked for. */
export async function runnerOptions(opened: OpenedModel, settings: RunnerSettings): Promise<WorldRunnerOptions> {
	const solver = settings.solver ?? RUNNER_DEFAULTS.solver;
	if (solver === 'mujoco') await loadMujoco(settings.mujoco);
	const host = settings.host ?? threadHost();
	const workers = host === undefined ? 0 : workerCount(opened.model.worldCount, settings.threads);
	const contactsPerWorld = contactRoom(opened, settings);
	return {
		solver,
		solvers: WORLD_SOLVERS,
		solverOptions: solver === 'sap' ? { ...opened.sap, ...settings.sap, contactsPerWorld } : {},
		workers,
		...(workers > 0 && host !== undefined && { host }),
	};
}

/** Room for contacts of each world. */
export function contactRoom(opened: OpenedModel, { contactsPerWorld }: RunnerSettings): number {
	return contactsPerWorld ?? opened.contactsPerWorld ?? RUNNER_DEFAULTS.contactsPerWorld;
}

/** Threads beside the calling one. */
function workerCount(worlds: number, threads: number | undefined): number {
	const usual = worlds < MANY_WORLDS ? 1 : Math.min(processorCount(), MOST_THREADS);
	const count = Math.min(threads ?? usual, worlds);
	return count > 1 ? count : 0;
}
