import type { CodeInfo } from '../code-help.ts';
import type { Diagnostic, Fix, RelatedLocation } from '../diagnostic.ts';
import type { Report } from '../report.ts';
import type { Severity } from '../severity.ts';
import type { SourceRange } from '../source.ts';
import { Fingerprints } from './fingerprint.ts';

/** Options of {@link formatSarif}. @public */
export interface SarifOptions {
	/** Version of the tool that the log names. */
	readonly toolVersion?: string;
	/** What is written about codes; the log describes those of its findings. */
	readonly codes?: Readonly<Record<string, CodeInfo>>;
	/** Address of the page about a code. */
	readonly helpAddress?: (code: string) => string;
	/** Findings that somebody accepted: they are listed as suppressed. */
	readonly suppressed?: readonly Diagnostic[];
	/** Status that the tool ends with. */
	readonly exitCode?: number;
	/** Whether a finding tells that a file could not be worked with: those are notifications too. */
	readonly isUnusable?: (diagnostic: Diagnostic) => boolean;
	/** Most results; the rest is counted in a notification. */
	readonly mostResults?: number;
}

/** Values of {@link SarifOptions} that are used when absent: readers of logs refuse more results. @public */
export const SARIF_DEFAULTS: { readonly mostResults: number } = { mostResults: 25_000 };

type Json = { readonly [name: string]: unknown };

const LEVELS: Readonly<Record<Severity, string>> = { error: 'error', warning: 'warning', info: 'note', hint: 'note' };
const BASE = '%SRCROOT%';

/**
 * Writes a report as a SARIF 2.1.0 log with one run. File names that are relative stay
 * relative to `%SRCROOT%`; columns count code points.
 * @public
 */
export function formatSarif(report: Report, options: SarifOptions = {}): string {
	const { mostResults } = { ...SARIF_DEFAULTS, ...options };
	const { suppressed = [], exitCode, isUnusable = () => false } = options;
	const all = [...report.toArray().map((d) => ({ d, isKept: true })), ...suppressed.map((d) => ({ d, isKept: false }))];
	const shown = all.slice(0, mostResults);
	const cut = all.length - shown.length + report.omitted;
	const codes = [...new Set(shown.map(({ d }) => d.code))].sort();
	const ruleIndex = new Map(codes.map((code, index) => [code, index]));
	const sections = new Map(shown.map(({ d }) => [d.code, d.data?.['section']]));
	const driver = {
		name: 'manyworlds',
		...(options.toolVersion !== undefined && { version: options.toolVersion, semanticVersion: options.toolVersion }),
		rules: codes.map((code) => toRule(code, sections.get(code), options)),
	};
	const fingerprints = new Fingerprints();
	const unusable = report.toArray().filter(isUnusable);
	const notifications = [
		...unusable.map((d) => toNotification(d.message, 'error', d)),
		...(cut > 0 ? [toNotification(`${cut} further findings are not listed`, 'warning')] : []),
	];
	const hasFailed = exitCode === undefined ? unusable.length > 0 : exitCode > 1;
	const log = {
		$schema: 'https://json.schemastore.org/sarif-2.1.0.json',
		version: '2.1.0',
		runs: [
			{
				tool: { driver },
				automationDetails: { id: 'manyworlds/check/' },
				originalUriBaseIds: { [BASE]: { description: { text: 'The folder that the command was called in.' } } },
				columnKind: 'unicodeCodePoints',
				invocations: [
					{
						executionSuccessful: !hasFailed,
						...(exitCode !== undefined && { exitCode }),
						...(notifications.length > 0 && { toolExecutionNotifications: notifications }),
					},
				],
				results: shown.map(({ d, isKept }) => ({
					...toResult(d, ruleIndex.get(d.code) ?? -1),
					partialFingerprints: { 'manyworldsFinding/v1': fingerprints.of(d) },
					...(!isKept && { suppressions: [{ kind: 'external', justification: 'It is in the baseline.' }] }),
				})),
				...(cut > 0 && { properties: { omittedResults: cut } }),
			},
		],
	};
	return `${JSON.stringify(log, null, 2)}\n`;
}

function toNotification(text: string, level: string, about?: Diagnostic): Json {
	const location = about && toLocation(about.file, regionOf(about), undefined);
	return {
		level,
		message: { text },
		...(about !== undefined && { descriptor: { id: about.code } }),
		...(location !== undefined && Object.keys(location).length > 0 && { locations: [location] }),
	};
}

function toRule(code: string, section: unknown, { codes, helpAddress }: SarifOptions): Json {
	const info = codes?.[code];
	const helpUri = helpAddress?.(code);
	const known = {
		id: code,
		...(helpUri !== undefined && { helpUri }),
		...(typeof section === 'string' && { properties: { tags: [`REP-0158 §${section}`] } }),
	};
	if (info === undefined) return known;
	return {
		...known,
		name: pascalCase(info.title),
		shortDescription: { text: info.title },
		fullDescription: { text: info.help },
		help: { text: info.help, markdown: info.help },
		defaultConfiguration: { level: LEVELS[info.severity] },
	};
}

/** A title as an identifier, as readers of logs show the names of rules. */
function pascalCase(title: string): string {
	const words = title.match(/[\p{L}\p{N}]+/gu) ?? [];
	return words.map((word) => word[0]!.toUpperCase() + word.slice(1)).join('');
}

function toResult(d: Diagnostic, ruleIndex: number): Json {
	const properties = {
		...(d.layer !== undefined && { layer: d.layer }),
		...(d.arc !== undefined && { arc: d.arc }),
		...(d.variants !== undefined && { variants: d.variants }),
	};
	const location = toLocation(d.file, regionOf(d), d.prim);
	const hasLocation = Object.keys(location).length > 0;
	return {
		ruleId: d.code,
		ruleIndex,
		level: LEVELS[d.severity],
		message: { text: d.message },
		...(hasLocation && { locations: [location] }),
		...(d.related !== undefined && { relatedLocations: d.related.map(toRelated) }),
		...(d.arc !== undefined && hasLocation && { codeFlows: [toFlow(d.arc, location)] }),
		// the format has no fixes without changes
		...(d.fix !== undefined && d.fix.edits.length > 0 && { fixes: [toFix(d.fix)] }),
		...(Object.keys(properties).length > 0 && { properties }),
	};
}

/** The arcs by which an opinion arrives, one step for each. */
function toFlow(arc: string, location: Json): Json {
	const steps = arc.split(' > ');
	return {
		message: { text: `the opinion arrives by ${steps.join(', then ')}` },
		threadFlows: [
			{
				locations: steps.map((step, index) => ({
					nestingLevel: index,
					location: { ...location, message: { text: `by ${step}` } },
				})),
			},
		],
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
		...(prim !== undefined && { logicalLocations: [{ fullyQualifiedName: prim, kind: 'object' }] }),
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
	return path.startsWith('/') ? { uri: `file://${encoded}` } : { uri: encoded, uriBaseId: BASE };
}
