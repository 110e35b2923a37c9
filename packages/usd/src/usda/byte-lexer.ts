import { quote } from '@manyworlds/core';
import type { UsdCode } from '../diagnostics.ts';
import { BLANK, BYTE_CLASS, IDENTIFIER_CONTINUE, IDENTIFIER_START, LINE_END, NON_ASCII } from './byte-class.ts';
import { NumberKind, type NumberParser } from './number-parser.ts';
import { unescapeText } from './string-escapes.ts';
import type { TextInterner } from './text-interner.ts';
import { UsdaFault } from './usda-fault.ts';
import { utf8Size } from './utf8-size.ts';

const HASH = 0x23;
const SLASH = 0x2f;
const STAR = 0x2a;
const COLON = 0x3a;
const BACKSLASH = 0x5c;
const AT = 0x40;
const LF = 0x0a;
const CR = 0x0d;

/** Longest text that is looked up instead of decoded again. */
const INTERN_LIMIT = 96;

/** Reads the words, strings and numbers of usda text from bytes, and what may stand between them. */
export class ByteLexer {
	/** The text. Its last byte is a line end, or else a zero byte follows it. */
	readonly bytes: Uint8Array;
	/** Length of the text without that byte. */
	readonly length: number;
	/** Where reading goes on. */
	pos = 0;
	/** The last number that {@link number} read; for an integer beyond 2^53 it is rounded. */
	value = 0;
	readonly interner: TextInterner;
	readonly numbers: NumberParser;

	constructor(text: Uint8Array, interner: TextInterner, numbers: NumberParser) {
		this.interner = interner;
		this.numbers = numbers;
		this.length = text.length;
		// a line end stops every scan over a word or number; other texts get a stop byte
		if (text[text.length - 1] === LF) this.bytes = new Uint8Array(text.buffer, text.byteOffset, text.length);
		else {
			this.bytes = new Uint8Array(text.length + 1);
			this.bytes.set(text);
		}
	}

	get isAtEnd(): boolean {
		return this.pos >= this.length;
	}

	/** Leaves the statement with a mistake at the given bytes. */
	fail(code: UsdCode, message: string, start: number = this.pos, end: number = start + 1): never {
		throw new UsdaFault(code, message, start, end);
	}

	/** Leaves the statement because something else was expected here. */
	failExpected(expected: string): never {
		return this.fail(
			'USDA001',
			`found ${this.describe(this.pos)}, expected ${expected}`,
			this.pos,
			this.tokenEnd(this.pos),
		);
	}

	/** Skips blanks and block comments. */
	skipInline(): void {
		const bytes = this.bytes;
		let at = this.pos;
		for (;;) {
			const byte = bytes[at]!;
			if (byte === 0x20 || byte === 0x09) at++;
			else if (byte === SLASH && bytes[at + 1] === STAR) at = this.#blockCommentEnd(at);
			else break;
		}
		this.pos = at;
	}

	/** Skips blanks and comments of all kinds up to the end of the line. */
	skipToLineEnd(): void {
		const bytes = this.bytes;
		let at = this.pos;
		for (;;) {
			const byte = bytes[at]!;
			if (byte === 0x20 || byte === 0x09) at++;
			else if (byte === HASH) at = this.lineEnd(at);
			else if (byte === SLASH && bytes[at + 1] === SLASH) at = this.lineEnd(at);
			else if (byte === SLASH && bytes[at + 1] === STAR) at = this.#blockCommentEnd(at);
			else break;
		}
		this.pos = at;
	}

	/** Skips blanks, comments and line ends. */
	skipAll(): void {
		const bytes = this.bytes;
		let at = this.pos;
		for (;;) {
			const byte = bytes[at]!;
			if (byte === 0x20 || byte === LF || byte === 0x09 || byte === CR) at++;
			else if (byte === HASH) at = this.lineEnd(at);
			else if (byte === SLASH && bytes[at + 1] === SLASH) at = this.lineEnd(at);
			else if (byte === SLASH && bytes[at + 1] === STAR) at = this.#blockCommentEnd(at);
			else break;
		}
		this.pos = at;
	}

	/** Skips everything that may stand between two statements, `;` included: used after a mistake. */
	skipSeparators(): void {
		this.skipAll();
		while (this.accept(0x3b)) this.skipAll();
	}

