import { Report } from '@manyworlds/core';
import { readPlan } from '@manyworlds/sweep';
import { Expansion, finishWorlds, ModelMaker, structureOf, type WorldRecipe } from '@manyworlds/sweep/internal';
import type { Asset, OpenedModel } from 'manyworlds';

/** Runs of a sweep as worlds beside each other. */
export interface SweepWorlds {
	readonly opened: OpenedModel;
	/** Names of the parameters, and the values of each world in their order. */
	readonly parameters: readonly string[];
	readonly values: readonly (readonly (string | number | boolean)[])[];
	/** What is not shown, in words. */
	readonly notes: readonly string[];
}

/** Makes the first runs of a plan for an asset, as many as are asked for. Rejects with a sentence when there is none. */
export async function sweepWorlds(asset: Asset, text: string, file: string, most: number): Promise<SweepWorlds> {
	const { plan, report } = readPlan(text, { file });
	if (plan === undefined) {
		const [finding] = report.toArray().filter(({ severity }) => severity === 'error');
		throw new Error(`'${file}' is not a plan of a sweep: ${finding?.message ?? 'it cannot be read'}`);
	}
	const maker = new ModelMaker(plan, asset);
	const expansion = new Expansion(plan);
	const recipes: WorldRecipe[] = [];
	const values: (readonly (string | number | boolean)[])[] = [];
	let [structure, others]: [string | undefined, number] = [undefined, 0];
	for (const run of expansion.runs()) {
		if (recipes.length >= most) break;
		const recipe = await maker.make(run.values);
		structure ??= structureOf(recipe);
		if (structureOf(recipe) === structure) {
			recipes.push(recipe);
			values.push(run.values as readonly (string | number | boolean)[]);
		} else others++;
		if (others > most) break;
	}
	const [first] = recipes;
	if (first === undefined) throw new Error(`'${file}' has no run`);
	const model = finishWorlds(recipes.map(({ builder }) => builder));
	const start = model.createState();
	for (const [world, recipe] of recipes.entries()) {
		for (const [name, entity, width] of ROWS) {
			const { start: row } = model.worlds.range(entity, world);
			start[name].set(recipe.start[name], width * row);
		}
	}
	const shown = `${recipes.length} of ${expansion.count} runs of ${file}`;
	return {
		opened: { model, start, dt: first.dt, sap: first.sap, report: new Report() },
		parameters: plan.parameters.map(({ name }) => name),
		values,
		notes: others === 0 ? [shown] : [shown, `${others} runs have other links or joints and are left out`],
	};
}

const ROWS = [
	['bodyQ', 'body', 7],
	['bodyQd', 'body', 6],
	['jointQ', 'jointCoord', 1],
	['jointQd', 'jointDof', 1],
] as const;
