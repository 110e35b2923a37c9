import type { XML_CODES } from '../codes/xml.ts';
import { quote } from '../quote.ts';

/** A reference that cannot be replaced; places are code units of the text that was given. */
export interface ReferenceFault {
	readonly code: keyof typeof XML_CODES;
	readonly message: string;
	readonly start: number;
	readonly length: number;
}

/** Replaces character references and the five predefined entities (XML 1.0 sections 4.1, 4.6); others stay as written. */
export function expandReferences(text: string, fault: (fault: ReferenceFault) => void): string {
	return text.replace(/&(?:([A-Za-z_:][\w.:-]*);|#(\d+);|#x([\dA-Fa-f]+);)?/g, (match, name, decimal, hex, start) => {
		const add = (code: keyof typeof XML_CODES, message: string): string => {
			fault({ code, message, start: Number(start), length: match.length });
			return match;
		};
		if (match === '&') return add('XML001', "found '&' that begins no reference, expected '&amp;'");
		if (name !== undefined) {
			const character = PREDEFINED[name as string];
			return character ?? add('XML002', `the entity ${quote(match)} is not one of the five predefined ones`);
		}
		const point = hex === undefined ? Number.parseInt(String(decimal), 10) : Number.parseInt(String(hex), 16);
		if (!isCharacter(point)) return add('XML001', `the reference ${quote(match)} names no character of XML`);
		return String.fromCodePoint(point);
	});
}

const PREDEFINED: Readonly<Record<string, string | undefined>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };

/** XML 1.0 production 2. */
function isCharacter(point: number): boolean {
	return (
		point === 0x09 ||
		point === 0x0a ||
		point === 0x0d ||
		(point >= 0x20 && point <= 0xd7ff) ||
		(point >= 0xe000 && point <= 0xfffd) ||
		(point >= 0x10000 && point <= 0x10ffff)
	);
}
