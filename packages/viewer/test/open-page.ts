import { createHash } from 'node:crypto';
import {
	existsSync,
	mkdirSync,
	mkdtempSync,
	readdirSync,
	readFileSync,
	renameSync,
	rmSync,
	statSync,
	writeFileSync,
} from 'node:fs';
import { join, relative } from 'node:path';
import type { RunningSite } from '@manyworlds/node';
import { serveSite } from '@manyworlds/node/internal';
import chromium from '@sparticuz/chromium';
import {
	type Browser,
	type BrowserContext,
	type BrowserContextOptions,
	type Page,
	chromium as playwright,
} from 'playwright-core';
import { buildViewer } from '../build/build-viewer.ts';

export const ROOT: string = join(import.meta.dirname, '../../..');
export const ROBOTS: string = join(ROOT, 'examples/robots');

/** Switches of the bundled browser that keep pages from being isolated, or from drawing. */
const UNWANTED =
	/^--(single-process|disable-web-security|disable-site-isolation-trials|disable-gpu|disable-webgl)$|IsolateOrigins|^--headless/;

/** Starts the bundled browser, drawing in software; a sentence when it does not start. */
export async function startBrowser(): Promise<Browser | string> {
	try {
		const executablePath = process.env['CHROMIUM_PATH'] ?? (await chromium.executablePath());
		const args = chromium.args.filter((arg) => !UNWANTED.test(arg));
		return await playwright.launch({
			executablePath,
			args: [...args, '--no-sandbox', '--use-angle=swiftshader', '--enable-unsafe-swiftshader'],
		});
	} catch (error) {
		return error instanceof Error ? error.message : String(error);
	}
}

/** The built application; it is built once for all test files, and again when a source changed. */
export async function buildSite(): Promise<string> {
	const cache = join(ROOT, 'node_modules/.cache/manyworlds-viewer');
	const name = sourceStamp();
	const folder = join(cache, name);
	if (existsSync(folder)) return folder;
	mkdirSync(cache, { recursive: true });
	for (const old of readdirSync(cache)) {
		if (/^[0-9a-f]{16}$/.test(old) && old !== name) rmSync(join(cache, old), { recursive: true, force: true });
	}
	await whenOurs(join(cache, 'lock'), async () => {
		// another process may have built it meanwhile
		if (existsSync(folder)) return;
		const made = mkdtempSync(join(cache, 'building-'));
		await buildViewer(made);
		renameSync(made, folder);
	});
	return folder;
}

/** Does something that one process does at a time; a lock whose process is gone is broken. */
async function whenOurs(lock: string, work: () => Promise<void>): Promise<void> {
	for (;;) {
		try {
			writeFileSync(lock, String(process.pid), { flag: 'wx' });
			break;
		} catch {
			if (!isRunning(Number(readText(lock)))) rmSync(lock, { force: true });
			else await new Promise((resolve) => setTimeout(resolve, 100));
		}
	}
	try {
		await work();
	} finally {
		rmSync(lock, { force: true });
	}
}

function readText(file: string): string {
	try {
		return readFileSync(file, 'utf8');
	} catch {
		// it was given up just now
		return String(process.pid);
	}
}

function isRunning(id: number): boolean {
	try {
		process.kill(id, 0);
		return true;
	} catch {
		return false;
	}
}

/** Changes with every file that the application is built from. */
function sourceStamp(): string {
	const digest = createHash('sha256');
	const packages = readdirSync(join(ROOT, 'packages')).sort();
	const folders = [
		...packages.map((name) => join(ROOT, 'packages', name, 'src')),
		join(ROOT, 'packages/viewer/build'),
		ROBOTS,
	];
	for (const folder of folders) {
		for (const path of (readdirSync(folder, { recursive: true }) as string[]).sort()) {
			const { mtimeMs, size } = statSync(join(folder, path));
			digest.update(`${folder}/${path} ${mtimeMs} ${size}\n`);
		}
	}
	for (const file of ['package-lock.json', 'packages/viewer/index.html']) digest.update(readFileSync(join(ROOT, file)));
	return digest.digest('hex').slice(0, 16);
}

/** A folder of files for the page to open. */
export interface Folder {
	readonly entry: string;
	readonly files: ReadonlyMap<string, Uint8Array>;
}

