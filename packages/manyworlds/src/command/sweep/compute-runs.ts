import { readPlan, type SweepPlan } from '@manyworlds/sweep';
import { BatchRunner, type RunOutcome } from '@manyworlds/sweep/internal';
import { openAsset } from '../../front/asset.ts';
import { WORLD_SOLVERS } from '../../threads/world-solvers.ts';
import type { ThreadRun, ThreadSetup } from './thread-setup.ts';

/** Computes runs of a sweep in this thread; what opening takes is done once. */
export function computeRuns(setup: ThreadSetup): (runs: readonly ThreadRun[]) => Promise<RunOutcome[]> {
	const { plan } = readPlan(setup.planText, { file: setup.planFile });
	if (plan === undefined) throw new Error('the plan of the sweep cannot be read');
	if (plan.task === 'check') {
		return async (runs) => {
			const { checkRuns } = await import('./check-runs.ts');
			return await checkRuns(runs, plan, setup);
		};
	}
	let runner: Promise<BatchRunner> | undefined;
	return async (runs) => {
		runner ??= openRunner(plan, setup);
		return await (await runner).run(runs);
	};
}

async function openRunner(plan: SweepPlan, { asset, control, roots }: ThreadSetup): Promise<BatchRunner> {
	const opened = await openAsset(asset, { roots });
	return new BatchRunner(plan, { ...opened, ...(control !== undefined && { control }) }, { solvers: WORLD_SOLVERS });
}
