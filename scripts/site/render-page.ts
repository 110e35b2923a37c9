import { posix } from 'node:path';
import MarkdownIt from 'markdown-it';
import { type SitePage, targetOf } from './site-pages.ts';

/** Where files of the repository can be read that are no pages. */
const REPOSITORY = 'https://github.com/manyworlds/manyworlds/blob/main/';

/** A page as HTML, with what it links to. */
export interface RenderedPage {
	readonly html: string;
	/** Names of headings that links may point to. */
	readonly anchors: ReadonlySet<string>;
	/** Links to other pages and files of the site, relative to its folder, with the place in the source. */
	readonly links: readonly SiteLink[];
	/** Files of the repository that the page shows, such as pictures. */
	readonly files: readonly string[];
	/** Headings with the text below each, for the search. */
	readonly parts: readonly PagePart[];
}

/** A link inside of the site. */
export interface SiteLink {
	/** Page or file, relative to the folder of the site. */
	readonly target: string;
	readonly anchor: string | undefined;
	/** As it is written. */
	readonly written: string;
}

/** A heading and the text below it. */
export interface PagePart {
	readonly heading: string;
	readonly anchor: string | undefined;
	readonly text: string;
}

/** Renders a page; `sources` are all files of the repository that are pages. */
export function renderPage(page: SitePage, sources: ReadonlySet<string>): RenderedPage {
	const markdown = new MarkdownIt({ html: false, linkify: false });
	const anchors = new Set<string>();
	const links: SiteLink[] = [];
	const files: string[] = [];
	const parts: { heading: string; anchor: string | undefined; text: string }[] = [
		{ heading: page.title, anchor: undefined, text: '' },
	];
	const tokens = markdown.parse(page.text, {});
	for (const [i, token] of tokens.entries()) {
		if (token.type === 'heading_open') {
			const heading = plainText(tokens[i + 1]?.content ?? '');
			const anchor = uniqueSlug(heading, anchors);
			token.attrSet('id', anchor);
			if (token.tag !== 'h1') parts.push({ heading, anchor, text: '' });
		} else if (token.type === 'inline' && tokens[i - 1]?.type !== 'heading_open') {
			parts[parts.length - 1]!.text += `${plainText(token.content)} `;
		}
		for (const child of token.children ?? []) {
			const name = child.type === 'link_open' ? 'href' : child.type === 'image' ? 'src' : undefined;
			const written = name === undefined ? null : child.attrGet(name);
			if (name === undefined || written === null || /^[a-z][a-z+.-]*:/i.test(written)) continue;
			child.attrSet(name, rewrite(page, written, sources, links, files));
		}
	}
	return { html: markdown.renderer.render(tokens, markdown.options, {}), anchors, links, files, parts };
}

/** The address of a link in the site. */
function rewrite(
	page: SitePage,
	written: string,
	sources: ReadonlySet<string>,
	links: SiteLink[],
	files: string[],
): string {
	const [path, anchor] = written.split('#') as [string, string | undefined];
	const source = path === '' ? page.source : posix.normalize(posix.join(posix.dirname(page.source), path));
	const folder = `${source.replace(/\/$/, '')}/README.md`;
	const own = sources.has(source) ? source : sources.has(folder) ? folder : undefined;
	if (own === undefined && !/\.(png|svg|jpg|gif|webm)$/.test(source)) return REPOSITORY + source;
	const target = own === undefined ? source.replace(/^docs\//, '') : targetOf(own);
	if (own === undefined) files.push(source);
	links.push({ target, anchor, written });
	const relative = posix.relative(posix.dirname(page.target), target) || posix.basename(target);
	return anchor === undefined ? relative : `${relative}#${anchor}`;
}

/** The name that a heading has on GitHub, so that links work in both places. */
export function slugOf(heading: string): string {
	return heading
		.toLowerCase()
		.replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
		.trim()
		.replaceAll(/\s/g, '-');
}

function uniqueSlug(heading: string, used: Set<string>): string {
	const slug = slugOf(heading);
	let unique = slug;
	for (let i = 1; used.has(unique); i++) unique = `${slug}-${i}`;
	used.add(unique);
	return unique;
}

function plainText(markdown: string): string {
	return markdown
		.replaceAll(/!?\[([^\]]*)\]\([^)]*\)/g, '$1')
		.replaceAll(/[`*]/g, '')
		.replaceAll(/\s+/g, ' ')
		.trim();
}
