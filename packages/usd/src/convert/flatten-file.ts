import type { Report } from '@manyworlds/core';
import { folderOf, isAbsoluteFile, relativeFile } from '../ar/file-path.ts';
import type { SourcePlaces } from '../ar/source-places.ts';
import { mapAssetPaths } from '../dependencies/asset-paths.ts';
import { flattenStage } from '../usd/flatten.ts';
import { flattenLayerStack } from '../usd/flatten-layer-stack.ts';
import type { Stage } from '../usd/stage.ts';
import { writeUsda } from '../usda/write-usda.ts';
import { writeUsdc } from '../usdc/crate-writer.ts';

/** Options of {@link flattenFile}. @public */
export interface FlattenFileOptions {
	readonly format: 'usda' | 'usdc';
	/** Where the layer will lie, as an absolute path: files are named as seen from there. */
	readonly output: string;
	/** Only put the root layer stack together; arcs stay. */
	readonly layerStack?: boolean;
	/** Name files by absolute paths, as OpenUSD does. */
	readonly absolutePaths?: boolean;
	/** Crate version to write, raised when the content needs it. */
	readonly usdcVersion?: string;
	/** Takes what the new layer cannot hold. */
	readonly report?: Report;
	/** Finds the lines that the report is about. */
	readonly places?: SourcePlaces;
}

/** Values of {@link FlattenFileOptions} that are used when absent. @public */
export const FLATTEN_FILE_DEFAULTS: { readonly layerStack: boolean; readonly absolutePaths: boolean } = Object.freeze({
	layerStack: false,
	absolutePaths: false,
});

/** Writes what a stage, or its root layer stack, composes to as the bytes of one layer. @public */
export function flattenFile(stage: Stage, options: FlattenFileOptions): Uint8Array {
	const { format, output, layerStack, absolutePaths, usdcVersion, report, places } = {
		...FLATTEN_FILE_DEFAULTS,
		...options,
	};
	const how = { identifier: output, ...(report && { report }), ...(places && { places }) };
	const layer = layerStack ? flattenLayerStack(stage, how) : flattenStage(stage, how);
	if (!absolutePaths) {
		const folder = folderOf(output);
		const [top] = folder.split('/').filter((part) => part !== '');
		mapAssetPaths(layer.data, ({ assetPath }) => {
			// a file that has nothing in common with the output stays where it is when that moves
			if (!isAbsoluteFile(assetPath) || assetPath.split('/').find((part) => part !== '') !== top) return assetPath;
			const path = relativeFile(folder, assetPath);
			return path.startsWith('../') ? path : `./${path}`;
		});
	}
	const common = { file: output, ...(report && { report }) };
	if (format === 'usda') return writeUsda(layer.data, common);
	return writeUsdc(layer.data, { ...common, ...(usdcVersion !== undefined && { version: usdcVersion }) });
}
