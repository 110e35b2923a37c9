import type { Model } from '@manyworlds/model';
import type { Excluded } from '../../src/suite.ts';
import type { ExpectedModel, Golden } from './golden.ts';
import type { Ledger } from './ledger.ts';
import type { ProgramRun } from './run-program.ts';

/** What a case has at hand. */
export interface ProgramCase {
	readonly golden: Golden;
	readonly run: ProgramRun;
	/** What is right. */
	readonly ledger: Ledger;
	/** What the reference makes of it, with its known faults. */
	readonly reference: Ledger;
}

/** Why a program that both sides refuse has no model to compare. */
export const REFUSED: Excluded = { excluded: 'the model is refused, as it must be' };

/** Whether bodies merge, so that values of custom attributes must move. */
export function hasCollapse(golden: Golden): boolean {
	return golden.program.builders.some((builder) => builder.ops.some(({ op }) => op === 'collapseFixedJoints'));
}

/** Both models, or nothing to compare when both sides refused. `checkOutcomes` tells when only one did. */
export function bothModels({ golden, run }: ProgramCase): { model: Model; expected: ExpectedModel } | undefined {
	// with an error Newton's model was made without its checks; ours is never made then
	if (golden.finalizeError !== null || golden.model === undefined) {
		if (run.model !== undefined) throw new Error('finalize gave a model, expected an error');
		return undefined;
	}
	if (run.model === undefined) throw new Error(`finalize failed: ${run.finalizeError?.message}`);
	return { model: run.model, expected: golden.model };
}

/** The problems in one line, `undefined` for none. */
export function join(problems: readonly (string | undefined)[]): string | undefined {
	const found = problems.filter((problem) => problem !== undefined);
	if (found.length === 0) return undefined;
	return found.length > 4 ? `${found.slice(0, 4).join('; ')}; ${found.length - 4} more` : found.join('; ');
}
