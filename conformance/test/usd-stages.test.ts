import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gunzipSync, gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Expectations } from '../src/expectations.ts';
import { InputFinder } from '../src/input-finder.ts';
import { runSuite } from '../src/runner.ts';
import type { Suite } from '../src/suite.ts';
import { SUITES } from '../suites/index.ts';

const shared = resolve(dirname(fileURLToPath(import.meta.url)), '../../../shared');
const scene = join(shared, 'oracle/golden/usd/fuzz/000005');
const dump = join(shared, 'conformance/aousd/composition/tests/assets/BasicReference_session');
const hasShared = existsSync(scene) && existsSync(dump);
if (!hasShared) process.stderr.write(`corrupted stage answers: skipped, there is no folder ${scene}\n`);

/** Numbers in 0 to n - 1, the same in every run. */
function picks(n: number, count: number): number[] {
	return Array.from({ length: count }, (_, i) => (7919 * (i + 1)) % n);
}

type Json = null | boolean | number | string | Json[] | { [key: string]: Json };

/** Places of all values in a JSON tree, as holder and key. */
function* places(tree: Json): Generator<{ holder: Record<string, Json>; key: string }> {
	if (typeof tree !== 'object' || tree === null) return;
	for (const key of Object.keys(tree)) {
		const holder = tree as Record<string, Json>;
		const value = holder[key]!;
		if (typeof value === 'object' && value !== null) yield* places(value);
		else yield { holder, key };
	}
}

function changed(value: Json): Json {
	if (typeof value === 'boolean') return !value;
	if (typeof value === 'number') return value + 1 + 0.1 * Math.abs(value);
	return value === null ? 1 : `${value as string}x`;
}

async function failures(name: string, dir: string): Promise<number> {
	const suite = SUITES.find((one) => one.name === name) as Suite;
	const context = { dir, assetsDir: dir, inputs: new InputFinder(dir), log: () => undefined };
	const result = await runSuite(suite, context, new Expectations());
	return result.groups.reduce((sum, group) => sum + group.failures.length, 0);
}

describe.skipIf(!hasShared)('suites of stages notice', () => {
	let folder = '';
	beforeAll(() => {
		folder = mkdtempSync(join(tmpdir(), 'manyworlds-stages-'));
		cpSync(scene, join(folder, 'fuzz/renamed'), { recursive: true });
		cpSync(dump, join(folder, 'composition/renamed'), { recursive: true });
	});
	afterAll(() => rmSync(folder, { recursive: true, force: true }));

	function rewrite(path: string, content: string | Uint8Array): void {
		rmSync(path, { force: true });
		writeFileSync(path, content);
	}

	it('nothing in answers as they are', async () => {
		expect(await failures('usd/fuzz', join(folder, 'fuzz'))).toBe(0);
		expect(await failures('usd/composition', join(folder, 'composition'))).toBe(0);
	});

	it('a changed value anywhere in the dump of a stage', async () => {
		const path = join(folder, 'fuzz/renamed/expected.json.gz');
		const text = gunzipSync(readFileSync(path)).toString('utf8');
		const count = [...places(JSON.parse(text) as Json)].length;
		for (const pick of picks(count, 25)) {
			const tree = JSON.parse(text) as Json;
			const { holder, key } = [...places(tree)][pick]!;
			const before = holder[key]!;
			if (key === 'oracle' || key === 'count') continue;
			holder[key] = changed(before);
			rewrite(path, gzipSync(JSON.stringify(tree)));
			if ((await failures('usd/fuzz', join(folder, 'fuzz'))) === 0)
				expect.fail(`'${key}': ${before} changed unnoticed`);
		}
		rewrite(path, gzipSync(text));
	});

	it('a changed line of a flattened stage and of a composition dump', async () => {
		const flat = join(folder, 'fuzz/renamed/flatten.usda.gz');
		const lines = gunzipSync(readFileSync(flat)).toString('utf8').split('\n');
		lines[10] = `${lines[10]} `;
		rewrite(flat, gzipSync(lines.join('\n')));
		expect(await failures('usd/fuzz', join(folder, 'fuzz'))).toBeGreaterThan(0);

		const path = join(folder, 'composition/renamed/pcp.txt');
		const text = readFileSync(path, 'utf8');
		expect(text).toContain('/');
		rewrite(path, text.replace(/\/(\w+)\n/, '/$1x\n'));
		expect(await failures('usd/composition', join(folder, 'composition'))).toBeGreaterThan(0);
	});
});
