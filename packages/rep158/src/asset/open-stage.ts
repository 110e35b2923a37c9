import { Report } from '@manyworlds/core';
import { type AssetStore, Layer, makeValue, Path, Stage, T, type Value } from '@manyworlds/usd';
import { IDENTITY_OFFSET } from '@manyworlds/usd/internal';
import { selectVariants, type VariantChoice } from './variant-selections.ts';

/** How an asset is opened. */
export interface OpenStageOptions {
	/** Variants that are selected over the authored ones. */
	readonly choices?: readonly VariantChoice[];
	readonly load?: 'all' | 'none';
	/** Layers over the asset. */
	readonly over?: readonly Layer[];
}

/** Values of {@link OpenStageOptions} that are used when absent. */
export const OPEN_STAGE_DEFAULTS: Required<OpenStageOptions> = { choices: [], load: 'all', over: [] };

/** The stage of an asset with some variants selected. What composition finds wrong is `stage.errors()`. */
export function openAssetStage(
	root: Layer,
	store: Pick<AssetStore, 'identify' | 'exists' | 'layer'>,
	options: OpenStageOptions = {},
): Stage {
	const { choices, load, over } = { ...OPEN_STAGE_DEFAULTS, ...options };
	const isAuthored = choices.length + over.length === 0;
	return Stage.open(root, {
		store,
		load,
		report: new Report({ cap: 0 }),
		...(!isAuthored && { sessionLayer: makeSessionLayer(root, choices, over) }),
	});
}

/** A layer that selects variants, over other layers. */
function makeSessionLayer(root: Layer, choices: readonly VariantChoice[], over: readonly Layer[]): Layer {
	const layer = Layer.create('selection.usda');
	if (over.length > 0) {
		// layers of other rates would be stretched in time
		for (const field of ['timeCodesPerSecond', 'framesPerSecond']) {
			const rate = root.field(Path.root, field);
			if (rate !== undefined) layer.setField(Path.root, field, rate);
		}
		const paths = over.map(({ identifier }) => identifier);
		layer.setField(Path.root, 'subLayers', makeValue(T.stringVector, paths) as Value);
		const offsets = paths.map(() => IDENTITY_OFFSET);
		layer.setField(Path.root, 'subLayerOffsets', makeValue(T.layerOffsetVector, offsets) as Value);
	}
	selectVariants(layer, choices);
	return layer;
}
