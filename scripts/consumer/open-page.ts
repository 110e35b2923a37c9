import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { extname, join } from 'node:path';
import chromium from '@sparticuz/chromium';
import { chromium as playwright } from 'playwright-core';

const TYPES: Readonly<Record<string, string>> = {
	'.html': 'text/html',
	'.js': 'text/javascript',
	'.wasm': 'application/wasm',
};

/** Opens a page with a module of a folder or of a server in Chromium, and gives what its function `use` makes of the files. */
export async function openPage(place: string, module: string, files: Record<string, string>): Promise<unknown> {
	const isAddress = /^http/.test(place);
	const server = isAddress ? undefined : createServer(serve(place));
	if (server !== undefined) await new Promise<void>((done) => void server.listen(0, '127.0.0.1', done));
	const base = isAddress ? place : `http://127.0.0.1:${(server!.address() as AddressInfo).port}/`;
	const browser = await playwright.launch({
		executablePath: process.env['CHROMIUM_PATH'] ?? (await chromium.executablePath()),
		args: ['--no-sandbox', '--no-zygote', '--disable-gpu'],
	});
	try {
		const page = await browser.newPage();
		const body = `<!doctype html><script type="module" src="/${module}"></script>`;
		await page.route('**/blank.html', (route) => route.fulfill({ contentType: 'text/html', body }));
		await page.goto(`${base}blank.html`);
		await page.waitForFunction('"use" in globalThis', undefined, { timeout: 120_000 });
		return await page.evaluate(`globalThis.use(${JSON.stringify(files)})`);
	} finally {
		await browser.close();
		server?.close();
	}
}

function serve(folder: string): Parameters<typeof createServer>[1] & object {
	return async (request, response) => {
		try {
			const path = new URL(request.url ?? '/', 'http://host').pathname;
			const content = await readFile(join(folder, path));
			response.writeHead(200, { 'content-type': TYPES[extname(path)] ?? 'application/octet-stream' }).end(content);
		} catch {
			response.writeHead(404).end();
		}
	};
}
