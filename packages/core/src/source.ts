import { printableCharacter } from './quote.ts';

/** A place in a text file. @public */
export interface SourcePosition {
	/** Bytes from the start of the file. */
	readonly offset: number;
	/** Line number from 1. Lines end at LF, CR LF or a lone CR. */
	readonly line: number;
	/** Column from 1, counted in Unicode code points; a tab is one column. */
	readonly column: number;
}

/** A half-open stretch of a text file. @public */
export interface SourceRange {
	readonly start: SourcePosition;
	readonly end: SourcePosition;
}

/** One source line cut to a window around the place of interest, safe to print. @public */
export interface Excerpt {
	/** At most {@link EXCERPT_WIDTH} code points; `…` stands where the line goes on; control characters are replaced. */
	readonly text: string;
	/** Code points of `text` before the first one to underline. */
	readonly caretStart: number;
	/** Code points to underline, at least 1; may reach one past the end of `text`. */
	readonly caretLength: number;
}

/** Longest excerpt in code points. */
export const EXCERPT_WIDTH = 160;

const EXCERPT_LEAD = 52;
const LF = 0x0a;
const CR = 0x0d;

/**
 * Positions in a UTF-8 file, without decoding it.
 *
 * The table of line starts grows only as far as positions are asked for, so a file without diagnostics costs nothing.
 * Asking for positions, in whatever order, takes no longer where a file is a single line.
 * @public
 */
export class SourceText {
	readonly bytes: Uint8Array;
	readonly file: string | undefined;
	#lineStarts: Uint32Array = new Uint32Array(64);
	#lineCount = 1;
	/** Bytes already searched for line ends. */
	#scanned = 0;
	/** The last column asked for: columns to the right of it on the same line are counted from here. */
	#columnLineStart = 0;
	#columnOffset = 0;
	#column = 1;
	/** Code points before every {@link CHUNK}-th byte, as far as they are known. */
	#chunks: Uint32Array | undefined;
	#chunkCount = 1;

	/** @param file - name that {@link locate} puts into diagnostics */
	constructor(bytes: Uint8Array, file?: string) {
		this.bytes = bytes;
		this.file = file;
	}

	/** Number of lines; a final line end begins one more, empty, line. */
	get lineCount(): number {
		this.#scanTo(this.bytes.length);
		return this.#lineCount;
	}

	/** Position of a byte offset; offsets outside the file are moved to its nearest end. */
	position(offset: number): SourcePosition {
		const clamped = clampOffset(offset, this.bytes.length);
		const line = this.#lineAt(clamped);
		return { offset: clamped, line, column: this.#columnAt(this.#lineStarts[line - 1]!, clamped) };
	}

	/** Range between two byte offsets. */
	range(start: number, end: number): SourceRange {
		const from = this.position(start);
		return { start: from, end: end > start ? this.position(end) : from };
	}

	/** File, range and excerpt of a place: what a text diagnostic is located with. */
	locate(
		start: number,
		end: number,
	): { readonly file?: string; readonly range: SourceRange; readonly excerpt: Excerpt } {
		const place = { range: this.range(start, end), excerpt: this.excerpt(start, end) };
		return this.file === undefined ? place : { file: this.file, ...place };
	}

	/** Byte offset of the first byte of a line (from 1). */
	lineStart(line: number): number {
		const count = this.#lineCount >= line ? this.#lineCount : this.lineCount;
		return this.#lineStarts[Math.min(Math.max(line, 1), count) - 1]!;
	}

	/** Byte offset just past the last byte of a line (from 1), before its line end. */
	lineEnd(line: number): number {
		return this.#endOfLine(this.lineStart(line), this.bytes.length);
	}

	/** Byte offset of a line and column, both from 1; a column past the end of the line gives the end of the line. */
	offsetAt(line: number, column: number): number {
		const bytes = this.bytes;
		let offset = this.lineStart(line);
		for (let left = column - 1; left > 0 && offset < bytes.length; left--) {
			if (isLineEnd(bytes[offset]!)) break;
			offset = nextCodePoint(bytes, offset);
		}
		return offset;
	}

	/** The line that holds `start`, cut to a window that shows `start`, with `start` to `end` underlined. */
	excerpt(start: number, end: number): Excerpt {
		const bytes = this.bytes;
		let from = clampOffset(start, bytes.length);
		if (from > 0 && bytes[from] === LF && bytes[from - 1] === CR) from--;
		const lineStart = this.lineStart(this.#lineAt(from));

		// a third of the window shows what precedes the caret, the rest what follows
		let left = from;
		for (let n = 0; n < EXCERPT_LEAD && left > lineStart; n++) left = previousCodePoint(bytes, left, lineStart);
		let right = from;
		for (let n = 0; n < EXCERPT_WIDTH && right < bytes.length && !isLineEnd(bytes[right]!); n++) {
			right = nextCodePoint(bytes, right);
		}
		const caretEnd = Math.min(Math.max(end, from), right);

		// malformed UTF-8 decodes to more characters than it has code points, hence the cuts after decoding
		const leading = printableCharacters(bytes.subarray(left, from));
		const before = leading.slice(-EXCERPT_LEAD);
		const budget = EXCERPT_WIDTH - 2 - before.length;
		const caret = printableCharacters(bytes.subarray(from, caretEnd));
		const after = printableCharacters(bytes.subarray(caretEnd, right));
		const cutLeft = left > lineStart || before.length < leading.length ? '…' : '';
		const isWhole = right === bytes.length || isLineEnd(bytes[right]!);
		const cutRight = isWhole && caret.length + after.length <= budget ? '' : '…';
		const shown = [...caret, ...after].slice(0, budget);
		return {
			text: [cutLeft, ...before, ...shown, cutRight].join(''),
			caretStart: before.length + cutLeft.length,
			caretLength: Math.max(Math.min(caret.length, budget), 1),
		};
	}

	#endOfLine(offset: number, limit: number): number {
		let end = offset;
		while (end < limit && !isLineEnd(this.bytes[end]!)) end++;
		return end;
	}

	#lineAt(offset: number): number {
		this.#scanTo(offset);
		const starts = this.#lineStarts;
		let low = 0;
		let high = this.#lineCount;
		while (high - low > 1) {
			const middle = (low + high) >>> 1;
			if (starts[middle]! <= offset) low = middle;
			else high = middle;
		}
		return low + 1;
	}

