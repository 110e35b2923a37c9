import type { RunningSite } from '@manyworlds/node';
import type { Browser } from 'playwright-core';
import { LARGE_ROBOT } from '../../packages/viewer/test/large-robot.ts';
import { buildSite, serve, startBrowser, ViewerPage } from '../../packages/viewer/test/open-page.ts';
import type { BenchSuite } from '../harness/task.ts';

const LINKS = 10;
/** Of each link: the robot has 53 MB. */
const TRIANGLES = 105_000;

/** What a page told of an opening, by the clock [ms]. */
interface Opening {
	readonly links: number;
	readonly megabytes: number;
	readonly boxes: number;
	readonly shown: number;
}

/** The viewer in the bundled Chromium, which draws in software. */
export const suite: BenchSuite = {
	name: 'viewer',
	prepare: async () =>
		'the times that count are inside of pages: --json has them as "ms until boxes" and "ms until all"',
	tasks: [
		{
			kind: 'task',
			name: 'open',
			title: 'a new page, and a robot of 53 MB (URDF, ten meshes of STL) opened in it',
			rates: [{ fact: 'megabytes', unit: 'MB/s' }],
			contenders: [
				{
					name: 'manyworlds',
					prepare: async () => {
						const browser = await startBrowser();
						if (typeof browser === 'string') throw new Error(`chromium does not start: ${browser}`);
						const server = await serve(await buildSite());
						return {
							run: () => open(browser, server),
							check: (result) => {
								const { links, megabytes, boxes, shown } = result as Opening;
								if (links !== LINKS) throw new Error(`the page shows ${links} links, expected ${LINKS}`);
								if (!(boxes > 0 && boxes < shown))
									throw new Error(`boxes came after ${boxes} ms, all after ${shown} ms`);
								return { megabytes, 'ms until boxes': boxes, 'ms until all': shown };
							},
						};
					},
				},
			],
			outside: [],
		},
	],
};

async function open(browser: Browser, server: RunningSite): Promise<Opening> {
	const viewer = await ViewerPage.open(browser, server.url);
	try {
		return await viewer.evaluate<Opening>(`(async () => {
			${LARGE_ROBOT}
			const files = largeRobot(${LINKS}, ${TRIANGLES});
			const bytes = [...files.values()].reduce((sum, { length }) => sum + length, 0);
			const start = performance.now();
			await window.manyworlds.opener.openFiles(files, 'large.urdf');
			const shown = performance.now() - start;
			const [mark] = performance.getEntriesByName('manyworlds boxes');
			return {
				links: window.manyworlds.asset.robot.links.length,
				megabytes: bytes / 1e6,
				boxes: mark.startTime - start,
				shown,
			};
		})()`);
	} finally {
		await viewer.close();
	}
}
