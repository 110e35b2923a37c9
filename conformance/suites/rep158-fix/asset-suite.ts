import type { Case, Outcome, Suite, SuiteContext } from '../../src/suite.ts';
import { type AssetTrial, fixTrial, listTrials } from './asset-trials.ts';
import { countFindings } from './fixed-asset.ts';

/** Every USD file of the assets, whoever wrote it, checked and fixed: nothing fails, and no rule is broken more often afterwards. */
export const rep158Assets: Suite = {
	name: 'rep158/assets',
	description: 'every USD file of the assets, checked and fixed',
	defaultDir: 'assets',
	groups: [
		{
			name: 'files',
			description: 'all fixes leave fewer findings, none of a rule that was kept better before',
			tolerance: 'findings are counted by rule',
			timeLimit: 120,
			*cases({ dir }: SuiteContext): Iterable<Case> {
				for (const trial of listTrials(dir)) yield { name: trial.name, run: () => runTrial(trial) };
			},
		},
	],
};

/** Rules about the default prim of a component, with those that say that there is none yet. */
const HIDDEN_BY: Readonly<Record<string, readonly string[]>> = {
	'R1.1.14': ['R1.2.5.1', 'R1.2.2.1'],
	'R1.2.5.4': ['R1.2.5.1'],
};

function runTrial(trial: AssetTrial): Outcome {
	const before = countFindings(trial.files, trial.entry);
	const { files, report, changed } = fixTrial(trial, true);
	const fault = report.toArray().find(({ code }) => code === 'FIX004' || code === 'FIX005' || code === 'FIX006');
	if (fault !== undefined) return fault.message;
	if (changed.length === 0) return undefined;
	const after = countFindings(files, trial.entry);
	const isShown = (rule: string): boolean =>
		(HIDDEN_BY[rule] ?? []).some((other) => before.has(other) && !after.has(other));
	const worse = [...after]
		.filter(([rule, count]) => count > (before.get(rule) ?? 0) && !isShown(rule))
		.map(([rule, count]) => `${rule} ${before.get(rule) ?? 0} to ${count}`);
	return worse.length === 0 ? undefined : `worse: ${worse.join(', ')}`;
}
