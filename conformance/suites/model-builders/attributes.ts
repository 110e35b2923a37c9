import { type AttributeOwner, EqualityType, type Model } from '@manyworlds/model';
import { layoutProblem } from '../../src/newton/array-format.ts';
import { expectedNumbers, numberDifference, POSE } from '../../src/newton/compare-numbers.ts';
import {
	type ExpectedArray,
	type ExpectedAttribute,
	type ExpectedModel,
	fields,
} from '../../src/newton/expected-model.ts';
import type { Outcome } from '../../src/suite.ts';
import { type BothModels, bothModels, hasCollapse, join, type ProgramCase, REFUSED } from './program-case.ts';
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
		problems.push(attributeLayoutProblem(key, attribute, expected));
		if (attribute.frequency === EQUALITY) {
			problems.push(equalityDifference(both, key, attribute.values));
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
	if (model.equalityConstraintCount > 0) {
		const missing = Object.keys(EQUALITY_TYPES).find(
			(name) => expected.custom_attributes[`mujoco:${name}`] === undefined,
		);
		if (missing !== undefined) problems.push(`no attribute 'mujoco:${missing}' is expected`);
	}
	if (expected.custom_frequencies[EQUALITY] === undefined) problems.push(`no frequency '${EQUALITY}' is expected`);
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
	const type = TYPE_NAMES[declaration.type] ?? declaration.type;
	if (type !== expected.type) return `attribute '${key}' has the type ${type}, expected ${expected.type}`;
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
function equalityDifference(
	{ model, worlds }: BothModels,
	key: string,
	expected: ExpectedAttribute['values'],
): string | undefined {
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
	return numberDifference(
		column,
		worlds.get(column) ?? model.array(column),
		numbers,
		array.dtype?.startsWith('float') ? POSE : undefined,
	);
}

const DEFAULTS: Readonly<Record<string, readonly number[]>> = {
	eq_solimp: [0.9, 0.95, 0.001, 0.5, 2],
	eq_solref: [0.02, 1],
	equality_constraint_target: [-1],
	equality_constraint_target_kind: [0],
};

/** Types of the columns of equality constraints in a dump. */
const EQUALITY_TYPES: Readonly<Record<string, string>> = {
	eq_solimp: 'vec_t',
	eq_solref: 'vec2',
	equality_constraint_anchor: 'vec3',
	equality_constraint_body1: 'int32',
	equality_constraint_body2: 'int32',
	equality_constraint_enabled: 'bool',
	equality_constraint_joint1: 'int32',
	equality_constraint_joint2: 'int32',
	equality_constraint_label: 'list',
	equality_constraint_objtype: 'int32',
	equality_constraint_polycoef: 'float32',
	equality_constraint_relpose: 'transformf',
	equality_constraint_target: 'int32',
	equality_constraint_target_kind: 'int32',
	equality_constraint_torquescale: 'float32',
	equality_constraint_type: 'int32',
	equality_constraint_world: 'int32',
};

const TYPE_NAMES: Readonly<Record<string, string>> = { f32: 'float32', i32: 'int32', string: 'list' };

/** Numbers of a value of each type; a polynomial is a list of floats, which has none of its own. */
const WIDTHS: Readonly<Record<string, number>> = { quat: 4, transformf: 7, vec2: 2, vec3: 3, vec4: 4, vec_t: 5 };

/** What is wrong with the type, data type and dimensions of the values of an attribute, and with its frequency. */
function attributeLayoutProblem(
	key: string,
	attribute: ExpectedAttribute,
	expected: ExpectedModel,
): string | undefined {
	const { assignment, frequency, type, values } = attribute;
	if (frequency.includes(':') && expected.custom_frequencies[frequency] === undefined)
		return `attribute '${key}' has the unknown frequency '${frequency}'`;
	if (frequency === EQUALITY) {
		const known = EQUALITY_TYPES[key.slice('mujoco:'.length)];
		if (type !== known) return `attribute '${key}' has the type '${type}', expected '${known}'`;
		if (assignment !== 'model') return `attribute '${key}' is held by the ${assignment}, expected model`;
	}
	if (type === 'list') return Array.isArray(values) ? undefined : `attribute '${key}' has no list of texts`;
	const width = key === 'mujoco:equality_constraint_polycoef' ? 5 : (WIDTHS[type] ?? 1);
	const dtype = type === 'int32' || type === 'bool' ? type : 'float32';
	return layoutProblem(`attribute '${key}'`, values as ExpectedArray, dtype, width === 1 ? [] : [width]);
}
