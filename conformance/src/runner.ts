import type { Expectations } from './expectations.ts';
import type { Case, Group, Outcome, Suite, SuiteContext } from './suite.ts';

/** A case that did not end as it should. */
export interface Failure {
	readonly case: string;
	readonly reason: string;
}

/** What came out of the cases of a group. */
export interface GroupResult {
	readonly name: string;
	/** All cases: passed, failed as expected, skipped and failed. */
	readonly total: number;
	readonly passed: number;
	readonly expectedFailures: number;
	readonly skipped: number;
	/** Unlisted cases that failed, and listed ones that passed. */
	readonly failures: readonly Failure[];
}

/** What came out of a suite; with `--json` this is what stdout holds. */
export interface SuiteResult {
	readonly suite: string;
	readonly groups: readonly GroupResult[];
}

/** How to choose among the cases of a suite. */
export interface RunOptions {
	/** Only cases whose `group/case` contains this text. */
	readonly filter?: string | undefined;
}

/** Runs the cases of a suite one after the other, in the order its groups give them. */
export async function runSuite(
	suite: Suite,
	context: SuiteContext,
	expectations: Expectations,
	options: RunOptions = {},
): Promise<SuiteResult> {
	const groups: GroupResult[] = [];
	for (const group of suite.groups) groups.push(await runGroup(group, context, expectations, options));
	return { suite: suite.name, groups };
}

/** Whether any case of a result failed unexpectedly. */
export function hasFailures(result: SuiteResult): boolean {
	return result.groups.some((group) => group.failures.length > 0);
}

const PROGRESS_INTERVAL_MS = 2000;

async function runGroup(
	group: Group,
	context: SuiteContext,
	expectations: Expectations,
	options: RunOptions,
): Promise<GroupResult> {
	const failures: Failure[] = [];
	const names = new Set<string>();
	let passed = 0;
	let expectedFailures = 0;
	let skipped = 0;
	let excluded = 0;
	let reported = performance.now();
	for (const one of casesOf(group, context)) {
		if (options.filter !== undefined && !`${group.name}/${one.name}`.includes(options.filter)) continue;
		if (names.has(one.name)) {
			failures.push({ case: one.name, reason: 'two cases of the group have this name' });
			continue;
		}
		names.add(one.name);
		const reason = await failureOf(one.run.bind(one), group.timeLimit);
		const listed = expectations.reason(group.name, one.name);
		if (typeof reason === 'object') {
			if ('excluded' in reason) excluded++;
			else {
				skipped++;
				context.log(`${group.name}/${one.name}: skipped, ${reason.skipped}`);
			}
		} else if (reason === undefined && listed === undefined) passed++;
		else if (reason !== undefined && listed !== undefined) expectedFailures++;
		else if (reason !== undefined) failures.push({ case: one.name, reason });
		else failures.push({ case: one.name, reason: `passes, but is on the list of expected failures: ${listed}` });
		const now = performance.now();
		if (now - reported > PROGRESS_INTERVAL_MS) {
			reported = now;
			context.log(`${group.name}: ${names.size} cases, ${failures.length} failures`);
		}
	}
	if (excluded > 0) context.log(`${group.name}: ${excluded} inputs are no cases of it`);
	const total = passed + expectedFailures + skipped + failures.length;
	return { name: group.name, total, passed, expectedFailures, skipped, failures };
}

/** The cases of a group; a folder that cannot be listed to its end is one more case, which fails. */
function* casesOf(group: Group, context: SuiteContext): Generator<Case> {
	try {
		yield* group.cases(context);
	} catch (error) {
		yield {
			name: '(list of cases)',
			run: () => {
				throw error;
			},
		};
	}
}

async function failureOf(run: () => Outcome | Promise<Outcome>, timeLimit: number): Promise<Outcome> {
	const start = performance.now();
	let outcome: Outcome;
	try {
		outcome = await run();
	} catch (error) {
		return `threw ${error instanceof Error ? (error.stack ?? error.message).split('\n').slice(0, 3).join(' ') : String(error)}`;
	}
	const seconds = (performance.now() - start) / 1000;
	if (outcome === undefined && seconds > timeLimit) return `took ${seconds.toFixed(1)} s, the limit is ${timeLimit} s`;
	return outcome;
}
