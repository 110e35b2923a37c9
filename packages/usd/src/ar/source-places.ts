import { type Excerpt, type SourceRange, SourceText } from '@manyworlds/core';
import type { Layer } from '../sdf/layer.ts';
import type { Path } from '../sdf/path.ts';
import type { AssetStore } from './asset-store.ts';

/** A place in a layer, as diagnostics have it: without a range when the layer is not text. */
export interface LocatedPlace {
	readonly file: string;
	readonly range?: SourceRange;
	readonly excerpt?: Excerpt;
}

/** Options of {@link SourcePlaces}. */
export interface SourcePlacesOptions {
	/** Whether places come with the source line. */
	readonly excerpts?: boolean;
}

/** Values of {@link SourcePlacesOptions} that are used when absent. */
export const SOURCE_PLACES_DEFAULTS: Required<SourcePlacesOptions> = { excerpts: true };

/** Finds where specs and fields of layers were written. */
export class SourcePlaces {
	readonly #store: Pick<AssetStore, 'name' | 'text'>;
	readonly #excerpts: boolean;
	readonly #names = new Map<Layer, string>();
	readonly #texts = new Map<Layer, SourceText | undefined>();

	constructor(store: Pick<AssetStore, 'name' | 'text'>, options: SourcePlacesOptions = {}) {
		this.#store = store;
		this.#excerpts = options.excerpts ?? SOURCE_PLACES_DEFAULTS.excerpts;
	}

	name(layer: Layer): string {
		let name = this.#names.get(layer);
		if (name === undefined) {
			name = this.#store.name(layer.identifier);
			this.#names.set(layer, name);
		}
		return name;
	}

	/** Where a spec was written: at its name when it has one. */
	spec(layer: Layer, path: Path): LocatedPlace {
		return this.#spec(layer, path, this.#excerpts);
	}

	/** The same without the source line, for tables of many places. */
	specRange(layer: Layer, path: Path): LocatedPlace {
		return this.#spec(layer, path, false);
	}

	/** Where a field was written; with `item`, where that text stands in its value. The spec's place when it was implied. */
	field(layer: Layer, path: Path, name: string, item?: string): LocatedPlace {
		const source = layer.data.fieldSource(path, name);
		if (source === undefined) return this.spec(layer, path);
		const text = this.#text(layer);
		if (item !== undefined && item !== '' && text !== undefined) {
			const at = find(text.bytes, new TextEncoder().encode(item), source.valueStart, source.valueEnd);
			if (at !== undefined) return this.#locate(layer, at.start, at.end);
		}
		return this.#locate(layer, source.start, source.end);
	}

	#spec(layer: Layer, path: Path, hasExcerpt: boolean): LocatedPlace {
		const source = layer.data.specSource(path);
		if (source === undefined) return { file: this.name(layer) };
		const start = source.nameStart >= 0 ? source.nameStart : source.start;
		return this.#locate(layer, start, start, hasExcerpt);
	}

	#locate(layer: Layer, start: number, end: number, hasExcerpt = this.#excerpts): LocatedPlace {
		const text = this.#text(layer);
		if (text === undefined) return { file: this.name(layer) };
		const place = { file: this.name(layer), range: text.range(start, end) };
		return hasExcerpt ? { ...place, excerpt: text.excerpt(start, end) } : place;
	}

	#text(layer: Layer): SourceText | undefined {
		if (!this.#texts.has(layer)) {
			const bytes = this.#store.text(layer.identifier);
			this.#texts.set(layer, bytes && new SourceText(bytes));
		}
		return this.#texts.get(layer);
	}
}

function find(
	bytes: Uint8Array,
	wanted: Uint8Array,
	from: number,
	to: number,
): { start: number; end: number } | undefined {
	for (let start = from; start + wanted.length <= to; start++) {
		let i = 0;
		while (i < wanted.length && bytes[start + i] === wanted[i]) i++;
		if (i === wanted.length) return { start, end: start + i };
	}
	return undefined;
}
