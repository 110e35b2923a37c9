import type { Report } from '@manyworlds/core';
import { openFile } from './ar/open-file.ts';
import { Layer } from './sdf/layer.ts';

/** Options of {@link openLayer}. @public */
export interface OpenLayerOptions {
	/** Name of the layer, and of the file in diagnostics; `package.usdz[member.usda]` opens a member of a package. */
	readonly identifier: string;
	/** Receives what is wrong with the file. */
	readonly report?: Report;
}

/**
 * Opens a layer from the bytes of a usda, usdc or usdz file; the content decides which. A file with mistakes gives
 * what could be read of it; undefined when there is nothing to read.
 *
 * ```ts
 * const report = new Report();
 * const layer = openLayer(bytes, { identifier: 'robot.usd', report });
 * layer?.field('/Robot', 'typeName');
 * ```
 * @public
 */
export function openLayer(bytes: Uint8Array, options: OpenLayerOptions): Layer | undefined {
	const { identifier, report } = options;
	const { layer } = openFile(bytes, { file: identifier, ...(report && { report }) });
	return layer && new Layer(layer.file, layer.data);
}
