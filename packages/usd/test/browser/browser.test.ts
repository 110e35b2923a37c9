import { readdirSync, readFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join, relative, sep } from 'node:path';
import chromium from '@sparticuz/chromium';
import { type Browser, chromium as playwright } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createViteServer } from 'vitest/node';
import { type Results, runProgram } from './program.ts';

const ROOT = join(import.meta.dirname, '../../../..');
const ROBOTS = join(ROOT, 'examples/robots');
const PROGRAM = '/packages/usd/test/browser/program.ts';

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
		cacheDir: join(tmpdir(), 'manyworlds-browser-test'),
		resolve: { conditions: ['@manyworlds/source', 'module', 'browser', 'import', 'default'] },
		optimizeDeps: { noDiscovery: true },
		server: { host: '127.0.0.1', port: 0, hmr: false, watch: null },
		appType: 'custom',
	});
	return server.listen();
}

function robotFiles(): string[] {
	return readdirSync(join(ROBOTS, 'heron'), { recursive: true, withFileTypes: true })
		.filter((entry) => entry.isFile())
		.map((entry) => relative(ROBOTS, join(entry.parentPath, entry.name)).split(sep).join('/'))
		.sort();
}

const browser = await startBrowser();
if (typeof browser === 'string') console.warn(`browser test skipped: chromium does not start: ${browser}`);

describe.skipIf(typeof browser === 'string')('in a browser', () => {
	let server: Server;
	beforeAll(async () => {
		server = await startServer();
	});
	afterAll(async () => {
		await server?.close();
		if (typeof browser !== 'string') await browser.close();
	});

	test('reads, edits and writes usda, usdc and usdz to the same bytes as in Node', async () => {
		const names = robotFiles();
		const files = Object.fromEntries(names.map((name) => [name, new Uint8Array(readFileSync(join(ROBOTS, name)))]));
		const expected = await runProgram(files);

		const { port } = server.httpServer!.address() as AddressInfo;
		const page = await (browser as Browser).newPage();
		const faults: string[] = [];
		page.on('pageerror', (error) => faults.push(error.message));
		await page.route('**/blank.html', (route) => route.fulfill({ contentType: 'text/html', body: '<!doctype html>' }));
		await page.goto(`http://127.0.0.1:${port}/blank.html`);
		// text, because a function would be rewritten for Node
		const script = `import('${PROGRAM}').then((program) => program.runInPage(${JSON.stringify(names)}))`;
		const found = await page.evaluate<Results>(script);
		expect(faults).toEqual([]);
		expect(found).toEqual(expected);
		expect(Object.keys(found).length).toBeGreaterThan(3 * names.filter((name) => name.endsWith('.usda')).length);
		for (const [name, result] of Object.entries(found)) {
			if (/from crate|content/.test(name)) expect(result, name).toMatch(/^0 differences/);
		}
		expect(found['bad text']).toMatch(/^USDA/);
		expect(found['findings']).toBe('0');
	});
});
