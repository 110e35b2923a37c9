import { Report } from '@manyworlds/core';
import type { MetadataRegistry } from '../sdf/metadata-registry.ts';
import { CrateData } from './crate-data.ts';
import { CrateReporter, emptyStructure, readStructure } from './crate-structure.ts';

/** Options of {@link readUsdc}. */
export interface ReadUsdcOptions {
	/** Name of the file in diagnostics. */
	readonly uri?: string;
	/** Takes what is wrong with the file, also what shows only when a value is decoded later. */
	readonly report?: Report;
	/** Most bytes that one compressed array may decode to. */
	readonly maxArrayBytes?: number;
	/** Not used: crate files say the type of every value. All readers and writers take it. */
	readonly registry?: MetadataRegistry;
}

/** Values of {@link ReadUsdcOptions} that are used when absent. */
export const READ_USDC_DEFAULTS: { readonly uri: string; readonly maxArrayBytes: number } = {
	uri: '',
	maxArrayBytes: 2 ** 30,
};

/**
 * Reads a crate file (usdc, versions 0.4.0 to 0.16.0). Never fails: what is wrong is in the report, and the data holds what
 * could be read. Values are decoded on demand, so `bytes` must not change while the data is in use.
 */
export function readUsdc(bytes: Uint8Array, options: ReadUsdcOptions = {}): CrateData {
	const { uri, maxArrayBytes } = { ...READ_USDC_DEFAULTS, ...options };
	const reporter = new CrateReporter(options.report ?? new Report(), uri);
	const structure = readStructure(bytes, reporter) ?? emptyStructure();
	return new CrateData({ bytes, structure, reporter, maxArrayBytes });
}
