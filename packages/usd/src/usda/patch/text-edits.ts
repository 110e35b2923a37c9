/** A replacement of the bytes from `start` to `end` by text. */
interface TextEdit {
	readonly start: number;
	readonly end: number;
	readonly text: string;
}

function isRemoval({ start, end }: TextEdit): number {
	return end > start ? 1 : 0;
}

const LF = 0x0a;
const CR = 0x0d;
const SPACE = 0x20;
const TAB = 0x09;
const HASH = 0x23;
const SEMICOLON = 0x3b;

/**
 * Edits of a text by byte offsets of its original, and what they need to know about lines. Edits inside a range that is deleted
 * as a whole are dropped; insertions at one place keep the order in which they were made.
 */
export class TextEdits {
	readonly bytes: Uint8Array;
	/** The line end that the text uses. */
	readonly lineEnd: string;
	readonly #edits: TextEdit[] = [];

	constructor(bytes: Uint8Array) {
		this.bytes = bytes;
		const first = bytes.indexOf(LF);
		this.lineEnd = first > 0 && bytes[first - 1] === CR ? '\r\n' : '\n';
	}

	get isEmpty(): boolean {
		return this.#edits.length === 0;
	}

	replace(start: number, end: number, text: string): void {
		this.#edits.push({ start, end, text });
	}

	insert(at: number, text: string): void {
		this.#edits.push({ start: at, end: at, text });
	}

	/** Deletes a statement with the line it stands on, when nothing else stands there, and a comment that follows it there. */
	removeStatement(start: number, end: number): void {
		const from = this.lineStart(start);
		const isFirst = this.#isBlank(from, start);
		let to = this.#skipBlanks(end);
		if (this.bytes[to] === SEMICOLON) to = this.#skipBlanks(to + 1);
		const rest = this.#restOfLine(to);
		if (isFirst && rest >= 0) this.replace(from, rest, '');
		else this.replace(start, isFirst ? to : Math.max(end, this.bytes[end] === SEMICOLON ? end + 1 : end), '');
	}

	/** Start of the line with the first of the comments that stand right above what starts at `at`, or of its own line. */
	commentStart(at: number): number {
		let from = this.lineStart(at);
		if (!this.#isBlank(from, at)) return at;
		while (from > 0) {
			const above = this.lineStart(from - (this.bytes[from - 1] === LF && this.bytes[from - 2] === CR ? 2 : 1));
			if (this.bytes[this.#skipBlanks(above)] !== HASH || above === 0) break;
			from = above;
		}
		return from;
	}

	/** Deletes a block with its lines and, when blank lines stand on both sides, the one before it. */
	removeBlock(start: number, end: number): void {
		const from = this.lineStart(start);
		const to = this.#restOfLine(this.#skipBlanks(end));
		if (!this.#isBlank(from, start) || to < 0) {
			this.replace(start, end, '');
			return;
		}
		const before = from === 0 ? 0 : this.lineStart(from - 1);
		const isAfterBlank = from > 0 && this.#isBlank(before, from);
		const next = this.#lineEndAt(to);
		const isBeforeBlank = next >= this.bytes.length || this.#isBlank(to, next);
		const isLast = this.bytes[this.#skipBlanks(to)] === 0x7d;
		this.replace(isAfterBlank && (isBeforeBlank || isLast) ? before : from, to, '');
	}

	/** Inserts whole lines after the line on which something ends; the text that follows on that line moves below them. */
	insertAfter(end: number, lines: string, indent: string): void {
		let from = end;
		let to = this.#skipBlanks(end);
		if (this.bytes[to] === SEMICOLON) {
			from = to + 1;
			to = this.#skipBlanks(from);
		}
		const next = this.#restOfLine(to);
		if (next < 0) this.replace(from, to, `${this.lineEnd}${lines}${indent}`);
		else if (next > 0 && this.bytes[next - 1] !== LF && this.bytes[next - 1] !== CR)
			this.insert(next, this.lineEnd + lines);
		else this.insert(next, lines);
	}

	/** Inserts whole lines before a closing bracket at `close`. */
	insertBeforeClose(close: number, lines: string, indent: string): void {
		const from = this.lineStart(close);
		if (this.#isBlank(from, close)) this.insert(from, lines);
		else this.insert(close, `${this.lineEnd}${lines}${indent}`);
	}

	/** White space at the start of the line that `at` lies on. */
	indentAt(at: number): string {
		const from = this.lineStart(at);
		let to = from;
		while (this.bytes[to] === SPACE || this.bytes[to] === TAB) to++;
		return String.fromCharCode(...this.bytes.subarray(from, to));
	}

	/** Offset behind the quoted string that starts at `at`. */
	stringEnd(at: number): number {
		const quote = this.bytes[at]!;
		let i = at + 1;
		for (; i < this.bytes.length && this.bytes[i] !== quote; i++) if (this.bytes[i] === 0x5c) i++;
		return i + 1;
	}

	/** Start of the line that `at` lies on. */
	lineStart(at: number): number {
		let from = at;
		while (from > 0 && this.bytes[from - 1] !== LF && this.bytes[from - 1] !== CR) from--;
		return from;
	}

	/** The text with all edits. */
	apply(): Uint8Array {
		const ordered = this.#edits
			.map((edit, order) => ({ edit, order }))
			// what is inserted where something is taken away stands before it
			.sort((a, b) => a.edit.start - b.edit.start || isRemoval(a.edit) - isRemoval(b.edit) || a.order - b.order)
			.map(({ edit }) => edit);
		const pieces: Uint8Array[] = [];
		const encoder = new TextEncoder();
		let at = 0;
		for (const { start, end, text } of ordered) {
			if (start < at) {
				// inside what an edit before took away
				if (end > at) at = end;
				continue;
			}
			pieces.push(this.bytes.subarray(at, start), encoder.encode(text));
			at = end;
		}
		pieces.push(this.bytes.subarray(at));
		const all = new Uint8Array(pieces.reduce((sum, piece) => sum + piece.length, 0));
		let to = 0;
		for (const piece of pieces) {
			all.set(piece, to);
			to += piece.length;
		}
		return all;
	}

	#isBlank(from: number, to: number): boolean {
		for (let i = from; i < to; i++) {
			const byte = this.bytes[i]!;
			if (byte !== SPACE && byte !== TAB && byte !== LF && byte !== CR) return false;
		}
		return true;
	}

	#skipBlanks(at: number): number {
		let to = at;
		while (this.bytes[to] === SPACE || this.bytes[to] === TAB) to++;
		return to;
	}

	/** Start of the next line when nothing but a comment follows on this one, else -1. */
	#restOfLine(at: number): number {
		const byte = this.bytes[at];
		if (byte === HASH || byte === LF || byte === CR || byte === undefined) return this.#lineEndAt(at);
		return -1;
	}

	/** Start of the line after the one that `at` lies on. */
	#lineEndAt(at: number): number {
		let to = at;
		while (to < this.bytes.length && this.bytes[to] !== LF && this.bytes[to] !== CR) to++;
		if (this.bytes[to] === CR && this.bytes[to + 1] === LF) return to + 2;
		return Math.min(to + 1, this.bytes.length);
	}
}
