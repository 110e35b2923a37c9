import { dirname } from 'node:path';
import type { UsdActuator } from '@manyworlds/import';
import { type Model, ModelError } from '@manyworlds/model';
import { caseName, walkFiles } from '../../src/files.ts';
import { modelDifferences } from '../../src/newton/model-differences.ts';
import type { Case, Group, Outcome, Suite, SuiteContext } from '../../src/suite.ts';
import { actuatorDifference } from './actuator-differences.ts';
import { builderOf } from './builder-settings.ts';
import { runStep, type StepOutcome } from './call-importer.ts';
import { recordCollapses } from './collapse-inertia.ts';
import { FORMATS, type ImportCase, readAssetCase, readImportCase } from './import-case.ts';
import { checkLedger } from './ledger-totals.ts';
import { messageDifferences } from './message-differences.ts';
import { outOfScope } from './out-of-scope.ts';
import { repairsOf } from './repairs.ts';
import { resultDifferences } from './result-differences.ts';

const TOLERANCE =
	'1e-5 relative plus 1e-6, inertia 1e-4, inverse inertia 1e-3 relative; hulls by bounds and volume; everything else exact';

/** Calls of Newton's own importer tests. */
export const importNewton: Suite = {
	name: 'import/newton',
	description:
		'NAME/options.json with input files, NAME/expected.json.gz with the model that Newton 1.6.1 makes of them',
	defaultDir: 'oracle/golden/newton-import',
	groups: formatGroups(function* (context) {
		for (const path of walkFiles(context.dir)) {
			if (!path.endsWith('/options.json')) continue;
			const folder = dirname(path);
			yield { name: caseName(context.dir, folder), load: () => readImportCase(folder) };
		}
	}),
};

/** Robots and scenes with default options. */
export const importAssets: Suite = {
	name: 'import/assets',
	description: 'NAME.json.gz with the model that Newton 1.6.1 makes of a file of the asset folder',
	defaultDir: 'oracle/golden/newton-assets',
	groups: formatGroups(function* (context) {
		for (const path of walkFiles(context.dir)) {
			if (!/\.json(\.gz)?$/.test(path) || path.endsWith('index.json')) continue;
			yield { name: caseName(context.dir, path).replace(/\.json(\.gz)?$/, ''), load: () => readAssetCase(path) };
		}
	}),
};

interface CaseFile {
	readonly name: string;
	load(): ImportCase;
}

/** One group for each format of the last call, and one for the ledgers of all. */
function formatGroups(list: (context: SuiteContext) => Iterable<CaseFile>): Group[] {
	const formats = Object.entries(FORMATS).map(([call, format]) => ({
		name: format,
		description: `${format.toUpperCase()}: outcome, messages, every array, label, map and attribute of the model`,
		tolerance: TOLERANCE,
		timeLimit: 60,
		*cases(context: SuiteContext): Generator<Case> {
			for (const { name, load } of list(context)) {
				let it: ImportCase;
				try {
					it = load();
				} catch (error) {
					// a file that cannot be read belongs to no format; the first group tells of it
					if (format === 'usd') yield { name, run: () => `cannot be read: ${(error as Error).message}` };
					continue;
				}
				if (it.expected.call === call) yield { name, run: () => check(it, context) };
			}
		},
	}));
	const ledger: Group = {
		name: 'ledger',
		description: 'every authored attribute is accounted for: used, converted, kept or ignored with a reason',
		tolerance: 'exact',
		timeLimit: 60,
		*cases(context: SuiteContext): Generator<Case> {
			for (const { name, load } of list(context)) yield { name, run: () => checkLedger(load(), context) };
		},
	};
	return [...formats, ledger];
}

function check(it: ImportCase, context: SuiteContext): Outcome {
	const builder = builderOf(it.builder);
	const collapses = recordCollapses(builder);
	let last: StepOutcome | undefined;
	for (const step of it.steps) {
		if (last?.error !== undefined) break;
		last = runStep(builder, step, it.folder, context);
	}
	const outcome = last!;
	const skipped = outOfScope(it, outcome);
	if (skipped !== undefined) return skipped;
	if (it.expected.error !== null) {
		return outcome.error === undefined ? `the import succeeded, expected: ${it.expected.error.message}` : undefined;
	}
	if (outcome.result === undefined) return `the import failed: ${outcome.error}`;
	const isSilent = it.expected.warnings.length === 0;
	const problems: (string | undefined)[] = [
		outcome.error !== undefined && isSilent ? `the import reports an error: ${outcome.error}` : undefined,
		...messageDifferences(outcome.diagnostics, it.expected.warnings),
		...resultDifferences(outcome.result, it.expected.result),
	];
	let model: Model;
	try {
		const finalized = finalize(builder, it);
		if (typeof finalized === 'string') return summary([...problems, finalized]);
		model = finalized;
	} catch (error) {
		if (!(error instanceof ModelError)) throw error;
		return summary([...problems, `finalize failed: ${error.message}`]);
	}
	if (it.model !== undefined) {
		const repairs = repairsOf({ it, context, model, expected: it.model, collapses });
		const actuators = (outcome.result.actuators ?? []) as readonly UsdActuator[];
		problems.push(...modelDifferences(model, it.model, repairs), actuatorDifference(actuators, it.model.actuators));
	}
	return summary(problems);
}

/** The model; one that the reference refuses must be refused, and is then made without the checks, as the dump was. */
function finalize(builder: ReturnType<typeof builderOf>, it: ImportCase): Model | string {
	const options = { newtonCompat: true };
	// the reference cannot make distance fields without a GPU
	if (it.finalizeError === null || /CUDA/.test(it.finalizeError.message)) return builder.finalize(options);
	try {
		builder.finalize(options);
	} catch (error) {
		if (!(error instanceof ModelError)) throw error;
		return builder.finalize({ ...options, skipValidation: true });
	}
	return `finalize succeeded, expected: ${it.finalizeError.message}`;
}

function summary(problems: readonly (string | undefined)[]): string | undefined {
	const found = problems.filter((problem) => problem !== undefined);
	if (found.length === 0) return undefined;
	return found.length > 6 ? `${found.slice(0, 6).join('; ')}; ${found.length - 6} more` : found.join('; ');
}
