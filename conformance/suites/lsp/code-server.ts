/// <reference lib="dom" />
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import sparticuz from '@sparticuz/chromium';
import { type Browser, chromium, type Page } from 'playwright-core';
import { packVsix } from '../../../scripts/vscode/pack-vsix.ts';
import type { Outcome, Suite } from '../../src/suite.ts';
import { freePort } from '../sweep/programs.ts';

/** The program of npm's `code-server`, which is the workbench of VS Code in a page. */
const PROGRAM =
	process.env['MANYWORLDS_CODE_SERVER'] ??
	join(homedir(), 'code-server-oracle/node_modules/code-server/out/node/entry.js');
/** A robot with one mistake. What stands before it on the line takes other numbers of bytes, of UTF-16 units and of characters. */
const MISTAKE = 'timeCodesPerSecond = 24';
const MENDED = 'timeCodesPerSecond = 1';
const ROBOT = `#usda 1.0
(
    defaultPrim = "Robot"
    metersPerUnit = 1
    kilogramsPerUnit = 1
    /* für 🤖 */ ${MISTAKE}
    upAxis = "Z"
)

def Xform "Robot" (
    kind = "component"
    assetInfo = {
        string identifier = "robot"
        string version = "1.0"
        dictionary ros = {
            string package_uri = "package://robot"
        }
    }
)
{
}
`;
/** Nothing of the editor may ask for another machine. */
const SETTINGS = {
	'telemetry.telemetryLevel': 'off',
	'update.mode': 'none',
	'extensions.autoCheckUpdates': false,
	'extensions.autoUpdate': false,
	'extensions.ignoreRecommendations': true,
	'workbench.enableExperiments': false,
	'workbench.startupEditor': 'none',
	'files.autoSave': 'off',
};
/** Longest wait for something to be seen [ms]. */
const PATIENCE = 60_000;

/** The extension in the workbench of VS Code. */
export const lspCodeServer: Suite = {
	name: 'lsp/code-server',
	description: 'the packed extension in the workbench of VS Code, driven in a browser',
	defaultDir: '.',
	groups: [
		{
			name: 'workbench',
			description: 'a robot with a mistake is opened, mended by its quick fix and broken again, without saving',
			tolerance: 'two pixels',
			timeLimit: 600,
			*cases() {
				if (!existsSync(PROGRAM)) {
					const skipped = `there is no ${PROGRAM}: see docs/testing.md, "Editors"`;
					yield { name: 'code-server', run: () => ({ skipped }) };
					return;
				}
				let bench: Promise<Workbench | string> | undefined;
				const scenes: readonly (readonly [string, (bench: Workbench) => Promise<Outcome>])[] = [
					['one finding, once, under its text', oneFinding],
					['its quick fix mends it', quickFix],
					['what is typed is told before it is saved', unsavedMistake],
					['nothing asked for another machine', (one) => Promise.resolve(one.outside())],
				];
				for (const [i, [name, scene]] of scenes.entries()) {
					yield {
						name,
						run: async () => {
							bench ??= Workbench.open();
							const one = await bench;
							if (typeof one === 'string') return one;
							try {
								return await scene(one);
							} catch (error) {
								return (error as Error).message.split('\n')[0];
							} finally {
								if (i === scenes.length - 1) await one.close();
							}
						},
					};
				}
			},
		},
	],
};

async function oneFinding({ page }: Workbench): Promise<Outcome> {
	await page.waitForSelector('.squiggly-error', { timeout: PATIENCE });
	await page.waitForSelector('[id="status.problems"][aria-label="Errors: 1"]', { timeout: PATIENCE });
	const found = await page.evaluate((text) => {
		const line = [...document.querySelectorAll('.view-line')].find((one) => one.textContent?.includes('timeCodes'));
		if (line === undefined) return 'the line is not shown';
		// the editor shows spaces that do not break
		const start = line.textContent!.replaceAll('\u00a0', ' ').indexOf(text);
		const range = document.createRange();
		const walker = document.createTreeWalker(line, NodeFilter.SHOW_TEXT);
		for (let at = 0, node = walker.nextNode(); node !== null; node = walker.nextNode()) {
			const { length } = node.textContent!;
			if (at <= start && start < at + length) range.setStart(node, start - at);
			if (at < start + text.length && start + text.length <= at + length) range.setEnd(node, start + text.length - at);
			at += length;
		}
		const token = range.getBoundingClientRect();
		const squiggles = [...document.querySelectorAll('.squiggly-error, .squiggly-warning, .squiggly-info')];
		if (squiggles.length !== 1) return `${squiggles.length} stretches are underlined`;
		const under = squiggles[0]!.getBoundingClientRect();
		const isUnder = Math.abs(under.left - token.left) <= 2 && Math.abs(under.right - token.right) <= 2;
		const isOnLine = under.top >= token.top - 4 && under.bottom <= token.bottom + 6;
		return isUnder && isOnLine
			? ''
			: `underlined is ${under.left} to ${under.right} at ${under.top}, the text is ${token.left} to ${token.right} at ${token.top}`;
	}, MISTAKE);
	return found === '' ? undefined : found;
}

async function quickFix(bench: Workbench): Promise<Outcome> {
	const { page } = bench;
	await bench.goTo('timeCodesPerSecond');
	await page.keyboard.press('Control+.');
	await page.waitForSelector('.action-widget .monaco-list-row.action', { timeout: PATIENCE });
	await page.keyboard.press('Enter');
	await page.waitForSelector('.squiggly-error', { state: 'detached', timeout: PATIENCE });
	await page.waitForSelector('[id="status.problems"][aria-label="No Problems"]', { timeout: PATIENCE });
	const shown = await bench.text();
	if (!shown.includes(MENDED) || shown.includes(MISTAKE)) return `after the fix there is: ${shown}`;
	return bench.saved() === ROBOT ? undefined : 'the fix was written to the file, which is not saved';
}

