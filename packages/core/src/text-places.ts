import type { DiagnosticDetails } from './diagnostic.ts';
import { SourceText } from './source.ts';

/** Places of a text by UTF-16 offset, as diagnostics have them. */
export class TextPlaces {
	readonly #text: string;
	readonly #source: SourceText;
	readonly #isAscii: boolean;

	/** @param file - name in diagnostics */
	constructor(text: string, file: string) {
		this.#text = text;
		this.#source = new SourceText(new TextEncoder().encode(text), file);
		this.#isAscii = this.#source.bytes.length === text.length;
	}

	/** File, range and excerpt of what stands from `start` to `end`. */
	locate(start: number, end: number): DiagnosticDetails {
		return this.#source.locate(this.#bytes(start), this.#bytes(end));
	}

	#bytes(offset: number): number {
		return this.#isAscii ? offset : new TextEncoder().encode(this.#text.slice(0, offset)).length;
	}
}
