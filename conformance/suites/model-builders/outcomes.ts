import type { CollapseResult, ModelError } from '@manyworlds/model';
import { isObject, type Json, type JsonObject, shortJson } from '../../src/json.ts';
import { numberDifference, POSE } from '../../src/newton/compare-numbers.ts';
import { fields } from '../../src/newton/expected-model.ts';
import type { Outcome } from '../../src/suite.ts';
import type { ExpectedResult } from './golden.ts';
import { join, type ProgramCase } from './program-case.ts';
import type { OpOutcome } from './run-program.ts';

/** Codes that stand for errors of the reference; one that is not listed is answered by any refusal. */
const CODES: readonly (readonly [pattern: RegExp, code: string])[] = [
	[/already in world context|not currently in a world context|world context/, 'MODEL009'],
	[/belongs to world|current world is/, 'MODEL006'],
	[/xforms must contain/, 'MODEL010'],
	[/density must be finite/, 'MODEL002'],
	[/out of range|Invalid (follower|leader) joint index/, 'MODEL004'],
	[/Cone shape requires/, 'MODEL008'],
	[
		/articulation with no joints|monotonically increasing order|already belongs to articulation|not contiguous.*joint/,
		'MODEL012',
	],
	[/Invalid world ordering|not contiguous. Missing world|Invalid world index/, 'MODEL013'],
	[/not belonging to any articulation/, 'MODEL014'],
	[/shape_collision_filter_pairs contains invalid/, 'MODEL016'],
];

/** Errors of Python that a refusal may be. */
const ERROR_TYPES: readonly string[] = [
	'AttributeError',
	'IndexError',
	'KeyError',
	'NotImplementedError',
	'RuntimeError',
	'TypeError',
	'ValueError',
];

/** Results, refusals and warnings of every call, and of `finalize`. */
export function checkOutcomes(it: ProgramCase): Outcome {
	const { golden, run } = it;
	const problems: (string | undefined)[] = [];
	for (const { name, results } of golden.outcomes) {
		const outcomes = run.outcomes.get(name);
		if (outcomes === undefined || outcomes.length !== results.length)
			return `builder '${name}' has ${outcomes?.length ?? 0} outcomes`;
		results.forEach((expected, i) => {
			const { op } = golden.program.builders.find((builder) => builder.name === name)!.ops[i]!;
			const where = `${name}[${i}] ${op}`;
			// Newton gives no index of an articulation
			const isSilent = op === 'addArticulation' && expected.error === undefined && 'result' in outcomes[i]!;
			if (isSilent && expected.result !== null)
				problems.push(`${where} gave nothing, expected ${shortJson(expected.result)}`);
			if (!isSilent) problems.push(outcomeDifference(where, outcomes[i]!, expected));
			const warnings = run.warnings.get(name)![i]!;
			const theirs = expected.warnings?.length ?? 0;
			if (warnings !== theirs) problems.push(`${where} gave ${warnings} warnings, expected ${theirs}`);
		});
	}
	problems.push(errorDifference('finalize', run.finalizeError, golden.finalizeError ?? undefined));
	for (const warning of golden.finalizeWarnings) {
		const count = /Inertia validation corrected (\d+) bodies/.exec(String(warning.message))?.[1];
		if (count === undefined) problems.push(`unknown warning of finalize: ${shortJson(warning)}`);
	}
	problems.push(correctionDifference(it));
	return join(problems);
}

/**
 * Every body that is not physical is reported, and no other. Newton counts more where the rounding of single precision
 * makes a tensor asymmetric, never fewer than its own, sometimes faulty, tensors ask for.
 */
function correctionDifference({ golden, run, ledger, reference }: ProgramCase): string | undefined {
	const reports = run.model?.report.toArray();
	const reported = reports?.filter(({ code, data }) => code === 'MODEL032' && data?.corrected === true).length;
	const corrected = ledger.correctedBodies;
	if (reported !== undefined && reported !== corrected)
		return `${reported} bodies are reported as corrected, expected ${corrected}`;
	if (golden.model === undefined) return undefined;
	if (golden.finalizeWarnings.length > 1) return `${golden.finalizeWarnings.length} warnings about corrected bodies`;
	const text = golden.finalizeWarnings.map((warning) => String(warning.message)).join(' ');
	const theirs = Number(/Inertia validation corrected (\d+) bodies/.exec(text)?.[1] ?? 0);
	return theirs >= reference.correctedBodies
		? undefined
		: `Newton says that it corrected ${theirs} bodies, expected ${reference.correctedBodies}`;
}

function outcomeDifference(where: string, actual: OpOutcome, expected: ExpectedResult): string | undefined {
	const error = 'error' in actual ? actual.error : undefined;
	if (error !== undefined || expected.error !== undefined) return errorDifference(where, error, expected.error);
	const result = (actual as { readonly result: Json | CollapseResult }).result;
	if (isObject(expected.result)) return collapseDifference(where, result as CollapseResult, expected.result);
	return result === expected.result
		? undefined
		: `${where} gave ${shortJson(result as Json)}, expected ${shortJson(expected.result)}`;
}

function errorDifference(
	where: string,
	actual: ModelError | undefined,
	expected: ExpectedResult['error'],
): string | undefined {
	if (expected === undefined) return actual === undefined ? undefined : `${where} was refused: ${actual.message}`;
	if (actual === undefined) return `${where} was not refused, expected: ${expected.message}`;
	const code = CODES.find(([pattern]) => pattern.test(expected.message))?.[1];
	const types = code === undefined ? ERROR_TYPES : [code === 'MODEL009' ? 'RuntimeError' : 'ValueError'];
	if (!types.includes(expected.type)) return `${where} was refused with the unknown error '${expected.type}'`;
	return code === undefined || actual.code === code
		? undefined
		: `${where} was refused with ${actual.code} (${actual.message}), expected ${code}`;
}

function collapseDifference(where: string, actual: CollapseResult, expected: JsonObject): string | undefined {
	const maps = fields(expected, where, ['body_merged_parent', 'body_merged_transform', 'body_remap', 'joint_remap']);
	const [parents, transforms] = [maps.body_merged_parent, maps.body_merged_transform].map((map) =>
		Object.keys(map as JsonObject).join(),
	);
	return join([
		parents === transforms ? undefined : `${where} has transforms of ${transforms}, parents of ${parents}`,
		mapDifference(`${where} body_remap`, actual.bodyRemap, maps.body_remap as JsonObject),
		mapDifference(`${where} joint_remap`, actual.jointRemap, maps.joint_remap as JsonObject),
		mapDifference(`${where} body_merged_parent`, actual.bodyMergedParent, maps.body_merged_parent as JsonObject),
		...Object.entries(maps.body_merged_transform as JsonObject).map(([body, transform]) =>
			numberDifference(
				`${where} transform of ${body}`,
				actual.bodyMergedTransform.get(Number(body)) ?? [],
				transform as number[],
				POSE,
			),
		),
	]);
}

function mapDifference(where: string, actual: ReadonlyMap<number, number>, expected: JsonObject): string | undefined {
	const keys = Object.keys(expected);
	if (keys.length !== actual.size) return `${where} has ${actual.size} entries, expected ${keys.length}`;
	const wrong = keys.find((key) => actual.get(Number(key)) !== expected[key]);
	return wrong === undefined
		? undefined
		: `${where} of ${wrong} is ${actual.get(Number(wrong))}, expected ${shortJson(expected[wrong])}`;
}
