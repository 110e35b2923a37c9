import { translateSdf } from '@manyworlds/convert';
import { Report } from '@manyworlds/core';
import { importAsset } from '@manyworlds/import';
import { ModelBuilder } from '@manyworlds/model';
import { type CheckOptions, checkAsset } from '@manyworlds/rep158';
import { loadScene } from '@manyworlds/scene';
import { isAssetFailure, whenLoaded } from '@manyworlds/usd';
import type { Asset } from './asset.ts';
import { AssetError } from './asset-error.ts';

/** What {@link check} found. @public */
export interface CheckedAsset {
	/** Findings with their places, and what is wrong with the files themselves. */
	readonly report: Report;
	/** Variant selections that were looked at; 1 for formats without variants. */
	readonly selectionCount: number;
}

/**
 * Finds what is wrong with an asset: OpenUSD by the rules of REP 0158 in every variant selection, URDF, MJCF and scenes
 * by what their importers find.
 *
 * ```ts
 * const { report } = await check(await openAsset('robot.usda'));
 * for (const { code, message, file, range } of report.toArray()) console.log(file, range?.start.line, code, message);
 * ```
 * @public
 */
export async function check(asset: Asset, options: CheckOptions = {}): Promise<CheckedAsset> {
	const { store, identifier } = asset;
	const found = await whenLoaded(store, () => checkLoaded(asset, options));
	const report = new Report();
	report.addAll(store.report);
	report.addAll(found.report);
	if (found.isUnusable) throw new AssetError('OPEN002', `'${store.name(identifier)}' cannot be read`, report);
	return { report, selectionCount: found.selectionCount };
}

interface Found {
	readonly report: Report;
	readonly selectionCount: number;
	readonly isUnusable?: boolean;
}

function checkLoaded({ store, identifier, format, checkout }: Asset, options: CheckOptions): Found {
	const report = new Report();
	if (format === 'usd') {
		const layer = store.layer(identifier);
		if (layer === undefined) return { report, selectionCount: 0 };
		if (isAssetFailure(layer)) return { report, selectionCount: 0, isUnusable: true };
		return checkAsset(layer, store, options);
	}
	if (format === 'scene') loadScene(identifier, { store, report, ...(checkout && { checkout }) });
	else importAsset(identifier, new ModelBuilder(), { store, report, format, translateSdf });
	return { report, selectionCount: 1 };
}
