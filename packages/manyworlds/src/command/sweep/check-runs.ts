import { SEVERITIES } from '@manyworlds/core/internal';
import { chooseRules, type Profile } from '@manyworlds/rep158';
import type { SweepPlan } from '@manyworlds/sweep';
import type { RunOutcome } from '@manyworlds/sweep/internal';
import { checkFile } from '../check/check-file.ts';
import type { CheckJob } from '../check/check-job.ts';
import type { ThreadRun, ThreadSetup } from './thread-setup.ts';

/** Checks the files of runs. */
export async function checkRuns(
	runs: readonly ThreadRun[],
	plan: SweepPlan,
	setup: ThreadSetup,
): Promise<RunOutcome[]> {
	const job = checkJob(plan, setup);
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
			result: {
				version: 1,
				key,
				status: 'ok',
				steps: primCount,
				state: '',
				metrics: {},
				counts,
				codes,
				findings: diagnostics,
			},
		});
	}
	return outcomes;
}

/** What checking the files of a plan needs. */
function checkJob({ check }: SweepPlan, { cwd, env }: ThreadSetup): CheckJob {
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
