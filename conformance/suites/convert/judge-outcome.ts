import type { Outcome } from '../../src/suite.ts';

/** What the judge has said on its two streams: nothing when it accepts, else the checks that failed. */
export function judgeOutcome(stdout: string, stderr: string): Outcome {
	let verdict: { verdict: string; checks: readonly JudgeCheck[] };
	try {
		verdict = JSON.parse(stdout) as typeof verdict;
	} catch {
		return { skipped: `the judge cannot read it: ${stderr.trim().split('\n').at(-1)?.slice(0, 200) ?? ''}` };
	}
	if (verdict.verdict === 'accept') return undefined;
	return verdict.checks
		.filter(({ ok, level = 'error' }) => !ok && level === 'error')
		.map(({ check, value, where }) => `${check}: ${value ?? ''} ${JSON.stringify(where) ?? ''}`.slice(0, 240))
		.join('; ');
}

interface JudgeCheck {
	readonly check: string;
	readonly ok: boolean;
	readonly value?: unknown;
	readonly where?: unknown;
	readonly level?: string;
}