	#scanTo(limit: number): void {
		const bytes = this.bytes;
		let i = this.#scanned;
		if (i >= limit) return;
		for (; i < limit; i++) {
			const byte = bytes[i]!;
			// the LF of a CR LF pair ends the line, not the CR
			if (byte === LF || (byte === CR && bytes[i + 1] !== LF)) this.#addLineStart(i + 1);
		}
		this.#scanned = i;
	}

	#addLineStart(offset: number): void {
		if (this.#lineCount === this.#lineStarts.length) {
			const grown = new Uint32Array(this.#lineStarts.length * 2);
			grown.set(this.#lineStarts);
			this.#lineStarts = grown;
		}
		this.#lineStarts[this.#lineCount++] = offset;
	}

	#columnAt(lineStart: number, offset: number): number {
		const resumes = this.#columnLineStart === lineStart && this.#columnOffset <= offset;
		const i = resumes ? this.#columnOffset : lineStart;
		let column = resumes ? this.#column : 1;
		if (offset - i > CHUNK) column = 1 + this.#codePointsBefore(offset) - this.#codePointsBefore(lineStart);
		else column += countCodePoints(this.bytes, i, offset);
		this.#columnLineStart = lineStart;
		this.#columnOffset = offset;
		this.#column = column;
		return column;
	}

	/** Code points that begin before an offset; those before whole chunks are counted once. */
	#codePointsBefore(offset: number): number {
		const bytes = this.bytes;
		const chunk = Math.floor(offset / CHUNK);
		this.#chunks ??= new Uint32Array(Math.floor(bytes.length / CHUNK) + 1);
		for (let i = this.#chunkCount; i <= chunk; i++) {
			this.#chunks[i] = this.#chunks[i - 1]! + countCodePoints(bytes, (i - 1) * CHUNK, i * CHUNK);
		}
		this.#chunkCount = Math.max(this.#chunkCount, chunk + 1);
		return this.#chunks[chunk]! + countCodePoints(bytes, chunk * CHUNK, offset);
	}
}

/** Bytes between places whose code points are counted once. */
const CHUNK = 1024;

/** A code point begins at every byte that does not continue one. */
function countCodePoints(bytes: Uint8Array, start: number, end: number): number {
	let count = 0;
	for (let i = start; i < end; i++) if ((bytes[i]! & 0xc0) !== 0x80) count++;
	return count;
}

function clampOffset(offset: number, length: number): number {
	return offset > 0 ? Math.min(offset, length) : 0;
}

function isLineEnd(byte: number): boolean {
	return byte === LF || byte === CR;
}

function nextCodePoint(bytes: Uint8Array, offset: number): number {
	const limit = Math.min(offset + 4, bytes.length);
	let next = offset + 1;
	while (next < limit && (bytes[next]! & 0xc0) === 0x80) next++;
	return next;
}

function previousCodePoint(bytes: Uint8Array, offset: number, lineStart: number): number {
	const limit = Math.max(offset - 4, lineStart);
	let previous = offset - 1;
	while (previous > limit && (bytes[previous]! & 0xc0) === 0x80) previous--;
	return previous;
}

/** Decodes bytes into code points, with those that would disturb a terminal replaced one for one. */
function printableCharacters(bytes: Uint8Array): string[] {
	return Array.from(new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes), printableCharacter);
}
