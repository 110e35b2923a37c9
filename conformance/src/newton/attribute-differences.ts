import { EqualityType, type Model } from '@manyworlds/model';
import type { AttributeOwner, AttributeType } from '@manyworlds/model/internal';
import { layoutProblem } from './array-format.ts';
import { expectedNumbers, numberDifference, POSE } from './compare-numbers.ts';
import { type ExpectedArray, type ExpectedAttribute, type ExpectedModel, fields } from './expected-model.ts';
import { frequencyOf } from './names.ts';

const EQUALITY = 'mujoco:equality_constraint';

/** What is to be compared instead of what the dump or the model says, where one of them cannot tell. */
export interface AttributeOverrides {
	/** The right numbers of an attribute that the reference has wrong. */
	right(key: string, frequency: string): ArrayLike<number> | undefined;
	/** Numbers of an array of ours by Newton's name that the model cannot tell. */
	array(name: string): readonly number[] | undefined;
}

const NONE: AttributeOverrides = { right: () => undefined, array: () => undefined };

/** Differences in custom attributes with their owner, frequency and values, and in equality constraints. */
export function attributeDifferences(
	model: Model,
	expected: ExpectedModel,
	overrides: AttributeOverrides = NONE,
): (string | undefined)[] {
	const problems: (string | undefined)[] = [];
	for (const [key, attribute] of Object.entries(expected.custom_attributes)) {
		fields(attribute, key, ['assignment', 'frequency', 'type', 'values']);
		problems.push(layoutDifference(key, attribute, expected));
		// equality constraints are entities of ours, what MuJoCo adds to them are attributes
		if (attribute.frequency === EQUALITY && !model.attributesOf('model').has(key)) {
			problems.push(equalityDifference(model, key, attribute.values, overrides));
		} else problems.push(attributeDifference(model, key, attribute, overrides.right(key, attribute.frequency)));
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
	return problems;
}

function attributeDifference(
	model: Model,
	key: string,
	expected: ExpectedAttribute,
	right: ArrayLike<number> | undefined,
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
	const frequency = expected.frequency === EQUALITY ? 'equalityConstraint' : frequencyOf(expected.frequency);
	if (declaration.frequency !== frequency)
		return `attribute '${key}' has the frequency ${declaration.frequency}, expected ${frequency}`;
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
	model: Model,
	key: string,
	expected: ExpectedAttribute['values'],
	overrides: AttributeOverrides,
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
		overrides.array(column) ?? model.array(column),
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

const TYPE_NAMES: Readonly<Partial<Record<AttributeType, string>>> = {
	f32: 'float32',
	// the reference has single precision throughout
	f64: 'float32',
	i32: 'int32',
	i64: 'int64',
	u32: 'uint32',
	mat22: 'mat22f',
	mat33: 'mat33f',
	mat44: 'mat44f',
	string: 'list',
	transform: 'transformf',
	vec5: 'vec_t',
	vec6: 'vec_t',
	vec10: 'vec_t',
};

/** Dimensions of a value of each type; those of vectors without a name of their own are whatever the dump says. */
const DIMENSIONS: Readonly<Record<string, readonly number[]>> = {
	mat22f: [2, 2],
	mat33f: [3, 3],
	mat44f: [4, 4],
	quat: [4],
	transformf: [7],
	vec2: [2],
	vec2i: [2],
	vec3: [3],
	vec3i: [3],
	vec4: [4],
	vec4i: [4],
};

const NUMBER_TYPES: readonly string[] = ['bool', 'float64', 'int32', 'int64', 'uint32'];

/** What is wrong with the type, data type and dimensions of the values of an attribute, and with its frequency. */
function layoutDifference(key: string, attribute: ExpectedAttribute, expected: ExpectedModel): string | undefined {
	const { assignment, frequency, type, values } = attribute;
	if (frequency.includes(':') && expected.custom_frequencies[frequency] === undefined)
		return `attribute '${key}' has the unknown frequency '${frequency}'`;
	if (frequency === EQUALITY) {
		const known = EQUALITY_TYPES[key.slice('mujoco:'.length)];
		if (type !== known) return `attribute '${key}' has the type '${type}', expected '${known}'`;
		if (assignment !== 'model') return `attribute '${key}' is held by the ${assignment}, expected model`;
	}
	if (type === 'list') return Array.isArray(values) ? undefined : `attribute '${key}' has no list of texts`;
	const array = values as ExpectedArray;
	const dtype = NUMBER_TYPES.includes(type) ? type : type.endsWith('i') ? 'int32' : 'float32';
	const isFree = type === 'vec_t' || key === 'mujoco:equality_constraint_polycoef';
	const dims = isFree ? (array.shape ?? []).slice(1) : (DIMENSIONS[type] ?? []);
	return layoutProblem(`attribute '${key}'`, array, dtype, dims);
}
