import { type ConvertRobotOptions, convertRobot, type TargetFormat } from '@manyworlds/convert';
import { isTargetFormat } from '@manyworlds/convert/internal';
import { Report } from '@manyworlds/core';
import { convertFile, isAssetFailure, type LayerFormat, whenLoaded } from '@manyworlds/usd';
import type { Asset } from './asset.ts';
import { AssetError } from './asset-error.ts';

/** Formats that assets are converted to. @public */
export type ConvertFormat = LayerFormat | TargetFormat;

/** Options of {@link convert}, for robots. @public */
export type ConvertOptions = Pick<
	ConvertRobotOptions,
	'base' | 'package' | 'splitJoints' | 'ros2Control' | 'srdf' | 'interfaceFile' | 'mainFile' | 'isStrict'
>;

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
 * Writes an asset in another format: an OpenUSD layer as text, crate or package with all it depends on, any robot as URDF,
 * SDF or MJCF with its meshes, and what anything looks like as glTF.
 *
 * ```ts
 * const { bytes, files } = await convert(await openAsset('robot.urdf'), 'mjcf');
 * ```
 * @public
 */
export async function convert(
	asset: Asset,
	format: ConvertFormat,
	options: ConvertOptions = {},
): Promise<ConvertedAsset> {
	const { store, identifier, name } = asset;
	if (isTargetFormat(format)) {
		const { robot, report } = await whenLoaded(store, () => {
			const found = new Report();
			return { robot: convertRobot(identifier, { ...options, store, to: format, report: found }), report: found };
		});
		if (robot === undefined) throw new AssetError('OPEN002', `'${name}' holds no robot to convert`, report);
		const [main, ...others] = robot.files.map(
			({ path, content }) => [path, typeof content === 'string' ? new TextEncoder().encode(content) : content] as const,
		);
		return { bytes: main![1], files: new Map(others), report };
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
