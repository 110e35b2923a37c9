import { attributeDifferences } from '../../src/newton/attribute-differences.ts';
import type { Outcome } from '../../src/suite.ts';
import { bothModels, hasCollapse, join, type ProgramCase, REFUSED } from './program-case.ts';

/** Frequencies whose values the reference leaves behind when bodies merge. */
const LEFT_BEHIND: ReadonlySet<string> = new Set(['body', 'joint', 'joint_dof', 'joint_coord']);

/** Custom attributes with their owner, frequency and values, and equality constraints. */
export function checkAttributes(it: ProgramCase): Outcome {
	const both = bothModels(it);
	if (both === undefined) return REFUSED;
	const isLeftBehind = hasCollapse(it.golden);
	return join(
		attributeDifferences(both.model, both.expected, {
			right: (key, frequency) =>
				isLeftBehind && LEFT_BEHIND.has(frequency) ? it.ledger.attributes.get(key) : undefined,
			array: (name) => both.worlds.get(name),
		}),
	);
}