/** Files below a folder of the repository. */
export function readFolder(folder: string, entry: string): Folder {
	const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((file) => file.isFile());
	return {
		entry,
		files: new Map(
			files.map((file) => {
				const path = join(file.parentPath, file.name);
				return [relative(folder, path), new Uint8Array(readFileSync(path))];
			}),
		),
	};
}

/** Whether pages are isolated from others unless a test says it; `MANYWORLDS_NO_ISOLATION=1` runs all tests without. */
export const ISOLATED: boolean = process.env['MANYWORLDS_NO_ISOLATION'] !== '1';

export async function serve(site: string, isolated = ISOLATED): Promise<RunningSite> {
	return serveSite({ site, isolated });
}

/** How pages are shown: with few points, as a program draws them and not a graphics card. */
export const SETTINGS: BrowserContextOptions = {
	viewport: { width: 1000, height: 400 },
	deviceScaleFactor: 0.25,
	reducedMotion: 'reduce',
	// it would fetch the whole application again for each page
	serviceWorkers: 'block',
};

/** What the page says of itself. */
export interface PageProbe {
	readonly problem: string | undefined;
	readonly links: readonly string[];
	readonly poses: readonly number[];
}

/** A page of the viewer, with everything that went wrong in it. */
export class ViewerPage {
	readonly page: Page;
	readonly errors: string[] = [];

	private constructor(page: Page) {
		this.page = page;
		page.on('pageerror', (error) => this.errors.push(error.message));
		page.on('console', (message) => {
			if (message.type() === 'error') this.errors.push(message.text());
		});
	}

	static async open(browser: Browser, url: string): Promise<ViewerPage> {
		return ViewerPage.in(await browser.newContext(SETTINGS), url);
	}

	static async in(context: BrowserContext, url: string): Promise<ViewerPage> {
		const page = await context.newPage();
		const viewer = new ViewerPage(page);
		await page.goto(url);
		await viewer.start();
		return viewer;
	}

	/** Waits for the application. */
	async start(): Promise<void> {
		await this.until('window.manyworlds !== undefined');
	}

	/** Waits until an expression is true in the page. */
	async until(expression: string): Promise<void> {
		for (const end = Date.now() + 120_000; Date.now() < end; ) {
			if (await this.evaluate<boolean>(`Boolean(${expression})`)) return;
			await this.page.waitForTimeout(30);
		}
		const told = await this.evaluate<string>(
			'JSON.stringify([window.manyworlds?.busy, window.manyworlds?.problem, window.manyworlds?.asset?.entry])',
		);
		throw new Error(`this never came true: ${expression}; the page is at ${told}`);
	}

	/** Opens files as a drop of a folder does, and waits until they are shown or refused. */
	async drop({ entry, files }: Folder): Promise<void> {
		const list = [...files].map(([path, bytes]) => [path, Buffer.from(bytes).toString('base64')]);
		await this.page.evaluate(
			`(async () => {
				const files = new Map(${JSON.stringify(list)}.map(([path, text]) => [path, Uint8Array.from(atob(text), (c) => c.charCodeAt(0))]));
				await window.manyworlds.opener.openFiles(files, ${JSON.stringify(entry)});
			})()`,
		);
	}

	evaluate<T>(expression: string): Promise<T> {
		return this.page.evaluate(expression) as Promise<T>;
	}

	/** Like {@link evaluate} for many numbers, which go through text: the browser's protocol takes each of them apart. */
	async read<T>(expression: string): Promise<T> {
		const text = await this.evaluate<string>(
			`(async () => JSON.stringify({ value: await (${expression}) }, (_, value) => (ArrayBuffer.isView(value) ? [...value] : value)))()`,
		);
		return (JSON.parse(text) as { value: T }).value;
	}

	async probe(): Promise<PageProbe> {
		const { problem, links, poses } = await this.read<PageProbe>(`({
			problem: window.manyworlds.problem,
			links: window.manyworlds.asset?.robot?.links.map(({ label }) => label) ?? [],
			poses: window.manyworlds.probe.poses,
		})`);
		return { problem, links, poses };
	}

	close(): Promise<void> {
		return this.page.context().close();
	}
}
