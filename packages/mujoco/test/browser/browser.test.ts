import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import chromium from '@sparticuz/chromium';
import { type Browser, chromium as playwright } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createViteServer } from 'vitest/node';
import { type Outcome, runWorlds } from './program.ts';

const ROOT = join(import.meta.dirname, '../../../..');
const PROGRAM = '/packages/mujoco/test/browser/program.ts';

/** Without these a page has no shared memory. */
const ISOLATION = { 'Cross-Origin-Opener-Policy': 'same-origin', 'Cross-Origin-Embedder-Policy': 'require-corp' };

type Server = Awaited<ReturnType<typeof createViteServer>>;

async function startBrowser(): Promise<Browser | string> {
	try {
		const executablePath = process.env['CHROMIUM_PATH'] ?? (await chromium.executablePath());
		return await playwright.launch({ executablePath, args: ['--no-sandbox', '--no-zygote', '--disable-gpu'] });
	} catch (error) {
		return error instanceof Error ? error.message : String(error);
	}
}

/** Serves the repository, so that the page imports the packages from source. */
async function startServer(): Promise<Server> {
	const server = await createViteServer({
		root: ROOT,
		configFile: false,
		logLevel: 'error',
		cacheDir: join(tmpdir(), 'manyworlds-browser-worlds'),
		resolve: { conditions: ['@manyworlds/source', 'module', 'browser', 'import', 'default'] },
		optimizeDeps: { noDiscovery: true },
		server: { host: '127.0.0.1', port: 0, hmr: false, watch: null, headers: ISOLATION },
		appType: 'custom',
	});
	return server.listen();
}

const browser = await startBrowser();
if (typeof browser === 'string') console.warn(`browser test skipped: chromium does not start: ${browser}`);

describe.skipIf(typeof browser === 'string')('worlds in a browser', () => {
	let server: Server;
	beforeAll(async () => {
		server = await startServer();
	});
	afterAll(async () => {
		await server?.close();
		if (typeof browser !== 'string') await browser.close();
	});

	test.each(['sap', 'mujoco'])(
		'come to the same bits with workers as without, on %s',
		async (solver) => {
			const { port } = server.httpServer!.address() as AddressInfo;
			const page = await (browser as Browser).newPage();
			const faults: string[] = [];
			page.on('pageerror', (error) => faults.push(error.message));
			await page.route('**/blank.html', (route) =>
				route.fulfill({ contentType: 'text/html', headers: ISOLATION, body: '<!doctype html>' }),
			);
			await page.goto(`http://127.0.0.1:${port}/blank.html`);
			// text, because a function would be rewritten for Node
			const [inline, threaded] = (await page.evaluate(
				`import('${PROGRAM}').then((program) => program.runInPage('${solver}'))`,
			)) as [Outcome, Outcome];
			await page.close();
			expect(faults).toEqual([]);
			expect([inline.workers, threaded.workers]).toEqual([0, 2]);
			expect(threaded).toEqual({ ...inline, workers: 2 });
			expect(inline.failedWorlds).toEqual([3]);
			const node = await runWorlds(solver, 0);
			for (const [i, value] of node.jointQ.entries()) expect(inline.jointQ[i]).toBeCloseTo(value, 9);
		},
		120_000,
	);
});
