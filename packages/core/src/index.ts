export {
	createDiagnostic,
	type Diagnostic,
	type DiagnosticDetails,
	type DiagnosticMaker,
	diagnosticMaker,
	type Fix,
	type RelatedLocation,
	type TextEdit,
} from './diagnostic.ts';
export { InternalError, UsageRangeError, UsageStateError, UsageTypeError } from './errors.ts';
export { formatGithub } from './format/github.ts';
export { formatGitlab } from './format/gitlab.ts';
export {
	formatJson,
	type JsonDiagnostic,
	type JsonFix,
	type JsonReport,
	type JsonSummary,
	toJsonReport,
} from './format/json.ts';
export { formatSarif, SARIF_DEFAULTS, type SarifOptions } from './format/sarif.ts';
export { formatDiagnostic, formatText, TEXT_DEFAULTS, type TextOptions } from './format/text.ts';
export { quote } from './quote.ts';
export { REPORT_DEFAULTS, Report, type ReportOptions, SEVERITIES, type SeverityCounts } from './report.ts';
export type { Severity } from './severity.ts';
export { type Excerpt, type SourcePosition, type SourceRange, SourceText } from './source.ts';
