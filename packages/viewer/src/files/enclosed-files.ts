import { zipSync } from 'fflate';
import type { FolderFiles } from './folder-files.ts';
import { readZip } from './read-zip.ts';

/** Where files are put into a page of one file. */
const PLACE = '<!--manyworlds-asset-->';
const ELEMENT = 'manyworlds-asset';

/** A page of one file with a robot in it; `page` is the one that was built without. */
export function encloseFiles(page: string, files: FolderFiles, entry: string): string {
	const packed = zipSync(Object.fromEntries(files), { mtime: FIXED_TIME });
	const told = JSON.stringify({ entry, zip: base64Of(packed) }).replaceAll('<', '\\u003c');
	const [before, after] = page.split(PLACE) as [string, string];
	return `${before}<script type="application/json" id="${ELEMENT}">${told}</script>${after}`;
}

/** Files that the page was given; undefined for a page without. */
export function enclosedFiles(): { readonly entry: string; readonly files: FolderFiles } | undefined {
	const element = document.getElementById(ELEMENT);
	if (element === null) return undefined;
	const { entry, zip } = JSON.parse(element.textContent) as { readonly entry: string; readonly zip: string };
	return {
		entry,
		files: readZip(
			Uint8Array.from(atob(zip), (letter) => letter.charCodeAt(0)),
			entry,
		),
	};
}

/** The first time that zip archives know: equal robots make equal pages. */
const FIXED_TIME = new Date(1980, 0, 1);

function base64Of(bytes: Uint8Array): string {
	let text = '';
	// pieces that are a multiple of three bytes need no filling between them
	for (let at = 0; at < bytes.length; at += 24_576)
		text += btoa(String.fromCharCode(...bytes.subarray(at, at + 24_576)));
	return text;
}
