import { Report, type Severity, SourceText } from '@manyworlds/core';
import { createDiagnostic } from '../diagnostics.ts';
import { readUsda } from '../usda/read-usda.ts';
import { writeUsda } from '../usda/write-usda.ts';
import { findComment } from './find-comment.ts';

/** Options of {@link formatUsda}. @public */
export interface FormatUsdaOptions {
	/** Name of the file in diagnostics. */
	readonly file: string;
	readonly report?: Report;
	/** Severity of the finding that there are comments. */
	readonly commentSeverity?: Severity;
}

/** A text layer in canonical form. @public */
export interface FormattedUsda {
	readonly bytes: Uint8Array;
	readonly isChanged: boolean;
	/** Whether the source has comments, which the canonical form does not hold. */
	readonly hasComments: boolean;
}

/**
 * Writes a text layer in canonical form, as OpenUSD exports it. Undefined, with errors in the report, when it cannot be
 * read. Comments are not part of the content: where there are some, the result says so and the report tells the first.
 * @public
 */
export function formatUsda(source: Uint8Array, options: FormatUsdaOptions): FormattedUsda | undefined {
	const report = options.report ?? new Report();
	const data = readUsda(source, { file: options.file, report });
	if (report.hasErrors) return undefined;
	const comment = findComment(source);
	if (comment !== undefined) {
		const text = new SourceText(source, options.file);
		const message = 'the file has comments, which the canonical form cannot keep; the first one is here';
		const severity = options.commentSeverity ?? 'warning';
		report.add(createDiagnostic('PKG007', message, { severity, ...text.locate(comment.start, comment.end) }));
	}
	const bytes = writeUsda(data, { file: options.file, report });
	return { bytes, isChanged: !equalBytes(bytes, source), hasComments: comment !== undefined };
}

function equalBytes(a: Uint8Array, b: Uint8Array): boolean {
	if (a.length !== b.length) return false;
	for (let i = 0; i < a.length; i++) if (a[i] !== b[i]) return false;
	return true;
}
