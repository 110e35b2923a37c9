import type { Diagnostic } from '../diagnostic.ts';
import { printable } from '../quote.ts';
import { type Report, SEVERITIES } from '../report.ts';
import type { Severity } from '../severity.ts';
import type { Excerpt, SourceRange } from '../source.ts';

/** Options of {@link formatText}. @public */
export interface TextOptions {
	/** Use ANSI colours. */
	readonly colour?: boolean;
	/** Show the source line with a caret below each finding that has one. */
	readonly excerpts?: boolean;
}

/** Values of {@link TextOptions} that are used when absent. @public */
export const TEXT_DEFAULTS: Required<TextOptions> = { colour: false, excerpts: true };

const COLOURS: Readonly<Record<Severity, string>> = { error: '1;31', warning: '1;33', info: '1;36', hint: '1;34' };
const BOLD = '1';
const GREEN = '1;32';
const PLURALS: Readonly<Record<Severity, string>> = {
	error: 'errors',
	warning: 'warnings',
	info: 'infos',
	hint: 'hints',
};

/**
 * Writes a report as compilers do: `file:line:column: error USDA001: message`, the source line, a caret; a last line with the counts.
 * An empty report gives an empty text.
 * @public
 */
export function formatText(report: Report, options: TextOptions = {}): string {
	const blocks = report.toArray().map((diagnostic) => formatDiagnostic(diagnostic, options));
	const summary = formatCounts(report);
	return summary === '' ? '' : `${blocks.join('')}${summary}\n`;
}

/** Writes one diagnostic as {@link formatText} does, ending with a line end. @public */
export function formatDiagnostic(diagnostic: Diagnostic, options: TextOptions = {}): string {
	const colour = options.colour ?? TEXT_DEFAULTS.colour;
	const paint = (code: string, text: string): string => (colour ? `\u001b[${code}m${text}\u001b[0m` : text);
	const { severity, code, excerpt, fix } = diagnostic;

	const place = formatPlace(diagnostic.file, diagnostic.range);
	const label = paint(COLOURS[severity], `${severity} ${code}:`);
	const lines = [`${place === '' ? '' : `${paint(BOLD, `${place}:`)} `}${label} ${printable(diagnostic.message)}`];
	if (excerpt !== undefined && (options.excerpts ?? TEXT_DEFAULTS.excerpts)) {
		lines.push(`  ${excerpt.text}`, `  ${underlineIndent(excerpt)}${paint(GREEN, underline(excerpt))}`);
	}
	const context = formatContext(diagnostic);
	if (context !== '') lines.push(`  ${context}`);
	for (const related of diagnostic.related ?? []) {
		const where = [formatPlace(related.file, related.range), related.prim === undefined ? '' : `<${related.prim}>`];
		lines.push(`  note: ${printable([...where.filter((part) => part !== ''), related.message].join(': '))}`);
	}
	if (fix !== undefined) lines.push(`  fix (${fix.safety}): ${printable(fix.title)}`);
	return `${lines.join('\n')}\n`;
}

/** Says how many findings a report has, such as `2 errors, 1 warning (37 more not shown)`; empty when there is none. */
function formatCounts(report: Report): string {
	const counts = report.counts;
	const parts = SEVERITIES.filter((severity) => counts[severity] > 0).map(
		(severity) => `${counts[severity]} ${counts[severity] === 1 ? severity : PLURALS[severity]}`,
	);
	return `${parts.join(', ')}${report.omitted > 0 ? ` (${report.omitted} not shown)` : ''}`;
}

/** Prim, layer, arc and variants of a diagnostic as one phrase, empty when it has none. */
export function formatContext({ prim, layer, arc, variants }: Diagnostic): string {
	const parts: string[] = [];
	if (prim !== undefined) parts.push(`at <${prim}>`);
	if (layer !== undefined) parts.push(`in layer ${layer}`);
	if (arc !== undefined) parts.push(`by ${arc}`);
	const selections = Object.entries(variants ?? {}).map(([set, selection]) => `${set}=${selection}`);
	if (selections.length > 0) parts.push(`with ${selections.join(', ')}`);
	return printable(parts.join(' '));
}

function formatPlace(file: string | undefined, range: SourceRange | undefined): string {
	const name = file === undefined ? '' : printable(file);
	if (range === undefined) return name;
	const place = `${range.start.line}:${range.start.column}`;
	return name === '' ? place : `${name}:${place}`;
}

function underlineIndent(excerpt: Excerpt): string {
	return Array.from(excerpt.text)
		.slice(0, excerpt.caretStart)
		.map((character) => (character === '\t' ? '\t' : ' '.repeat(displayWidth(character))))
		.join('');
}

function underline(excerpt: Excerpt): string {
	const marked = Array.from(excerpt.text).slice(excerpt.caretStart, excerpt.caretStart + excerpt.caretLength);
	const width = marked.reduce((sum, character) => sum + displayWidth(character), 0);
	return '^'.repeat(Math.max(width, 1));
}

/** Columns that a terminal gives to a character: none for combining marks, two for East Asian wide ones and emoji. */
function displayWidth(character: string): number {
	const code = character.codePointAt(0) ?? 0;
	if (code < 0x300) return 1;
	if (/^[\p{Mn}\p{Me}\p{Cf}]$/u.test(character)) return 0;
	const isWide =
		(code >= 0x1100 && code <= 0x115f) ||
		(code >= 0x2e80 && code <= 0xa4cf) ||
		(code >= 0xac00 && code <= 0xd7a3) ||
		(code >= 0xf900 && code <= 0xfaff) ||
		(code >= 0xfe30 && code <= 0xfe6f) ||
		(code >= 0xff00 && code <= 0xff60) ||
		(code >= 0xffe0 && code <= 0xffe6) ||
		(code >= 0x1f300 && code <= 0x1faff) ||
		(code >= 0x20000 && code <= 0x3fffd);
	return isWide ? 2 : 1;
}
