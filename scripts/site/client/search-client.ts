import MiniSearch from 'minisearch';
import { SEARCH_OPTIONS, type SearchEntry } from '../search-options.ts';

declare global {
	interface Window {
		/** The index that the site brings along as a script, so that it loads from a folder too. */
		manyworldsIndex: string;
	}
}

const MOST_SHOWN = 20;
const input = document.querySelector<HTMLInputElement>('#search')!;
const results = document.querySelector<HTMLElement>('#results')!;
let index: MiniSearch<SearchEntry> | undefined;

input.addEventListener('input', show);
input.form!.addEventListener('submit', (event) => {
	event.preventDefault();
	results.querySelector('a')?.click();
});
document.addEventListener('keydown', (event) => {
	if (event.key === '/' && document.activeElement !== input) {
		event.preventDefault();
		input.focus();
	}
	if (event.key === 'Escape') results.hidden = true;
});
document.addEventListener('click', (event) => {
	if (!results.contains(event.target as Node) && event.target !== input) results.hidden = true;
});

function show(): void {
	index ??= MiniSearch.loadJSON(window.manyworldsIndex, SEARCH_OPTIONS);
	const words = input.value.trim();
	const found = words === '' ? [] : index.search(words).slice(0, MOST_SHOWN);
	results.replaceChildren(...found.map((each) => link(each as unknown as SearchEntry)));
	if (words !== '' && found.length === 0) results.textContent = 'Nothing was found.';
	results.hidden = words === '';
}

function link({ title, heading, address }: SearchEntry): HTMLElement {
	const element = document.createElement('a');
	element.href = document.documentElement.dataset['root'] + address;
	element.textContent = heading;
	if (heading !== title) {
		const page = document.createElement('small');
		page.textContent = title;
		element.append(page);
	}
	return element;
}
