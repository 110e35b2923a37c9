import { cpSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { readJson } from '../src/files.ts';
import { InputFinder } from '../src/input-finder.ts';
import type { Json } from '../src/json.ts';
import type { Outcome } from '../src/suite.ts';
import { importNewton } from '../suites/import/index.ts';
import { change, type Path, somePlaces } from './change-json.ts';

const SHARED = resolve(import.meta.dirname, '../../../shared');
const GOLDEN = join(SHARED, 'oracle/golden/newton-import');
const hasGolden = existsSync(GOLDEN);
if (!hasGolden) console.log(`import/newton: changed answers are not tested, there is no folder ${GOLDEN}`);
const folder = mkdtempSync(join(tmpdir(), 'import-newton-'));
afterAll(() => rmSync(folder, { recursive: true }));

/** Runs the case of a folder: the outcome of the group that has it. */
async function run(dir: string): Promise<Outcome> {
	const context = {
		dir,
		assetsDir: join(SHARED, 'assets'),
		inputs: new InputFinder(join(SHARED, 'assets')),
		log: () => {},
	};
	for (const group of importNewton.groups) {
		if (group.name === 'ledger') continue;
		for (const one of group.cases(context)) {
			try {
				return await one.run();
			} catch (error) {
				return `threw ${String(error)}`;
			}
		}
	}
	return 'no group has the case';
}

/** A copy of a case with other expected data. */
function copy(name: string, to: string, expected: Json): string {
	const dir = join(folder, to);
	mkdirSync(dir);
	cpSync(join(GOLDEN, name), join(dir, 'case'), { recursive: true });
	rmSync(join(dir, 'case/expected.json.gz'));
	writeFileSync(join(dir, 'case/expected.json'), JSON.stringify(expected));
	return dir;
}

const CASES = [
	'test_import_urdf.TestMimicConstraints.test_mimic_constraint_basic.1',
	'test_import_urdf.TestUrdfJointFriction.test_named_material_color_on_mesh.1',
	'test_import_urdf.TestImportUrdfComposition.test_parent_body_with_base_joint_creates_d6.2',
	'test_equality_constraints.TestEqualityConstraints.test_multiple_constraints.1',
	'test_import_usd.TestImportSampleAssetsParsing.test_mimic_coef0_units_follow_the_follower_joint.1',
];

/** What may be anything: texts of messages and lines on a terminal, and what a mesh without a triangle order can hold. */
function isFree(path: Path): boolean {
	return path.includes('message') || path.includes('printed');
}

describe.skipIf(!hasGolden)('suite import/newton', () => {
	const present = CASES.filter((name) => existsSync(join(GOLDEN, name)));

	test.each(present)('whatever changes in what is expected of %s is noticed', async (name) => {
		const text = JSON.stringify(readJson(join(GOLDEN, name, 'expected.json.gz')));
		expect(await run(copy(name, `${name}-same`, JSON.parse(text)))).toBeUndefined();
		const unnoticed: string[] = [];
		const draw = { count: 12, seed: name.length, isFree };
		for (const [i, path] of somePlaces(JSON.parse(text), [], draw).entries()) {
			const file = JSON.parse(text) as Json;
			change(file, path);
			const outcome = await run(copy(name, `${name}-${i}`, file));
			if (typeof outcome !== 'string') unnoticed.push(path.join('.'));
		}
		expect(unnoticed).toEqual([]);
	});

	test('a setting, an option or a tag that is not known is noticed', async () => {
		const name = CASES[0]!;
		const text = JSON.stringify(readJson(join(GOLDEN, name, 'options.json')));
		const edits: ((it: Record<string, Json>) => void)[] = [
			(it) => Object.assign(it, { builder: { novelty: 1 } }),
			(it) => Object.assign(it, { tags: ['urdf', 'novelty'] }),
			(it) => Object.assign(it, { tags: ['urdf', 'raises'] }),
			(it) => Object.assign(it, { novelty: 1 }),
			(it) => Object.assign((it.steps as Record<string, Json>[])[0]!, { call: 'add_novelty' }),
		];
		for (const [i, edit] of edits.entries()) {
			const dir = copy(name, `options-${i}`, readJson(join(GOLDEN, name, 'expected.json.gz')) as Json);
			const options = JSON.parse(text) as Record<string, Json>;
			edit(options);
			writeFileSync(join(dir, 'case/options.json'), JSON.stringify(options));
			expect(await run(dir), `edit ${i}`).toEqual(expect.any(String));
		}
	});

	test('an import that fails is noticed, and one that has to fail', async () => {
		const name = 'test_import_urdf.TestImportUrdfComposition.test_base_joint_dict_conflicting_keys_fails.2';
		const expected = readJson(join(GOLDEN, name, 'expected.json.gz')) as Json;
		expect(await run(copy(name, 'fails', expected))).toBeUndefined();
		const dir = copy(CASES[0]!, 'must-fail', expected);
		const options = readJson(join(GOLDEN, CASES[0]!, 'options.json')) as Record<string, Json>;
		writeFileSync(join(dir, 'case/options.json'), JSON.stringify({ ...options, tags: ['raises', 'urdf'] }));
		expect(await run(dir)).toContain('the import succeeded, expected');
	});
});
