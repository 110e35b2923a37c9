import { createRequire } from 'node:module';
import { engineBuild } from '@manyworlds/sim/internal';
import type { KeyedRun, RunOutcome } from '@manyworlds/sweep/internal';
import { VERSION } from '../../version.ts';

/** What a thread needs to compute runs of a sweep: plain data. */
export interface ThreadSetup {
	readonly planText: string;
	/** Name of the plan in messages. */
	readonly planFile: string;
	/** The robot or scene; empty for `task: check`. */
	readonly asset: string;
	readonly control?: string;
	/** Folders that may be read besides that of the asset. */
	readonly roots: readonly string[];
	/** Folder that files of `task: check` are relative to, and named by. */
	readonly cwd: string;
	readonly env: Readonly<Record<string, string | undefined>>;
}

/** A run as a thread gets it; of `task: check` with its file. */
export interface ThreadRun extends KeyedRun {
	readonly file?: string;
}

/** What a thread is asked. */
export interface ThreadRequest {
	readonly id: number;
	readonly runs: readonly ThreadRun[];
}

/** What it answers. */
export interface ThreadAnswer {
	readonly id: number;
	readonly outcomes?: readonly RunOutcome[];
	/** What went wrong in the program itself. */
	readonly failure?: string;
	/** Bytes that its heap has. */
	readonly heap: number;
}

/** The program and what computes in it: results of two different ones are never mixed. */
export function toolName(): string {
	const { dependencies } = createRequire(import.meta.url)('@manyworlds/mujoco/package.json') as {
		dependencies: Record<string, string>;
	};
	return `manyworlds ${VERSION}, sap ${engineBuild()}, mujoco ${dependencies['@mujoco/mujoco']}`;
}
