import { cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { checkAsset, RULES } from '@manyworlds/rep158';
import { afterAll, describe, expect, it } from 'vitest';
import { Expectations } from '../src/expectations.ts';
import { InputFinder } from '../src/input-finder.ts';
import { runSuite, type SuiteResult } from '../src/runner.ts';
import { AssetFolder } from '../suites/rep158/asset-folder.ts';
import { rep158, stateCounts } from '../suites/rep158/index.ts';

const ROOT = resolve(import.meta.dirname, '../..');
const scratch = mkdtempSync(join(tmpdir(), 'rep158-'));
afterAll(() => rmSync(scratch, { recursive: true }));

function run(dir: string): Promise<SuiteResult> {
	const context = { dir, assetsDir: dir, inputs: new InputFinder(dir), log: () => {} };
	return runSuite(rep158, context, Expectations.load(rep158.name));
}

describe('the suite rep158', () => {
	it('has an asset that keeps and one that breaks every rule that is checked', () => {
		const folders = (id: string): string[] => {
			const path = join(rep158.defaultDir, id);
			return existsSync(path) ? readdirSync(path) : [];
		};
		const lacking = RULES.filter(({ visit }) => visit !== undefined)
			.map(({ id }) => id)
			.filter((id) => !['good', 'bad'].every((kind) => folders(id).some((name) => name.startsWith(kind))));
		expect(lacking).toEqual([]);
	});

	it('counts the rules by state', () => {
		expect(stateCounts()).toMatch(/^rep158: 228 statements: \d+ checked, \d+ heuristic, /);
	});

	it('notices findings that are missing, elsewhere or too many', async () => {
		const rule = 'R2.4.1';
		cpSync(join(rep158.defaultDir, rule), join(scratch, rule), { recursive: true });
		const expected = join(scratch, rule, 'bad/expected.json');
		const text = readFileSync(expected, 'utf8');
		const failures = async (): Promise<number> => (await run(scratch)).groups.flatMap((group) => group.failures).length;
		expect(await failures()).toBe(0);
		writeFileSync(
			expected,
			text.replace(/"line": (\d+)/, (_, line) => `"line": ${Number(line) + 1}`),
		);
		expect(await failures()).toBe(1);
		writeFileSync(expected, text.replace('ros.usda', 'asset.usda'));
		expect(await failures()).toBe(1);
		writeFileSync(expected, text.replace('"findings"', '"finding"'));
		expect(await failures()).toBe(1);
		writeFileSync(expected, text);
		const asset = join(scratch, rule, 'good/asset.usda');
		writeFileSync(asset, readFileSync(asset, 'utf8').replace('upAxis = "Z"', 'upAxis = "Y"'));
		expect(await failures()).toBe(1);
	});
});

describe('the compliant robot', () => {
	const folder = join(ROOT, 'examples/robots/egret');

	it('has no finding at any level', () => {
		const source = new AssetFolder(folder);
		const { report, selectionCount } = checkAsset(source.open('egret.usda'), source);
		expect(source.report.toArray()).toEqual([]);
		expect(report.toArray().map(({ code, message }) => `${code} ${message}`)).toEqual([]);
		expect(selectionCount).toBeGreaterThan(1);
	});
});
