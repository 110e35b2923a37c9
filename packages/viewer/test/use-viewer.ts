import type { RunningSite } from '@manyworlds/node';
import type { Browser } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect } from 'vitest';
import { buildSite, serve, ViewerPage } from './open-page.ts';

/** A page with the viewer, and what it comes from. */
export interface UsedViewer {
	/** Folder of the built site. */
	readonly site: string;
	readonly server: RunningSite;
	readonly viewer: ViewerPage;
}

/**
 * Opens the viewer before the tests of a suite, gives it to `take`, and closes it and the browser behind them. A test that leaves an
 * error on the page fails.
 */
export function useViewer(browser: Browser | string, take: (used: UsedViewer) => void): void {
	let server: RunningSite | undefined;
	let viewer: ViewerPage | undefined;
	beforeAll(async () => {
		const site = await buildSite();
		server = await serve(site);
		viewer = await ViewerPage.open(browser as Browser, server.url);
		take({ site, server, viewer });
	});
	afterEach(() => {
		expect(viewer?.errors.splice(0)).toEqual([]);
	});
	afterAll(async () => {
		await viewer?.close();
		await server?.close();
		if (typeof browser !== 'string') await browser.close();
	});
}
