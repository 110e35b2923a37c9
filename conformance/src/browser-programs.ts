import { readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { extname, join } from 'node:path';
import chromium from '@sparticuz/chromium';
import { build, type Plugin } from 'esbuild';
import { type Browser, type Page, chromium as playwright } from 'playwright-core';

const ROOT = join(import.meta.dirname, '../..');

/** Without these a page has no shared memory. */
const ISOLATION = { 'Cross-Origin-Opener-Policy': 'same-origin', 'Cross-Origin-Embedder-Policy': 'require-corp' };

const TYPES: Readonly<Record<string, string>> = {
	'.html': 'text/html',
	'.js': 'text/javascript',
	'.wasm': 'application/wasm',
};

/** It finds its binary beside itself. */
const MUJOCO: Plugin = {
	name: 'mujoco',
	setup: ({ onResolve }) => {
		onResolve({ filter: /^@mujoco\/mujoco$/ }, () => ({
			path: '/node_modules/@mujoco/mujoco/mujoco.js',
			external: true,
		}));
	},
};

/** A browser that draws nothing; a sentence when it does not start. */
export async function startPlainBrowser(): Promise<Browser | string> {
	try {
		const executablePath = process.env['CHROMIUM_PATH'] ?? (await chromium.executablePath());
		return await playwright.launch({ executablePath, args: ['--no-sandbox', '--no-zygote', '--disable-gpu'] });
	} catch (error) {
		return error instanceof Error ? error.message : String(error);
	}
}

/** Programs from source, bundled for a browser, and a server that has them beside the files of the repository. */
export class BrowserPrograms {
	readonly #server: Server;

	private constructor(server: Server) {
		this.#server = server;
	}

	/** Modules by their paths from the root without `.ts`; they share what they have in common. */
	static async serve(entries: readonly string[]): Promise<BrowserPrograms> {
		const { outputFiles } = await build({
			entryPoints: entries.map((entry) => ({ in: join(ROOT, `${entry}.ts`), out: entry })),
			outdir: '/',
			bundle: true,
			splitting: true,
			write: false,
			format: 'esm',
			platform: 'browser',
			target: 'chrome120',
			conditions: ['@manyworlds/source'],
			plugins: [MUJOCO],
			logLevel: 'error',
		});
		const bundled = new Map(outputFiles.map(({ path, contents }) => [path, contents]));
		const server = createServer(({ url = '/' }, response) => {
			const path = decodeURIComponent(new URL(url, 'http://localhost').pathname);
			try {
				// workers are named by their sources
				const name = path.replace(/\.ts$/, '.js');
				const body = path === '/' ? '<!doctype html>' : (bundled.get(name) ?? readFileSync(join(ROOT, path)));
				const type = path === '/' ? 'text/html' : (TYPES[extname(name)] ?? 'application/octet-stream');
				response.writeHead(200, { ...ISOLATION, 'Content-Type': type }).end(body);
			} catch {
				response.writeHead(404).end();
			}
		});
		await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
		return new BrowserPrograms(server);
	}

	/** Calls a function that a module exports, in a page of its own; also the faults of that page. */
	async call<T>(
		browser: Browser,
		entry: string,
		name: string,
		args: readonly unknown[],
		look?: (page: Page) => Promise<void>,
	): Promise<{ readonly found: T; readonly faults: readonly string[] }> {
		const page = await browser.newPage();
		try {
			const faults: string[] = [];
			page.on('pageerror', (error) => faults.push(error.message));
			await page.goto(`http://127.0.0.1:${(this.#server.address() as AddressInfo).port}/`);
			// text, because a function would be rewritten for Node
			const given = args.map((arg) => JSON.stringify(arg)).join();
			const found = await page.evaluate<T>(`import('/${entry}.js').then((program) => program.${name}(${given}))`);
			await look?.(page);
			return { found, faults };
		} finally {
			await page.close();
		}
	}

	async close(): Promise<void> {
		await new Promise((resolve) => this.#server.close(resolve));
	}
}
