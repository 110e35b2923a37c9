import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { LedgerItem } from '@manyworlds/convert';
import type { Outcome } from '../../src/suite.ts';
import { judgeOutcome } from './judge-outcome.ts';

const JUDGES = fileURLToPath(new URL('../../../../shared/oracle/convert', import.meta.url));

/** Python with the packages of the judges: MANYWORLDS_JUDGE_PYTHON, else the one of `~/judge-oracle`. */
const PYTHON = process.env['MANYWORLDS_JUDGE_PYTHON'] ?? join(homedir(), 'judge-oracle/bin/python');

/** Seconds that a judge may take. */
const TIME_LIMIT = 300;

/** Why no judge can be asked; undefined when one can. */
export function judgeMissing(): string | undefined {
	if (!existsSync(PYTHON)) return 'there is no Python with the judges; MANYWORLDS_JUDGE_PYTHON names one';
	return existsSync(JUDGES) ? undefined : 'the judges of ../shared/oracle/convert are not there';
}

/** What a judge of `../shared/oracle/convert` says of a converted robot. It knows what the ledger says was lost or renamed. */
export function askJudge(
	judge: string,
	source: string,
	output: string,
	ledger: readonly LedgerItem[],
	packages: string,
): Outcome {
	// readers of SDF give parts of nested models by their own names
	const renamed = (kind: string): string[] =>
		ledger.flatMap(({ kind: own, name, renamed: given }) =>
			own === kind && given !== undefined ? [`${name}=${given}`, `${name.split('::').at(-1)}=${given}`] : [],
		);
	const lost = ledger.filter(
		({ kind, outcome, losses }) =>
			kind !== 'filter' && (outcome === 'dropped' || losses.some(({ code }) => isLost(code))),
	);
	const list = (option: string, items: readonly string[]): string[] =>
		items.length === 0 ? [] : [`${option}=${items.join(',')}`];
	const { stdout, stderr, error } = spawnSync(
		PYTHON,
		[
			join(JUDGES, `judge_${judge}.py`),
			source,
			output,
			'--packages',
			packages,
			...list('--joints', renamed('joint')),
			...list('--bodies', renamed('body')),
			...list(
				'--lost',
				lost.map(({ name }) => name),
			),
		],
		{ encoding: 'utf8', timeout: 1000 * TIME_LIMIT, maxBuffer: 1 << 28 },
	);
	if (error !== undefined) return error.message;
	return judgeOutcome(stdout, stderr);
}

/** Losses after which a joint is not in the target as the judge looks for it. */
function isLost(code: string): boolean {
	return code === 'joint-locked' || code === 'joint-kind';
}
