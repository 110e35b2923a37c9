import type { DiagnosticDetails } from '../diagnostic.ts';
import { TextPlaces } from '../text-places.ts';
import { type JsonEvents, type JsonFault, scanJson } from './json-scanner.ts';

/** Keys and numbers that lead from the root of a JSON text to a value. */
export type JsonPath = readonly (string | number)[];

/**
 * Where the values of a JSON text are written, so that what is wrong with a value can be told with line and column.
 *
 * ```ts
 * const places = new JsonPlaces('{ "mass": -1 }', 'robot.json');
 * report.add(createDiagnostic(code, 'mass is -1, expected more than 0', places.locate(['mass'])));
 * ```
 */
export class JsonPlaces {
	/** The first place where the text is not JSON. */
	readonly fault: JsonFault | undefined;
	/** Keys that an object has already, where they are given again. */
	readonly repeatedKeys: readonly { readonly path: JsonPath; readonly place: DiagnosticDetails }[];
	readonly #text: string;
	readonly #places: TextPlaces;
	readonly #root: JsonPlace | undefined;

	/** @param file - name in diagnostics */
	constructor(text: string, file: string) {
		const collector = new PlaceCollector(text);
		this.fault = scanJson(text, collector);
		this.#text = text;
		this.#places = new TextPlaces(text, file);
		this.repeatedKeys = collector.repeatedKeys.map(({ path, key }) => ({ path, place: this.#places.locate(...key) }));
		this.#root = collector.root;
	}

	/** File, range and excerpt of the first fault, or of a value, or of the key that leads to it; of the nearest one above where there is none. */
	locate(path: JsonPath, part: 'key' | 'value' = 'value'): DiagnosticDetails {
		if (this.fault !== undefined) return this.#places.locate(this.fault.at, this.fault.at + 1);
		let place = this.#root;
		for (const step of path) {
			const next = place?.parts?.get(step);
			if (next === undefined) return this.#at(place, 'key');
			place = next;
		}
		return this.#at(place, part);
	}

	#at(place: JsonPlace | undefined, part: 'key' | 'value'): DiagnosticDetails {
		const [start, end] = (part === 'key' ? place?.key : undefined) ?? [place?.start ?? 0, place?.end ?? 0];
		// an object runs over many lines: its first line tells enough
		const line = this.#text.indexOf('\n', start);
		return this.#places.locate(start, line < 0 ? end : Math.min(end, line));
	}
}

type Stretch = readonly [start: number, end: number];

interface JsonPlace {
	readonly key: Stretch | undefined;
	readonly start: number;
	end: number;
	/** What an object holds by key, a list by number. */
	readonly parts: Map<string | number, JsonPlace> | undefined;
}

class PlaceCollector implements JsonEvents {
	root: JsonPlace | undefined;
	readonly repeatedKeys: { readonly path: JsonPath; readonly key: Stretch }[] = [];
	readonly #text: string;
	readonly #open: { readonly place: JsonPlace; readonly step: string | number | undefined }[] = [];
	#key: Stretch | undefined;

	constructor(text: string) {
		this.#text = text;
	}

	open(_kind: 'list' | 'object', start: number): void {
		this.#open.push(this.#add({ key: this.#key, start, end: start, parts: new Map() }));
	}

	close(end: number): void {
		this.#open.pop()!.place.end = end;
	}

	key(start: number, end: number): void {
		this.#key = [start, end];
	}

	scalar(start: number, end: number): void {
		this.#add({ key: this.#key, start, end, parts: undefined });
	}

	#add(place: JsonPlace): { place: JsonPlace; step: string | number | undefined } {
		const parts = this.#open.at(-1)?.place.parts;
		this.#key = undefined;
		if (parts === undefined) {
			this.root = place;
			return { place, step: undefined };
		}
		const step = place.key === undefined ? parts.size : keyName(this.#text.slice(...place.key));
		if (place.key !== undefined && parts.has(step))
			this.repeatedKeys.push({ path: [...this.#open.flatMap((at) => at.step ?? []), step], key: place.key });
		parts.set(step, place);
		return { place, step };
	}
}

/** The name that a quoted key stands for; the scanner lets control characters pass that JSON does not. */
function keyName(quoted: string): string {
	try {
		return String(JSON.parse(quoted));
	} catch {
		return quoted.slice(1, -1);
	}
}
