/** What a token of usda text is. */
export const TokenKind = { comment: 0, string: 1, asset: 2, path: 3, number: 4, word: 5, mark: 6 } as const;
export type TokenKind = (typeof TokenKind)[keyof typeof TokenKind];

const LINE_BREAK = 0x80;
const KIND = 0x7f;

/**
 * The tokens of usda text, whatever is wrong with it: strings and paths that nobody closes end with their line, bytes that mean
 * nothing are marks. Comments are tokens. A word is an identifier with namespaces: `xformOp:translate`.
 */
export class UsdaTokens {
	readonly bytes: Uint8Array;
	readonly #texts: Texts;
	#kinds = new Uint8Array(1024);
	#starts = new Int32Array(1024);
	#ends = new Int32Array(1024);
	#count = 0;

	constructor(bytes: Uint8Array) {
		this.bytes = bytes;
		this.#texts = new Texts(bytes);
		this.#scan();
	}

	get count(): number {
		return this.#count;
	}

	kind(index: number): TokenKind {
		return (this.#kinds[index]! & KIND) as TokenKind;
	}

	start(index: number): number {
		return this.#starts[index]!;
	}

	end(index: number): number {
		return this.#ends[index]!;
	}

	/** Whether the token is the first on its line. */
	isFirstOnLine(index: number): boolean {
		return (this.#kinds[index]! & LINE_BREAK) !== 0;
	}

	text(index: number): string {
		return this.#texts.of(this.#starts[index]!, this.#ends[index]!);
	}

	/** Whether the token is one mark. */
	isMark(index: number, byte: number): boolean {
		return index < this.#count && this.kind(index) === TokenKind.mark && this.bytes[this.#starts[index]!] === byte;
	}

	/** The content of a string, asset path or path without what stands around it; escapes stay. */
	content(index: number): string {
		const { start, end } = this.contentRange(index);
		return this.#texts.of(start, end);
	}

	contentRange(index: number): { readonly start: number; readonly end: number } {
		const start = this.#starts[index]!;
		const end = this.#ends[index]!;
		const { bytes } = this;
		const open = bytes[start]!;
		const close = this.kind(index) === TokenKind.path ? 0x3e : open;
		const isLong = open !== 0x3c && bytes[start + 1] === open && bytes[start + 2] === open && end - start > 2;
		const width = isLong ? 3 : 1;
		const isClosed = end - start >= 2 * width && bytes[end - 1] === close;
		return { start: start + width, end: isClosed ? end - width : end };
	}

	/** The last token that starts at or before a byte; -1 before the first. */
	at(offset: number): number {
		let low = -1;
		let high = this.#count;
		while (high - low > 1) {
			const middle = (low + high) >> 1;
			if (this.#starts[middle]! <= offset) low = middle;
			else high = middle;
		}
		return low;
	}

	#add(kind: TokenKind, start: number, end: number, isFirst: boolean): void {
		if (this.#count === this.#kinds.length) this.#grow();
		this.#kinds[this.#count] = kind | (isFirst ? LINE_BREAK : 0);
		this.#starts[this.#count] = start;
		this.#ends[this.#count++] = end;
	}

	#grow(): void {
		const kinds = new Uint8Array(this.#kinds.length * 2);
		kinds.set(this.#kinds);
		this.#kinds = kinds;
		const starts = new Int32Array(kinds.length);
		starts.set(this.#starts);
		this.#starts = starts;
		const ends = new Int32Array(kinds.length);
		ends.set(this.#ends);
		this.#ends = ends;
	}

	#scan(): void {
		const { bytes } = this;
		const { length } = bytes;
		let at = 0;
		let isFirst = true;
		while (at < length) {
			const byte = bytes[at]!;
			if (byte === 0x0a || byte === 0x0d) {
				isFirst = true;
				at++;
				continue;
			}
			if (byte === 0x20 || byte === 0x09) {
				at++;
				continue;
			}
			const start = at;
			let kind: TokenKind = TokenKind.mark;
			if (byte === 0x23 || (byte === 0x2f && bytes[at + 1] === 0x2f)) {
				kind = TokenKind.comment;
				at = this.#lineEnd(at);
			} else if (byte === 0x2f && bytes[at + 1] === 0x2a) {
				kind = TokenKind.comment;
				at = this.#blockEnd(at + 2);
			} else if (byte === 0x22 || byte === 0x27) {
				kind = TokenKind.string;
				at = this.#quotedEnd(at, byte);
			} else if (byte === 0x40) {
				kind = TokenKind.asset;
				at = this.#assetEnd(at);
			} else if (byte === 0x3c) {
				kind = TokenKind.path;
				at = this.#pathEnd(at);
			} else if (isDigit(byte) || ((byte === 0x2d || byte === 0x2e) && isNumberPart(bytes[at + 1]))) {
				kind = TokenKind.number;
				at++;
				while (isNumberPart(bytes[at]) || (isSign(bytes[at]) && isExponent(bytes[at - 1]))) at++;
			} else if (isWordByte(byte)) {
				kind = TokenKind.word;
				at++;
				while (isWordByte(bytes[at]) || (bytes[at] === 0x3a && isWordJoin(bytes[at + 1], bytes[at + 2]))) at++;
			} else at++;
			this.#add(kind, start, at, isFirst);
			isFirst = false;
		}
	}

	#lineEnd(from: number): number {
		let at = from;
		while (at < this.bytes.length && this.bytes[at] !== 0x0a && this.bytes[at] !== 0x0d) at++;
		return at;
	}

	#blockEnd(from: number): number {
		const { bytes } = this;
		for (let at = from; at < bytes.length; at++) if (bytes[at] === 0x2a && bytes[at + 1] === 0x2f) return at + 2;
		return bytes.length;
	}

	#quotedEnd(from: number, quote: number): number {
		const { bytes } = this;
		const isLong = bytes[from + 1] === quote && bytes[from + 2] === quote;
		let at = from + (isLong ? 3 : 1);
		for (; at < bytes.length; at++) {
			const byte = bytes[at]!;
			if (byte === 0x5c) at++;
			else if (byte === quote) {
				if (!isLong) return at + 1;
				if (bytes[at + 1] === quote && bytes[at + 2] === quote) return at + 3;
			} else if (!isLong && (byte === 0x0a || byte === 0x0d)) return at;
		}
		return Math.min(at, bytes.length);
	}

	#assetEnd(from: number): number {
		const { bytes } = this;
		const isLong = bytes[from + 1] === 0x40 && bytes[from + 2] === 0x40;
		let at = from + (isLong ? 3 : 1);
		for (; at < bytes.length; at++) {
			const byte = bytes[at]!;
			if (byte === 0x0a || byte === 0x0d) return at;
			if (isLong && byte === 0x5c && bytes[at + 1] === 0x40) at += 3;
			else if (byte === 0x40) {
				if (!isLong) return at + 1;
				if (bytes[at + 1] !== 0x40 || bytes[at + 2] !== 0x40) continue;
				// up to two more belong to the path
				at += 3;
				for (let more = 0; more < 2 && bytes[at] === 0x40; more++) at++;
				return at;
			}
		}
		return Math.min(at, bytes.length);
	}

	#pathEnd(from: number): number {
		const { bytes } = this;
		for (let at = from + 1; at < bytes.length; at++) {
			const byte = bytes[at]!;
			if (byte === 0x3e) return at + 1;
			// a path that nobody closed ends before what cannot be in one
			if (byte === 0x0a || byte === 0x0d || byte === 0x29 || byte === 0x28 || byte === 0x40) return at;
		}
		return bytes.length;
	}
}

