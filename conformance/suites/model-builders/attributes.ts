import { type AttributeOwner, EqualityType, type Model } from '@manyworlds/model';
import type { Outcome } from '../../src/suite.ts';
import { expectedNumbers, numberDifference, POSE } from './compare.ts';
import { type ExpectedArray, type ExpectedAttribute, fields } from './golden.ts';
import { bothModels, hasCollapse, join, type ProgramCase, REFUSED } from './program-case.ts';
import { frequencyOf } from './run-program.ts';

const EQUALITY = 'mujoco:equality_constraint';

/** Frequencies whose values the reference leaves behind when bodies merge. */
const LEFT_BEHIND: ReadonlySet<string> = new Set(['body', 'joint', 'joint_dof', 'joint_coord']);

/** Custom attributes with their owner, frequency and values, and equality constraints. */
export function checkAttributes(it: ProgramCase): Outcome {
	const both = bothModels(it);
	if (both === undefined) return REFUSED;
	const { model, expected } = both;
	const problems: (string | undefined)[] = [];
	for (const [key, attribute] of Object.entries(expected.custom_attributes)) {
		fields(attribute, key, ['assignment', 'frequency', 'type', 'values']);
		if (attribute.frequency === EQUALITY) {
			problems.push(equalityDifference(model, key, attribute.values));
			continue;
		}
		const isWrong = hasCollapse(it.golden) && LEFT_BEHIND.has(attribute.frequency);
		problems.push(attributeDifference(model, key, attribute, isWrong ? it.ledger.attributes.get(key) : undefined));
	}
	for (const owner of ['model', 'state', 'control', 'contacts'] as const) {
		for (const { declaration, values } of model.attributesOf(owner).entries()) {
			const key = declaration.namespace ? `${declaration.namespace}:${declaration.name}` : declaration.name;
			if (values.length > 0 && expected.custom_attributes[key] === undefined)
				problems.push(`attribute '${key}' has values, expected none`);
		}
	}
	for (const [frequency, rows] of Object.entries(expected.custom_frequencies)) {
		const actual = frequency === EQUALITY ? model.equalityConstraintCount : model.frequencyCount(frequency);
		if (actual !== rows) problems.push(`frequency '${frequency}' has ${actual} rows, expected ${rows}`);
	}
	return join(problems);
}

function attributeDifference(
	model: Model,
	key: string,
	expected: ExpectedAttribute,
	right: readonly number[] | undefined,
): string | undefined {
	const owner = (expected.assignment === 'contact' ? 'contacts' : expected.assignment) as AttributeOwner;
	if (!model.attributesOf(owner).has(key)) return `attribute '${key}' is not held by the ${owner}`;
	const { declaration } = model.attributesOf(owner).entry(key);
	// what states and controls get is what counts
	const holder =
		owner === 'state'
			? model.createState()
			: owner === 'control'
				? model.createControl()
				: owner === 'contacts'
					? model.createContacts()
					: model;
	const values = holder.attributes.get(key);
	if (declaration.frequency !== frequencyOf(expected.frequency))
		return `attribute '${key}' has the frequency ${declaration.frequency}`;
	if (Array.isArray(expected.values)) {
		return JSON.stringify(values) === JSON.stringify(expected.values)
			? undefined
			: `attribute '${key}' is ${JSON.stringify(values)}, expected ${JSON.stringify(expected.values)}`;
	}
	const array = expected.values as ExpectedArray;
	const numbers = right ?? expectedNumbers(array);
	return numberDifference(
		`attribute '${key}'`,
		values as Float64Array,
		numbers,
		array.dtype?.startsWith('float') ? POSE : undefined,
	);
}

/** Columns of equality constraints are arrays of ours; what belongs to MuJoCo alone must hold its default. */
function equalityDifference(model: Model, key: string, expected: ExpectedAttribute['values']): string | undefined {
	const column = key.slice('mujoco:'.length);
	if (column === 'equality_constraint_label') {
		const labels = model.equalityConstraintLabels;
		return JSON.stringify(labels) === JSON.stringify(expected)
			? undefined
			: `${column} is ${JSON.stringify(labels)}, expected ${JSON.stringify(expected)}`;
	}
	const array = expected as ExpectedArray;
	const numbers = expectedNumbers(array);
	const rows = model.equalityConstraintCount;
	const fixed = DEFAULTS[column];
	if (fixed !== undefined)
		return numberDifference(column, Array.from({ length: rows }, () => fixed).flat(), numbers, POSE);
	if (column === 'equality_constraint_objtype') {
		const types = Array.from(model.equalityConstraintType, (type) => (type === EqualityType.JOINT ? 3 : 1));
		return numberDifference(column, types, numbers, undefined);
	}
	return numberDifference(column, model.array(column), numbers, array.dtype?.startsWith('float') ? POSE : undefined);
}

const DEFAULTS: Readonly<Record<string, readonly number[]>> = {
	eq_solimp: [0.9, 0.95, 0.001, 0.5, 2],
	eq_solref: [0.02, 1],
	equality_constraint_target: [-1],
	equality_constraint_target_kind: [0],
};
