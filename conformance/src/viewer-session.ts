import type { RunningSite } from '@manyworlds/node';
import { serveSite } from '@manyworlds/node/internal';
import { type OfferedAsset, offerAsset } from 'manyworlds/internal';
import type { Browser } from 'playwright-core';
import { buildSite, startBrowser, ViewerPage } from '../../packages/viewer/test/open-page.ts';

/** A page of the viewer in the bundled browser that stays open from asset to asset. */
export class ViewerSession {
	#started: Promise<StartedSession | string> | undefined;
	#asset: OfferedAsset | undefined;

	/** Opens a file as `manyworlds view` does; gives the page, or why there is none. */
	async open(path: string): Promise<ViewerPage | string> {
		this.#started ??= this.#start();
		const started = await this.#started;
		if (typeof started === 'string') return `chromium does not start: ${started}`;
		this.#asset = offerAsset(path);
		await started.page.evaluate(`window.manyworlds.opener.openFolder('${this.#asset.list}')`);
		return started.page;
	}

	async close(): Promise<void> {
		const started = await this.#started;
		if (started === undefined || typeof started === 'string') return;
		await started.browser.close();
		await started.server.close();
	}

	async #start(): Promise<StartedSession | string> {
		const browser = await startBrowser();
		if (typeof browser === 'string') return browser;
		const site = await buildSite();
		const server = await serveSite({ site, find: (path) => this.#asset?.find(path) });
		const page = await ViewerPage.open(browser, server.url);
		return { browser, server, page };
	}
}

interface StartedSession {
	readonly browser: Browser;
	readonly server: RunningSite;
	readonly page: ViewerPage;
}
