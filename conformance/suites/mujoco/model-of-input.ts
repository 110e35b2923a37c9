import { existsSync } from 'node:fs';
import { basename, dirname, resolve } from 'node:path';
import { type Model, ModelBuilder } from '@manyworlds/model';
import { readJson } from '../../src/files.ts';
import type { Json, JsonObject } from '../../src/json.ts';
import { expectedNumbers } from '../../src/newton/compare-numbers.ts';
import type { SuiteContext } from '../../src/suite.ts';
import { builderOf, real } from '../import/builder-settings.ts';
import { runStep } from '../import/call-importer.ts';
import { type ImportStep, readImportCase } from '../import/import-case.ts';
import { type Program, readGolden } from '../model-builders/golden.ts';
import { interpret, type Ledger } from '../model-builders/ledger.ts';
import { runProgram } from '../model-builders/run-program.ts';

/** The model of an entry of the table: an import case, a builder program or an asset, with what is done to it after. */
export function modelOfInput(input: JsonObject, path: string, context: SuiteContext): Model {
	const model =
		typeof input.program === 'string' ? programModel(input.program, path, context) : importedModel(input, context);
	for (const [key, value] of Object.entries((input.edits ?? {}) as JsonObject)) fill(model, key, value);
	return model;
}

/**
 * The model of a program as the reference has it, with its known faults: what counts here is the conversion. Files are
 * named from the folder of the golden data, wherever that lies.
 */
function programModel(name: string, path: string, context: SuiteContext): Model {
	const file = goldenFile(name, context);
	const { program } = readJson(file) as { program: Program };
	const run = runProgram(program);
	if (run.model === undefined)
		throw new RefusedModel(run.finalizeError?.message ?? `the program of ${path} has no model`);
	// changed programs keep the calls of the original, and so the outcomes of the refused ones
	const original = goldenFile(`../newton-builders/${basename(file)}`, context);
	const golden = readGolden(existsSync(original) ? original : file);
	const recorded = file === original ? golden.model : undefined;
	if (recorded === undefined) takeFaults(run.model, interpret({ ...golden, program }, true));
	else {
		const arrays = Object.entries(recorded.arrays).map(([key, array]) => [key, expectedNumbers(array)] as const);
		takeFaults(run.model, { arrays: Object.fromEntries(arrays), filterPairs: recorded.filter_pairs });
	}
	return run.model;
}

/** A file named from the folder of the golden data; when the folder is another one, from where that lies by default. */
function goldenFile(name: string, context: SuiteContext): string {
	const beside = resolve(context.dir, name);
	return existsSync(beside) ? beside : resolve(context.assetsDir, '../oracle/golden/newton-mujoco', name);
}

/** A model that is refused before any conversion. */
export class RefusedModel extends Error {}

function takeFaults(model: Model, ledger: Pick<Ledger, 'arrays' | 'filterPairs'>): void {
	for (const [name, numbers] of Object.entries(ledger.arrays)) {
		if (!/^body_(mass|com|inertia|inv_mass|inv_inertia)$/.test(name)) continue;
		const array = model.array(name);
		if (array.length !== numbers.length)
			throw new TypeError(`${name} has ${array.length} numbers, expected ${numbers.length}`);
		array.set(numbers);
	}
	Object.defineProperty(model, 'shapeCollisionFilterPairs', { value: Int32Array.from(ledger.filterPairs.flat()) });
}

function importedModel(input: JsonObject, context: SuiteContext): Model {
	const { builder, steps, folder } = importSteps(input, context);
	let builderNow = builderOf(builder);
	for (const step of steps) {
		const outcome = runStep(builderNow, step, folder, context);
		if (outcome.result === undefined) throw new Error(`the import failed: ${outcome.error}`);
	}
	if (input.ground === true) builderNow.addGroundPlane();
	const worlds = Number(input.worlds ?? 1);
	if (worlds > 1) {
		const scene = new ModelBuilder();
		scene.replicate(builderNow, { count: worlds });
		builderNow = scene;
	}
	return builderNow.finalize({ newtonCompat: true, skipValidation: true });
}

function importSteps(
	input: JsonObject,
	context: SuiteContext,
): { builder: JsonObject; steps: readonly ImportStep[]; folder: string } {
	if (typeof input.case === 'string') {
		const folder = goldenFile(input.case, context);
		const { builder, steps } = readImportCase(folder);
		return { builder, steps, folder };
	}
	const asset = input.asset as string;
	const call = /\.urdf$/i.test(asset) ? 'add_urdf' : /\.xml$/i.test(asset) ? 'add_mjcf' : 'add_usd';
	const step: ImportStep = { call, source: { asset }, isInline: false, options: (input.options ?? {}) as JsonObject };
	return { builder: (input.builder ?? {}) as JsonObject, steps: [step], folder: dirname(context.dir) };
}

/** Fills an array with one value, which may be a row. */
function fill(model: Model, key: string, value: Json): void {
	const array = (key.includes(':') ? model.attributes.get(key) : model.array(key)) as Float64Array;
	const row = (Array.isArray(value) ? value : [value]).map((number) => Number(real(number)));
	for (let i = 0; i < array.length; i++) array[i] = row[i % row.length]!;
}
