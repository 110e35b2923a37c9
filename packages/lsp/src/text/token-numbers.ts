import type { SemanticTokens, SemanticTokensDelta } from 'vscode-languageserver';
import type { ByteRange, DocumentText } from './document-text.ts';
import { TextCursor } from './text-cursor.ts';

/** Takes one coloured token of a text: a stretch of bytes, an index of its type, bits of its modifiers. */
export type TokenSink = (start: number, end: number, type: number, modifiers: number) => void;

/** Numbers of a token: lines and columns from the one before, length, type, modifiers. */
const WIDTH = 5;

/** The coloured tokens of a text as clients get them. */
export class TokenNumbers {
	readonly id: string;
	#numbers = new Uint32Array(1024 * WIDTH);
	#length = 0;

	constructor(id: string) {
		this.id = id;
	}

	/** Takes the tokens that touch a range, or all, in the order of the text. */
	sinkOf(text: DocumentText, wanted?: ByteRange): TokenSink {
		const { bytes } = text;
		const cursor = new TextCursor(text);
		let lastLine = 0;
		let lastCharacter = 0;
		const add = (from: number, to: number, type: number, modifiers: number): void => {
			cursor.moveTo(from);
			const { line, character } = cursor;
			cursor.moveTo(to);
			if (this.#length + WIDTH > this.#numbers.length) this.#grow();
			const numbers = this.#numbers;
			let at = this.#length;
			numbers[at++] = line - lastLine;
			numbers[at++] = line === lastLine ? character - lastCharacter : character;
			numbers[at++] = cursor.character - character;
			numbers[at++] = type;
			numbers[at++] = modifiers;
			this.#length = at;
			lastLine = line;
			lastCharacter = character;
		};
		return (start, end, type, modifiers) => {
			if (wanted !== undefined && (end < wanted.start || start > wanted.end)) return;
			// tokens of clients must not have several lines
			let from = start;
			for (let at = start; at < end; at++) {
				const byte = bytes[at];
				if (byte !== 0x0a && byte !== 0x0d) continue;
				if (at > from) add(from, at, type, modifiers);
				from = at + 1;
			}
			if (end > from) add(from, end, type, modifiers);
		};
	}

	/** All numbers. */
	whole(): SemanticTokens {
		return { resultId: this.id, data: Array.from(this.#numbers.subarray(0, this.#length)) };
	}

	/** What has changed since others: the stretch between what both begin with and what both end with. */
	since(old: TokenNumbers): SemanticTokensDelta {
		const [before, after] = [old.#numbers, this.#numbers];
		const least = Math.min(old.#length, this.#length);
		let start = 0;
		while (start < least && before[start] === after[start]) start++;
		if (start === least && old.#length === this.#length) return { resultId: this.id, edits: [] };
		let same = 0;
		while (same < least - start && before[old.#length - 1 - same] === after[this.#length - 1 - same]) same++;
		const data = Array.from(after.subarray(start, this.#length - same));
		return { resultId: this.id, edits: [{ start, deleteCount: old.#length - same - start, data }] };
	}

	#grow(): void {
		const grown = new Uint32Array(2 * this.#numbers.length);
		grown.set(this.#numbers);
		this.#numbers = grown;
	}
}
