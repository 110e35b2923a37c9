import type { Diagnostic } from '@manyworlds/core';
import { type LoadedScene, type LoadSceneResult, loadSceneText, readScene } from '@manyworlds/scene';
import { MemoryStore } from '@manyworlds/usd';
import { caseName, readJson, walkFiles } from '../../src/files.ts';
import { isObject, type Json, type JsonObject, shortJson } from '../../src/json.ts';
import type { Case, Outcome, Suite, SuiteContext } from '../../src/suite.ts';
import { isClose } from '../scene-load/compare-load.ts';
import { dumpLoaded } from '../scene-load/dump-loaded.ts';
import { checkKeys } from '../sim-sap-problems/problem-file.ts';
import { explainEffect, explainLeniency, explainRefusal } from './decisions.ts';

/** Malformed and borderline scenes with SAP Warp's answers. */
export const sceneBad: Suite = {
	name: 'scene/bad',
	description: 'malformed and borderline scenes: refused with a place, or loaded with the same effect',
	defaultDir: 'oracle/golden/sap-warp',
	groups: [
		{
			name: 'strict',
			description:
				'what SAP Warp refuses is refused at a place; what it accepts has the same effect or is refused for a stated reason',
			tolerance: '1e-5 of the largest number of a row and 1e-6: the reference has 32 bits',
			timeLimit: 10,
			cases: (context) => cases(context, (bad, base) => checkLoad(bad, base, true)),
		},
		{
			name: 'lenient',
			description: 'the same without strict: unsupported features are listed in the same words',
			tolerance: '1e-5 of the largest number of a row and 1e-6: the reference has 32 bits',
			timeLimit: 10,
			cases: (context) => cases(context, (bad, base) => checkLoad(bad, base, false)),
		},
		{
			name: 'run',
			description: 'settings of the benchmark and the velocities after one step',
			tolerance: 'velocities 1e-5 relative and 1e-6: the reference has 32 bits',
			timeLimit: 10,
			cases: (context) => cases(context, checkRun),
		},
	],
};

interface BadScene {
	readonly id: string;
	readonly file: string;
	readonly text: string;
	readonly strict: JsonObject;
	readonly nonStrict: JsonObject;
	readonly benchmark: JsonObject;
}

function* cases(context: SuiteContext, check: (bad: BadScene, base: JsonObject) => Outcome): Generator<Case> {
	for (const path of walkFiles(context.dir)) {
		if (!/\.json(\.gz)?$/.test(path)) continue;
		const json = readJson(path);
		if (
			!isObject(json) ||
			!Array.isArray(json['cases']) ||
			!isObject(json['cases'][0]) ||
			!('benchmark' in json['cases'][0])
		) {
			continue;
		}
		const all = (json['cases'] as readonly Json[]).map(readCase);
		const base = all.find(({ id }) => id === 'base')?.strict['effect'];
		if (!isObject(base)) throw new TypeError(`${path} has no case 'base'`);
		for (const bad of all) yield { name: `${caseName(context.dir, path)}#${bad.id}`, run: () => check(bad, base) };
	}
}

function readCase(value: Json): BadScene {
	const entry = checkKeys(value, 'a case', 'about benchmark file id non_strict scene? strict text?');
	const answer = (key: string, keys: string): JsonObject => checkKeys(entry[key], key, keys);
	return {
		id: String(entry['id']),
		file: String(entry['file']),
		// JSON is YAML
		text: typeof entry['text'] === 'string' ? entry['text'] : JSON.stringify(entry['scene'], null, 1),
		strict: answer('strict', 'effect? error? ok unsupported_features?'),
		nonStrict: answer('non_strict', 'effect? error? ok unsupported_features?'),
		benchmark: answer('benchmark', 'dt? error? first_step_joint_qd? hangs? max_rigid_contact? num_worlds? ok'),
	};
}

function load({ text, file }: BadScene, strict: boolean): LoadSceneResult {
	return loadSceneText(text, {
		file,
		strict,
		store: new MemoryStore(),
		checkout: ({ repo, rev, path }) => ({
			failure: `Git asset ${repo}@${rev}:${path} is not cached and SAP_WARP_ASSET_OFFLINE is set.`,
		}),
	});
}

