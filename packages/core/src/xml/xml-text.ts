import type { DiagnosticDetails } from '../diagnostic.ts';
import { type SourceRange, SourceText } from '../source.ts';

/**
 * The text of an XML file with its positions. Offsets are in UTF-16 code units of `text`; ranges count bytes, lines and
 * columns as every {@link SourceText} does, and are made only when asked for.
 */
export class XmlText {
	readonly text: string;
	readonly file: string | undefined;
	#source: SourceText | undefined;
	/** Byte offset of every {@link CHUNK}-th code unit; undefined while unknown, empty for ASCII. */
	#chunks: Uint32Array | undefined;

	/** The bytes that the text was read from, when each is one character. */
	readonly ascii: Uint8Array | undefined;

	constructor(text: string, file: string | undefined, bytes?: Uint8Array) {
		this.text = text;
		this.file = file;
		this.ascii = bytes?.length === text.length ? bytes : undefined;
	}

	get source(): SourceText {
		this.#source ??= new SourceText(this.ascii ?? new TextEncoder().encode(this.text), this.file);
		return this.#source;
	}

	range(start: number, end: number): SourceRange {
		return this.source.range(this.#byteOffset(start), this.#byteOffset(end));
	}

	locate(start: number, end: number): DiagnosticDetails {
		return this.source.locate(this.#byteOffset(start), this.#byteOffset(end));
	}

	#byteOffset(offset: number): number {
		const bytes = this.source.bytes;
		if (bytes.length === this.text.length) return offset;
		this.#chunks ??= chunkOffsets(this.text);
		const chunk = Math.min(Math.floor(offset / CHUNK), this.#chunks.length - 1);
		return utf8Length(this.text, chunk * CHUNK, offset, this.#chunks[chunk]!);
	}
}

const CHUNK = 512;

function chunkOffsets(text: string): Uint32Array {
	const chunks = new Uint32Array(Math.floor(text.length / CHUNK) + 1);
	for (let i = 1; i < chunks.length; i++) chunks[i] = utf8Length(text, (i - 1) * CHUNK, i * CHUNK, chunks[i - 1]!);
	return chunks;
}

/** Bytes before `to`, when there are `bytes` before `from`. The first unit of a pair counts 3 bytes, the second 1. */
function utf8Length(text: string, from: number, to: number, bytes: number): number {
	let length = bytes;
	for (let i = from; i < to; i++) {
		const unit = text.charCodeAt(i);
		if (unit < 0x80) length += 1;
		else if (unit < 0x800) length += 2;
		else if (isLow(unit) && i > 0 && isHigh(text.charCodeAt(i - 1))) length += 1;
		else length += 3;
	}
	return length;
}

function isHigh(unit: number): boolean {
	return unit >= 0xd800 && unit <= 0xdbff;
}

function isLow(unit: number): boolean {
	return unit >= 0xdc00 && unit <= 0xdfff;
}

/** The text of an XML file; its bytes where they are UTF-8. */
interface DecodedXml {
	readonly text: string;
	readonly utf8?: Uint8Array;
	readonly unknownEncoding?: string;
}

/** Text of an XML file by its byte order mark, else by the encoding it declares, else UTF-8 (XML 1.0 appendix F). */
export function decodeXml(bytes: Uint8Array): DecodedXml {
	if (bytes[0] === 0xff && bytes[1] === 0xfe) return { text: decodeUtf16(bytes.subarray(2), true) };
	if (bytes[0] === 0xfe && bytes[1] === 0xff) return { text: decodeUtf16(bytes.subarray(2), false) };
	const text = new TextDecoder().decode(bytes);
	const declared = /^\s*<\?xml[^>]*?encoding\s*=\s*["']([A-Za-z0-9._-]+)["']/.exec(text.slice(0, 400))?.[1];
	const name = declared?.toLowerCase();
	if (name === undefined || name === 'utf-8' || name === 'utf8' || name === 'us-ascii' || name === 'ascii') {
		return { text, utf8: bytes };
	}
	if (name === 'iso-8859-1' || name === 'latin-1' || name === 'latin1') return { text: decodeLatin1(bytes) };
	return { text, utf8: bytes, unknownEncoding: declared! };
}

function decodeUtf16(bytes: Uint8Array, isLittleEndian: boolean): string {
	const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
	const pieces: string[] = [];
	for (let i = 0; i + 1 < bytes.length; i += 2) pieces.push(String.fromCharCode(view.getUint16(i, isLittleEndian)));
	return pieces.join('');
}

function decodeLatin1(bytes: Uint8Array): string {
	const pieces: string[] = [];
	for (const byte of bytes) pieces.push(String.fromCharCode(byte));
	return pieces.join('');
}
