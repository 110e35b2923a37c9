import { basename } from 'node:path';
import type { CodeInfo } from '@manyworlds/core/internal';
import { blankComments, lineOf, type SourceFile } from './source-files.ts';
import { wrapMarkdown } from './wrap-markdown.ts';

/** Folder of the pages, relative to the root. */
export const PAGES_FOLDER = 'docs/diagnostics';

/** A family and a number, or the number of a statement of REP 0158. */
const CODE_LITERAL = /(['"`])([A-Z]{3,5}\d{3}|R\d+(?:\.\d+)+)\1/g;

/** Checks that the codes named in sources are registered, and that every registered code is named in one. */
export function checkCodeUse(codes: readonly string[], sources: readonly SourceFile[]): string[] {
	const registered = new Set(codes);
	const families = new Set(codes.map(familyOf));
	const used = new Set<string>();
	const problems: string[] = [];
	for (const file of sources) {
		const text = blankComments(file.text);
		for (const match of text.matchAll(CODE_LITERAL)) {
			const code = match[2]!;
			if (!families.has(familyOf(code))) continue;
			used.add(code);
			if (!registered.has(code)) problems.push(`${file.path}:${lineOf(text, match.index)}: ${code} is not registered`);
		}
	}
	for (const code of codes) if (!used.has(code)) problems.push(`${code}: registered but named in no source file`);
	return problems;
}

function familyOf(code: string): string {
	return /^R\d/.test(code) ? 'R' : code.slice(0, -3);
}

/** Checks that each family file holds its own codes only, in ascending order, with complete texts. */
export function checkFamilies(families: readonly SourceFile[], codes: Readonly<Record<string, CodeInfo>>): string[] {
	const problems: string[] = [];
	for (const file of families) {
		const prefix = basename(file.path, '.ts').toUpperCase();
		const entries = [...file.text.matchAll(/^\t(\w+): '/gm)].map((match) => match[1]!);
		for (const [i, code] of entries.entries()) {
			if (!new RegExp(`^${prefix}\\d{3}$`).test(code))
				problems.push(`${file.path}: ${code} does not belong to ${prefix}`);
			if (i > 0 && entries[i - 1]! >= code) problems.push(`${file.path}: ${code} stands after ${entries[i - 1]}`);
			if (codes[code] === undefined) problems.push(`${file.path}: ${code} is not in the table of its package`);
		}
	}
	for (const [code, info] of Object.entries(codes)) {
		// names such as metersPerUnit keep their first letter
		if (!/^(?:[A-Z]|[a-z]+[A-Z_:]).*[^.]$/.test(info.title))
			problems.push(`${code}: the title starts with a capital and has no full stop`);
		if (!/^[A-Z`].*\.$/s.test(info.help)) problems.push(`${code}: the help is made of full sentences`);
	}
	return problems;
}

/** Makes the page of every code and the index, by path relative to the root. */
export function makePages(codes: Readonly<Record<string, CodeInfo>>): Map<string, string> {
	const pages = new Map<string, string>();
	const sorted = Object.entries(codes).sort(([a], [b]) => (a < b ? -1 : 1));
	// rules of REP 0158 have pages of their own
	const page = (code: string): string => (familyOf(code) === 'R' ? `../rules/${code}.md` : `${code}.md`);
	const rows = sorted.map(([code, info]) => `| [${code}](${page(code)}) | ${info.severity} | ${info.title} |\n`);
	const head = '# Diagnostic codes\n\nGenerated from `packages/*/src/codes` by `npm run docs`.\n';
	pages.set(`${PAGES_FOLDER}/README.md`, `${head}\n| code | severity | title |\n| --- | --- | --- |\n${rows.join('')}`);
	for (const [code, info] of sorted) {
		if (familyOf(code) !== 'R') pages.set(`${PAGES_FOLDER}/${code}.md`, wrapMarkdown(makePage(code, info)));
	}
	return pages;
}

/** Compares the pages that should exist with those that do. */
export function checkPages(expected: ReadonlyMap<string, string>, found: readonly SourceFile[]): string[] {
	const texts = new Map(found.map((file) => [file.path, file.text]));
	const problems: string[] = [];
	for (const [path, text] of expected) {
		if (!texts.has(path)) problems.push(`${path}: missing, run npm run docs`);
		else if (texts.get(path) !== text) problems.push(`${path}: out of date, run npm run docs`);
	}
	for (const path of texts.keys()) if (!expected.has(path)) problems.push(`${path}: no such code, run npm run docs`);
	return problems;
}

function makePage(code: string, info: CodeInfo): string {
	const parts = [`# ${code}: ${info.title}`, `Severity: ${info.severity}`, info.help];
	const language = info.language ?? 'usda';
	if (info.bad !== undefined) parts.push(`## Example\n\n${fence(language, info.bad)}`);
	if (info.good !== undefined) parts.push(`## Put right\n\n${fence(language, info.good)}`);
	return `${parts.join('\n\n')}\n`;
}

function fence(language: string, text: string): string {
	return `\`\`\`${language}\n${text.replace(/\n$/, '')}\n\`\`\``;
}
