import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import chromium from '@sparticuz/chromium';
import { type Browser, chromium as playwright } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { buildSite } from './build-site.ts';
import { brokenLinks } from './check-links.ts';
import { renderPage, slugOf } from './render-page.ts';
import { type SitePage, targetOf } from './site-pages.ts';

const page = (source: string, text: string): SitePage => ({
	source,
	target: targetOf(source),
	title: source,
	section: 'Guide',
	text,
});

describe('pages', () => {
	test('links between Markdown files become links between pages', () => {
		const own = page(
			'docs/guide/run.md',
			'[a](../rules/R1.md#why) [b](view.md) [c](#here) [d](../../README.md)\n\n# Here',
		);
		const sources = new Set(['docs/guide/run.md', 'docs/rules/R1.md', 'docs/guide/view.md', 'README.md']);
		const { html, links, anchors } = renderPage(own, sources);
		for (const address of ['../rules/R1.html#why', 'view.html', 'run.html#here', '../index.html'])
			expect(html).toContain(`href="${address}"`);
		expect(links.map(({ target }) => target)).toEqual([
			'rules/R1.html',
			'guide/view.html',
			'guide/run.html',
			'index.html',
		]);
		expect([...anchors]).toEqual(['here']);
	});

	test('files that are no pages are linked in the repository, pictures come along', () => {
		const own = page('docs/guide/run.md', '[code](../../packages/sim/src/index.ts) ![picture](images/a.png)');
		const { html, files } = renderPage(own, new Set([own.source]));
		expect(html).toContain('/blob/main/packages/sim/src/index.ts"');
		expect(html).toContain('src="images/a.png"');
		expect(files).toEqual(['docs/guide/images/a.png']);
	});

	test('headings are called as on GitHub, and no two alike', () => {
		expect(slugOf('What `may` be read, now?')).toBe('what-may-be-read-now');
		const { anchors } = renderPage(page('docs/a.md', '## One\n\n## One\n'), new Set());
		expect([...anchors]).toEqual(['one', 'one-1']);
	});

	test('markup in texts stays text', () => {
		const { html } = renderPage(page('docs/a.md', '<script>alert(1)</script>'), new Set());
		expect(html).not.toContain('<script>');
	});

	test('links that lead nowhere are found', () => {
		const a = page('docs/a.md', '[x](b.md#no) [y](b.md#yes) ![z](gone.png)');
		const b = page('docs/b.md', '# Yes');
		const sources = new Set([a.source, b.source]);
		const rendered = new Map([a, b].map((each) => [each, renderPage(each, sources)]));
		expect(brokenLinks(rendered, new Set())).toEqual([
			"docs/a.md: 'b.md#no' names no heading",
			"docs/a.md: 'gone.png' is not there",
		]);
	});
});

describe('the site', () => {
	const folder = mkdtempSync(join(tmpdir(), 'manyworlds-docs-'));
	let browser: Browser | undefined;

	beforeAll(async () => {
		browser = await playwright.launch({ executablePath: await chromium.executablePath(), args: chromium.args });
	});
	afterAll(async () => {
		await browser?.close();
		rmSync(folder, { recursive: true, force: true });
	});

	test('has no link that leads nowhere, and is found through from a folder', async () => {
		const { pages, problems } = await buildSite(folder);
		expect(problems).toEqual([]);
		expect(pages).toBeGreaterThan(600);
		expect(readFileSync(join(folder, 'guide/run.html'), 'utf8')).not.toMatch(/(?:src|href)="\//);
		const tab = await browser!.newPage();
		const failures: string[] = [];
		tab.on('pageerror', (error) => failures.push(error.message));
		await tab.goto(pathToFileURL(join(folder, 'guide/run.html')).href);
		await tab.fill('#search', 'metersPerUnit');
		await tab.waitForSelector('#results a');
		const texts = await tab.locator('#results a').allTextContents();
		expect(texts.length).toBeGreaterThan(2);
		await tab.locator('#results a').first().click();
		await tab.waitForLoadState();
		expect(tab.url()).toContain(pathToFileURL(folder).href);
		expect((await tab.textContent('main'))?.toLowerCase()).toContain('metersperunit');
		expect(failures).toEqual([]);
		await tab.close();
	});
});
