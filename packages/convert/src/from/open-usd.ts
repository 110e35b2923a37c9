import { quote, type Report } from '@manyworlds/core';
import {
	type AssetStore,
	isAssetFailure,
	Layer,
	LoadRules,
	Path,
	PathKind,
	type Prim,
	Stage,
	selectVariant,
} from '@manyworlds/usd';
import { createDiagnostic } from '../diagnostics.ts';

/** Opens a stage; undefined when there is none. Choices that the stage does not have are told, and nothing is chosen for them. */
export function openUsd(
	identifier: string,
	store: AssetStore,
	report: Report,
	choices: readonly VariantChoice[] = [],
	load: LoadRules = LoadRules.all,
): Stage | undefined {
	const layer = store.layer(identifier);
	if (layer === undefined || isAssetFailure(layer)) return undefined;
	if (choices.length === 0) return Stage.open(layer, { store, report, load });
	const sessionLayer = Layer.create('variants.usda');
	for (const { prim, set, variant } of choices) {
		const path = Path.parse(prim);
		if (path?.kind !== PathKind.prim || !path.isAbsolute) continue;
		sessionLayer.createPrim(path);
		selectVariant(sessionLayer, path, set, variant);
	}
	const stage = Stage.open(layer, { store, report, sessionLayer, load });
	for (const { prim, set, variant } of choices) {
		const found = Path.parse(prim)?.kind === PathKind.prim ? definedPrim(stage, prim) : undefined;
		const variants = found?.variantSets().includes(set) === true ? found.variants(set) : undefined;
		if (variants?.includes(variant) === true) continue;
		const expected =
			found === undefined
				? 'there is no such prim'
				: variants === undefined
					? `it has ${
							found.variantSets().length === 0
								? 'no variant sets'
								: found
										.variantSets()
										.map((name) => quote(name))
										.join(', ')
						}`
					: `expected one of ${variants.map((name) => quote(name)).join(', ')}`;
		const message = `the variant ${quote(`${prim}:${set}=${variant}`)} cannot be selected: ${expected}`;
		report.add(createDiagnostic('CNV009', message, { file: identifier }));
	}
	return stage;
}

/** A prim that the stage itself has, not only what was chosen for it. */
function definedPrim(stage: Stage, path: string): Prim | undefined {
	const prim = stage.prim(path);
	return prim?.isDefined === true ? prim : undefined;
}

/** A variant to select on a stage instead of the authored one. @public */
export interface VariantChoice {
	/** Path of the prim that has the set. */
	readonly prim: string;
	readonly set: string;
	readonly variant: string;
}
