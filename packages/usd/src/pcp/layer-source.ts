import type { Layer } from '../sdf/layer.ts';

/** What an asset path means where it was authored. */
export interface AssetIdentity {
	/** The anchored path: equal for two spellings of the same place. */
	readonly identifier: string;
	/** Why nothing may be read there, when that is so. */
	readonly refusal?: string;
}

/** A layer that cannot be had, with the reason in half a sentence ('' when it is just not there). */
export interface LayerFailure {
	readonly failure: string;
}

/**
 * Where composition finds layers. Both calls answer at once and read nothing: a layer that was not asked for yet is
 * undefined, comes back as a request, and composition is repeated when it is there.
 */
export interface LayerSource {
	/** What `assetPath`, authored in `anchor`, stands for. */
	identify(assetPath: string, anchor: Layer): AssetIdentity;
	/** The layer, or why there is none, or undefined when nobody has tried to load it. */
	layer(identifier: string): Layer | LayerFailure | undefined;
}

/** A layer that composition needed and did not have. */
export interface AssetRequest {
	readonly identifier: string;
	/** The path as authored, after evaluation of expressions. */
	readonly assetPath: string;
	/** Identifier of the layer that names it. */
	readonly anchor: string;
}

export function isLayerFailure(found: Layer | LayerFailure): found is LayerFailure {
	return 'failure' in found;
}