const DECODER = new TextDecoder('utf-8', { ignoreBOM: true });

/** The texts of stretches of bytes. Most words of a layer stand in it again and again: a text is only decoded when its place has another. */
class Texts {
	readonly #bytes: Uint8Array;
	readonly #known: string[] = new Array<string>(TEXT_PLACES).fill('');

	constructor(bytes: Uint8Array) {
		this.#bytes = bytes;
	}

	of(start: number, end: number): string {
		const bytes = this.#bytes;
		let hash = end - start;
		for (let at = start; at < end; at++) hash = (31 * hash + bytes[at]!) | 0;
		const place = (hash ^ (hash >>> 12)) & (TEXT_PLACES - 1);
		const known = this.#known[place]!;
		if (known.length === end - start && isSpelled(known, bytes, start)) return known;
		const text = DECODER.decode(bytes.subarray(start, end));
		this.#known[place] = text;
		return text;
	}
}

const TEXT_PLACES = 1024;

/** Whether bytes are the characters of a text, all of them ASCII. */
function isSpelled(text: string, bytes: Uint8Array, start: number): boolean {
	for (let i = 0; i < text.length; i++) {
		const code = text.charCodeAt(i);
		if (code >= 0x80 || code !== bytes[start + i]) return false;
	}
	return true;
}

function isDigit(byte: number | undefined): boolean {
	return byte !== undefined && byte >= 0x30 && byte <= 0x39;
}

function isNumberPart(byte: number | undefined): boolean {
	return isDigit(byte) || byte === 0x2e || isExponent(byte);
}

function isExponent(byte: number | undefined): boolean {
	return byte === 0x65 || byte === 0x45;
}

function isSign(byte: number | undefined): boolean {
	return byte === 0x2d || byte === 0x2b;
}

function isWordByte(byte: number | undefined): boolean {
	if (byte === undefined) return false;
	return (
		(byte >= 0x61 && byte <= 0x7a) || (byte >= 0x41 && byte <= 0x5a) || byte === 0x5f || byte >= 0x80 || isDigit(byte)
	);
}

/** Whether a colon joins what stands before it with the next word: one colon of a namespace, or two of a scope. */
function isWordJoin(next: number | undefined, after: number | undefined): boolean {
	return isWordByte(next) || (next === 0x3a && isWordByte(after));
}
