import { join, resolve } from 'node:path';
import { RULES } from '@manyworlds/rep158';
import { FIXERS } from '@manyworlds/rep158/internal';
import type { Case, Group, Outcome, Suite, SuiteContext } from '../../src/suite.ts';
import { robots } from './assets.ts';
import { folders, readAsset } from './case-folders.ts';
import { FIX_OPTIONS } from './fix-options.ts';
import { type AssetFiles, countFindings, fixFiles } from './fixed-asset.ts';
import { golden } from './golden.ts';
import { imported } from './imported.ts';
import { stacks } from './stacks.ts';

const ENTRY = 'asset.usda';

/** Our own cases of fixes, random transforms, and robots of others. */
export const rep158Fix: Suite = {
	name: 'rep158/fix',
	description: 'what fixes make of assets',
	defaultDir: resolve(import.meta.dirname, '../../data/rep158-fix'),
	groups: [golden, imported, stacks, robots],
};

/** The assets of the rules of REP 0158, fixed: a broken one keeps the rule afterwards, and no other rule is broken more often. */
export const rep158FixRules: Suite = {
	name: 'rep158/fix-rules',
	description: 'assets that break one rule of REP 0158, put right',
	defaultDir: resolve(import.meta.dirname, '../../data/rep158'),
	groups: [
		makeGroup('bad', 'after a fix its rule is silent, no other is worse, a second fix does nothing', runBad),
		makeGroup('good', 'safe fixes leave assets alone that keep the rules', runGood),
	],
};

function makeGroup(
	name: 'good' | 'bad',
	description: string,
	run: (files: AssetFiles, rule: string) => Outcome,
): Group {
	return {
		name,
		description,
		tolerance: 'findings are counted by rule; physics agrees to 1e-5 of its size, or the family is taken back',
		timeLimit: 60,
		*cases(context: SuiteContext): Iterable<Case> {
			for (const rule of folders(context.dir)) {
				for (const folder of folders(join(context.dir, rule))) {
					if (!folder.startsWith(name)) continue;
					if (name === 'bad' && !isFixable(rule)) continue;
					const dir = join(context.dir, rule, folder);
					yield { name: `${rule}/${folder}`, run: () => run(readAsset(dir), rule) };
				}
			}
		},
	};
}

/** Whether some family says that it silences a rule. */
function isFixable(rule: string): boolean {
	return RULES.some(({ id }) => id === rule) && FIXERS.some(({ rules }) => rules.some((id) => id === rule));
}

function runBad(files: AssetFiles, rule: string): Outcome {
	const before = countFindings(files, ENTRY);
	const { files: after, plan, report } = fixFiles(files, ENTRY, FIX_OPTIONS);
	const fault = report.toArray().find(({ code }) => code === 'FIX004' || code === 'FIX005');
	if (fault !== undefined) return fault.message;
	const found = countFindings(after, ENTRY);
	const worse = [...found]
		.filter(([code, count]) => count > (before.get(code) ?? 0))
		.map(([code, count]) => {
			return `${code} ${before.get(code) ?? 0} to ${count}`;
		});
	if (worse.length > 0) return `worse: ${worse.join(', ')}`;
	const again = fixFiles(after, ENTRY, FIX_OPTIONS);
	const [item] = again.plan.items;
	if (item !== undefined) return `a second fix edits ${item.path} in ${item.layer} (${item.family})`;
	if ((found.get(rule) ?? 0) === 0) return undefined;
	const families = FIXERS.filter(({ rules }) => rules.some((id) => id === rule)).map(({ family }) => family);
	const note = plan.notes.find((one) => families.includes(one.family) && one.kind !== 'noted');
	if (note !== undefined) return { skipped: `${note.kind}: ${note.message}` };
	return `${rule} is found ${found.get(rule)} times, it was ${before.get(rule) ?? 0}`;
}

function runGood(files: AssetFiles): Outcome {
	const { plan } = fixFiles(files, ENTRY, {});
	const [item] = plan.items;
	return item === undefined ? undefined : `${item.family} edits ${item.path} in ${item.layer} for ${item.rule}`;
}
