import type { Diagnostic, Report } from '@manyworlds/core';
import type { AssetStore, Layer } from '@manyworlds/usd';
import { diagnoseComposition, SourcePlaces } from '@manyworlds/usd/internal';
import { openAssetStage } from './asset/open-stage.ts';
import { VariantSelections } from './asset/variant-selections.ts';
import { type CheckOptions, checkSettings } from './check-options.ts';
import { AssetState } from './context/asset-state.ts';
import { CheckContext } from './context/check-context.ts';
import { createDiagnostic, type RepCode } from './diagnostics.ts';
import { FindingCollector } from './finding-collector.ts';
import { Reporter } from './reporter.ts';
import type { Rule } from './rule.ts';
import { RULES } from './rules/index.ts';
import { MISSING_PARTS } from './rules/section-1-2-4.ts';

/** What checking an asset gives. @public */
export interface AssetCheck {
	/** Findings, what composition reported, and what the checker says about itself. */
	readonly report: Report;
	/** Prims of the asset as authored. */
	readonly primCount: number;
	readonly layerCount: number;
	/** Variant selections that were checked, the authored one included. */
	readonly selectionCount: number;
}

/**
 * Checks an asset against REP 0158: every rule on every variant selection, as far as the options go. What one rule finds in several
 * selections, or at one authored place for many prims, is reported once. What is wrong with the files themselves is in the report of
 * the store.
 *
 * ```ts
 * const { report } = checkAsset(rootLayer, store);
 * for (const finding of report.toArray()) console.log(finding.code, finding.message);
 * ```
 * @public
 */
export function checkAsset(rootLayer: Layer, store: AssetStore, options: CheckOptions = {}): AssetCheck {
	const steps = checkAssetSteps(rootLayer, store, options);
	for (;;) {
		const { done, value } = steps.next();
		if (done === true) return value;
	}
}

/**
 * The same in small steps, for who must do something else in between or may stop halfway. The layers must not change meanwhile.
 * @public
 */
export function* checkAssetSteps(
	rootLayer: Layer,
	store: AssetStore,
	options: CheckOptions = {},
): Generator<undefined, AssetCheck, undefined> {
	const settings = checkSettings(options);
	settings.memory?.begin();
	const state = new AssetState(store, settings);
	const collector = new FindingCollector(store, settings);
	const rules = activeRules(settings.select, settings.severities);
	const reportsMissingParts = rules.some(({ id }) => id === 'R1.2.4.2');
	const selections = new VariantSelections();
	const seenLayers = new Set<Layer>();
	const composition = new Map<string, Diagnostic>();
	const places = new SourcePlaces(store, { excerpts: settings.excerpts });
	let primCount = 0;
	let checked = 0;
	/** Prims of the selections that differ from the authored one. */
	let composed = 0;

	while (selections.pending > 0) {
		const isEnough = checked > 0 && composed + primCount > settings.maxVariantPrims;
		if (checked >= settings.maxVariants || isEnough) {
			const left = selections.pending;
			const message = `${checked} variant selections were checked, ${left} or more were left out`;
			collector.report.add(createDiagnostic('CHK001', message, { file: store.name(rootLayer.identifier) }));
			break;
		}
		settings.onStep?.(checked === 0 ? 'composing' : `variant selection ${checked + 1}`);
		const shown = selections.next((choices) => openAssetStage(rootLayer, store, { choices }))!;
		const { stage, selection } = shown;
		yield;
		for (const error of stage.errors()) {
			if (MISSING_PARTS.has(error.kind) && reportsMissingParts) continue;
			const diagnostic = diagnoseComposition(error, places);
			composition.set(`${diagnostic.code}${diagnostic.message}${diagnostic.file}`, diagnostic);
		}
		const newLayers = stage.usedLayers().filter((layer) => layer !== stage.sessionLayer && !seenLayers.has(layer));
		for (const layer of newLayers) seenLayers.add(layer);
		if (checked === 0) state.learnVendors(newLayers);
		const context = new CheckContext(stage, Object.fromEntries(selection), newLayers, state);
		const prims = context.lists.all.length;
		if (checked === 0) primCount = prims;
		else composed += prims;
		checked++;
		if (prims > settings.maxPrims) {
			const message = `the stage has more than ${settings.maxPrims} prims, which is the limit`;
			collector.report.add(createDiagnostic('CHK006', message, { file: store.name(rootLayer.identifier) }));
			break;
		}
		yield* runRules(rules, context, collector);
		selections.addNeighbours(shown);
		stage.close();
	}

	settings.memory?.end();
	for (const diagnostic of composition.values()) collector.report.add(diagnostic);
	return { report: collector.report, primCount, layerCount: seenLayers.size, selectionCount: checked };
}

function activeRules(
	select: ReadonlySet<RepCode> | undefined,
	severities: CheckOptions['severities'],
): readonly Rule[] {
	return RULES.filter(
		({ id, visit }) => visit !== undefined && (select?.has(id) ?? true) && severities?.get(id) !== 'off',
	);
}

function* runRules(
	rules: readonly Rule[],
	context: CheckContext,
	collector: FindingCollector,
): Generator<undefined, void, undefined> {
	for (const rule of rules) {
		yield;
		const reporter = new Reporter(rule, (finding) => collector.take(finding, context));
		try {
			rule.visit!(context, reporter);
		} catch (error) {
			const detail = error instanceof Error ? (error.stack ?? error.message) : String(error);
			const message = `rule ${rule.id} ended with an internal error: ${error instanceof Error ? error.message : detail}`;
			const file = context.store.name(context.rootLayer.identifier);
			collector.report.add(createDiagnostic('CHK002', message, { file, data: { rule: rule.id, detail } }));
		}
	}
}
