/** `node --import tsx scripts/viewer/screenshots.ts`: pictures of docs/guide/view.md, taken of the real page in Chromium. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { serveSite } from '@manyworlds/node/internal';
import { buildViewer, VIEWER_FOLDER } from '../../packages/viewer/build/build-viewer.ts';
import { startBrowser, ViewerPage } from '../../packages/viewer/test/open-page.ts';
import { ROOT } from '../source-files.ts';

const IMAGES = join(ROOT, 'docs/guide/images');

/** A picture: what is opened, and what is done in the page before. */
const PICTURES: Readonly<Record<string, { readonly folder: string; readonly script: string }>> = {
	'view-heron': { folder: 'heron', script: '' },
	'view-overlays': {
		folder: 'heron',
		script: `for (const name of ['frames', 'joints', 'colliders']) app.look.toggleOverlay(name); app.selection.select(4); app.look.setTab('properties');`,
	},
	'view-forces': {
		folder: 'egret',
		script: `app.look.setTab('simulate'); await app.mover.simulate('sap', 1); for (let i = 0; i < 40; i++) await app.player.step(10); app.look.setPlots(['energy', 'force']); for (const name of ['contacts', 'support', 'sensors']) app.look.toggleOverlay(name);`,
	},
	'view-findings': { folder: 'heron', script: `await app.checker.check(); await app.checker.previewFixes(true);` },
	'view-worlds': {
		folder: 'crane',
		script: `app.look.setTab('simulate'); await app.mover.previewSweep('crane.yaml', new TextEncoder().encode(${JSON.stringify(readFileSync(join(ROOT, 'examples/sweeps/crane.yaml'), 'utf8'))}), 16); for (let i = 0; i < 20; i++) await app.player.step(10); await app.player.setQuantity('energy'); app.look.setTheme('dark');`,
	},
};

await buildViewer(VIEWER_FOLDER);
const site = await serveSite({ site: VIEWER_FOLDER });
const browser = await startBrowser();
if (typeof browser === 'string') throw new Error(browser);
/** Pictures to make: all, or those that are named. */
const wanted = process.argv.slice(2);
for (const [name, { folder, script }] of Object.entries(PICTURES)) {
	if (wanted.length > 0 && !wanted.includes(name)) continue;
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
	// a machine without a graphics card takes its time
	await viewer.page.screenshot({ path: join(IMAGES, `${name}.png`), timeout: 300_000 });
	console.log(`${name}.png ${viewer.errors.join('; ')}`);
	await context.close();
}
await browser.close();
await site.close();
