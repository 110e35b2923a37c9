import type { Options } from 'minisearch';

/** A heading of a page with the text below it. */
export interface SearchEntry {
	readonly id: number;
	readonly title: string;
	readonly heading: string;
	readonly text: string;
	/** Relative to the folder of the site. */
	readonly address: string;
}

/** How texts are searched; the same where the index is made and where it is used. */
export const SEARCH_OPTIONS: Options<SearchEntry> = {
	fields: ['heading', 'title', 'text'],
	storeFields: ['title', 'heading', 'address'],
	searchOptions: { boost: { heading: 4, title: 2 }, prefix: true, fuzzy: 0.15, combineWith: 'AND' },
};
