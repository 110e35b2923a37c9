import type { CheckOptions } from '@manyworlds/rep158';
import type { CliIo } from '../io.ts';
import type { StageCommandOptions } from '../open-stage.ts';

/** What checking files needs, as plain data that a thread can be given. */
export interface CheckJob {
	readonly cwd: string;
	readonly env: Readonly<Record<string, string | undefined>>;
	readonly stage: StageCommandOptions;
	readonly check: Omit<CheckOptions, 'onStep'>;
	/** Whether fixes are tried, so that findings say what removes them: always, on small assets, or not at all. */
	readonly triesFixes: 'yes' | 'small' | 'no';
	/** Whether fixes that are tried come with their edits. */
	readonly hasEdits?: boolean;
}

/** Where commands inside of a check write: nowhere. */
export function silentIo({ cwd, env }: CheckJob): CliIo {
	const nowhere = { write: () => true };
	return { stdout: nowhere, stderr: nowhere, env, cwd, now: () => 0 };
}
