import { existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { readJson } from '../src/files.ts';
import { InputFinder } from '../src/input-finder.ts';
import type { Json } from '../src/json.ts';
import { modelBuilders } from '../suites/model-builders/index.ts';

const GOLDEN = resolve(import.meta.dirname, '../../../shared/oracle/golden/newton-builders');
const hasGolden = existsSync(GOLDEN);
if (!hasGolden) console.log(`model/builders: changed programs are not tested, there is no folder ${GOLDEN}`);
const folder = mkdtempSync(join(tmpdir(), 'model-builders-'));
afterAll(() => rmSync(folder, { recursive: true }));

type Edit = (file: { program: never; expected: never } & Record<string, Json>) => void;

/** Groups that complain about a golden file after an edit. */
function complaints(source: string, name: string, edit: Edit): string[] {
	const file = readJson(join(GOLDEN, source)) as Parameters<Edit>[0];
	edit(file);
	const path = join(folder, `${name}.json`);
	writeFileSync(path, JSON.stringify(file));
	const context = { dir: folder, assetsDir: folder, inputs: new InputFinder(folder), log: () => {} };
	return modelBuilders.groups
		.filter((group) => {
			const found = [...group.cases(context)].find((one) => one.name === `${name}.json`)!;
			try {
				return typeof found.run() === 'string';
			} catch {
				return true;
			}
		})
		.map((group) => group.name);
}

describe.skipIf(!hasGolden)('suite model/builders', () => {
	const source = hasGolden ? readdirSync(GOLDEN).find((file) => file === 'seed-8.json.gz')! : '';
	const cases: Record<string, [edit: (it: never) => void, groups: string[]]> = {
		nothing: [() => {}, []],
		'a number of an array': [
			(it: { expected: { model: { arrays: Record<string, { data: number[] }> } } }) =>
				void (it.expected.model.arrays.joint_X_p!.data[0]! += 0.01),
			['arrays'],
		],
		'a world': [
			(it: { expected: { model: { arrays: Record<string, { data: number[] }> } } }) =>
				void (it.expected.model.arrays.body_world!.data[0] = 1),
			['arrays'],
		],
		'a label': [
			(it: { expected: { model: { labels: Record<string, string[]> } } }) =>
				void (it.expected.model.labels.body![1] = 'other'),
			['names'],
		],
		'an outcome': [
			(it: { expected: { outcomes: { results: { result: number }[] }[] } }) =>
				void (it.expected.outcomes[0]!.results[1]!.result = 7),
			['outcomes'],
		],
		'a filter pair': [
			(it: { expected: { defects: string[]; model: { filter_pairs: number[][] } } }) => {
				it.expected.defects = [];
				it.expected.model.filter_pairs.push([0, 1]);
			},
			['filters', 'interpreter'],
		],
		'an attribute': [
			(it: { expected: { model: { custom_attributes: Record<string, { values: { data: number[] } }> } } }) =>
				void (it.expected.model.custom_attributes['mujoco:equality_constraint_body1']!.values.data[1] = 2),
			['attributes'],
		],
		'a pose of forward kinematics': [
			(it: { expected: { model: { fk: { body_q: { data: number[] } } } } }) =>
				void (it.expected.model.fk.body_q.data[8]! += 0.01),
			['kinematics'],
		],
		'a mesh': [
			(it: { expected: { model: { geometry: { objects: { vertices: { sha256: string } }[] } } } }) =>
				void (it.expected.model.geometry.objects[0]!.vertices.sha256 = 'x'),
			['names'],
		],
	};
	for (const [name, [edit, groups]] of Object.entries(cases)) {
		test(`after a change of ${name}: ${groups.join(', ') || 'no'} complaints`, () => {
			const found = complaints(source, name.replaceAll(' ', '-'), edit as never);
			for (const group of groups) expect(found).toContain(group);
			if (groups.length === 0) expect(found).toEqual([]);
		});
	}

	test('an unknown field fails every group', () => {
		const found = complaints(
			source,
			'unknown',
			(it) => void ((it as unknown as { expected: Record<string, Json> }).expected.novelty = 1),
		);
		expect(found).toEqual(modelBuilders.groups.map((group) => group.name));
	});
});
