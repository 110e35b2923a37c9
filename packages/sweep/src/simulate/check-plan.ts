import { quote, type Report } from '@manyworlds/core';
import { createDiagnostic, type SweepCode } from '../diagnostics.ts';
import type { SweepPlan } from '../plan/plan.ts';
import type { PlanPlaces } from '../plan/read-plan.ts';
import { Expansion } from '../runs/expansion.ts';
import type { ParameterValue } from '../sample/parameter.ts';
import { seriesQuantities } from './batch-runner.ts';
import { MetricCollector } from './metric.ts';
import { ModelMaker } from './model-maker.ts';
import { openControl } from './open-control.ts';
import { RefusedRun, type SweepAsset } from './sweep-asset.ts';
import type { WorldRecipe } from './world-recipe.ts';

/** Codes that say that a parameter of the plan is wrong, rather than its asset. */
const ABOUT_PARAMETERS = new Set(['SWP020', 'SWP021', 'SWP022', 'SWP023']);
/** Runs that are tried, should the first ones be refused for their values. */
const FIRST_RUNS = 3;
/** Most choices of a parameter that are tried one by one. */
const MOST_CHOICES = 64;

/**
 * Tries a plan on its asset before anything is run: every parameter leads somewhere, every variant and option exists, the asset can be
 * simulated, metrics and series name what there is, and some run satisfies the constraints. Findings stand where the plan
 * says what is wrong. Gives the world of the first run, for estimates.
 */
export async function checkPlan(
	plan: SweepPlan,
	asset: SweepAsset,
	places: PlanPlaces,
	report: Report,
): Promise<WorldRecipe | undefined> {
	const add = (code: SweepCode, path: readonly (string | number)[], message: string): void =>
		report.add(createDiagnostic(code, message, places.locate(path)));
	const expansion = new Expansion(plan);
	if (!expansion.isPossible) {
		const why = plan.constraints.length === 0 ? 'there are none' : 'none satisfies the constraints';
		add('SWP031', plan.constraints.length === 0 ? ['runs'] : ['constraints'], `of ${expansion.count} runs ${why}`);
		return undefined;
	}
	const maker = new ModelMaker(plan, asset);
	let recipe: WorldRecipe | undefined;
	let refusal: string | undefined;
	for (const values of trials(plan, expansion)) {
		try {
			const made = await maker.make(values);
			recipe ??= made;
		} catch (error) {
			if (!(error instanceof RefusedRun)) throw error;
			const isOfPlan = error.codes.some((code) => ABOUT_PARAMETERS.has(code));
			const named = plan.parameters.find(({ name }) => error.message.startsWith(`${name}: `));
			const path = named === undefined ? optionPath(plan, error.message) : ['parameters', named.name];
			// single values may be bad: that is a result, not a mistake of the plan
			if (isOfPlan)
				add(error.codes.find((code) => ABOUT_PARAMETERS.has(code)) as SweepCode, path, `parameters.${error.message}`);
			else refusal ??= error.message;
			if (report.hasErrors) return undefined;
		}
	}
	if (recipe === undefined) {
		add('SWP025', [plan.isScene ? 'scene' : 'asset'], `the asset cannot be simulated: ${refusal}`);
		return undefined;
	}
	checkOutputs(plan, recipe, places, report);
	checkControl(plan, asset, recipe, add);
	return report.hasErrors ? undefined : recipe;
}

/** Where the parameter of an option is written. */
function optionPath(plan: SweepPlan, message: string): readonly string[] {
	const named = plan.parameters.find(({ target }) => target.kind === 'option' && message.includes(target.name));
	return named === undefined ? ['parameters'] : ['parameters', named.name];
}

/** Values that together use every parameter, and every choice of those with names, and some of the first runs. */
function trials(plan: SweepPlan, expansion: Expansion): (readonly ParameterValue[])[] {
	const all: (readonly ParameterValue[])[] = [];
	for (const { values } of expansion.runs()) if (all.push(values) === FIRST_RUNS) break;
	const first = all[0]!;
	for (const [i, { distribution }] of plan.parameters.entries()) {
		if (distribution.kind !== 'choice') continue;
		for (const value of distribution.values.slice(0, MOST_CHOICES))
			if (value !== first[i]) all.push(first.map((own, k) => (k === i ? value : own)));
	}
	return all;
}

function checkOutputs(plan: SweepPlan, { model }: WorldRecipe, places: PlanPlaces, report: Report): void {
	const { metrics, series } = plan.outputs;
	for (const metric of metrics) {
		const collector = MetricCollector.create(metric, model, 0);
		if (!('fault' in collector)) continue;
		const place = places.locateWithin(['outputs', 'metrics', metric.name, metric.kind], collector.at);
		report.add(
			createDiagnostic(
				'SWP024',
				`outputs.metrics.${metric.name} is ${quote(metric.expression)}: ${collector.fault}`,
				place,
			),
		);
	}
	for (const [i, name] of (series?.quantities ?? []).entries()) {
		try {
			seriesQuantities(model, 0, [name]);
		} catch (error) {
			const place = places.locate(['outputs', 'series', 'quantities', i]);
			report.add(createDiagnostic('SWP024', `outputs.series.quantities[${i}]: ${(error as Error).message}`, place));
		}
	}
}

function checkControl(
	plan: SweepPlan,
	{ store, control }: SweepAsset,
	{ model }: WorldRecipe,
	add: (code: SweepCode, path: readonly string[], message: string) => void,
): void {
	if (plan.simulate.control === undefined || control === undefined) return;
	try {
		openControl(store, control, model);
	} catch (error) {
		if (!(error instanceof RefusedRun)) throw error;
		add('SWP025', ['simulate', 'control'], error.message);
	}
}
