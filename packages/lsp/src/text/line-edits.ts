import { diffLines, splitLines } from '@manyworlds/rep158/internal';
import type { TextEdit } from 'vscode-languageserver';
import type { DocumentText } from './document-text.ts';

/** The edits by lines that turn a text into another; none when they are equal. */
export function lineEdits(before: DocumentText, after: Uint8Array): TextEdit[] {
	const old = splitLines(before.slice(0, before.length));
	const now = splitLines(new TextDecoder('utf-8', { ignoreBOM: true }).decode(after));
	const starts = lineOffsets(old);
	const edits: TextEdit[] = [];
	let x = 0;
	let y = 0;
	for (const [mx, my, length] of [...diffLines(old, now), [old.length, now.length, 0] as const]) {
		if (mx > x || my > y) {
			edits.push({ range: before.range(starts[x]!, starts[mx]!), newText: now.slice(y, my).join('') });
		}
		x = mx + length;
		y = my + length;
	}
	return edits;
}

/** Byte offsets of lines, and of the end. */
function lineOffsets(lines: readonly string[]): number[] {
	const encoder = new TextEncoder();
	const starts = [0];
	for (const line of lines) starts.push(starts.at(-1)! + encoder.encode(line).length);
	return starts;
}