	/** Skips what must separate two words: blanks and block comments with at least one blank outside comments. */
	separator(): void {
		const start = this.pos;
		const bytes = this.bytes;
		while (bytes[this.pos] === SLASH && bytes[this.pos + 1] === STAR) this.pos = this.#blockCommentEnd(this.pos);
		if ((BYTE_CLASS[bytes[this.pos]!]! & BLANK) === 0) {
			this.pos = start;
			this.failExpected('a space');
		}
		this.skipInline();
	}

	/** Offset of the end of the line that holds `at`. */
	lineEnd(at: number): number {
		const { bytes, length } = this;
		let end = at;
		while (end < length && (BYTE_CLASS[bytes[end]!]! & LINE_END) === 0) end++;
		return end;
	}

	#blockCommentEnd(start: number): number {
		const { bytes, length } = this;
		for (let at = start + 2; at < length; at++) {
			if (bytes[at] === STAR && bytes[at + 1] === SLASH) return at + 2;
		}
		return this.fail('USDA007', "comment that begins with '/*' has no '*/'", start, start + 2);
	}

	/** Skips the byte if it stands here. */
	accept(byte: number): boolean {
		if (this.bytes[this.pos] !== byte || this.pos >= this.length) return false;
		this.pos++;
		return true;
	}

	/** Skips the byte, or fails. */
	expect(byte: number): void {
		if (!this.accept(byte)) this.failExpected(`'${String.fromCharCode(byte)}'`);
	}

	/** Skips an `=` and the blanks around it. */
	assignment(): void {
		this.skipInline();
		this.expect(0x3d);
		this.skipInline();
	}

	/** Whether an identifier begins here. */
	isAtIdentifier(): boolean {
		const kind = BYTE_CLASS[this.bytes[this.pos]!]!;
		if ((kind & (IDENTIFIER_START | NON_ASCII)) === 0) return false;
		return (kind & IDENTIFIER_START) !== 0 || this.#unicodeEnd(this.pos, XID_START) > this.pos;
	}

	/** Reads an identifier and gives its number, or -1 when none begins here. */
	identifier(): number {
		const end = this.#identifierEnd(this.pos);
		if (end === this.pos) return -1;
		const number = this.interner.intern(this.bytes, this.pos, end);
		this.pos = end;
		return number;
	}

	/** Reads identifiers joined by `:`, or gives -1 when none begins here. */
	namespacedIdentifier(): number {
		const start = this.pos;
		const bytes = this.bytes;
		let end = this.#identifierEnd(start);
		if (end === start) return -1;
		while (bytes[end] === COLON) {
			const next = this.#identifierEnd(end + 1);
			if (next === end + 1) break;
			end = next;
		}
		this.pos = end;
		return this.interner.intern(bytes, start, end);
	}

	/** Reads identifiers joined by `::`, or gives -1 when none begins here. */
	scopedIdentifier(): number {
		const start = this.pos;
		const bytes = this.bytes;
		let end = this.#identifierEnd(start);
		if (end === start) return -1;
		while (bytes[end] === COLON && bytes[end + 1] === COLON) {
			const next = this.#identifierEnd(end + 2);
			if (next === end + 2) break;
			end = next;
		}
		this.pos = end;
		return this.interner.intern(bytes, start, end);
	}

	/** Whether the bytes between two offsets are one identifier. */
	isIdentifierBetween(start: number, end: number): boolean {
		return start < end && this.#identifierEnd(start) === end;
	}

	/** The number of a text that does not stand in the file as it is. */
	internText(text: string): number {
		const bytes = new TextEncoder().encode(text);
		return this.interner.intern(bytes, 0, bytes.length);
	}

	/** The text of an interned number. */
	text(number: number): string {
		return this.interner.strings[number]!;
	}

	/** The text of some bytes. */
	slice(start: number, end: number): string {
		return DECODER.decode(this.bytes.subarray(start, end));
	}

	#identifierEnd(start: number): number {
		const bytes = this.bytes;
		const first = BYTE_CLASS[bytes[start]!]!;
		let at = start;
		if ((first & IDENTIFIER_START) !== 0) at++;
		else if ((first & NON_ASCII) !== 0) {
			at = this.#unicodeEnd(start, XID_START);
			if (at === start) return start;
		} else return start;
		for (;;) {
			const kind = BYTE_CLASS[bytes[at]!]!;
			if ((kind & IDENTIFIER_CONTINUE) !== 0) at++;
			else if ((kind & NON_ASCII) !== 0) {
				const next = this.#unicodeEnd(at, XID_CONTINUE);
				if (next === at) return at;
				at = next;
			} else return at;
		}
	}

	/** End of the character at `at` if it matches, else `at`. */
	#unicodeEnd(at: number, pattern: RegExp): number {
		const size = utf8Size(this.bytes, at);
		if (size === 0) return at;
		return pattern.test(DECODER.decode(this.bytes.subarray(at, at + size))) ? at + size : at;
	}

	/** Whether a string begins here. */
	isAtString(): boolean {
		const byte = this.bytes[this.pos];
		return byte === 0x22 || byte === 0x27;
	}

	/** Reads a quoted string and gives its text. */
	string(): string {
		const bytes = this.bytes;
		const start = this.pos;
		const quote = bytes[start]!;
		if (quote !== 0x22 && quote !== 0x27) this.failExpected('a string in quotes');
		const isLong = bytes[start + 1] === quote && bytes[start + 2] === quote;
		const from = start + (isLong ? 3 : 1);
		let at = from;
		let isPlain = true;
		let bits = 0;
		for (; ; at++) {
			const byte = at < this.length ? bytes[at]! : 0;
			bits |= byte;
			if (byte === quote) {
				if (!isLong || (bytes[at + 1] === quote && bytes[at + 2] === quote)) break;
			} else if (byte === BACKSLASH) {
				isPlain = false;
				// only the backslash and the quote are skipped with it: other escapes end where they begin
				if (bytes[at + 1] === BACKSLASH || bytes[at + 1] === quote) at++;
			} else if (byte <= CR && this.#isStringBroken(at, byte, isLong)) this.#failString(start, at, isLong);
		}
		this.pos = at + (isLong ? 3 : 1);
		if (!isPlain) {
			if (bits >= 0x80) this.checkUtf8(from, at);
			const text = unescapeText(bytes, from, at, DECODER);
			if (RAW_BYTE.test(text)) this.onRawBytes(start, this.pos);
			return text;
		}
		if (at - from <= INTERN_LIMIT && bits < 0x80) return this.interner.strings[this.interner.intern(bytes, from, at)]!;
		const text = DECODER.decode(bytes.subarray(from, at));
		return bits < 0x80 ? text : this.#checked(text, from, at);
	}

	#isStringBroken(at: number, byte: number, isLong: boolean): boolean {
		if (byte === 0) return at >= this.length;
		return !isLong && (byte === LF || byte === CR);
	}

	#failString(start: number, at: number, isLong: boolean): never {
		const where = at >= this.length ? 'at the end of the file' : 'at the end of the line';
		const quotes = String.fromCharCode(this.bytes[start]!).repeat(isLong ? 3 : 1);
		return this.fail('USDA005', `string that begins with ${quotes} has no closing ${quotes} ${where}`, start, at);
	}

	#checked(text: string, start: number, end: number): string {
		if (text.includes('\ufffd')) this.checkUtf8(start, end);
		return text;
	}

	/** Called when the escapes of a string spell bytes that are not valid UTF-8. */
	onRawBytes(_start: number, _end: number): void {}

	/** Fails at the first byte that is not valid UTF-8. */
	checkUtf8(start: number, end: number): void {
		for (let at = start; at < end; ) {
			const size = this.bytes[at]! < 0x80 ? 1 : utf8Size(this.bytes, at);
			if (size === 0) this.fail('USDA009', `byte 0x${this.bytes[at]!.toString(16)} is not valid UTF-8`, at, at + 1);
			at += size;
		}
	}

	/** Whether an asset path begins here. */
	isAtAsset(): boolean {
		return this.bytes[this.pos] === AT;
	}

	/** Reads an asset path in `@` or `@@@`. */
	assetPath(): string {
		const bytes = this.bytes;
		const start = this.pos;
		if (bytes[start] !== AT) this.failExpected("an asset path in '@'");
		const isLong = bytes[start + 1] === AT && bytes[start + 2] === AT;
		const from = start + (isLong ? 3 : 1);
		let at = from;
		let hasEscape = false;
		let bits = 0;
		for (; ; at++) {
			const byte = bytes[at]!;
			bits |= byte;
			if (byte === AT) {
				if (!isLong) break;
				if (bytes[at + 1] === AT && bytes[at + 2] === AT) {
					// up to two more belong to the path: the last three close it
					for (let extra = 0; extra < 2 && bytes[at + 3] === AT; extra++) at++;
					break;
				}
			} else if (byte === BACKSLASH && isLong && bytes[at + 1] === AT && bytes[at + 2] === AT && bytes[at + 3] === AT) {
				hasEscape = true;
				at += 3;
			} else if (byte <= CR && (byte === LF || byte === CR || (byte === 0 && at >= this.length))) {
				const mark = isLong ? '@@@' : '@';
				this.fail('USDA006', `asset path that begins with ${mark} has no closing ${mark} on its line`, start, at);
			} else if (byte < 0x20 || byte === 0x7f) {
				this.fail('USDA010', `asset path holds the control character 0x${byte.toString(16)}`, at, at + 1);
			}
		}
		this.pos = at + (isLong ? 3 : 1);
		if (bits < 0x80 && !hasEscape && at - from <= INTERN_LIMIT) {
			return this.interner.strings[this.interner.intern(bytes, from, at)]!;
		}
		const text = DECODER.decode(bytes.subarray(from, at));
		if (text.includes('\ufffd')) this.checkUtf8(from, at);
		return hasEscape ? text.replaceAll('\\@@@', '@@@') : text;
	}

	/** Whether a number begins here, `inf` and `nan` included. */
	isAtNumber(): boolean {
		const byte = this.bytes[this.pos]!;
		if ((byte >= 0x30 && byte <= 0x39) || byte === 0x2e || byte === 0x2d) return true;
		return this.#namedNumberSize() > 0;
	}

	/** Reads a number into {@link value}. Fails when there is none. */
	number(): NumberKind {
		if (this.pos >= this.length) this.failExpected('a number');
		const kind = this.numbers.parse(this.bytes, this.pos);
		if (kind === NumberKind.integer || kind === NumberKind.real) {
			this.value = this.numbers.value;
			this.pos = this.numbers.end;
			return kind;
		}
		if (kind === NumberKind.malformed) {
			const { end } = this.numbers;
			this.fail(
				'USDA039',
				`number ${quote(this.slice(this.pos, Math.min(end, this.pos + 80)))} stops early, expected a digit`,
				this.pos,
				end,
			);
		}
		const size = this.#namedNumberSize();
		if (size === 0) this.failExpected('a number');
		this.value = this.bytes[this.pos] === 0x69 ? Number.POSITIVE_INFINITY : Number.NaN;
		this.pos += size;
		return NumberKind.real;
	}

	/** 3 when `inf` or `nan` stands here as a whole word. */
	#namedNumberSize(): number {
		const { bytes, pos } = this;
		const a = bytes[pos];
		const isNamed =
			(a === 0x69 && bytes[pos + 1] === 0x6e && bytes[pos + 2] === 0x66) ||
			(a === 0x6e && bytes[pos + 1] === 0x61 && bytes[pos + 2] === 0x6e);
		return isNamed && (BYTE_CLASS[bytes[pos + 3]!]! & (IDENTIFIER_CONTINUE | NON_ASCII)) === 0 ? 3 : 0;
	}

	/** The token at an offset for use in a message, quoted, or a phrase for the ends of lines and of the file. */
	describe(at: number): string {
		if (at >= this.length) return 'the end of the file';
		const byte = this.bytes[at]!;
		if (byte === LF || byte === CR) return 'the end of the line';
		if (byte < 0x20 || byte === 0x7f) return `control character 0x${byte.toString(16).padStart(2, '0')}`;
		return quote(this.slice(at, Math.min(this.tokenEnd(at), at + 240)), 60);
	}

	/** End of the token at an offset, as far as a message needs it. */
	tokenEnd(at: number): number {
		if (at >= this.length) return at;
		const identifierEnd = this.#identifierEnd(at);
		if (identifierEnd > at) return identifierEnd;
		const byte = this.bytes[at]!;
		if (byte === 0x22 || byte === 0x27) {
			const close = this.bytes.subarray(at + 1, Math.min(this.lineEnd(at), at + 58)).indexOf(byte);
			return close < 0 ? Math.min(this.lineEnd(at), at + 60) : at + close + 2;
		}
		if (this.isDigitAt(at) || (byte === 0x2d && this.isDigitAt(at + 1))) {
			this.numbers.parse(this.bytes, at);
			return Math.max(this.numbers.end, at + 1);
		}
		return byte < 0x80 ? at + 1 : at + Math.max(utf8Size(this.bytes, at), 1);
	}

	isDigitAt(at: number): boolean {
		return at < this.length && (this.bytes[at]! - 0x30) >>> 0 < 10;
	}
}

/** A byte that is not valid UTF-8, as {@link unescapeText} keeps it. */
const DECODER = new TextDecoder('utf-8', { ignoreBOM: true });
const RAW_BYTE = /[\udc80-\udcff]/u;
const XID_START = /^\p{XID_Start}$/u;
const XID_CONTINUE = /^\p{XID_Continue}$/u;
