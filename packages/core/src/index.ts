export type { CodeInfo, Severity } from './codes/code-info.ts';
export {
	createDiagnostic,
	type Diagnostic,
	type DiagnosticDetails,
	type Fix,
	type RelatedLocation,
	type TextEdit,
} from './diagnostic.ts';
export { DIAGNOSTIC_CODES, type DiagnosticCode, isDiagnosticCode } from './diagnostic-codes.ts';
export { InternalError, UsageRangeError, UsageStateError, UsageTypeError } from './errors.ts';
export { formatGithub } from './format/github.ts';
export {
	formatJson,
	type JsonDiagnostic,
	type JsonFix,
	type JsonReport,
	type JsonSummary,
	toJsonReport,
} from './format/json.ts';
export { formatSarif, type SarifOptions } from './format/sarif.ts';
export { formatCounts, formatDiagnostic, formatText, TEXT_DEFAULTS, type TextOptions } from './format/text.ts';
export { printable, QUOTE_LIMIT, quote } from './quote.ts';
export {
	compareDiagnostics,
	REPORT_DEFAULTS,
	Report,
	type ReportOptions,
	SEVERITIES,
	type SeverityCounts,
} from './report.ts';
export { EXCERPT_WIDTH, type Excerpt, type SourcePosition, type SourceRange, SourceText } from './source.ts';
