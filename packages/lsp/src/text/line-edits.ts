import { textChanges } from '@manyworlds/rep158/internal';
import type { TextEdit } from 'vscode-languageserver';
import type { DocumentText } from './document-text.ts';

/** The edits by lines that turn a text into another; none when they are equal. */
export function lineEdits(before: DocumentText, after: Uint8Array): TextEdit[] {
	return textChanges(before.bytes, after).map(({ start, end, text }) => ({
		range: before.range(start, end),
		newText: text,
	}));
}
