import type { Diagnostic } from '../diagnostic.ts';
import type { Report } from '../report.ts';
import type { Severity } from '../severity.ts';
import { formatContext } from './text.ts';

const COMMANDS: Readonly<Record<Severity, string>> = {
	error: 'error',
	warning: 'warning',
	info: 'notice',
	hint: 'notice',
};

/** Writes a report as GitHub workflow commands, one line each, which show as annotations on the changed lines. @public */
export function formatGithub(report: Report): string {
	const lines = report.toArray().map(formatAnnotation);
	if (report.omitted > 0) lines.push(`::notice::${report.omitted} further findings are not shown`);
	return lines.map((line) => `${line}\n`).join('');
}

function formatAnnotation(diagnostic: Diagnostic): string {
	const { file, range, code, message } = diagnostic;
	const properties: [string, string | number][] = [];
	if (file !== undefined) properties.push(['file', file]);
	if (range !== undefined) {
		const { start, end } = range;
		properties.push(['line', start.line], ['col', start.column]);
		// an end column is understood on the start line only
		if (end.line === start.line && end.column > start.column) properties.push(['endColumn', end.column]);
		if (end.line > start.line) properties.push(['endLine', end.line]);
	}
	properties.push(['title', code]);
	const context = formatContext(diagnostic);
	const text = properties.map(([name, value]) => `${name}=${escapeProperty(String(value))}`).join(',');
	return `::${COMMANDS[diagnostic.severity]} ${text}::${escapeData(context === '' ? message : `${message} (${context})`)}`;
}

function escapeData(text: string): string {
	return text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
}

function escapeProperty(text: string): string {
	return escapeData(text).replaceAll(':', '%3A').replaceAll(',', '%2C');
}
