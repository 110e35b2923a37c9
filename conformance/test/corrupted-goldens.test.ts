import { copyFileSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gunzipSync, gzipSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { Expectations } from '../src/expectations.ts';
import { InputFinder } from '../src/input-finder.ts';
import { type Failure, runSuite } from '../src/runner.ts';
import type { Suite } from '../src/suite.ts';
import { usdCrate } from '../suites/usd-crate.ts';
import { usdLayerDumps } from '../suites/usd-layer-dumps.ts';
import { usdLayers } from '../suites/usd-layers/index.ts';

const shared = resolve(dirname(fileURLToPath(import.meta.url)), '../../../shared');
const hasShared = existsSync(join(shared, 'conformance')) && existsSync(join(shared, 'oracle/golden/usd/crate'));
if (!hasShared) process.stderr.write(`corrupted goldens: skipped, there is no folder ${shared}\n`);

let folder = '';
beforeEach(() => {
	folder = mkdtempSync(join(tmpdir(), 'manyworlds-corrupt-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** Copies a file of the shared folder into the temporary one, under another name if given. */
function take(from: string, to: string): string {
	const path = join(folder, to);
	mkdirSync(dirname(path), { recursive: true });
	copyFileSync(join(shared, from), path);
	return path;
}

/** Changes the text of a golden file; the change must do something. */
function corrupt(path: string, change: (text: string) => string): void {
	const packed = path.endsWith('.gz');
	const before = (packed ? gunzipSync(readFileSync(path)) : readFileSync(path)).toString('utf8');
	const after = change(before);
	expect(after).not.toBe(before);
	rmSync(path);
	writeFileSync(path, packed ? gzipSync(after) : after);
}

async function failuresOf(suite: Suite): Promise<{ readonly total: number; readonly failures: readonly Failure[] }> {
	const context = {
		dir: folder,
		assetsDir: join(folder, 'no-assets'),
		inputs: new InputFinder(folder),
		log: () => undefined,
	};
	const result = await runSuite(suite, context, new Expectations());
	return {
		total: result.groups.reduce((sum, group) => sum + group.total, 0),
		failures: result.groups.flatMap((group) => group.failures),
	};
}

const CRATES = 'oracle/golden/usd/crate/0.8.0';
const TEXT = 'conformance/aousd/file_formats/tests/assets/text';

describe.skipIf(!hasShared)('corrupted answers are noticed', () => {
	const dumpChanges: readonly [string, string, (text: string) => string][] = [
		['a changed number', 'scalars', (text) => text.replace(/"default":(-?\d+)([,}])/, '"default":1234567$2')],
		['a changed text', 'names', (text) => text.replace('"typeName":"', '"typeName":"x')],
		['a dropped spec', 'listops', (text) => text.replace(/\n\{[^\n]*"path":"\/P1"[^\n]*\},/, '')],
		['a spec too many', 'listops', (text) => text.replace('"specs":[', '"specs":[{"path":"/Extra","spec":"Prim"},')],
		['an unknown field', 'layer', (text) => text.replace('"fields":{', '"fields":{"surprise":1,')],
		['an unknown key of a spec', 'layer', (text) => text.replace('"path":', '"surprise":1,"path":')],
		['an unknown key of the file', 'layer', (text) => text.replace('{', '{"surprise":1,')],
		['a dropped field', 'variants', (text) => text.replace(/"typeName":"[^"]*",?/, '')],
		['a changed hash', 'ints', (text) => text.replace(/"sha256":"\w/, '"sha256":"x')],
		['another order of children', 'listops', (text) => text.replace('"P0","P1"', '"P1","P0"')],
		['a changed sample', 'samples', (text) => text.replace(/"samples":\[\[(-?\d)/, '"samples":[[77$1')],
		['a changed type in a dictionary', 'dictionaries', (text) => text.replace('"type":"int"', '"type":"int64"')],
		['a lost minus of zero', 'floats', (text) => text.replace(/-0\.0(?=[,\]}])/, '0.0')],
	];
	test.each(dumpChanges)('%s in a crate dump', async (_, name, change) => {
		take(`${CRATES}/${name}.usdc`, 'renamed/other.usdc');
		const golden = take(`${CRATES}/${name}.json.gz`, 'renamed/other.json.gz');
		expect(await failuresOf(usdLayerDumps)).toEqual({ total: 1, failures: [] });
		corrupt(golden, change);
		expect((await failuresOf(usdLayerDumps)).failures).toHaveLength(1);
	});

	test('a crate without a dump, a wrong version and a missing file', async () => {
		take(`${CRATES}/listops.usdc`, '0.8.0/listops.usdc');
		const index = [
			{ asked: '0.8.0', bytes: 1, case: 'listops', version: '0.8.0' },
			{ asked: '0.9.0', bytes: 1, case: 'listops', version: '0.9.0' },
		];
		writeFileSync(join(folder, 'index.json'), JSON.stringify(index));
		const { failures } = await failuresOf(usdCrate);
		expect(failures.map((failure) => failure.reason)).toEqual([
			expect.stringContaining('no dump'),
			expect.stringContaining('no dump'),
			expect.stringContaining('no dump'),
			expect.stringContaining('bytes, expected 1'),
			expect.stringContaining('there is no file'),
		]);
	});

	const textChanges: readonly [string, string, (text: string) => string][] = [
		['a changed number', 'simple', (text) => text.replace('1.02517', '1.02518')],
		['a dropped spec', 'simple', (text) => text.replace(/"\/TestOver": \{[^}]*\},/, '')],
		['an unknown field', 'simple', (text) => text.replace('"custom": true', '"custom": true, "surprise": 1')],
		['a dropped field', 'simple', (text) => text.replace('"custom": true,', '')],
		['a changed list', 'relations', (text) => text.replace('"/all/of/the/paths"', '"/all/of/the/path"')],
		['a changed dictionary entry', 'dictionaries', (text) => text.replace('73425', '73426')],
		['a changed knot', 'splines', (text) => text.replace('6532.62342', '6532.7')],
		[
			'a changed sample of a refused attribute',
			'attributes',
			(text) => text.replace(': 5.67,\n            "6.78"', ': 5.68,\n            "6.78"'),
		],
		['another order of properties', 'simple', (text) => text.replace('"camx", "camy"', '"camy", "camx"')],
	];
	test.each(textChanges)('%s in an AOUSD baseline', async (_, name, change) => {
		take(`${TEXT}/usda/${name}.usda`, 'usda/other.usda');
		take(`${TEXT}/baseline/${name}.json`, 'baseline/other.json');
		const only = { ...usdLayers, groups: usdLayers.groups.filter((group) => group.name === 'aousd/text') };
		expect(await failuresOf(only)).toEqual({ total: 1, failures: [] });
		corrupt(join(folder, 'baseline/other.json'), change);
		expect((await failuresOf(only)).failures).toHaveLength(1);
	});

	test('a changed byte of a re-write, and a good input that should be bad', async () => {
		take('conformance/sdf-parsing/02_simple.sdf', 'a.sdf');
		take('conformance/sdf-parsing/baseline/02_simple.sdf', 'baseline/a.sdf');
		const only = { ...usdLayers, groups: usdLayers.groups.filter((group) => group.name.startsWith('sdf-parsing')) };
		expect(await failuresOf(only)).toEqual({ total: 1, failures: [] });
		corrupt(join(folder, 'baseline/a.sdf'), (text) => text.replace('24', '25'));
		take('conformance/sdf-parsing/02_simple.sdf', '1_bad_not_really.sdf');
		const { failures } = await failuresOf(only);
		expect(failures.map((failure) => failure.case).sort()).toEqual(['1_bad_not_really.sdf', 'a.sdf']);
	});

	test('a changed list-op chain', async () => {
		const chain = 'conformance/aousd/data_types/tests/combine_chain/append_over_composable.json';
		take(chain, 'chains.json');
		const only = { ...usdLayers, groups: usdLayers.groups.filter((group) => group.name === 'listop/chains') };
		expect(await failuresOf(only)).toEqual({ total: 1, failures: [] });
		corrupt(join(folder, 'chains.json'), (text) => text.replace('[100, 75, 150]}', '[75, 100, 150]}'));
		expect((await failuresOf(only)).failures).toHaveLength(1);
	});

	test('twins that differ', async () => {
		const scene = 'conformance/aousd/composition/tests/assets/BasicReference_session';
		take(`${scene}/ref.usd`, 'scene/ref.usd');
		take(`${scene}/usda/ref.usd`, 'scene/usda/ref.usd');
		const only = { ...usdLayers, groups: usdLayers.groups.filter((group) => group.name === 'aousd/twins') };
		expect(await failuresOf(only)).toEqual({ total: 1, failures: [] });
		corrupt(join(folder, 'scene/usda/ref.usd'), (text) => `${text}\ndef "Extra"\n{\n}\n`);
		expect((await failuresOf(only)).failures).toHaveLength(1);
	});
});
