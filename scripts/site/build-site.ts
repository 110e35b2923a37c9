/** Builds the documentation site: `npm run build:docs [-- FOLDER]`. It works from the folder, without a server. */
import { cpSync, existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { build } from 'esbuild';
import MiniSearch from 'minisearch';
import { ROOT } from '../source-files.ts';
import { brokenLinks } from './check-links.ts';
import { pageHtml, STYLE } from './page-template.ts';
import { type RenderedPage, renderPage } from './render-page.ts';
import { SEARCH_OPTIONS, type SearchEntry } from './search-options.ts';
import { readPages, type SitePage } from './site-pages.ts';
import { viewerPage } from './viewer-page.ts';

/** Writes the site to a folder, which is emptied first. Gives links that lead nowhere; then nothing is written. */
export async function buildSite(
	folder: string,
): Promise<{ readonly pages: number; readonly problems: readonly string[] }> {
	const pages = readPages(ROOT);
	const sources = new Set(pages.map(({ source }) => source));
	const rendered = new Map<SitePage, RenderedPage>(pages.map((page) => [page, renderPage(page, sources)]));
	const shown = new Set(
		[...rendered.values()].flatMap(({ files }) => files).filter((file) => existsSync(join(ROOT, file))),
	);
	const problems = brokenLinks(rendered, new Set([...shown].map((file) => file.replace(/^docs\//, ''))));
	if (problems.length > 0) return { pages: pages.length, problems };
	rmSync(folder, { recursive: true, force: true });
	const write = (target: string, text: string): void => {
		const path = join(folder, target);
		mkdirSync(dirname(path), { recursive: true });
		writeFileSync(path, text);
	};
	const hasApi = existsSync(join(ROOT, 'docs/api/index.html'));
	for (const [page, { html }] of rendered) write(page.target, pageHtml(page, html, pages, hasApi));
	for (const file of shown) cpSync(join(ROOT, file), join(folder, file.replace(/^docs\//, '')));
	const viewer = viewerPage(existsSync(join(ROOT, 'packages/manyworlds/site/index.html')));
	write(viewer.page.target, pageHtml(viewer.page, viewer.html, pages, hasApi));
	if (viewer.isEmbedded) cpSync(join(ROOT, 'packages/manyworlds/site'), join(folder, 'viewer'), { recursive: true });
	if (hasApi) cpSync(join(ROOT, 'docs/api'), join(folder, 'api'), { recursive: true });
	write('site.css', STYLE);
	write('search-index.js', `window.manyworldsIndex = ${JSON.stringify(JSON.stringify(searchIndex(rendered)))};\n`);
	await build({
		entryPoints: [join(import.meta.dirname, 'client/search-client.ts')],
		outfile: join(folder, 'search.js'),
		bundle: true,
		minify: true,
		format: 'iife',
		logLevel: 'error',
	});
	return { pages: pages.length + 1, problems };
}

function searchIndex(rendered: ReadonlyMap<SitePage, RenderedPage>): MiniSearch<SearchEntry> {
	const index = new MiniSearch<SearchEntry>(SEARCH_OPTIONS);
	let id = 0;
	for (const [{ title, target }, { parts }] of rendered) {
		for (const { heading, anchor, text } of parts) {
			const address = anchor === undefined ? target : `${target}#${anchor}`;
			index.add({ id: id++, title, heading, text, address });
		}
	}
	return index;
}

if (process.argv[1] === import.meta.filename) {
	const folder = resolve(process.argv[2] ?? join(ROOT, 'out/docs'));
	const { pages, problems } = await buildSite(folder);
	for (const problem of problems) console.error(problem);
	if (problems.length > 0) process.exitCode = 1;
	else console.log(`${folder}: ${pages} pages; open index.html`);
}
