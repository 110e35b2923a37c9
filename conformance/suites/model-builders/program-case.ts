import type { Model } from '@manyworlds/model';
import type { ExpectedModel } from '../../src/newton/expected-model.ts';
import type { Excluded } from '../../src/suite.ts';
import type { Golden } from './golden.ts';
import type { Ledger } from './ledger.ts';
import type { ProgramRun } from './run-program.ts';
import { worldCountOf, worldlessModel, worldNumbers } from './worldless.ts';

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

/** Our model and that of the reference. */
export interface BothModels {
	readonly model: Model;
	readonly expected: ExpectedModel;
	readonly worldCount: number;
	/** What our model cannot tell because it had to be made without worlds, by Newton's name; else empty. */
	readonly worlds: ReadonlyMap<string, readonly number[]>;
}

/** Both models, or nothing to compare when both sides refused. `checkOutcomes` tells when only one did. */
export function bothModels({ golden, run, reference }: ProgramCase): BothModels | undefined {
	// with an error Newton's model was made without its checks; ours is never made then
	if (golden.finalizeError !== null || golden.model === undefined) {
		if (run.model !== undefined) throw new Error('finalize gave a model, expected an error');
		if (golden.model === undefined) return undefined;
		const model = worldlessModel(golden);
		if (model === undefined) return undefined;
		const worlds = worldNumbers(golden.model, reference);
		return { model, expected: golden.model, worldCount: worldCountOf(reference), worlds };
	}
	if (run.model === undefined) throw new Error(`finalize failed: ${run.finalizeError?.message}`);
	return { model: run.model, expected: golden.model, worldCount: run.model.worldCount, worlds: new Map() };
}

/** The problems in one line, `undefined` for none. */
export function join(problems: readonly (string | undefined)[]): string | undefined {
	const found = problems.filter((problem) => problem !== undefined);
	if (found.length === 0) return undefined;
	return found.length > 4 ? `${found.slice(0, 4).join('; ')}; ${found.length - 4} more` : found.join('; ');
}
