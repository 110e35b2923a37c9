import { Report } from '@manyworlds/core';
import type { MetadataRegistry } from '../sdf/metadata-registry.ts';
import { CrateData } from './crate-data.ts';
import { crateLimits } from './crate-limits.ts';
import { CrateReporter, emptyStructure, readStructure } from './crate-structure.ts';

/** Options of {@link readUsdc}. */
export interface ReadUsdcOptions {
	/** Name of the file in diagnostics. */
	readonly file?: string;
	/** Takes what is wrong with the file, also what shows only when a value is decoded later. */
	readonly report?: Report;
	/**
	 * Most bytes that the arrays, lists and dictionaries of the file may decode to in all, each counted once. When absent, 64 MiB
	 * and 64 times the size of the file: no sound file comes near.
	 */
	readonly maxValueBytes?: number;
	/** Not used: crate files say the type of every value. All readers and writers take it. */
	readonly registry?: MetadataRegistry;
}

/** Values of {@link ReadUsdcOptions} that are used when absent. */
export const READ_USDC_DEFAULTS: { readonly file: string } = { file: '' };

/**
 * Reads a crate file (usdc, versions 0.4.0 to 0.16.0). Never fails: what is wrong is in the report, and the data holds what
 * could be read. Values are decoded on demand, so `bytes` must not change while the data is in use.
 */
export function readUsdc(bytes: Uint8Array, options: ReadUsdcOptions = {}): CrateData {
	const file = options.file ?? READ_USDC_DEFAULTS.file;
	const reporter = new CrateReporter(options.report ?? new Report(), file);
	const structure = readStructure(bytes, reporter) ?? emptyStructure();
	const maxValueBytes = options.maxValueBytes ?? crateLimits(bytes.length).valueBytes;
	return new CrateData({ bytes, structure, reporter, maxValueBytes });
}
