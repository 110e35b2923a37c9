import type { DocumentText } from './document-text.ts';

/** Positions of a text in ascending order, for a cost that is linear in the text however many there are. */
export class TextCursor {
	readonly #text: DocumentText;
	#at = 0;
	line = 0;
	character = 0;

	constructor(text: DocumentText) {
		this.#text = text;
	}

	/** Goes on to a byte that is not before the last one. */
	moveTo(offset: number): void {
		const { bytes, unit } = this.#text;
		for (; this.#at < offset; this.#at++) {
			const byte = bytes[this.#at]!;
			if (byte === 0x0a || (byte === 0x0d && bytes[this.#at + 1] !== 0x0a)) {
				this.line++;
				this.character = 0;
			} else if (unit === 'utf-8') this.character++;
			// a character begins at every byte that does not continue one; four bytes of UTF-8 are two units of UTF-16
			else if ((byte & 0xc0) !== 0x80) this.character += byte >= 0xf0 && unit === 'utf-16' ? 2 : 1;
		}
	}
}
