import type { Model } from '@manyworlds/model';
import { MujocoError } from '@manyworlds/mujoco';
import { CompiledModel, convertModel, loadMujoco } from '@manyworlds/mujoco/internal';
import { caseName, readJson, walkFiles } from '../../src/files.ts';
import type { Json, JsonObject } from '../../src/json.ts';
import type { ExpectedModel } from '../../src/newton/expected-model.ts';
import type { Case, Group, Outcome, Suite, SuiteContext } from '../../src/suite.ts';
import { join } from '../model-builders/program-case.ts';
import { mapDifferences } from './map-differences.ts';
import { initialDifferences, mjModelDifferences } from './mj-differences.ts';
import { modelOfInput, RefusedModel } from './model-of-input.ts';
import { modelOfRecord } from './model-of-record.ts';
import { savedDifferences } from './saved-differences.ts';
import { convertOptionsOf } from './solver-options.ts';
import { trajectoryDifferences } from './trajectory-differences.ts';
import { worldDifferences } from './world-differences.ts';

/** Models and what Newton's SolverMuJoCo makes of them. */
export const mujocoNewton: Suite = {
	name: 'mujoco/newton',
	description: 'models in, compiled MuJoCo models out, as SolverMuJoCo of Newton 1.6.1 gives them',
	defaultDir: 'oracle/golden/newton-mujoco',
	groups: [
		{
			name: 'models',
			description: 'models of the solver tests of Newton, from records of their arrays',
			tolerance: '1e-5 relative plus 1e-6, derived values 1e-4; integers, names and flags exact',
			timeLimit: 60,
			cases: recordCases,
		} satisfies Group,
		tableGroup('builders', 'models of builder programs'),
		tableGroup('import', 'models of import cases'),
		tableGroup('assets', 'models of robots and scenes'),
		{
			name: 'saved',
			description: 'all of these saved as MJCF and loaded again, as the file that Newton saves is',
			tolerance: 'as above; names are not compared, they are shorter here',
			timeLimit: 60,
			*cases(context: SuiteContext): Generator<Case> {
				for (const path of walkFiles(context.dir)) {
					if (!/\.json(\.gz)?$/.test(path) || /(index|table)\.json$/.test(path)) continue;
					if (!/\/(harvest|builders|import|assets)\//.test(path)) continue;
					yield { name: caseName(context.dir, path).replace(/\.json(\.gz)?$/, ''), run: () => runSaved(path, context) };
				}
			},
		} satisfies Group,
	],
};

function* recordCases(context: SuiteContext): Generator<Case> {
	for (const path of walkFiles(`${context.dir}/harvest`)) {
		if (!/\.json(\.gz)?$/.test(path) || path.endsWith('index.json')) continue;
		yield { name: caseName(context.dir, path), run: () => runRecord(path) };
	}
}

/** Files of one folder; each names its input. */
function tableGroup(folder: string, description: string): Group {
	return {
		name: folder,
		description,
		tolerance: '1e-5 relative plus 1e-6, derived values 1e-4; integers, names and flags exact',
		timeLimit: 60,
		*cases(context: SuiteContext): Generator<Case> {
			for (const path of walkFiles(`${context.dir}/${folder}`)) {
				if (!/\.json(\.gz)?$/.test(path)) continue;
				yield { name: caseName(context.dir, path).replace(/\.json(\.gz)?$/, ''), run: () => runTable(path, context) };
			}
		},
	};
}

async function runTable(path: string, context: SuiteContext): Promise<Outcome> {
	const expected = readJson(path) as JsonObject;
	let model: Model;
	try {
		model = modelOfInput(expected.input as JsonObject, path, context);
	} catch (error) {
		if (!(error instanceof RefusedModel)) throw error;
		return expected.error === null ? `there is no model: ${error.message}` : undefined;
	}
	return compareWith(model, expected.solver as JsonObject, expected);
}

async function runRecord(path: string): Promise<Outcome> {
	const record = readJson(path) as JsonObject;
	const model = modelOfRecord(record.model as unknown as ExpectedModel);
	return compareWith(model, record.solver as JsonObject, record.expected as JsonObject);
}

async function runSaved(path: string, context: SuiteContext): Promise<Outcome> {
	const record = readJson(path) as JsonObject;
	const isRecord = record.expected !== undefined;
	const expected = (isRecord ? record.expected : record) as JsonObject;
	if (expected.error !== null) return { skipped: 'the reference refuses the model' };
	const { error } = expected.mjcf as JsonObject;
	if (error !== null && error !== undefined) return { skipped: 'the reference cannot load what it saved' };
	let model: Model;
	try {
		model = isRecord
			? modelOfRecord(record.model as unknown as ExpectedModel)
			: modelOfInput(expected.input as JsonObject, path, context);
	} catch (error) {
		if (!(error instanceof RefusedModel)) throw error;
		return `there is no model: ${error.message}`;
	}
	return join(savedDifferences(await loadMujoco(), model, convertOptionsOf(record.solver as JsonObject), expected));
}

/** Converts and compiles a model and compares everything with what the reference gave. */
export async function compareWith(model: Model, solver: JsonObject, expected: JsonObject): Promise<Outcome> {
	const module = await loadMujoco();
	let compiled: CompiledModel;
	try {
		compiled = new CompiledModel(module, convertModel(model, convertOptionsOf(solver)));
	} catch (error) {
		if (!(error instanceof MujocoError)) throw error;
		return expected.error === null ? `refused: ${error.message}` : undefined;
	}
	try {
		if (expected.error !== null) return `not refused, expected ${(expected.error as JsonObject).message as string}`;
		return join([
			unknownField(expected),
			warningDifference(compiled, expected.warnings as Json[]),
			...mjModelDifferences(
				compiled,
				expected.mj_model as JsonObject,
				((expected.mjcf as JsonObject).differences ?? {}) as JsonObject,
				expected.defects as string[],
			),
			...mapDifferences(compiled, expected.maps as JsonObject),
			...initialDifferences(compiled, expected.initial as JsonObject),
			// last, because it leaves another state in the engine
			...worldDifferences(compiled, (expected.worlds ?? {}) as JsonObject),
			// a wrong weld moves the reference elsewhere
			...((expected.defects as string[]).includes('weld-relpose')
				? []
				: trajectoryDifferences(module, model, solver, (expected.trajectories ?? []) as Json[])),
		]);
	} finally {
		compiled.dispose();
	}
}

/** Fields of a result. */
const FIELDS = new Set(
	'also backend call defects error finalize_error format initial input maps mj_model mjcf model_changed mujoco newton solver test trajectories warnings worlds'.split(
		' ',
	),
);

function unknownField(expected: JsonObject): string | undefined {
	const odd = Object.keys(expected).find((key) => !FIELDS.has(key));
	return odd === undefined ? undefined : `the field '${odd}' is not known`;
}

/** Where the reference warns about the model, we must tell something too; texts are not compared. */
function warningDifference(compiled: CompiledModel, warnings: readonly Json[]): string | undefined {
	const told = compiled.conversion.report.size > 0;
	const aboutModel = warnings.filter((one) => !OTHER_ENGINE.test(String((one as JsonObject).message)));
	return aboutModel.length > 0 && !told
		? `nothing is reported, expected ${String((aboutModel[0] as JsonObject).message)}`
		: undefined;
}

/** Warnings about limits of the batched or of the other engine of the reference, which ours has not. */
const OTHER_ENGINE = /nconmax|njmax|MjWarp|deprecat|MULTICCD is enabled|MJ_MINMU|use_mujoco_cpu=True/i;
