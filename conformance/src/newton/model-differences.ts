import { ArticulatedDynamics, type Heightfield, isHeightfield, type Model } from '@manyworlds/model';
import { MODEL_ARRAY_NAMES, MODEL_ARRAYS } from '@manyworlds/model/internal';
import { type JsonObject, shortJson } from '../json.ts';
import { layoutProblem, modelArrayProblem } from './array-format.ts';
import { attributeDifferences } from './attribute-differences.ts';
import { comparablePoses, expectedNumbers, numberDifference, sortedPairs, toleranceOf } from './compare-numbers.ts';
import { type ExpectedArray, type ExpectedModel, fields, MODEL_FIELDS } from './expected-model.ts';
import { digestDifference, geometryDifference } from './mesh-facts.ts';
import { counts, gravityRows, labelDifferences, lastAncestors, scalars, treeAncestors } from './model-facts.ts';

/** Numbers that a fault of the reference changes. */
export interface Repair {
	/** What is right, compared with ours. */
	readonly right: ArrayLike<number>;
	/** What the reference makes of it, compared with the dump; every number of a dump counts. */
	readonly reference: ArrayLike<number>;
}

/** Repairs by Newton's name of an array; `attribute KEY` for a custom attribute, `filter_pairs` for the pairs. */
export type Repairs = ReadonlyMap<string, Repair>;

/** The only array of equality constraints that a dump holds among the others, when there are any. */
const EQUALITY_STARTS = 'mujoco:equality_constraint_world_start';

/** Every difference between a model and the one of a dump. */
export function modelDifferences(
	model: Model,
	expected: ExpectedModel,
	repairs: Repairs = new Map(),
): (string | undefined)[] {
	fields(expected, 'model', MODEL_FIELDS);
	const used = new Set<string>();
	const repair = (name: string): Repair | undefined => {
		used.add(name);
		return repairs.get(name);
	};
	const problems = [
		...nameDifferences(model, expected),
		...arrayDifferences(model, expected, repair),
		filterDifference(model, expected, repair('filter_pairs')),
		...attributeDifferences(model, expected, {
			right: (key) => repair(`attribute ${key}`)?.right,
			array: () => undefined,
		}),
		geometryDifference(model, expected),
		...kinematicsDifferences(model, expected, repair),
	];
	for (const [key, { reference }] of repairs) {
		const attribute = key.startsWith('attribute ') ? expected.custom_attributes[key.slice(10)] : undefined;
		if (attribute === undefined) continue;
		problems.push(
			numberDifference(
				`Newton's ${key}`,
				reference,
				expectedNumbers(attribute.values as ExpectedArray),
				toleranceOf(key),
			),
		);
	}
	for (const name of repairs.keys()) if (!used.has(name)) problems.push(`there is no ${name} to repair`);
	return problems;
}

function arrayDifferences(
	model: Model,
	expected: ExpectedModel,
	repair: (name: string) => Repair | undefined,
): (string | undefined)[] {
	const problems: (string | undefined)[] = [];
	for (const [name, array] of Object.entries(expected.arrays)) {
		const derived = derivedArray(model, name);
		if ('sha256' in array) {
			problems.push(digestProblem(model, name, array as unknown as JsonObject));
			continue;
		}
		problems.push(derived?.layout(array) ?? (derived === undefined ? modelArrayProblem(name, array) : undefined));
		const numbers = expectedNumbers(array);
		const isFloat = array.dtype?.startsWith('float') ?? false;
		const tolerance = isFloat ? toleranceOf(name) : undefined;
		const ours = name === EQUALITY_STARTS ? 'equality_constraint_world_start' : name;
		const known = derived !== undefined || MODEL_ARRAY_NAMES.some((one) => MODEL_ARRAYS[one].newton === ours);
		if (!known) {
			problems.push(`${name} is no array of ours`);
			continue;
		}
		const actual = derived?.values ?? (name === 'gravity' ? gravityRows(model, numbers.length) : model.array(ours));
		const repaired = repair(name);
		if (repaired !== undefined) {
			problems.push(numberDifference(`Newton's ${name}`, repaired.reference, numbers, tolerance));
			problems.push(numberDifference(name, actual, comparablePoses(name, actual, repaired.right), tolerance));
		} else if (name === 'joint_ancestor') {
			problems.push(numberDifference(`Newton's ${name}`, lastAncestors(expected), numbers, undefined));
			problems.push(numberDifference(name, actual, treeAncestors(expected), undefined));
		} else {
			const right = name === 'shape_contact_pairs' ? sortedPairs(numbers) : numbers;
			problems.push(numberDifference(name, actual, comparablePoses(name, actual, right), tolerance));
		}
	}
	const given = new Set(Object.keys(expected.arrays));
	if (!given.has('muscle_start')) problems.push('muscle_start has one number, expected none');
	if (given.has(EQUALITY_STARTS) !== model.equalityConstraintCount > 0)
		problems.push(`${EQUALITY_STARTS} is there for ${model.equalityConstraintCount} constraints`);
	if (
		given.has('heightfield_elevations') !==
		model.shapeSources.some((source) => source !== null && isHeightfield(source))
	)
		problems.push('heightfield_elevations are there for no heightfield, or the other way round');
	for (const name of MODEL_ARRAY_NAMES) {
		const { newton } = MODEL_ARRAYS[name];
		const isElsewhere = name.startsWith('equalityConstraint') || name === 'shapeCollisionFilterPairs';
		if (newton === '' || given.has(newton) || isElsewhere) continue;
		if (model[name].length > 0) problems.push(`${newton} has ${model[name].length} numbers, expected none`);
	}
	return problems;
}

