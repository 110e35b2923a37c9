import type { RunningSite } from '@manyworlds/node';
import type { Browser } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { buildSite, type Folder, serve, startBrowser, ViewerPage } from './open-page.ts';
import { traceWork } from './trace-page.ts';

const browser = await startBrowser();
if (typeof browser === 'string') console.warn(`viewer test skipped: chromium does not start: ${browser}`);

/** A chain that hangs from the world; of boxes, as a program draws them and not a graphics card. */
function chain(links: number): Folder {
	const open = Array.from(
		{ length: links },
		(_, i) =>
			`<body name="l${i}" pos="${i === 0 ? '0 0 3' : '0.1 0 0'}"><joint name="j${i}" axis="0 1 ${i % 2}" damping="0.01"/><geom type="box" pos="0.05 0 0" size="0.05 0.02 0.02" contype="0" conaffinity="0"/>`,
	);
	const text = `<mujoco><worldbody>${open.join('')}${'</body>'.repeat(links)}</worldbody></mujoco>`;
	return { entry: 'chain.xml', files: new Map([['chain.xml', new TextEncoder().encode(text)]]) };
}

describe.skipIf(typeof browser === 'string')('what the viewer takes', () => {
	let server: RunningSite;
	let viewer: ViewerPage;

	beforeAll(async () => {
		server = await serve(await buildSite());
		viewer = await ViewerPage.open(browser as Browser, server.url);
	});
	afterEach(() => {
		expect(viewer.errors.splice(0)).toEqual([]);
	});
	afterAll(async () => {
		await viewer?.close();
		await server?.close();
		if (typeof browser !== 'string') await browser.close();
	});

	test('a thousand worlds of twenty links are placed in 8 ms of script, and keep no memory', async () => {
		await viewer.drop(chain(20));
		const { times, heaps, calls } = await viewer.evaluate<{ times: number[]; heaps: number[]; calls: number }>(
			`(async () => {
				const app = window.manyworlds;
				await app.mover.simulate('sap', 1000);
				for (let i = 0; i < 3; i++) await app.player.step(1);
				const [times, heaps] = [[], []];
				for (let i = 0; i < 110; i++) {
					const start = performance.now();
					app.player.seek(i % app.player.frames.length);
					// the first ones are compiled
					if (i >= 10) times.push(performance.now() - start);
					if (i % 50 === 9) heaps.push(performance.memory.usedJSHeapSize);
				}
				app.probe.view.draw();
				return { times, heaps, calls: app.probe.view.info.calls };
			})()`,
		);
		expect((await viewer.probe()).poses.length).toBe(1000 * 20 * 7);
		expect(calls).toBeLessThanOrEqual(40);
		// the quick ones: a busy machine stops most of them
		expect(times.sort((a, b) => a - b)[5]).toBeLessThan(8);
		// twice fifty pictures with twenty thousand matrices each, 1.3 MB if they were kept
		expect(heaps[2]! - heaps[0]!).toBeLessThan(30 * 2 ** 20);
		await viewer.evaluate('window.manyworlds.mover.stop()');
	});

	test('a robot of thirty links is simulated beside the page, not in it', async () => {
		await viewer.drop(chain(30));
		await viewer.evaluate('window.manyworlds.mover.simulate("sap", 1)');
		const work = await traceWork(
			browser as Browser,
			viewer,
			`(async () => {
				performance.mark('begin');
				window.manyworlds.player.play();
				while (window.manyworlds.player.frames.length < 40) await new Promise(requestAnimationFrame);
				performance.mark('end');
			})()`,
		);
		expect(work.tasks[0]).toBeLessThan(50);
		await viewer.evaluate('window.manyworlds.mover.stop()');
	});
});
