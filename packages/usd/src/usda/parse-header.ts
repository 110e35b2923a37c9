import { quote } from '@manyworlds/core';
import type { ParserState } from './parser-state.ts';

/** The newest version of the text format that is known. */
const NEWEST_MINOR = 4;

/**
 * Reads the first line, `#usda 1.0`. False when the rest is not worth reading. Files of the format's past begin with
 * `#sdf` and a version up to 1.4.32.
 */
export function readHeader(p: ParserState): boolean {
	const { bytes } = p;
	if (p.length === 0) {
		p.addError('USDA004', "file is empty, expected '#usda 1.0'", 0, 0);
		return false;
	}
	if (bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf) {
		p.warn('USDA065', 'text begins with a byte order mark, OpenUSD refuses it', 0, 3);
		p.pos = 3;
	}
	while (isSpace(bytes[p.pos]!)) p.pos++;
	const start = p.pos;
	const end = p.lineEnd(start);
	if (isPlainHeader(bytes, start, end)) {
		p.pos = end;
		return true;
	}
	const line = p.slice(start, Math.min(end, start + 200));
	const match = /^#(usda|sdf) (.*)$/u.exec(line.trimEnd());
	if (match === null) {
		const what =
			start >= p.length
				? 'nothing but white space'
				: startsLikeText(bytes, start, end)
					? quoteLine(line)
					: 'binary data';
		p.addError('USDA002', `file begins with ${what}, expected '#usda 1.0'`, start, Math.min(end, start + 40));
		return false;
	}
	p.pos = end;
	if (match[1] === 'usda') return checkVersion(p, match[2]!, start, end);
	// OpenUSD reads 1.4.32 alone today; earlier versions of its text are not written otherwise
	if (!/^1\.4\.(?:[12]?\d|3[0-2])(?:[\s.].*)?$/u.test(match[2]!)) {
		p.addError('USDA003', `version is ${quoteLine(match[2]!)}, expected at most 1.4.32 for '#sdf'`, start, end);
	}
	return true;
}

function checkVersion(p: ParserState, text: string, start: number, end: number): boolean {
	const match = /^ *(\d+)\.(\d+)(?:\.(\d+))?(?:[\s\0].*)?$/u.exec(text);
	if (match === null) {
		p.addError('USDA003', `version is ${quoteLine(text)}, expected 1.0 to 1.${NEWEST_MINOR}`, start, end);
		return true;
	}
	const [major, minor, patch] = [Number(match[1]), Number(match[2]), Number(match[3] ?? 0)];
	if (major !== 1 || minor > NEWEST_MINOR || (minor === NEWEST_MINOR && patch > 0)) {
		p.addError('USDA003', `version is ${major}.${minor}, expected 1.0 to 1.${NEWEST_MINOR}`, start, end);
	}
	return true;
}

/** Whether the line is `#usda 1.N` with a version that is known, as nearly all are. */
function isPlainHeader(bytes: Uint8Array, start: number, end: number): boolean {
	const size = PLAIN_HEADER.length;
	if (end !== start + size + 1) return false;
	for (let i = 0; i < size; i++) if (bytes[start + i] !== PLAIN_HEADER.charCodeAt(i)) return false;
	const minor = bytes[end - 1]! - 0x30;
	return minor >= 0 && minor <= NEWEST_MINOR;
}

const PLAIN_HEADER = '#usda 1.';

function isSpace(byte: number): boolean {
	return byte === 0x20 || byte === 0x09 || byte === 0x0a || byte === 0x0d;
}

function startsLikeText(bytes: Uint8Array, start: number, end: number): boolean {
	for (let i = start; i < end && i < start + 64; i++) {
		const byte = bytes[i]!;
		if (byte < 0x09 || (byte > 0x0d && byte < 0x20)) return false;
	}
	return bytes[start]! < 0x80;
}

function quoteLine(text: string): string {
	return `${quote(text, 40)}`;
}
