import { type JsonReport, Report } from '@manyworlds/core';
import { toJsonReport } from '@manyworlds/core/internal';
import { hasContent, openFile } from '../ar/open-file.ts';
import { type LayerSummary, type SummaryOptions, summarizeLayer } from './layer-summary.ts';

/** Options of {@link inspectFile}. @public */
export interface InspectOptions extends SummaryOptions {
	/** Name of the file; `package.usdz[member.usda]` looks at that member. */
	readonly file: string;
	/** Takes what is wrong with the file. */
	readonly report?: Report;
}

/** What is in a USD file: plain data, ready for `JSON.stringify`. @public */
export interface Inspection {
	readonly version: 1;
	readonly file: string;
	readonly format: 'usda' | 'usdc' | 'usdz' | 'unknown';
	/** Version of the crate format, such as `0.8.0`. */
	readonly crateVersion?: string;
	/** Bytes. */
	readonly size: number;
	/** Member of the package that the summary is about. */
	readonly layerName?: string;
	/** Files of the package in stored order. */
	readonly package?: { readonly members: readonly { readonly name: string; readonly size: number }[] };
	/** Absent when nothing could be read. */
	readonly layer?: LayerSummary;
	/** Whether attributes have their values. */
	readonly hasValues: boolean;
	/** Findings about the file. */
	readonly report: JsonReport;
}

/** Reads a USD file of any format and lists what it holds. @public */
export function inspectFile(bytes: Uint8Array, options: InspectOptions): Inspection {
	const report = options.report ?? new Report();
	const opened = openFile(bytes, { file: options.file, report });
	const layer =
		opened.layer !== undefined && report.hasErrors && !hasContent(opened.layer.data) ? undefined : opened.layer;
	const summary = layer === undefined ? undefined : summarizeLayer(layer.data, options);
	return {
		version: 1,
		file: options.file,
		format: opened.format,
		...(layer?.crateVersion !== undefined && { crateVersion: layer.crateVersion }),
		size: bytes.length,
		...(opened.member !== undefined && { layerName: opened.member }),
		...(opened.package !== undefined && {
			package: { members: opened.package.entries.map((entry) => ({ name: entry.name, size: entry.bytes.length })) },
		}),
		...(summary !== undefined && { layer: summary }),
		hasValues: options.values ?? false,
		report: toJsonReport(report),
	};
}
