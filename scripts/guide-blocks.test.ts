import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { refreshGuide } from './guide-blocks.ts';
import { ROOT } from './source-files.ts';

const FOLDER = join(ROOT, 'docs/guide');

const pages = readdirSync(FOLDER).filter((name) => name.endsWith('.md'));

test.each(pages)('docs/guide/%s shows what commands print', async (name) => {
	const text = readFileSync(join(FOLDER, name), 'utf8');
	expect(await refreshGuide(text, ROOT)).toBe(text);
});

test('pages of commands show some', () => {
	const shown = pages.filter((name) => readFileSync(join(FOLDER, name), 'utf8').includes('```console\n$ manyworlds '));
	expect(shown.length).toBeGreaterThan(2);
});

test('a page that is out of date is corrected', async () => {
	const page = 'x\n\n```console\n$ manyworlds inspect nothing.usda\nold\n```\n\ny\n';
	expect(await refreshGuide(page, ROOT)).toBe(
		"x\n\n```console\n$ manyworlds inspect nothing.usda\nnothing.usda: error CLI001: there is no file 'nothing.usda'\n1 error\n```\n\ny\n",
	);
});