async function unsavedMistake(bench: Workbench): Promise<Outcome> {
	const { page } = bench;
	await bench.goTo('upAxis');
	const nonsense = ' nonsense';
	await page.keyboard.insertText(nonsense);
	await page.waitForSelector('.squiggly-error', { timeout: PATIENCE });
	for (let i = 0; i < nonsense.length; i++) await page.keyboard.press('Backspace');
	await page.waitForSelector('.squiggly-error', { state: 'detached', timeout: PATIENCE });
	return bench.saved() === ROBOT ? undefined : 'the file was written';
}

/** A workbench with the extension and a robot. */
class Workbench {
	readonly page: Page;
	readonly #server: ChildProcess;
	readonly #browser: Browser;
	readonly #folder: string;
	readonly #outside: ReadonlySet<string>;

	/** Installs the extension that this repository packs and opens the robot; gives why that cannot be done. */
	static async open(): Promise<Workbench | string> {
		const folder = mkdtempSync(join(tmpdir(), 'manyworlds-code-server-'));
		const [data, extensions, work] = ['data', 'extensions', 'work'].map((name) => join(folder, name)) as [
			string,
			string,
			string,
		];
		mkdirSync(join(data, 'User'), { recursive: true });
		mkdirSync(work);
		writeFileSync(join(data, 'User/settings.json'), JSON.stringify(SETTINGS));
		writeFileSync(join(folder, 'config.yaml'), 'auth: none\ncert: false\n');
		writeFileSync(join(work, 'robot.usda'), ROBOT);
		writeFileSync(join(folder, 'manyworlds.vsix'), (await packVsix()).bytes);
		const common = [
			PROGRAM,
			...['--config', join(folder, 'config.yaml'), '--user-data-dir', data, '--extensions-dir', extensions],
		];
		const env = { ...process.env, EXTENSIONS_GALLERY: '{}' };
		const installed = spawnSync(process.execPath, [...common, '--install-extension', join(folder, 'manyworlds.vsix')], {
			encoding: 'utf8',
			env,
		});
		if (!installed.stdout.includes('successfully installed'))
			return `the extension is not installed: ${installed.stdout} ${installed.stderr}`.slice(0, 500);
		const port = await freePort();
		const quiet = ['--disable-telemetry', '--disable-update-check', '--disable-workspace-trust'];
		const server = spawn(process.execPath, [...common, '--bind-addr', `127.0.0.1:${port}`, ...quiet], {
			env,
			stdio: 'ignore',
			// a group of its own: it starts programs that outlive it
			detached: true,
		});
		const browser = await chromium.launch({
			executablePath: process.env['CHROMIUM_PATH'] ?? (await sparticuz.executablePath()),
			args: ['--no-sandbox', '--no-zygote', '--disable-gpu'],
		});
		const address = `http://127.0.0.1:${port}`;
		for (let isUp = false; !isUp; ) {
			isUp = await fetch(`${address}/healthz`).then(
				({ ok }) => ok,
				() => false,
			);
			if (!isUp) await new Promise((done) => setTimeout(done, 200));
			if (server.exitCode !== null) return `code-server ended with ${server.exitCode}`;
		}
		const page = await browser.newPage({ viewport: { width: 1200, height: 800 } });
		const outside = new Set<string>();
		await page.route('**/*', (route) => {
			const { hostname } = new URL(route.request().url());
			if (hostname === '127.0.0.1' || hostname === '') return route.continue();
			outside.add(hostname);
			return route.abort();
		});
		const payload = [['openFile', `vscode-remote://127.0.0.1:${port}${join(work, 'robot.usda')}`]];
		await page.goto(`${address}/?folder=${work}&payload=${encodeURIComponent(JSON.stringify(payload))}`);
		return new Workbench(page, server, browser, folder, outside);
	}

	private constructor(
		page: Page,
		server: ChildProcess,
		browser: Browser,
		folder: string,
		outside: ReadonlySet<string>,
	) {
		this.page = page;
		this.#server = server;
		this.#browser = browser;
		this.#folder = folder;
		this.#outside = outside;
	}

	/** Puts the cursor to the end of the line with a text. */
	async goTo(text: string): Promise<void> {
		const { keyboard } = this.page;
		// somewhere in the text, where nothing reacts to it
		await this.page.mouse.click(700, 650);
		await keyboard.press('Control+Home');
		const line = ROBOT.split('\n').findIndex((one) => one.includes(text));
		for (let i = 0; i < line; i++) await keyboard.press('ArrowDown');
		await keyboard.press('End');
	}

	/** The lines that are shown. */
	async text(): Promise<string> {
		const lines = await this.page.locator('.view-line').allTextContents();
		return lines.join('\n').replaceAll('\u00a0', ' ');
	}

	/** The robot on the disk. */
	saved(): string {
		return readFileSync(join(this.#folder, 'work/robot.usda'), 'utf8');
	}

	/** Which machines the page asked for. */
	outside(): Outcome {
		return this.#outside.size === 0 ? undefined : [...this.#outside].join(', ');
	}

	async close(): Promise<void> {
		const shot = process.env['MANYWORLDS_SCREENSHOT'];
		if (shot !== undefined) await this.page.screenshot({ path: shot });
		await this.#browser.close();
		process.kill(-this.#server.pid!, 'SIGKILL');
		rmSync(this.#folder, { recursive: true, force: true });
	}
}
