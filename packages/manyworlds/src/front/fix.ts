import { Report } from '@manyworlds/core';
import { checkAsset, type FixedFile, type FixOptions, fixAsset } from '@manyworlds/rep158';
import type { FixPlan } from '@manyworlds/rep158/internal';
import { isAssetFailure, whenLoaded } from '@manyworlds/usd';
import { loadWebpCodec } from '#platform';
import type { Asset } from './asset.ts';
import { AssetError } from './asset-error.ts';

/** What {@link fix} would change. Nothing is written. @public */
export interface FixedAsset {
	/** Files that change or are new, as the store names them, with their content before and after. */
	readonly files: readonly FixedFile[];
	/** What is done for which rule, and what was left and why. */
	readonly plan: FixPlan;
	readonly report: Report;
}

/**
 * Puts an OpenUSD asset right by the rules of REP 0158, in memory; comments and formatting stay. Other formats have no
 * fixes: rejects with an {@link AssetError}.
 *
 * ```ts
 * const { files } = await fix(await openAsset('robot.usda'));
 * for (const { identifier, bytes } of files) writeFileSync(identifier, bytes);
 * ```
 * @public
 */
export async function fix(asset: Asset, options: FixOptions = {}): Promise<FixedAsset> {
	const { store, name } = asset;
	const layer = await whenLoaded(store, () => loadedLayer(asset));
	if (layer === undefined || isAssetFailure(layer)) {
		throw new AssetError(
			'OPEN002',
			`'${name}' is no OpenUSD layer that can be read, and fixes are for those`,
			store.report,
		);
	}
	const report = options.report ?? new Report();
	const codecs = options.codecs ?? { webp: await loadWebpCodec() };
	const { files, plan } = fixAsset(layer, store, { ...options, report, codecs });
	return { files, plan, report };
}

/** The root layer, after all that it composes from in any variant selection was asked for. */
function loadedLayer({ store, identifier, format }: Asset): ReturnType<Asset['store']['layer']> {
	const layer = format === 'usd' ? store.layer(identifier) : undefined;
	if (layer !== undefined && !isAssetFailure(layer)) checkAsset(layer, store, { select: new Set() });
	return layer;
}
