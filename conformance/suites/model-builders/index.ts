import { ArticulatedDynamics, type ModelArrayName } from '@manyworlds/model';
import { MODEL_ARRAY_NAMES, MODEL_ARRAYS } from '@manyworlds/model/internal';
import { caseName, walkFiles } from '../../src/files.ts';
import { shortJson } from '../../src/json.ts';
import { modelArrayProblem } from '../../src/newton/array-format.ts';
import { expectedNumbers, numberDifference, sortedPairs, toleranceOf } from '../../src/newton/compare-numbers.ts';
import { fields } from '../../src/newton/expected-model.ts';
import { geometryDifference } from '../../src/newton/mesh-facts.ts';
import {
	counts,
	gravityRows,
	labelDifferences,
	lastAncestors,
	scalars,
	treeAncestors,
} from '../../src/newton/model-facts.ts';
import type { Case, Group, Outcome, Suite, SuiteContext } from '../../src/suite.ts';
import { checkAttributes } from './attributes.ts';
import { DEFECT_ARRAYS, touchedDefects } from './defects.ts';
import { readGolden } from './golden.ts';
import { checkInterpreter } from './interpreter.ts';
import { interpret } from './ledger.ts';
import { checkOutcomes } from './outcomes.ts';
import { bothModels, join, type ProgramCase, REFUSED } from './program-case.ts';
import { runProgram } from './run-program.ts';

/** Programs of builder calls with the model that Newton 1.6.1 makes of them. */
export const modelBuilders: Suite = {
	name: 'model/builders',
	description:
		'NAME.json.gz or NAME.json with a program and what Newton gave; what Newton gets wrong is compared with a plain interpreter',
	defaultDir: 'oracle/golden/newton-builders',
	groups: [
		group(
			'outcomes',
			'results, refusals and warnings of every call and of finalize',
			'exact; transforms 1e-5',
			checkOutcomes,
		),
		group(
			'arrays',
			'every array of the model',
			'1e-5 relative plus 1e-6, inertia 1e-4, inverse inertia 1e-3 relative; integers exact',
			checkArrays,
		),
		group('names', 'labels, counts, scalars, shapes of bodies, meshes of shapes', 'exact', checkNames),
		group('filters', 'pairs of shapes that never, and that may, collide', 'exact', checkFilters),
		group(
			'attributes',
			'custom attributes of all owners and equality constraints',
			'1e-5 relative plus 1e-6; integers exact',
			checkAttributes,
		),
		group('kinematics', 'forward kinematics of the initial coordinates', '1e-4 relative plus 1e-5', checkKinematics),
		group(
			'interpreter',
			'the plain interpreter, with the faults of Newton, against Newton',
			'as arrays',
			checkInterpreter,
		),
	],
};

function group(name: string, description: string, tolerance: string, check: (it: ProgramCase) => Outcome): Group {
	return {
		name,
		description,
		tolerance,
		timeLimit: 10,
		*cases(context: SuiteContext): Generator<Case> {
			for (const path of walkFiles(context.dir)) {
				if (!/\.json(\.gz)?$/.test(path) || path.endsWith('index.json')) continue;
				yield { name: caseName(context.dir, path), run: () => check(load(path)) };
			}
		},
	};
}

/** The only array of equality constraints that a dump holds among the others, when there are any. */
const EQUALITY_STARTS = 'mujoco:equality_constraint_world_start';

const loaded = new Map<string, ProgramCase>();

function load(path: string): ProgramCase {
	let it = loaded.get(path);
	if (it === undefined) {
		const golden = readGolden(path);
		const [named, touched] = [[...golden.defects].join(), touchedDefects(golden).join()];
		if (named !== touched) throw new TypeError(`expected.defects is '${named}', the program touches '${touched}'`);
		it = {
			golden,
			run: runProgram(golden.program),
			ledger: interpret(golden, false),
			reference: interpret(golden, true),
		};
		loaded.set(path, it);
	}
	return it;
}

