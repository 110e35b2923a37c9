export {
	createDiagnostic,
	type Diagnostic,
	type DiagnosticDetails,
	type DiagnosticMaker,
	type Fix,
	type RelatedLocation,
	type TextEdit,
} from './diagnostic.ts';
export { InternalError, UsageRangeError, UsageStateError, UsageTypeError } from './errors.ts';
export { formatGithub } from './format/github.ts';
export { formatJson, type JsonDiagnostic, type JsonReport, type JsonSummary } from './format/json.ts';
export { formatSarif, SARIF_DEFAULTS, type SarifOptions } from './format/sarif.ts';
export { formatText, TEXT_DEFAULTS, type TextOptions } from './format/text.ts';
export { quote } from './quote.ts';
export { REPORT_DEFAULTS, Report, type ReportOptions, type SeverityCounts } from './report.ts';
export type { Severity } from './severity.ts';
export { type Excerpt, type SourcePosition, type SourceRange, SourceText } from './source.ts';
