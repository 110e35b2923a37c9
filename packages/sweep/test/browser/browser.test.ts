import { join } from 'node:path';
import chromium from '@sparticuz/chromium';
import { build } from 'esbuild';
import { type Browser, chromium as playwright } from 'playwright-core';
import { afterAll, describe, expect, test } from 'vitest';
import { PENDULUM_URDF } from '../plans.ts';
import { type Drawn, drawAndRun } from './program.ts';

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

describe.skipIf(typeof browser === 'string')('in a browser', () => {
	afterAll(async () => {
		if (typeof browser !== 'string') await browser.close();
	});

	test('runs are drawn, simulated and tabled to the same bytes as in Node, and the report draws itself', async () => {
		const expected = await drawAndRun(PENDULUM_URDF);
		expect(expected.results).toHaveLength(12);
		const { outputFiles } = await build({
			entryPoints: [join(import.meta.dirname, 'program.ts')],
			bundle: true,
			write: false,
			format: 'iife',
			globalName: 'program',
			platform: 'browser',
			target: 'chrome120',
			conditions: ['@manyworlds/source'],
			logLevel: 'error',
		});
		const page = await (browser as Browser).newPage();
		const faults: string[] = [];
		page.on('pageerror', (error) => faults.push(error.message));
		await page.addScriptTag({ content: outputFiles[0]!.text });
		// text, because a function would be rewritten for Node
		expect(await page.evaluate<Drawn>(`program.drawAndRun(${JSON.stringify(PENDULUM_URDF)})`)).toEqual(expected);
		await page.setContent(expected.report);
		// something of another colour than the ground is on every canvas
		const painted = await page.evaluate<number[]>(
			"[...document.querySelectorAll('canvas')].map((one) => new Set(new Uint32Array(one.getContext('2d').getImageData(0, 0, one.width, one.height).data.buffer)).size)",
		);
		expect(painted.length).toBeGreaterThan(3);
		expect(Math.min(...painted)).toBeGreaterThan(3);
		expect(faults).toEqual([]);
	});
});
