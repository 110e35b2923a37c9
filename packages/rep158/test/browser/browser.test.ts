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
const PROGRAM = '/packages/rep158/test/browser/program.ts';
/** A robot without findings, one with a scaled link, one with a texture in the wrong format. */
const ASSETS = [
	'examples/robots/egret/egret.usda',
	'conformance/data/rep158/R1.1.10/bad/asset.usda',
	'conformance/data/rep158/R3.2.1/bad/asset.usda',
	'conformance/data/rep158/R3.4.6/bad/asset.usda',
];

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
		cacheDir: join(tmpdir(), 'manyworlds-browser-rep158'),
		resolve: { conditions: ['@manyworlds/source', 'module', 'browser', 'import', 'default'] },
		optimizeDeps: { noDiscovery: true },
		server: { host: '127.0.0.1', port: 0, hmr: false, watch: null },
		appType: 'custom',
	});
	return server.listen();
}

function filesOf(asset: string): string[] {
	const folder = join(ROOT, asset, '..');
	return readdirSync(folder, { recursive: true, withFileTypes: true })
		.filter((entry) => entry.isFile() && !entry.name.endsWith('.json'))
		.map((entry) => relative(ROOT, join(entry.parentPath, entry.name)).split(sep).join('/'))
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

	test('checks and fixes assets as in Node', async () => {
		const names = ASSETS.flatMap(filesOf);
		const files = Object.fromEntries(names.map((name) => [name, new Uint8Array(readFileSync(join(ROOT, name)))]));
		const expected = runProgram(files, ASSETS);

		const { port } = server.httpServer!.address() as AddressInfo;
		const page = await (browser as Browser).newPage();
		const faults: string[] = [];
		page.on('pageerror', (error) => faults.push(error.message));
		await page.route('**/blank.html', (route) => route.fulfill({ contentType: 'text/html', body: '<!doctype html>' }));
		await page.goto(`http://127.0.0.1:${port}/blank.html`);
		// text, because a function would be rewritten for Node
		const args = `${JSON.stringify(names)}, ${JSON.stringify(ASSETS)}`;
		const found = await page.evaluate<Results>(`import('${PROGRAM}').then((program) => program.runInPage(${args}))`);
		expect(faults).toEqual([]);
		expect(found).toEqual(expected);
		expect(found[`${ASSETS[0]} findings`]).toBe('');
		for (const asset of ASSETS.slice(1)) {
			expect(found[`${asset} findings`]).toContain(asset.split('/')[3]);
		}
		expect(found['fixed']).toContain('.usda');
	});
});