function checkArrays(it: ProgramCase): Outcome {
	const both = bothModels(it);
	if (both === undefined) return REFUSED;
	const { model, expected, worlds } = both;
	const wrong = new Set([...it.golden.defects].flatMap((defect) => DEFECT_ARRAYS[defect]!));
	const problems: (string | undefined)[] = [];
	for (const [name, array] of Object.entries(expected.arrays)) {
		problems.push(modelArrayProblem(name, array));
		const own = name === 'muscle_start' ? [0] : worlds.get(name);
		if (own !== undefined) {
			const theirs = expectedNumbers(array);
			const isPairs = name === 'shape_contact_pairs';
			problems.push(numberDifference(name, own, isPairs ? sortedPairs(theirs) : theirs, undefined));
			continue;
		}
		const ours = name === EQUALITY_STARTS ? 'equality_constraint_world_start' : name;
		const actual = name === 'gravity' ? gravityRows(model, it.reference.arrays.gravity!.length) : model.array(ours);
		const isFloat = array.dtype?.startsWith('float') ?? false;
		let numbers: readonly number[] = expectedNumbers(array);
		if (wrong.has(name)) numbers = it.ledger.arrays[name]!;
		else if (name === 'joint_ancestor') {
			problems.push(numberDifference(`Newton's ${name}`, lastAncestors(expected), numbers, undefined));
			numbers = treeAncestors(expected);
		} else if (name === 'shape_contact_pairs') numbers = sortedPairs(numbers);
		problems.push(numberDifference(name, actual, numbers, isFloat ? toleranceOf(name) : undefined));
	}
	const given = new Set(Object.keys(expected.arrays));
	if (!given.has('muscle_start')) problems.push('muscle_start has one number, expected none');
	if (given.has(EQUALITY_STARTS) !== model.equalityConstraintCount > 0)
		problems.push(`${EQUALITY_STARTS} is there for ${model.equalityConstraintCount} constraints`);
	for (const name of MODEL_ARRAY_NAMES) {
		const { newton } = MODEL_ARRAYS[name];
		if (newton === '' || given.has(newton) || isElsewhere(name) || wrong.has(newton) || worlds.has(newton)) continue;
		if (model[name].length > 0) problems.push(`${newton} has ${model[name].length} numbers, expected none`);
	}
	for (const [name, numbers] of worlds)
		if (numbers.length > 0 && !given.has(name) && !name.startsWith('equality'))
			problems.push(`${name} has ${numbers.length} numbers, expected none`);
	return join(problems);
}

/** Arrays that a dump holds in other places: equality constraints and filter pairs. */
function isElsewhere(name: ModelArrayName): boolean {
	return name.startsWith('equalityConstraint') || name === 'shapeCollisionFilterPairs';
}

function checkNames(it: ProgramCase): Outcome {
	const both = bothModels(it);
	if (both === undefined) return REFUSED;
	const { model, expected } = both;
	const problems: (string | undefined)[] = [];
	problems.push(...labelDifferences(model, expected.labels));
	const isPairsWrong = it.golden.defects.has('filter-order') || both.worlds.size > 0;
	const ours = { ...counts(model), world_count: both.worldCount } as Readonly<Record<string, number>>;
	for (const [name, count] of Object.entries(fields(expected.counts, 'counts', Object.keys(ours)))) {
		const actual = ours[name];
		// the interpreter is compared with this one
		if (name === 'shape_contact_pair_count' && isPairsWrong) continue;
		if (actual !== count) problems.push(`${name} is ${actual}, expected ${shortJson(count)}`);
	}
	const settings = scalars(model);
	for (const [name, value] of Object.entries(fields(expected.scalars, 'scalars', Object.keys(settings)))) {
		if (settings[name] !== value) problems.push(`${name} is ${settings[name]}, expected ${shortJson(value)}`);
	}
	const bodies = Array.from({ length: model.bodyCount + 1 }, (_, i) => `${i - 1}`);
	fields(expected.body_shapes, 'body_shapes', bodies);
	for (const [body, shapes] of Object.entries(expected.body_shapes)) {
		const sorted = [...shapes].sort((a, b) => a - b);
		problems.push(numberDifference(`shapes of body ${body}`, model.shapesOf(Number(body)), sorted, undefined));
	}
	problems.push(geometryDifference(model, expected, true));
	if (expected.actuators.length > 0) problems.push('actuators are not supported');
	return join(problems);
}

function checkFilters(it: ProgramCase): Outcome {
	const both = bothModels(it);
	if (both === undefined) return REFUSED;
	const { model, expected } = both;
	const isWrong = it.golden.defects.has('filter-order');
	const odd = expected.filter_pairs.find((pair) => !Array.isArray(pair) || pair.length !== 2);
	if (odd !== undefined) return `${shortJson(odd)} is no pair`;
	const pairs = isWrong ? it.ledger.filterPairs : expected.filter_pairs;
	const problem = numberDifference('filter_pairs', model.shapeCollisionFilterPairs, pairs.flat(), undefined);
	if (problem !== undefined) return problem;
	const unknown = pairs.find(([a, b]) => !model.isCollisionFiltered(a, b) || !model.isCollisionFiltered(b, a));
	return unknown === undefined ? undefined : `isCollisionFiltered denies the pair ${shortJson(unknown)}`;
}

function checkKinematics(it: ProgramCase): Outcome {
	const both = bothModels(it);
	if (both === undefined) return REFUSED;
	const { model, expected } = both;
	const state = model.createState();
	// Newton's own velocities, so that the fault of merged ones does not matter here
	if (it.golden.defects.has('merge-velocity')) state.jointQd.set(expectedNumbers(expected.arrays.joint_qd!));
	new ArticulatedDynamics(model).forwardKinematics(state);
	const tolerance = { relative: 1e-4, absolute: 1e-5 };
	fields(expected.fk, 'fk', ['body_q', 'body_qd']);
	return join([
		modelArrayProblem('body_q', expected.fk.body_q),
		modelArrayProblem('body_qd', expected.fk.body_qd),
		numberDifference('fk.body_q', state.bodyQ, expectedNumbers(expected.fk.body_q), tolerance),
		numberDifference('fk.body_qd', state.bodyQd, expectedNumbers(expected.fk.body_qd), {
			relative: 1e-4,
			absolute: 1e-4,
		}),
	]);
}
