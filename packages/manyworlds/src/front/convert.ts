import { Report } from '@manyworlds/core';
import { saveToMjcf } from '@manyworlds/mujoco';
import { convertFile, isAssetFailure, type LayerFormat, whenLoaded } from '@manyworlds/usd';
import type { Asset } from './asset.ts';
import { AssetError } from './asset-error.ts';
import { modelOf, type RobotOptions } from './model-of.ts';

/** Formats that assets are converted to. @public */
export type ConvertFormat = LayerFormat | 'mjcf';

/** What {@link convert} makes. @public */
export interface ConvertedAsset {
	/** The file. */
	readonly bytes: Uint8Array;
	/** Files that it refers to, by name relative to it. */
	readonly files: ReadonlyMap<string, Uint8Array>;
	/** What could not be carried over, and what was found on the way. */
	readonly report: Report;
}

/**
 * Writes an asset in another format: an OpenUSD layer as text, crate or package with all it depends on, any robot as MJCF.
 *
 * ```ts
 * const { bytes, files } = await convert(await openAsset('robot.urdf'), 'mjcf');
 * ```
 * @public
 */
export async function convert(
	asset: Asset,
	format: ConvertFormat,
	options: RobotOptions = {},
): Promise<ConvertedAsset> {
	const { store, identifier, name } = asset;
	if (format === 'mjcf') {
		const { model, report } = await modelOf(asset, { ...options, worlds: 1, ground: false });
		const saved = saveToMjcf(model);
		report.addAll(saved.report);
		return { bytes: new TextEncoder().encode(saved.text), files: saved.files, report };
	}
	const converted = await whenLoaded(store, () => {
		const report = new Report();
		const content = store.bytes(identifier);
		if (asset.format !== 'usd' || content === undefined || isAssetFailure(content)) return { report };
		const read = (file: string): Uint8Array | undefined => {
			const found = store.bytes(store.identify(file, '').identifier);
			return found === undefined || isAssetFailure(found) ? undefined : found;
		};
		const bytes = convertFile(content, { file: identifier, output: `${identifier}.${format}`, format, read, report });
		return { bytes, report };
	});
	if (converted.bytes === undefined) {
		const reason = asset.format === 'usd' ? 'it has errors' : `only OpenUSD layers are written as ${format}`;
		throw new AssetError('OPEN002', `'${name}' cannot be converted: ${reason}`, converted.report);
	}
	return { bytes: converted.bytes, files: new Map(), report: converted.report };
}