function checkLoad(bad: BadScene, base: JsonObject, strict: boolean): Outcome {
	const expected = strict ? bad.strict : bad.nonStrict;
	const result = load(bad, strict);
	const errors = errorsOf(result);
	if (result.loaded === undefined) {
		const unplaced = errors.find(({ file, range }) => file === undefined || range === undefined);
		if (errors.length === 0) return 'refused without a diagnostic';
		if (unplaced !== undefined) return `${unplaced.code} has no place: ${unplaced.message}`;
	}
	if (expected['ok'] === false) {
		if (result.loaded !== undefined) return `loaded, expected a refusal like ${shortJson(expected['error']!)}`;
		const { type } = expected['error'] as JsonObject;
		return strict && type === 'SapUnsupportedSceneFeature'
			? features(result, bad.nonStrict['unsupported_features'])
			: undefined;
	}
	if (result.loaded === undefined) {
		// settings that the benchmark refuses later are refused at once here
		const isSetting = bad.benchmark['ok'] === false && errors.every(({ message }) => message.startsWith('simulation.'));
		return isSetting ? undefined : unstated(errors);
	}
	const listed = features(result, expected['unsupported_features']);
	if (listed !== undefined) return listed;
	const effect = (expected['effect'] ?? bad.strict['effect']) as JsonObject | undefined;
	return effect === undefined ? 'the case has no effect' : compareEffect({ ...base, ...effect }, result.loaded);
}

/** A refusal for which there is no stated reason. */
function unstated(errors: readonly Diagnostic[]): Outcome {
	const found = errors.find((error) => explainRefusal(error) === undefined);
	return found === undefined ? undefined : `refused, expected to load: ${found.code} ${found.message}`;
}

function errorsOf({ report }: LoadSceneResult): Diagnostic[] {
	return report.toArray().filter(({ severity }) => severity === 'error');
}

function features({ unsupportedFeatures }: LoadSceneResult, expected: Json | undefined): string | undefined {
	if (isClose(unsupportedFeatures, expected)) return undefined;
	if (explainEffect('unsupported_features', unsupportedFeatures, expected ?? null) !== undefined) return undefined;
	return `unsupported features are ${shortJson(unsupportedFeatures)}, expected ${shortJson(expected)}`;
}

/** Every array of the effect, by the names of the reference. */
function compareEffect(effect: JsonObject, loaded: LoadedScene): Outcome {
	const dump = dumpLoaded(loaded) as Readonly<Record<string, Readonly<Record<string, unknown>>>>;
	const own: Readonly<Record<string, unknown>> = {
		...dump['collision'],
		...dump['model'],
		...dump['counts'],
		shape_colors: dump['shape_colors'],
		labels: { body: loaded.bodyLabels, joint: loaded.model.labels('joint'), shape: loaded.shapeLabels },
	};
	for (const [key, expected] of Object.entries(effect)) {
		const actual = own[key];
		if (actual === undefined) return `the effect has an unknown field '${key}'`;
		const isSame =
			key === 'shape_contact_pairs'
				? isClose(sorted(actual), sorted(expected))
				: key === 'shape_colors'
					? sameColors(actual as Json[], expected as readonly Json[])
					: isClose(actual, expected);
		if (!isSame && explainEffect(key, actual, expected, loaded) === undefined) {
			return `${key} is ${shortJson(actual as Json)}, expected ${shortJson(expected)}`;
		}
	}
	return undefined;
}

function sorted(pairs: unknown): string[] {
	return (pairs as readonly (readonly number[])[]).map((pair) => [...pair].sort((a, b) => a - b).join(' ')).sort();
}

/** The reference keeps colours only where a scene gives them. */
function sameColors(actual: readonly Json[], expected: readonly Json[]): boolean {
	return actual.length === expected.length && expected.every((color, i) => color === null || isClose(actual[i], color));
}

function checkRun(bad: BadScene, base: JsonObject): Outcome {
	const expected = bad.benchmark;
	const result = load(bad, true);
	const { loaded } = result;
	if (expected['ok'] === false) {
		if (loaded === undefined) return undefined;
		const { config } = readScene(bad.text, { file: bad.file });
		return explainLeniency(config, loaded) === undefined ? 'runs, expected a refusal' : undefined;
	}
	if (loaded === undefined) return unstated(errorsOf(result));
	const effect = { ...base, ...(bad.strict['effect'] as JsonObject) };
	const { settings, model } = loaded;
	const { pipeline, contacts } = loaded.createCollision();
	const next = model.createState();
	pipeline.collide(loaded.state, contacts);
	loaded.createSolver().step(loaded.state, next, loaded.control, contacts, settings.dt);
	const own: Readonly<Record<string, unknown>> = {
		dt: settings.dt,
		first_step_joint_qd: Array.from(next.jointQd),
		max_rigid_contact: settings.maxRigidContact,
		num_worlds: settings.numWorlds,
	};
	for (const [key, actual] of Object.entries(own)) {
		const wanted = expected[key];
		if (isClose(actual, wanted) || explainEffect(key, actual, wanted ?? null, loaded, effect) !== undefined) continue;
		return `${key} is ${shortJson(actual as Json)}, expected ${shortJson(wanted)}`;
	}
	return undefined;
}
