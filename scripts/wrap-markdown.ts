/** Columns of lines of prose. */
const WIDTH = 120;

/**
 * A text in Markdown whose paragraphs and list items have no line above 120 columns; those that have none stay as they are. Code,
 * tables and headings are left alone.
 */
export function wrapMarkdown(text: string): string {
	const out: string[] = [];
	let block: string[] = [];
	let isCode = false;
	const flush = (): void => {
		out.push(...(block.some((line) => line.length > WIDTH) ? wrapBlock(block) : block));
		block = [];
	};
	for (const line of text.split('\n')) {
		const isFence = /^\s*```/.test(line);
		if (isCode || isFence || line.trim() === '' || /^\s*\||^#|^<|^ {4}|^\t/.test(line)) {
			flush();
			out.push(line);
			if (isFence) isCode = !isCode;
			continue;
		}
		if (MARKER.test(line)) flush();
		block.push(line);
	}
	flush();
	return out.join('\n');
}

/** What begins an item of a list or a quotation. */
const MARKER = /^\s*(?:(?:[-*+]|\d+[.)])\s+|>\s?)/;

function wrapBlock(lines: readonly string[]): string[] {
	const marker = MARKER.exec(lines[0]!)?.[0] ?? '';
	const isQuote = marker.includes('>');
	const text = lines.map((line, i) => line.slice(i === 0 || isQuote ? marker.length : 0).trim()).join(' ');
	const indent = isQuote ? marker : ' '.repeat(marker.length);
	const out: string[] = [];
	let line = marker;
	let isEmpty = true;
	for (const word of unbroken(text)) {
		if (!isEmpty && line.length + 1 + word.length > WIDTH) {
			out.push(line);
			line = indent;
			isEmpty = true;
		}
		line += isEmpty ? word : ` ${word}`;
		isEmpty = false;
	}
	return [...out, line];
}

/** The words of a text; one that would begin a list, a heading or a table on a line of its own stays with the word before. */
function unbroken(text: string): string[] {
	const words: string[] = [];
	for (const word of text.split(/\s+/)) {
		if (words.length > 0 && /^(?:[-*+#>|]|\d+[.)]$)/.test(word)) words[words.length - 1] += ` ${word}`;
		else words.push(word);
	}
	return words;
}
