import type { Diagnostic, Fix } from '../diagnostic.ts';
import type { Report } from '../report.ts';
import type { Severity } from '../severity.ts';

/** The machine-readable report, the same for every command. Absent fields are left out. @public */
export interface JsonReport {
	readonly version: 1;
	readonly diagnostics: readonly JsonDiagnostic[];
	readonly summary: JsonSummary;
}

/** A diagnostic in a {@link JsonReport}. @public */
export interface JsonDiagnostic {
	readonly code: string;
	readonly severity: Severity;
	readonly message: string;
	readonly file?: string;
	readonly line?: number;
	readonly column?: number;
	readonly prim?: string;
	readonly layer?: string;
	readonly arc?: string;
	readonly variants?: Readonly<Record<string, string>>;
	readonly fix?: JsonFix;
}

/** A fix in a {@link JsonReport}; lines and columns count from 1, the end is exclusive. @public */
export interface JsonFix {
	readonly title: string;
	readonly safety: 'safe' | 'unsafe';
	readonly edits: readonly {
		readonly file: string;
		readonly line: number;
		readonly column: number;
		readonly endLine: number;
		readonly endColumn: number;
		readonly text: string;
	}[];
}

/** Counts of a {@link JsonReport}: `total` findings, of which `omitted` are not listed. @public */
export interface JsonSummary {
	readonly errors: number;
	readonly warnings: number;
	readonly infos: number;
	readonly hints: number;
	readonly total: number;
	readonly omitted: number;
}

/** Turns a report into plain data. @public */
export function toJsonReport(report: Report): JsonReport {
	const { error, warning, info, hint } = report.counts;
	return {
		version: 1,
		diagnostics: report.toArray().map(toJsonDiagnostic),
		summary: {
			errors: error,
			warnings: warning,
			infos: info,
			hints: hint,
			total: error + warning + info + hint,
			omitted: report.omitted,
		},
	};
}

/** Writes a report as indented JSON, ending with a line end. @public */
export function formatJson(report: Report): string {
	return `${JSON.stringify(toJsonReport(report), null, 2)}\n`;
}

function toJsonDiagnostic(d: Diagnostic): JsonDiagnostic {
	return {
		code: d.code,
		severity: d.severity,
		message: d.message,
		...(d.file !== undefined && { file: d.file }),
		...(d.range !== undefined && { line: d.range.start.line, column: d.range.start.column }),
		...(d.prim !== undefined && { prim: d.prim }),
		...(d.layer !== undefined && { layer: d.layer }),
		...(d.arc !== undefined && { arc: d.arc }),
		...(d.variants !== undefined && { variants: d.variants }),
		...(d.fix !== undefined && { fix: toJsonFix(d.fix) }),
	};
}

function toJsonFix(fix: Fix): JsonFix {
	return {
		title: fix.title,
		safety: fix.safety,
		edits: fix.edits.map(({ file, range, text }) => ({
			file,
			line: range.start.line,
			column: range.start.column,
			endLine: range.end.line,
			endColumn: range.end.column,
			text,
		})),
	};
}
