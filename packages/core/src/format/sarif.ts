import type { CodeInfo } from '../code-help.ts';
import type { Diagnostic, Fix, RelatedLocation } from '../diagnostic.ts';
import type { Report } from '../report.ts';
import type { Severity } from '../severity.ts';
import type { SourceRange } from '../source.ts';

/** Options of {@link formatSarif}. @public */
export interface SarifOptions {
	/** Version of the tool that the log names. */
	readonly toolVersion?: string;
	/** What is written about codes; the log describes those of its findings. */
	readonly codes?: Readonly<Record<string, CodeInfo>>;
}

type Json = { readonly [name: string]: unknown };

const LEVELS: Readonly<Record<Severity, string>> = { error: 'error', warning: 'warning', info: 'note', hint: 'note' };

/**
 * Writes a report as a SARIF 2.1.0 log with one run. File names that are relative stay
 * relative to `%SRCROOT%`; columns count code points.
 * @public
 */
export function formatSarif(report: Report, options: SarifOptions = {}): string {
	const diagnostics = report.toArray();
	const codes = [...new Set(diagnostics.map((d) => d.code))].sort();
	const ruleIndex = new Map(codes.map((code, index) => [code, index]));
	const driver = {
		name: 'manyworlds',
		...(options.toolVersion !== undefined && { version: options.toolVersion }),
		rules: codes.map((code) => toRule(code, options.codes?.[code])),
	};
	const log = {
		$schema: 'https://json.schemastore.org/sarif-2.1.0.json',
		version: '2.1.0',
		runs: [
			{
				tool: { driver },
				columnKind: 'unicodeCodePoints',
				results: diagnostics.map((d) => toResult(d, ruleIndex.get(d.code) ?? -1)),
				...(report.omitted > 0 && { properties: { omittedResults: report.omitted } }),
			},
		],
	};
	return `${JSON.stringify(log, null, 2)}\n`;
}

function toRule(code: string, info: CodeInfo | undefined): Json {
	if (info === undefined) return { id: code };
	return {
		id: code,
		shortDescription: { text: info.title },
		fullDescription: { text: info.help },
		help: { text: info.help, markdown: info.help },
		defaultConfiguration: { level: LEVELS[info.severity] },
	};
}

function toResult(d: Diagnostic, ruleIndex: number): Json {
	const properties = {
		...(d.layer !== undefined && { layer: d.layer }),
		...(d.arc !== undefined && { arc: d.arc }),
		...(d.variants !== undefined && { variants: d.variants }),
	};
	const location = toLocation(d.file, regionOf(d), d.prim);
	return {
		ruleId: d.code,
		ruleIndex,
		level: LEVELS[d.severity],
		message: { text: d.message },
		...(Object.keys(location).length > 0 && { locations: [location] }),
		...(d.related !== undefined && { relatedLocations: d.related.map(toRelated) }),
		// the format has no fixes without changes
		...(d.fix !== undefined && d.fix.edits.length > 0 && { fixes: [toFix(d.fix)] }),
		...(Object.keys(properties).length > 0 && { properties }),
	};
}

function regionOf(d: Diagnostic): Json | undefined {
	if (d.range !== undefined) return toRegion(d.range);
	return d.byteOffset === undefined ? undefined : { byteOffset: d.byteOffset };
}

function toRegion({ start, end }: SourceRange): Json {
	return { startLine: start.line, startColumn: start.column, endLine: end.line, endColumn: end.column };
}

function toLocation(file: string | undefined, region: Json | undefined, prim: string | undefined): Json {
	return {
		...(file !== undefined && {
			physicalLocation: { artifactLocation: toArtifact(file), ...(region !== undefined && { region }) },
		}),
		...(prim !== undefined && { logicalLocations: [{ fullyQualifiedName: prim, kind: 'element' }] }),
	};
}

function toRelated(related: RelatedLocation, index: number): Json {
	const region = related.range === undefined ? undefined : toRegion(related.range);
	return { id: index, ...toLocation(related.file, region, related.prim), message: { text: related.message } };
}

function toFix(fix: Fix): Json {
	const files = [...new Set(fix.edits.map((edit) => edit.file))];
	return {
		description: { text: fix.title },
		artifactChanges: files.map((file) => ({
			artifactLocation: toArtifact(file),
			replacements: fix.edits
				.filter((edit) => edit.file === file)
				.map((edit) => ({ deletedRegion: toRegion(edit.range), insertedContent: { text: edit.text } })),
		})),
		properties: { safety: fix.safety },
	};
}

function toArtifact(file: string): Json {
	const path = file.replaceAll('\\', '/').replace(/[\ud800-\udfff]/gu, '\ufffd');
	const drive = /^[A-Za-z]:\//.exec(path)?.[0] ?? '';
	const encoded = path.slice(drive.length).split('/').map(encodeURIComponent).join('/');
	if (drive !== '') return { uri: `file:///${drive}${encoded}` };
	return path.startsWith('/') ? { uri: `file://${encoded}` } : { uri: encoded, uriBaseId: '%SRCROOT%' };
}
