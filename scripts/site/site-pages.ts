import { readdirSync, readFileSync } from 'node:fs';
import { join, posix } from 'node:path';

/** A page of the site before it is written. */
export interface SitePage {
	/** Markdown file, relative to the root of the repository. */
	readonly source: string;
	/** HTML file, relative to the folder of the site. */
	readonly target: string;
	readonly title: string;
	/** Part of the site that it belongs to. */
	readonly section: string;
	readonly text: string;
}

/** Parts of the site in the order of the menu: folder or file of the repository, and what the menu says. */
const SECTIONS: readonly (readonly [source: string, name: string])[] = [
	['docs/guide', 'Guide'],
	['docs/rules', 'Rules of REP 0158'],
	['docs/diagnostics', 'Diagnostics'],
	['docs/decisions', 'Decisions'],
	['docs', 'Project'],
];
/** Pages outside of `docs`. */
const OTHERS = ['README.md', 'CHANGELOG.md', 'CONTRIBUTING.md'];

/** Reads the pages of the documentation, in a fixed order. */
export function readPages(root: string): SitePage[] {
	const sources = [...OTHERS, ...markdownFiles(root, 'docs')].filter((source) => !source.startsWith('docs/api/'));
	return sources.map((source) => {
		const text = readFileSync(join(root, source), 'utf8');
		return { source, target: targetOf(source), title: titleOf(text, source), section: sectionOf(source), text };
	});
}

/** The HTML file of a Markdown file: the README of a folder is its index, that of the repository the first page. */
export function targetOf(source: string): string {
	const inside = source.startsWith('docs/') ? source.slice('docs/'.length) : source;
	if (inside === 'README.md') return 'index.html';
	return inside.replace(/(^|\/)README\.md$/, '$1index.html').replace(/\.md$/, '.html');
}

function sectionOf(source: string): string {
	return SECTIONS.find(([folder]) => source.startsWith(`${folder}/`))?.[1] ?? 'Project';
}

/** Names of the parts, in their order. */
export const SECTION_NAMES: readonly string[] = SECTIONS.map(([, name]) => name);

function titleOf(text: string, source: string): string {
	const line = /^# (.+)$/m.exec(text)?.[1] ?? posix.basename(source, '.md');
	return line.replaceAll('`', '');
}

function markdownFiles(root: string, folder: string): string[] {
	const entries = readdirSync(join(root, folder), { withFileTypes: true });
	entries.sort((a, b) => (a.name < b.name ? -1 : 1));
	return entries.flatMap((entry) => {
		const path = `${folder}/${entry.name}`;
		if (entry.isDirectory()) return markdownFiles(root, path);
		return entry.name.endsWith('.md') ? [path] : [];
	});
}
