import { SourceText } from '@manyworlds/core';
import type { Position, Range } from 'vscode-languageserver';

/** What columns of positions count. */
export type ColumnUnit = 'utf-8' | 'utf-16' | 'utf-32';

/** A stretch of a text in bytes, the end left out. */
export interface ByteRange {
	readonly start: number;
	readonly end: number;
}

/**
 * A text as UTF-8 bytes, with positions as a client counts them. Everything inside the server counts bytes; this is the one place
 * where they become columns and columns become bytes.
 */
export class DocumentText {
	readonly bytes: Uint8Array;
	readonly unit: ColumnUnit;
	readonly #source: SourceText;

	constructor(bytes: Uint8Array, unit: ColumnUnit) {
		this.bytes = bytes;
		this.unit = unit;
		this.#source = new SourceText(bytes);
	}

	get length(): number {
		return this.bytes.length;
	}

	/** The position of a byte; past the end, that of the end. */
	position(offset: number): Position {
		const { offset: at, line, column } = this.#source.position(offset);
		if (this.unit === 'utf-32') return { line: line - 1, character: column - 1 };
		const start = this.#source.lineStart(line);
		if (this.unit === 'utf-8') return { line: line - 1, character: at - start };
		let character = column - 1;
		// of UTF-16 only what UTF-8 writes in four bytes takes two units
		for (let i = start; i < at; i++) if (this.bytes[i]! >= 0xf0) character++;
		return { line: line - 1, character };
	}

	range(start: number, end: number): Range {
		return { start: this.position(start), end: this.position(end) };
	}

	/** The byte of a position; a column past the end of its line gives the end of the line. */
	offset({ line, character }: Position): number {
		if (line >= this.#source.lineCount) return this.length;
		const start = this.#source.lineStart(line + 1);
		const end = this.#source.lineEnd(line + 1);
		if (this.unit === 'utf-8') return this.#boundary(Math.min(start + character, end), start);
		const { bytes } = this;
		let at = start;
		for (let left = character; left > 0 && at < end; ) {
			const lead = bytes[at]!;
			left -= lead >= 0xf0 && this.unit === 'utf-16' ? 2 : 1;
			at++;
			while (at < end && (bytes[at]! & 0xc0) === 0x80) at++;
		}
		return at;
	}

	byteRange({ start, end }: Range): ByteRange {
		const from = this.offset(start);
		return { start: from, end: Math.max(from, this.offset(end)) };
	}

	slice(start: number, end: number): string {
		return DECODER.decode(this.bytes.subarray(start, end));
	}

	/** Byte of the start of a line, from 0. */
	lineStart(line: number): number {
		return this.#source.lineStart(line + 1);
	}

	get lineCount(): number {
		return this.#source.lineCount;
	}

	/** The text with a part of it replaced. */
	replaced({ start, end }: ByteRange, text: string): DocumentText {
		const middle = new TextEncoder().encode(text);
		const bytes = new Uint8Array(start + middle.length + this.length - end);
		bytes.set(this.bytes.subarray(0, start));
		bytes.set(middle, start);
		bytes.set(this.bytes.subarray(end), start + middle.length);
		return new DocumentText(bytes, this.unit);
	}

	/** The start of the character that a byte belongs to. */
	#boundary(offset: number, least: number): number {
		let at = offset;
		while (at > least && at < this.length && (this.bytes[at]! & 0xc0) === 0x80) at--;
		return at;
	}
}

const DECODER = new TextDecoder('utf-8', { ignoreBOM: true });
