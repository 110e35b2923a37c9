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

/** Annotations of one level that a step of a workflow shows. */
const SHOWN = 10;

/** Writes a report as GitHub workflow commands, one line each, which show as annotations on the changed lines. @public */
export function formatGithub(report: Report): string {
	const found = report.toArray();
	const lines = found.map(formatAnnotation);
	for (const command of ['error', 'warning', 'notice']) {
		const count = found.filter(({ severity }) => COMMANDS[severity] === command).length;
		// said in plain text: an annotation more would be another one that is not shown
		if (count > SHOWN)
			lines.push(
				`${count} annotations are of level ${command}, of which ${SHOWN} are shown in a step; the log has all`,
			);
	}
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
