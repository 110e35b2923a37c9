import { type RunningSite, serveSite } from '@manyworlds/node';
import { AssetError, modelOf, openAsset } from 'manyworlds';
import { type OfferedAsset, offerAsset } from 'manyworlds/internal';
import type { Browser } from 'playwright-core';
import { buildSite, startBrowser, ViewerPage } from '../../packages/viewer/test/open-page.ts';
import type { Case, Outcome, Suite, SuiteContext } from '../src/suite.ts';
import { findRobots } from './run-robots/find-robots.ts';

/** Largest distance of a link in the page from where forward kinematics has it [m]. */
const TOLERANCE = 1e-5;

/** Every robot in the viewer, one after the other in one page. */
export const viewerRobots: Suite = {
	name: 'viewer/robots',
	description: 'every robot of a folder in the viewer, in one session of one page in Chromium',
	defaultDir: '.',
	groups: [
		{
			name: 'shown',
			description:
				'it is shown or refused with a sentence, nothing fails in the page, links stand where forward kinematics has them',
			tolerance: `${TOLERANCE} m`,
			timeLimit: 120,
			*cases({ dir }: SuiteContext): Generator<Case> {
				const session = new ViewerSession();
				for (const { name, path } of findRobots(dir, true)) yield { name, run: () => session.show(path) };
				void session.close();
			},
		},
	],
};

/** A page that stays open from robot to robot. */
class ViewerSession {
	#started: Promise<StartedSession | string> | undefined;
	#asset: OfferedAsset | undefined;

	async show(path: string): Promise<Outcome> {
		this.#started ??= this.#start();
		const started = await this.#started;
		if (typeof started === 'string') return { skipped: `chromium does not start: ${started}` };
		const { page } = started;
		this.#asset = offerAsset(path);
		await page.evaluate(`window.manyworlds.openFolder('${this.#asset.list}')`);
		const errors = page.errors.splice(0);
		if (errors.length > 0) return `the page failed: ${errors[0]}`;
		const { problem, poses, links } = await page.probe();
		const expected = await posesOf(path);
		if (problem !== undefined) return expected === undefined ? undefined : `it is refused: ${problem}`;
		if (expected === undefined)
			return links.length === 0 ? undefined : `${links.length} links are shown, expected none`;
		if (poses.length !== expected.length) return `${poses.length / 7} links are shown, expected ${expected.length / 7}`;
		const wrong = links.findIndex((_, link) =>
			[0, 1, 2].some((k) => !(Math.abs(poses[7 * link + k]! - expected[7 * link + k]!) <= TOLERANCE)),
		);
		return wrong < 0 ? undefined : `'${links[wrong]}' is not where forward kinematics has it`;
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

/** Where the links of a robot start; undefined when nothing of it can be simulated. */
async function posesOf(path: string): Promise<number[] | undefined> {
	try {
		const { start } = await modelOf(await openAsset(path));
		return start.bodyQ.length === 0 ? undefined : [...start.bodyQ];
	} catch (error) {
		if (error instanceof AssetError) return undefined;
		throw error;
	}
}