interface DerivedArray {
	readonly values: readonly number[];
	layout(array: ExpectedArray): string | undefined;
}

/** Arrays of a dump that ours holds in another form. */
function derivedArray(model: Model, name: string): DerivedArray | undefined {
	const of = (values: readonly number[], dtype: string): DerivedArray => ({
		values,
		layout: (array) => layoutProblem(name, array, dtype, []),
	});
	if (name === 'muscle_start') return of([0], 'int32');
	if (name !== 'heightfield_elevations' && name !== 'shape_heightfield_index') return undefined;
	const fields = [...new Set(model.shapeSources)].filter((source) => source !== null && isHeightfield(source));
	if (name === 'heightfield_elevations')
		return of(
			fields.flatMap((field) => [...field.data]),
			'float32',
		);
	return of(
		model.shapeSources.map((source) => fields.indexOf(source as Heightfield)),
		'int32',
	);
}

/** Arrays of more than 20000 values are digests: whole numbers compare exactly, of others the first rows. */
function digestProblem(model: Model, name: string, digest: JsonObject): string | undefined {
	const actual = model.array(name);
	const [rows, ...rest] = digest.shape as readonly number[];
	const width = rest.reduce((product, size) => product * size, 1);
	if (actual.length !== rows! * width) return `${name} has ${actual.length} numbers, expected ${rows! * width}`;
	if (digest.dtype === 'int32') return digestDifference(name, Int32Array.from(actual), width, digest);
	fields(digest, name, ['count', 'dtype', 'first', 'sha256', 'shape']);
	return numberDifference(name, actual.slice(0, 4 * width), digest.first as readonly number[], toleranceOf(name));
}

function nameDifferences(model: Model, expected: ExpectedModel): (string | undefined)[] {
	const problems: (string | undefined)[] = [];
	const ours = {
		...counts(model),
		heightfield_count: new Set(model.shapeSources.filter((s) => s !== null && isHeightfield(s))).size,
	} as Readonly<Record<string, number>>;
	for (const [name, count] of Object.entries(fields(expected.counts, 'counts', Object.keys(ours)))) {
		if (ours[name] !== count) problems.push(`${name} is ${ours[name]}, expected ${shortJson(count)}`);
	}
	problems.push(...labelDifferences(model, expected.labels));
	const settings = scalars(model);
	for (const [name, value] of Object.entries(fields(expected.scalars, 'scalars', Object.keys(settings)))) {
		if (settings[name] !== value) problems.push(`${name} is ${settings[name]}, expected ${shortJson(value)}`);
	}
	const bodies = Array.from({ length: model.bodyCount + 1 }, (_, i) => `${i - 1}`);
	if (Object.keys(expected.body_shapes).length === bodies.length) fields(expected.body_shapes, 'body_shapes', bodies);
	else
		problems.push(`there are shapes of ${bodies.length} bodies, expected ${Object.keys(expected.body_shapes).length}`);
	for (const [body, shapes] of Object.entries(expected.body_shapes)) {
		if (Number(body) >= model.bodyCount) continue;
		const sorted = [...shapes].sort((a, b) => a - b);
		problems.push(numberDifference(`shapes of body ${body}`, model.shapesOf(Number(body)), sorted, undefined));
	}
	return problems;
}

function filterDifference(model: Model, expected: ExpectedModel, repair: Repair | undefined): string | undefined {
	const pairs: unknown = expected.filter_pairs;
	const ours = model.shapeCollisionFilterPairs;
	if (!Array.isArray(pairs)) return digestDifference('filter_pairs', Int32Array.from(ours), 2, pairs as never);
	const odd = pairs.find((pair) => !Array.isArray(pair) || pair.length !== 2);
	if (odd !== undefined) return `${shortJson(odd)} is no pair`;
	const flat = pairs.flat() as number[];
	if (repair === undefined) return numberDifference('filter_pairs', ours, flat, undefined);
	return (
		numberDifference("Newton's filter_pairs", repair.reference, flat, undefined) ??
		numberDifference('filter_pairs', ours, repair.right, undefined)
	);
}

const FK = { relative: 1e-4, absolute: 1e-5 };
const FK_VELOCITY = { relative: 1e-4, absolute: 1e-4 };

/** Poses by forward kinematics; where the reference has wrong coordinates or frames, ours are compared with the repair. */
function kinematicsDifferences(
	model: Model,
	expected: ExpectedModel,
	repair: (name: string) => Repair | undefined,
): (string | undefined)[] {
	if (expected.fk === null) return [model.bodyCount === 0 ? undefined : 'there is no forward kinematics to compare'];
	const { body_q, body_qd } = fields(expected.fk, 'fk', ['body_q', 'body_qd']) as unknown as ExpectedModel['fk'];
	const state = model.createState();
	new ArticulatedDynamics(model).forwardKinematics(state);
	const compare = (name: string, actual: ArrayLike<number>, array: ExpectedArray, tolerance: typeof FK) => {
		const repaired = repair(`fk.${name}`);
		return [
			modelArrayProblem(name, array),
			repaired && numberDifference(`Newton's fk.${name}`, repaired.reference, expectedNumbers(array), tolerance),
			numberDifference(
				`fk.${name}`,
				actual,
				comparablePoses(`fk.${name}`, actual, repaired?.right ?? expectedNumbers(array)),
				tolerance,
			),
		];
	};
	return [...compare('body_q', state.bodyQ, body_q, FK), ...compare('body_qd', state.bodyQd, body_qd, FK_VELOCITY)];
}
