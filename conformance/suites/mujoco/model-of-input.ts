import { dirname, join, resolve } from 'node:path';
import { type Model, ModelBuilder } from '@manyworlds/model';
import { readJson } from '../../src/files.ts';
import type { Json, JsonObject } from '../../src/json.ts';
import type { SuiteContext } from '../../src/suite.ts';
import { builderOf, real } from '../import/builder-settings.ts';
import { runStep } from '../import/call-importer.ts';
import { type ImportStep, readImportCase } from '../import/import-case.ts';
import type { Program } from '../model-builders/golden.ts';
import { runProgram } from '../model-builders/run-program.ts';

/** The model of an entry of the table: an import case, a builder program or an asset, with what is done to it after. */
export function modelOfInput(input: JsonObject, path: string, context: SuiteContext): Model {
	const model =
		typeof input.program === 'string' ? programModel(input.program, path, context) : importedModel(input, context);
	for (const [key, value] of Object.entries((input.edits ?? {}) as JsonObject)) fill(model, key, value);
	return model;
}

/** Files are named from the folder of the golden data, wherever that lies. */
function programModel(name: string, path: string, context: SuiteContext): Model {
	const file = name.startsWith('..') ? resolve(context.dir, name) : join(context.dir, name);
	const root = readJson(file) as JsonObject;
	const run = runProgram((root.program ?? root) as unknown as Program);
	if (run.model === undefined) throw new Error(`the program of ${path} has no model: ${run.finalizeError?.message}`);
	return run.model;
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
		scene.replicate(builderNow, { worldCount: worlds });
		builderNow = scene;
	}
	return builderNow.finalize({ newtonCompat: true, skipValidation: true });
}

function importSteps(
	input: JsonObject,
	context: SuiteContext,
): { builder: JsonObject; steps: readonly ImportStep[]; folder: string } {
	if (typeof input.case === 'string') {
		const folder = resolve(context.dir, input.case);
		const { builder, steps } = readImportCase(folder);
		return { builder, steps, folder };
	}
	const asset = input.asset as string;
	const call = /\.urdf$/i.test(asset) ? 'add_urdf' : /\.xml$/i.test(asset) ? 'add_mjcf' : 'add_usd';
	const step: ImportStep = { call, source: { asset }, isInline: false, options: (input.options ?? {}) as JsonObject };
	return { builder: (input.builder ?? {}) as JsonObject, steps: [step], folder: dirname(context.dir) };
}

function fill(model: Model, key: string, value: Json): void {
	const array = key.includes(':') ? model.attributes.get(key) : model.array(key);
	array.fill(Number(real(value)) as never);
}
