import { readdirSync, readFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { computePurposeInfo, type Layer, MemoryStore, Stage, traverse, XformCache } from '@manyworlds/usd';
import chromium from '@sparticuz/chromium';
import { type Browser, chromium as playwright } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createViteServer } from 'vitest/node';
import { convert, cornerText, type Seen } from './program.ts';

const ROOT = join(import.meta.dirname, '../../../..');
const PROGRAM = '/packages/convert/test/browser/program.ts';
const EGRET = join(ROOT, 'examples/robots/egret');

type Server = Awaited<ReturnType<typeof createViteServer>>;

async function startBrowser(): Promise<Browser | string> {
	try {
		const executablePath = process.env['CHROMIUM_PATH'] ?? (await chromium.executablePath());
		return await playwright.launch({ executablePath, args: ['--no-sandbox', '--no-zygote', '--disable-gpu'] });
	} catch (error) {
		return error instanceof Error ? error.message : String(error);
	}
}

const browser = await startBrowser();
if (typeof browser === 'string') console.warn(`browser test skipped: chromium does not start: ${browser}`);

describe.skipIf(typeof browser === 'string')('a robot as GLB in a browser', () => {
	let server: Server;
	let seen: Seen;
	const files = readFiles(EGRET);

	beforeAll(async () => {
		server = await createViteServer({
			root: ROOT,
			configFile: false,
			logLevel: 'error',
			cacheDir: join(tmpdir(), 'manyworlds-browser-convert'),
			resolve: { conditions: ['@manyworlds/source', 'module', 'browser', 'import', 'default'] },
			server: { host: '127.0.0.1', port: 0, hmr: false, watch: null },
			appType: 'custom',
		});
		await server.listen();
		const { port } = server.httpServer!.address() as AddressInfo;
		const page = await (browser as Browser).newPage();
		await page.route('**/blank.html', (route) => route.fulfill({ contentType: 'text/html', body: '<!doctype html>' }));
		await page.goto(`http://127.0.0.1:${port}/blank.html`);
		// text, because a function would be rewritten for Node
		seen = (await page.evaluate(
			`import('${PROGRAM}').then((program) => program.seeInPage(${JSON.stringify(files)}, 'egret.usda'))`,
		)) as Seen;
	});
	afterAll(async () => {
		await server?.close();
		if (typeof browser !== 'string') await browser.close();
	});

	test('has the bytes that it has in Node', () => {
		const own = convert(files, 'egret.usda');
		expect(Buffer.from(seen.bytes).equals(Buffer.from(own))).toBe(true);
	});

	test('has its corners in three.js where the stage has them', () => {
		expect(seen.corners).toEqual(stageCorners(files));
	});

	test('has the scenes and the animation that were asked for', () => {
		expect(seen.scenes).toHaveLength(2);
		expect(seen.animations).toBe(1);
	});
});

/** Files below a folder, as base64. */
function readFiles(folder: string): Record<string, string> {
	const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
	return Object.fromEntries(
		files.map((entry) => {
			const path = join(entry.parentPath, entry.name);
			return [relative(folder, path), readFileSync(path).toString('base64')];
		}),
	);
}

/** Corners of the meshes that a stage shows, with Y up as in glTF. */
function stageCorners(files: Readonly<Record<string, string>>): string[] {
	const store = new MemoryStore(
		Object.fromEntries(
			Object.entries(files).map(([name, text]) => [name, new Uint8Array(Buffer.from(text, 'base64'))]),
		),
	);
	const stage = Stage.open(store.layer(store.identify('egret.usda', '').identifier) as Layer, { store });
	const transforms = new XformCache();
	const corners = new Set<string>();
	for (const prim of traverse(stage.pseudoRoot, { instanceProxies: true })) {
		if (prim.typeName !== 'Mesh' || computePurposeInfo(prim).purpose !== 'default') continue;
		const points = prim.attribute('points').get()!.data as Float32Array;
		const used = new Set(prim.attribute('faceVertexIndices').get()!.data as Int32Array);
		const m = transforms.worldTransform(prim);
		for (const i of used) {
			const [x, y, z] = [points[3 * i]!, points[3 * i + 1]!, points[3 * i + 2]!];
			const at = [0, 1, 2].map((k) => x * m[k]! + y * m[4 + k]! + z * m[8 + k]! + m[12 + k]!) as [
				number,
				number,
				number,
			];
			corners.add(cornerText(at[0], at[2], -at[1]));
		}
	}
	return [...corners].sort();
}
