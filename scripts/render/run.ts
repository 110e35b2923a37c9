/** Draws GLB files as PNG pictures in Chromium: `node --import tsx scripts/render/run.ts robot.glb robot.png [WIDTHxHEIGHT]`. */
import { readFileSync, writeFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import chromium from '@sparticuz/chromium';
import { chromium as playwright } from 'playwright-core';
import { createServer } from 'vite';

const [input, output, size = '960x640'] = process.argv.slice(2);
if (input === undefined || output === undefined) {
	console.error('usage: run.ts INPUT.glb OUTPUT.png [WIDTHxHEIGHT]');
	process.exit(2);
}
const [width, height] = size.split('x').map(Number) as [number, number];
const server = await createServer({
	root: join(import.meta.dirname, '../..'),
	configFile: false,
	logLevel: 'error',
	cacheDir: join(tmpdir(), 'manyworlds-render'),
	server: { host: '127.0.0.1', port: 0, hmr: false, watch: null },
	appType: 'custom',
});
await server.listen();
const { port } = server.httpServer!.address() as AddressInfo;
const browser = await playwright.launch({
	executablePath: process.env['CHROMIUM_PATH'] ?? (await chromium.executablePath()),
	args: ['--no-sandbox', '--no-zygote', '--use-gl=angle', '--use-angle=swiftshader', '--enable-unsafe-swiftshader'],
});
try {
	const page = await browser.newPage();
	page.on('pageerror', (error) => console.error(error.message));
	await page.route('**/blank.html', (route) => route.fulfill({ contentType: 'text/html', body: '<!doctype html>' }));
	await page.route('**/robot.glb', (route) => route.fulfill({ body: readFileSync(input) }));
	await page.goto(`http://127.0.0.1:${port}/blank.html`);
	// text, because a function would be rewritten for Node
	const picture = (await page.evaluate(
		`import('/scripts/render/page.ts').then((page) => page.drawInPage('/robot.glb', ${width}, ${height}))`,
	)) as string;
	writeFileSync(output, Buffer.from(picture.slice(picture.indexOf(',') + 1), 'base64'));
} finally {
	await browser.close();
	await server.close();
}
