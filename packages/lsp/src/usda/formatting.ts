import { formatUsda } from '@manyworlds/usd';
import type { TextEdit } from 'vscode-languageserver';
import type { TextRequest } from '../language-features.ts';
import type { OutlineNode, UsdaOutline } from '../outline/usda-outline.ts';
import { TokenKind } from '../outline/usda-tokens.ts';
import type { ByteRange, DocumentText } from '../text/document-text.ts';
import { lineEdits } from '../text/line-edits.ts';

/** Text of one level of indentation, as the canonical form has it. */
const INDENT = '    ';

/**
 * Formats a layer: in canonical form, as `manyworlds format` does. The canonical form has no comments, so a layer with some gets only
 * its indentation and blank lines put right. Of a part of a layer, so does the prim around it. Broken text stays.
 */
export function format({ workspace, text }: TextRequest, range: ByteRange | undefined): TextEdit[] {
	const canonical = formatUsda(text.bytes, { file: '' });
	if (canonical === undefined) return [];
	if (range === undefined && !canonical.hasComments) return lineEdits(text, canonical.bytes);
	const outline = workspace.outline(text);
	const lines = layOut(text, outline);
	const edits = lineEdits(text, new TextEncoder().encode(lines));
	if (range === undefined) return edits;
	const around = primAround(outline, range);
	const { start, end } = text.range(around.start, around.end);
	return edits.filter((edit) => edit.range.start.line >= start.line && edit.range.end.line <= end.line + 1);
}

/** The prim that a stretch of text lies in. */
function primAround(outline: UsdaOutline, range: ByteRange): ByteRange {
	const { tokens } = outline;
	let node: OutlineNode | undefined = outline.nodeAt(range.start);
	while (node !== undefined && node.kind !== 'layer') {
		const [start, end] = [tokens.start(node.first), tokens.end(node.last)];
		if ((node.kind === 'prim' || node.kind === 'variant') && start <= range.start && range.end <= end)
			return { start, end };
		node = node.parent;
	}
	return { start: 0, end: tokens.bytes.length };
}

/** The text with each line indented by the brackets around it, without blanks at the ends of lines and more than one empty line. */
function layOut(text: DocumentText, { tokens }: UsdaOutline): string {
	const newline = lineEndOf(text.bytes);
	const lines: string[] = [];
	let depth = 0;
	let token = 0;
	let isInString = false;
	let isEmptyBefore = false;
	for (let line = 0; line < text.lineCount; line++) {
		const start = text.lineStart(line);
		const end = line + 1 < text.lineCount ? text.lineStart(line + 1) : text.length;
		const content = text.slice(start, end).replace(/[\r\n]+$/, '');
		const startsInString = isInString;
		let opened = 0;
		let closedFirst = 0;
		let hasOther = false;
		isInString = false;
		// a string over several lines belongs to all of them
		if (token > 0 && tokens.end(token - 1) > start) isInString = tokens.end(token - 1) > end;
		for (; token < tokens.count && tokens.start(token) < end; token++) {
			if (tokens.end(token) > end) isInString = true;
			const byte = tokens.kind(token) === TokenKind.mark ? tokens.bytes[tokens.start(token)] : undefined;
			if (byte === 0x28 || byte === 0x5b || byte === 0x7b) opened++;
			else if (byte === 0x29 || byte === 0x5d || byte === 0x7d) {
				if (opened > 0) opened--;
				else {
					if (!hasOther) closedFirst++;
					else opened--;
				}
			} else {
				hasOther = true;
				continue;
			}
			if (opened > 0) hasOther = true;
		}
		if (startsInString) lines.push(content);
		else {
			const trimmed = isInString ? content.replace(/^[ \t]+/, '') : content.trim();
			if (trimmed === '') {
				if (!isEmptyBefore && lines.length > 0) lines.push('');
				isEmptyBefore = true;
				continue;
			}
			lines.push(INDENT.repeat(Math.max(depth - closedFirst, 0)) + trimmed);
		}
		isEmptyBefore = false;
		depth = Math.max(depth - closedFirst + opened, 0);
	}
	while (lines.at(-1) === '') lines.pop();
	return lines.length === 0 ? '' : `${lines.join(newline)}${newline}`;
}

function lineEndOf(bytes: Uint8Array): string {
	const at = bytes.indexOf(0x0a);
	return at > 0 && bytes[at - 1] === 0x0d ? '\r\n' : '\n';
}
