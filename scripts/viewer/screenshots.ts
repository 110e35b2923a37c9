/** `node --import tsx scripts/viewer/screenshots.ts`: pictures of docs/guide/view.md, taken of the real page in Chromium. */
import { join } from 'node:path';
import { serveSite } from '@manyworlds/node';
import { buildViewer, VIEWER_FOLDER } from '../../packages/viewer/build/build-viewer.ts';
import { startBrowser, ViewerPage } from '../../packages/viewer/test/open-page.ts';
import { ROOT } from '../source-files.ts';

const IMAGES = join(ROOT, 'docs/guide/images');

/** A picture: what is opened, and what is done in the page before. */
const PICTURES: Readonly<Record<string, { readonly folder: string; readonly script: string }>> = {
	'view-heron': { folder: 'heron', script: '' },
	'view-overlays': {
		folder: 'heron',
		script: `for (const name of ['frames', 'joints', 'colliders']) app.toggleOverlay(name); app.select(4); app.setTab('properties');`,
	},
	'view-forces': {
		folder: 'egret',
		script: `app.setTab('simulate'); await app.simulate('sap', 1); await app.player.step(400); for (const name of ['contacts', 'support', 'sensors']) app.toggleOverlay(name);`,
	},
	'view-findings': { folder: 'heron', script: `await app.check(); await app.previewFixes(true);` },
	'view-worlds': {
		folder: 'heron',
		script: `app.setTab('simulate'); await app.simulate('sap', 64); await app.player.step(200); app.setTheme('dark');`,
	},
};

await buildViewer(VIEWER_FOLDER);
const site = await serveSite({ site: VIEWER_FOLDER });
const browser = await startBrowser();
if (typeof browser === 'string') throw new Error(browser);
for (const [name, { folder, script }] of Object.entries(PICTURES)) {
	const context = await browser.newContext({
		viewport: { width: 1280, height: 760 },
		reducedMotion: 'reduce',
		colorScheme: 'light',
	});
	const viewer = await ViewerPage.in(context, `${site.url}?folder=examples/${folder}/list.json`);
	await viewer.evaluate('window.manyworlds.probe.view.setQuality("full")');
	await viewer.until('window.manyworlds.asset !== undefined && window.manyworlds.busy === undefined');
	await viewer.evaluate(`(async () => { const app = window.manyworlds; ${script} })()`);
	await viewer.until('window.manyworlds.busy === undefined');
	await viewer.page.waitForTimeout(2500);
	await viewer.page.screenshot({ path: join(IMAGES, `${name}.png`) });
	console.log(`${name}.png ${viewer.errors.join('; ')}`);
	await context.close();
}
await browser.close();
await site.close();
