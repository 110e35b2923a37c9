import { expectedNumbers, numberDifference, POSE, sortedPairs, toleranceOf } from '../../src/newton/compare-numbers.ts';
import type { Outcome } from '../../src/suite.ts';
import { join, type ProgramCase } from './program-case.ts';

const INTEGERS: ReadonlySet<string> = new Set(['body_world', 'joint_world', 'shape_contact_pairs', 'shape_world']);

/**
 * The plain interpreter, with the faults of the reference, against every number of the reference that it computes.
 * So the numbers that our model is not compared with, because the reference gets them wrong, are checked here.
 */
export function checkInterpreter({ golden, reference }: ProgramCase): Outcome {
	if (golden.model === undefined) return undefined;
	const { arrays, counts, custom_attributes, filter_pairs } = golden.model;
	const problems: (string | undefined)[] = [];
	for (const [name, numbers] of Object.entries(reference.arrays)) {
		const array = arrays[name];
		const theirs = array === undefined ? [] : expectedNumbers(array);
		const isPairs = name === 'shape_contact_pairs';
		const tolerance = INTEGERS.has(name) ? undefined : toleranceOf(name);
		problems.push(numberDifference(name, numbers, isPairs ? sortedPairs(theirs) : theirs, tolerance));
	}
	problems.push(numberDifference('filter_pairs', reference.filterPairs.flat(), filter_pairs.flat(), undefined));
	const pairs = reference.arrays.shape_contact_pairs!.length / 2;
	if (counts.shape_contact_pair_count !== pairs)
		problems.push(`shape_contact_pair_count is ${pairs}, expected ${counts.shape_contact_pair_count}`);
	for (const [key, numbers] of reference.attributes) {
		const values = custom_attributes[key]?.values;
		const theirs = values === undefined ? [] : 'data' in values ? expectedNumbers(values) : undefined;
		if (theirs !== undefined) problems.push(numberDifference(`attribute '${key}'`, numbers, theirs, POSE));
	}
	return join(problems);
}
