import type { Diagnostic, Severity } from '@manyworlds/core';
import {
	type Diagnostic as ClientDiagnostic,
	DiagnosticSeverity,
	DiagnosticTag,
	type Range,
} from 'vscode-languageserver';
import type { DocumentText } from './text/document-text.ts';
import type { Workspace } from './workspace/workspace.ts';

const SEVERITIES: Readonly<Record<Severity, DiagnosticSeverity>> = {
	error: DiagnosticSeverity.Error,
	warning: DiagnosticSeverity.Warning,
	info: DiagnosticSeverity.Information,
	hint: DiagnosticSeverity.Hint,
};

/** What a diagnostic carries back to the server with a request for fixes. */
export interface DiagnosticData {
	/** Family of fixes that may remove it. */
	readonly family?: string;
	readonly prim?: string;
	readonly message: string;
}

/** Rules whose findings are about something that is no longer meant to be used. */
const DEPRECATED = /deprecated|obsolete/i;

/** A finding as clients show it. */
export function toClientDiagnostic(
	finding: Diagnostic,
	file: string,
	workspace: Workspace,
	hasRelated: boolean,
): ClientDiagnostic {
	const { code, severity, message, prim, variants, related, data } = finding;
	const text = workspace.text(file);
	const selections = Object.entries(variants ?? {}).map(([set, variant]) => `${set}=${variant}`);
	const family = data?.['family'];
	const own: DiagnosticData = {
		message,
		...(typeof family === 'string' && { family }),
		...(prim !== undefined && { prim }),
	};
	return {
		range: rangeOf(finding, text),
		severity: SEVERITIES[severity],
		code,
		codeDescription: { href: helpAddress(code) },
		source: 'manyworlds',
		message: selections.length === 0 ? message : `${message} (variant ${selections.join(', ')})`,
		data: own,
		...(DEPRECATED.test(message) && { tags: [DiagnosticTag.Deprecated] }),
		...(hasRelated &&
			related !== undefined && {
				relatedInformation: related.flatMap((one) => {
					if (one.file === undefined) return [];
					const other = workspace.fileOf(one.file);
					const range = rangeOf(one, workspace.text(other));
					return [{ location: { uri: workspace.uris.uri(other), range }, message: one.message }];
				}),
			}),
	};
}

/** The page about a code. */
export function helpAddress(code: string): string {
	const folder = /^R\d/.test(code) ? 'rules' : 'diagnostics';
	return `https://github.com/manyworlds/manyworlds/blob/main/docs/${folder}/${code}.md`;
}

/** Where a finding is underlined: what it names, or the word at its place. */
function rangeOf({ range }: Pick<Diagnostic, 'range'>, text: DocumentText | undefined): Range {
	if (range === undefined || text === undefined) return NOWHERE;
	const start = Math.min(range.start.offset, text.length);
	const end = Math.min(range.end.offset, text.length);
	return text.range(start, end > start ? end : wordEnd(text.bytes, start));
}

const NOWHERE: Range = { start: { line: 0, character: 0 }, end: { line: 0, character: 0 } };

/** The end of the word or string at a byte, on its line. */
function wordEnd(bytes: Uint8Array, start: number): number {
	const first = bytes[start];
	let at = start;
	if (first === 0x22 || first === 0x27) {
		at++;
		while (at < bytes.length && bytes[at] !== first && bytes[at] !== 0x0a) at++;
		return bytes[at] === first ? at + 1 : at;
	}
	while (at < bytes.length && isWordByte(bytes[at]!)) at++;
	return at;
}

function isWordByte(byte: number): boolean {
	const isLetter = (byte | 0x20) >= 0x61 && (byte | 0x20) <= 0x7a;
	return isLetter || (byte >= 0x30 && byte <= 0x3a) || byte === 0x5f || byte >= 0x80;
}
