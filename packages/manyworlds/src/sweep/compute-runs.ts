import { SEVERITIES } from '@manyworlds/core';
import type { Profile } from '@manyworlds/rep158';
import { chooseRules } from '@manyworlds/rep158';
import { readPlan, type SweepPlan } from '@manyworlds/sweep';
import { BatchRunner, type RunOutcome } from '@manyworlds/sweep/internal';
import { checkFile } from '../command/check/check-file.ts';
import type { CheckJob } from '../command/check/check-job.ts';
import { openAsset } from '../front/asset.ts';
import { WORLD_SOLVERS } from '../threads/world-solvers.ts';
import type { ThreadRun, ThreadSetup } from './thread-setup.ts';

/** Computes runs of a sweep in this thread; what opening takes is done once. */
export function computeRuns(setup: ThreadSetup): (runs: readonly ThreadRun[]) => Promise<RunOutcome[]> {
	const { plan } = readPlan(setup.planText, { file: setup.planFile });
	if (plan === undefined) throw new Error('the plan of the sweep cannot be read');
	if (plan.task === 'check') return (runs) => checkRuns(runs, checkJob(plan, setup));
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

/** What checking the files of a plan needs. */
export function checkJob({ check }: SweepPlan, { cwd, env }: ThreadSetup): CheckJob {
	const select = check.select === undefined ? undefined : chooseRules(check.select).rules;
	const ignored = chooseRules(check.ignore ?? []).rules;
	return {
		cwd,
		env,
		stage: {},
		check: {
			...(select !== undefined && { select }),
			...(check.profile !== undefined && { profile: check.profile as Profile }),
			severities: new Map([...ignored].map((rule) => [rule, 'off' as const])),
		},
		triesFixes: 'no',
	};
}

async function checkRuns(runs: readonly ThreadRun[], job: CheckJob): Promise<RunOutcome[]> {
	const outcomes: RunOutcome[] = [];
	for (const { key, file } of runs) {
		const { diagnostics, omitted, primCount } = await checkFile(file!, job);
		const counts: Record<string, number> = {};
		const codes: Record<string, number> = {};
		for (const severity of SEVERITIES) counts[severity] = omitted[severity] ?? 0;
		for (const { code, severity } of diagnostics) {
			counts[severity]!++;
			codes[code] = (codes[code] ?? 0) + 1;
		}
		outcomes.push({
			result: { version: 1, key, status: 'ok', steps: primCount, state: '', metrics: {}, counts, codes, findings: diagnostics },
		});
	}
	return outcomes;
}
