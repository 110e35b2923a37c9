import { Report } from '@manyworlds/core';
import type { MemoryData } from '../sdf/memory-data.ts';
import { MetadataRegistry } from '../sdf/metadata-registry.ts';
import { BodyReader } from './parse-body.ts';
import { readHeader } from './parse-header.ts';
import { readMetadata } from './parse-metadata.ts';
import { ParserState } from './parser-state.ts';
import { takeScratch } from './reader-scratch.ts';
import { UsdaFault } from './usda-fault.ts';

/** Options of {@link readUsda}. */
export interface ReadUsdaOptions {
	/** Name of the file, for diagnostics. */
	readonly file?: string;
	/** Receives what is wrong with the text. */
	readonly report?: Report;
	/** The metadata whose types are known. */
	readonly registry?: MetadataRegistry;
	/** Stops after the metadata of the layer. */
	readonly metadataOnly?: boolean;
}

/** Values of {@link ReadUsdaOptions} that are used when absent. */
export const READ_USDA_DEFAULTS: {
	readonly registry: MetadataRegistry;
	readonly metadataOnly: boolean;
} = { registry: MetadataRegistry.standard, metadataOnly: false };

/** A layer read from text: its data, with the places where everything was written. */
export type TextLayerData = MemoryData;

/**
 * Reads a layer from usda text. Whatever the bytes are, it returns: mistakes go to the report, each with its line and
 * column, and what could be read is in the layer. An `error` in the report means that OpenUSD would refuse the text.
 */
export function readUsda(bytes: Uint8Array, options: ReadUsdaOptions = {}): TextLayerData {
	const report = options.report ?? new Report();
	const registry = options.registry ?? READ_USDA_DEFAULTS.registry;
	const p = new ParserState(bytes, options.file, report, registry, takeScratch());
	p.ranges.open(0, -1);
	const layer = p.spec;
	if (readHeader(p)) {
		readLayerMetadata(p);
		if (!(options.metadataOnly ?? READ_USDA_DEFAULTS.metadataOnly)) new BodyReader(p).read();
	}
	layer.source = p.ranges.close(p.length);
	// after an exception, which would be a mistake of ours, the scratch is not used again
	p.leave();
	return p.data;
}

function readLayerMetadata(p: ParserState): void {
	try {
		p.skipAll();
		if (p.bytes[p.pos] === 0x28) readMetadata(p);
	} catch (fault) {
		if (!(fault instanceof UsdaFault)) throw fault;
		p.reportFault(fault);
		p.pos = p.length;
	}
}
